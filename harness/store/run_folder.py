"""A run's folder: made once, opened by viewers freely and written by one runner at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from harness.errors import ConflictError, StorageError, UsageError
from harness.events.sample import AttemptStarted
from harness.ids import new_run_id
from harness.plan import Launch, Plan
from harness.sandbox.protocol import Attestation
from harness.store import layout
from harness.store.appender import Appender, cut_torn_line
from harness.store.atomic import sweep, write_atomic
from harness.store.faults import storage_error
from harness.store.history import RunHistory, read_history
from harness.store.lock import FolderLock
from harness.store.plan_file import read_plan
from harness.store.records import SampleRecord, TranscriptRef
from harness.store.samples import Records, SampleIndex, SampleWriter
from harness.store.sessions import SessionFiles, SessionInfo
from harness.store.shots import ShotFiles
from harness.store.sink import AttemptSink, SinkParts
from harness.store.summary import RunSummary, summarise_folder, write_summary
from harness.store.transcript import EventWriter
from harness.store.trees import BlobStore, TreeStore


def default_runs_dir() -> Path:
    """Folder of all runs: PROCTOR_RUNS, else under the user's data folder."""
    chosen = os.environ.get("PROCTOR_RUNS")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("proctor")) / "runs"


@dataclass
class _Owned:
    """What the lock's holder writes to."""

    lock: FolderLock
    parts: SinkParts
    run_file: Appender
    samples: SampleWriter
    history: RunHistory


class RunFolder:
    """A run folder. Reading needs nothing; writing happens inside ``with folder.lock():``."""

    def __init__(self, path: Path, plan: Plan, plan_digest: str) -> None:
        self.path = path
        self.plan = plan
        self.plan_digest = plan_digest
        self.sessions = SessionFiles(path)
        self.blobs = BlobStore(path / layout.BLOBS)
        self.trees = TreeStore(path / layout.TREES)
        self.index = SampleIndex(path / layout.SAMPLES)
        self._owned: _Owned | None = None
        self._read: tuple[int, RunHistory] | None = None

    @classmethod
    def create(cls, root: Path, plan: Plan, launch: Launch) -> RunFolder:
        """Make a folder under ``root`` (made where missing), with its plan and first session.

        Raises StorageError where that cannot be written: before any token is spent.
        """
        path = root / new_run_id([suite.name for suite in plan.suites], plan.model.name)
        try:
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.mkdir(mode=0o700)
            for name in (layout.SESSIONS, layout.TRANSCRIPTS, layout.LIVE):
                (path / name).mkdir(mode=0o700)
        except OSError as error:
            raise storage_error(error, path) from error
        folder = cls(path, plan, plan.digest)
        folder.add_session(launch)
        write_atomic(path / layout.PLAN, plan.canonical() + b"\n")
        return folder

    @classmethod
    def open(cls, path: Path | str) -> RunFolder:
        """Open an existing run; nothing is written.

        Raises UsageError (not a run, or of a newer version), StorageError (unreadable),
        ConflictError (its plan was edited).
        """
        path = Path(path)
        plan, digest = read_plan(path)
        folder = cls(path, plan, digest)
        folder.index.refresh()
        return folder

    @property
    def run_id(self) -> str:
        return self.path.name

    # --- sessions

    def session(self, number: int) -> SessionInfo:
        """Raises StorageError."""
        return self.sessions.read(number)

    def latest_session(self) -> SessionInfo:
        """The last session made for the present plan. Raises StorageError."""
        for number in reversed(self.sessions.numbers()):
            info = self.sessions.read(number)
            if info.plan == self.plan_digest:
                return info
        raise StorageError("the run has no session file", where=str(self.path / layout.SESSIONS))

    @property
    def launch(self) -> Launch:
        """How the latest session carries the plan out."""
        return self.latest_session().launch

    def add_session(self, launch: Launch, *, plan_digest: str | None = None) -> SessionInfo:
        """Write the file of a session that a runner will take up. Raises StorageError."""
        control = self.path / layout.CONTROL
        info = SessionInfo(
            session=max(self.sessions.numbers(), default=0) + 1,
            plan=plan_digest or self.plan_digest,
            launch=launch,
            created=datetime.now(UTC),
            control_offset=control.stat().st_size if control.exists() else 0,
        )
        self.sessions.write(info)
        return info

    def begin_session(self, host: str) -> SessionInfo:
        """Take up the session that waits, or another one like the last. Raises StorageError."""
        self._own()
        info = self.latest_session()
        if info.started is not None:
            info = self.add_session(info.launch)
        info = info.model_copy(
            update={"started": datetime.now(UTC), "host": host, "pid": os.getpid()}
        )
        self.sessions.write(info)
        return info

    def withdraw_session(self) -> None:
        """Remove the session that waits: it was refused, and the next one is to be carried out
        like the last that began. A run's only session stays."""
        with suppress(ConflictError, StorageError), self.lock():
            info = self.latest_session()
            earlier = [n for n in self.sessions.numbers() if n < info.session]
            if info.started is None and any(self.session(n).plan == info.plan for n in earlier):
                self.sessions.remove(info.session)

    def attest(self, session: int, attestation: Attestation) -> None:
        """Keep which containment a session had. Raises StorageError."""
        info = self.sessions.read(session)
        self.sessions.write(info.model_copy(update={"attestation": attestation}))

    # --- reading

    def records(self) -> Mapping[str, SampleRecord]:
        """The last final record of each sample, read from the file as each is asked for."""
        if self._owned is None:
            self.index.refresh()
        return Records(self.index)

    def attempts(self, sample: str) -> list[int]:
        """Numbers of the attempts at a sample that were begun. Raises StorageError."""
        return list(range(1, self._past().attempts.get(sample, 0) + 1))

    def transcript_of(self, sample: str) -> TranscriptRef | None:
        """Transcript of the attempt that counts, else of the last one; None when there is none.

        Raises StorageError.
        """
        if sample in self.records():
            return self.index.read(sample).transcript
        past = self._past()
        own = layout.attempt_file(sample, past.attempts.get(sample, 0))
        if (self.path / own).exists():
            return TranscriptRef(file=own)
        return past.transcripts.get(sample)

    def _past(self) -> RunHistory:
        """What the run log says, read again only when it grew."""
        if self._owned is not None:
            return self._owned.history
        log = self.path / layout.RUN_LOG
        size = log.stat().st_size if log.exists() else 0
        if self._read is None or self._read[0] != size:
            self._read = (size, read_history(log))
        return self._read[1]

    def transcript_path(self, reference: TranscriptRef) -> Path:
        """The file of a reference; one that leads out of the folder raises StorageError."""
        path = self.path / reference.file
        if not path.resolve().is_relative_to(self.path.resolve()):
            raise StorageError("a transcript lies outside of its run", where=reference.file)
        return path

    # --- writing

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Own the folder: torn last lines are cut, then events and records can be written.

        Nested uses in one process are one. Raises ConflictError when another process owns it,
        StorageError.
        """
        if self._owned is not None:
            yield
            return
        lock = FolderLock(self.path)
        lock.acquire()
        try:
            self._owned = self._take(lock)
            try:
                yield
            finally:
                owned, self._owned = self._owned, None
                owned.parts.shots.close()
                owned.samples.close()
                owned.run_file.close()
        finally:
            lock.release()

    def _take(self, lock: FolderLock) -> _Owned:
        run_log, samples = self.path / layout.RUN_LOG, self.path / layout.SAMPLES
        cut_torn_line(run_log)
        cut_torn_line(samples)
        self.index.refresh()
        history = read_history(run_log)
        run_file = Appender(run_log)
        parts = SinkParts(
            folder=self.path,
            run_log=EventWriter(run_file, seq=history.seq, elapsed=history.elapsed),
            shots=ShotFiles(self.path),
            blobs=self.blobs,
            trees=self.trees,
        )
        for stale in (self.path / layout.LIVE).glob("*.jsonl"):
            stale.unlink(missing_ok=True)  # of attempts that died with their runner
        own = [self.path, *(self.path / name for name in (layout.SESSIONS, layout.TREES))]
        for place in (*own, *(self.path / layout.BLOBS).glob("*")):
            sweep(place)
        return _Owned(lock, parts, run_file, SampleWriter(samples, self.index), history)

    def _own(self) -> _Owned:
        if self._owned is None:
            raise UsageError("the folder is written to without its lock", where=str(self.path))
        return self._owned

    @property
    def run_log(self) -> EventWriter:
        """Appends RunEvents. Raises UsageError without the lock."""
        return self._own().parts.run_log

    @property
    def parts(self) -> SinkParts:
        return self._own().parts

    @property
    def samples(self) -> SampleWriter:
        return self._own().samples

    @property
    def history(self) -> RunHistory:
        """What the run log said when the lock was taken."""
        return self._own().history

    def append_record(self, record: SampleRecord) -> None:
        """Append one final record and make it durable. Raises StorageError."""
        self.samples.append([record])

    def sample_sink(self, header: AttemptStarted, *, shared: bool) -> AttemptSink:
        """Where an attempt's events go; ``shared`` for single-shot suites. Raises StorageError."""
        return AttemptSink(self.parts, header, shared=shared)

    def beat(self) -> None:
        """Renew the lock's time."""
        self._own().lock.beat()

    def write_summary(self, *, without_score: int, ended: str | None = None) -> RunSummary:
        """Derive ``summary.json``. Raises StorageError."""
        first = self.sessions.read(1)
        summary = summarise_folder(
            self.run_id,
            self.plan,
            self.plan_digest,
            self.index,
            name=self.launch.name,
            created=first.created,
            without_score=without_score,
            ended=ended,
        )
        write_summary(self.path, summary, sync=ended is not None)
        return summary
