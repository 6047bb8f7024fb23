"""A comparison as rows: one a task, those that differ first."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from harness.outcome import SampleState
from harness.report.compare import Comparison, TaskPair
from harness.report.compare_words import headline, outcome_words, sentences
from tui.plain import clean_line
from tui.render.lines import EMPTY, Line, middle, pad, wrap
from tui.theme import STATES

_COLUMN = 14
# Signs as well as places and colours say which run is better.
_SIGNS = {"a": "◀", "b": "▶", "no_score": "?", "same": "="}
_ROLES = {
    "distinguishable": "good",
    "indistinguishable": "strong",
    "not_comparable": "warn",
}


@dataclass
class PairBlocks:
    """The tasks; ``everything``: those that are the same in both, too."""

    pairs: tuple[TaskPair, ...] = ()
    everything: bool = True
    suites: int = 1
    empty: str = ""
    shown: list[TaskPair] = field(default_factory=list)

    def put(self, comparison: Comparison) -> None:
        self.pairs = comparison.pairs
        self.suites = len(comparison.suites)
        self.refresh()

    def refresh(self) -> None:
        self.shown = [p for p in self.pairs if self.everything or p.better != "same"]
        self.empty = (
            "No task differs.\na shows those that are the same."
            if self.pairs
            else "The runs have no task in common.\nq goes back."
        )

    def __len__(self) -> int:
        return len(self.shown)

    def key(self, index: int) -> Hashable:
        return (self.shown[index].suite, self.shown[index].task_id)

    def index_of(self, key: Hashable) -> int | None:
        return next((i for i in range(len(self.shown)) if self.key(i) == key), None)

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self) - start)

    def revision(self, index: int) -> Hashable:
        return self.shown[index]

    def toggle(self, index: int) -> bool:
        return False

    def text(self, index: int) -> str:
        pair = self.shown[index]
        left, right = outcome_words(pair, "a"), outcome_words(pair, "b")
        return f"{_SIGNS[pair.better]} {self.name(pair)}: {left}, {right}"

    def name(self, pair: TaskPair) -> str:
        """The task's id, with its suite where there are several."""
        task = clean_line(pair.task_id, 400)
        return f"{pair.suite} {task}" if self.suites > 1 else task

    def lines(self, index: int, width: int) -> list[Line]:
        pair = self.shown[index]
        room = max(8, width - 2 * _COLUMN - 4)
        differs = pair.better in ("a", "b")
        return [
            (
                (f"{_SIGNS[pair.better]} ", "accent" if differs else "muted"),
                (pad(middle(self.name(pair), room), room), "text" if differs else "muted"),
                ("  ", ""),
                _outcome(pair, "a"),
                _outcome(pair, "b"),
            )
        ]


def head(width: int) -> Line:
    """The names of the columns."""
    room = max(8, width - 2 * _COLUMN - 4)
    text = f"    {pad('task', room)}  {pad('first', _COLUMN)}{pad('second', _COLUMN)}"
    return ((text, "head"),)


def facts(comparison: Comparison, width: int, most: int) -> list[Line]:
    """What the comparison shows, in at most ``most`` lines."""
    lines: list[Line] = []
    for suite in comparison.suites:
        name = f" {suite.suite}: " if len(comparison.suites) > 1 else " "
        lines.append(((name, "muted"), (clean_line(headline(suite)), _ROLES[suite.verdict])))
        for text in sentences(suite):
            lines += wrap(((f" {clean_line(text, 400)}", "muted"),), width - 1, hang=1)
    for text in comparison.other:
        if not text.startswith("model."):
            lines += wrap(((f" also differs: {clean_line(text, 200)}", "warn"),), width - 1, hang=1)
    if len(lines) > most:
        lines = [*lines[: most - 1], ((" … y copies all of it", "muted"),)]
    return [*lines, EMPTY]


def as_text(comparison: Comparison) -> str:
    """All of it as plain text."""
    blocks = PairBlocks()
    blocks.put(comparison)
    lines = [f"first:  {comparison.a}, model {comparison.model_a}"]
    lines += [f"second: {comparison.b}, model {comparison.model_b}", *comparison.other]
    for suite in comparison.suites:
        lines += ["", f"{suite.suite}: {headline(suite)}", *sentences(suite)]
    return "\n".join([*lines, "", *(blocks.text(index) for index in range(len(blocks)))])


def _outcome(pair: TaskPair, side: str) -> tuple[str, str]:
    words = outcome_words(pair, side)
    share = pair.a if side == "a" else pair.b
    states = {mark.word: mark for mark in STATES.values()}
    mark = states.get(words)
    if mark is None:  # several epochs
        mark = STATES[SampleState.RESOLVED if share else SampleState.UNRESOLVED]
    return pad(f"{mark.symbol} {words}", _COLUMN), mark.role
