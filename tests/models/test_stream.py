"""Frames at any chunk size, and deltas as servers are known to send them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.models.failures import Failure
from harness.models.stream import Assembler, FrameReader, whole_text

STREAM = (
    ': comment\r\n\r\nevent: message\r\ndata: {"a": "\u00e9"}\r\n\r\n'
    'data: {"b":\ndata: 2}\n\nid: 7\ndata: {"c": 3}\n\ndata: [DONE]\n\ndata: {"late": 1}\n\n'
).encode()


@given(st.lists(st.integers(1, 30), max_size=60))
def test_frames_do_not_depend_on_chunks(sizes: list[int]) -> None:
    reader, at, frames = FrameReader(), 0, []
    for size in sizes:
        frames += reader.feed(STREAM[at : at + size])
        at += size
    frames += reader.feed(STREAM[at:])
    frames += reader.close()
    assert frames == [{"a": "\u00e9"}, {"b": 2}, {"c": 3}] and reader.done


def test_a_last_frame_needs_no_newline() -> None:
    reader = FrameReader()
    assert list(reader.feed(b'data: {"a": 1}')) == []
    assert list(reader.close()) == [{"a": 1}]


def test_a_broken_frame_is_a_failure_that_is_retried() -> None:
    with pytest.raises(Failure, match="not JSON") as caught:
        list(FrameReader().feed(b"data: {broken\n\n"))
    assert caught.value.retryable


@pytest.mark.parametrize(
    "frame",
    [
        {"error": {"message": "overloaded", "code": 503}},
        {"error": "overloaded"},
        {"object": "error", "message": "overloaded"},
        {"code": 503, "message": "overloaded", "type": "unavailable_error"},
    ],
)
def test_errors_inside_a_stream_are_recognised(frame: dict[str, Any]) -> None:
    with pytest.raises(Failure, match="overloaded"):
        Assembler().feed(frame)


def test_a_field_named_error_is_an_error() -> None:
    line = b'error: {"code": 500, "message": "Failed to parse input at pos 3"}\n\n'
    (frame,) = FrameReader().feed(line)
    with pytest.raises(Failure) as caught:
        Assembler().feed(frame)
    assert caught.value.status == 500 and caught.value.meaning == "unparsable_reply"


def feed(*deltas: Any) -> list[tuple[str, str, str]]:
    parts = Assembler()
    for calls in deltas:
        parts.feed({"choices": [{"delta": {"tool_calls": calls}}]})
    return [(call.id, call.name, call.arguments) for call in parts.calls]


def piece(name: str | None = None, arguments: Any = None, **mark: Any) -> dict[str, Any]:
    return {**mark, "function": {"name": name, "arguments": arguments}}


def test_a_name_in_pieces_and_a_name_repeated() -> None:
    assert feed(
        [piece("read_", index=0, id="x")],
        [piece("file", "{", index=0)],
        [piece(None, "}", index=0)],
    ) == [("x", "read_file", "{}")]
    assert feed([piece("lint", "{", index=0, id="x")], [piece("lint", "}", index=0, id="x")]) == [
        ("x", "lint", "{}")
    ]


def test_one_index_for_two_calls() -> None:
    assert feed(
        [piece("a", '{"x":', index=0, id="1")],
        [piece(None, "1}", index=0)],
        [piece("b", "{", index=0, id="2")],
        [piece(None, "}", index=0)],
    ) == [("1", "a", '{"x":1}'), ("2", "b", "{}")]


def test_a_new_id_in_each_delta_is_still_one_call() -> None:
    assert feed([piece("a", "{", index=0, id="1")], [piece(None, "}", index=0, id="2")]) == [
        ("1", "a", "{}")
    ]


def test_neither_index_nor_id() -> None:
    assert feed(
        [piece("a", '{"x":')], [piece("a", " 1}")], [piece("a", "{}")], [piece("b"), piece("c")]
    ) == [("", "a", '{"x": 1}'), ("", "a", "{}"), ("", "b", ""), ("", "c", "")]


@pytest.mark.parametrize(
    "frame",
    [{}, {"choices": None}, {"choices": []}, {"choices": [{"delta": None}]}, {"usage": 3}],
)
def test_frames_that_say_nothing_are_no_reply(frame: Any) -> None:
    parts = Assembler()
    parts.feed(frame)
    with pytest.raises(Failure, match="no message") as caught:
        parts.check()
    assert caught.value.retryable


@pytest.mark.parametrize(
    "frame",
    [
        3,
        ["choices"],
        {"choices": {"delta": {"content": "x"}}},
        {"choices": [3]},
        {"choices": [{"delta": "text"}]},
        {"choices": [{"delta": {"content": 7}}]},
        {"choices": [{"delta": {"content": {"text": "x"}}}]},
        {"choices": [{"delta": {"content": [{"text": 7}]}}]},
        {"choices": [{"delta": {"content": ["x"]}}]},
        {"choices": [{"delta": {"refusal": 7}}]},
        {"choices": [{"delta": {"tool_calls": "x"}}]},
        {"choices": [{"delta": {"tool_calls": [None]}}]},
        {"choices": [{"delta": {"tool_calls": [{"function": "x"}]}}]},
    ],
)
def test_a_part_that_cannot_be_read_is_not_left_out(frame: Any) -> None:
    with pytest.raises(Failure) as caught:
        Assembler().feed(json.loads(json.dumps(frame)))
    assert caught.value.kind == "malformed" and caught.value.retryable


@pytest.mark.parametrize(
    ("frame", "whole"),
    [
        ({"choices": [{"delta": {}, "finish_reason": "stop"}]}, True),
        ({"choices": [{"delta": {"content": None}}], "usage": {"completion_tokens": 1}}, True),
        ({"choices": [{"delta": {"content": "x"}}]}, True),
        ({"choices": [{"delta": {"reasoning_content": "x"}}]}, True),
        ({"choices": [{"delta": {"content": ""}}], "usage": {"completion_tokens": 0}}, False),
        ({"choices": [{"finish_reason": "stop"}]}, False),
        ({"choices": [{"delta": {"content": "x"}, "finish_reason": "error"}]}, False),
        ({"choices": [{"delta": {"tool_calls": [{"id": "1"}]}, "finish_reason": "stop"}]}, False),
        ({"choices": [{"delta": {"tool_calls": [{"function": {"name": ""}}]}}]}, True),
    ],
)
def test_an_empty_reply_is_one_only_when_it_ends(frame: Any, whole: bool) -> None:
    parts = Assembler()
    parts.feed(frame)
    if whole:
        parts.check()
        return
    with pytest.raises(Failure):
        parts.check()


def test_content_in_parts_is_joined() -> None:
    parts = Assembler()
    parts.feed({"choices": [{"delta": {"content": [{"type": "text", "text": "a"}, {"x": 1}]}}]})
    assert parts.content == ["a"]


@given(st.text(st.characters(categories=["L", "So", "Cs"])))
def test_text_can_always_be_stored(text: str) -> None:
    whole_text(text).encode()
