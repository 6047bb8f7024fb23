"""Signals: nothing that hangs keeps the process, what was stored stays readable, and a run that is
over does not die of them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.events.run import SampleStarted
from harness.store import layout
from harness.store.run_folder import RunFolder
from harness.store.transcript import read_run_log, read_transcript
from tests.cli.conftest import Home
from tests.execution.test_kill import wait_for
from tests.support.counting_suite import make_folder, make_plan

# Samples take long to close, the model's close never returns, a thread of the loop's never ends.
PROGRAM = """
import asyncio, sys, time
from harness.cli import session
from harness.execution import prepare
from harness.store.run_folder import RunFolder
from tests.support.counting_suite import CountingSuite, EchoModel

class Stuck(EchoModel):
    async def close(self):
        await asyncio.sleep(600)

async def parts(folder, notify):
    asyncio.get_running_loop().run_in_executor(None, time.sleep, 600)
    return Stuck(), {"counting": CountingSuite(folder.plan.suites[0].options)}, None

prepare.open_session = parts
folder = RunFolder.open(sys.argv[1])
sys.exit(asyncio.run(session.carry_out(folder, as_json="json" in sys.argv)))
"""


@pytest.mark.parametrize("json", ["json", "text"])
def test_the_second_interrupt_waits_for_nothing(home: Home, tmp_path: Path, json: str) -> None:
    plan = make_plan(4, steps=50, delay_s=0.5, linger_s=500, agentic=True)
    folder = make_folder(tmp_path / "runs", plan, concurrency=2)
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder.path), json],
        env=home.env, cwd=home.project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_for(folder, SampleStarted, 2)
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "Traceback" not in err + out
    assert ("Interrupted" in out) == (json == "json")
    events = list(read_run_log(folder.path / layout.RUN_LOG))
    assert events[-1].type == "session_ended" and not events[-1].cleanup_proven
    for transcript in (folder.path / layout.TRANSCRIPTS).glob("*/*.jsonl"):
        assert list(read_transcript(transcript))
    with RunFolder.open(folder.path).lock():
        pass


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_after_the_last_line_is_no_death_by_it(
    home: Home, tmp_path: Path, number: signal.Signals
) -> None:
    folder = make_folder(tmp_path / "runs", make_plan(2))
    program = PROGRAM.replace("    asyncio.get_running_loop().run_in_executor", "    #")
    program = program.replace("return Stuck()", "return EchoModel()")
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(folder.path)],
        env=home.env, cwd=home.project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        said = ""
        while "look at it:" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        process.send_signal(number)
        said += process.stdout.read()
    assert process.returncode in (0, 130), said
