"""The samples of a run as a list: sorted, filtered, one line each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from harness.outcome import END_POLICY, SampleState, StopReason
from harness.state.view import RunView, SampleView
from tui.plain import clean_line
from tui.render.lines import Line, Span, cells, middle, pad
from tui.theme import STATES

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
class SampleBlocks:
    """``refresh`` sorts and filters anew; between that only the lines change."""

    view: RunView
    sort: str = "plan"
    backwards: bool = False
    words: str = ""
    empty: str = "No sample matches.\nEscape clears the filter."
    shown: list[SampleView] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)
    _epochs: bool = False

    def refresh(self) -> None:
        words = self.words.lower().split()
        samples = [s for s in self.view.samples.values() if all(w in _text(s) for w in words)]
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
        return (s.state, s.turn, s.note, s.partial, s.stop_reason, s.seconds)

    def lines(self, index: int, width: int) -> list[Line]:
        sample = self.shown[index]
        mark = STATES[sample.state]
        name = clean_line(sample.task_id) + (f" #{sample.epoch}" if self._epochs else "")
        detail = sample_detail(sample)
        word = f"{mark.word:<11}" if width >= 34 else ""
        room = width - 2 - cells(word) - cells(detail) - 2
        if cells(name) > room and cells(detail) > 8:
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


def sample_detail(sample: SampleView) -> str:
    """A few characters on how far it is, or how it ended."""
    match sample.state:
        case SampleState.RUNNING:
            return f"turn {sample.turn}" if sample.turn else "starts"
        case SampleState.UNRESOLVED:
            return f"{100 * sample.partial:.0f} %" if sample.partial else ""
        case SampleState.NO_SCORE:
            return ending(sample)
        case SampleState.RESOLVED | SampleState.TAMPERED:
            digits = 1 if sample.seconds < 10 else 0
            return f"{sample.seconds:.{digits}f} s" if sample.seconds else ""
    return ""


def sample_title(sample: SampleView, *, epochs: bool) -> Line:
    """The line above a sample's tabs."""
    mark = STATES[sample.state]
    title: list[Span] = [
        (clean_line(sample.task_id), "strong"),
        (f" #{sample.epoch}" if epochs else "", "muted"),
        (f"  {mark.symbol} {mark.word}", mark.role),
    ]
    if detail := sample_detail(sample):
        title.append((f"  {detail}", "text"))
    if sample.attempt > 1:
        title.append((f"  attempt {sample.attempt}", "muted"))
    if sample.note:
        title.append((f"  {clean_line(sample.note, 80)}", "retry"))
    return tuple(title)


def ending(sample: SampleView) -> str:
    """How it ended, in the policy table's words."""
    known = {reason.value for reason in StopReason}
    if sample.stop_reason in known:
        return END_POLICY[StopReason(sample.stop_reason)].label
    return clean_line(sample.stop_reason or "", 40)


def _text(sample: SampleView) -> str:
    word = STATES[sample.state].word
    return f"{sample.key} {sample.suite} {word} {ending(sample)}".lower()
