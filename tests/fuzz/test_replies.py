"""Whatever a server streams: a reply that can be stored, shown and sent back, or one Failure."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.agent.calls import assistant_message, malformed
from harness.agent.sink import turn_event
from harness.events.model import ModelTurn
from harness.events.union import transcript_event
from harness.models.answer import Read, answer_of
from harness.models.body import RequestBody
from harness.models.failures import Failure, http_failure, retry_after
from harness.models.protocol import Message, Reply
from harness.models.stream import Assembler, FrameReader
from harness.models.text_protocol import parse_block
from harness.plan import EndpointIdentity, ModelPlan
from harness.store.lines import decode, encode
from tests.fuzz.effort import examples
from tests.fuzz.values import TEXTS, VALUES, altered, nested, torn
from tools.schema import validate

PLAN = ModelPlan(
    kind="openai", name="m", identity=EndpointIdentity(kind="unknown", model_id="m", context=4096),
    prices={"prompt": 1.0, "completion": 2.0},
)  # fmt: skip
ARGUMENTS = st.one_of(
    TEXTS,
    st.sampled_from(
        ['{"path": "a"}', '{"path"', ' "}', "[1]", "NaN", '{"a": NaN}', "null", '"{}"']
    ),
    st.integers(1, 900).map(lambda depth: json.dumps(nested(min(depth, 600), key="path"))),
)
CALL = {"index": 0, "id": "c1", "type": "function", "function": {"name": "lint", "arguments": "{}"}}
CHUNK = {
    "id": "x", "object": "chat.completion.chunk", "model": "m", "system_fingerprint": "f",
    "choices": [{
        "index": 0, "finish_reason": "tool_calls",
        "delta": {"role": "assistant", "content": "hi", "reasoning_content": "so",
                  "tool_calls": [CALL]},
    }],
    "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7,
              "prompt_tokens_details": {"cached_tokens": 1}},
    "timings": {"prompt_ms": 1.5, "predicted_ms": 2.5, "prompt_n": 5, "predicted_n": 2},
}  # fmt: skip
CHUNKS = st.lists(altered(CHUNK, st.one_of(VALUES, ARGUMENTS)), min_size=1, max_size=4)


def assembled(data: bytes, pieces: list[int]) -> Reply | None:
    """The bytes of a stream, in pieces, as a reply; None for a Failure."""
    reader, parts, at = FrameReader(), Assembler(), 0
    try:
        for size in [*pieces, len(data)]:
            for frame in reader.feed(data[at : at + size]):
                for kind, text in parts.feed(frame):
                    assert kind in ("text", "reasoning", "arguments") and isinstance(text, str)
            at += size
        for frame in reader.close():
            parts.feed(frame)
        parts.check()
        return answer_of(Read(parts=parts, request_s=1.0), PLAN, "http://127.0.0.1/v1")
    except Failure as failure:
        assert failure.message and len(failure.message) <= 700
        return None


def usable(reply: Reply) -> None:
    """What the loop does with a reply: store it, carry its calls out, send it back."""
    stored = decode(encode(turn_event(1, reply)), transcript_event)
    assert isinstance(stored, ModelTurn)
    assert stored.content == reply.content
    assert [call.raw for call in stored.tool_calls] == [call.raw for call in reply.tool_calls]
    assert 0 <= reply.working_s <= 1.0
    for call in reply.tool_calls:
        if call.arguments is None:
            assert malformed(call).startswith("Error:")
        else:
            validate("proctor-1", call.name, call.arguments)
    body, _, _ = RequestBody({"model": "m"}, "always").build(
        [Message("user", "go"), assistant_message(reply)], {}
    )
    for call in json.loads(body)["messages"][1].get("tool_calls", ()):
        assert isinstance(json.loads(call["function"]["arguments"]), dict)


@examples(150)
@given(CHUNKS, st.lists(st.integers(1, 50), max_size=6))
@example([CHUNK | {"usage": {"prompt_tokens": 10**4000, "completion_tokens": 1}}], [])
@example([CHUNK | {"timings": {"prompt_ms": 10**4000, "predicted_ms": 1}}], [])
@example([CHUNK | {"timings": {"prompt_ms": float("nan"), "predicted_ms": float("-inf")}}], [])
@example([CHUNK | {"timings": nested(300), "model": nested(300, key=None)}], [])
@example([{"error": {"code": "9" * 5000, "message": "x"}}], [])
@example([{"error": nested(400), "code": nested(400)}], [])
def test_any_chunks_make_a_reply_or_a_failure(chunks: list[Any], pieces: list[int]) -> None:
    data = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)
    reply = assembled(data + b"data: [DONE]\n\n", pieces)
    if reply is not None:
        usable(reply)


STREAM = b"".join(
    b"data: " + json.dumps(CHUNK | {"choices": [choice]}).encode() + b"\r\n\r\n"
    for choice in (
        {"index": 0, "delta": {"content": "caf\u00e9 \U0001f600"}},
        {"index": 0, "delta": {"tool_calls": [CALL]}},
        {"index": 0, "delta": {}, "finish_reason": "stop"},
    )
)


@examples(150)
@given(torn(STREAM), st.lists(st.integers(1, 200), max_size=5))
def test_any_bytes_make_a_reply_or_a_failure(data: bytes, pieces: list[int]) -> None:
    reply = assembled(data, pieces)
    if reply is not None:
        usable(reply)


BLOCKS = st.one_of(
    TEXTS, ARGUMENTS, altered({"tool": "lint", "arguments": {"path": "a"}}).map(json.dumps)
)


@examples(150)
@given(
    TEXTS, st.lists(st.tuples(st.sampled_from(["", "json", "python", "tool"]), BLOCKS), max_size=3)
)
@example("", [("json", '{"tool": "lint", "arguments": ' + "[" * 5000)])
def test_any_text_is_a_call_or_none(before: str, blocks: list[tuple[str, str]]) -> None:
    text = before + "".join(f"\n```{kind}\n{block}\n```\n" for kind, block in blocks)
    call = parse_block(Reply(content=text), "text-1")
    if call is not None:
        from dataclasses import replace

        from harness.models.stream import whole_text

        usable(replace(Reply(content=whole_text(text)), tool_calls=(call,)))


@examples(100)
@given(st.integers(300, 599), TEXTS, st.one_of(st.binary(max_size=80), VALUES.map(json.dumps)))
@example(429, "Wed, 99 Foo 99999 99:99:99 +9999", b"")
@example(429, "Fri, 31 Dec 9999 23:59:59 -9999", b"")
@example(429, "nan", b"")
@example(429, "inf", b"{")
@example(500, "", json.dumps({"error": {"code": "9" * 5000}}))
def test_any_error_answer_is_one_failure(status: int, after: str, body: Any) -> None:
    data = body.encode() if isinstance(body, str) else body
    failure = http_failure(status, {"retry-after": after}, data)
    assert 0 < len(failure.message) <= 700
    failure.info().model_dump_json()
    wait = retry_after({"retry-after": after})
    assert wait is None or (wait >= 0 and math.isfinite(wait))


@pytest.mark.parametrize("line", [b"data: x\n", b"data:\n", b"x" * 1000, b": comment\n"])
def test_a_stream_without_end_does_not_fill_memory(line: bytes) -> None:
    reader, sent, chunk = FrameReader(limit=1 << 20), 0, line * (50_000 // len(line))
    with pytest.raises(Failure, match="no end"):
        while sent < 16 << 20:
            list(reader.feed(chunk))
            sent += len(chunk)
            assert reader.held <= (1 << 20) + len(chunk)
        assert line.startswith(b":"), "only what is kept is counted"
        raise Failure("not_json", "no end: a comment is not kept")
