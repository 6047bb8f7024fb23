"""A sample of an agentic suite, run as the runner would, with its events kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from harness.events.base import Event
from harness.models.protocol import Model
from harness.outcome import SampleState
from harness.plan import Containment, EndpointIdentity, EpisodeLimits, ModelPlan, Plan, SuitePlan
from harness.sandbox.protocol import Provider
from harness.suites.protocol import SampleContext
from tests.support.grading import LIMITS


@dataclass
class Kept:
    """A SampleSink in memory."""

    events: list[Any] = field(default_factory=list)
    blobs: dict[str, bytes] = field(default_factory=dict)
    trees: list[bytes] = field(default_factory=list)
    states: list[SampleState] = field(default_factory=list)

    def emit(self, event: Event) -> Event:
        self.events.append(event)
        return event

    def delta(self, turn: int, kind: Any, text: str) -> None:
        return None

    def blob(self, content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        self.blobs[digest] = content
        return digest

    def tree(self, archive: bytes) -> None:
        self.trees.append(archive)

    def progress(
        self, state: SampleState, *, turn: int = 0, usage: Any = None, note: str = ""
    ) -> None:
        self.states.append(state)

    def types(self) -> list[str]:
        """Types of the events, in order, each once."""
        return list(dict.fromkeys(event.type for event in self.events))


def context(
    suite: SuitePlan, task_id: str, model: Model, provider: Provider, *, max_turns: int = 50
) -> tuple[SampleContext, Kept]:
    """A sample's context and the sink in it."""
    kept = Kept()
    plan = Plan(
        proctor="test",
        suites=(suite,),
        model=ModelPlan(
            kind="oracle",
            name="oracle",
            identity=EndpointIdentity(kind="oracle", model_id="oracle"),
            tool_protocol="native",
        ),
        limits=EpisodeLimits(max_turns=max_turns),
        containment=Containment(
            provider=provider.name, image_digest="x", tools_digest="y", limits=LIMITS
        ),
    )
    made = SampleContext(
        plan=plan,
        suite=suite,
        run_id="test-run",
        sample=f"{task_id}@1",
        task_id=task_id,
        epoch=1,
        attempt=1,
        model=model,
        provider=provider,
        sink=kept,
    )
    return made, kept
