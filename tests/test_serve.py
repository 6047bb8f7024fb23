"""The interface in a page: who may open it, and that a real browser shows it and takes keys."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import psutil
import pytest
from yarl import URL

from harness.errors import UsageError
from tests.support.browser import browser
from tests.support.counting_suite import make_folder, make_plan
from tui.web.server import is_loopback, serve

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Served:
    """A running ``proctor serve``: its address with the token, and without."""

    url: URL
    process: asyncio.subprocess.Process

    @property
    def base(self) -> URL:
        return self.url.with_query(None)


@asynccontextmanager
async def served(runs: Path, *arguments: str) -> AsyncIterator[Served]:
    env = os.environ | {"PROCTOR_RUNS": str(runs), "PYTHONPATH": str(ROOT), "TERM": "dumb"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "harness.cli.main", "serve", "--port", "0", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        stdin=asyncio.subprocess.DEVNULL,
        env=env,
    )
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), 60)
        yield Served(URL(line.decode().strip()), process)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
            await asyncio.wait_for(process.wait(), 30)
    assert process.returncode in (0, 130, -signal.SIGKILL)


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[Served]:
    async with served(tmp_path / "runs") as found:
        yield found


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


async def test_loopback_is_the_default(page: Served) -> None:
    assert page.url.host == "127.0.0.1"
    assert len(page.url.query["token"]) >= 32
    listening = [
        c.laddr.ip
        for c in psutil.Process(page.process.pid).net_connections()
        if c.status == psutil.CONN_LISTEN
    ]
    assert listening == ["127.0.0.1"]


async def test_nothing_is_served_without_the_token(
    page: Served, client: aiohttp.ClientSession
) -> None:
    for path in ("/", "/static/js/textual.js", "/download/x", "/?token=", "/?token=wrong"):
        async with client.get(page.base.join(URL(path))) as answer:
            assert answer.status == 403, path
            assert "token" in await answer.text()
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await client.ws_connect(page.base / "ws", headers={"Origin": str(page.base.origin())})


async def test_the_token_is_asked_for_once(page: Served, client: aiohttp.ClientSession) -> None:
    async with client.get(page.url) as answer:
        assert answer.status == 200
        assert answer.url == page.base  # out of the address
        assert "'self'" in answer.headers["Content-Security-Policy"]
    (cookie,) = client.cookie_jar
    assert cookie["httponly"] and cookie["samesite"] == "Lax"
    assert cookie.value != page.url.query["token"]
    async with client.get(page.base) as answer:
        assert answer.status == 200


async def test_another_site_may_not_use_it(page: Served, client: aiohttp.ClientSession) -> None:
    async with client.get(page.url) as answer:
        assert answer.status == 200
    evil = {"Origin": "http://evil.example"}
    async with client.get(page.base, headers=evil) as answer:
        assert answer.status == 403
    for headers in (evil, {"Origin": "null"}, {}):
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await client.ws_connect(page.base / "ws", headers=headers)
    # a name that was pointed at this machine afterwards (DNS rebinding)
    async with client.get(page.base, headers={"Host": "evil.example"}) as answer:
        assert answer.status == 421
    async with client.ws_connect(
        page.base / "ws", headers={"Origin": str(page.base.origin())}
    ) as socket:
        assert await asyncio.wait_for(socket.receive_bytes(), 60)


async def test_bound_elsewhere_it_is_as_closed(
    tmp_path: Path, client: aiohttp.ClientSession
) -> None:
    async with served(tmp_path, "--host", "0.0.0.0") as page:
        base = page.base.with_host("127.0.0.1")
        async with client.get(base) as answer:
            assert answer.status == 403
        async with client.get(base.with_query(token=page.url.query["token"])) as answer:
            assert answer.status == 200
            assert f"ws://127.0.0.1:{base.port}/ws" in await answer.text()


async def test_a_page_behind_a_proxy(tmp_path: Path, client: aiohttp.ClientSession) -> None:
    async with served(tmp_path, "--public-url", "https://proctor.example/") as page:
        assert page.base == URL("https://proctor.example/")
        # the proxy keeps the host's name and its own origin
        port = _port_of(page)
        inner = URL(f"http://127.0.0.1:{port}/?token={page.url.query['token']}")
        headers = {"Host": "proctor.example", "Origin": "https://proctor.example"}
        async with client.get(inner, headers=headers, allow_redirects=False) as answer:
            assert answer.status == 303
            assert "Secure" in answer.headers["Set-Cookie"]


async def test_a_port_that_is_taken(page: Served) -> None:
    assert page.base.port is not None
    with pytest.raises(UsageError, match="cannot listen"):
        await serve("127.0.0.1", page.base.port, None, lambda _url, _local: None)


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("x.y", False)],
)
def test_what_loopback_is(host: str, local: bool) -> None:
    assert is_loopback(host) is local


async def test_a_real_browser_shows_it_and_takes_keys(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    folder = make_folder(runs, make_plan(3), name="seen in a page")
    async with served(runs) as page, browser(tmp_path / "profile") as tab:
        await tab.open(str(page.url))
        await tab.sees("seen in a page")
        assert await tab.evaluate("location.href") == str(page.base)
        children = psutil.Process(page.process.pid).children(recursive=True)
        assert len(children) == 1 and "_page" in children[0].cmdline()
        seen = len(tab.frames)
        await tab.type("?")
        await tab.sees("Keys", seen)
        assert len(await tab.picture()) > 10_000  # an empty page is a fifth of that
        outside = [u for u in tab.requests if not u.startswith((str(page.base), "data:"))]
        assert outside == [] and tab.problems == []
        await tab.ask("Page.navigate", url="about:blank")
        gone, alive = await asyncio.to_thread(psutil.wait_procs, children, 30)
        assert len(gone) == 1 and alive == []  # a page that is closed leaves no process
    assert (folder.path / "plan.json").exists()


async def test_a_server_that_is_killed_leaves_no_page_behind(
    tmp_path: Path, client: aiohttp.ClientSession
) -> None:
    async with served(tmp_path) as page:
        async with client.get(page.url) as answer:
            assert answer.status == 200
        async with client.ws_connect(
            page.base / "ws", headers={"Origin": str(page.base.origin())}
        ) as socket:
            assert await asyncio.wait_for(socket.receive_bytes(), 60)
            children = psutil.Process(page.process.pid).children()
            assert len(children) == 1
            page.process.kill()
            await page.process.wait()
            _, alive = await asyncio.to_thread(psutil.wait_procs, children, 30)
            assert alive == []


def _port_of(page: Served) -> int:
    return next(
        c.laddr.port
        for c in psutil.Process(page.process.pid).net_connections()
        if c.status == psutil.CONN_LISTEN
    )
