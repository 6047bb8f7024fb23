"""What a user chooses of a single-shot suite, and the tasks that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.errors import UsageError
from harness.suites.shot import ShotProtocol, ShotTask
from harness.words import counted


class Choice:
    """What was chosen of a suite: protocol, split, variant, subjects."""

    def __init__(
        self,
        protocol: ShotProtocol,
        split: str | None = None,
        variant: str | None = None,
        subjects: tuple[str, ...] = (),
    ) -> None:
        self.protocol, self.split = protocol, split
        self.variant, self.subjects = variant, subjects

    def options(self) -> dict[str, Any]:
        """As the plan keeps it."""
        found: dict[str, Any] = {}
        if self.split is not None:
            found["split"] = self.split
        if self.variant is not None:
            found["variant"] = self.variant
        if self.subjects:
            found["subjects"] = list(self.subjects)
        return found


class Built:
    """Tasks of a choice, with the digest of the data and further facts for the plan."""

    def __init__(
        self, tasks: Sequence[ShotTask], data_digest: str, facts: dict[str, Any] | None = None
    ) -> None:
        self.tasks, self.data_digest, self.facts = tasks, data_digest, facts or {}


def one_of(known: tuple[str, ...], name: str | None, suite: str, what: str) -> str | None:
    """``name``, or the first of ``known``. Raises UsageError for a name that is not there."""
    if name is None:
        return known[0] if known else None
    if name not in known:
        choices = ", ".join(known) or "it has only one"
        raise UsageError(f"suite {suite} has no {what} {name!r}", remedy=f"one of: {choices}")
    return name


def split_words(choice: Choice, chosen: int, total: int, globbed: bool) -> str:
    """``test[500]``, ``test[20 of 500]``: sets of other sizes do not compare."""
    base = choice.split or "all"
    if choice.variant:
        base = f"{base}, {choice.variant}"
    if choice.subjects:
        base += f", {counted(len(choice.subjects), 'subject')}"
    if globbed:
        base += ", chosen"
    return f"{base}[{total}]" if chosen == total else f"{base}[{chosen} of {total}]"
