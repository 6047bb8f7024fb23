"""One child from start to end: its output capped, its clocks, why it was stopped."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from typing import NamedTuple

from tools.box import limits

TICK_S = 0.02  # of the clocks and, in bubblewrap, of the memory watchdog
FLOOD_FACTOR = 32  # output beyond its cap is cut; so many times the cap stops the child
MIN_TICK_S = 0.002  # as memory nears its limit
FILL_RATE = 4 << 30  # bytes/s, no slower than a bomb on one core
BOX_RESERVE = 48 * 1024 * 1024  # Docker: stopped so near the limit; the kernel may take the server
HOST_RESERVE = 256 * 1024 * 1024  # bubblewrap: below this much free memory the child is stopped
READ_SIZE = 1 << 16


class Capture:
    """First and last parts of a stream."""

    def __init__(self, fd: int, cap: int) -> None:
        self.fd = fd
        self.total = 0
        self._cap = cap
        self._head = bytearray()
        self._tail = bytearray()

    def read(self) -> bool:
        """Take what is there; False at the end of the stream."""
        try:
            data = os.read(self.fd, READ_SIZE)
        except BlockingIOError:
            return True
        if not data:
            return False
        self.total += len(data)
        room = max(0, self._cap // 2 - len(self._head))
        self._head += data[:room]
        self._tail += data[room:]
        half = self._cap - self._cap // 2
        if len(self._tail) > 4 * half + READ_SIZE:
            del self._tail[:-half]
        return True

    def text(self) -> bytes:
        """What was kept, with a notice where it was cut."""
        half = self._cap - self._cap // 2
        if len(self._tail) <= half:
            return bytes(self._head + self._tail)
        cut = len(self._tail[:-half]) if self.total <= self._cap else self.total - self._cap
        return bytes(self._head) + f"\n[{cut} bytes cut]\n".encode() + bytes(self._tail[-half:])


class Lines:
    """Whole lines up to a cap; what passes it is read and dropped."""

    def __init__(self, fd: int, cap: int) -> None:
        self.fd = fd
        self.truncated = False
        self._cap = cap
        self._data = bytearray()

    def read(self) -> bool:
        """Take what is there; False at the end of the stream."""
        try:
            data = os.read(self.fd, READ_SIZE)
        except BlockingIOError:
            return True
        if not data:
            return False
        room = self._cap - len(self._data)
        self.truncated |= len(data) > room
        self._data += data[:room]
        return True

    def whole(self) -> bytes:
        """The complete lines."""
        end = self._data.rfind(b"\n") + 1
        return bytes(self._data[:end])


class Bounds(NamedTuple):
    """When a child is stopped. memory: bytes; counted: by a cgroup, which also enforces it."""

    wall_s: float
    cpu_s: float
    flood: int
    memory: int
    counted: bool
    inodes: dict[str, int]


class Supervisor:
    """Watches the streams and clocks of running children until the main one has ended.

    base: what ran already, such as a judge that is kept, which is not the child's; looked up here
    where it is not given. Unused where a cgroup counts.
    """

    def __init__(
        self, bounds: Bounds, own: set[int], trees: str, base: limits.Usage | None = None
    ) -> None:
        self.bounds = bounds
        self.stopped: str | None = None
        self.peak_memory = 0
        self.peak_threads = 0
        self.cpu_s = 0.0
        self.disk_full = False
        self._own = own
        self._trees = trees
        self._started = time.monotonic()
        self._cpu_before = limits.cpu_seconds()
        self._memory_before = limits.memory_used() or 0
        self._trees_before = limits.tmpfs_bytes((trees,))
        self._next_tick = self._started + TICK_S
        self._base = None if bounds.counted else base or limits.survey(own)
        self.tick_s = TICK_S

    @property
    def wall_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    def tick(self, captures: list[Capture]) -> str | None:
        """Look at clocks and counters where it is time to; returns a reason to stop."""
        now = time.monotonic()
        if sum(capture.total for capture in captures) > self.bounds.flood:
            return "output"
        if now - self._started > self.bounds.wall_s:
            return "wall"
        if now < self._next_tick:
            return None
        reason = self._counted() if self.bounds.counted else self._surveyed()
        self._next_tick = now + self.tick_s
        return reason

    def _counted(self) -> str | None:
        used = limits.memory_used()
        if used is not None:
            self.peak_memory = max(self.peak_memory, used - self._memory_before)
            allowed = self.bounds.memory - min(BOX_RESERVE, self.bounds.memory // 8)
            self.tick_s = min(TICK_S, max(MIN_TICK_S, (allowed - used) / FILL_RATE))
            if used > allowed and (limits.memory_held() or 0) > allowed:
                return "memory"
        cpu = limits.cpu_seconds()
        if cpu is not None and self._cpu_before is not None:
            self.cpu_s = cpu - self._cpu_before
        self.disk_full |= limits.full(self.bounds.inodes)
        if limits.crowded(self.bounds.inodes):  # only where the mounts have no such limit
            self.disk_full = True
            return "disk"
        return "cpu" if self.cpu_s > self.bounds.cpu_s else None

    def _surveyed(self) -> str | None:
        usage = limits.survey(self._own)
        base = self._base or usage
        own_mounts = [
            f"/proc/{pid}/root{name}" for pid in usage.inits for name in ("/tmp", "/dev/shm")
        ]
        files = limits.tmpfs_bytes((self._trees,)) - self._trees_before
        memory = usage.memory - base.memory + limits.tmpfs_bytes(own_mounts) + max(0, files)
        self.peak_memory = max(self.peak_memory, memory)
        self.peak_threads = max(self.peak_threads, usage.threads - base.threads)
        self.cpu_s = max(self.cpu_s, usage.cpu_s - base.cpu_s)
        self.disk_full |= limits.full((self._trees, *own_mounts))
        available = limits.host_available()
        if memory > self.bounds.memory or (available is not None and available < HOST_RESERVE):
            return "memory"
        return "cpu" if self.cpu_s > self.bounds.cpu_s else None

    def watch(
        self,
        captures: list[Capture],
        lines: Lines,
        others: list[tuple[int, Callable[[], None]]],
        ended: Callable[[], bool],
        stop: Callable[[], None],
    ) -> None:
        """Until ``ended``: read streams, serve ``others`` (descriptor, handler), or ``stop``."""
        readers: list[Capture | Lines] = [*captures, lines]
        streams = {reader.fd: reader for reader in readers}
        handlers = dict(others)
        poll = select.poll()
        for fd in (*streams, *handlers):
            poll.register(fd, select.POLLIN)
        while not ended():
            for fd, _ in poll.poll(self.tick_s * 1000):
                if fd in handlers:
                    handlers[fd]()
                elif not streams[fd].read():
                    poll.unregister(fd)
            if self.stopped is None and (reason := self.tick(captures)) is not None:
                self.stopped = reason
                stop()


def drain(streams: list[Capture | Lines]) -> None:
    """Read what is left in pipes whose writers are dead."""
    for stream in streams:
        before = time.monotonic()
        while stream.read() and time.monotonic() - before < 1.0:
            if not select.select([stream.fd], [], [], 0)[0]:
                break
