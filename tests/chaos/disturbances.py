"""What may happen to a run: each kind of disturbance, where it applies, the exit codes after it.

``act`` disturbs a run that is under way and returns the exit codes that may follow; ``knobs`` are
set before it starts (see tests/support/disturbed_runner.py).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psutil
from docker.errors import DockerException

from harness.store import layout
from tests.chaos.aftermath import gone_in_time
from tests.chaos.ground import MODELS, Field
from tests.support.proctor_process import Home, Proctor, events

HEARTBEAT_S = "3"
DISK_BYTES = 64 << 20
# Left without a score by a fault, or all scored in spite of it; 4: its boxes could not be opened.
_ENDS = {0, 1, 4}
_BOTH = ("docker", "bubblewrap")


@dataclass
class Scene:
    """A run under way. ``folder`` is that of an earlier session of it, None for the first."""

    ground: Field
    process: Proctor
    chance: Random
    folder: Path | None = None

    @property
    def home(self) -> Home:
        return self.ground.home

    @property
    def early(self) -> bool:
        """Whether it has told nothing yet."""
        return self.told == 0

    @property
    def told(self) -> int:
        return len(events(self.process.folder)) if self.process.folder else 0

    def await_moment(self) -> None:
        """Some moment of the run: by the clock, by its events, or when a box is open."""
        moment = self.chance.choice(["seconds", "events", "events", "box", "box"])
        process = self.process
        if moment == "seconds":
            time.sleep(self.chance.uniform(0.0, 3.0))
        elif moment == "events":
            number = self.chance.randrange(1, 24)
            process.wait_until(lambda: process.folder is not None and self.told >= number)
            time.sleep(self.chance.uniform(0.0, 0.3))
        else:
            process.wait_until(
                lambda: process.folder is not None and bool(process.boxes(self.home.sandbox))
            )
            time.sleep(self.chance.uniform(0.0, 1.0))


Act = Callable[[Scene], set[int]]


@dataclass(frozen=True)
class Kind:
    """One kind. own_daemon: Docker is one that the tests may stop; root: it needs root."""

    name: str
    act: Act
    sandboxes: tuple[str, ...] = _BOTH
    models: tuple[str, ...] = MODELS
    knobs: Callable[[Random], dict[str, str]] = field(default=lambda _chance: {})
    terminal: bool = False
    own_daemon: bool = False
    root: bool = False
    small_disk: bool = False


# --- signals to the runner


def _kill(scene: Scene) -> set[int]:
    scene.process.signal(signal.SIGKILL)
    return {-9}


def _terminate(scene: Scene) -> set[int]:
    scene.process.signal(signal.SIGTERM)
    return {130, -15} if scene.early else {130}


def _interrupt(scene: Scene) -> set[int]:
    scene.process.signal(signal.SIGINT)
    return {130, -2} if scene.early else {130}


def _interrupt_twice(scene: Scene) -> set[int]:
    early = scene.early
    scene.process.signal(signal.SIGINT)
    time.sleep(scene.chance.uniform(0.0, 0.6))
    scene.process.signal(signal.SIGINT)
    return {130, -2} if early else {130}


def _hang_up(scene: Scene) -> set[int]:
    early = scene.early
    scene.process.hang_up()
    return {130, -1} if early else {130}


def _freeze(scene: Scene) -> set[int]:
    """Stop the runner for longer than boxes wait; then it dies, or goes on without them."""
    process, sandbox = scene.process, scene.home.sandbox
    process.signal(signal.SIGSTOP)
    if sandbox == "docker":
        gone_in_time(lambda: not _running(process), lambda: f"boxes: {_running(process)}")
    else:
        gone_in_time(lambda: not process.bwraps(), lambda: f"boxes: {process.bwraps()}")
    if scene.chance.random() < 0.5:
        return _kill(scene)
    process.signal(signal.SIGCONT)
    return _ENDS


def _running(process: Proctor) -> list[str]:
    """A frozen runner may have created a container that it has yet to start; that is no box."""
    with contextlib.closing(process.docker()) as client:
        running = {item["Id"] for item in client.containers()}
    return [ident for ident in process.containers() if ident in running]


def _die_before_start(_scene: Scene) -> set[int]:
    return {-9, 0}  # the knob does it


# --- boxes and the servers in them


def _kill_box(scene: Scene) -> set[int]:
    """End one box from outside; the run itself must not mind."""
    process, sandbox = scene.process, scene.home.sandbox
    boxes = process.boxes(sandbox)
    if boxes and sandbox == "docker":
        with contextlib.closing(process.docker()) as client, contextlib.suppress(DockerException):
            client.kill(scene.chance.choice(boxes))
    elif boxes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(scene.chance.choice(boxes), signal.SIGKILL)
    return _ENDS


def servers(process: Proctor, sandbox: str) -> list[int]:
    """Process ids, on the host, of the servers in the run's boxes."""
    if sandbox == "bubblewrap":
        marked = process.bwraps()
        found = []
        for pid in marked:
            with contextlib.suppress(psutil.Error):
                children = psutil.Process(pid).children()
                found += [child.pid for child in children if child.pid not in marked]
        return found
    pids = []
    with contextlib.closing(process.docker()) as client:
        for ident in process.containers():
            with contextlib.suppress(DockerException):
                pids.append(int(client.inspect_container(ident)["State"]["Pid"]))
    return [pid for pid in pids if pid > 0]


def _kill_server(scene: Scene) -> set[int]:
    for pid in servers(scene.process, scene.home.sandbox)[:1]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return _ENDS


def _stop_server(scene: Scene) -> set[int]:
    """The server in a box stands still: for a moment, for longer than its heartbeat, for good."""
    stopped = servers(scene.process, scene.home.sandbox)[:1]
    for pid in stopped:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    seconds = scene.chance.choice([0.2, 4.0, None])
    if seconds is not None:
        time.sleep(seconds)
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
    return _ENDS


# --- the machine around it


def fill(disk: Path) -> Path:
    """Leave next to nothing of a disk."""
    filler = disk / "filler"
    descriptor = os.open(filler, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for size in (1 << 20, 4096, 1):
        with contextlib.suppress(OSError):
            while True:
                os.write(descriptor, bytes(size))
    os.close(descriptor)
    return filler


def _full_disk(scene: Scene) -> set[int]:
    """No room for another byte until the run has ended."""
    filler = fill(scene.home.runs)
    try:
        scene.process.wait()
    finally:
        filler.unlink()
    return {0, 1, 2}  # 2: before there was a folder


def _no_descriptors(_scene: Scene) -> set[int]:
    return {0, 1, 2, 4}  # the knob does it; 2 when nothing could be begun


def _clock(scene: Scene) -> set[int]:
    """The clock jumps by itself; now and then the run is also killed."""
    return _kill(scene) if scene.chance.random() < 0.5 else {0}


def _server_away(scene: Scene) -> set[int]:
    """The model's server ends in mid-run, and comes back at the same address."""
    assert scene.ground.server is not None
    scene.ground.server.stop()
    time.sleep(scene.chance.uniform(0.0, 2.5))
    scene.ground.restart_server()
    return {0, 1, 2, 3} if scene.early else {0}


def _two_runners(scene: Scene) -> set[int]:
    """Others are told to go on with the run while it is under way."""
    process = scene.process
    process.wait_until(lambda: process.folder is not None and scene.told > 0)
    folder = scene.folder or process.folder
    if folder is None:
        return {0}
    others = [Proctor.start(scene.home, "run", "--resume", str(folder)) for _ in range(2)]
    try:
        for other in others:
            code = other.wait()
            assert code in (0, 3), other.said  # 0: the first had ended by then
            assert "Traceback" not in other.said
            if code == 3:
                assert "working on this run" in other.said, other.said
    finally:
        for other in others:
            other.stop()
    return {0, 3}  # an other may have taken the folder when this one was to resume it


def _tear(scene: Scene) -> set[int]:
    """Killed, and the last lines of its files are torn as by a crash of the machine."""
    scene.process.signal(signal.SIGKILL)
    scene.process.wait()
    folder = scene.folder or scene.process.folder
    if folder is None:
        return {-9}
    for name in (layout.RUN_LOG, layout.SAMPLES, layout.CONTROL):
        _tear_end(folder / name, scene.chance, whole=name == layout.RUN_LOG)
    for path in folder.glob(f"{layout.TRANSCRIPTS}/*/*.jsonl"):
        _tear_end(path, scene.chance, whole=False)
    return {-9}


def _tear_end(path: Path, chance: Random, *, whole: bool) -> None:
    """Half of another line at the end; with ``whole`` the last line itself may lose its end."""
    if not path.exists():
        return
    data = path.read_bytes()
    last = data[data.rfind(b"\n", 0, len(data) - 1) + 1 :]
    if len(last) < 2:
        return
    if whole and chance.random() < 0.5 and b'"sample_finished"' not in last:
        path.write_bytes(data[: len(data) - chance.randrange(1, len(last))])
    else:
        path.write_bytes(data + last[: chance.randrange(1, len(last))])


# --- the daemon


def _daemon_stops(scene: Scene) -> set[int]:
    return _daemon_ends(scene, signal.SIGTERM)


def _daemon_dies(scene: Scene) -> set[int]:
    return _daemon_ends(scene, signal.SIGKILL)


def _daemon_ends(scene: Scene, number: signal.Signals) -> set[int]:
    daemon = scene.ground.daemon
    assert daemon is not None
    daemon.end(number)
    killed = scene.chance.random() < 0.3
    if killed:
        scene.process.signal(signal.SIGKILL)
    time.sleep(scene.chance.uniform(0.0, 3.0))
    daemon.start()
    # A killed one may have ended before that, of the daemon's end. 3: it was away to the end, what
    # is left is unknown.
    return _ENDS | {3} | ({-9} if killed else set())


def _daemon_freezes(scene: Scene) -> set[int]:
    daemon = scene.ground.daemon
    assert daemon is not None
    daemon.signal(signal.SIGSTOP)
    time.sleep(scene.chance.uniform(0.5, 6.0))
    daemon.signal(signal.SIGCONT)
    return _ENDS


def _clock_knobs(chance: Random) -> dict[str, str]:
    jump = chance.choice([-86400, -3600, -5, 5, 3600, 86400, 10**9])
    return {"CHAOS_CLOCK": f"{jump}@{chance.uniform(0.5, 4.0):.2f}"}


KINDS = (
    Kind("kill", _kill),
    Kind("terminate", _terminate),
    Kind("interrupt", _interrupt),
    Kind("interrupt_twice", _interrupt_twice),
    Kind("hang_up", _hang_up, terminal=True),
    Kind("freeze", _freeze, knobs=lambda _: {"CHAOS_HEARTBEAT_S": HEARTBEAT_S}),
    # The first ones are probes, before there is a folder.
    Kind(
        "die_before_start", _die_before_start, sandboxes=("docker",),
        knobs=lambda chance: {"CHAOS_DIE_AT": str(chance.randrange(1, 12))},
    ),
    Kind("kill_box", _kill_box),
    Kind("kill_server", _kill_server, root=True),
    Kind(
        "stop_server", _stop_server, root=True,
        knobs=lambda _: {"CHAOS_HEARTBEAT_S": HEARTBEAT_S, "CHAOS_PATIENCE_S": "4"},
    ),
    Kind("full_disk", _full_disk, root=True, small_disk=True),
    Kind(
        "no_descriptors", _no_descriptors,
        knobs=lambda chance: {"CHAOS_DESCRIPTORS": str(chance.randrange(8, 60))},
    ),
    Kind("clock", _clock, knobs=_clock_knobs),
    Kind("server_away", _server_away, models=("server",)),
    Kind("two_runners", _two_runners),
    Kind("tear", _tear),
    Kind("daemon_stops", _daemon_stops, sandboxes=("docker",), own_daemon=True, root=True),
    Kind("daemon_dies", _daemon_dies, sandboxes=("docker",), own_daemon=True, root=True),
    Kind("daemon_freezes", _daemon_freezes, sandboxes=("docker",), own_daemon=True, root=True),
)  # fmt: skip


@contextlib.contextmanager
def small_disk(folder: Path):  # type: ignore[no-untyped-def]
    """A file system of 64 MiB at ``folder`` for as long as the context is open."""
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "proctor-chaos", str(folder)],
        check=True, capture_output=True,
    )  # fmt: skip
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, capture_output=True)
