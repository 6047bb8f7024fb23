"""The whole thing in a real terminal: tmux, driven by keys; sane afterwards whatever happened."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.classic_data import mmlu_folder
from tests.support.scripted_server import ScriptedServer, Step
from tests.support.terminal import PROMPT, Terminal
from tests.tui.recorded import make_run

ROOT = Path(__file__).resolve().parents[2]
SGR = re.compile(rb"\x1b\[([0-9;]*)m")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    runs = tmp_path / "runs"
    runs.mkdir(exist_ok=True)
    env = {
        "PROCTOR_RUNS": str(runs),
        "PYTHONPATH": str(ROOT),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "TERM": "screen-256color",
        "LANG": "C.UTF-8",
        "PROCTOR": f"{sys.executable} -m harness.cli.main",
    }
    made = Terminal(env)
    yield made
    made.close()


def app_process(terminal: Terminal) -> int:
    """The process id of the interface, found below the terminal's shell."""
    shell = int(terminal.tmux("display", "-p", "#{pane_pid}"))
    children = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(shell)], capture_output=True, text=True
    ).stdout
    return next(int(row.split()[0]) for row in children.splitlines() if "harness.cli" in row)


def test_replay_from_the_shell_by_keys(terminal: Terminal, tmp_path: Path) -> None:
    make_run(tmp_path / "runs")
    terminal.line("$PROCTOR replay stockroom-run")
    terminal.wait(lambda text: "Graded: resolved" in text)
    terminal.keys("0")
    terminal.wait(lambda text: " 0/31" in text)
    terminal.keys(".", ".")
    terminal.wait(lambda text: "turn 2" in text)
    terminal.keys(":")
    terminal.keys("5", "0", "%", "Enter")
    terminal.wait(lambda text: " 16/31" in text)
    terminal.keys("/")
    terminal.tmux("send-keys", "-l", "formula")
    terminal.keys("Enter")
    terminal.wait(lambda text: "of 2" in text or "of 1" in text)
    terminal.keys("q", "q")
    terminal.wait(lambda text: PROMPT.strip() in text)
    terminal.sane(0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_told_to_end_it_gives_the_terminal_back(
    terminal: Terminal, tmp_path: Path, number: signal.Signals
) -> None:
    make_run(tmp_path / "runs")
    terminal.line("$PROCTOR")
    terminal.wait(lambda text: "50.0 %" in text)
    os.kill(app_process(terminal), number)
    terminal.wait(lambda text: PROMPT.strip() in text)
    terminal.sane(128 + number)


def test_a_terminal_that_is_gone_ends_it_without_a_signal(tmp_path: Path) -> None:
    make_run(tmp_path / "runs")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.cli.main", "replay", "stockroom-run", "--speed", "1"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env={**os.environ, "PROCTOR_RUNS": str(tmp_path / "runs"), "TERM": "xterm-256color"},
        start_new_session=True,  # without a terminal of its session, whose end would be a signal
    )
    try:
        os.close(theirs)
        shown = b""
        while b"stockroom" not in shown:
            shown += os.read(ours, 65536)
        os.close(ours)
        assert process.wait(30) == 128 + signal.SIGHUP
    finally:
        process.kill()
        process.wait()


def test_an_exception_inside_becomes_a_line_and_an_exit_code(
    terminal: Terminal, tmp_path: Path
) -> None:
    make_run(tmp_path / "runs")
    broken = tmp_path / "broken.py"
    broken.write_text(
        "from tui.screens.home import HomeScreen\n"
        "def fail(self): secret = 'hunter2'; raise RuntimeError('a bug of ours')\n"
        "HomeScreen.action_sort = fail\n"
        "from harness.cli.main import entry\nentry()\n"
    )
    terminal.line(f"{sys.executable} {broken}")
    terminal.wait(lambda text: "50.0 %" in text)
    terminal.keys("s")
    shown = terminal.wait(lambda text: PROMPT.strip() in text and "a bug of ours" in text)
    assert "Traceback" not in shown and "hunter2" not in shown
    terminal.sane(1)


def test_ctrl_c_asks_and_a_second_one_leaves(terminal: Terminal, tmp_path: Path) -> None:
    make_run(tmp_path / "runs")
    terminal.line("$PROCTOR")
    terminal.wait(lambda text: "50.0 %" in text)
    terminal.keys("C-c")
    terminal.wait(lambda text: "Leave Proctor?" in text)
    terminal.keys("C-c")
    terminal.wait(lambda text: PROMPT.strip() in text)
    terminal.sane(130)


def test_a_run_is_started_watched_left_and_found_again(terminal: Terminal, tmp_path: Path) -> None:
    steps = [Step(content="The answer is **B**.\n\nAnswer: B", delay_s=1.0)]
    data = mmlu_folder(tmp_path / "mmlu")
    with ScriptedServer(steps) as server:
        terminal.line(
            f"$PROCTOR run mmlu --data {data} --limit 6 --concurrency 1 --model scripted "
            f"--base-url {server.url}"
        )
        terminal.wait(lambda text: "● running" in text and "following" in text)
        terminal.keys("P")
        terminal.wait(lambda text: "pinned" in text)
        terminal.keys("q")
        terminal.wait(lambda text: "goes on in the background" in text)
        terminal.keys("y")
        terminal.wait(lambda text: PROMPT.strip() in text and "the run is in" in text)
        terminal.sane(0)
        terminal.line("clear; $PROCTOR")
        terminal.wait(lambda text: "mmlu" in text and "scripted" in text)
        terminal.wait(lambda text: "✓ complete" in text)
        terminal.keys("Enter")
        terminal.wait(lambda text: "6/6" in text)
        terminal.keys("Tab", "G")
        terminal.wait(lambda text: "Judged:" in text or "ended:" in text)
        terminal.keys("q", "q")
        terminal.wait(lambda text: PROMPT.strip() in text)


def _script(path: Path, lines: str) -> Path:
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return path


def test_a_block_is_read_in_the_pager_and_in_the_editor(terminal: Terminal, tmp_path: Path) -> None:
    make_run(tmp_path / "runs")
    shows = 'echo "this is $0"; cat "$1"; echo "end of it"; cp "$1" "$0.saw"; read -r line'
    pager = _script(tmp_path / "my-pager", shows)
    # With an argument of its own, as many have it.
    editor = _script(tmp_path / "my-editor", f'[ "$1" = --wait ] || exit 9\nshift\n{shows}')
    terminal.line(f"export PAGER={pager} EDITOR='{editor} --wait'")
    terminal.line("$PROCTOR replay stockroom-run --sample stockroom-csv")
    terminal.wait(lambda text: "Graded: not resolved" in text)
    terminal.keys("0", "d")  # the first edit
    terminal.wait(lambda text: " 15/28" in text)
    for key, script in (("v", pager), ("E", editor)):
        terminal.keys(key)
        shown = terminal.wait(lambda text: "end of it" in text)
        assert f"this is {script}" in shown and "days = item.lead_days" in shown
        assert "days = item.lead_days" in Path(f"{script}.saw").read_text()
        terminal.keys("Enter")
        terminal.wait(lambda text: " 15/28" in text and "? help" in text)
    terminal.keys("q")
    terminal.wait(lambda text: PROMPT.strip() in text)
    terminal.sane(0)


def test_a_pager_that_fails_or_is_not_there_is_said(terminal: Terminal, tmp_path: Path) -> None:
    make_run(tmp_path / "runs")
    terminal.line(f"export PAGER={_script(tmp_path / 'bad-pager', 'exit 3')}")
    terminal.line(f"export EDITOR={tmp_path}/none")
    terminal.line("$PROCTOR replay stockroom-run")
    terminal.wait(lambda text: "Graded: resolved" in text)
    terminal.keys("v")
    terminal.wait(lambda text: "ended with 3" in text)
    terminal.keys("E")
    told = terminal.wait(lambda text: "$EDITOR cannot be started" in text)
    assert "ended with 3" not in told  # one message at a time
    terminal.keys("q")
    terminal.wait(lambda text: PROMPT.strip() in text)
    terminal.sane(0)


def test_without_colours_no_code_of_a_colour_is_sent(terminal: Terminal, tmp_path: Path) -> None:
    make_run(tmp_path / "runs")
    sent = tmp_path / "sent"
    terminal.tmux("pipe-pane", "-o", f"cat >> {sent}")
    terminal.line("clear; NO_COLOR=1 COLORTERM=truecolor $PROCTOR replay stockroom-run")
    terminal.wait(lambda text: "Graded: resolved" in text)
    terminal.keys("0", "d", "2", "3", "6", "1", "/")
    terminal.tmux("send-keys", "-l", "reorder")
    terminal.keys("Enter")
    terminal.wait(lambda text: "1 of" in text)
    terminal.keys("?")
    terminal.wait(lambda text: "all commands" in text or "search" in text)
    terminal.keys("q", "q", "q")
    terminal.wait(lambda text: PROMPT.strip() in text)
    codes = {int(n) for each in SGR.findall(sent.read_bytes()) for n in each.split(b";") if n}
    assert codes <= {0, 1, 2, 3, 4, 7, 22, 23, 24, 27}, codes
    assert 7 in codes and 4 in codes  # what is found is marked all the same


def _mmlu(tmp_path: Path, server: ScriptedServer, limit: int) -> str:
    data = mmlu_folder(tmp_path / "mmlu")
    return (
        f"clear; $PROCTOR run mmlu --data {data} --limit {limit} --concurrency 1 --model scripted "
        f"--base-url {server.url}"
    )


def test_ctrl_c_twice_leaves_a_run_that_goes_on_and_says_so(
    terminal: Terminal, tmp_path: Path
) -> None:
    with ScriptedServer([Step(content="Answer: B", delay_s=2.0)]) as server:
        terminal.line(_mmlu(tmp_path, server, 6))
        terminal.wait(lambda text: "● running" in text and "following" in text)
        terminal.keys("C-c")
        terminal.wait(lambda text: "goes on in the background" in text)
        terminal.keys("C-c")
        told = terminal.wait(lambda text: PROMPT.strip() in text and "proctor cancel " in text)
        assert "the run goes on in the background" in told and "come back to it: proctor" in told
        terminal.sane(130)
        (folder,) = (tmp_path / "runs").iterdir()
        assert f"proctor cancel {folder.name}" in told and f"proctor show {folder.name}" in told
        terminal.line(f"clear; $PROCTOR cancel {folder.name}")
        terminal.wait(lambda text: "is being cancelled" in text)


def test_a_complete_run_is_left_with_its_score(terminal: Terminal, tmp_path: Path) -> None:
    with ScriptedServer([Step(content="Answer: B")]) as server:
        terminal.line(_mmlu(tmp_path, server, 3))
        terminal.wait(lambda text: "3/3" in text and "✓ complete" in text)
        terminal.keys("q")
        told = terminal.wait(lambda text: PROMPT.strip() in text and "its scores:" in text)
        assert "of 3 resolved" in told and "% (95 %: " in told
        (folder,) = (tmp_path / "runs").iterdir()
        assert f"proctor show {folder.name}" in told and f"proctor replay {folder.name}" in told
        terminal.sane(0)


def test_a_run_that_is_told_to_stop_is_not_said_to_go_on(
    terminal: Terminal, tmp_path: Path
) -> None:
    with ScriptedServer([Step(content="Answer: B", delay_s=2.0)]) as server:
        terminal.line(_mmlu(tmp_path, server, 6))
        terminal.wait(lambda text: "● running" in text and "following" in text)
        terminal.keys("q")
        terminal.wait(lambda text: "goes on in the background" in text)
        terminal.keys("Left", "Enter")
        told = terminal.wait(lambda text: PROMPT.strip() in text and "proctor run --resume" in text)
        assert "goes on in the background" not in told and "proctor cancel" not in told


def test_a_storm_of_sizes_in_a_real_terminal(terminal: Terminal, tmp_path: Path) -> None:
    make_run(tmp_path / "runs")
    terminal.line("$PROCTOR replay stockroom-run")
    terminal.wait(lambda text: "Graded: resolved" in text)
    for width, height in [(60, 20), (140, 50), (45, 8), (80, 24), (200, 60), (120, 40)] * 3:
        terminal.tmux("resize-window", "-x", str(width), "-y", str(height))
    shown = terminal.wait(lambda text: "Graded: resolved" in text and "? help" in text)
    assert shown.count("Graded: resolved") == 1
    terminal.keys("q")
    terminal.wait(lambda text: PROMPT.strip() in text)
    terminal.sane(0)
