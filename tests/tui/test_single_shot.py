"""Samples of the classic suites: a question, a reply, what was taken from it, how it was judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.events.grading import AnswerExtracted, AnswerJudged, TestOutcome
from harness.events.model import MessageAdded, ModelTurn
from harness.events.sample import AttemptFinished, AttemptStarted
from harness.ids import sample_key
from harness.outcome import GradeStatus, StopReason, Verdict
from harness.plan import Launch
from harness.state.follow import RunFollower
from harness.store.run_folder import RunFolder
from tests.tui.conftest import AppMaker
from tests.tui.recorded import make_plan, write_events
from tests.tui.screens import settle, text
from tests.tui.shots import make_shots
from tui.model.source import LiveSource
from tui.screens.replay import ReplayScreen
from tui.screens.run import RunScreen

SHOTS = "Question: which gas do plants take in?\nAnswer: carbon dioxide\n\n" * 40
CODE = "def kth(values, k):\n    return sorted(values)[k]\n"
JUDGED = AnswerJudged(
    grade_status=GradeStatus.WRONG_ANSWER,
    expected="3",
    got="5",
    detail="assert kth([5, 3], 1) == 3\nAssertionError",
    checks_passed=1,
    checks_total=3,
)


def _record(root: Path, answer: AnswerExtracted, *judged: AnswerJudged | TestOutcome) -> Path:
    """A transcript in a run folder, whose question begins with a shared blob."""
    folder = RunFolder.create(root, make_plan(("task-1",)), Launch())
    key = sample_key("task-1", 1)
    began = {"suite": "mbpp", "task_id": "task-1", "epoch": 1, "attempt": 1, "sample": key}
    head = folder.blobs.put(SHOTS.encode())[0]
    verdict = {"verdict": Verdict.UNRESOLVED, "stop_reason": StopReason.FINISHED}
    events = [
        AttemptStarted(version=1, run_id=folder.run_id, model="m", **began),
        MessageAdded(role="user", kind="prompt", content="Question: the last one", prefix=head),
        ModelTurn(turn=1, content="I take the k-th of the sorted values.", tool_calls=[]),
        answer,
        *judged,
        AttemptFinished(**verdict),
    ]
    rows = [(0.1 * number, event) for number, event in enumerate(events)]
    return write_events(folder.path / "transcripts" / "one.jsonl", rows)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_code_is_shown_with_the_assertion_that_failed(
    tmp_path: Path, app: AppMaker, size: tuple[int, int]
) -> None:
    path = _record(tmp_path, AnswerExtracted(kind="code", value=CODE, rule="fence"), JUDGED)
    made = app(lambda: ReplayScreen(path))
    async with made.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        shown = text(made)
        assert "Answer  code, by fence" in shown and "return sorted(values)[k]" in shown
        assert "✗ Judged: wrong answer  1 of 3 checks passed" in shown
        assert "assert kth([5, 3], 1) == 3" in shown
        assert "expected 3" in shown and "got      5" in shown
        await pilot.press("3")  # the tab of tests says the same
        await settle(pilot)
        assert "assert kth([5, 3], 1) == 3" in text(made) and "expected 3" in text(made)


async def test_an_answer_that_was_not_found_is_no_wrong_answer(
    tmp_path: Path, app: AppMaker
) -> None:
    answer = AnswerExtracted(kind="letter", value=None, rule="no_answer:no_letter")
    judged = AnswerJudged(
        grade_status=GradeStatus.WRONG_ANSWER,
        expected="B",
        detail="no answer (no_answer:no_letter)",
    )
    path = _record(tmp_path, answer, judged)
    made = app(lambda: ReplayScreen(path))
    async with made.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        assert "Answer  none was found: no letter" in text(made)
        assert "✗ Judged: no answer" in text(made) and "expected B" in text(made)


async def test_tests_of_a_class_are_no_tests_to_be_mended(tmp_path: Path, app: AppMaker) -> None:
    test = TestOutcome(id="KthTest::test_one", group="fail_to_pass", outcome="failed", message="x")
    path = _record(tmp_path, AnswerExtracted(kind="code", value=CODE, rule="fence"), test, JUDGED)
    made = app(lambda: ReplayScreen(path))
    async with made.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        assert "✗ failed  KthTest::test_one" in text(made) and "mended" not in text(made)
        await pilot.press("3")
        await settle(pilot)
        assert "Tests: 0 of 1 passed" in text(made) and "Judged: wrong answer" in text(made)


async def test_a_search_finds_words_of_a_beginning_that_samples_share(
    tmp_path: Path, app: AppMaker
) -> None:
    path = _record(tmp_path, AnswerExtracted(kind="letter", value="B", rule="anchored"), JUDGED)
    assert b"carbon" not in path.read_bytes()
    made = app(lambda: ReplayScreen(path))
    async with made.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"carbon dioxide", "enter")
        await settle(pilot)
        assert "1 of 1" in text(made)
        await pilot.press("slash", *"last one", "enter")
        await settle(pilot)
        assert "1 of 1" in text(made)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_one_question_with_one_answer_has_no_tabs_of_a_tree(
    tmp_path: Path, app: AppMaker, size: tuple[int, int]
) -> None:
    path = make_shots(tmp_path)
    made = app(lambda: RunScreen(path))
    async with made.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        tabs = text(made)
        assert "3 Tests  5 Raw  6 Info" in tabs and "Diff" not in tabs and "Files" not in tabs
        assert "tool calls" not in tabs  # the model could make some, here it cannot
        for key in ("2", "4"):
            await pilot.press(key)
            await settle(pilot)
            assert "[1 Transcript]" in text(made)
        await pilot.press("3")
        await settle(pilot)
        assert "[3 Tests]" in text(made) and "Judged" in text(made)
        titles = {command.title for command in made.get_system_commands(made.screen)}
        assert "Raw" in titles and not titles & {"Diff", "Files"}


async def test_going_on_from_a_tree_to_a_question_shows_its_transcript(
    run: Path, app: AppMaker
) -> None:
    quiz = make_shots(run.parent)
    made = app(lambda: RunScreen(run))
    async with made.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("tab", "2")
        await settle(pilot)
        assert "[2 Diff" in text(made)
        screen = made.screen
        assert isinstance(screen, RunScreen)
        follower = RunFollower(quiz)
        sample = follower.catch_up().samples[sample_key("anatomy/0", 1)]
        follower.close()
        screen.pane.show(LiveSource(quiz, sample), quiz, sample.key, empty="")
        await pilot.pause()
        assert screen.pane.tab == "transcript" and screen.pane.current.has_focus
