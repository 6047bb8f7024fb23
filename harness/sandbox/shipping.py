"""The tools as they go into a box: the bundle, with bytecode for what every box needs at once."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import marshal
import zipfile
from dataclasses import dataclass
from functools import cache

from tools import bundle
from tools.box import layout

# Test programs run in interpreters of their own, where compiling is the smaller part.
_AS_SOURCE = ("tools/testing/", "tools/linting/")
_UNCHECKED_HASH = (1).to_bytes(4, "little")  # PEP 552: bytecode that is not compared to its source


@dataclass(frozen=True)
class Shipped:
    """data: what is sent. sources: digest of the bundle alone, the same on every machine. sent:
    digest of data, which depends on the harness's own interpreter."""

    data: bytes
    sources: str
    sent: str


@cache
def shipped() -> Shipped:
    """The bundle with bytecode beside its sources.

    An interpreter of another version than ours finds another magic number in it and compiles the
    sources; where it is the same, a box starts in two thirds of the time.
    """
    data, sources = bundle.build()
    packed = io.BytesIO(data)
    with zipfile.ZipFile(packed, "a") as archive:
        for name in archive.namelist():
            if not name.endswith(".py") or name.startswith(_AS_SOURCE):
                continue
            source = archive.read(name)
            code = compile(source, f"{layout.ARCHIVE}/{name}", "exec", dont_inherit=True)
            head = importlib.util.MAGIC_NUMBER + _UNCHECKED_HASH
            head += importlib.util.source_hash(source)
            entry = zipfile.ZipInfo(f"{name}c", (1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, head + marshal.dumps(code))
    return Shipped(packed.getvalue(), sources, hashlib.sha256(packed.getvalue()).hexdigest())
