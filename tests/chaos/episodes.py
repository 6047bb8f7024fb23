"""One disturbed run: how it is begun, disturbed, looked at and ended."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import docker
from docker.errors import DockerException

from harness.models.gold_calls import gold_turns
from harness.outcome import Verdict, is_final
from harness.store import layout
from harness.store.lock import is_running
from harness.store.run_folder import RunFolder
from harness.store.transcript import read_run_log, read_transcript
from harness.tasks.repository import default_roots, load_tasks
from tests.support.proctor_process import Home, Proctor, events
from tests.support.scripted_server import ChatRequest, ScriptedServer, Step, calls, finish

MODELS = ("oracle", "noop", "replay", "server")
DISTURBANCES = (
    "kill", "terminate", "interrupt", "interrupt_twice", "hang_up", "freeze", "die_before_start",
    "kill_box",
)  # fmt: skip
GONE_S = 120.0
HEARTBEAT_S = "3"


@dataclass
class Field:
    """Where episodes of one sandbox take place. ``thorough``: what an undisturbed run scores is
    found by such a run, else it is known of each model."""

    home: Home
    tasks: tuple[str, ...]
    thorough: bool
    calm: dict[str, dict[str, str]] = field(default_factory=dict)
    played: str = ""
    server: ScriptedServer | None = None

    def arguments(self, model: str) -> list[str]:
        """The command line of a run."""
        line = ["run", "repos", "--batch", "--concurrency", "2"]
        for task in self.tasks:
            line += ["--task", task]
        if model == "server":
            if self.server is None:
                self.server = ScriptedServer(half_right(self.tasks)).start()
            return [*line, "--base-url", self.server.url, "--tool-protocol", "native"]
        if model == "replay":
            if not self.played:
                self._undisturbed("oracle")
            return [*line, "--model", f"replay:{self.played}"]
        return [*line, "--model", model]

    def verdicts(self, model: str) -> dict[str, str]:
        """Verdicts of a run that nothing disturbs."""
        if model not in self.calm:
            first = "unresolved" if model == "noop" else "resolved"
            others = first if model in ("noop", "oracle", "replay") else "unresolved"
            known = {f"{task}@1": others for task in self.tasks} | {f"{self.tasks[0]}@1": first}
            if self.thorough:
                assert self._undisturbed(model) == known
            self.calm[model] = known
        return self.calm[model]

    def _undisturbed(self, model: str) -> dict[str, str]:
        process = Proctor.start(self.home, *self.arguments(model))
        try:
            assert process.wait() == 0, process.said
            assert process.folder is not None
        finally:
            process.stop()
        if model == "oracle":
            self.played = process.folder.name
        return verdicts(process.folder)

    def close(self) -> None:
        if self.server is not None:
            self.server.stop()


def half_right(tasks: tuple[str, ...]) -> Callable[[ChatRequest], Step]:
    """A model that solves the first task and gives up on the others; its reply depends on the
    conversation alone, so that a resumed sample goes as the first try would have gone."""
    known = load_tasks(default_roots())
    turns = gold_turns(known[tasks[0]].start, known[tasks[0]].gold, task=tasks[0])
    steps = [calls(*((c.name, c.arguments) for c in turn)).where(delay_s=0.05) for turn in turns]

    def reply(request: ChatRequest) -> Step:
        if known[tasks[0]].spec.instruction.strip() in request.task:
            return steps[min(request.turn, len(steps) - 1)]
        return finish("it cannot be done").where(delay_s=0.2)

    return reply


def verdicts(folder: Path) -> dict[str, str]:
    """Sample -> verdict, each sample's line exactly once."""
    lines = (folder / layout.SAMPLES).read_bytes().splitlines()
    records = RunFolder.open(folder).records()
    assert len(lines) == len(records), "a sample has two lines"
    return {key: str(record.verdict) for key, record in sorted(records.items())}


def disturb(process: Proctor, kind: str, chance: random.Random, sandbox: str) -> set[int]:
    """Disturb the run at some moment; the exit codes that may follow."""
    moment = chance.choice(["seconds", "events", "events", "box", "box"])
    if moment == "seconds":
        time.sleep(chance.uniform(0.0, 3.0))
    elif moment == "events":
        number = chance.randrange(1, 24)
        process.wait_until(lambda: process.folder is not None and _told(process) >= number)
        time.sleep(chance.uniform(0.0, 0.3))
    else:
        process.wait_until(lambda: process.folder is not None and bool(process.boxes(sandbox)))
        time.sleep(chance.uniform(0.0, 1.0))
    early = process.folder is None or _told(process) == 0
    if kind == "kill":
        process.signal(signal.SIGKILL)
        return {-9}
    if kind == "terminate":
        process.signal(signal.SIGTERM)
        return {130, -15} if early else {130}
    if kind == "interrupt":
        process.signal(signal.SIGINT)
        return {130, -2} if early else {130}
    if kind == "interrupt_twice":
        process.signal(signal.SIGINT)
        time.sleep(chance.uniform(0.0, 0.6))
        process.signal(signal.SIGINT)
        return {130, -2} if early else {130}
    if kind == "hang_up":
        process.hang_up()
        return {130, -1} if early else {130}
    if kind == "freeze":
        return _freeze(process, chance, sandbox)
    return _kill_box(process, chance, sandbox)


def _told(process: Proctor) -> int:
    return len(events(process.folder)) if process.folder else 0


def _freeze(process: Proctor, chance: random.Random, sandbox: str) -> set[int]:
    """Stop the runner for longer than boxes wait; then it dies, or goes on without them."""
    process.signal(signal.SIGSTOP)
    if sandbox == "docker":
        gone_in_time(lambda: not _running_containers(process), "boxes of a frozen runner")
    else:
        gone_in_time(lambda: len(process.bwraps()) == 0, "boxes of a frozen runner")
    if chance.random() < 0.5:
        process.signal(signal.SIGKILL)
        return {-9}
    process.signal(signal.SIGCONT)
    return {0, 1, 4}


def _running_containers(process: Proctor) -> list[str]:
    """A frozen runner may have created a container that it has yet to start; that is no box."""
    client = docker.APIClient()
    try:
        running = {item["Id"] for item in client.containers()}
    finally:
        client.close()
    return [ident for ident in process.containers() if ident in running]


def _kill_box(process: Proctor, chance: random.Random, sandbox: str) -> set[int]:
    """End one box's server from outside; the run itself must not mind."""
    boxes = process.boxes(sandbox)
    if boxes and sandbox == "docker":
        client = docker.APIClient()
        with contextlib.suppress(DockerException):  # it ended by itself first
            client.kill(chance.choice(boxes))
        client.close()
    elif boxes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(boxes), signal.SIGKILL)
    return {0, 1, 4}


def gone_in_time(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + GONE_S
    while not holds():
        assert time.monotonic() < deadline, f"after {GONE_S:g} s still there: {what}"
        time.sleep(0.1)


def check_aftermath(process: Proctor, home: Home) -> None:
    """Nothing of ours is left on the machine, and what was stored can be read."""
    gone_in_time(lambda: not process.boxes(home.sandbox), f"boxes: {process.boxes(home.sandbox)}")
    left = [path.name for path in home.scratch.iterdir()]
    assert left == [], "temporary files are left"
    folder = process.folder
    if folder is None:
        return
    assert not is_running(folder)
    if (folder / layout.RUN_LOG).exists():
        list(read_run_log(folder / layout.RUN_LOG))
    for transcript in (folder / layout.TRANSCRIPTS).glob("*/*.jsonl"):
        numbers = [event.seq for event in read_transcript(transcript)]
        assert numbers == list(range(1, len(numbers) + 1)), transcript


def stored_lines(folder: Path) -> bytes:
    """Whole lines of finished samples."""
    path = folder / layout.SAMPLES
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def run_episode(ground: Field, kind: str, model: str, chance: random.Random) -> None:
    """A run disturbed, once or several times, and then brought to its end."""
    home = ground.home
    expected = ground.verdicts(model)
    line, folder, kept = ground.arguments(model), None, b""
    for _ in range(chance.choice([1, 1, 2])):
        knobs = {}
        if kind == "freeze":
            knobs["CHAOS_HEARTBEAT_S"] = HEARTBEAT_S
        elif kind == "die_before_start":
            # The first ones are probes, before there is a folder.
            knobs["CHAOS_DIE_AT"] = str(chance.randrange(1, 12))
        process = Proctor.start(home, *line, terminal=kind == "hang_up", knobs=knobs)
        try:
            if kind == "die_before_start":
                allowed = {-9, 0}
            else:
                allowed = {0, *disturb(process, kind, chance, home.sandbox)}
            code = process.wait()
            said = process.said[-3000:]
            assert code in allowed, f"exit code {code}, not {allowed}: {said}"
            assert "Traceback" not in said, said
            if folder is not None:
                process.before -= {folder}
            check_aftermath(process, home)
            folder = folder or process.folder
        finally:
            process.stop()
        if folder is not None:
            written = stored_lines(folder)
            assert written.startswith(kept), "a finished sample's line was changed"
            kept = written
            line = ["run", "--resume", str(folder)]
    if folder is None:  # it was disturbed before there was anything to go on with
        return
    process = Proctor.start(home, "run", "--resume", str(folder))
    try:
        assert process.wait() == 0, process.said
    finally:
        process.stop()
    process.before -= {folder}
    check_aftermath(process, home)
    check_end(folder, kept, expected)


def check_end(folder: Path, kept: bytes, expected: dict[str, str]) -> None:
    """The resumed run ended as an undisturbed one, and kept what it had."""
    assert (folder / layout.SAMPLES).read_bytes().startswith(kept)
    assert verdicts(folder) == expected
    log = list(read_run_log(folder / layout.RUN_LOG))
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    ended = [e for e in log if e.type == "sample_finished" and is_final(Verdict(e.verdict))]
    assert sorted(e.sample for e in ended) == sorted(expected), "each score is told of once"
    assert list((folder / layout.LIVE).glob("*")) == []
