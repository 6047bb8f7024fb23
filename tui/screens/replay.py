"""A recording: the sample's tabs with a transport bar. Tree and differences follow the place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType

from harness.errors import ProctorError, UsageError
from harness.state.follow import RunFollower
from harness.state.view import SampleView
from harness.store import layout
from tui.bindings import bindings
from tui.model.marks import MarkName, next_mark
from tui.model.reasons import NONE, Facts, examples, reason
from tui.model.records import Records
from tui.model.samples import SampleFinder
from tui.model.source import ReplaySource, run_of
from tui.model.timeline import Timeline
from tui.plain import clean_line, plural
from tui.render.lines import Line
from tui.screens.base import ProctorScreen
from tui.screens.choose import Choose
from tui.screens.dialogs import Type
from tui.theme import STATES, verdict_mark
from tui.widgets.key_bar import KeyBar
from tui.widgets.sample_pane import SamplePane
from tui.widgets.transport import Transport

_TICK_S = 1 / 15
# Events whose state is worked out before the screen gets its turn: a millisecond or two.
_SLICE = 60


@dataclass(frozen=True)
class Recording:
    """A transcript that can be replayed: a file, or the part of one."""

    key: str
    path: Path
    offset: int = 0
    length: int | None = None
    sample: SampleView | None = None

    @property
    def name(self) -> str:
        """As people know it: the key has a digest where the task's id is no file name."""
        if self.sample is None:
            return clean_line(self.key)
        return f"{clean_line(self.sample.task_id)}@{self.sample.epoch}"


def recordings(target: Path) -> list[Recording]:
    """All recordings of a run folder, or the one of a file. Raises ProctorError."""
    if target.is_file():
        return [Recording(target.stem, target)]
    follower = RunFollower(target)
    try:
        view = follower.catch_up()
    finally:
        follower.close()
    found = []
    for sample in view.samples.values():
        own = target / layout.attempt_file(sample.key, sample.attempt)
        if sample.attempt and own.exists():
            found.append(Recording(sample.key, own, sample=sample))
        elif sample.transcript is not None:
            part = sample.transcript
            path = target / part.file
            if path.resolve().is_relative_to(target.resolve()):
                found.append(Recording(sample.key, path, part.offset, part.length, sample))
    if not found:
        raise UsageError("this run has no transcript yet", where=str(target))
    return found


def _option(recording: Recording, facts: Facts) -> Line:
    if recording.sample is None:
        return ((recording.name, "text"),)
    mark = STATES[recording.sample.state]
    why = reason(recording.sample, facts)
    return (
        (f"{mark.symbol} {mark.word:<11}", mark.role),
        (recording.name, "text"),
        (f"  {why}" if why else "", "muted"),
    )


class ReplayScreen(ProctorScreen):
    """``sample``: a key, or a unique beginning of one. Raises ProctorError when made."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("replay")

    def __init__(self, target: Path, sample: str | None = None, speed: float | None = None) -> None:
        super().__init__()
        self._all = recordings(target)
        self._run = run_of(target / "x") if target.is_dir() else run_of(target)
        self._records = Records(self._run) if self._run is not None else None
        self._at = self._find(sample)
        self._speed = speed
        self.source: ReplaySource | None = None
        self._behind = False
        # Read at once, so that what is wrong is said before the screen is there.
        self._first: ReplaySource | None = self._read(self._all[self._at])

    def _find(self, sample: str | None) -> int:
        if sample is None:
            return 0
        keys = [recording.key for recording in self._all]
        if sample in keys:
            return keys.index(sample)
        found = [n for n, key in enumerate(keys) if key.startswith(sample)]
        if len(found) != 1:
            word = "no sample" if not found else "more than one sample"
            raise UsageError(f"{word} of this run is called {sample!r}", remedy=", ".join(keys[:6]))
        return found[0]

    def _read(self, recording: Recording) -> ReplaySource:
        return ReplaySource(recording.path, recording.offset, recording.length)

    def compose(self) -> ComposeResult:
        yield SamplePane()
        yield Transport(id="transport")
        yield KeyBar()
        yield self.too_small()

    def on_mount(self) -> None:
        self._begin(self._first or self._read(self._all[self._at]))
        self._first = None
        if self._speed is not None and self.source is not None:
            self.source.timeline.set_speed(self._speed)
            self.action_play()
        self.set_interval(_TICK_S, self._tick)

    @property
    def pane(self) -> SamplePane:
        return self.query_one(SamplePane)

    def _begin(self, source: ReplaySource) -> None:
        recording = self._all[self._at]
        self.source = source
        self.pane.show(source, self._run, recording.key, empty="")
        self._behind = True
        self._moved(follow=False)
        self.call_after_refresh(self.pane.focus_content)

    # --- time

    def _tick(self) -> None:
        source = self.source
        if source is None:
            return
        playing = source.timeline.playing
        if source.timeline.tick(self.proctor.clock()):
            self._moved()
        elif playing:
            self._show_transport()

    def _moved(self, *, follow: bool = True) -> None:
        """The position changed: rows, view and bars follow."""
        source = self.source
        if source is None:
            return
        source.sync()
        self._behind = not source.prepare(_SLICE)
        if self._behind:
            # The place is shown first; tree, tests and verdict of a far one are worked out then.
            self.call_after_refresh(self._catch_up)
        transcript = self.pane.list("transcript")
        transcript.follow = follow
        self.pane.update()
        transcript.follow = False
        self._show_transport()
        self._show_title()

    @work(exclusive=True, group="catch-up")
    async def _catch_up(self) -> None:
        """Bring the view to a far position, a little at a time: keys are heard in between."""
        source = self.source
        while source is not None and source is self.source and not source.prepare(_SLICE):
            await self.proctor.quiet()
        if source is not None and source is self.source and not source.closed:
            self._behind = False
            self.pane.update()
            self._show_title()

    def _show_transport(self) -> None:
        self.query_one(Transport).show(self.source.timeline if self.source else None)
        self.refresh_bindings()

    def _show_title(self) -> None:
        recording, source = self._all[self._at], self.source
        title: list[tuple[str, str]] = [
            ("Replay  ", "title"),
            (recording.name, "strong"),
        ]
        if source is not None:
            verdict = source.view.verdict
            if verdict is not None:
                mark = verdict_mark(verdict)
                title.append((f"  {mark.symbol} {mark.word}", mark.role))
            elif source.timeline.at_end and not self._behind:
                title.append(("  the recording ends without a verdict", "warn"))
            if source.view.damaged:
                title.append((f"  {plural(source.view.damaged, 'damaged line')}", "warn"))
        right: Line = ()
        if len(self._all) > 1:
            right = ((f"sample {self._at + 1} of {len(self._all)}, t chooses", "muted"),)
        self.pane.put_title(tuple(title), right)

    # --- keys

    def action_play(self) -> None:
        if self.source is not None:
            self.source.timeline.play()
            self.source.timeline.tick(self.proctor.clock())
            self._moved()

    def action_step(self, events: int) -> None:
        self._seek(lambda timeline: timeline.step(events))

    def action_step_turn(self, turns: int) -> None:
        self._seek(lambda timeline: timeline.step_turn(turns))

    def action_start(self) -> None:
        self._seek(lambda timeline: timeline.seek(0))

    def action_finish(self) -> None:
        self._seek(lambda timeline: timeline.seek(len(timeline)))

    def action_mark(self, name: MarkName) -> None:
        if self.source is not None and not self.source.timeline.mark(name):
            some = next_mark(self.source.rows, 0, name) is not None
            where = "after this place" if some else "in this recording"
            self.say(f"There is no {name} {where}.")
        self._moved()

    def action_speed(self, steps: int) -> None:
        if self.source is not None:
            self.source.timeline.faster(steps)
            self._show_transport()

    def action_skip(self) -> None:
        if self.source is not None:
            self.source.timeline.skip_waiting = not self.source.timeline.skip_waiting
            self._show_transport()

    @work
    async def action_goto(self) -> None:
        hint = "50% of the events, turn 3, or #120 for an event"
        answer = await self.app.push_screen_wait(Type("Go to", [("", "")], hint))
        if answer is None or self.source is None:
            return
        if not self.source.timeline.goto(answer[0]):
            self.say(f"There is no such place: {clean_line(answer[0], 60)}. {hint}", error=True)
        self._moved()

    def _seek(self, seek: Callable[[Timeline], None]) -> None:
        if self.source is not None:
            seek(self.source.timeline)
            self._moved()

    @on(Transport.Seek)
    def _clicked(self, event: Transport.Seek) -> None:
        if self.source is not None:
            self.source.timeline.seek(round(event.share * len(self.source.timeline)))
            self._moved()

    def action_sample(self, step: int) -> None:
        self._switch((self._at + step) % len(self._all))

    @work
    async def action_choose(self) -> None:
        records = self._records
        if records is None:
            return
        await asyncio.to_thread(records.read_facts)
        facts, finder = records.facts, SampleFinder()
        samples = [each.sample for each in self._all if each.sample is not None]
        options = [(each.key, _option(each, facts.get(each.key, NONE))) for each in self._all]

        def find(typed: str) -> set[str]:
            return {sample.key for sample in finder.find(typed, samples, facts)}

        current = self._all[self._at].key
        ask = Choose("Replay a sample", options, current, find=find, hint=examples(records.kinds))
        chosen = await self.app.push_screen_wait(ask)
        if chosen is not None:
            self._switch(next(n for n, r in enumerate(self._all) if r.key == chosen))

    def _switch(self, at: int) -> None:
        if at == self._at:
            return
        try:
            source = self._read(self._all[at])
        except ProctorError as error:
            self.say(str(error), error=True)
            return
        self._at = at
        self._begin(source)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("sample", "choose"):
            return len(self._all) > 1
        return True

    def action_back(self) -> None:
        if self.pane.searching:
            self.pane.clear_search()
        else:
            self.proctor.leave()
