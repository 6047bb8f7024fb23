"""Boxes in Docker and Podman: control through the SDK, frames through the attached stream."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeVar

import docker
import requests
from docker.errors import DockerException, NotFound
from docker.types import LogConfig, Ulimit

from harness.errors import ProctorError, SandboxError
from harness.sandbox import attest, bootstrap, extras, extras_image, image, owner, reaper, sweep
from harness.sandbox.channel import Channel
from harness.sandbox.hello import hello_fields
from harness.sandbox.protocol import Box, BoxSpec, Limits, ProbeReport, Readiness
from harness.sandbox.remote import RemoteBox
from harness.sandbox.shipping import shipped
from harness.sandbox.sockets import find_socket
from tools.box import layout

PROBE_S = 10.0
CONTROL_S = 60
# Given since Podman's defaults can be above what it may set itself. nproc counts a user over all
# boxes, so it is out of the way here: the pids cgroup is what limits.
ULIMITS = {"nofile": 4096, "nproc": 32_768}
RUN_BYTES, RUN_INODES = 8 << 20, 64
_SHARED = "mode=1777"

T = TypeVar("T")


class DockerProvider:
    """Boxes are containers.

    covers: mounts (tmpfs options by folder) over what a runtime adds to a read-only container.
    """

    name: Literal["docker", "podman", "bubblewrap"] = "docker"
    inodes_capped = True
    covers: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        self._reaper: subprocess.Popen[bytes] | None = None
        self._lock = asyncio.Lock()
        self._open = 0
        self._image: image.Found | None = None
        self._version: str | None = None

    @cached_property
    def _socket(self) -> str:
        found = find_socket(self.name)
        if found is None:
            raise SandboxError(f"no {self.name} socket", remedy=f"start {self.name}")
        return found

    @cached_property
    def _client(self) -> docker.APIClient:
        """Raises DockerException. The pool is as large as a run's concurrency can need."""
        return docker.APIClient(
            base_url=f"unix://{self._socket}", version="auto", timeout=CONTROL_S, num_pools=64
        )

    async def probe(self, limits: Limits) -> ProbeReport:
        """See protocol.Provider."""
        try:
            async with asyncio.timeout(PROBE_S):
                return await self._probe(limits)
        except TimeoutError:
            return self._report(
                Readiness.NOT_RUNNING, f"no answer in {PROBE_S:g} s", f"restart {self.name}"
            )

    def _report(self, readiness: Readiness, detail: str, remedy: str | None = None) -> ProbeReport:
        return ProbeReport(self.name, readiness, detail, remedy, self._version)

    async def _probe(self, limits: Limits) -> ProbeReport:
        state = await asyncio.to_thread(sweep.daemon_state, self.name)
        if state is not None:
            return self._report(*state)
        try:
            await self._connect()
        except SandboxError as error:
            return self._report(
                Readiness.NOT_RUNNING, str(error)[:300], f"start the {self.name} service"
            )
        if self._image is None:
            return self._report(
                Readiness.IMAGE_MISSING,
                "the box image is not built, or its recipe changed",
                f"proctor setup {self.name}",
            )
        try:
            box = await self.open(BoxSpec("probe", "probe", "probe", limits))
            toolchain = dict(box.attestation.toolchain)
            await box.close()
            for name in extras.EXTRAS:
                if await self._find_extra(name) is not None:
                    toolchain[name] = extras.digest(name)[:12]
        except ProctorError as error:
            return self._report(Readiness.UNUSABLE, str(error)[:500], "proctor doctor --verbose")
        return ProbeReport(
            self.name,
            Readiness.READY,
            f"image {self._image.digest[:19]}",
            version=self._version,
            toolchain=toolchain,
        )

    async def _connect(self) -> None:
        """Version and image, once. Raises SandboxError."""
        if self._version is None:
            told = await self._ask(lambda: self._client.version())
            self._version = str(told.get("Version"))
        if self._image is None:
            self._image = await self._ask(lambda: image.find(self._client))

    async def _ask(self, question: Callable[[], T]) -> T:
        """What the daemon answers. Raises SandboxError where it does not."""
        try:
            return await asyncio.to_thread(question)
        except (DockerException, requests.RequestException) as error:
            raise SandboxError(f"{self.name} does not answer: {error}") from None

    async def open(self, spec: BoxSpec) -> Box:
        """See protocol.Provider."""
        attest.check_limits(spec.limits)
        await self._connect()
        found = self._image
        if found is None:
            raise SandboxError(
                "the box image is not built, or its recipe changed",
                where=self.name,
                remedy=f"proctor setup {self.name}",
            )
        if spec.extra is not None:
            found = await self._with_extra(spec.extra)
        await self._start_reaper()
        name = f"proctor-{spec.purpose}-{secrets.token_hex(6)}"
        try:
            return await self._open_container(name, spec, found)
        except BaseException as error:
            await whole(self._remove(name))
            if isinstance(error, (DockerException, requests.RequestException, OSError)):
                raise SandboxError(f"cannot open a box: {error}", where=self.name) from error
            raise

    async def _with_extra(self, name: str) -> image.Found:
        """The image with a set of packages. Raises SandboxError where it is not built."""
        found = await self._find_extra(name)
        if found is None:
            raise extras.missing(name, self.name)
        return found

    async def _find_extra(self, name: str) -> image.Found | None:
        return await self._ask(lambda: extras_image.find_image(self._client, name))

    async def _open_container(self, name: str, spec: BoxSpec, found: image.Found) -> Box:
        client = self._client
        settings = self._settings(name, spec, found.digest)
        await whole(asyncio.to_thread(lambda: client.create_container(**settings)))
        attached = await whole(asyncio.to_thread(_attach, client, name))
        loop = asyncio.get_running_loop()
        _, channel = await loop.create_connection(lambda: Channel(multiplexed=True), sock=attached)
        box = RemoteBox(
            name,
            spec,
            channel,
            remove=lambda: self._remove(name),
            explain=lambda: self._explain(name),
        )
        tools = await asyncio.to_thread(shipped)
        channel.write_raw(bootstrap.prelude(tools.data))
        starting = asyncio.ensure_future(asyncio.to_thread(lambda: client.start(name)))
        hello = asyncio.ensure_future(box.hello(hello_fields("uid", spec)))
        try:
            await whole(starting)
            facts = await hello
        except BaseException as error:
            hello.cancel()
            await asyncio.gather(hello, return_exceptions=True)
            if isinstance(error, SandboxError):
                error.what += f" ({await box.death()})"
            await channel.close()
            raise
        box.attest(
            attest.build(
                self.name,
                spec,
                facts,
                runtime_version=str(self._version),
                image_digest=found.digest,
                tools=tools,
                inodes_capped=self.inodes_capped,
            )
        )
        return box

    def _settings(self, name: str, spec: BoxSpec, digest: str) -> dict[str, Any]:
        limits = spec.limits
        tmpfs = {
            layout.TREES: self._tmpfs(limits.work_bytes, limits.work_inodes, _SHARED),
            "/tmp": self._tmpfs(limits.tmp_bytes, limits.tmp_inodes, _SHARED),
            "/dev/shm": self._tmpfs(limits.shm_bytes, limits.shm_inodes, _SHARED),
            layout.RUN: self._tmpfs(RUN_BYTES, RUN_INODES, "mode=0755"),
            **self.covers,
        }
        host = self._client.create_host_config(
            network_mode="none",
            read_only=True,
            log_config=LogConfig(type="none"),
            tmpfs=tmpfs,
            cap_drop=["ALL"],
            cap_add=["SETUID", "SETGID", "KILL"],
            security_opt=["no-new-privileges"],
            mem_limit=limits.memory,
            memswap_limit=limits.memory,
            pids_limit=limits.pids + layout.SERVER_PROCESSES,
            nano_cpus=int(limits.cpus * 1e9),
            ulimits=[Ulimit(name=name, soft=n, hard=n) for name, n in ULIMITS.items()],
            auto_remove=True,
        )
        return {
            "image": digest,
            "name": name,
            "entrypoint": ["python3", *bootstrap.ARGUMENTS],
            "command": [],
            "user": "0:0",
            "environment": bootstrap.ENVIRONMENT,
            "working_dir": "/",
            "hostname": "box",
            "stdin_open": True,
            "labels": {
                owner.LABEL_RUN: spec.run_id,
                owner.LABEL_SAMPLE: spec.sample,
                owner.LABEL_PURPOSE: spec.purpose,
                owner.LABEL_OWNER: str(owner.me()),
            },
            "host_config": host,
        }

    def _tmpfs(self, size: int, inodes: int, access: str) -> str:
        return f"exec,nosuid,nodev,size={size},nr_inodes={inodes},{access}"

    async def _start_reaper(self) -> None:
        async with self._lock:
            if self._reaper is not None and self._reaper.poll() is None:
                return
            argv = [sys.executable, "-P", "-S", reaper.__file__, self._socket, str(owner.me())]
            self._reaper = await asyncio.to_thread(
                lambda: subprocess.Popen(
                    argv,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    cwd="/",
                )
            )

    async def _remove(self, name: str) -> None:
        """Remove a container and wait until it is gone. Raises SandboxError."""
        await asyncio.to_thread(sweep.remove, self._client, name)

    async def _explain(self, name: str) -> str:
        def look() -> str:
            try:
                state: Mapping[str, Any] = self._client.inspect_container(name)["State"]
            except NotFound:
                return "its container is gone"
            except (DockerException, requests.RequestException) as error:
                return f"{self.name} does not answer: {error}"
            return (
                f"container {state.get('Status')}, exit code {state.get('ExitCode')}, "
                f"out of memory: {state.get('OOMKilled')} {state.get('Error') or ''}".strip()
            )

        return await asyncio.to_thread(look)

    async def setup(self, progress: Any) -> None:
        """See protocol.Provider."""
        self._image = await self._ask(lambda: image.build(self._client, progress))

    async def setup_extra(self, name: str, progress: Any) -> None:
        """See protocol.Provider."""
        await self._ask(lambda: extras_image.build_image(self._client, name, progress))

    async def clean(self, *, run_id: str | None = None) -> list[str]:
        """See protocol.Provider."""
        return await asyncio.to_thread(sweep.clean, self._client, run_id)

    async def close(self) -> None:
        """See protocol.Provider."""
        if self._reaper is not None and self._reaper.stdin is not None:
            with contextlib.suppress(OSError):
                left = await asyncio.to_thread(sweep.mine, self._client)
                if not left:
                    self._reaper.stdin.write(b"q")
                    self._reaper.stdin.flush()
            self._reaper.stdin.close()
            self._reaper = None
        if "_client" in self.__dict__:
            self._client.close()
            del self.__dict__["_client"]


class PodmanProvider(DockerProvider):
    """Podman through its Docker-compatible socket.

    It knows no ``nr_inodes`` for a tmpfs: the box's server counts inodes itself and stops a child
    that uses more than its share.
    """

    name = "podman"
    inodes_capped = False
    # It puts a folder there that everybody can write to, and that no cap binds.
    covers: ClassVar[Mapping[str, str]] = {"/var/tmp": "notmpcopyup,ro,size=4096,mode=0755"}

    def _tmpfs(self, size: int, inodes: int, access: str) -> str:
        return f"notmpcopyup,exec,nosuid,nodev,size={size},{access}"


def _attach(client: docker.APIClient, name: str) -> socket.socket:
    """The container's raw stream, before it is started, so that no byte of it is lost."""
    wrapped = client.attach_socket(name, params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
    inner = getattr(wrapped, "_sock", wrapped)
    attached = socket.socket(fileno=os.dup(inner.fileno()))
    attached.setblocking(False)
    wrapped.close()
    return attached


async def whole(work: Awaitable[T]) -> T:
    """Await to the end even when cancelled, so that nothing is left half done in a thread."""
    future = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        if not future.cancelled():
            future.exception()  # heard, though the cancellation is what is told
        raise
