"""The samples of a run as a list: sorted, filtered, one line each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from harness.outcome import SampleState
from harness.state.view import RunView, SampleView
from tui.model.matching import Query, Words, words_of
from tui.model.reasons import NONE, Facts, known_labels, labels, planned_facts, reason
from tui.plain import clean_line
from tui.render.lines import Line, Span, cells, middle, pad
from tui.theme import STATES

# Cells from which on there is room for the word of a state, and for why beside it.
_WORD, _BOTH = 34, 60
# Those that want to be looked at come first.
_ORDER = [
    SampleState.RUNNING,
    SampleState.GRADING,
    SampleState.TAMPERED,
    SampleState.NO_SCORE,
    SampleState.UNRESOLVED,
    SampleState.RESOLVED,
    SampleState.QUEUED,
]

SORTS: dict[str, Callable[[SampleView], tuple[object, ...]]] = {
    "plan": lambda s: (),
    "state": lambda s: (_ORDER.index(s.state),),
    "name": lambda s: (s.task_id, s.epoch),
    "turn": lambda s: (-s.turn,),
    "seconds": lambda s: (-s.seconds,),
    "tokens": lambda s: (-((s.usage.prompt or 0) + (s.usage.completion or 0)),),
}


@dataclass
class SampleFinder:
    """Which samples are meant by what is typed; words of a sample are put together once."""

    _words: dict[str, tuple[Hashable, Words]] = field(default_factory=dict)
    _facts: Mapping[str, Facts] | None = None
    _known: set[str] = field(default_factory=set)

    def find(
        self, typed: str, samples: list[SampleView], facts: Mapping[str, Facts]
    ) -> list[SampleView]:
        if facts is not self._facts:
            planned = {planned_facts(s) for s in samples if s.key not in facts}
            self._facts, self._known = facts, known_labels({*facts.values(), *planned})
        query = Query(typed, self._known)
        return [s for s in samples if query.matches(self._of(s, facts.get(s.key)))]

    def _of(self, sample: SampleView, known_facts: Facts | None) -> Words:
        facts = planned_facts(sample) if known_facts is None else known_facts
        state = (sample.state, sample.stop_reason, sample.grade_status, facts)
        known = self._words.get(sample.key)
        if known is None or known[0] != state:
            name = f"{sample.task_id}@{sample.epoch} #{sample.epoch} {sample.key}"
            known = self._words[sample.key] = (state, words_of(name, labels(sample, facts)))
        return known[1]


@dataclass
class SampleBlocks:
    """``refresh`` sorts and filters anew; between that only the lines change. facts: by sample,
    as far as they are known."""

    view: RunView
    facts: Mapping[str, Facts] = field(default_factory=dict)
    sort: str = "plan"
    backwards: bool = False
    words: str = ""
    empty: str = "No sample matches.\nEscape clears the filter."
    shown: list[SampleView] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)
    _epochs: bool = False
    _finder: SampleFinder = field(default_factory=SampleFinder)

    def refresh(self) -> None:
        samples = list(self.view.samples.values())
        if self.words.strip():
            samples = self._finder.find(self.words, samples, self.facts)
        samples.sort(key=SORTS[self.sort])
        if self.backwards:
            samples.reverse()
        self.shown = samples
        self._places = {sample.key: place for place, sample in enumerate(samples)}
        self._epochs = any(sample.epoch > 1 for sample in samples)

    def next_sort(self) -> str:
        names = list(SORTS)
        self.sort = names[(names.index(self.sort) + 1) % len(names)]
        return self.sort

    def __len__(self) -> int:
        return len(self.shown)

    def key(self, index: int) -> Hashable:
        return self.shown[index].key

    def index_of(self, key: Hashable) -> int | None:
        return self._places.get(str(key))

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self) - start)

    def revision(self, index: int) -> Hashable:
        s = self.shown[index]
        return (s.state, s.turn, s.note, s.partial, s.stop_reason, s.seconds, self.facts.get(s.key))

    def lines(self, index: int, width: int) -> list[Line]:
        sample = self.shown[index]
        mark, facts = STATES[sample.state], self.facts.get(sample.key, NONE)
        name = clean_line(sample.task_id) + (f" #{sample.epoch}" if self._epochs else "")
        word, detail = pad(mark.word, 10) + " ", sample_detail(sample, facts)
        if width < _BOTH:
            # The sign says that it is not resolved: the word says why.
            why = reason(sample, facts) if sample.state is SampleState.UNRESOLVED else ""
            word = pad(why or mark.word, 14) + " " if width >= _WORD else ""
            detail = detail.removeprefix(why).strip() if why and word else detail
        room = width - 2 - cells(word) - cells(detail) - 2
        if cells(name) > room and (width < _BOTH or cells(detail) > 8):
            room, detail = room + cells(detail), ""  # the name matters more
        spans: Line = (
            (f"{mark.symbol} ", mark.role),
            (word, mark.role),
            (pad(middle(name, max(8, room)), max(8, room)), "text"),
            (f" {detail}", "muted"),
        )
        return [spans]

    def toggle(self, index: int) -> bool:
        return False

    def text(self, index: int) -> str:
        return self.shown[index].key


def sample_detail(sample: SampleView, facts: Facts = NONE) -> str:
    """A few characters on how far it is, or how it ended."""
    flag = " ⚑" if facts.flags else ""
    match sample.state:
        case SampleState.RUNNING:
            return f"turn {sample.turn}" if sample.turn else "starts"
        case SampleState.UNRESOLVED:
            share = f" {100 * sample.partial:.0f} %" if sample.partial else ""
            return reason(sample, facts) + share + flag
        case SampleState.NO_SCORE:
            return reason(sample, facts)
        case SampleState.RESOLVED | SampleState.TAMPERED:
            digits = 1 if sample.seconds < 10 else 0
            return (f"{sample.seconds:.{digits}f} s" if sample.seconds else "") + flag
    return ""


def sample_title(sample: SampleView, facts: Facts = NONE, *, epochs: bool) -> Line:
    """The line above a sample's tabs."""
    mark = STATES[sample.state]
    title: list[Span] = [
        (clean_line(sample.task_id), "strong"),
        (f" #{sample.epoch}" if epochs else "", "muted"),
        (f"  {mark.symbol} {mark.word}", mark.role),
    ]
    if detail := sample_detail(sample, facts):
        title.append((f"  {detail}", "text"))
    if sample.attempt > 1:
        title.append((f"  attempt {sample.attempt}", "muted"))
    if sample.note:
        title.append((f"  {clean_line(sample.note, 80)}", "retry"))
    return tuple(title)
