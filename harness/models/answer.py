"""From an open HTTP answer to a Reply."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from harness.events.model import ToolCallRequest
from harness.models.failures import Failure, error_status, error_text, looks_like_html
from harness.models.protocol import DeltaKind, Reply, TurnSink
from harness.models.redact import StreamGuard, without_keys
from harness.models.stream import Assembler, FrameReader, RawCall, whole_text
from harness.models.usage import usage_of
from harness.plan import ModelPlan

if TYPE_CHECKING:
    import httpx2

ANSWER_LIMIT = 256 * 1024 * 1024  # bytes; a chunk of a word has 250, so a million of them
REST_S = 1.0  # for the end of an answer after its end mark
# How a stream begins, whatever type a proxy gives it.
_FRAMES = (b"data:", b"event:", b"id:", b"retry:", b": ")


@dataclass
class Read:
    """An answer as far as it is read. started: when its request was sent (monotonic)."""

    started: float = field(default_factory=time.monotonic)
    parts: Assembler = field(default_factory=Assembler)
    first_token_s: float | None = None
    request_s: float = 0.0

    def stop(self) -> None:
        """No more is read of it."""
        self.request_s = time.monotonic() - self.started


async def read_answer(
    response: httpx2.Response,
    read: Read,
    sink: TurnSink | None = None,
    heard: Callable[[], None] = lambda: None,
) -> None:
    """Read an answer to its end mark into ``read``; ``heard`` is called when bytes come.

    Raises Failure: no JSON, an error inside, no reply in it, dropped.
    """
    heard()
    kind = response.headers.get("content-type", "").lower()
    parts, shown_to, chunks = read.parts, _Shown(sink), _bounded(response)
    first = await anext(chunks, b"")
    chunks = _after(first, chunks)
    if "event-stream" not in kind and not first.lstrip().startswith(_FRAMES):
        shown_to.take(parts.feed(chat_answer(await whole_body(response, heard, chunks))))
    else:
        reader = FrameReader()
        async for chunk in chunks:
            heard()
            for frame in reader.feed(chunk):
                shown = parts.feed(frame)
                if shown and read.first_token_s is None:
                    read.first_token_s = time.monotonic() - read.started
                shown_to.take(shown)
            if reader.done:
                await _to_the_end(chunks)
                break
        for frame in reader.close():
            shown_to.take(parts.feed(frame))
        if not reader.done and parts.finish_reason is None:
            raise Failure("dropped", "the stream ended without an end mark")
    shown_to.end()
    parts.check()
    read.stop()


async def _bounded(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The answer's bytes. Raises Failure for more of them than any reply has."""
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > ANSWER_LIMIT:
            raise Failure("not_json", "the answer has no end")
        yield chunk


async def _after(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in rest:
        yield chunk


async def _to_the_end(chunks: AsyncIterator[bytes]) -> None:
    """Read what follows the end mark (nothing, as a rule), so that the connection can be used
    again; a server that does not end its answer loses the connection instead."""
    try:
        async with asyncio.timeout(REST_S):
            async for _ in chunks:
                pass
    except TimeoutError:
        return


async def whole_body(
    response: httpx2.Response,
    heard: Callable[[], None] = lambda: None,
    chunks: AsyncIterator[bytes] | None = None,
) -> Any:
    """The JSON value of an answer that is no stream; ``chunks`` where its reading has begun.
    Raises Failure."""
    pieces = []
    async for chunk in chunks or _bounded(response):
        heard()
        pieces.append(chunk)
    text = without_keys(b"".join(pieces).decode("utf-8", "replace"))
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if looks_like_html(response.headers, text):
            raise Failure("html", "a web page", status=response.status_code) from None
        raise Failure("not_json", f"no JSON: {text[:80]!r}") from None


def chat_answer(value: Any) -> dict[str, Any]:
    """``value`` if it is an answer with choices. Raises Failure for an error in place of one."""
    if isinstance(value, dict) and value.get("choices"):
        return value
    text = error_text(value, json.dumps(value, ensure_ascii=False))
    told = isinstance(value, dict)
    raise Failure(
        "stream_error" if told else "malformed",
        f"an answer without choices: {text}",
        status=error_status(value),
    )


class _Shown:
    """Passes pieces of text on to a sink, without keys that the server repeats."""

    def __init__(self, sink: TurnSink | None) -> None:
        self._sink = sink
        self._guard = StreamGuard()

    def take(self, shown: list[tuple[DeltaKind, str]]) -> None:
        for kind, text in shown:
            self._pass(kind, self._guard.pass_on(kind, text))

    def end(self) -> None:
        for kind, text in self._guard.rest().items():
            self._pass(cast("DeltaKind", kind), text)

    def _pass(self, kind: DeltaKind, text: str) -> None:
        if self._sink is not None and text:
            self._sink.delta(kind, whole_text(text))


def answer_of(read: Read, plan: ModelPlan, endpoint: str, *, time_up: bool = False) -> Reply:
    """The reply, with usage counted before anything of it is parsed; with ``time_up`` what there
    is of one that was cut off."""
    parts = read.parts
    usage = usage_of(parts.usage, plan.prices)
    truncated = time_up or parts.finish_reason == "length"
    refusal = _joined(parts.refusal)
    return Reply(
        content=_joined(parts.content) or refusal,
        reasoning=_joined(parts.reasoning) or None,
        tool_calls=tuple(parse_call(call, truncated=truncated) for call in parts.calls),
        finish_reason=parts.finish_reason,
        usage=usage,
        truncated=truncated,
        context_full=truncated and not time_up and _is_full(parts, plan.identity.context),
        refused=not time_up and (bool(refusal) or parts.finish_reason == "content_filter"),
        time_up=time_up,
        endpoint=endpoint,
        request_s=read.request_s,
        first_token_s=read.first_token_s,
        working_s=_working_s(parts.server.get("timings"), read.request_s),
        server=_without_keys(parts.server),
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
            return max(0.0, min(prompt + predicted, request_s * 1000)) / 1000
    return request_s


def parse_call(call: RawCall, *, truncated: bool = False) -> ToolCallRequest:
    """A call as it arrived; arguments that are no JSON object stay raw, and ``problem`` says why.

    Nothing is repaired: a guess at what was meant would be carried out. Only wholly empty
    arguments count as ``{}``, for so servers send a call that has none, unless the reply was cut.
    """
    raw = without_keys(whole_text(call.arguments))
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
        id=without_keys(whole_text(call.id)),
        name=without_keys(whole_text(call.name)),
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
    return without_keys(whole_text("".join(pieces)))


def _without_keys(told: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(told)
    clean = without_keys(text)
    return dict(told) if clean == text else dict(json.loads(clean))


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "a value")
