"""A Docker daemon of the tests' own, which may be stopped, killed and frozen.

Its socket, data, state and containerd lie in one folder; it makes no bridge and no rules of the
firewall. The box image is carried over from the machine's daemon once.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import docker
import psutil
import requests
from docker.errors import DockerException

from harness.sandbox import image

UP_S = 90.0
# Data on the disk of /var/tmp: overlay needs a real file system, which /tmp may not be.
_PLACE = Path("/var/tmp")


@dataclass
class Daemon:
    """``start``, then ``host`` is what DOCKER_HOST must be. ``close`` leaves nothing."""

    root: Path
    process: subprocess.Popen[bytes] | None = None
    log: Path = field(init=False)

    @classmethod
    def make(cls, name: str) -> Daemon:
        """A folder for a daemon; the path is short, for a socket's may have 107 bytes."""
        root = _PLACE / f"proctor-{name}-{os.getpid()}"
        root.mkdir(mode=0o700)
        return cls(root)

    def __post_init__(self) -> None:
        self.log = self.root / "dockerd.log"

    @property
    def socket(self) -> Path:
        return self.root / "docker.sock"

    @property
    def host(self) -> str:
        return f"unix://{self.socket}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        # A killed daemon leaves its pid file and its containerd's behind; both would be believed.
        for pid_file in (self.root / "docker.pid", self.root / "exec/containerd/containerd.pid"):
            pid_file.unlink(missing_ok=True)
        self._end_containerd()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    "dockerd", "--host", self.host, "--data-root", str(self.root / "data"),
                    "--exec-root", str(self.root / "exec"), "--pidfile",
                    str(self.root / "docker.pid"), "--iptables=false", "--bridge=none",
                ],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + UP_S
        while not self.answers():
            assert self.process.poll() is None, f"dockerd ended: {self.tail()}"
            assert time.monotonic() < deadline, f"dockerd does not answer: {self.tail()}"
            time.sleep(0.1)

    def answers(self) -> bool:
        try:
            with contextlib.closing(docker.APIClient(base_url=self.host, timeout=5)) as client:
                return bool(client.ping())
        except (DockerException, requests.RequestException):
            return False

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def end(self, number: signal.Signals) -> None:
        """Stop it (SIGTERM) or kill it, and wait until it is gone."""
        self.signal(number)
        assert self.process is not None
        self.process.wait(60)
        self.process = None

    def load_box(self) -> None:
        """Give it the box image of the machine's own daemon, which has the same digest there."""
        with contextlib.closing(docker.APIClient()) as client:
            found = image.find(client)
            assert found is not None, "the box image is not built"
            names = client.inspect_image(found.digest)["RepoTags"]
        with subprocess.Popen(["docker", "save", names[0]], stdout=subprocess.PIPE) as save:
            subprocess.run(
                ["docker", "--host", self.host, "load", "--quiet"],
                stdin=save.stdout, check=True, capture_output=True, timeout=300,
            )  # fmt: skip

    def tail(self) -> str:
        return self.log.read_text(errors="replace")[-1500:]

    def _ours(self) -> list[psutil.Process]:
        """containerd and its shims: they name this folder on their command line."""
        found = []
        for process in psutil.process_iter(["cmdline"]):
            if any(str(self.root) in part for part in process.info["cmdline"] or []):
                found.append(process)
        return found

    def _end_containerd(self) -> None:
        """A containerd that outlives its daemon keeps the new one from starting its own."""
        for process in self._ours():
            with contextlib.suppress(psutil.Error):
                if process.name() == "containerd":
                    process.kill()
                    process.wait(10)

    def mounts(self) -> list[str]:
        """Mounts below its folder, deepest first."""
        lines = Path("/proc/self/mounts").read_text().splitlines()
        points = [line.split()[1] for line in lines]
        return sorted((p for p in points if p.startswith(f"{self.root}/")), reverse=True)

    def close(self) -> None:
        """Stop it and remove all of it."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.signal(signal.SIGCONT)
                self.signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(30)
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
        for process in self._ours():
            with contextlib.suppress(psutil.Error):
                process.kill()
        time.sleep(0.2)
        for point in self.mounts():
            subprocess.run(["umount", "-l", point], capture_output=True)
        shutil.rmtree(self.root, ignore_errors=True)


def why_none() -> str | None:
    """Why no daemon of our own can be had here; None when it can."""
    if os.geteuid() != 0:
        return "a daemon of its own needs root"
    missing = [name for name in ("dockerd", "containerd", "docker") if shutil.which(name) is None]
    return f"no {', '.join(missing)} here" if missing else None
