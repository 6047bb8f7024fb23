"""The model of ``proctor grade``: it says what a file says, epoch by epoch."""

from __future__ import annotations

from pathlib import Path

from harness.errors import ConflictError, UsageError
from harness.models.completions_file import Completions, read_completions, reply_of, same_task
from harness.models.oracle import ReferenceSession
from harness.models.protocol import ModelSession, SampleSeed
from harness.plan import EndpointIdentity, Launch, ModelPlan
from harness.words import counted

KIND = "completions"


def plan_completions(given: Completions) -> ModelPlan:
    """The planned form: the file's name, and the digest of its content."""
    name = given.path.name
    identity = EndpointIdentity(kind=KIND, model_id=name, build=given.digest)
    return ModelPlan(kind="none", name=name, identity=identity)


class CompletionsModel:
    """The n-th epoch of a task is its n-th text."""

    def __init__(self, given: Completions) -> None:
        self._texts: dict[str, list[str]] = {}
        for each in given.given:
            self._texts.setdefault(same_task(each.task_id), []).append(each.text)
        self._form = given.form

    @classmethod
    def open(cls, plan: ModelPlan, launch: Launch) -> CompletionsModel:
        """The model for a launch. Raises UsageError, and ConflictError for a changed file."""
        if launch.replay_run is None:
            raise UsageError(f"{plan.name}: the file of completions is not known")
        given = read_completions(Path(launch.replay_run))
        if given.digest != plan.identity.build:
            raise ConflictError(
                "the file of completions is another than planned", where=launch.replay_run
            )
        return cls(given)

    def session(self, sample: SampleSeed) -> ModelSession:
        """Raises UsageError for a sample that the file does not have."""
        task = str(sample.task.id)
        texts = self._texts.get(same_task(task), [])
        if sample.epoch > len(texts):
            raise UsageError(
                f"the file has {counted(len(texts), 'answer')} to {task}, not {sample.epoch}"
            )
        return ReferenceSession(reply_of(texts[sample.epoch - 1], self._form))

    async def close(self) -> None:
        return None
