"""The headless printer against real run folders."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli.printer import Printer
from harness.cli.tally import Tally, duration
from harness.events.run import SampleFinished, SessionStarted
from harness.outcome import Verdict
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
    assert "request failed: EndpointError" in samples["t0001"]
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


def test_durations() -> None:
    assert [duration(s) for s in (None, 5.4, 200.0, 7500.0)] == [
        "unknown", "5 s", "3 min 20 s", "2 h 05 min",
    ]  # fmt: skip
