"""Controls for single-shot suites: a model that must fail every task.

The oracle (``harness.models.oracle``) says a task's ``gold_reply`` and noop says nothing; this
one says ``wrong_reply``: an answer in the right form that no judge may accept.
"""

from __future__ import annotations

from harness.errors import UsageError
from harness.models.oracle import ReferenceSession
from harness.models.protocol import ModelSession, SampleSeed


class WrongModel:
    """Says ``task.wrong_reply``. Raises UsageError for a suite without one."""

    def session(self, sample: SampleSeed) -> ModelSession:
        reply = getattr(sample.task, "wrong_reply", None)
        if reply is None:
            raise UsageError(f"suite {sample.suite} has no wrong answer to give")
        return ReferenceSession(str(reply))

    async def close(self) -> None:
        return None
