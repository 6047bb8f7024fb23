"""Names of runs and samples, and digests."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

_SAFE = re.compile(r"[^A-Za-z0-9._-]+")
_RUN_SAFE = re.compile(r"[^A-Za-z0-9._+-]+")
_DASHES = re.compile(r"-{2,}")


def sample_key(task_id: str, epoch: int) -> str:
    """Key of a sample: safe as a file name, unique for ``(task_id, epoch)``; epoch counts from 1.

    A task id with characters that a file name cannot hold gets a digest of itself appended.
    """
    safe = _SAFE.sub("_", task_id)
    if safe != task_id or safe.startswith(".") or len(safe) > 120:
        safe = f"{safe.lstrip('.')[:100]}-{sha256_hex(task_id.encode())[:10]}"
    return f"{safe}@{epoch}"


def new_run_id(suites: list[str], model: str) -> str:
    """A run's folder name: time, suites, model and four random characters."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return "-".join(filter(None, (stamp, run_words(suites, model), secrets.token_hex(2))))


def run_words(suites: Sequence[str], model: str) -> str:
    """Suites and model as a run's id has them: up to 60 characters that a file name can hold."""
    # a suite's own plus stays: humaneval+ is not humaneval
    parts = [_RUN_SAFE.sub("-", part) for part in ("+".join(suites), model.rsplit("/", 1)[-1])]
    words = "-".join(filter(None, (part.strip("-.") for part in parts)))
    return _DASHES.sub("-", words)[:60].rstrip("-.")


def sha256_hex(data: bytes) -> str:
    """SHA-256 of ``data``, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def canonical_json(value: Any) -> bytes:
    """``value`` as JSON with sorted keys and no spaces: the form that digests are taken of.

    Raises ValueError for NaN and infinities.
    """
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode("utf-8", "surrogatepass")
