"""Whether a suite's data are here, and where they come from. Nothing is read or fetched."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from harness.cli.suite_options import data_by_suite
from harness.config import Resolved
from harness.errors import UsageError
from harness.suites.data.hub import is_commit
from harness.suites.protocol import Suite


def lacking(suite: Suite, settings: Resolved) -> tuple[str, str] | None:
    """What of a suite's data is not here, and how to get it; None when nothing is lacking."""
    sources = _sources(suite.describe().get("source"))
    if not sources:
        return None
    try:
        if suite.name in data_by_suite([suite], settings):
            return None
    except UsageError as error:
        return f"{error.where or ''} {error.what}".strip(), error.remedy or ""
    absent = [source for source in sources if not _cached(source)]
    if len(absent) < len(sources):
        return None
    names = ", ".join(dict.fromkeys(source["hub"] for source in absent))
    return (
        f"not here; from the hub ({names}) where it can be reached",
        f"or --data {suite.name}=PATH: {absent[0]['file']}",
    )


def present(suite: Suite, settings: Resolved) -> str | None:
    """Where a suite's own data lie, None for a suite that brings its tasks along or lacks data."""
    try:
        given = data_by_suite([suite], settings).get(suite.name)
    except UsageError:
        return None
    if given is not None:
        return f"data in {given}"
    sources = _sources(suite.describe().get("source"))
    cached = [source["hub"] for source in sources if _cached(source)]
    return f"data of {cached[0]} in the hub's cache" if cached else None


def _sources(described: Any) -> list[dict[str, Any]]:
    """Sources on a hub: one, or one for each variant."""
    if not isinstance(described, dict):
        return []
    if "hub" in described:
        return [described]
    return [each for each in described.values() if isinstance(each, dict) and "hub" in each]


def _cached(source: dict[str, Any]) -> bool:
    """Whether the hub's library has prepared a data set: as
    ``NAMESPACE___NAME/CONFIG/VERSION/REVISION`` with the name in snake case."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = Path(os.environ.get("HF_HOME") or f"{cache}/huggingface").expanduser()
    folder = Path(os.environ.get("HF_DATASETS_CACHE") or home / "datasets").expanduser()
    wanted = _plain(source["hub"].replace("/", "___"))
    revision = source["revision"]
    below = f"{source['config'] or '*'}/*/{revision if is_commit(revision) else '*'}"
    return any(
        _plain(prepared.name) == wanted and any(prepared.glob(below))
        for prepared in folder.glob("*___*")
    )


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
