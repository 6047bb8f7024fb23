"""Server-sent events to one reply, whatever the server's habits.

Known habits: no index or id in a call's deltas, one index for several calls, a name together with
the first brace, arguments that begin as null or come as an object, names repeated in each delta,
a last chunk with usage and no choices, an answer that is no stream at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from harness.models.failures import Failure, error_status, error_text
from harness.models.protocol import DeltaKind

LINE_LIMIT = 64 * 1024 * 1024  # of one frame; beyond it the peer is no chat server
SERVER_KEYS = ("model", "system_fingerprint", "timings", "service_tier", "provider")


class FrameReader:
    """Splits bytes into the payloads of SSE frames, at any chunk size.

    Takes LF, CRLF and CR line ends, comments, multi-line data and ``event: error``.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self.done = False

    def feed(self, chunk: bytes) -> Iterator[Any]:
        """Yield the JSON value of each frame that is complete. Raises Failure."""
        self._rest += chunk
        if len(self._rest) > LINE_LIMIT:
            raise Failure("not_json", "a line of the stream has no end")
        if b"\n" not in self._rest:
            return
        *lines, self._rest = self._rest.split(b"\n")
        for line in lines:
            yield from self._line(line.rstrip(b"\r"))

    def close(self) -> Iterator[Any]:
        """Yield what the end of the stream completes: some servers leave out the last newline."""
        rest, self._rest = self._rest, b""
        if rest:
            yield from self._line(rest.rstrip(b"\r"))
        yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[Any]:
        if not line:
            data, self._data = b"\n".join(self._data), []
            if data and not self.done:
                yield from self._frame(data)
            return
        name, _, value = line.partition(b":")
        if name in (b"data", b"error"):  # some servers send a field named error
            self._data.append(value.removeprefix(b" "))

    def _frame(self, data: bytes) -> Iterator[Any]:
        if data.strip().startswith(b"[DONE]"):
            self.done = True
            return
        try:
            yield json.loads(data)
        except (ValueError, RecursionError):
            shown = data[:120].decode("utf-8", "replace")
            raise Failure("not_json", f"a frame of the stream is not JSON: {shown}") from None


@dataclass
class RawCall:
    """A call as it arrived: ``arguments`` is text, valid or not."""

    id: str = ""
    name: str = ""
    arguments: str = ""
    index: int | None = None


@dataclass
class Assembler:
    """Collects the deltas of one reply."""

    content: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    calls: list[RawCall] = field(default_factory=list)
    finish_reason: str | None = None
    usage: Any = None
    server: dict[str, Any] = field(default_factory=dict)

    def feed(self, frame: Any) -> list[tuple[DeltaKind, str]]:
        """Take one chunk; returns the pieces of text to show. Raises Failure for an error."""
        if not isinstance(frame, dict):
            raise Failure("not_json", "a frame of the stream is no object")
        if frame.get("error") or frame.get("object") == "error":
            raise Failure("stream_error", error_text(frame), status=error_status(frame))
        if set(frame) >= {"code", "message"} and "choices" not in frame:
            raise Failure("stream_error", error_text(frame), status=error_status(frame))
        if frame.get("usage") is not None:
            self.usage = frame["usage"]
        for key in SERVER_KEYS:
            if frame.get(key) is not None:
                self.server[key] = frame[key]
        choices = frame.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return []
        if isinstance(choice.get("finish_reason"), str) and choice["finish_reason"]:
            self.finish_reason = choice["finish_reason"]
        delta = choice.get("delta") or choice.get("message") or {}
        return self._delta(delta) if isinstance(delta, dict) else []

    def _delta(self, delta: dict[str, Any]) -> list[tuple[DeltaKind, str]]:
        shown: list[tuple[DeltaKind, str]] = []
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(reasoning, str) and reasoning:
            self.reasoning.append(reasoning)
            shown.append(("reasoning", reasoning))
        if text := _text(delta.get("content")):
            self.content.append(text)
            shown.append(("text", text))
        if isinstance(delta.get("refusal"), str) and delta["refusal"]:
            self.refusal.append(delta["refusal"])
            shown.append(("text", delta["refusal"]))
        calls = delta.get("tool_calls")
        for position, call in enumerate(calls if isinstance(calls, list) else []):
            if isinstance(call, dict) and (piece := self._call(call, position)):
                shown.append(("arguments", piece))
        return shown

    def _call(self, delta: dict[str, Any], position: int) -> str:
        function = delta.get("function")
        function = function if isinstance(function, dict) else {}
        name = function.get("name") if isinstance(function.get("name"), str) else ""
        call_id = delta.get("id") if isinstance(delta.get("id"), str) else ""
        index = delta.get("index")
        index = index if isinstance(index, int) and not isinstance(index, bool) else None
        call = self._slot(index, call_id or "", name or "", position)
        call.id = call.id or call_id or ""
        if name and name != call.name and not (call.name and call.arguments):
            call.name += name  # in pieces, which end where arguments begin
        piece = _arguments(function.get("arguments"))
        call.arguments += piece
        return piece

    def _slot(self, index: int | None, call_id: str, name: str, position: int) -> RawCall:
        """The call that a delta belongs to: by index, else id, else a name begins a new one."""
        if index is not None:
            found = [call for call in self.calls if call.index == index]
            # an index may be shared: another id together with a name is another call
            if found and not (call_id and name and found[-1].id and call_id != found[-1].id):
                return found[-1]
        elif call_id:
            for call in self.calls:
                if call.id == call_id:
                    return call
        elif self.calls and not (name and self._begins(name, position)):
            return self.calls[-1]
        self.calls.append(RawCall(index=index))
        return self.calls[-1]

    def _begins(self, name: str, position: int) -> bool:
        """Whether a name without index and id begins a call, rather than repeats the last one's."""
        last = self.calls[-1]
        return position > 0 or name != last.name or _complete(last.arguments)

    @property
    def empty(self) -> bool:
        """Nothing at all came: no text, no reasoning, no call."""
        text = "".join((*self.content, *self.reasoning, *self.refusal))
        return not self.calls and not text.strip()


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # content parts
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _arguments(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _complete(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return True


def whole_text(text: str) -> str:
    """``text`` with split surrogate pairs joined and lone halves replaced: servers cut replies
    into pieces anywhere, and what is left of a pair can be neither stored nor sent."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
