"""Overhead of the loop a turn, stored events included; beside mini-swe-agent's own agent.

The model answers at once and the tool does nothing, so what is left is the loop's own.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

from harness.agent.loop import EpisodeTask, run_episode
from harness.events.base import Usage
from harness.events.model import ToolCallRequest
from harness.events.sample import AttemptStarted
from harness.models.protocol import Message, Reply, TurnSink
from harness.plan import EpisodeLimits
from harness.sandbox.protocol import ToolReply
from tests.benchmarks.figures import Figure
from tests.benchmarks.peers import measure
from tests.support.counting_suite import make_folder, make_plan
from tools.schema import function_definitions

TURNS = (10, 200, 500)
RESULT = "     1\tdef add(a, b):\n     2\t    return a + b\n" * 20

MINI = """
import json, sys, time
from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.test_models import DeterministicModel, make_output
class Timed(LocalEnvironment):
    spent = 0.0
    def execute(self, *args, **kwargs):
        started = time.perf_counter()
        try:
            return super().execute(*args, **kwargs)
        finally:
            self.spent += time.perf_counter() - started
found = {}
for turns in map(int, sys.argv[1:]):
    command = {"command": "echo done"}
    outputs = [make_output("THOUGHT: go on", [command]) for _ in range(turns)]
    last = {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}
    model = DeterministicModel(outputs=[*outputs, make_output("THOUGHT: done", [last])])
    environment = Timed()
    agent = DefaultAgent(
        model, environment, system_template="You are an agent.", instance_template="{{task}}",
        step_limit=0, cost_limit=0,
    )
    started = time.perf_counter()
    agent.run("do it")
    found[turns] = (time.perf_counter() - started - environment.spent) / (turns + 1)
print(json.dumps(found))
"""


class AtOnce:
    """A session whose replies cost nothing."""

    def __init__(self, turns: int) -> None:
        self._left = turns

    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply:
        self._left -= 1
        name = "read_file" if self._left > 0 else "finish"
        arguments = {"path": f"app{self._left}.py"} if self._left > 0 else {"summary": "done"}
        call = ToolCallRequest(id=str(self._left), name=name, raw="{}", arguments=arguments)
        return Reply("I read on.", tool_calls=(call,), usage=Usage(prompt=100, completion=10))

    async def close(self) -> None:
        return None


class NoBox:
    """A box whose tools take no time."""

    async def call_tool(self, name: str, arguments: object, *, timeout_s: float) -> ToolReply:
        finished = name == "finish"
        return ToolReply(RESULT, False, False, finished, False, [], None, 0.0)


def figures() -> list[Figure]:
    ours = {turns: min(asyncio.run(_a_turn(turns)) for _ in range(3)) for turns in TURNS}
    mini = measure(MINI, *map(str, TURNS)) or {}
    rows = []
    for turns in TURNS:
        peer = mini.get(str(turns))
        figure = Figure(
            f"loop overhead a turn, {turns} turns", ours[turns] * 1e3, "ms",
            None if peer is None else peer * 1e3, "mini", "2 ms", ours[turns] <= 0.002,
        )  # fmt: skip
        rows.append(figure)
    return rows


async def _a_turn(turns: int) -> float:
    with tempfile.TemporaryDirectory() as root:
        folder = make_folder(Path(root), make_plan(1))
        with folder.lock():
            header = AttemptStarted(
                version=1, run_id=folder.run_id, sample="loop@1", suite="loop", task_id="loop",
                epoch=1, attempt=1, model="none",
            )  # fmt: skip
            sink = folder.sample_sink(header, shared=False)
            task = EpisodeTask("Mend it.", {"app.py": b""}, function_definitions("proctor-1"))
            started = time.perf_counter()
            outcome = await run_episode(
                AtOnce(turns), NoBox(), task, EpisodeLimits(max_turns=turns + 1), sink,  # type: ignore[arg-type]
            )  # fmt: skip
            seconds = time.perf_counter() - started
            sink.close()
        assert outcome.stop_reason == "finished", outcome
        return seconds / turns
