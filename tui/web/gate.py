"""Who may see the page: the token that was printed, then a cookie; and only pages of our own.

The page can start runs and read every transcript, and textual-serve asks nobody who they are. A
web site that somebody visits could reach a port of this machine, so Host and Origin are checked
too, on loopback as elsewhere.
"""

from __future__ import annotations

import hmac
import secrets

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

_CLOSED = (
    "Open the address that `proctor serve` printed: it carries the token that this page asks for.\n"
)
# Nothing is loaded from elsewhere; the terminal sets its styles in the page.
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class Gate:
    """``port`` names the cookie, which browsers share among the ports of a host. ``hosts``: the
    only values of Host that are answered, None for any. ``origin``: that of a proxy in front."""

    def __init__(
        self, port: int, *, hosts: frozenset[str] | None = None, origin: str | None = None
    ) -> None:
        self.token = secrets.token_urlsafe(24)
        self.cookie = f"proctor-{port}"
        self._session = secrets.token_urlsafe(24)
        self._hosts, self._origin = hosts, origin

    @property
    def middleware(self) -> Middleware:
        """For ``web.Application.middlewares``."""

        @web.middleware
        async def gate(request: web.Request, handler: Handler) -> web.StreamResponse:
            refused = self._refusal(request)
            response = refused if refused is not None else await handler(request)
            if not response.prepared:
                response.headers.update(_HEADERS)
            return response

        return gate

    def _refusal(self, request: web.Request) -> web.StreamResponse | None:
        """What to answer instead of the page, None for those who may see it."""
        if self._hosts is not None and request.host.lower() not in self._hosts:
            return web.Response(status=421, text="This address is not served here.\n")
        if not self._same_origin(request):
            return web.Response(status=403, text="Another page may not use this one.\n")
        given = request.query.get("token")
        if given is not None and request.path == "/":
            if not _same(given, self.token):
                return web.Response(status=403, text=_CLOSED)
            # Out of the address bar and the history at once.
            entered = web.Response(status=303, headers={"Location": "/"})
            entered.set_cookie(
                self.cookie, self._session, httponly=True, samesite="Lax", secure=self._secure
            )
            return entered
        if not _same(request.cookies.get(self.cookie, ""), self._session):
            return web.Response(status=403, text=_CLOSED)
        return None

    @property
    def _secure(self) -> bool:
        return (self._origin or "").startswith("https:")

    def _same_origin(self, request: web.Request) -> bool:
        origin = request.headers.get("Origin")
        if origin is None:
            return request.path != "/ws"  # browsers always name it for a WebSocket
        return origin.lower() in (f"{request.scheme}://{request.host}".lower(), self._origin)


def _same(a: str, b: str) -> bool:
    return hmac.compare_digest(a.encode("utf-8", "replace"), b.encode("utf-8", "replace"))
