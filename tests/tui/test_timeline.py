"""The clock of a replay."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.plan import Launch
from harness.store.run_folder import RunFolder
from tests.tui.recorded import episode, make_plan, write_attempt
from tui.model.source import ReplaySource
from tui.model.timeline import IDLE_S, SPEEDS, Timeline


@pytest.fixture(scope="module")
def recording() -> Path:
    folder = RunFolder.create(Path(tempfile.mkdtemp()), make_plan(), Launch())
    return write_attempt(folder, "stockroom-reorder-point@1", episode)


@pytest.fixture
def source(recording: Path) -> ReplaySource:
    return ReplaySource(recording)


def kinds(timeline: Timeline) -> str:
    return timeline.rows.kind(timeline.position - 1) if timeline.position else ""


def test_it_begins_at_the_end_and_plays_from_the_start(source: ReplaySource) -> None:
    timeline = source.timeline
    assert timeline.at_end and timeline.share == 1.0
    timeline.play()
    assert timeline.playing and timeline.position == 0


def test_events_come_when_their_time_has_passed(source: ReplaySource) -> None:
    timeline = source.timeline
    timeline.skip_waiting = False
    timeline.play()
    timeline.tick(100.0)
    timeline.tick(100.1)  # the first four lie within 0.12 s: one at 0, prompts, the first request
    before = timeline.position
    assert before == 3
    timeline.tick(104.0)  # the reply took 4.2 s
    assert kinds(timeline) == "model_request"
    timeline.tick(104.4)
    assert "model_turn" in [timeline.rows.kind(r) for r in range(timeline.position)]


def test_waiting_is_cut_to_a_second(source: ReplaySource) -> None:
    timeline = source.timeline
    timeline.play()
    timeline.tick(0.0)
    timeline.tick(0.13)
    here = timeline.position
    timeline.tick(0.13 + IDLE_S)
    assert timeline.position > here


def test_speed_counts_and_changing_it_changes_nothing_else(source: ReplaySource) -> None:
    timeline = source.timeline
    timeline.play()
    timeline.faster(20)
    assert timeline.speed == SPEEDS[-1] and timeline.playing and timeline.position == 0
    timeline.tick(0.0)
    timeline.tick(1.0)
    assert timeline.at_end and not timeline.playing
    timeline.faster(-20)
    assert timeline.speed == SPEEDS[0]


def test_marks_are_found_in_order(source: ReplaySource) -> None:
    timeline = source.timeline
    timeline.seek(0)
    assert timeline.mark("error") and kinds(timeline) == "retry"
    assert timeline.mark("error") and kinds(timeline) == "tool_result"
    assert not timeline.mark("error") and kinds(timeline) == "tool_result"
    assert timeline.mark("edit") and timeline.mark("edit") and not timeline.mark("edit")
    assert timeline.mark("verdict") and kinds(timeline) == "grading_finished"


def test_steps_by_event_and_by_turn(source: ReplaySource) -> None:
    timeline = source.timeline
    timeline.seek(0)
    timeline.step_turn(1)
    assert kinds(timeline) == "model_turn" and timeline.turn == 1
    timeline.step_turn(2)
    assert timeline.turn == 3
    timeline.step_turn(-1)
    assert kinds(timeline) == "model_turn" and timeline.turn == 2
    timeline.seek(0)
    timeline.step_turn(-1)
    assert timeline.position == 0
    timeline.step(3)
    assert kinds(timeline) == "message"
    timeline.step(1)
    assert kinds(timeline) == "model_turn"  # the request that was sent is no step of its own
    timeline.step(-1)
    assert kinds(timeline) == "message"


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("50%", lambda t: t.position == round(len(t) / 2)),
        (" 100 % ", lambda t: t.at_end),
        ("turn 3", lambda t: t.turn == 3),
        ("2", lambda t: t.turn == 2),
        ("#5", lambda t: t.position == 5),
        ("#99999", lambda t: t.at_end),
    ],
)
def test_places_as_people_write_them(
    source: ReplaySource, text: str, check: Callable[[Timeline], bool]
) -> None:
    assert source.timeline.goto(text) and check(source.timeline)


@pytest.mark.parametrize("text", ["", "turn", "turn 99", "x", "-1", "1e9", "%"])
def test_what_is_no_place_moves_nothing(source: ReplaySource, text: str) -> None:
    source.timeline.seek(7)
    assert not source.timeline.goto(text)
    assert source.timeline.position == 7


MOVES: dict[str, Callable[[Timeline], object]] = {
    "l": lambda t: t.step(1),
    "h": lambda t: t.step(-1),
    ".": lambda t: t.step_turn(1),
    ",": lambda t: t.step_turn(-1),
    "0": lambda t: t.seek(0),
    "$": lambda t: t.seek(len(t)),
    "e": lambda t: t.mark("error"),
    "d": lambda t: t.mark("edit"),
    "V": lambda t: t.mark("verdict"),
    ">": lambda t: t.faster(1),
    "<": lambda t: t.faster(-1),
    " ": lambda t: t.play(),
    "30%": lambda t: t.goto("30%"),
    "t2": lambda t: t.goto("turn 2"),
}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(sorted(MOVES)), max_size=30))
def test_any_way_to_a_place_gives_the_view_of_that_place(keys: list[str]) -> None:
    path = _shared()
    walked, straight = ReplaySource(path), ReplaySource(path)
    try:
        for second, key in enumerate(keys):
            MOVES[key](walked.timeline)
            walked.timeline.tick(second * 0.7)
            walked.sync()
            while not walked.prepare(300):
                pass
        while not walked.prepare(300):
            pass
        straight.timeline.seek(walked.timeline.position)
        straight.sync()
        while not straight.prepare(300):
            pass
        assert walked.view == straight.view
        assert len(walked.rows) == len(straight.rows)
    finally:
        walked.close()
        straight.close()


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.benchmarks.viewer import long_transcript

    return long_transcript(tmp_path_factory.mktemp("long") / "long.jsonl", 3500)


@pytest.mark.parametrize("places", [(3500, 10, 2999, 1000, 1001, 0, 2000), (1500, 3400, 3100, 7)])
def test_far_places_are_reached_in_small_steps(long: Path, places: tuple[int, ...]) -> None:
    walked = ReplaySource(long)
    for place in places:
        walked.timeline.seek(place)
        steps = 0
        while not walked.prepare(60):
            steps += 1
            assert steps < 100
        straight = ReplaySource(long)
        straight.timeline.seek(place)
        assert straight.prepare(10_000)
        assert walked.view == straight.view and walked.view.events == place
        straight.close()
    walked.close()
    assert walked.prepare(300)  # closed: nothing is left to be done


_made: list[Path] = []


def _shared() -> Path:
    if not _made:
        folder = RunFolder.create(Path(tempfile.mkdtemp()), make_plan(), Launch())
        _made.append(write_attempt(folder, "stockroom-reorder-point@1", episode))
    return _made[0]
