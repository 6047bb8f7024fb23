"""The image with a set of ``extras`` on top of the box image, for Docker and Podman."""

from __future__ import annotations

import io
import tarfile
import tempfile
from typing import Any

from docker import APIClient

from harness.errors import SandboxError
from harness.sandbox import extras, image, owner, toolchain
from tools.box import layout

LABEL = "proctor.extra"


def find_image(client: APIClient, name: str) -> image.Found | None:
    """The image with a set on top of the present box image."""
    images: list[dict[str, Any]] = client.images(filters={"label": f"{LABEL}={extras.state(name)}"})
    if not images:
        return None
    return image.Found(str(max(images, key=lambda item: int(item["Created"]))["Id"]))


def build_image(client: APIClient, name: str, progress: extras.Progress) -> image.Found:
    """The image with a set, built when missing, without network. Raises SandboxError."""
    base = image.build(client, progress)
    found = find_image(client, name)
    if found is not None:
        return found
    machine = image.machine(client)
    packages = extras.install(name, toolchain.PYTHON_OF_IMAGE, machine, progress)
    progress(f"building the image with the packages for {name}")
    text = (
        f"FROM {base.digest}\nCOPY extra/ {layout.EXTRA}/\n"
        f"RUN {layout.PYTHON} -I -m compileall -q -q --invalidation-mode unchecked-hash "
        f"{layout.EXTRA} || true\n"
    )
    with tempfile.TemporaryFile() as context:
        with tarfile.open(fileobj=context, mode="w") as archive:
            archive.add(packages, "extra", filter=image.portable)
            member = tarfile.TarInfo("Dockerfile")
            member.size, member.mode = len(text), 0o644
            archive.addfile(member, io.BytesIO(text.encode()))
        context.seek(0)
        labels = {
            LABEL: extras.state(name),
            owner.LABEL_RECIPE: f"{toolchain.recipe_digest()}+{name}",
        }
        image.build_context(client, context, f"{image.TAG}:{name}", labels)
    found = find_image(client, name)
    if found is None:
        raise SandboxError("the image was built and cannot be found")
    return found
