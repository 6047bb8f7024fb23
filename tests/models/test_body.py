"""Bodies that grow by what is new are the bodies that would be made anew."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from harness.events.model import ToolCallRequest
from harness.models.body import RequestBody
from harness.models.protocol import Message

TEXT = st.text(max_size=20)
CALL = st.builds(
    lambda name: ToolCallRequest(id="c", name=name or "x", raw="{}", arguments={}), TEXT
)
MESSAGE = st.one_of(
    st.builds(lambda t: Message(role="user", content=t), TEXT),
    st.builds(
        lambda t, r, c: Message(role="assistant", content=t, reasoning=r, tool_calls=tuple(c)),
        TEXT,
        st.none() | TEXT,
        st.lists(CALL, max_size=2),
    ),
    st.builds(lambda t: Message(role="tool", content=t, tool_call_id="c"), TEXT),
)


@given(
    messages=st.lists(MESSAGE, min_size=1, max_size=12),
    steps=st.lists(st.integers(1, 12), max_size=6),
    history=st.sampled_from(["always", "never", "since_last_user"]),
    extra=st.dictionaries(st.sampled_from(["a", "tools", "zz"]), st.integers(), max_size=3),
)
def test_growing_equals_building_anew(
    messages: list[Message], steps: list[int], history: str, extra: dict[str, Any]
) -> None:
    grown = RequestBody({"model": "m", "stream": True}, history)
    extra = {k: [v] for k, v in extra.items()}
    for step in sorted(steps):
        grown.build(messages[:step], extra)
    body, digest, parameters = grown.build(messages, extra)
    fresh, fresh_digest, _ = RequestBody({"model": "m", "stream": True}, history).build(
        messages, extra
    )
    assert body == fresh and digest == fresh_digest == hashlib.sha256(body).hexdigest()
    value = json.loads(body)
    assert len(value["messages"]) == len(messages) and "messages" not in parameters
    assert list(value) == sorted(value)
    assert body == json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def test_tools_and_schemas_keep_their_order() -> None:
    tool = {"tool": {"path": 1, "old_text": 2, "new_text": 3}, "arguments": {}}
    body, _, shown = RequestBody({"model": "m"}, "never").build(
        [Message(role="user", content="x")], {"tools": [tool], "response_format": tool}
    )
    assert json.dumps(tool, separators=(",", ":")).encode() in body
    assert "response_format" not in shown and shown["tools"] == 1


def test_half_a_surrogate_pair_does_not_break_the_request() -> None:
    body, _, _ = RequestBody({"model": "m"}, "never").build(
        [Message(role="user", content="a\ud83db")], {}
    )
    assert "a" in json.loads(body)["messages"][0]["content"]
