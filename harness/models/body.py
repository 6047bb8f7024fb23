"""The request body, kept as bytes and grown by what is new, so that a turn costs the same late in
an episode as early.

The body is canonical JSON (sorted keys): ``messages`` lie between keys that do not change, and
its SHA-256 grows with it.
"""

from __future__ import annotations

import hashlib
from typing import Any

from harness.ids import canonical_json
from harness.models.protocol import Message
from harness.models.stream import whole_text
from harness.plan import ModelPlan

RESERVED = frozenset({"messages", "model", "stream", "stream_options", "tools", "tool_choice"})


def parameters_of(plan: ModelPlan, *, stream: bool = True) -> dict[str, Any]:
    """The sampling parameters of a request and the model's name; None is not sent."""
    sampling = plan.sampling.model_dump(exclude={"extra_body"}, exclude_none=True)
    return {
        **plan.sampling.extra_body,
        **sampling,
        "model": plan.identity.model_id,
        "stream": stream,
    }


class RequestBody:
    """Builds the bodies of one session's requests; messages are only ever appended."""

    def __init__(self, parameters: dict[str, Any], reasoning_history: str) -> None:
        self._parameters = parameters
        self._reasoning_history = reasoning_history
        self._known: list[Message] = []
        self._last_user = -1
        self._parts = bytearray()
        self._hash = hashlib.sha256()
        self._fixed: dict[str, Any] | None = None
        self._head = self._tail = b""

    def build(
        self, messages: list[Message], extra: dict[str, Any]
    ) -> tuple[bytes, str, dict[str, Any]]:
        """(body, its SHA-256, all parameters but messages). ``extra``: tools, stream_options."""
        fixed = {**self._parameters, **extra}
        if fixed != self._fixed:
            self._fixed = fixed
            self._head, self._tail = _around(fixed)
            self._start_over()
        self._append(messages)
        digest = self._hash.copy()
        digest.update(self._tail)
        body = b"".join((self._head, self._parts, self._tail))
        shown = {key: value for key, value in fixed.items() if key != "tools"}
        return body, digest.hexdigest(), {**shown, "tools": len(fixed.get("tools", ()))}

    def _append(self, messages: list[Message]) -> None:
        known = self._known
        same = len(messages) >= len(known)
        same = same and all(a is b for a, b in zip(known, messages, strict=False))
        last_user = max((i for i, m in enumerate(messages) if m.role == "user"), default=-1)
        if self._reasoning_history == "since_last_user" and last_user != self._last_user:
            same = same and not any(m.reasoning for m in known)
        if not same:
            self._start_over()
        self._last_user = last_user
        for index in range(len(self._known), len(messages)):
            message = messages[index]
            piece = canonical_json(self._shape(message, index))
            if self._known:
                piece = b"," + piece
            self._known.append(message)
            self._parts += piece
            self._hash.update(piece)

    def _start_over(self) -> None:
        self._known, self._parts = [], bytearray()
        self._hash = hashlib.sha256(self._head)

    def _shape(self, message: Message, index: int) -> dict[str, Any]:
        shape: dict[str, Any] = {"role": message.role, "content": whole_text(message.content)}
        if message.tool_call_id is not None:
            shape["tool_call_id"] = message.tool_call_id
        if message.tool_calls:
            shape["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": whole_text(call.raw)},
                }
                for call in message.tool_calls
            ]
        send = self._reasoning_history
        if message.reasoning and (
            send == "always" or (send == "since_last_user" and index > self._last_user)
        ):
            shape["reasoning_content"] = whole_text(message.reasoning)
        return shape


def _around(fixed: dict[str, Any]) -> tuple[bytes, bytes]:
    """Canonical JSON before and after the list of messages."""
    before = canonical_json({k: v for k, v in fixed.items() if k < "messages"})
    after = canonical_json({k: v for k, v in fixed.items() if k > "messages"})
    head = before[:-1] + (b"," if before != b"{}" else b"") + b'"messages":['
    tail = b"]" + (b"," if after != b"{}" else b"") + after[1:]
    return head, tail
