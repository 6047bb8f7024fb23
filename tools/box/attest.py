"""What the box sees of itself: facts for the harness to judge, no judgement of its own."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import socket
import struct
import sys
from typing import Any

from tools.box import layout, limits

_SIOCGIFFLAGS = 0x8913
_STATUS_KEYS = ("Uid", "Gid", "CapPrm", "CapEff", "CapBnd", "Seccomp", "NoNewPrivs")


def status() -> dict[str, str]:
    """The lines of /proc/self/status that tell privileges."""
    with open("/proc/self/status") as file:
        pairs = [line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line]
    return {key: value.strip() for key, value in pairs if key in _STATUS_KEYS}


def interfaces() -> dict[str, bool]:
    """Network interfaces; True for one that is up."""
    found = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            request = struct.pack("16sh14x", name.encode()[:15], 0)
            flags = struct.unpack_from("16sh", fcntl.ioctl(sock, _SIOCGIFFLAGS, request))[1]
            found[name] = bool(flags & 1)
    return found


def routes() -> int:
    """Number of IPv4 routes."""
    try:
        with open("/proc/net/route") as file:
            return len(file.read().splitlines()) - 1
    except OSError:
        return 0


def mounts() -> list[dict[str, Any]]:
    """Mount points: where, kind, whether writable, whether this process may make files in it, and
    the options of a tmpfs."""
    found = []
    with open("/proc/self/mountinfo") as file:
        for line in file:
            left, _, right = line.partition(" - ")
            point, options = left.split()[4:6]
            kind, _, super_options = right.split(" ", 2)
            writable = "rw" in options.split(",") and "rw" in super_options.strip().split(",")
            entry: dict[str, Any] = {"point": point, "kind": kind, "writable": writable}
            entry["open"] = os.path.isdir(point) and os.access(point, os.W_OK)
            if kind == "tmpfs":
                entry["options"] = super_options.strip()
            found.append(entry)
    return found


def toolchain() -> dict[str, Any]:
    """Versions and recipe from the toolchain's manifest, and the interpreter's own version."""
    try:
        with open(layout.MANIFEST) as file:
            manifest = json.load(file)
        versions, recipe = dict(manifest["versions"]), str(manifest["recipe"])
    except (OSError, ValueError, KeyError, TypeError):
        versions, recipe = {}, None
    versions["python"] = ".".join(map(str, sys.version_info[:3]))
    return {"versions": versions, "recipe": recipe}


def facts() -> dict[str, Any]:
    """Facts of the server's side."""
    with open(layout.ARCHIVE, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return {
        "tools_digest": digest,
        "pid": os.getpid(),
        "server": status(),
        "interfaces": interfaces(),
        "routes": routes(),
        "mounts": mounts(),
        "cgroup": limits.configured(),
        "toolchain": toolchain(),
        "kernel": os.uname().release,
        "executable": sys.executable,
        "environment": sorted(os.environ),
    }


def child_facts() -> int:
    """Run as a child: its own privileges and mounts, as one line on descriptor 4."""
    line = {**status(), "mounts": mounts(), "interfaces": interfaces(), "groups": os.getgroups()}
    os.write(4, json.dumps(line).encode() + b"\n")
    return 0
