"""Calls out of prose: one block, validated, whatever stands around it."""

from __future__ import annotations

from typing import Any

import pytest

from harness.models.protocol import Reply
from harness.models.text_protocol import call_schema, describe, parse_block
from tests.models.turns import PROMPT, TOOLS, one_turn
from tests.support.scripted_server import error, say

CALL = '{"tool": "read_file", "arguments": {"path": "a.py"}}'


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"```json\n{CALL}\n```",
        f"First I look.\n\n```\n{CALL}\n```\nThen I wait.",
        f"```json\n{CALL}",
        f"  {CALL}  ",
        f"{CALL}\nResult: made up",
        '```json\n{"name": "read_file", "arguments": {"path": "a.py"}}\n```',
        f'```python\nx = {{}}\n```\n```json\n{CALL}\n```\n```json\n{{"tool": "finish"}}\n```',
    ],
)
def test_the_first_call_is_found(text: str) -> None:
    call = parse_block(Reply(content=text), "text-1")
    assert call is not None
    assert (call.name, call.arguments, call.id) == ("read_file", {"path": "a.py"}, "text-1")


@pytest.mark.parametrize("text", ["", "I would read a.py.", '```json\n{"a": 1}\n```', "[1]"])
def test_prose_is_no_call(text: str) -> None:
    assert parse_block(Reply(content=text), "text-1") is None


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"tool": "write_file", "arguments": {"content": "a\n```',
        '{"tool": "read_file", "arguments": [1]}',
    ],
)
def test_a_broken_block_is_a_malformed_call(text: str) -> None:
    call = parse_block(Reply(content=text), "text-1")
    assert call is not None and call.arguments is None and call.problem


def test_tools_are_described_and_constrained() -> None:
    text = describe(TOOLS)
    assert "read_file" in text and "path (string, required)" in text
    (each,) = call_schema(TOOLS)["json_schema"]["schema"]["anyOf"]
    assert each["properties"]["tool"] == {"const": "read_file"}


async def test_a_server_without_schemas_is_asked_without(serve: Any, connect: Any) -> None:
    from harness.models.text_protocol import TextProtocolSession

    refusal = error(400, "response_format json_schema is not supported")
    server = serve(lambda request: refusal if "response_format" in request.body else say(CALL))
    session_model = connect(server)

    class Wrapping:
        def session(self, seed: Any) -> Any:
            return TextProtocolSession(session_model.session(seed), constrained=True)

    reply, _ = await one_turn(Wrapping(), messages=PROMPT)
    assert reply.tool_calls[0].name == "read_file" and len(server.requests) == 2
