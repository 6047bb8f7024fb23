"""Counters that tell causes of death apart: cgroup v1 and v2, tmpfs, and /proc in bubblewrap."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

CGROUP = "/sys/fs/cgroup"
FULL_BYTES = 64 * 1024  # a writer that met "no space" leaves less than this free
FULL_INODES = 4
KERNEL_FILE = 1 << 16


_descriptors: dict[str, int] = {}
_absent: set[str] = set()
os.register_at_fork(after_in_child=_descriptors.clear)  # a child's numbers are other files


def kernel_text(path: str) -> str:
    """What a file of the kernel's says now. It stays open: many are read for every candidate.

    Raises OSError."""
    if path in _absent:
        raise FileNotFoundError(path)
    try:
        fd = _descriptors.get(path)
        if fd is None:
            fd = _descriptors[path] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(fd, KERNEL_FILE, 0).decode()
    except FileNotFoundError:
        _absent.add(path)
        raise


def _text(path: str) -> str:
    return kernel_text(f"{CGROUP}/{path}")


def _number(*paths: str) -> int | None:
    """The first of the files that holds a plain number."""
    for path in paths:
        try:
            return int(_text(path))
        except (OSError, ValueError):
            continue
    return None


def _keyed(path: str, key: str) -> int | None:
    """The number after ``key`` in a file of "key number" lines."""
    try:
        for line in _text(path).splitlines():
            name, _, value = line.partition(" ")
            if name == key:
                return int(value)
    except (OSError, ValueError):
        pass
    return None


class Counters(NamedTuple):
    """Totals since the box began; None where this kernel does not tell."""

    oom_kills: int | None
    pids_refused: int | None
    cpu_s: float | None


def read_counters() -> Counters:
    """The box's counters now."""
    oom = _keyed("memory/memory.oom_control", "oom_kill")
    if oom is None:
        oom = _keyed("memory.events", "oom_kill")
    pids = _keyed("pids/pids.events", "max")
    if pids is None:
        pids = _keyed("pids.events", "max")
    return Counters(oom, pids, cpu_seconds())


def cpu_seconds() -> float | None:
    """CPU time of the whole box."""
    nanoseconds = _number("cpuacct/cpuacct.usage", "cpu,cpuacct/cpuacct.usage")
    if nanoseconds is not None:
        return nanoseconds / 1e9
    microseconds = _keyed("cpu.stat", "usage_usec")
    return None if microseconds is None else microseconds / 1e6


def tasks() -> int | None:
    """Threads of all processes of the box."""
    return _number("pids/pids.current", "pids.current")


def memory_used() -> int | None:
    """Bytes charged to the box now, files in tmpfs included."""
    return _number("memory/memory.usage_in_bytes", "memory.current")


def memory_held() -> int | None:
    """Bytes charged to the box that the kernel cannot take back: all but cached files."""
    used = memory_used()
    if used is None:
        return None
    names = ("total_inactive_file", "total_active_file")  # v1, where "total" means hierarchical
    cached = [_keyed("memory/memory.stat", name) for name in names]
    if cached[0] is None:
        cached = [_keyed("memory.stat", name.removeprefix("total_")) for name in names]
    return used - sum(number or 0 for number in cached)


def configured() -> dict[str, int | float | None]:
    """The limits that the cgroup holds, for the attestation."""
    quota = _number("cpu/cpu.cfs_quota_us", "cpu,cpuacct/cpu.cfs_quota_us")
    period = _number("cpu/cpu.cfs_period_us", "cpu,cpuacct/cpu.cfs_period_us")
    try:
        left, _, right = _text("cpu.max").partition(" ")
        quota, period = int(left), int(right)
    except (OSError, ValueError):
        pass
    return {
        "memory": _number("memory/memory.limit_in_bytes", "memory.max"),
        "memory_and_swap": _number("memory/memory.memsw.limit_in_bytes"),
        "swap": _number("memory.swap.max"),
        "pids": _number("pids/pids.max", "pids.max"),
        "cpus": quota / period if quota and period and quota > 0 else None,
    }


def full(folders: Iterable[str]) -> bool:
    """Whether one of the file systems has no room left, in bytes or in inodes."""
    for folder in folders:
        try:
            state = os.statvfs(folder)
        except OSError:
            continue
        if state.f_blocks and state.f_bavail * state.f_frsize < FULL_BYTES:
            return True
        if state.f_files and state.f_favail < FULL_INODES:
            return True
    return False


def crowded(allowed: dict[str, int]) -> bool:
    """Whether one of the folders' file systems holds more inodes than it is allowed."""
    for folder, count in allowed.items():
        try:
            state = os.statvfs(folder)
        except OSError:
            continue
        if state.f_files - state.f_ffree > count:
            return True
    return False


class Usage(NamedTuple):
    """What the processes of a box without cgroup use at one moment; inits: of pid namespaces."""

    memory: int
    threads: int
    cpu_s: float
    inits: list[int]


def survey(own: set[int]) -> Usage:
    """Sum over every process that /proc shows but ``own``: anonymous and shared memory, CPU.

    Shared pages mapped by several processes count once a process: a bomb ends early rather than
    late. Files in tmpfs are added by the caller, which knows the folders.
    """
    memory = threads = ticks = 0
    inits = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) in own:
            continue
        try:
            with open(f"/proc/{name}/status", "rb") as file:
                status = file.read()
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        ticks += sum(int(field) for field in fields[11:15])
        for line in status.splitlines():
            if line.startswith((b"RssAnon:", b"RssShmem:")):
                memory += int(line.split()[1]) * 1024
            elif line.startswith(b"Threads:"):
                threads += int(line.split()[1])
            elif line.startswith(b"NSpid:") and line.split()[2:] == [b"1"]:
                inits.append(int(name))
    return Usage(memory, threads, ticks / os.sysconf("SC_CLK_TCK"), inits)


def tmpfs_bytes(folders: Iterable[str]) -> int:
    """Bytes that files take in tmpfs mounts."""
    total = 0
    for folder in folders:
        try:
            state = os.statvfs(folder)
        except OSError:
            continue
        total += (state.f_blocks - state.f_bfree) * state.f_frsize
    return total


def host_available() -> int | None:
    """Bytes of memory that the machine has left (MemAvailable)."""
    try:
        with open("/proc/meminfo", "rb") as file:
            for line in file:
                if line.startswith(b"MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None
