"""Any position of a transcript, quickly and exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.events.base import Event
from harness.events.model import ModelRequested, ModelTurn
from harness.events.sample import AttemptFinished, AttemptStarted
from harness.events.tool import ToolResult, TreeChange
from harness.outcome import StopReason, Verdict
from harness.state.index import TranscriptIndex
from harness.state.reduce import reduce_transcript
from harness.state.replay import CHECKPOINT_EVERY, Replay
from harness.state.view import TranscriptView
from harness.store.appender import Appender
from harness.store.transcript import EventWriter, read_transcript
from harness.store.trees import BlobStore

TURNS = 1200


@pytest.fixture(scope="module")
def blobs(tmp_path_factory: pytest.TempPathFactory) -> BlobStore:
    return BlobStore(tmp_path_factory.mktemp("blobs"))


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory, blobs: BlobStore) -> Path:
    """1,200 turns; turn n writes n into ``a.txt`` and, when even, removes or makes ``b.txt``."""
    path = tmp_path_factory.mktemp("t") / "attempt-1.jsonl"
    writer = EventWriter(Appender(path))

    def put(event: Event) -> None:
        writer.append(event)

    first, _ = blobs.put(b"0")
    put(
        AttemptStarted(
            version=1,
            run_id="r",
            sample="s",
            suite="s",
            task_id="t",
            epoch=1,
            attempt=1,
            model="m",
            tree={"a.txt": {"digest": first, "mode": 0o644}},
        )
    )
    before = first
    for turn in range(1, TURNS + 1):
        put(ModelRequested(turn=turn, attempt=1, endpoint="e", messages=turn, digest="d"))
        put(ModelTurn(turn=turn, content=f"turn {turn}"))
        after, _ = blobs.put(str(turn).encode())
        delta = [TreeChange(path="a.txt", before=before, after=after, mode_after=0o644)]
        if turn % 2 == 0:
            there = turn % 4 == 2
            delta.append(
                TreeChange(
                    path="b.txt",
                    before=None if there else first,
                    after=first if there else None,
                )
            )
        before = after
        put(ToolResult(turn=turn, call_id="c", name="edit", arguments={}, text="ok", delta=delta))
    put(AttemptFinished(verdict=Verdict.RESOLVED, stop_reason=StopReason.FINISHED))
    return path


def opened(path: Path) -> TranscriptIndex:
    index = TranscriptIndex(path)
    index.refresh()
    return index


def reduced(path: Path, events: int) -> TranscriptView:
    view = TranscriptView()
    for _, event in zip(range(events), read_transcript(path), strict=False):
        reduce_transcript(view, event)
    return view


def test_the_index_finds_every_row_kind_and_turn(transcript: Path) -> None:
    index = opened(transcript)
    assert len(index) == 3 * TURNS + 2
    assert index.kind(0) == "attempt_started" and index.kind(3) == "tool_result"
    assert index.turns == TURNS
    row = index.row_of_turn(700)
    assert row == 1 + 3 * 699 and index.kind(row) == "model_request"
    event = index.event(row + 1)
    assert isinstance(event, ModelTurn) and event.content == "turn 700"
    assert index.row_of_turn(TURNS + 1) is None


@pytest.mark.parametrize("prepared", [False, True])
def test_every_way_to_a_position_gives_the_same_view(transcript: Path, prepared: bool) -> None:
    replay = Replay(opened(transcript))
    while prepared and not replay.prepare():
        pass
    end = 3 * TURNS + 2
    around = [CHECKPOINT_EVERY - 1, CHECKPOINT_EVERY, CHECKPOINT_EVERY + 1]
    for position in [end, 5, *around, 3456, 0, 1, 2999, 3000, end]:
        assert replay.seek(position) == reduced(transcript, position), position
        assert replay.position == position
    assert replay.seek(10**9).verdict is Verdict.RESOLVED
    assert replay.seek(-5) == TranscriptView()


def test_the_tree_is_the_one_of_the_moment(transcript: Path, blobs: BlobStore) -> None:
    replay = Replay(opened(transcript), blobs)
    replay.seek_turn(1)
    assert replay.file("a.txt") == b"0" and replay.file("b.txt") is None
    replay.seek_turn(1003)
    assert replay.file("a.txt") == b"1002" and replay.file("b.txt") == b"0"
    replay.seek_turn(1001)
    assert replay.file("a.txt") == b"1000" and replay.file("b.txt") is None
    assert set(replay.tree()) == {"a.txt"}


def test_steps_by_event_and_by_turn(transcript: Path) -> None:
    replay = Replay(opened(transcript))
    replay.seek_turn(10)
    at = replay.position
    replay.step()
    assert replay.view.asked == 10
    replay.step_turn()
    assert replay.position == at + 3
    replay.step_turn(-1)
    assert replay.view.turn < 10
    replay.step(-1)
    assert replay.delay_s() >= 0.0


def test_a_growing_transcript_is_followed_and_a_torn_row_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "attempt-1.jsonl"
    index = TranscriptIndex(path)
    assert index.refresh() == 0
    out = Appender(path)
    writer = EventWriter(out)
    writer.append(ModelTurn(turn=1, content="one"))
    assert index.refresh() == 1
    whole = path.read_bytes()
    for torn in range(1, len(whole)):
        path.write_bytes(whole + whole[:torn])
        assert index.refresh() == 0
    path.write_bytes(whole + b"garbage\n" + whole)
    assert index.refresh() == 2
    assert index.event(1) is None and index.kind(1) == ""
    assert index.event(2) is not None
    replay = Replay(index)
    assert replay.seek(3).damaged == 1


def test_a_part_of_a_shared_file_is_a_transcript_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "shots-0000.jsonl"
    out = Appender(path)
    for name in ("one", "two", "three"):
        EventWriter(out).append(ModelTurn(turn=1, content=name))
    lines = path.read_bytes().splitlines(keepends=True)
    index = TranscriptIndex(path, len(lines[0]), len(lines[1]))
    index.refresh()
    assert len(index) == 1
    event = index.event(0)
    assert isinstance(event, ModelTurn) and event.content == "two"
