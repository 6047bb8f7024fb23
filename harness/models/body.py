"""The request body, kept as bytes and grown by what is new, so that a turn costs the same late in
an episode as early.

The top-level keys are sorted, so that ``messages`` lie between keys that do not change and the
SHA-256 of the body grows with it. Inside, keys keep their order: templates print tools and
servers generate by a schema in the order they are given.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from harness.models.protocol import Message
from harness.models.stream import whole_text
from harness.plan import ModelPlan

RESERVED = frozenset({"messages", "model", "stream", "stream_options", "tools", "tool_choice"})
_LONG = frozenset({"tools", "response_format"})  # not repeated in every request's event


def parameters_of(plan: ModelPlan, *, epoch: int = 1) -> dict[str, Any]:
    """The sampling parameters of a request and the model's name; None is not sent.

    Each epoch has a seed of its own, for with one seed all samples of a task would be the same.
    """
    sampling = plan.sampling.model_dump(exclude={"extra_body"}, exclude_none=True)
    if "seed" in sampling:
        sampling["seed"] += epoch - 1
    return {**plan.sampling.extra_body, **sampling, "model": plan.identity.model_id, "stream": True}


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
        """(body, its SHA-256, the parameters that are short). ``extra``: tools, stream_options."""
        fixed = {**self._parameters, **extra}
        if fixed != self._fixed:
            self._fixed = fixed
            self._head, self._tail = _around(fixed)
            self._start_over()
        self._append(messages)
        digest = self._hash.copy()
        digest.update(self._tail)
        body = b"".join((self._head, self._parts, self._tail))
        shown = {key: value for key, value in fixed.items() if key not in _LONG}
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
            piece = _json(self._shape(message, index))
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
    """The JSON before and after the list of messages."""
    pairs = {key: _json(key) + b":" + _json(fixed[key]) for key in sorted(fixed)}
    head = b"{" + b"".join(pair + b"," for key, pair in pairs.items() if key < "messages")
    tail = b"".join(b"," + pair for key, pair in pairs.items() if key > "messages") + b"}"
    return head + b'"messages":[', b"]" + tail


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode(
        "utf-8", "replace"
    )
