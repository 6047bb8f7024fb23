"""The image that the box image starts from: a slim official Python, or one made offline."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import requests
from docker import APIClient
from docker.errors import DockerException

from harness.errors import SandboxError
from harness.sandbox.toolchain import PYTHON_OF_IMAGE

OFFICIAL = f"python:{PYTHON_OF_IMAGE}-slim-bookworm"
OFFLINE = "proctor-base:bookworm"
FIRST_SIGN_S = 15.0  # a registry that says nothing for so long is taken for unreachable
_BOOTSTRAP_S = 900

Progress = Callable[[str], None]


def base_image(client: APIClient, progress: Progress) -> str:
    """Name of a base that the daemon has. PROCTOR_BASE overrides. Raises SandboxError."""
    told = os.environ.get("PROCTOR_BASE")
    if told:
        return told
    if _present(client, OFFICIAL):
        return OFFICIAL
    progress(f"pulling {OFFICIAL}")
    trouble = _pull(client)
    if trouble is None:
        return OFFICIAL
    if not _present(client, OFFLINE):
        progress(f"the registry cannot be used ({trouble[:120]}); making a Debian base here")
        _bootstrap(client, trouble)
    return OFFLINE


def _present(client: APIClient, name: str) -> bool:
    return bool(client.images(name=name))


def _pull(client: APIClient) -> str | None:
    """Pull the official base; returns why not. Only the first sign of life has a clock."""
    outcome: list[str] = []
    sign = threading.Event()

    def pull() -> None:
        name, _, tag = OFFICIAL.partition(":")
        try:
            for step in client.pull(name, tag=tag, stream=True, decode=True):
                if "error" in step:
                    outcome.append(str(step["error"]))
                    break
                sign.set()
            else:
                outcome.append("")
        except (DockerException, requests.RequestException) as error:
            outcome.append(str(error))
        sign.set()

    thread = threading.Thread(target=pull, daemon=True)
    thread.start()
    if not sign.wait(FIRST_SIGN_S):
        return f"no answer in {FIRST_SIGN_S:g} s"
    thread.join(_BOOTSTRAP_S)
    return (outcome[0] or None) if outcome else "the pull did not end"


def _bootstrap(client: APIClient, trouble: str) -> None:
    program = shutil.which("mmdebstrap")
    if program is None:
        raise SandboxError(
            f"{OFFICIAL} cannot be pulled: {trouble[:300]}",
            remedy="make the registry reachable, or install mmdebstrap to build a base here",
        )
    with tempfile.TemporaryDirectory() as scratch:
        archive = Path(scratch) / "base.tar"
        command = [program, "--variant=minbase", "--include=python3", "--quiet"]
        command += [
            "--dpkgopt=path-exclude=/usr/share/doc/*",
            "--dpkgopt=path-exclude=/usr/share/man/*",
        ]
        command += ["bookworm", str(archive)]
        try:
            told = subprocess.run(command, capture_output=True, text=True, timeout=_BOOTSTRAP_S)
        except subprocess.TimeoutExpired:
            raise SandboxError("mmdebstrap did not end in time") from None
        if told.returncode != 0:
            raise SandboxError(f"mmdebstrap failed: {told.stderr.strip()[-500:]}")
        # The tag is part of the name: Podman does not read the one given beside it.
        client.import_image_from_file(str(archive), repository=OFFLINE)
