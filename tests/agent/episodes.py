"""What the loop's tests share: a sink that keeps events, and a bench to run episodes on."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from harness.agent.loop import EpisodeOutcome, EpisodeTask, run_episode
from harness.events.base import Event
from harness.events.model import ModelTurn
from harness.events.sample import EpisodeFinished
from harness.events.tool import ToolResult
from harness.events.union import transcript_event
from harness.models.openai_chat import EndpointModel
from harness.models.protocol import SampleSeed
from harness.models.retry import RetryPolicy
from harness.plan import EndpointIdentity, EndpointLaunch, EpisodeLimits, Launch, ModelPlan
from tests.support.local_box import LocalBox
from tests.support.scripted_server import ScriptedServer
from tools.schema import function_definitions

FILES = {"app.py": "def add(a, b):\n    return a - b\n", "notes.txt": "one\ntwo\n"}
QUICK = RetryPolicy(first_s=0.01, longest_s=0.02, total_s=0.3)


class Events:
    """A sample's sink in memory; every event survives its way to a line and back."""

    def __init__(self) -> None:
        self.events: list[Any] = []
        self.blobs: dict[str, bytes] = {}
        self.deltas: list[tuple[int, str, str]] = []
        self.notes: list[str] = []

    def emit(self, event: Event) -> Event:
        self.events.append(transcript_event.validate_json(event.model_dump_json()))
        return event

    def delta(self, turn: int, kind: Any, text: str) -> None:
        self.deltas.append((turn, kind, text))

    def blob(self, content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        self.blobs[digest] = content
        return digest

    def progress(self, state: Any, *, turn: int = 0, usage: Any = None, note: str = "") -> None:
        self.notes.append(note)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


class Bench:
    """A tree with the real tools, and a model behind a scripted server."""

    def __init__(
        self,
        root: Path,
        script: Any,
        *,
        files: dict[str, str] | None = None,
        limits: dict[str, Any] | None = None,
        context: int | None = None,
        lose_after: int | None = None,
        tool_protocol: str = "native",
        kind: str = "scripted",
        props: dict[str, Any] | None = None,
        prices: dict[str, float] | None = None,
        charge: Any = None,
    ) -> None:
        self.files = FILES if files is None else files
        root.mkdir()
        self.root = root
        self.box = LocalBox.with_files(root, self.files, lose_after=lose_after)
        self.server = ScriptedServer(script, props=props).start()
        self.limits = EpisodeLimits(**(limits or {}))
        self.sink = Events()
        self.context = context
        self.charge = charge or (lambda _cost: True)
        identity = EndpointIdentity(kind=kind, model_id="scripted", context=context)
        plan = ModelPlan(
            kind="openai",
            name="scripted",
            identity=identity,
            tool_protocol="text" if tool_protocol == "text" else "native",
            prices=prices,
        )
        launch = Launch(endpoints=(EndpointLaunch(url=self.server.url),))
        self.model = EndpointModel(plan, launch, self.limits, policy=QUICK)

    async def run(self, session: Any = None) -> EpisodeOutcome:
        """One episode; checks what holds for every transcript."""
        task = EpisodeTask(
            instruction="Mend add.",
            tree={path: text.encode() for path, text in self.files.items()},
            tools=function_definitions("proctor-1", lint=False),
        )
        if session is None:
            session = self.model.session(SampleSeed(key="t@1", suite="s", task=None))
        try:
            outcome = await run_episode(
                session,
                self.box,
                task,
                self.limits,
                self.sink,
                slot_context=self.context,
                charge=self.charge,
            )
        finally:
            self.check_transcript()
        return outcome

    def check_transcript(self) -> None:
        """Each call has one result, in order, and the last event ends the episode."""
        events = self.sink.events
        called = [c.id for turn in self.sink.of(ModelTurn) for c in turn.tool_calls]
        assert [result.call_id for result in self.sink.of(ToolResult)] == called
        assert isinstance(events[-1], EpisodeFinished)
        for request in self.server.requests:
            open_calls: list[str] = []
            for message in request.messages:
                if message["role"] == "tool":
                    assert message["tool_call_id"] == open_calls.pop(0)
                else:
                    assert not open_calls
                open_calls += [c["id"] for c in message.get("tool_calls", ())]

    @property
    def results(self) -> list[ToolResult]:
        return self.sink.of(ToolResult)

    async def close(self) -> None:
        await self.model.close()
        await self.box.close()
        self.server.stop()
