"""The box image: found by the digest of its recipe, built without network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docker import APIClient

from harness.sandbox import owner
from harness.sandbox.toolchain import recipe_digest


@dataclass(frozen=True)
class Found:
    """digest: the image's id, which is what boxes are created from."""

    digest: str


def find(client: APIClient) -> Found | None:
    """The newest image of the present recipe."""
    label = f"{owner.LABEL_RECIPE}={recipe_digest()}"
    images: list[dict[str, Any]] = client.images(filters={"label": label})
    if not images:
        return None
    newest = max(images, key=lambda item: int(item["Created"]))
    return Found(str(newest["Id"]))
