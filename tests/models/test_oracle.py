"""Gold in tool calls: reached exactly, or refused by name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.errors import ConfigError, InfrastructureError, UsageError
from harness.models.gold_calls import gold_turns
from harness.models.oracle import OracleModel
from harness.models.protocol import Message, SampleSeed
from harness.tasks.task import TreeFile
from tests.models.turns import Recorder
from tests.support.local_box import LocalBox


def tree(files: dict[str, str]) -> dict[str, TreeFile]:
    return {path: TreeFile(text.encode()) for path, text in files.items()}


def repo_task(start: dict[str, str], gold: dict[str, str]) -> Any:
    """As much of a task as the oracle looks at."""
    return SimpleNamespace(id="t", start=tree(start), gold=tree(gold))


LINES = st.lists(st.sampled_from(["a\n", "b\n", "    c\n", "\n", "ü\n"]), max_size=12)
TEXT = st.builds(lambda lines, end: "".join(lines) + end, LINES, st.sampled_from(["", "x", "\r\n"]))


@settings(max_examples=60, deadline=None)
@example(old="a\n" * 5, new="a\na\na\nb\na\n", name="s")
@given(old=TEXT, new=TEXT, name=st.sampled_from(["s", "t"]))
async def test_any_text_becomes_any_other(
    tmp_path_factory: pytest.TempPathFactory, old: str, new: str, name: str
) -> None:
    root = tmp_path_factory.mktemp("tree")
    box = LocalBox.with_files(root, {"a.txt": old})
    for turn in gold_turns(tree({"a.txt": old}), tree({"a.txt": new}), task=name):
        for call in turn:
            answer = await box.call_tool(call.name, call.arguments, timeout_s=10)
            assert not answer.is_error, answer.text
    assert (root / "a.txt").read_bytes() == new.encode()
    await box.close()


@pytest.mark.parametrize(
    ("start", "gold", "says"),
    [
        ({"a": TreeFile(b"x\n")}, {}, "deletes"),
        ({}, {"a": TreeFile(b"x\n", mode=0o755)}, "mode"),
        ({}, {"a": TreeFile(b"", link="b")}, "link"),
        ({}, {"a": TreeFile(b"\0")}, "binary"),
        ({}, {"a": TreeFile(b"\xff\n")}, "UTF-8"),
    ],
)
def test_gold_that_no_tool_reaches_is_refused(start: Any, gold: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        gold_turns(start, gold, task="t")


def test_empty_folders_are_nothing_to_play() -> None:
    start = {"kept/": TreeFile(b"", 0o755), "a": TreeFile(b"x\n")}
    (only,) = gold_turns(start, {"a": TreeFile(b"x\n")}, task="t")
    assert [call.name for call in only] == ["finish"]


async def test_a_failing_call_stops_the_oracle() -> None:
    task = repo_task({"a": "x\n"}, {"a": "y\n"})
    session = OracleModel().session(SampleSeed(key="t@1", suite="repos", task=task))
    reply = await session.turn([], [], Recorder())
    failed = Message(role="tool", content="Error: no", tool_call_id=reply.tool_calls[0].id)
    with pytest.raises(InfrastructureError, match="gold could not be played"):
        await session.turn([failed], [], Recorder())


async def test_single_questions_are_answered_with_the_reference() -> None:
    task = SimpleNamespace(gold_reply=lambda: "```python\npass\n```")
    session = OracleModel().session(SampleSeed(key="t@1", suite="humaneval", task=task))
    assert (await session.turn([], [], Recorder())).content.startswith("```python")
    with pytest.raises(UsageError):
        OracleModel().session(SampleSeed(key="t@1", suite="x", task=SimpleNamespace()))
    with pytest.raises(UsageError, match="task t has no reference solution"):
        OracleModel().session(SampleSeed(key="t@1", suite="x", task=repo_task({"a": "x"}, {})))
