"""Data sets of the hub, at a pinned revision, through ``datasets`` with its cache.

``HF_HOME``, ``HF_HUB_OFFLINE`` and ``HF_ENDPOINT`` work as ever. The first download shows the
library's progress bars, which go to stderr.
"""

from __future__ import annotations

import socket
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any

from harness.errors import ConfigError
from harness.suites.data.files import Record

_CONNECT_S = 5.0


@dataclass(frozen=True)
class HubSource:
    """One configuration of a data set. file_hint: which file to give where there is no hub."""

    id: str
    config: str | None
    revision: str
    licence: str
    file_hint: str

    def describe(self) -> dict[str, str | None]:
        """For ``proctor suites NAME``."""
        return {
            "hub": self.id,
            "config": self.config,
            "revision": self.revision,
            "licence": self.licence,
            "file": self.file_hint,
        }


def hub_records(source: HubSource, split: str) -> list[Record]:
    """All records of a split. Raises ConfigError that says which file to give instead."""
    import datasets
    from huggingface_hub import constants

    if not _reachable(constants.ENDPOINT):
        # cache only, at once: the library would try for most of a minute
        constants.HF_HUB_OFFLINE = True
        datasets.config.HF_HUB_OFFLINE = True
    try:
        data = datasets.load_dataset(
            source.id, source.config, split=split, revision=source.revision
        )
    # the library raises what its HTTP client, its cache and its file systems raise: no common base
    except Exception as error:
        raise ConfigError(
            f"{source.id} is not in the cache and the hub cannot be reached "
            f"({type(error).__name__})",
            remedy=f"give a local copy with --data PATH: {source.file_hint}",
        ) from error
    return records_of(data, f"{source.id}/{split}")


def _reachable(endpoint: str) -> bool:
    """Whether the hub's host accepts connections; taken for granted behind a proxy."""
    if urllib.request.getproxies():
        return True
    address = urllib.parse.urlsplit(endpoint)
    port = address.port or (443 if address.scheme == "https" else 80)
    try:
        socket.create_connection((address.hostname or "", port), timeout=_CONNECT_S).close()
    except OSError:
        return False
    return True


def records_of(data: Any, name: str) -> list[Record]:
    """The records of a ``datasets.Dataset``."""
    return [Record(f"{name}, row {n}", dict(row)) for n, row in enumerate(data, 1)]
