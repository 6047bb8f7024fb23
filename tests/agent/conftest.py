"""Fixtures of the loop's tests: real tools on a folder, real HTTP to a scripted server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.agent.episodes import Bench


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Callable[..., Bench]]:
    """Makes benches: a tree, a script, limits."""
    made: list[Bench] = []

    def make(script: Any, **options: Any) -> Bench:
        made.append(Bench(tmp_path / f"tree{len(made)}", script, **options))
        return made[-1]

    yield make
    for each in made:
        await each.close()
