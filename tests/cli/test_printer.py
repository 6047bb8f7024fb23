"""The headless printer against real run folders."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from harness.cli.live_bar import LiveBar
from harness.cli.printer import Printer
from harness.cli.tally import Tally, duration
from harness.events.run import SampleFinished, SampleProgress, SampleStarted, SessionStarted
from harness.outcome import SampleState, Verdict
from harness.store.run_folder import RunFolder
from tests.cli.conftest import Home
from tests.support.counting_suite import carry_out, make_folder, make_plan


def watched(folder: RunFolder, **options: int) -> Printer:
    """Carry the folder's plan out with a printer beside it."""

    async def both() -> Printer:
        printer = Printer(folder.path, err=False, **options)
        over = asyncio.Event()
        watching = asyncio.create_task(printer.follow(over))
        await carry_out(folder)
        over.set()
        await watching
        return printer

    return asyncio.run(both())


def test_a_line_a_sample_with_word_and_reason(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_folder(home.runs, make_plan(4, steps=2, fail=["t0001"]))
    printer = watched(folder)
    lines = capsys.readouterr().out.splitlines()
    assert "4 of 4 samples to run" in lines[0]
    samples = {line.split("@")[0].split()[-1]: line for line in lines if line.startswith("[")}
    assert sorted(samples) == ["t0000", "t0001", "t0002", "t0003"]
    assert "no_score" in samples["t0001"]
    assert "request failed: http://127.0.0.1:1/v1: connection refused" in samples["t0001"]
    verdicts = {r.task_id: r.verdict.value for r in folder.records().values()}
    for task, verdict in verdicts.items():
        assert f" {verdict} " in samples[task]
        assert "14 in, 6 out" in samples[task]
    assert printer.tally.unscored == {"t0001@1": "EndpointError"}
    assert printer.tally.resolved == list(verdicts.values()).count("resolved")


def test_a_resumed_session_prints_only_what_is_new(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_folder(home.runs, make_plan(4, fail=["t0001"]))
    asyncio.run(carry_out(folder))
    before = sum(r.verdict is Verdict.RESOLVED for r in folder.records().values())
    printer = watched(RunFolder.open(folder.path), resolved_before=before)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("[")]
    assert len(lines) == 1 and "t0001" in lines[0]
    assert (printer.tally.scored, printer.tally.resolved) == (3, before)


def test_ascii_terminals_get_ascii_symbols(
    home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with out.open("w", encoding="ascii") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        watched(make_folder(home.runs, make_plan(3)))
    assert out.read_text("ascii").count("[") == 3


def test_a_reader_that_leaves_does_not_end_the_run(home: Home) -> None:
    folder = make_folder(home.runs, make_plan(8, delay_s=0.2), concurrency=2)
    program = (
        "import asyncio\n"
        "from harness.store.run_folder import RunFolder\n"
        "from tests.cli.test_printer import watched\n"
        f"watched(RunFolder.open({str(folder.path)!r}))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], env=home.env, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
    assert len(RunFolder.open(folder.path).records()) == 8


def test_time_left_comes_from_this_sessions_pace() -> None:
    tally = Tally(resolved_before=40)
    assert tally.seconds_left(5.0) is None
    tally.session_started(
        SessionStarted(
            session=2, version=1, host="h", pid=1, samples=100, pending=10, concurrency=1
        )
    )
    for number in range(2):
        tally.finished(
            SampleFinished(
                sample=f"s{number}@1", suite="s", task_id=f"s{number}", epoch=1, attempt=1,
                verdict=Verdict.RESOLVED, stop_reason="finished",
            )
        )  # fmt: skip
    assert tally.seconds_left(6.0) == 24.0
    assert (tally.scored, tally.resolved) == (92, 42)


def test_nobody_knows_the_time_left_while_nothing_has_a_score() -> None:
    tally = Tally()
    tally.session_started(
        SessionStarted(session=1, version=1, host="h", pid=1, samples=3, pending=3, concurrency=1)
    )
    assert tally.time_left(30.0) == "time left unknown"
    for number in range(3):  # the server is gone: all that ended is to be run again
        tally.finished(
            SampleFinished(
                sample=f"s{number}@1", suite="s", task_id=f"s{number}", epoch=1, attempt=1,
                verdict=Verdict.NO_SCORE, stop_reason="request_failed",
            )
        )  # fmt: skip
        assert tally.time_left(30.0) == "time left unknown"
    assert tally.time_left(0.0) == "time left unknown"


def test_the_pace_is_that_of_the_events_however_late_they_are_read(
    home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_folder(home.runs, make_plan(6, delay_s=0.2), concurrency=1)
    printer = Printer(folder.path, err=False)
    asyncio.run(carry_out(folder))
    monkeypatch.setattr("harness.cli.printer.STATUS_S", 0.0)
    while printer.poll():
        pass
    printer.close()
    status = [line for line in capsys.readouterr().out.splitlines() if line.endswith(" left")]
    assert len(status) == 6
    assert all(not line.endswith(" 0 s left") for line in status[:3]), status


def test_durations() -> None:
    assert [duration(s) for s in (None, 5.4, 200.0, 7500.0)] == [
        "unknown", "5 s", "3 min 20 s", "2 h 05 min",
    ]  # fmt: skip


def progress(sample: str, note: str) -> SampleProgress:
    return SampleProgress(sample=sample, state=SampleState.RUNNING, turn=1, note=note)


@pytest.mark.parametrize(("brief", "told"), [(False, 3), (True, 1)])
def test_what_samples_wait_for_is_told_once_where_they_are_many(
    home: Home, capsys: pytest.CaptureFixture[str], brief: bool, told: int
) -> None:
    folder = make_folder(home.runs, make_plan(2))
    printer = Printer(folder.path, err=False, brief=brief)
    silent = "no byte from http://lab/v1 for 15 s"
    with folder.lock():
        folder.begin_session("here")
        for sample, note in (("a@1", silent), ("b@1", silent), ("a@1", ""), ("a@1", silent)):
            folder.run_log.append(progress(sample, note))
        printer.poll()
    printer.close()
    assert capsys.readouterr().out.count(silent) == told


def test_the_bar_shows_what_is_waited_for_until_it_comes() -> None:
    tally, out = Tally(), io.StringIO()
    for name in ("a@1", "b@1"):
        tally.sample_started(
            SampleStarted(sample=name, suite="s", task_id=name, epoch=1, attempt=1)
        )
        tally.progress(progress(name, "no byte for 15 s"))
    bar = LiveBar(Console(file=out, force_terminal=True, width=100), lambda: "status")
    bar.update(tally, 1.0)
    assert "a@1: no byte for 15 s (and 1 more)" in out.getvalue()
    for name in ("a@1", "b@1"):
        tally.progress(progress(name, ""))
    out.truncate(0)
    bar.update(tally, 2.0)
    bar.stop()
    assert "no byte" not in out.getvalue() and not tally.notes
