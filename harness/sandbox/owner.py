"""Who opened a box: enough to prove later that its owner is gone."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

LABEL_RUN = "proctor.run"
LABEL_SAMPLE = "proctor.sample"
LABEL_PURPOSE = "proctor.purpose"
LABEL_OWNER = "proctor.owner"
LABEL_RECIPE = "proctor.recipe"


@dataclass(frozen=True)
class Owner:
    """A process: host (with boot and pid namespace, where Linux tells), pid, start time."""

    host: str
    pid: int
    started: str

    def __str__(self) -> str:
        return f"{self.host}|{self.pid}|{self.started}"

    @classmethod
    def parse(cls, text: str) -> Owner | None:
        """An owner from its label, None when it is not one of ours."""
        parts = text.split("|")
        if len(parts) != 3 or not parts[1].isdigit():
            return None
        return cls(parts[0], int(parts[1]), parts[2])

    def provably_gone(self) -> bool:
        """Whether it ran on this host and does no more; unknown is not gone."""
        if self.host != this_host():
            return False
        try:
            started = _start_time(self.pid)
            if ("." in started) != ("." in self.started):
                return False  # told in another way, by another version: whose it is, is unknown
            return started != self.started
        except psutil.NoSuchProcess:
            return True
        except psutil.Error:
            return False


@cache
def this_host() -> str:
    """A name that another machine, another boot or another pid namespace does not share."""
    parts = [platform.node()]
    try:
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:8])
        parts.append(str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]"))
    except OSError:
        pass  # no Linux: the name alone
    return "/".join(parts)


def _start_time(pid: int) -> str:
    process = psutil.Process(pid)
    if process.status() == psutil.STATUS_ZOMBIE:
        raise psutil.NoSuchProcess(pid)
    try:
        # In ticks since the boot, field 22: a date would move with the clock, and whoever was
        # started before it jumped would seem to be another.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return fields[19]
    except (OSError, IndexError):
        return f"{process.create_time():.2f}"


@cache
def _me(pid: int) -> Owner:
    return Owner(this_host(), pid, _start_time(pid))


def me() -> Owner:
    """This process as an owner."""
    return _me(os.getpid())
