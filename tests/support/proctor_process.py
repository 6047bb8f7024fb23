"""``proctor`` as a process of its own that a test may disturb, and what it may not leave behind."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from harness.sandbox import owner
from harness.store import layout

ROOT = Path(__file__).resolve().parents[2]
KNOBS = str(ROOT / "tests" / "support" / "disturbed_runner.py")
# A loaded machine with a slow daemon; nothing here waits that long when all is well.
PATIENCE_S = 240.0


@dataclass
class Home:
    """A user's folders. ``sandbox`` is given to every run; docker_host: another daemon than the
    machine's."""

    root: Path
    sandbox: str
    docker_host: str | None = None

    def __post_init__(self) -> None:
        for folder in (self.runs, self.scratch):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def scratch(self) -> Path:
        """The processes' folder for temporary files."""
        return self.root / "scratch"

    @property
    def env(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PROCTOR_", "OPENAI_"))}
        if self.docker_host is not None:
            kept["DOCKER_HOST"] = self.docker_host
        return kept | {
            "PYTHONPATH": str(ROOT),
            "PROCTOR_RUNS": str(self.runs),
            "PROCTOR_SANDBOX": self.sandbox,
            "XDG_CONFIG_HOME": str(self.root / "config"),
            "XDG_DATA_HOME": str(self.root / "data"),
            "TMPDIR": str(self.scratch),
            "TERM": "dumb",
        }


@dataclass
class Proctor:
    """A started ``proctor``; its output is kept in a file, so that no pipe fills up or breaks."""

    process: subprocess.Popen[bytes]
    output: Path
    terminal: int | None = None
    before: set[Path] = field(default_factory=set)
    runs: Path = Path()
    docker_host: str | None = None

    @classmethod
    def start(
        cls,
        home: Home,
        *arguments: str,
        terminal: bool = False,
        knobs: dict[str, str] | None = None,
    ) -> Proctor:
        """Start it; ``terminal``: on a pseudo-terminal of its own that can be closed."""
        program = [KNOBS] if knobs else ["-P", "-m", "harness.cli.main"]
        before = set(home.runs.iterdir())
        output = home.root / f"output-{time.monotonic_ns()}.txt"
        line = [sys.executable, *program, *arguments]
        env = home.env | (knobs or {})
        if not terminal:
            with output.open("wb") as sink:
                process = subprocess.Popen(
                    line, cwd=home.root, env=env, stdin=subprocess.DEVNULL, stdout=sink,
                    stderr=subprocess.STDOUT, start_new_session=True,
                )  # fmt: skip
            return cls(process, output, None, before, home.runs, home.docker_host)
        ours, theirs = pty.openpty()
        name = os.ttyname(theirs)
        # Opened by a session leader without one, it becomes the controlling terminal.
        shell = 'exec "$@" <"$0" >"$0" 2>&1'
        process = subprocess.Popen(
            ["/bin/sh", "-c", shell, name, *line], cwd=home.root, env=env, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(0.2)
        os.close(theirs)
        output.write_bytes(b"")
        return cls(process, output, ours, before, home.runs, home.docker_host)

    @property
    def folder(self) -> Path | None:
        """The run folder that it made, None as long as there is no plan in it."""
        new = [p for p in self.runs.iterdir() if p not in self.before]
        return next((p for p in new if (p / layout.PLAN).exists()), None)

    @property
    def said(self) -> str:
        return self.output.read_text(errors="replace")

    @property
    def running(self) -> bool:
        self._drain()
        return self.process.poll() is None

    def wait_until(self, holds: Callable[[], bool]) -> bool:
        """Wait for something while the process runs; False when it ended before."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if holds():
                return True
            if not self.running:
                return False
            time.sleep(0.02)
        raise AssertionError(f"nothing happened for {PATIENCE_S:g} s: {self.said[-2000:]}")

    def wait(self, patience_s: float = PATIENCE_S) -> int:
        """Its exit code (minus the signal)."""
        deadline = time.monotonic() + patience_s
        while self.running:
            assert time.monotonic() < deadline, f"it does not end: {self.said[-2000:]}"
            time.sleep(0.02)
        return int(self.process.returncode)

    def signal(self, number: signal.Signals) -> None:
        if self.process.poll() is None:
            self.process.send_signal(number)

    def hang_up(self) -> None:
        """Close its terminal."""
        assert self.terminal is not None
        os.close(self.terminal)
        self.terminal = None

    def stop(self) -> None:
        """End it if the test did not, whatever state it is in."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.terminal is not None:
            self.hang_up()

    def _drain(self) -> None:
        if self.terminal is None:
            return
        os.set_blocking(self.terminal, False)
        try:
            while data := os.read(self.terminal, 65536):
                with self.output.open("ab") as sink:
                    sink.write(data)
        except OSError:  # nothing there, or the other side is closed
            return

    # --- what belongs to it

    def docker(self) -> Any:
        """A client of the daemon that it uses."""
        import docker

        return docker.APIClient(base_url=self.docker_host)

    def containers(self) -> list[str]:
        """Containers labelled with this process, or with its run."""
        client = self.docker()
        try:
            run = self.folder.name if self.folder else ""
            found = []
            for item in client.containers(all=True, filters={"label": owner.LABEL_OWNER}):
                who = owner.Owner.parse(item["Labels"].get(owner.LABEL_OWNER, ""))
                mine = who is not None and who.pid == self.process.pid
                if mine or (run and item["Labels"].get(owner.LABEL_RUN) == run):
                    found.append(str(item["Id"]))
            return found
        finally:
            client.close()

    def bwraps(self) -> list[int]:
        """Live processes of bubblewrap boxes of this process."""
        found = []
        for process in psutil.process_iter(["pid", "status", "cmdline"]):
            mark = next((t for t in process.info["cmdline"] or [] if t.startswith("proctor;")), "")
            who = owner.Owner.parse(mark.rpartition(";")[2])
            if who is None or process.info["status"] == psutil.STATUS_ZOMBIE:
                continue
            if who.pid == self.process.pid:
                found.append(int(process.info["pid"]))
        return found

    def boxes(self, sandbox: str) -> list[Any]:
        return list(self.containers() if sandbox == "docker" else self.bwraps())


def events(folder: Path) -> list[dict[str, Any]]:
    """Whole lines of the run's log, as they are."""
    try:
        lines = (folder / layout.RUN_LOG).read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in lines]
