"""A run: its samples at the left, the chosen one at the right; the same live and afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from harness.control import CommandName
from harness.errors import ProctorError
from harness.outcome import SampleState
from harness.state.follow import RunFollower
from harness.state.view import FINAL_STATES, SampleView
from harness.store import layout
from harness.store.labels import read_labels
from tui.bindings import bindings
from tui.commands import proctor
from tui.model import progress
from tui.model.orders import Orders
from tui.model.reasons import NONE
from tui.model.records import Records
from tui.model.samples import sample_title
from tui.model.source import LiveSource
from tui.plain import clean_line
from tui.screens.base import ProctorScreen
from tui.screens.dialogs import Ask
from tui.screens.leaving import leave_question
from tui.screens.scores import Scores
from tui.widgets.block_list import BlockList
from tui.widgets.key_bar import KeyBar
from tui.widgets.run_header import RunHeader
from tui.widgets.sample_pane import SamplePane
from tui.widgets.sample_side import SampleSide

POLL_S = 1 / 15
# Rows that jump about cannot be read: sorting waits this long.
SORT_S = 1.0
# What a transcript that is far behind may take of a frame, in polls.
_CATCH_UP = 4
_AT_WORK = (SampleState.RUNNING, SampleState.GRADING)


class RunScreen(ProctorScreen):
    """``folder`` is a run folder. Raises ProctorError when it cannot be read."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("run")
    SCORE_LINES = 3

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.follower = RunFollower(folder)
        self.follower.catch_up()
        self.orders = Orders(folder)
        self.following = self._was_running = self.follower.running
        self.chosen: str | None = None
        self._run_name = read_labels(folder)[0]
        self._source: LiveSource | None = None
        self._sorted, self._unsorted = 0.0, False
        self._end_told = 0 if self.following else self.follower.view.session
        self._heard: tuple[float, float] | None = None
        self.records = Records(folder)
        self._gone = False

    def compose(self) -> ComposeResult:
        yield RunHeader(id="run-header")
        with Horizontal(id="run-body"):
            yield SampleSide(self.follower.view, id="run-left")
            yield SamplePane()
        yield KeyBar()
        yield self.too_small()

    def on_mount(self) -> None:
        first = self._active() or next(iter(self.follower.view.samples.values()), None)
        if first is not None:
            self._choose(first.key)
        else:
            self.pane.show(None, self.folder, "", empty="This run has no sample.")
        self._show_header()
        self.call_after_refresh(self._read_records)  # not before the first picture stands
        self.set_interval(POLL_S, self._poll)
        self.call_after_refresh(self.take_focus)

    def take_focus(self) -> None:
        """Once, at the beginning."""
        self.set_focus(self.side.shown)

    @property
    def pane(self) -> SamplePane:
        return self.query_one(SamplePane)

    @property
    def side(self) -> SampleSide:
        return self.query_one(SampleSide)

    # --- following

    def _poll(self) -> None:
        # A question or the scores above this screen tell of the run: it goes on below.
        if self._gone or not (self.is_current or isinstance(self.app.screen, Ask | Scores)):
            return
        if not (self.folder / layout.PLAN).exists():
            self._gone = True
            self.say("This run was deleted. What is shown is all there is.", error=True)
            return
        if self.follower.poll():
            self.records.heard()
            self._unsorted = True
            self._run_changed()
        self._sort()
        self._poll_sample()
        view = self.follower.view
        if self.follower.running:
            self._was_running = True
            self._show_header()
        elif self._was_running or (view.ended is not None and view.session > self._end_told):
            self._ended()
        if self.records.due(running=self.follower.running):
            self._read_records()

    def _sort(self) -> None:
        now = self.proctor.clock()
        if self._unsorted and (now - self._sorted >= SORT_S or len(self.side.samples) == 0):
            self._sorted, self._unsorted = now, False
            self.side.sort()

    def _run_changed(self) -> None:
        self._heard = (self.proctor.clock(), self.follower.view.elapsed)
        self.side.shown.relayout()
        if self.following and (active := self._active()) and active.key != self.chosen:
            chosen = self._sample()
            if chosen is None or chosen.state not in _AT_WORK:
                self._choose(active.key)
        if refused := list(self.orders.refused(self.follower.view)):
            self.say("\n".join(refused), error=True)
        self._show_header()
        self._show_title()

    def _poll_sample(self) -> None:
        sample = self._sample()
        if sample is None:
            return
        try:
            if self._source is None:
                if sample.attempt == 0:
                    return
                self._source = LiveSource(self.folder, sample)
                self.pane.show(self._source, self.folder, sample.key, empty="")
                return
            changed = False
            for _ in range(_CATCH_UP):
                changed = self._source.poll(sample) or changed
                if not self._source.behind:
                    break
            if changed:
                self.pane.update()
        except (ProctorError, OSError) as error:
            self.say(clean_line(str(error), 400), error=True)
            self._gone = True

    def _ended(self) -> None:
        self._was_running, self._end_told = False, self.follower.view.session
        self.records.hurry()
        self.side.sort()
        self.pane.reload_facts()
        self._tell_outcome()
        self.refresh_bindings()

    def _tell_outcome(self) -> None:
        self.say(f"The run is {progress.outcome(self.follower.view)}.")

    def _active(self) -> SampleView | None:
        """The running sample that began last; None when nothing runs."""
        running = (s for s in self.follower.view.samples.values() if s.state in _AT_WORK)
        return max(running, key=lambda s: s.began or 0.0, default=None)

    def _sample(self) -> SampleView | None:
        return self.follower.view.samples.get(self.chosen or "")

    def _choose(self, key: str) -> None:
        self.chosen = self.side.chosen = key
        sample = self._sample()
        self._source = None
        if sample is not None and sample.attempt:
            self._source = LiveSource(self.folder, sample)
            self.pane.show(self._source, self.folder, key, empty="")
        else:
            word = "This sample waits for its turn." if self.follower.running else "Not run yet."
            hint = "" if self.follower.running else "Ctrl+R resumes the run."
            self.pane.show(None, self.folder, key, empty=f"{word}\n{hint}".strip())
        index = self.side.samples.index_of(key)
        if index is not None:
            self.side.shown.move_to(index)
        self._show_title()
        self.refresh_bindings()

    # --- showing

    def _show_header(self) -> None:
        view = self.follower.view
        elapsed = view.elapsed
        if self._heard is not None and self.follower.running:
            elapsed = self._heard[1] + self.proctor.clock() - self._heard[0]
        self.query_one(RunHeader).show(
            view,
            self.follower.plan,
            name=self._run_name,
            running=self.follower.running,
            scores=self.records.lines(self.follower.plan, self.size.width, self.SCORE_LINES),
            rate=view.rate(elapsed),
            eta_s=view.eta_s(elapsed),
        )

    @work(group="records")
    async def _read_records(self) -> None:
        await self.records.renew(self.follower.plan, self.follower.view, self._show_records)

    def _show_records(self) -> None:
        if self.query(RunHeader):  # else the screen was left meanwhile
            self.side.learn(self.records.facts, self.records.kinds)
            self._show_header()
            self._show_title()

    def action_scores(self) -> None:
        self.app.push_screen(Scores(self.records))

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_header)

    def _show_title(self) -> None:
        sample = self._sample()
        if sample is None:
            return
        facts = self.records.facts.get(sample.key, NONE)
        title = sample_title(sample, facts, epochs=self.follower.plan.epochs > 1)
        if self.orders.awaits(sample.key):
            title = (*title, ("  cancelling …", "warn"))
        mode = ("following", "running") if self.following else ("pinned", "accent")
        self.pane.put_title(title, (mode,) if self.follower.running else ())

    # --- the list of samples

    @on(BlockList.Moved, "#samples")
    def _moved(self, event: BlockList.Moved) -> None:
        event.stop()
        samples = self.side.samples
        key = str(samples.key(event.index)) if event.index < len(samples) else self.chosen
        if key is not None and key != self.chosen:
            self.following = False
            self._choose(key)

    @on(BlockList.Chosen, "#samples")
    def _opened(self, event: BlockList.Chosen) -> None:
        event.stop()
        self._show_pane(True)

    def _show_pane(self, pane: bool) -> None:
        """With room for one only: the sample, or the list."""
        self.set_class(pane, "-sample")
        if pane:
            self.pane.focus_content()
        else:
            self.side.shown.focus()

    def action_other_pane(self) -> None:
        self._show_pane(not self.pane.has_focus_within)

    def action_sample(self, step: int) -> None:
        key = self.side.neighbour(step)
        if key is not None:
            self.following = False
            self._choose(key)

    def action_sort(self) -> None:
        self.say(f"sorted by {self.side.next_sort()}")

    def action_reverse(self) -> None:
        self.side.reverse()

    def action_filter(self) -> None:
        self.side.filter()

    # --- following and pinning

    def action_follow(self) -> None:
        self.following = True
        active = self._active()
        if active is not None:
            self._choose(active.key)
        transcript = self.pane.list("transcript")
        transcript.follow = transcript.growing
        transcript.action_end()
        self._show_title()
        self.refresh_bindings()

    def action_pin(self) -> None:
        self.following = not self.following
        self._show_title()
        self.refresh_bindings()

    # --- commands to the runner

    def _send(self, command: CommandName, sample: str | None = None) -> None:
        try:
            self.orders.send(command, sample)
        except ProctorError as error:
            self.say(str(error), error=True)
        self._show_title()

    @work
    async def action_cancel_sample(self) -> None:
        sample = self._sample()
        if sample is None:
            return
        detail = f"{clean_line(sample.task_id)} gets no score; resuming the run tries it again."
        ask = Ask("Cancel this sample?", detail, ["Cancel the sample"])
        if await self.app.push_screen_wait(ask) == 0:
            self._send("cancel_sample", sample.key)

    @work
    async def action_cancel_run(self) -> None:
        detail = "Samples that are open are closed and stay pending; resuming goes on with them."
        ask = Ask("Stop this run?", detail, ["Stop the run"])
        if await self.app.push_screen_wait(ask) == 0:
            self._send("cancel_run")
            self.say("The run is told to stop.")

    def action_pause(self) -> None:
        self._send("resume" if self.follower.view.paused else "pause")

    @work(exclusive=True, group="resume")
    async def action_resume(self) -> None:
        self.say("Resuming …")
        done = await proctor("run", "--resume", str(self.folder), "--detach", "--json")
        if not done.ok:
            self.say(done.problem, error=True)
        else:
            self.following = True

    def action_replay(self) -> None:
        from tui.screens.replay import ReplayScreen

        sample = self._sample()
        try:
            self.app.push_screen(ReplayScreen(self.folder, sample.key if sample else None))
        except ProctorError as error:
            self.say(str(error), error=True)

    # --- leaving

    def action_back(self) -> None:
        if self.pane.searching:
            self.pane.clear_search()
        elif self.narrow and self.has_class("-sample"):
            self._show_pane(False)
        elif len(self.app.screen_stack) > 2 or not self.follower.running:
            self.proctor.leave()  # home shows it, and it goes on
        else:
            self._ask_to_leave()

    async def ask_before_exit(self) -> bool:
        if not self.follower.running:
            return False
        self._ask_to_leave()
        return True

    @work
    async def _ask_to_leave(self) -> None:
        answer = await self.app.push_screen_wait(leave_question(self.follower))
        if answer == 1:
            self._send("cancel_run")
        if answer is not None:
            self.app.exit()
        elif not self.follower.running:
            self._tell_outcome()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        running = self.follower.running
        sample = self._sample()
        match action:
            case "cancel_run" | "pause":
                return running
            case "follow":
                return running and not self.following
            case "pin":
                return running and self.following
            case "cancel_sample":
                return running and sample is not None and sample.state not in FINAL_STATES
            case "resume":
                return not running and self.follower.view.scored < self.follower.view.planned
            case "replay":
                return sample is not None and sample.attempt > 0
        return True

    def on_unmount(self) -> None:
        self.follower.close()
