"""Removing containers: of a box that closes, of a run that died, and the proof of it."""

from __future__ import annotations

import os
import shutil
import time
from typing import Any

import requests
from docker import APIClient
from docker.errors import APIError, DockerException, NotFound

from harness.errors import ConflictError, SandboxError
from harness.sandbox import owner
from harness.sandbox.protocol import Readiness
from harness.sandbox.sockets import find_socket

GONE_S = 30.0
POLL_S = 0.02


def daemon_state(name: str) -> tuple[Readiness, str, str] | None:
    """Why there is no daemon to talk to, with a remedy; None when there is a socket."""
    socket = find_socket(name)
    if socket is not None and os.access(socket, os.R_OK | os.W_OK):
        return None
    if socket is not None:
        remedy = f"give this user the right to use it, e.g. its group: ls -l {socket}"
        return Readiness.UNUSABLE, f"no permission to use {socket}", remedy
    variable = "DOCKER_HOST" if name == "docker" else "CONTAINER_HOST"
    if host := os.environ.get(variable):
        remedy = f"unset {variable}, or name a Unix socket of this machine"
        return Readiness.NOT_RUNNING, f"nothing to use at {variable}={host[:200]}", remedy
    if shutil.which(name) is None:
        return Readiness.NOT_INSTALLED, f"no {name} on this machine", f"install {name}"
    socket_unit = f"systemctl{'' if os.getuid() == 0 else ' --user'} start podman.socket"
    remedy = "start Docker" if name == "docker" else socket_unit
    return Readiness.NOT_RUNNING, f"{name} is installed, its service is not running", remedy


def remove(client: APIClient, name: str) -> None:
    """Remove one container, and wait until the daemon knows it no more. Raises SandboxError."""
    deadline = time.monotonic() + GONE_S
    while True:
        try:
            client.remove_container(name, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            # 409: its removal is in progress; 500 (Podman): it ended while it was to be stopped
            if error.status_code not in (409, 500) or time.monotonic() > deadline:
                raise SandboxError(f"cannot remove {name}: {error}") from None
        except (DockerException, requests.RequestException) as error:
            raise SandboxError(
                f"cannot remove {name}: the daemon does not answer ({error})",
                remedy="start it again, then: proctor clean",
            ) from None
        if time.monotonic() > deadline:
            raise SandboxError(f"{name} could not be removed", remedy="proctor clean")
        time.sleep(POLL_S)


def _labelled(client: APIClient, label: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.containers(all=True, filters={"label": label})
    return found


def mine(client: APIClient) -> list[str]:
    """Containers of this process."""
    return [item["Id"] for item in _labelled(client, f"{owner.LABEL_OWNER}={owner.me()}")]


def _ownerless(client: APIClient, run_id: str | None) -> list[tuple[str, str]]:
    found = []
    for item in _labelled(client, owner.LABEL_OWNER):
        labels = item.get("Labels") or {}
        who = owner.Owner.parse(labels.get(owner.LABEL_OWNER, ""))
        if run_id is not None and labels.get(owner.LABEL_RUN) != run_id:
            continue
        if who is None or not (who.provably_gone() or (run_id is not None and who == owner.me())):
            continue
        found.append((item["Id"], (item.get("Names") or [item["Id"][:12]])[0].lstrip("/")))
    return found


def clean(client: APIClient, run_id: str | None) -> list[str]:
    """Remove what is ours and ownerless (with run_id: of that run, this process' own too).

    Two looks in a row must find nothing. Raises ConflictError when they do not.
    """
    removed: list[str] = []
    deadline, empty = time.monotonic() + GONE_S, 0
    while empty < 2:
        if time.monotonic() > deadline:
            raise ConflictError(
                "boxes are left that cannot be removed", remedy="look at the daemon's log"
            )
        found = _ownerless(client, run_id)
        for ident, name in found:
            remove(client, ident)
            removed.append(name)
        empty = 0 if found else empty + 1
        if empty < 2:
            time.sleep(POLL_S)
    return removed
