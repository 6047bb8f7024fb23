"""``replay:RUN``: a stored run's turns, played again against real tools."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from harness.errors import ConflictError, UsageError
from harness.events.model import ModelTurn
from harness.events.sample import EpisodeFinished
from harness.events.tool import ToolResult
from harness.models.protocol import (
    Message,
    ModelError,
    ModelSession,
    Reply,
    SampleSeed,
    TurnSink,
)
from harness.outcome import StopReason
from harness.plan import EndpointIdentity, Launch, ModelPlan
from harness.store.run_folder import RunFolder
from harness.store.transcript import read_transcript

_BY_THE_SERVER = (
    StopReason.CONTEXT_LIMIT,
    StopReason.UNPARSABLE_REPLY,
    StopReason.MODEL_REFUSED,
)


def plan_replay(name: str, run: Path | None) -> ModelPlan:
    """The planned form of ``replay:RUN``: the stored run's model and the digest of its plan.

    Raises UsageError without a folder, StorageError for one that cannot be read.
    """
    if run is None:
        raise UsageError(f"{name}: no such run", remedy="proctor runs lists them")
    source = RunFolder.open(run).plan
    identity = EndpointIdentity(
        kind="replay", model_id=source.model.name, chat_template=None, build=source.digest
    )
    return ModelPlan(
        kind="replay",
        name=f"replay:{run.name}",
        identity=identity,
        tool_protocol="native" if source.model.tool_protocol != "none" else "none",
        sampling=source.model.sampling,
        prices=source.model.prices,
    )


class ReplayModel:
    """Plays the last attempt at the same sample."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    @classmethod
    def open(cls, plan: ModelPlan, launch: Launch) -> ReplayModel:
        """The model for a launch. Raises ConflictError when that run is not the planned one."""
        if launch.replay_run is None:
            raise UsageError(f"{plan.name}: the run's folder is not known")
        folder = RunFolder.open(Path(launch.replay_run))
        if folder.plan.digest != plan.identity.build:
            raise ConflictError("the run to replay is another than planned", where=str(folder.path))
        return cls(folder)

    def session(self, sample: SampleSeed) -> ModelSession:
        return ReplaySession(self._events(sample.key))

    def _events(self, key: str) -> Iterable[Any]:
        where = self._folder.transcript_of(key)
        if where is None:
            raise UsageError(f"the run to replay has no transcript of sample {key}")
        path = self._folder.transcript_path(where)
        return read_transcript(path, where.offset, where.length)

    async def close(self) -> None:
        return None


class ReplaySession:
    """Gives stored replies in order, and compares each tool's answer with the stored one."""

    def __init__(self, events: Iterable[Any]) -> None:
        self._turns: list[ModelTurn] = []
        self._results: dict[str, str] = {}
        self._end: EpisodeFinished | None = None
        for event in events:
            if isinstance(event, ModelTurn):
                self._turns.append(event)
            elif isinstance(event, ToolResult):
                self._results[event.call_id] = event.text
            elif isinstance(event, EpisodeFinished):
                self._end = event
        self._next = 0

    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply:
        """The next stored reply. Raises ModelError("replay_diverged")."""
        for message in reversed(messages):
            if message.role != "tool":
                break
            self._compare(message)
        how = self._end.stop_reason if self._end is not None else None
        if self._next == len(self._turns):
            if self._end is not None and how in _BY_THE_SERVER:
                raise ModelError(how.value, self._end.detail)  # told by the server's error then
            raise ModelError("replay_diverged", "the stored episode ends here, this one goes on")
        stored = self._turns[self._next]
        self._next += 1
        last = self._next == len(self._turns)
        return Reply(
            content=stored.content,
            reasoning=stored.reasoning,
            tool_calls=tuple(stored.tool_calls),
            finish_reason=stored.finish_reason,
            usage=stored.usage,
            truncated=stored.truncated,
            context_full=last and stored.truncated and how is StopReason.CONTEXT_LIMIT,
            refused=last and how is StopReason.MODEL_REFUSED,
            time_up=stored.time_up,
            endpoint="replay",
            working_s=stored.working_s,
            server=stored.server,
        )

    def _compare(self, message: Message) -> None:
        stored = self._results.get(message.tool_call_id or "")
        if stored is None or stored == message.content:
            return
        place = next(
            (i for i, (a, b) in enumerate(zip(stored, message.content, strict=False)) if a != b),
            min(len(stored), len(message.content)),
        )
        raise ModelError(
            "replay_diverged",
            f"call {message.tool_call_id} now answers otherwise from character {place}: "
            f"{message.content[place : place + 80]!r}, stored {stored[place : place + 80]!r}",
        )

    async def close(self) -> None:
        return None
