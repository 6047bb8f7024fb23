"""The package as one zip file that Python imports from, for shipping into a box."""

from __future__ import annotations

import hashlib
import io
import zipfile
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

_SKIPPED: Final = ("__pycache__", ".mypy_cache", ".ruff_cache")
_STAMP: Final = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can hold


def build() -> tuple[bytes, str]:
    """The zip and its SHA-256 in hex; the same sources always give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in sorted(_files(resources.files("tools"), "tools")):
            entry = zipfile.ZipInfo(name, _STAMP)
            entry.create_system = 3  # Unix, wherever it is built
            entry.external_attr = 0o644 << 16
            # stored: deflate's bytes depend on the zlib at hand, and the zip is small
            entry.compress_type = zipfile.ZIP_STORED
            archive.writestr(entry, data)
    content = packed.getvalue()
    return content, hashlib.sha256(content).hexdigest()


def _files(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for item in folder.iterdir():
        if item.name in _SKIPPED or item.name.endswith((".pyc", ".pyo")):
            continue
        name = f"{prefix}/{item.name}"
        if item.is_dir():
            found += _files(item, name)
        else:
            found.append((name, item.read_bytes()))
    return found
