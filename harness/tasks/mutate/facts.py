"""What a failing test tells of a defect, in the words of somebody who met it."""

from __future__ import annotations

from dataclasses import dataclass

from harness.tasks.mutate.distinct import Single
from harness.tasks.mutate.repo import Ground


@dataclass(frozen=True)
class Fact:
    """One situation that goes wrong.

    words: the situation in plain words; setup: program text that leads up to it, '' where there is
    none; call: what is asked then, as program text; expected: the right answer, as program text;
    seen: the wrong one, '' where it is not known; refused: the kind of error that should be raised;
    error: the error that it ends with instead of an answer; after: what should hold when it does
    not; first: where two long answers first differ, in words.
    """

    words: str
    setup: str
    call: str
    expected: str = ""
    seen: str = ""
    refused: str = ""
    error: str = ""
    after: str = ""
    first: str = ""

    @property
    def length(self) -> int:
        """How much there is to read."""
        return len(self.setup) + len(self.call) + len(self.expected)

    @property
    def whole(self) -> bool:
        """Whether it says what is expected and what comes instead."""
        asked = bool(self.call or (self.error and self.setup))
        return asked and bool(self.expected or self.refused or self.error)


def facts_of(ground: Ground, single: Single) -> list[Fact]:
    """The situations in which tests notice a defect; the shortest that tell all come first."""
    from harness.tasks.mutate.python_facts import python_fact
    from harness.tasks.mutate.typescript_facts import typescript_fact

    read = python_fact if ground.repository.spec.language == "python" else typescript_fact
    found = [
        read(ground.hidden, test, message)
        for test, message in sorted(single.outcome.failing.items())
    ]
    ranked = enumerate(fact for fact in found if fact is not None)
    order = sorted(
        ranked, key=lambda each: (not each[1].whole, not each[1].seen, each[1].length, each[0])
    )
    return [fact for _, fact in order]
