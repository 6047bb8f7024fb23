"""A real headless Chromium, driven over its debugging protocol."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--remote-debugging-port=0",
    "--window-size=1280,800",
)
_PATIENCE_S = 60.0


def chromium() -> str:
    """The program; the test is skipped (or fails when PROCTOR_REQUIRE names it) without one."""
    from tests.support.boxes import unavailable

    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    unavailable("chromium", "no such program")
    raise AssertionError


class Page:
    """One page. ``frames``: bytes received over its WebSockets; ``requests``: addresses asked
    for; ``problems``: what its console complained of."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self.frames = b""
        self.sent = 0
        self.requests: list[str] = []
        self.problems: list[str] = []

    async def listen(self) -> None:
        async for message in self._socket:
            told = json.loads(message.data)
            if "id" in told:
                self._answers.pop(told["id"]).set_result(told)
                continue
            what, facts = told["method"], told["params"]
            if what == "Network.webSocketFrameReceived":
                frame = facts["response"]
                binary = frame["opcode"] == 2
                data = frame["payloadData"]
                self.frames += base64.b64decode(data) if binary else data.encode()
            elif what == "Network.requestWillBeSent":
                self.requests.append(facts["request"]["url"])
            elif what == "Log.entryAdded" and facts["entry"]["level"] == "error":
                self.problems.append(facts["entry"]["text"])
            elif what == "Runtime.exceptionThrown":
                self.problems.append(str(facts["exceptionDetails"].get("text")))

    async def ask(self, method: str, **parameters: Any) -> Any:
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        told = await asyncio.wait_for(answer, _PATIENCE_S)
        assert "error" not in told, told
        return told["result"]

    async def open(self, url: str) -> None:
        for domain in ("Page", "Network", "Log", "Runtime"):
            await self.ask(f"{domain}.enable")
        await self.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        await self.ask("Page.navigate", url=url)

    async def evaluate(self, script: str) -> Any:
        found = await self.ask("Runtime.evaluate", expression=script, awaitPromise=True)
        return found["result"].get("value")

    async def type(self, text: str) -> None:
        for letter in text:
            await self.ask("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            await self.ask("Input.dispatchKeyEvent", type="keyUp", key=letter)

    async def sees(self, word: str, since: int = 0) -> None:
        """Wait until the terminal was told ``word`` after byte ``since``."""
        deadline = asyncio.get_running_loop().time() + _PATIENCE_S
        while word.encode() not in self.frames[since:]:
            if asyncio.get_running_loop().time() > deadline:
                pytest.fail(f"no {word!r} in the page: {self.frames[-600:]!r}, {self.problems}")
            await asyncio.sleep(0.1)

    async def picture(self) -> bytes:
        """The page as PNG."""
        return base64.b64decode((await self.ask("Page.captureScreenshot", format="png"))["data"])


@asynccontextmanager
async def browser(profile: Path) -> AsyncIterator[Page]:
    """A browser with one empty page; ``profile`` is a fresh folder."""
    process = await asyncio.create_subprocess_exec(
        chromium(),
        *FLAGS,
        f"--user-data-dir={profile}",
        "about:blank",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        port = await _port(profile / "DevToolsActivePort", process)
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                targets = await answer.json()
            address = next(t["webSocketDebuggerUrl"] for t in targets if t["type"] == "page")
            async with session.ws_connect(address, max_msg_size=0) as socket:
                page = Page(socket)
                listening = asyncio.create_task(page.listen())
                try:
                    yield page
                finally:
                    listening.cancel()
                    with suppress(asyncio.CancelledError):
                        await listening
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 20)
        except TimeoutError:
            process.kill()
            await process.wait()


async def _port(path: Path, process: asyncio.subprocess.Process) -> int:
    deadline = asyncio.get_running_loop().time() + _PATIENCE_S
    while not path.exists() or "\n" not in path.read_text():
        assert process.returncode is None, "the browser ended"
        assert asyncio.get_running_loop().time() < deadline, "the browser did not start"
        await asyncio.sleep(0.1)
    return int(path.read_text().split("\n")[0])
