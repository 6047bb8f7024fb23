"""What the model tests share: a recording sink, a quick policy, one turn of a session."""

from __future__ import annotations

from typing import Any

from harness.models.protocol import Message, Reply, SampleSeed
from harness.models.retry import RetryPolicy
from harness.plan import EndpointIdentity, ModelPlan

QUICK = RetryPolicy(first_s=0.01, longest_s=0.02, total_s=0.3)
TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": "read_file",
            "description": "Show a file.",
            "parameters": {
                "type": "object",
                "properties": {"path": {"type": "string", "description": "File."}},
                "required": ["path"],
            },
        },
    }
]


class Recorder:
    """A TurnSink that keeps what it is told."""

    def __init__(self, time_left_s: float | None = None) -> None:
        self.time_left_s = time_left_s
        self.notes: list[str] = []
        self.requests: list[tuple[int, str, str, dict[str, Any]]] = []
        self.deltas: list[tuple[str, str]] = []
        self.retries: list[tuple[int, float, Any]] = []
        self.notices: list[str] = []

    def requested(self, attempt: int, endpoint: str, digest: str, parameters: Any) -> None:
        self.requests.append((attempt, endpoint, digest, parameters))

    def delta(self, kind: Any, text: str) -> None:
        self.deltas.append((kind, text))

    def retrying(self, attempt: int, wait_s: float, error: Any, gives_up: str) -> None:
        self.retries.append((attempt, wait_s, error))
        self.notes.append(gives_up)

    def waiting(self, note: str) -> None:
        self.notes.append(note)


def model_plan(**changes: Any) -> ModelPlan:
    identity = EndpointIdentity(
        kind="scripted", model_id="scripted", context=changes.pop("context", None)
    )
    given: dict[str, Any] = {"kind": "openai", "name": "scripted", "tool_protocol": "native"}
    return ModelPlan(identity=identity, **{**given, **changes})


PROMPT = [Message(role="system", content="You fix code."), Message(role="user", content="Go.")]


async def one_turn(
    model: Any,
    *,
    tools: list[dict[str, Any]] | None = None,
    messages: list[Message] | None = None,
    key: str = "task@1",
    endpoint: int | None = None,
    time_left_s: float | None = None,
) -> tuple[Reply, Recorder]:
    """One turn of a new session, and what its sink was told."""
    recorder = Recorder(time_left_s)
    seed = SampleSeed(
        key=key, suite="s", task=None, endpoint=endpoint, notify=recorder.notices.append
    )
    session = model.session(seed)
    reply = await session.turn(messages or PROMPT, TOOLS if tools is None else tools, recorder)
    return reply, recorder
