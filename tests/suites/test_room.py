"""Tasks that cannot fit into a model's context are named before anything is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.suites.mmlu import MmluSuite
from harness.suites.protocol import SuiteOptions
from harness.suites.repos import ReposSuite
from harness.suites.room import no_room
from tests.support.classic_data import mmlu_folder


def test_repositories_need_room_for_tools_and_listing() -> None:
    suite = ReposSuite()
    plan = suite.plan(SuiteOptions(limit=3))
    notice = no_room(suite, plan, 512, None)
    assert notice is not None and "3 of 3 tasks" in notice and "512 tokens" in notice
    assert any(ref.id in notice for ref in plan.tasks) and "llama-server -c" in notice
    assert no_room(suite, plan, 8192, None) is None


@pytest.mark.parametrize(("context", "told"), [(20, True), (4096, False), (None, False)])
def test_questions_are_measured_whole(tmp_path: Path, context: int | None, told: bool) -> None:
    suite = MmluSuite()
    plan = suite.plan(SuiteOptions(data=mmlu_folder(tmp_path), limit=5))
    assert (no_room(suite, plan, context, None) is not None) == told


def test_a_system_prompt_of_ones_own_counts(tmp_path: Path) -> None:
    suite = MmluSuite()
    plan = suite.plan(SuiteOptions(data=mmlu_folder(tmp_path), limit=5))
    assert no_room(suite, plan, 4096, "word " * 5000) is not None
