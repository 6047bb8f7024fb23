"""A model behind a server solves a task with tool calls; its run is replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.models.gold_calls import gold_turns
from harness.store.run_folder import RunFolder
from harness.tasks.repository import default_roots, load_tasks
from tests.support import boxes
from tests.support.proctor_process import Home, Proctor
from tests.support.scripted_server import ChatRequest, ScriptedServer, Step, calls, llama_props, say

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
TASK = "stockroom-last-day"


@pytest.fixture
async def home(tmp_path: Path) -> Home:
    await (await boxes.require("docker")).close()
    return Home(tmp_path, "docker")


def run(home: Home, *arguments: str) -> RunFolder:
    process = Proctor.start(home, "run", "repos", "--batch", "--task", TASK, *arguments)
    try:
        assert process.wait() == 0, process.said
        assert process.folder is not None
    finally:
        process.stop()
    return RunFolder.open(process.folder)


def native() -> Callable[[ChatRequest], Step]:
    """Solves the task by calls, several a reply; first it loses its way a little."""
    task = load_tasks(default_roots())[TASK]
    steps = [
        calls(("read_file", {"path": "no/such/file.py"}), ("list_files", {"path": "."})),
        calls(("search", '{"pattern": "def ')),
        say("I should look at the files first."),
    ]
    for turn in gold_turns(task.start, task.gold, task=TASK):
        steps.append(calls(*((c.name, c.arguments) for c in turn), style="no_index"))
    return lambda request: steps[min(request.turn, len(steps) - 1)]


def text() -> Callable[[ChatRequest], Step]:
    """The same in the text protocol: one JSON block a reply, in prose and a fence."""
    task = load_tasks(default_roots())[TASK]
    blocks = [
        json.dumps({"tool": c.name, "arguments": c.arguments})
        for turn in gold_turns(task.start, task.gold, task=TASK)
        for c in turn
    ]

    def reply(request: ChatRequest) -> Step:
        assert "tools" not in request.body
        block = blocks[min(request.turn, len(blocks) - 1)]
        return say(f"I will do this.\n\n```json\n{block}\n```\n")

    return reply


@pytest.mark.parametrize(("protocol", "script"), [("native", native), ("text", text)])
def test_a_task_is_solved_over_http_and_replayed_to_the_same_tree(
    home: Home, protocol: str, script: Callable[[], Callable[[ChatRequest], Step]]
) -> None:
    with ScriptedServer(script(), props=llama_props()) as server:
        folder = run(home, "--base-url", server.url, "--tool-protocol", protocol)
        asked = len(server.requests)
        again = run(home, "--model", f"replay:{folder.run_id}")
        assert len(server.requests) == asked, "a replay asks no server"
    (first,), (second,) = folder.records().values(), again.records().values()
    assert first.verdict == second.verdict == "resolved"
    assert first.fail_to_pass == second.fail_to_pass
    assert first.digests["tree"] == second.digests["tree"]
    assert first.metrics["turns"] == second.metrics["turns"] == asked
    assert first.metrics["tool_errors"] == second.metrics["tool_errors"]
    assert first.usage.prompt == 100 * asked
    if protocol == "native":
        assert first.metrics["malformed_calls"] == 1 and first.metrics["nudges"] == 1
