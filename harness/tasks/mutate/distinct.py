"""Which of the defects that tests notice are worth a task beside those kept already."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.tasks.mutate.outcome import Outcome
from harness.tasks.mutate.plant import Plant, lines_of


@dataclass(frozen=True)
class Single:
    """A defect that tests notice; lines: first and last line that it changes in gold."""

    plant: Plant
    outcome: Outcome
    lines: tuple[int, int]

    @property
    def failing(self) -> frozenset[str]:
        return frozenset(self.outcome.failing)

    def near(self, other: Single, gap: int) -> bool:
        """Whether two defects change the same file no more than ``gap`` lines apart."""
        if self.plant.path != other.plant.path:
            return False
        (a, b), (c, d) = self.lines, other.lines
        return a <= d + gap and c <= b + gap


@dataclass
class Kept:
    """The defects kept so far, in order."""

    singles: list[Single] = field(default_factory=list)

    def against(self, single: Single) -> str:
        """Why ``single`` is too much like one that was kept, '' when it is not."""
        for other in self.singles:
            if single.failing == other.failing:
                return "the same tests notice another one"
            if single.near(other, 0):
                return "another one changes the same line"
            same = (single.plant.path, single.plant.symbol, single.plant.kind)
            if same == (other.plant.path, other.plant.symbol, other.plant.kind):
                return "another one of its kind is in the same function"
        return ""


def single_of(plant: Plant, outcome: Outcome, text: str) -> Single:
    """``plant`` with what trying it in the file ``text`` showed."""
    return Single(plant, outcome, lines_of(text, plant))
