"""From an open HTTP answer to a Reply."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.events.model import ToolCallRequest
from harness.models.failures import Failure, error_status, error_text, looks_like_html
from harness.models.protocol import Reply, TurnSink
from harness.models.stream import Assembler, FrameReader, RawCall
from harness.models.usage import usage_of
from harness.plan import ModelPlan

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True)
class Read:
    """An answer as read, with the seconds it took."""

    parts: Assembler
    request_s: float
    first_token_s: float | None


async def read_answer(response: httpx2.Response, sink: TurnSink | None) -> Read:
    """Read an answer to its end mark. Raises Failure: no JSON, an error inside, dropped."""
    started = time.monotonic()
    kind = response.headers.get("content-type", "").lower()
    parts, first = Assembler(), None
    if "event-stream" not in kind:
        whole = await _whole(response)
        shown = parts.feed(whole)
        _show(sink, shown)
        return Read(parts, time.monotonic() - started, None)
    reader = FrameReader()
    async for chunk in response.aiter_bytes():
        for frame in reader.feed(chunk):
            shown = parts.feed(frame)
            if shown and first is None:
                first = time.monotonic() - started
            _show(sink, shown)
        if reader.done:
            break
    for frame in reader.close():
        _show(sink, parts.feed(frame))
    if not reader.done and parts.finish_reason is None:
        raise Failure("dropped", "the stream ended without an end mark")
    return Read(parts, time.monotonic() - started, first)


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
            sink.delta(kind, text)


def answer_of(read: Read, plan: ModelPlan, endpoint: str) -> Reply:
    """The reply, with usage counted before anything of it is parsed."""
    parts = read.parts
    usage = usage_of(parts.usage, plan.prices)
    truncated = parts.finish_reason == "length"
    refusal = "".join(parts.refusal)
    return Reply(
        content="".join(parts.content) or refusal,
        reasoning="".join(parts.reasoning) or None,
        tool_calls=tuple(parse_call(call) for call in parts.calls),
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
    usage = parts.usage if isinstance(parts.usage, dict) else {}
    total = usage.get("total_tokens")
    if not isinstance(total, int):
        counts = [usage.get(key) for key in ("prompt_tokens", "completion_tokens")]
        if not any(isinstance(count, int) for count in counts):
            timings = parts.server.get("timings")
            timings = timings if isinstance(timings, dict) else {}
            counts = [timings.get(key) for key in ("cache_n", "prompt_n", "predicted_n")]
        total = sum(count for count in counts if isinstance(count, int))
    return total >= context - 1


def _working_s(timings: Any, request_s: float) -> float:
    """What the server says it worked, for its queue does not count; else the whole request."""
    if isinstance(timings, dict):
        parts = [timings.get("prompt_ms"), timings.get("predicted_ms")]
        if all(isinstance(part, int | float) and part >= 0 for part in parts):
            return min(sum(parts) / 1000, request_s)
    return request_s


def parse_call(call: RawCall) -> ToolCallRequest:
    """A call as it arrived; arguments that are no JSON object stay raw, and ``problem`` says why.

    Nothing is repaired: a guess at what was meant would be carried out.
    """
    arguments: dict[str, Any] | None = None
    problem: str | None = None
    if not call.arguments.strip():
        problem = "they are empty, and an object is needed ({} where there are none)"
    else:
        try:
            value = json.loads(call.arguments)
        except ValueError as error:
            problem = f"not valid JSON ({error})"
        except RecursionError:
            problem = "not valid JSON (nested too deeply)"
        else:
            if isinstance(value, dict):
                arguments = value
            else:
                problem = f"valid JSON, but {_kind(value)} and no object"
    return ToolCallRequest(
        id=call.id, name=call.name, raw=call.arguments, arguments=arguments, problem=problem
    )


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "a value")
