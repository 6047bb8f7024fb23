"""Optional packages of a box, for suites whose tasks import more than the standard library.

A set of packages is a layer on the box's toolchain: a folder in the cache that bubblewrap binds,
an image on top of the box image for Docker and Podman. Boxes without it do not change by it.
"""

from __future__ import annotations

import hashlib
import platform
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from harness.errors import SandboxError
from harness.sandbox import toolchain, toolchain_install
from harness.sandbox.cache import cache_dir

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Extra:
    """A set of packages. pythons: versions for which the pinned wheels exist."""

    name: str
    requirements: str
    pythons: tuple[str, ...]


EXTRAS = {"classeval": Extra("classeval", "requirements-classeval.txt", ("3.11", "3.12"))}


@cache
def digest(name: str) -> str:
    """Digest of the pinned requirements of a set. Raises SandboxError for an unknown one."""
    if name not in EXTRAS:
        raise SandboxError(f"there are no packages {name!r}", remedy=f"one of {', '.join(EXTRAS)}")
    text = resources.files("harness.sandbox").joinpath(EXTRAS[name].requirements).read_bytes()
    return hashlib.sha256(text).hexdigest()


def folder(name: str, python: str, machine: str) -> Path:
    """Where a set is kept for a Python version and a machine."""
    return cache_dir() / f"extra-{name}-{digest(name)[:16]}-py{python}-{machine}"


def on_host(name: str, interpreter: Path) -> Path | None:
    """The folder that bubblewrap binds; None when it is not installed."""
    path = folder(name, toolchain.version_of(interpreter), platform.machine())
    return path if (path / "complete").is_file() else None


def identity(interpreter: Path, name: str | None) -> str:
    """What stands for an image's digest in bubblewrap: toolchain, interpreter, and the set."""
    base = toolchain.identity(interpreter)
    if name is None:
        return base
    return f"sha256:{hashlib.sha256(f'{base}+{digest(name)}'.encode()).hexdigest()}"


def missing(name: str, provider: str) -> SandboxError:
    """What to say where a set is not installed."""
    return SandboxError(
        f"the packages for {name} are not installed",
        where=provider,
        remedy=f"proctor setup {provider} --for {name}",
    )


def install(name: str, python: str, machine: str, progress: Progress) -> Path:
    """Fetch a set into the cache. Raises SandboxError with what the package manager said."""
    target = folder(name, python, machine)
    if (target / "fetched").is_file():
        return target
    if python not in EXTRAS[name].pythons:
        raise SandboxError(
            f"the packages for {name} exist for Python {' and '.join(EXTRAS[name].pythons)} only, "
            f"not for {python}",
            remedy=f"proctor setup docker --for {name}",
        )
    progress(f"fetching the packages for {name} (about 120 MB)")
    with tempfile.TemporaryDirectory(dir=cache_dir(), prefix="partial-") as scratch:
        partial = Path(scratch) / "extra"
        text = resources.files("harness.sandbox").joinpath(EXTRAS[name].requirements).read_bytes()
        toolchain_install.fetch_wheels(text, partial, python, machine, f"the packages for {name}")
        (partial / "fetched").touch()
        if not target.exists():
            partial.rename(target)
    return target


def setup_host(name: str, interpreter: Path, progress: Progress) -> None:
    """A set for bubblewrap, compiled: boxes cannot write bytecode. Raises SandboxError."""
    if on_host(name, interpreter) is not None:
        return
    version = toolchain.version_of(interpreter)
    path = install(name, version, platform.machine(), progress)
    progress("compiling them")
    command = [str(interpreter), "-I", "-S", "-m", "compileall", "-q", "-q", "--invalidation-mode"]
    try:
        subprocess.run([*command, "unchecked-hash", str(path)], timeout=600, cwd="/")
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(f"the packages for {name} could not be compiled: {error}") from None
    (path / "complete").touch()


def state(name: str) -> str:
    """What an image with a set is labelled with: the set, and the toolchain below it."""
    return f"{name}-{digest(name)[:16]}-{toolchain.recipe_digest()[:16]}"
