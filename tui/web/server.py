"""``proctor serve``: textual-serve behind a gate. Each page opened is a process of its own."""

from __future__ import annotations

import asyncio
import copy
import ipaddress
import os
import shlex
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web
from textual_serve.server import Server

import harness
from harness.errors import UsageError
from tui.web.gate import Gate

# For pages to say goodbye to their processes.
_GRACE_S = 3.0


class Pages(Server):
    """The application: our page, textual-serve's socket, a gate in front of both."""

    def __init__(self, gate: Gate, public_url: str | None) -> None:
        super().__init__(
            "exec " + shlex.join([sys.executable, "-P", "-m", "harness.cli.main", "_page"]),
            title="Proctor",
            public_url=public_url,
            templates_path=str(Path(__file__).resolve().parent / "templates"),
        )
        self._gate, self._asked_for = gate, public_url

    async def make(self) -> web.Application:
        app = await self._make_app()
        app.middlewares.append(self._gate.middleware)
        return app

    async def on_startup(self, app: web.Application) -> None:
        """Nothing is printed here: the caller says where the page is."""

    async def handle_index(self, request: web.Request) -> Any:
        """The page, with addresses as the browser knows this host."""
        page = copy.copy(self)
        page.public_url = self._asked_for or f"{request.scheme}://{request.host}"
        return await Server.handle_index(page, request)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach ``host``."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def serve(
    host: str, port: int, public_url: str | None, tell: Callable[[str, bool], None]
) -> None:
    """Serve until SIGINT or SIGTERM. ``tell`` gets the address with its token, and whether only
    this machine can reach it. Raises UsageError when the address cannot be had."""
    _let_children_find_us()
    bound = _bind(host, port)
    try:
        port = int(bound.getsockname()[1])
        local = is_loopback(host)
        hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
        gate = Gate(
            port,
            hosts=hosts | {f"{_shown(host)}:{port}"} if local and public_url is None else None,
            origin=_origin(public_url) if public_url else None,
        )
        runner = web.AppRunner(
            await Pages(gate, public_url).make(), access_log=None, shutdown_timeout=_GRACE_S
        )
        await runner.setup()
        try:
            await web.SockSite(runner, bound).start()
            base = public_url.rstrip("/") if public_url else f"http://{_shown(host)}:{port}"
            tell(f"{base}/?token={gate.token}", local)
            await _until_told()
        finally:
            await runner.cleanup()
    finally:
        bound.close()


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {host}:{port}: {error.strerror or error}",
            remedy="choose another with --port, or let the system choose with --port 0",
        ) from None


def _shown(host: str) -> str:
    """A host as a browser of this network reaches it."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def _origin(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(
            f"{url!r} is no address of a page", remedy="give http://... or https://..."
        )
    return f"{parts.scheme}://{parts.netloc}".lower()


async def _until_told() -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    await told.wait()


def _let_children_find_us() -> None:
    """A page's process runs with ``-P``: in a checkout it has to be told where the packages are."""
    root = str(Path(harness.__file__).resolve().parents[1])
    known = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = f"{root}{os.pathsep}{known}" if known else root
