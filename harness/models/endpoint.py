"""What an endpoint tells of itself, and the one clear line when it does not answer."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from harness.errors import ConflictError, EndpointError, ProctorError, UsageError
from harness.ids import sha256_hex
from harness.models.client import EndpointClient
from harness.models.failures import Failure
from harness.plan import EndpointIdentity, EndpointLaunch

SHOWN_MODELS = 6  # of the names listed in an error
_SAMPLING = ("temperature", "top_k", "top_p", "min_p", "repeat_penalty", "presence_penalty")


@dataclass(frozen=True)
class EndpointFacts:
    """An endpoint as found: identity (part of the plan), slots, and what its chat template can
    (llama-server's ``chat_template_caps``; empty is unknown)."""

    identity: EndpointIdentity
    slots: int | None = None
    template_caps: dict[str, bool] = field(default_factory=dict)


async def identify(
    client: EndpointClient, name: str | None, *, planned: bool = False
) -> EndpointFacts:
    """Ask an endpoint what it serves. ``name`` None takes the only model it has.

    Raises UsageError (name not served, or needed; address or key wrong), EndpointError; for a
    ``planned`` name that is no longer served ConflictError.
    """
    try:
        listing = await client.get("/models")
    except Failure as failure:
        if failure.status not in (404, 405, 501) or name is None:
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
    props = await _props(client)
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


async def _props(client: EndpointClient) -> dict[str, Any]:
    """llama-server's ``/props``; empty for any other server."""
    try:
        props = await client.get("/props", root=True)
    except Failure:
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
                f"another model than planned: {key} is {found!r}, planned {value!r}",
                where=url,
                remedy="every endpoint of a run must serve the same model in the same way",
            )


def explained(failure: Failure, url: str) -> ProctorError:
    """The one clear line for a request that failed: address, cause, remedy."""
    text, status = failure.message, failure.status
    if failure.kind == "html":
        return UsageError(
            f"answers with a web page (HTTP {status})",
            where=url,
            remedy="is the base URL right? It usually ends in /v1",
        )
    if status in (401, 403):
        return UsageError(
            f"refuses the key: {text}",
            where=url,
            remedy="name the variable that holds its key with api_key_env",
        )
    if status in (404, 405):
        return UsageError(
            f"has no chat API there: {text}",
            where=url,
            remedy="is the base URL right? It usually ends in /v1",
        )
    if status is not None and 300 <= status < 400:
        return UsageError(text, where=url, remedy="use that address as the base URL")
    if text.startswith("TLS"):
        return EndpointError(
            f"no secure connection: {text}",
            where=url,
            remedy="https or http? SSL_CERT_FILE names a file of further certificates",
        )
    if failure.kind == "connection":
        return EndpointError(f"cannot be reached: {text}", where=url, remedy="is the server up?")
    return EndpointError(f"request failed: {text}", where=url)


def launch_of(url: str, api_key_env: str | None, slots: int | None = None) -> EndpointLaunch:
    """An endpoint's launch entry from its address in any usual form. Raises UsageError."""
    from harness.models.client import normal_url

    return EndpointLaunch(url=normal_url(url), api_key_env=api_key_env, slots=slots)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _int(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _str(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
