"""HTTP clients for endpoints: whose key goes where, and what the environment may not change.

The SDK by itself sends OPENAI_API_KEY, OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS
to whatever address it is given, takes that address from OPENAI_BASE_URL, and asks proxies for
loopback. None of it happens here.
"""

from __future__ import annotations

import ipaddress
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx2
import openai
from openai._models import FinalRequestOptions

from harness.errors import UsageError
from harness.models.failures import Failure, cause_text, http_failure, looks_like_html
from harness.models.redact import remember, without_keys
from harness.plan import EndpointLaunch

OPENAI_HOST = "api.openai.com"
NO_KEY = "none"  # servers without keys take any; the SDK insists on one
CONNECT_S = 20.0
_NO_LIMIT = 0  # as aiohttp writes it; None would be its default of 100


def normal_url(url: str) -> str:
    """A base URL in its usual form: scheme, host, ``/v1`` where no path is given.

    Raises UsageError for what is no http address, or holds a key.
    """
    text = url.strip() if "://" in url else f"http://{url.strip()}"
    try:
        parts = urlsplit(text)
        port_ok = parts.port is None or parts.port > 0
    except ValueError:
        raise UsageError(
            f"no address: {url!r}", remedy="for example http://127.0.0.1:8080"
        ) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_ok:
        raise UsageError(f"no http address: {url!r}", remedy="for example http://127.0.0.1:8080")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            f"the address of {parts.hostname} holds a key or parameters",
            remedy="name the variable that holds the key (api_key_env)",
        )
    path = parts.path.rstrip("/").removesuffix("/chat/completions").rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path or "/v1", "", ""))


def is_loopback(url: str) -> bool:
    """Whether an address is this machine's own, where no proxy belongs in between."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _refuse_socks(url: str) -> None:
    """Raise UsageError where the environment asks for a SOCKS proxy: ours have to be HTTP's."""
    parts = urlsplit(url)
    if is_loopback(url) or proxy_bypass(parts.hostname or ""):
        return
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
    if proxy.startswith("socks"):
        raise UsageError(
            f"{url} would be reached through a SOCKS proxy, which is not supported",
            remedy="name an http proxy in HTTPS_PROXY, or list the host in NO_PROXY",
        )


def key_for(endpoint: EndpointLaunch) -> str:
    """The endpoint's key: from its own variable; OPENAI_API_KEY for OpenAI's host only.

    Raises UsageError when the variable is not set.
    """
    variable = endpoint.api_key_env
    if variable is None and urlsplit(endpoint.url).hostname == OPENAI_HOST:
        variable = "OPENAI_API_KEY"
    if variable is None:
        return NO_KEY
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UsageError(
            f"no key for {endpoint.url}: variable {variable} is not set",
            remedy=f"export {variable}=... or name another with api_key_env",
        )
    remember(key)
    return key


# A connection that stood and was lost, or brought what is not HTTP.
_LOST = (
    aiohttp.ServerDisconnectedError,
    aiohttp.ClientOSError,
    aiohttp.ClientPayloadError,
    aiohttp.ClientResponseError,
    httpx2.RemoteProtocolError,
    httpx2.ReadError,
)
_NETWORK = (
    aiohttp.ClientError,
    openai.APIConnectionError,
    httpx2.HTTPError,
    httpx2.StreamError,
    httpx2.InvalidURL,
)


class EndpointClient:
    """One endpoint's connections. idle_s: longest silence of a stream; None waits for ever.

    aiohttp carries them, which takes half of the CPU time that httpx2's own transport does and
    does not look through all connections at each request.
    """

    def __init__(self, endpoint: EndpointLaunch, *, idle_s: float | None = 600.0) -> None:
        self.url = endpoint.url
        self.idle_s = idle_s
        _refuse_socks(endpoint.url)
        http = openai.DefaultAioHttpClient(
            trust_env=not is_loopback(endpoint.url),
            timeout=httpx2.Timeout(idle_s, connect=CONNECT_S, pool=None),
            limits=httpx2.Limits(max_connections=_NO_LIMIT, max_keepalive_connections=None),
            follow_redirects=False,  # a redirected POST loses its body; the address is to be mended
        )
        self._sdk = openai.AsyncOpenAI(
            api_key=key_for(endpoint),
            base_url=endpoint.url,
            max_retries=0,
            http_client=http,
        )
        if urlsplit(endpoint.url).hostname != OPENAI_HOST:
            self._sdk.organization = self._sdk.project = None
        self._sdk.admin_api_key = None
        self._sdk._custom_headers = {}
        self._templates: dict[str, httpx2.Request] = {}

    def _request(self, path: str, body: bytes, session: str | None) -> httpx2.Request:
        """A POST as the SDK builds it. Only the first to a path is built by the SDK: all of its
        work on the others would give the same but for body and session."""
        template = self._templates.get(path)
        if template is None:
            template = self._sdk._build_request(
                FinalRequestOptions(
                    method="post",
                    url=path,
                    content=b"{}",
                    headers={"Content-Type": "application/json", "Accept": "text/event-stream"},
                )
            )
            del template.headers["Content-Length"]
            self._templates[path] = template
        request = httpx2.Request(
            "POST",
            template.url,
            headers=template.headers,
            content=body,
            extensions=template.extensions,
        )
        if session is not None:
            request.headers["X-Session-Id"] = session
        return request

    async def get(self, path: str, *, root: bool = False, timeout_s: float = 20.0) -> Any:
        """The JSON answer to a GET; ``root``: beside ``/v1``, not below. Raises Failure."""
        if root:
            path = self.url.removesuffix("/v1") + path
        with _Failures():
            response: httpx2.Response = await self._sdk.get(
                path, cast_to=httpx2.Response, options={"timeout": timeout_s}
            )
        text = without_keys(response.text)
        if looks_like_html(response.headers, text):
            raise Failure("html", "a web page", status=response.status_code)
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise Failure("not_json", f"no JSON: {text[:80]!r}") from None

    @asynccontextmanager
    async def chat(
        self, body: bytes, *, session: str | None = None, path: str = "/chat/completions"
    ) -> AsyncIterator[httpx2.Response]:
        """The open answer to a chat request (or one to ``path``), a stream or not. Raises
        Failure; so does reading."""
        with _Failures():
            request = self._request(path, body, session)
            response = await self._sdk._client.send(request, stream=True)
            try:
                if response.status_code >= 300:
                    await response.aread()
                    raise _status_failure(response)
                yield response
            finally:
                await response.aclose()

    async def close(self) -> None:
        await self._sdk.close()


def _describe(error: Exception) -> Failure | None:
    """The Failure that an exception of SDK or HTTP client means."""
    if isinstance(error, openai.APIStatusError):
        return _status_failure(error.response)
    cause = _on_the_wire(error)
    if isinstance(cause, aiohttp.ConnectionTimeoutError):
        return Failure("connection", "no connection in time")
    if isinstance(cause, TimeoutError | httpx2.TimeoutException | openai.APITimeoutError):
        return Failure("timeout", "no answer in time")
    if isinstance(cause, _LOST) and not isinstance(cause, aiohttp.ClientConnectorError):
        return Failure("dropped", f"the connection was dropped: {cause_text(error)}")
    if isinstance(cause, _NETWORK):
        return Failure("connection", cause_text(error))
    return None


def _on_the_wire(error: BaseException) -> BaseException:
    """aiohttp's own error behind ``error``: the SDK's transport passes some on as others than
    they are, a refused connection as a timeout. Without one ``error`` itself."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, aiohttp.ClientError):
            return cause
        cause = cause.__cause__
    return error


def _status_failure(response: httpx2.Response) -> Failure:
    status = response.status_code
    if status < 400:
        target = response.headers.get("location", "elsewhere")
        return Failure("http", f"redirected to {target}", status=status)
    return http_failure(status, response.headers, response.content)


class _Failures:
    """Context that turns the exceptions of SDK and HTTP client into Failure."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, Failure):
            failure = _describe(error)
            if failure is not None:
                raise failure from error
