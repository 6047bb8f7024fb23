"""What ``samples.jsonl`` adds to a run's list of samples: scores as ``proctor show`` has them, and
facts of each sample. Read in a thread of its own, new lines only."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter

from harness.errors import ProctorError, StorageError
from harness.events.run import SampleFinished
from harness.outcome import SampleState, Verdict, is_final
from harness.plan import Plan
from harness.report.scores import ScoreRow, Summary, score_row, summarise_rows
from harness.state.view import RunView
from harness.store import layout
from harness.store.lines import decode, read_lines
from harness.store.records import SampleRecord
from harness.store.task_score import headline, task_rates
from tui.model.reasons import Facts, facts_of
from tui.model.score_lines import plain_lines, score_lines
from tui.plain import clean_line
from tui.render.lines import Line

# Once a second at most; what took a second is made anew ten seconds later at the earliest, or when
# nothing came for a while, or the run has ended.
_LEAST_S, _REST = 1.0, 10.0
_LOOK_S = 0.5
_RECORD: TypeAdapter[SampleRecord] = TypeAdapter(SampleRecord)


class Records:
    """``facts`` by sample and ``summary``; both are replaced, never changed, by ``read``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / layout.SAMPLES
        self._offset = 0
        self._rows: dict[str, ScoreRow] = {}
        self._same: dict[Facts, Facts] = {}
        self.facts: dict[str, Facts] = {}
        self.plain: list[float | None] = []
        self.summary: Summary | None = None
        self.problem = ""
        self.stale = True
        self._busy = False
        self._after = self._quiet = self._looked = 0.0
        self._size = -1

    def heard(self) -> None:
        """The run has told something."""
        self.stale, self._quiet = True, time.monotonic() + _LEAST_S

    def hurry(self) -> None:
        """The run has ended: the rest is read at once."""
        self.stale, self._after = True, 0.0

    def due(self, *, running: bool) -> bool:
        """Whether there is something new and it is time to read it: while the run goes on, that
        may take but a part of a machine."""
        now = time.monotonic()
        if self._busy:
            return False
        if not self.stale and now >= self._looked + _LOOK_S:  # the file may come after the log
            self._looked = now
            self.stale = self._file_size() != self._size
        return self.stale and (not running or now >= min(self._after, self._quiet))

    def _file_size(self) -> int:
        try:
            return self._path.stat().st_size
        except OSError:
            return -1

    async def renew(self, plan: Plan, view: RunView, told: Callable[[], None]) -> None:
        """``read`` in a thread, nothing when that is being done. ``told`` is called when there is
        something new: the first time, before scipy is there, of the plain scores."""
        if self._busy:
            return
        began, self._busy, self.stale = time.monotonic(), True, False
        first, self._size = self.summary is None, self._file_size()
        try:
            if first:
                await asyncio.to_thread(self.read_plain, plan)
                told()
            await asyncio.to_thread(self.read, plan, unscored(view))
        finally:
            self._busy = False
        now = time.monotonic()
        rest = 0.0 if first else _REST * (now - began)  # the first time is mostly scipy's
        self._after = now + max(_LEAST_S, rest)
        self._quiet = max(self._quiet, now + _LEAST_S)
        told()

    def lines(self, plan: Plan, width: int, most: int) -> list[Line]:
        """The scores for the top of the run."""
        if self.problem:
            return [((" score unknown: ", "label"), (clean_line(self.problem), "error"))]
        if self.summary is None or self.summary.plan != plan.digest:
            return plain_lines(self.plain, plan, width, most) or [((" score …", "muted"),)]
        return score_lines(self.summary, plan, width, most)

    def read(self, plan: Plan, unscored: Iterable[SampleFinished] = ()) -> None:
        """Take in new lines and make the summary anew. Takes a second for many thousand samples,
        the first time more: scipy is loaded. What cannot be read is told in ``problem``."""
        try:
            self._take_in()
            self.summary = summarise_rows(self._rows.values(), plan, unscored=unscored)
            self.problem = ""
        except (ProctorError, OSError) as error:
            self.summary = None
            self.problem = error.what if isinstance(error, ProctorError) else str(error)

    def read_plain(self, plan: Plan) -> None:
        """Take in new lines and make the scores alone, without what takes long."""
        self.read_facts()
        solved: dict[str, list[tuple[str, bool]]] = {suite.name: [] for suite in plan.suites}
        for row in self._rows.values():
            if row.suite in solved:
                solved[row.suite].append((row.task_id, row.verdict is Verdict.RESOLVED))
        self.plain = [headline(suite, task_rates(solved[suite.name])) for suite in plan.suites]

    def read_facts(self) -> None:
        """Take in new lines alone."""
        # A filter by facts finds less then; whoever opens the run is told why.
        with suppress(ProctorError, OSError):
            self._take_in()

    @property
    def kinds(self) -> list[Facts]:
        """All facts that there are, each once."""
        return list(self._same)

    def _take_in(self) -> None:
        if not self._path.exists():
            return
        if self._path.stat().st_size < self._offset:  # another file of the same name
            self._offset, self._rows, self.facts = 0, {}, {}
        facts = dict(self.facts)
        try:
            for line in read_lines(self._path, self._offset):
                self._take(line, facts)
        finally:
            if facts != self.facts:
                self.facts = facts

    def _take(self, line: bytes, facts: dict[str, Facts]) -> None:
        try:
            record = decode(line, _RECORD)
        except ValueError as error:
            raise StorageError(
                f"the record at byte {self._offset} cannot be read: {str(error)[:200]}",
                where=str(self._path),
            ) from None
        self._offset += len(line)
        if is_final(record.verdict):
            self._rows[record.sample] = score_row(record)
            found = facts_of(record, self._folder)
            facts[record.sample] = self._same.setdefault(found, found)


def unscored(view: RunView) -> list[SampleFinished]:
    """The endings of samples that have no score, as the run's log told them."""
    return [
        SampleFinished(
            sample=s.key,
            suite=s.suite,
            task_id=s.task_id,
            epoch=s.epoch,
            attempt=s.attempt,
            verdict=Verdict.NO_SCORE,
            stop_reason=s.stop_reason or "",
            grade_status=s.grade_status,
            usage=s.usage,
            seconds=s.seconds,
            error=s.error,
        )
        for s in view.samples.values()
        if s.state is SampleState.NO_SCORE
    ]
