"""A session is built from the folder alone, and only when everything still is as planned."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import ConflictError, UsageError
from harness.execution.prepare import close_parts, open_session
from harness.ids import sha256_hex
from harness.models.noop import NoopModel
from harness.plan import Containment, Plan
from harness.sandbox.protocol import Provider
from harness.suites import registry
from tests.support import boxes
from tests.support.counting_suite import CountingSuite, make_folder, make_plan


@pytest.fixture(autouse=True)
def counting_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._SUITES, "counting", "tests.support.counting_suite:CountingSuite")


async def test_the_parts_come_from_the_folder(tmp_path: Path) -> None:
    model, suites, provider = await open_session(make_folder(tmp_path, make_plan(2)))
    assert isinstance(model, NoopModel)
    assert [type(suite).__name__ for suite in suites.values()] == [CountingSuite.__name__]
    assert provider is None
    assert await close_parts(model, provider) == []


async def test_a_suite_of_another_version_is_a_conflict(tmp_path: Path) -> None:
    plan = make_plan(2)
    older = plan.model_copy(
        update={"suites": (plan.suites[0].model_copy(update={"version": "0"}),)}
    )
    with pytest.raises(ConflictError, match=r"suites\.counting\.version .* 0 -> 1"):
        await open_session(make_folder(tmp_path, older))


async def test_a_system_prompt_that_changed_is_a_conflict(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    plan = make_plan(2)
    model = plan.model.model_copy(update={"system_prompt_digest": sha256_hex(b"be good")})
    planned = plan.model_copy(update={"model": model})
    folder = make_folder(tmp_path / "runs", planned, system_prompt_file=str(prompt))
    with pytest.raises(UsageError, match="cannot be read"):
        await open_session(folder)
    prompt.write_text("be good")
    await open_session(folder)
    prompt.write_text("be bad")
    with pytest.raises(ConflictError, match="system_prompt_digest"):
        await open_session(folder)


def contained(plan: Plan, provider: Provider, image: str, tools: str) -> Plan:
    containment = Containment(
        provider=provider.name, image_digest=image, tools_digest=tools, limits=boxes.SMALL
    )
    return plan.model_copy(update={"containment": containment})


async def test_another_image_or_other_tools_are_a_conflict(
    tmp_path: Path, provider: Provider
) -> None:
    box = await provider.open(boxes.spec())
    attested = box.attestation
    await box.close()
    image, tools = attested.image_digest, attested.tools_digest
    plan = contained(make_plan(1), provider, "sha256:" + "0" * 64, tools)
    with pytest.raises(ConflictError, match=r"containment\.image_digest"):
        await open_session(make_folder(tmp_path, plan))
    plan = contained(make_plan(1), provider, image, "0" * 64)
    with pytest.raises(ConflictError, match=r"containment\.tools_digest"):
        await open_session(make_folder(tmp_path, plan))
    folder = make_folder(tmp_path, contained(make_plan(1), provider, image, tools))
    model, _, opened = await open_session(folder)
    assert opened is not None and opened.name == provider.name
    assert await close_parts(model, opened) == []
