"""From an open HTTP answer to a Reply."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.events.model import ToolCallRequest
from harness.models.failures import Failure, error_status, error_text, looks_like_html
from harness.models.protocol import Reply, TurnSink
from harness.models.stream import Assembler, FrameReader, RawCall, whole_text
from harness.models.usage import usage_of
from harness.plan import ModelPlan

if TYPE_CHECKING:
    import httpx2

REST_S = 1.0  # for the end of an answer after its end mark


@dataclass(frozen=True)
class Read:
    """An answer as read, with the seconds it took."""

    parts: Assembler
    request_s: float
    first_token_s: float | None


async def read_answer(response: httpx2.Response, sink: TurnSink | None, started: float) -> Read:
    """Read an answer to its end mark; ``started``: when the request was sent (monotonic).

    Raises Failure: no JSON, an error inside, dropped.
    """
    kind = response.headers.get("content-type", "").lower()
    parts, first = Assembler(), None
    if "event-stream" not in kind:
        whole = await _whole(response)
        shown = parts.feed(whole)
        _show(sink, shown)
        return Read(parts, time.monotonic() - started, None)
    reader, chunks = FrameReader(), response.aiter_bytes()
    async for chunk in chunks:
        for frame in reader.feed(chunk):
            shown = parts.feed(frame)
            if shown and first is None:
                first = time.monotonic() - started
            _show(sink, shown)
        if reader.done:
            await _to_the_end(chunks)
            break
    for frame in reader.close():
        _show(sink, parts.feed(frame))
    if not reader.done and parts.finish_reason is None:
        raise Failure("dropped", "the stream ended without an end mark")
    return Read(parts, time.monotonic() - started, first)


async def _to_the_end(chunks: AsyncIterator[bytes]) -> None:
    """Read what follows the end mark (nothing, as a rule), so that the connection can be used
    again; a server that does not end its answer loses the connection instead."""
    try:
        async with asyncio.timeout(REST_S):
            async for _ in chunks:
                pass
    except TimeoutError:
        return


async def _whole(response: httpx2.Response) -> Any:
    """The body of an answer that is no stream: a server may ignore ``stream``."""
    text = (await response.aread()).decode("utf-8", "replace")
    if looks_like_html(response.headers, text):
        raise Failure("html", "a web page", status=response.status_code)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise Failure("not_json", f"no JSON: {text[:80]!r}") from None
    if isinstance(value, dict) and not value.get("choices"):
        raise Failure("stream_error", error_text(value, text), status=error_status(value))
    return value


def _show(sink: TurnSink | None, shown: list[Any]) -> None:
    if sink is not None:
        for kind, text in shown:
            sink.delta(kind, whole_text(text))


def answer_of(read: Read, plan: ModelPlan, endpoint: str) -> Reply:
    """The reply, with usage counted before anything of it is parsed."""
    parts = read.parts
    usage = usage_of(parts.usage, plan.prices)
    truncated = parts.finish_reason == "length"
    refusal = _joined(parts.refusal)
    return Reply(
        content=_joined(parts.content) or refusal,
        reasoning=_joined(parts.reasoning) or None,
        tool_calls=tuple(parse_call(call, truncated=truncated) for call in parts.calls),
        finish_reason=parts.finish_reason,
        usage=usage,
        truncated=truncated,
        context_full=truncated and _is_full(parts, plan.identity.context),
        refused=bool(refusal) or parts.finish_reason == "content_filter",
        endpoint=endpoint,
        request_s=read.request_s,
        first_token_s=read.first_token_s,
        working_s=_working_s(parts.server.get("timings"), read.request_s),
        server=dict(parts.server),
    )


def _is_full(parts: Assembler, context: int | None) -> bool:
    """Whether a reply cut by length filled the context (``length`` alone may be a cap)."""
    if context is None:
        return False
    total = _total(parts.usage, ("total_tokens",))
    total = total or _total(parts.usage, ("prompt_tokens", "completion_tokens"))
    total = total or _total(parts.server.get("timings"), ("cache_n", "prompt_n", "predicted_n"))
    return total >= context - 1


def _total(counts: Any, keys: tuple[str, ...]) -> int:
    total = 0
    for key in keys if isinstance(counts, dict) else ():
        count = counts.get(key)
        total += count if isinstance(count, int) else 0
    return total


def _working_s(timings: Any, request_s: float) -> float:
    """What the server says it worked, for its queue does not count; else the whole request."""
    if isinstance(timings, dict):
        prompt, predicted = timings.get("prompt_ms"), timings.get("predicted_ms")
        if isinstance(prompt, int | float) and isinstance(predicted, int | float):
            return min(max(0.0, prompt + predicted) / 1000, request_s)
    return request_s


def parse_call(call: RawCall, *, truncated: bool = False) -> ToolCallRequest:
    """A call as it arrived; arguments that are no JSON object stay raw, and ``problem`` says why.

    Nothing is repaired: a guess at what was meant would be carried out. Only wholly empty
    arguments count as ``{}``, for so servers send a call that has none, unless the reply was cut.
    """
    raw = whole_text(call.arguments)
    arguments: dict[str, Any] | None = None
    problem: str | None = None
    if not raw.strip() and not truncated:
        arguments = {}
    else:
        try:
            arguments = parse_object(raw)
        except ValueError as error:
            problem = str(error)
    return ToolCallRequest(
        id=whole_text(call.id),
        name=whole_text(call.name),
        raw=raw,
        arguments=arguments,
        problem=problem,
    )


def parse_object(text: str) -> dict[str, Any]:
    """A JSON object from a model's text. Raises ValueError that says what is wrong."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text in it holds half of a surrogate pair") from None
    except RecursionError:
        raise ValueError("not valid JSON (nested too deeply)") from None
    except ValueError as error:
        raise ValueError(f"not valid JSON ({error})") from None
    if not isinstance(value, dict):
        raise ValueError(f"valid JSON, but {_kind(value)} and no object")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _joined(pieces: list[str]) -> str:
    return whole_text("".join(pieces))


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "a value")
