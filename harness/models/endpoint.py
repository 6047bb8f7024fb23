"""What an endpoint tells of itself, and the one clear line when it does not answer."""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, TypeVar

from harness.errors import ConflictError, EndpointError, ProctorError, UsageError
from harness.ids import sha256_hex
from harness.models.client import EndpointClient
from harness.models.failures import Failure
from harness.models.in_flight import told_when_silent
from harness.models.retry import RetryPolicy, send_with_retries
from harness.plan import EndpointIdentity, EndpointLaunch, short_digests

T = TypeVar("T")

# A person waits before the run begins: long enough for a model to load, or a limit of a minute's
# requests to pass in part.
PATIENCE = RetryPolicy(first_s=1.0, longest_s=8.0, total_s=30.0)
SHOWN_MODELS = 6  # of the names listed in an error
BUSY = frozenset({429, 503})  # over its limit, or still loading the model
BASE_URL = "is the base URL right? It usually ends in /v1"
_SAMPLING = ("temperature", "top_k", "top_p", "min_p", "repeat_penalty", "presence_penalty")


@dataclass(frozen=True)
class EndpointFacts:
    """An endpoint as found: identity (part of the plan), slots, and what its chat template can
    (llama-server's ``chat_template_caps``; empty is unknown)."""

    identity: EndpointIdentity
    slots: int | None = None
    template_caps: dict[str, bool] = field(default_factory=dict)


async def identify(
    client: EndpointClient,
    name: str | None,
    *,
    planned: bool = False,
    notify: Callable[[str], None] = lambda _text: None,
) -> EndpointFacts:
    """Ask an endpoint what it serves. ``name`` None takes the only model it has; ``notify`` gets
    a line where a server that is busy or still loading is asked again.

    Raises UsageError (name not served, or needed; address or key wrong), EndpointError; for a
    ``planned`` name that is no longer served ConflictError.
    """
    try:
        listing = await patiently(lambda: client.get("/models"), client.url, notify)
    except Failure as failure:
        no_list = failure.status in (404, 405, 501) and failure.kind != "html"
        if not no_list or name is None:
            raise explained(failure, client.url) from None
        listing = {}  # some servers have no list of models; their chat requests will tell
    entries = _entries(listing)
    try:
        entry = _chosen(entries, name, client.url)
    except UsageError as error:
        if planned:
            raise ConflictError(
                error.what, where=error.where, remedy="load the planned model"
            ) from None
        raise
    props = await _props(client, notify)
    return _facts(entry, props, name)


def _entries(listing: Any) -> list[dict[str, Any]]:
    data = listing.get("data", listing.get("models")) if isinstance(listing, dict) else listing
    if not isinstance(data, list):
        return []
    return [e for e in data if isinstance(e, dict) and isinstance(e.get("id"), str)]


def _chosen(entries: list[dict[str, Any]], name: str | None, url: str) -> dict[str, Any]:
    if name is None:
        if len(entries) == 1:
            return entries[0]
        if not entries:
            raise UsageError(
                "the endpoint does not say what it serves",
                where=url,
                remedy="name the model with --model",
            )
        raise UsageError(
            f"the endpoint serves {_names(entries)}", where=url, remedy="choose one with --model"
        )
    if not entries:
        return {"id": name}
    for entry in entries:
        aliases = entry.get("aliases")
        names = {entry["id"], *(aliases if isinstance(aliases, list) else [])}
        if name in names or f"{name}:latest" in names:
            return entry
    close = difflib.get_close_matches(name, [e["id"] for e in entries], n=1)
    raise UsageError(
        f"no model {name!r}; loaded: {_names(entries)}",
        where=url,
        remedy=f"did you mean {close[0]}?" if close else "choose one with --model, or load it",
    )


def _names(entries: list[dict[str, Any]]) -> str:
    names = [e["id"] for e in entries]
    more = f" and {len(names) - SHOWN_MODELS} more" if len(names) > SHOWN_MODELS else ""
    return ", ".join(names[:SHOWN_MODELS]) + more


async def _props(client: EndpointClient, notify: Callable[[str], None]) -> dict[str, Any]:
    """llama-server's ``/props``; empty for any other server. Raises EndpointError for one that
    is only busy: without it another identity would be sealed."""
    try:
        props = await patiently(lambda: client.get("/props", root=True), client.url, notify)
    except Failure as failure:
        if failure.status in BUSY:
            raise explained(failure, client.url) from None
        return {}
    return props if isinstance(props, dict) else {}


def _facts(entry: dict[str, Any], props: dict[str, Any], name: str | None) -> EndpointFacts:
    meta = _dict(entry.get("meta"))
    settings = _dict(props.get("default_generation_settings"))
    params = _dict(settings.get("params")) or settings
    sampling = {key: params[key] for key in _SAMPLING if isinstance(params.get(key), int | float)}
    template = props.get("chat_template")
    path = props.get("model_path")
    owner = entry.get("owned_by")
    llama = "build_info" in props or owner == "llamacpp"
    identity = EndpointIdentity(
        kind="llama.cpp" if llama else str(owner)[:60] if isinstance(owner, str) else "unknown",
        model_id=entry["id"] if name is None or f"{name}:latest" == entry["id"] else name,
        model_file=PurePath(path).name if isinstance(path, str) and path else None,
        size=_int(meta.get("size")),
        n_params=_int(meta.get("n_params")),
        ftype=_str(props.get("model_ftype")) or _str(meta.get("ftype")),
        context=_int(settings.get("n_ctx"))
        or _int(entry.get("max_model_len"))
        or _int(meta.get("n_ctx")),
        build=_str(props.get("build_info")),
        chat_template=sha256_hex(template.encode())
        if isinstance(template, str) and template
        else None,
        default_sampling=sampling or None,
    )
    caps = {k: v for k, v in _dict(props.get("chat_template_caps")).items() if isinstance(v, bool)}
    return EndpointFacts(identity, _int(props.get("total_slots")), caps)


def require_same(first: EndpointIdentity, other: EndpointIdentity, url: str) -> None:
    """Raise ConflictError naming the first field in which two identities differ."""
    for key, value in first.model_dump().items():
        found = getattr(other, key)
        if found != value:
            raise ConflictError(
                short_digests(f"another model than planned: {key} is {found!r}, planned {value!r}"),
                where=url,
                remedy="every endpoint of a run must serve the same model in the same way",
            )


def explained(failure: Failure, url: str) -> ProctorError:
    """The one clear line for a request that failed: address, cause, remedy."""
    text, status = failure.message, failure.status
    end = f", {failure.ending}" if failure.ending else ""
    if failure.kind == "html":
        what = f"answers with a web page (HTTP {status})"
        return UsageError(what, where=url, remedy=BASE_URL)
    if status in (401, 403):
        return UsageError(
            f"refuses the key: {text}",
            where=url,
            remedy="name the variable that holds its key with api_key_env",
        )
    if status in (404, 405):
        return UsageError(f"has no chat API there: {text}", where=url, remedy=BASE_URL)
    if status is not None and 300 <= status < 400:
        return UsageError(text, where=url, remedy="use that address as the base URL")
    if text.startswith("TLS"):
        return EndpointError(
            f"no secure connection{end}: {text}",
            where=url,
            remedy="https or http? SSL_CERT_FILE names a file of further certificates",
        )
    if failure.kind == "connection":
        what = f"cannot be reached{end}: {text}"
        return EndpointError(what, where=url, remedy="is the server up?")
    remedy = BASE_URL if failure.kind in ("not_json", "malformed") else None
    return EndpointError(f"request failed{end}: {text}", where=url, remedy=remedy)


def launch_of(url: str, api_key_env: str | None, slots: int | None = None) -> EndpointLaunch:
    """An endpoint's launch entry from its address in any usual form. Raises UsageError."""
    from harness.models.client import normal_url

    return EndpointLaunch(url=normal_url(url), api_key_env=api_key_env, slots=slots)


async def patiently(ask: Callable[[], Awaitable[T]], url: str, notify: Callable[[str], None]) -> T:
    """What ``ask`` gives; a server that is busy is asked again a few times, after the time that it
    asks for, and one that is silent is told of. Raises Failure."""

    async def send(_attempt: int) -> T:
        with told_when_silent(url, notify):
            return await ask()

    def announce(_attempt: int, wait_s: float, failure: Failure, gives_up: str) -> None:
        notify(f"{url}: {failure.message[:200]}; asking again in {wait_s:.0f} s, {gives_up}")

    return await send_with_retries(
        send, PATIENCE, before_wait=announce, worth=lambda failure: failure.status in BUSY
    )


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _int(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _str(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
