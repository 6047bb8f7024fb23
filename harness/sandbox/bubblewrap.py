"""Boxes in bubblewrap: no daemon, no image; namespaces, an allow-list and a watchdog."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import socket
import subprocess
from collections.abc import Coroutine
from typing import Any, Literal

from harness.errors import ProctorError, SandboxError
from harness.sandbox import (
    allow_list,
    attest,
    bootstrap,
    bwrap_program,
    extras,
    host_toolchain,
    owner,
    processes,
)
from harness.sandbox import toolchain as toolchains
from harness.sandbox.channel import Channel
from harness.sandbox.hello import hello_fields
from harness.sandbox.protocol import Box, BoxSpec, Limits, ProbeReport, Readiness
from harness.sandbox.remote import RemoteBox
from harness.sandbox.shipping import shipped

PROBE_S = 10.0
END_S = 5.0
# Ids that no distribution gives out (above systemd's container range); one a box, so that limits
# that count by user do not add up over boxes.
_FIRST_UID = 0x70000000
_UIDS = 1 << 20
_STDERR = 4096


class BubblewrapProvider:
    """Boxes are process trees of this process."""

    name: Literal["docker", "podman", "bubblewrap"] = "bubblewrap"

    def __init__(self) -> None:
        self._uids = itertools.count(os.getpid() * 64)
        self._found: bwrap_program.Found | None = None

    async def probe(self, limits: Limits) -> ProbeReport:
        """See protocol.Provider."""
        found = await asyncio.to_thread(bwrap_program.find)
        if found is None:
            return self._report(
                Readiness.NOT_INSTALLED,
                "no bubblewrap on this machine",
                "install bubblewrap, or pip install 'proctor-harness[bubblewrap]'",
            )
        python = allow_list.interpreter()
        if python is None:
            return self._report(
                Readiness.UNUSABLE, "no /usr/bin/python3", "install the system's python3"
            )
        if not host_toolchain.ready(python):
            return self._report(
                Readiness.IMAGE_MISSING,
                "the toolchain is not installed, or its recipe changed",
                "proctor setup bubblewrap",
            )
        try:
            async with asyncio.timeout(PROBE_S):
                box = await self.open(BoxSpec("probe", "probe", "probe", limits))
                versions = dict(box.attestation.toolchain)
                await box.close()
        except TimeoutError:
            return self._report(Readiness.UNUSABLE, f"no box within {PROBE_S:g} s")
        except ProctorError as error:
            return self._report(
                Readiness.UNUSABLE,
                str(error)[:500],
                "allow unprivileged user namespaces, or use Docker or Podman",
            )
        for name in extras.EXTRAS:
            if extras.on_host(name, python) is not None:
                versions[name] = extras.digest(name)[:12]
        return ProbeReport(
            self.name,
            Readiness.READY,
            found.path,
            version=found.version,
            toolchain=versions,
        )

    def _report(self, readiness: Readiness, detail: str, remedy: str | None = None) -> ProbeReport:
        version = self._found.version if self._found else None
        return ProbeReport(self.name, readiness, detail, remedy, version)

    async def open(self, spec: BoxSpec) -> Box:
        """See protocol.Provider."""
        attest.check_limits(spec.limits)
        if self._found is None:
            self._found = await asyncio.to_thread(bwrap_program.find)
        python = allow_list.interpreter()
        if self._found is None or python is None:
            raise SandboxError("bubblewrap or /usr/bin/python3 is missing", remedy="proctor doctor")
        toolchain = toolchains.installed(python)
        if toolchain is None:
            raise SandboxError(
                "the toolchain is not installed, or its recipe changed",
                where=self.name,
                remedy="proctor setup bubblewrap",
            )
        name = f"proctor-{spec.purpose}-{secrets.token_hex(6)}"
        marker = processes.marker(name, spec.run_id, owner.me())
        extra = None
        if spec.extra is not None:
            extra = extras.on_host(spec.extra, python)
            if extra is None:
                raise extras.missing(spec.extra, self.name)
        command = allow_list.arguments(
            self._found.path, python, toolchain.path, marker, extra=extra
        )
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        try:
            process = await _started(self._spawn(command, theirs), (ours, theirs))
        except BaseException as error:
            ours.close()
            if isinstance(error, OSError):
                raise SandboxError(f"cannot start bubblewrap: {error}", where=self.name) from None
            raise
        finally:
            theirs.close()
        channel = Channel(multiplexed=False)
        reader = asyncio.ensure_future(_collect(process, channel))
        box = RemoteBox(
            name,
            spec,
            channel,
            remove=lambda: _end(process, reader),
            explain=lambda: _explain(process),
        )
        try:
            await asyncio.get_running_loop().create_connection(lambda: channel, sock=ours)
            tools = await asyncio.to_thread(shipped)
            channel.write_raw(bootstrap.prelude(tools.data))
            facts = await box.hello(hello_fields("namespaces", spec))
            box.attest(
                attest.build(
                    self.name,
                    spec,
                    facts,
                    runtime_version=self._found.version,
                    image_digest=await asyncio.to_thread(extras.identity, python, spec.extra),
                    tools=tools,
                )
            )
        except BaseException as error:
            if not channel.connected:
                ours.close()
            await box.close()
            if isinstance(error, SandboxError):
                error.what += f" ({await box.death()})"
            raise
        return box

    async def _spawn(self, command: list[str], stream: socket.socket) -> asyncio.subprocess.Process:
        extra: dict[str, Any] = {}
        if os.geteuid() == 0:
            uid = _FIRST_UID + next(self._uids) % _UIDS
            extra = {"user": uid, "group": uid, "extra_groups": []}
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=stream.fileno(),
            stdout=stream.fileno(),
            stderr=subprocess.PIPE,
            cwd="/",
            env={},
            **extra,
        )

    async def setup(self, progress: Any) -> None:
        """See protocol.Provider."""
        await asyncio.to_thread(host_toolchain.setup, progress)

    async def setup_extra(self, name: str, progress: Any) -> None:
        """See protocol.Provider."""
        python = allow_list.interpreter()
        if python is None:
            raise SandboxError("/usr/bin/python3 is missing", remedy="proctor doctor")
        await self.setup(progress)
        await asyncio.to_thread(extras.setup_host, name, python, progress)

    async def clean(self, *, run_id: str | None = None) -> list[str]:
        """See protocol.Provider."""
        return await asyncio.to_thread(processes.clean, run_id)

    async def close(self) -> None:
        """See protocol.Provider. Boxes end with their streams: there is nothing to release."""


async def _started(
    spawning: Coroutine[Any, Any, asyncio.subprocess.Process],
    stream: tuple[socket.socket, socket.socket],
) -> asyncio.subprocess.Process:
    """The process; one that starts while its opening is cancelled ends with its stream.

    It is not killed: a bubblewrap that dies while it sets up leaves its inner process waiting.
    """
    task = asyncio.ensure_future(spawning)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        for end in stream:
            end.close()
        if task.exception() is None:
            await task.result().communicate()
        raise


async def _collect(process: asyncio.subprocess.Process, channel: Channel) -> None:
    assert process.stderr is not None  # it was asked for
    while data := await process.stderr.read(_STDERR):
        channel.add_stderr(data)


async def _end(process: asyncio.subprocess.Process, reader: asyncio.Future[None]) -> None:
    """Wait for the process tree to end, which its closed stream makes it do; kill it if not.

    The outer bubblewrap ends after the init of its pid namespace, so its end proves theirs.
    """
    try:
        async with asyncio.timeout(END_S):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    # The end of its stderr may come after its own: a pipe that is still open when the event loop is
    # closed complains on the terminal.
    await asyncio.wait([reader], timeout=END_S)
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)


async def _explain(process: asyncio.subprocess.Process) -> str:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            await process.wait()
    code = process.returncode
    return "its process still runs" if code is None else f"bubblewrap ended with {code}"
