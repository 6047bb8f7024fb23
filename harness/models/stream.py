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

FRAME_LIMIT = 64 * 1024 * 1024  # beyond it the peer is no chat server
_BROKEN_OFF = ("error", "abort")  # as OpenRouter, vLLM and SGLang end a reply that they gave up
SERVER_KEYS = ("model", "system_fingerprint", "timings", "service_tier", "provider")


class FrameReader:
    """Splits bytes into the payloads of SSE frames, at any chunk size.

    Takes LF, CRLF and CR line ends, comments, multi-line data and ``event: error``.
    """

    def __init__(self, *, limit: int = FRAME_LIMIT) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._size = 0
        self._limit = limit
        self.done = False

    @property
    def held(self) -> int:
        """Bytes of frames that are not complete; each line counts one more than it has."""
        return len(self._rest) + self._size

    def feed(self, chunk: bytes) -> Iterator[Any]:
        """Yield the JSON value of each frame that is complete. Raises Failure."""
        self._rest += chunk
        if self.held > self._limit:
            raise Failure("not_json", "a frame of the stream has no end")
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
            data, self._data, self._size = b"\n".join(self._data), [], 0
            if data and not self.done:
                yield from self._frame(data)
            return
        name, _, value = line.partition(b":")
        if name in (b"data", b"error"):  # some servers send a field named error
            self._data.append(value.removeprefix(b" "))
            self._size += len(self._data[-1]) + 1

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
    named: bool = False


@dataclass
class Assembler:
    """Collects the deltas of one reply. spoken: a message or delta was there, if only an empty
    one; without it nothing was said that could be the model's."""

    content: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    calls: list[RawCall] = field(default_factory=list)
    finish_reason: str | None = None
    usage: Any = None
    server: dict[str, Any] = field(default_factory=dict)
    spoken: bool = False

    def feed(self, frame: Any) -> list[tuple[DeltaKind, str]]:
        """Take one chunk; returns the pieces of text to show. Raises Failure for an error, and for
        what has not the form of an answer: to leave it out would make another reply of it."""
        if not isinstance(frame, dict):
            raise _malformed("no object", frame)
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
        if choices is None or choices == []:
            return []
        choice = choices[0] if isinstance(choices, list) else None
        if not isinstance(choice, dict):
            raise _malformed("a choice that is no object", choices)
        if isinstance(choice.get("error"), dict):
            raise Failure("stream_error", error_text(choice), status=error_status(choice))
        if isinstance(choice.get("finish_reason"), str) and choice["finish_reason"]:
            self.finish_reason = choice["finish_reason"]
        said = [each for key in ("delta", "message") if (each := choice.get(key)) is not None]
        if not all(isinstance(each, dict) for each in said):
            raise _malformed("a message that is no object", said)
        self.spoken = self.spoken or bool(said)
        return self._delta(next((each for each in said if each), {}))

    def check(self) -> None:
        """Raise Failure unless what was fed is a reply, if only an empty one: that has a message,
        and a reason to end or tokens that were made."""
        if self.finish_reason in _BROKEN_OFF:
            raise Failure("stream_error", f"the server ended the reply with {self.finish_reason}")
        if not self.spoken:
            raise Failure("malformed", "the answer holds no message")
        if self.finish_reason != "length" and not all(call.named for call in self.calls):
            raise Failure("malformed", "the answer holds a tool call without a name")
        said = self.content or self.reasoning or self.refusal or self.calls
        if not said and self.finish_reason is None and not made_tokens(self.usage):
            raise Failure("malformed", "the answer holds an empty message that does not end")

    def _delta(self, delta: dict[str, Any]) -> list[tuple[DeltaKind, str]]:
        shown: list[tuple[DeltaKind, str]] = []
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(reasoning, str) and reasoning:
            self.reasoning.append(reasoning)
            shown.append(("reasoning", reasoning))
        if text := _text(delta.get("content")):
            self.content.append(text)
            shown.append(("text", text))
        if refusal := _text(delta.get("refusal")):
            self.refusal.append(refusal)
            shown.append(("text", refusal))
        calls = delta.get("tool_calls") or []
        if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
            raise _malformed("tool calls that are no list of objects", calls)
        for position, call in enumerate(calls):
            if piece := self._call(call, position):
                shown.append(("arguments", piece))
        return shown

    def _call(self, delta: dict[str, Any], position: int) -> str:
        function = delta.get("function") or {}
        if not isinstance(function, dict):
            raise _malformed("a tool call's function that is no object", function)
        name = function.get("name") if isinstance(function.get("name"), str) else ""
        call_id = delta.get("id") if isinstance(delta.get("id"), str) else ""
        index = delta.get("index")
        index = index if isinstance(index, int) and not isinstance(index, bool) else None
        call = self._slot(index, call_id or "", name or "", position)
        call.id = call.id or call_id or ""
        call.named = call.named or isinstance(function.get("name"), str)
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


def _text(content: Any) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list) and all(isinstance(part, dict) for part in content):
        texts = [part.get("text") for part in content]  # content parts
        if all(text is None or isinstance(text, str) for text in texts):
            return "".join(text or "" for text in texts)
    raise _malformed("a content that is no text", content)


def _malformed(what: str, found: Any) -> Failure:
    shown = json.dumps(found, ensure_ascii=False)
    return Failure("malformed", f"the answer is not one of a chat: {what}: {shown[:160]}")


def made_tokens(usage: Any) -> bool:
    """Whether the usage of an answer tells of tokens that the model made."""
    made = usage.get("completion_tokens") if isinstance(usage, dict) else None
    return isinstance(made, int) and made > 0


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
