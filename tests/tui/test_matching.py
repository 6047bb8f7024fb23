"""What is typed to filter samples and runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.state.follow import RunFollower
from tests.tui.conftest import AppMaker
from tests.tui.screens import settle, text
from tests.tui.shots import CODE, QUIZ, Shot, make_shots
from tui.model.matching import Query, words_of
from tui.model.records import Records
from tui.model.samples import SampleBlocks
from tui.screens.replay import ReplayScreen
from tui.screens.run import RunScreen

SHOTS = (*QUIZ, *CODE)


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    return make_shots(tmp_path, SHOTS)


@pytest.fixture
def blocks(shots: Path) -> SampleBlocks:
    follower = RunFollower(shots)
    view = follower.catch_up()
    follower.close()
    records = Records(shots)
    records.read_facts()
    return SampleBlocks(view, records.facts)


FOUND = {
    "resolved": {"anatomy/0", "astronomy/0", "HumanEval/0"},  # and nothing that is unresolved
    "no score": {"astronomy/1"},
    "no_score": {"astronomy/1"},
    "tampered": {"HumanEval/5"},
    "flagged": {"HumanEval/5"},
    "no answer": {"anatomy/1"},
    "wrong answer": {"virology/0", "sociology/0", "HumanEval/1", "HumanEval/2"},
    "wrong": {"virology/0", "sociology/0", "HumanEval/1", "HumanEval/2"},
    "STEM no score": {"astronomy/1"},
    "astronomy": {"astronomy/0", "astronomy/1"},
    "STEM, resolved": {"astronomy/0"},
    "other,unresolved": {"anatomy/1", "virology/0"},
    ", ": {s.task for s in SHOTS},
    "no_answer": {"anatomy/1"},
    "no ans": {"anatomy/1"},
    "wrong_answer": {"virology/0", "sociology/0", "HumanEval/1", "HumanEval/2"},
    "timeout": {"HumanEval/3"},
    "timed out": {"HumanEval/3"},
    "syntax": {"HumanEval/4"},
    "assertionerror": {"HumanEval/1"},
    "ModuleNotFoundError": {"HumanEval/2"},
    "anatomy": {"anatomy/0", "anatomy/1"},
    "other": {"anatomy/0", "anatomy/1", "virology/0"},
    "STEM": {"astronomy/0", "astronomy/1"},
    "social sciences": {"sociology/0"},
    "other unresolved": {"anatomy/1", "virology/0"},
    "unresolved humaneval": {"HumanEval/1", "HumanEval/2", "HumanEval/3", "HumanEval/4"},
    "the model server failed": {"astronomy/1"},
    "request failed": {"astronomy/1"},
    "umanEval/3": {"HumanEval/3"},
    "nothing of it": set(),
}


@pytest.mark.parametrize("typed", FOUND)
def test_samples_are_found_by_all_that_is_told_of_them(blocks: SampleBlocks, typed: str) -> None:
    blocks.words = typed
    blocks.refresh()
    assert {sample.task_id for sample in blocks.shown} == FOUND[typed]


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("no answer", ["no_answer"]),
        ("no", ["no"]),
        ("no ans", ["no_ans"]),
        ("No Answer anatomy", ["no_answer", "anatomy"]),
        ("anatomy no answer", ["anatomy", "no_answer"]),
        ("answer no", ["answer", "no"]),
        ("  ", []),
    ],
)
def test_words_of_one_label_are_one(typed: str, terms: list[str]) -> None:
    assert Query(typed, ["no answer", "no score"]).terms == terms


def _found(path: Path, *typed: str) -> list[list[str]]:
    follower = RunFollower(path)
    view = follower.catch_up()
    follower.close()
    records = Records(path)
    records.read_facts()
    blocks = SampleBlocks(view, records.facts)
    found = []
    for words in typed:
        blocks.words = words
        blocks.refresh()
        found.append([f"{s.task_id}@{s.epoch}" for s in blocks.shown])
    return found


def test_reasons_count_as_the_scores_count_them(tmp_path: Path) -> None:
    none = {"answered": False, "subject": "anatomy", "category": "other"}
    shots = (
        *QUIZ,
        Shot("anatomy/2", "wrong_answer", rule="no_answer:two_letters", **none),  # type: ignore[arg-type]
        Shot("anatomy/3", "wrong_answer", rule="no_answer:no_letter", **none),  # type: ignore[arg-type]
    )
    path = make_shots(tmp_path, shots)
    follower, records = RunFollower(path), Records(path)
    records.read(follower.plan)
    follower.close()
    assert records.summary is not None
    classic = records.summary.suites[0].classic
    assert classic is not None
    wrong = classic.answers.wrong
    found = _found(path, "wrong answer", "no answer", "two letters", "two_letters", "no_letter")
    assert [len(each) for each in found[:2]] == [wrong["wrong_answer"], wrong["no_answer"]]
    assert found[2:] == [["anatomy/2@1"], ["anatomy/2@1"], ["anatomy/3@1"]]


def test_samples_that_were_not_run_are_found_by_their_group(tmp_path: Path) -> None:
    path = make_shots(tmp_path, (Shot("astronomy/0", None), Shot("sociology/0", None)), epochs=2)
    assert _found(path, "STEM", "social sciences no score", "social sciences") == [
        ["astronomy/0@1", "astronomy/0@2"],
        ["sociology/0@1"],
        ["sociology/0@1", "sociology/0@2"],
    ]


def test_epochs_are_found_as_they_are_shown(tmp_path: Path) -> None:
    path = make_shots(tmp_path, (Shot("astronomy/0", None),), epochs=20)
    assert _found(path, "#2", "@2", "astronomy #1", "astronomy/0@20") == [
        ["astronomy/0@2"],
        ["astronomy/0@2"],
        ["astronomy/0@1"],
        ["astronomy/0@20"],
    ]


async def test_the_hint_of_a_filter_is_not_cut(shots: Path, app: AppMaker) -> None:
    for width in (80, 100, 120):
        made = app(lambda: RunScreen(shots))
        async with made.run_test(size=(width, 30), notifications=True) as pilot:
            await settle(pilot)
            await pilot.press("slash")
            await settle(pilot)
            assert "filter name, wrong answer, STEM" in text(made)


def test_a_label_is_found_by_the_beginnings_of_its_words_a_name_by_any_part() -> None:
    words = words_of("stockroom-csv", ["unresolved", "social sciences"])
    assert all(Query(t).matches(words) for t in ("room-c", "unres", "sci", "social sci"))
    assert not any(Query(t).matches(words) for t in ("resolved", "ciences", "stockrooms"))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_filter_of_a_run_names_what_can_be_typed_and_finds_it(
    shots: Path, app: AppMaker, size: tuple[int, int]
) -> None:
    made = app(lambda: RunScreen(shots))
    async with made.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        shown = text(made)
        assert all(why in shown for why in ("no answer", "wrong answer", "AssertionError"))
        await pilot.press("slash")
        await settle(pilot)
        assert "name, wrong answer, STEM" in text(made)
        await pilot.press(*"no answer", "enter")
        await settle(pilot)
        left = text(made)
        assert "anatomy/1" in left and "virology/0" not in left.replace(
            "Question of virology/0", ""
        )


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_chooser_of_a_replay_finds_the_same(
    shots: Path, app: AppMaker, size: tuple[int, int]
) -> None:
    made = app(lambda: ReplayScreen(shots))
    async with made.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        assert "type to narrow: name, wrong answer, STEM" in text(made)
        await pilot.press(*"social sciences")
        await settle(pilot)
        shown = text(made)
        assert "✗ unresolved sociology/0@1  wrong answer" in shown and "virology" not in shown
        await pilot.press("enter")
        await settle(pilot)
        assert "Replay  sociology/0@1" in text(made)


def test_a_transcript_that_lies_outside_or_is_gone_names_no_exception(tmp_path: Path) -> None:
    path = make_shots(tmp_path, CODE)
    for transcript in (path / "transcripts").glob("*.jsonl"):
        transcript.unlink()
    lines = (path / "samples.jsonl").read_text().replace('"transcripts/', '"../../etc/passwd')
    (path / "samples.jsonl").write_text(lines)
    records = Records(path)
    records.read_facts()
    assert {facts.raised for facts in records.facts.values()} == {""}


def test_a_record_that_cannot_be_read_is_told_and_the_others_stay(tmp_path: Path) -> None:
    path = make_shots(tmp_path, (Shot("anatomy/0", subject="anatomy"),))
    with (path / "samples.jsonl").open("ab") as file:
        file.write(b"{\n")
    follower = RunFollower(path)
    records = Records(path)
    records.read(follower.plan)
    follower.close()
    assert records.summary is None and "cannot be read" in records.problem
    assert len(records.facts) == 1
