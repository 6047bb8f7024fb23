"""Data sets of the hub, at a pinned revision, through ``datasets`` with its cache.

What the cache holds is taken without asking the hub. ``HF_HOME``, ``HF_HUB_OFFLINE`` and
``HF_ENDPOINT`` work as ever. A download shows the library's progress bars, which go to stderr.
"""

from __future__ import annotations

import http.client
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from harness.errors import ConfigError
from harness.suites.data.files import Record

# The library itself would try a hub that does not answer for six minutes.
_ANSWER_S = 5.0


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


def is_commit(revision: str) -> bool:
    """Whether a revision is pinned, unlike a branch."""
    return re.fullmatch("[0-9a-f]{40}", revision) is not None


def hub_records(source: HubSource, split: str) -> list[Record]:
    """All records of a split. Raises ConfigError that says which file to give instead."""
    import datasets
    from huggingface_hub import constants

    datasets.logging.set_verbosity_error()  # it warns of each use of the cache
    forbidden = constants.HF_HUB_OFFLINE or datasets.config.HF_HUB_OFFLINE
    with _offline():
        found = _from_cache(source, split)
    if isinstance(found, list):
        return found
    silence = "HF_HUB_OFFLINE is set" if forbidden else _silence(constants.ENDPOINT)
    if silence:
        raise _unavailable(source, f"{found} and {silence}")
    try:
        return _records(_builder(source), source, split, download="reuse_cache_if_exists")
    # the library raises what its HTTP client, its cache and its file systems raise: no common base
    except Exception as error:
        said = _innermost(error).splitlines()[0][:300]
        raise _unavailable(source, f"{found} and the hub did not give it ({said})") from error


def _innermost(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error) or type(error).__name__


def _from_cache(source: HubSource, split: str) -> list[Record] | str:
    """The records as the cache has them, else what is wrong with the cache."""
    try:
        builder = _builder(source)
    except Exception:  # of several kinds, as above
        return "is not in the cache"
    try:
        return _records(builder, source, split, download="reuse_dataset_if_exists")
    except ConfigError as error:
        return f"is in the cache, but {error.what}"
    except Exception as error:
        return f"is damaged in the cache ({type(error).__name__})"


def _builder(source: HubSource) -> Any:
    import datasets

    return datasets.load_dataset_builder(source.id, source.config, revision=source.revision)


def _records(builder: Any, source: HubSource, split: str, download: str) -> list[Record]:
    if is_commit(source.revision) and builder.hash != source.revision:
        raise ConfigError(f"of another revision ({builder.hash}, not {source.revision})")
    builder.download_and_prepare(download_mode=download)
    return records_of(builder.as_dataset(split=split), f"{source.id}/{split}")


@contextmanager
def _offline() -> Iterator[None]:
    """Let the library look into its cache only."""
    import datasets
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = datasets.config.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE = before


def _silence(endpoint: str) -> str | None:
    """Why nothing is to be had from the hub; None when it answers, whatever it says."""
    request = urllib.request.Request(f"{endpoint}/api/datasets?limit=1", method="HEAD")
    try:
        urllib.request.urlopen(request, timeout=_ANSWER_S).close()
    except urllib.error.HTTPError:
        return None
    except http.client.HTTPException:
        return f"the hub cannot be reached ({endpoint} speaks no HTTP)"
    except (OSError, ValueError) as error:
        return f"the hub cannot be reached ({endpoint}: {getattr(error, 'reason', error)})"
    return None


def _unavailable(source: HubSource, why: str) -> ConfigError:
    return ConfigError(
        f"{source.id} {why}", remedy=f"give a local copy with --data PATH: {source.file_hint}"
    )


def records_of(data: Any, name: str) -> list[Record]:
    """The records of a ``datasets.Dataset``."""
    return [Record(f"{name}, row {n}", dict(row)) for n, row in enumerate(data, 1)]
