"""Whatever a model writes comes back from disk as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from harness.errors import StorageError
from harness.events.base import Usage
from harness.events.grading import GradingFinished, TestOutcome
from harness.events.model import MessageAdded, ModelTurn, ToolCallRequest
from harness.events.run import SampleFinished
from harness.events.union import transcript_event
from harness.store.lines import decode, encode, read_lines, read_values

# A pair of surrogates is one character in any JSON, so lone ones are what can be kept.
TEXTS = st.text(st.characters(codec=None, exclude_categories=[])).filter(
    lambda text: json.loads(json.dumps(text)) == text
)


@given(TEXTS)
def test_any_text_survives_on_one_ascii_line(text: str) -> None:
    line = encode(MessageAdded(role="user", kind="prompt", content=text))
    assert line.isascii()
    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    event = decode(line, transcript_event)
    assert isinstance(event, MessageAdded)
    assert event.content == text


@pytest.mark.parametrize("depth", [10, 150, 240, 600, 30_000])
def test_arguments_nested_to_any_depth_can_be_stored_and_read(depth: int) -> None:
    arguments: dict[str, object] = {}
    inner = arguments
    for _ in range(depth):
        inner["a"] = inner = {}  # type: ignore[assignment]
    call = ToolCallRequest.model_construct(
        id="1", name="lint", raw="{", arguments=arguments, problem=None
    )
    line = encode(ModelTurn.model_construct(turn=1, content="kept", tool_calls=[call]))
    event = decode(line, transcript_event)
    assert isinstance(event, ModelTurn)
    assert event.content == "kept"
    assert event.tool_calls[0].raw == "{"


def test_a_last_line_torn_at_any_byte_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    whole = encode(MessageAdded(seq=1, role="user", kind="prompt", content="one"))
    last = encode(MessageAdded(seq=2, role="user", kind="prompt", content="two"))
    for length in range(len(last) + 1):
        path.write_bytes(whole + last[:length])
        events = list(read_values(path, transcript_event))
        assert [event.seq for event in events] == ([1, 2] if length == len(last) else [1])


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    line = encode(MessageAdded(role="user", kind="prompt", content="one"))
    path.write_bytes(line + b"garbage\n" + line)
    with pytest.raises(StorageError, match=r"transcript.jsonl: line 2"):
        list(read_values(path, transcript_event))


def test_a_part_of_a_file_ends_where_it_says(tmp_path: Path) -> None:
    path = tmp_path / "shared.jsonl"
    path.write_bytes(b"aa\nbbb\ncc\n")
    assert list(read_lines(path, 3, 4)) == [b"bbb\n"]
    assert list(read_lines(path, 3, 7)) == [b"bbb\n", b"cc\n"]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("text", ["plain", "ö", "\ud800"])
def test_numbers_that_json_lacks_are_read_back(number: float, text: str) -> None:
    outcome = TestOutcome(id=text, group="other", outcome="passed", seconds=number)
    for event in (
        outcome,
        GradingFinished(grade_status="ok", resolved=True, boxes=[{"s": number}], detail=text),
        SampleFinished(
            sample="a@1", suite=text, task_id="a", epoch=1, attempt=1, verdict="resolved",
            stop_reason="finished", usage=Usage(cost=number), seconds=number,
        ),
    ):  # fmt: skip
        line = encode(event)
        json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
        adapter: TypeAdapter[Any] = TypeAdapter(type(event))
        back = decode(line, adapter)
        if isinstance(back, TestOutcome):
            assert repr(back.seconds) == repr(number) and back.id == text
        if isinstance(back, SampleFinished):
            assert repr(back.usage.cost) == repr(back.seconds) == repr(number)
