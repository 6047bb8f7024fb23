"""What may be left of a disturbed run, and what the resumed one must be."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from harness.outcome import Verdict, is_final
from harness.store import layout
from harness.store.lock import is_running
from harness.store.transcript import read_run_log, read_transcript
from tests.chaos.ground import verdicts
from tests.support.proctor_process import Home, Proctor

GONE_S = 120.0


def gone_in_time(holds: Callable[[], bool], what: Callable[[], str]) -> None:
    """Wait until it holds; ``what`` says what is still there when it does not."""
    deadline = time.monotonic() + GONE_S
    while not holds():
        assert time.monotonic() < deadline, f"after {GONE_S:g} s still there: {what()}"
        time.sleep(0.1)


def processes_of(home: Home) -> list[str]:
    """Processes that were started with the home's folder for temporary files: the runner, its
    reaper, linters, boxes in bubblewrap; whoever forgot to end."""
    mark = f"TMPDIR={home.scratch}".encode()
    found = []
    for process in psutil.process_iter(["pid", "status", "cmdline"]):
        if process.info["status"] == psutil.STATUS_ZOMBIE:
            continue
        with contextlib.suppress(OSError):
            if mark in Path(f"/proc/{process.info['pid']}/environ").read_bytes().split(b"\0"):
                found.append(" ".join(process.info["cmdline"] or [])[:200])
    return found


def mounts_of(home: Home) -> list[str]:
    """Mounts in the home's folders, other than the small disk that a test made."""
    lines = Path("/proc/self/mounts").read_text().splitlines()
    points = [line.split()[1] for line in lines]
    return [p for p in points if p.startswith(f"{home.root}/") and p != str(home.runs)]


def check_aftermath(process: Proctor, home: Home) -> None:
    """Nothing of ours is left on the machine, and what was stored can be read."""
    gone_in_time(lambda: not process.boxes(home.sandbox), lambda: f"{process.boxes(home.sandbox)}")
    gone_in_time(lambda: not processes_of(home), lambda: f"{processes_of(home)}")
    assert mounts_of(home) == []
    left = [path.name for path in home.scratch.iterdir()]
    assert left == [], "temporary files are left"
    folder = process.folder
    if folder is None:
        return
    assert not is_running(folder)
    if process.process.returncode != -signal.SIGKILL:  # which leaves no time to tidy up
        assert list(folder.rglob("*.tmp")) == []
    if (folder / layout.RUN_LOG).exists():
        list(read_run_log(folder / layout.RUN_LOG))
    for transcript in (folder / layout.TRANSCRIPTS).glob("*/*.jsonl"):
        numbers = [event.seq for event in read_transcript(transcript)]
        assert numbers == list(range(1, len(numbers) + 1)), transcript


def check_end(folder: Path, kept: bytes, expected: dict[str, str]) -> None:
    """The resumed run ended as an undisturbed one, and kept what it had."""
    assert (folder / layout.SAMPLES).read_bytes().startswith(kept)
    assert verdicts(folder) == expected
    log = list(read_run_log(folder / layout.RUN_LOG))
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    ended = [e for e in log if e.type == "sample_finished" and is_final(Verdict(e.verdict))]
    assert sorted(e.sample for e in ended) == sorted(expected), "each score is told of once"
    assert list((folder / layout.LIVE).glob("*")) == []
    assert list(folder.rglob("*.tmp")) == []
