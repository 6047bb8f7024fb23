"""Where the daemons of Docker and Podman listen."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def find_socket(name: str) -> str | None:
    """Path of the daemon's Unix socket, None when there is none. Only local daemons are used:
    a remote one would hold boxes that no reaper of this machine could prove gone."""
    for candidate in _candidates(name):
        try:
            if stat.S_ISSOCK(Path(candidate).stat().st_mode):
                return candidate
        except OSError:
            continue
    return None


def _candidates(name: str) -> list[str]:
    home = Path.home()
    runtime = os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")
    if name == "docker":
        told = [os.environ.get("DOCKER_HOST", ""), _docker_context()]
        usual = [
            "/var/run/docker.sock",
            f"{runtime}/docker.sock",
            f"{home}/.docker/run/docker.sock",
            f"{home}/.docker/desktop/docker.sock",
            f"{home}/.colima/default/docker.sock",
        ]
    else:
        told = [os.environ.get("CONTAINER_HOST", "")]
        usual = [
            f"{runtime}/podman/podman.sock",
            "/run/podman/podman.sock",
            f"{home}/.local/share/containers/podman/machine/podman.sock",
        ]
    if told[0]:  # what a person set is meant; another daemon would be a surprise
        told, usual = told[:1], []
    return [text.removeprefix("unix://") for text in told if text.startswith("unix://")] + usual


def _docker_context() -> str:
    """Host of the current docker context, "" when there is none."""
    from docker.context import ContextAPI
    from docker.errors import DockerException

    try:
        context = ContextAPI.get_current_context()
    except (DockerException, OSError, ValueError, KeyError, TypeError):
        return ""
    return str(getattr(context, "Host", "") or "")
