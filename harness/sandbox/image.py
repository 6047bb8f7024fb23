"""The box image: found by the digest of its recipe, built without network."""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import requests
from docker import APIClient
from docker.errors import DockerException

from harness.errors import SandboxError
from harness.sandbox import owner, toolchain, toolchain_install
from harness.sandbox.base import base_image
from tools import bundle

TAG = "proctor-box"
_MACHINES = {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}
_BUILD_S = 600

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Found:
    """digest: the image's id, which is what boxes are created from."""

    digest: str


def find(client: APIClient) -> Found | None:
    """The image of the present recipe: of several (built at the same time, or again) the tagged
    one, else the newest; always the same one, for plans name it."""
    label = f"{owner.LABEL_RECIPE}={toolchain.recipe_digest()}"
    images: list[dict[str, Any]] = client.images(filters={"label": label})
    if not images:
        return None
    return Found(str(max(images, key=_rank)["Id"]))


def _rank(image: dict[str, Any]) -> tuple[bool, int, str]:
    named = any(str(tag).startswith(f"{TAG}:") for tag in image.get("RepoTags") or ())
    return named, int(image["Created"]), str(image["Id"])


def build(client: APIClient, progress: Progress) -> Found:
    """The image of the present recipe, built when missing. Raises SandboxError."""
    try:
        found = find(client)
        if found is not None:
            return found
        tools = toolchain_install.install(toolchain.PYTHON_OF_IMAGE, machine(client), progress)
        base = base_image(client, progress)
        progress(f"building the box image on {base}")
        with tempfile.TemporaryFile() as context:
            _write_context(context, tools)
            context.seek(0)
            build_context(
                client,
                context,
                f"{TAG}:{toolchain.recipe_digest()[:12]}",
                {owner.LABEL_RECIPE: toolchain.recipe_digest()},
                {"BASE": base},
            )
        found = find(client)
    except (DockerException, requests.RequestException) as error:
        raise SandboxError(f"the box image could not be built: {error}") from None
    if found is None:
        raise SandboxError("the box image was built and cannot be found")
    return found


def machine(client: APIClient) -> str:
    """The daemon's machine as wheels name it. Raises SandboxError."""
    told = str(client.version().get("Arch"))
    if told not in _MACHINES:
        raise SandboxError(f"no toolchain for machine {told!r}")
    return _MACHINES[told]


def _write_context(file: IO[bytes], tools: Path) -> None:
    with tarfile.open(fileobj=file, mode="w") as archive:
        for path in sorted(tools.iterdir()):
            if path.name not in ("cache", "pyvenv.cfg"):  # made for the host's interpreter
                archive.add(path, f"toolchain/{path.name}", filter=portable)
        seed = Path(__file__).with_name("seed.py").read_bytes()
        for name, data in (
            ("Dockerfile", toolchain.dockerfile()),
            ("seed.py", seed),
            ("seed.pyz", bundle.build()[0]),
        ):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o644
            archive.addfile(member, io.BytesIO(data))


def portable(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Root's files, without bytecode and without the link to the host's interpreter."""
    if member.name.endswith("__pycache__") or member.name == "toolchain/bin/python3":
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def build_context(
    client: APIClient,
    context: IO[bytes],
    tag: str,
    labels: dict[str, str],
    arguments: dict[str, str] | None = None,
) -> None:
    """Build an image without network. Raises SandboxError, DockerException."""
    last: list[str] = []
    for step in client.build(
        fileobj=context,
        custom_context=True,
        tag=tag,
        buildargs=arguments or {},
        labels=labels,
        network_mode="none",
        rm=True,
        forcerm=True,
        decode=True,
        timeout=_BUILD_S,
    ):
        last = [*last[-20:], str(step.get("stream") or step.get("error") or "")]
        if "error" in step:
            raise SandboxError(f"the box image could not be built: {''.join(last)[-800:]}")
