"""Fixtures that more than one package of tests uses."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from harness.sandbox.protocol import Box, Provider
from tests.support import boxes


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes minutes begins first: no worker is to be left alone with it at the end."""
    items.sort(key=lambda item: item.path.name != "test_admission.py")


@pytest.fixture(params=["docker", "podman", "bubblewrap"])
async def provider(request: pytest.FixtureRequest) -> AsyncIterator[Provider]:
    """Each runtime in turn; skipped with a reason where it is not ready."""
    found = await boxes.require(request.param)
    yield found
    await found.close()


@pytest.fixture
async def box(provider: Provider) -> AsyncIterator[Box]:
    """An open box with small limits."""
    opened = await provider.open(boxes.spec())
    yield opened
    await opened.close()


@pytest.fixture
async def docker() -> AsyncIterator[Provider]:
    """Docker alone."""
    found = await boxes.require("docker")
    yield found
    await found.close()


@pytest.fixture
async def bubblewrap() -> AsyncIterator[Provider]:
    """bubblewrap alone."""
    found = await boxes.require("bubblewrap")
    yield found
    await found.close()
