"""Judging what a box said of itself against what was asked of the provider."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ValidationError

from harness.errors import SandboxError
from harness.sandbox.protocol import Attestation, BoxSpec, Limits
from harness.sandbox.shipping import Shipped
from tools.box import layout

_MUST_BE_CAPPED = (layout.TREES, "/tmp", "/dev/shm")
_SERVER_CAPABILITIES = 1 << 5 | 1 << 6 | 1 << 7  # KILL, SETGID, SETUID
# Folders that children may write to: each is emptied, or new, for the next child.
_OPEN = (*_MUST_BE_CAPPED, "/dev/mqueue")
_NO_FILES = ("devpts", "proc")  # nobody can make a file in these, whatever their modes say
# Kinds of file system that reach no file of the host when they are writable.
_HARMLESS = ("tmpfs", "proc", "devpts", "mqueue", "cgroup", "cgroup2", "sysfs", "devtmpfs")
_PAGE = 4096


def build(
    provider: Literal["docker", "podman", "bubblewrap"],
    spec: BoxSpec,
    facts: dict[str, Any],
    *,
    runtime_version: str,
    image_digest: str,
    tools: Shipped,
    inodes_capped: bool = True,
) -> Attestation:
    """The attestation of a box. Raises SandboxError where the facts contradict what was asked.

    inodes_capped: False where the provider cannot cap inodes, and a watchdog counts them. What
    no kernel limit holds is listed in ``facts["watched"]`` and ``facts["unlimited"]``.
    """
    try:
        breaches = _contradictions(provider, spec.limits, facts, inodes_capped)
        if facts["tools_digest"] != tools.sent:
            breaches.append("the box runs other tools than it was sent")
        child = facts["child"]
        return Attestation(
            provider=provider,
            runtime_version=runtime_version,
            image_digest=image_digest,
            tools_digest=tools.sources,
            network="none",
            filesystem="read_only_plus_tmpfs",
            uid=int(child["Uid"].split()[0]),
            seccomp="filter",
            no_new_privileges=True,
            limits=spec.limits,
            toolchain=facts["toolchain"]["versions"],
            facts={**facts, **_weaker(provider, inodes_capped)},
            breaches=breaches,
        )
    except ValidationError as error:
        told = "; ".join(item["msg"] for item in error.errors())
        raise SandboxError(f"the box is not contained: {told}", where=provider) from None
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise SandboxError(
            f"the box's facts are malformed: {repr(error)[:200]}", where=provider
        ) from None


def _weaker(provider: str, inodes_capped: bool) -> dict[str, list[str]]:
    if provider == "bubblewrap":
        return {"watched": ["memory", "cpu seconds"], "unlimited": ["cpus"]}
    return {"watched": [] if inodes_capped else ["inodes"], "unlimited": []}


def _contradictions(
    provider: str, limits: Limits, facts: dict[str, Any], inodes_capped: bool
) -> list[str]:
    found = []
    child = facts["child"]
    for name, up in {**facts["interfaces"], **child["interfaces"]}.items():
        if name != "lo" and up:
            found.append(f"network interface {name} is up")
    if facts["routes"]:
        found.append("there is a network route")
    if int(child["Uid"].split()[0]) <= 0 or int(child["CapEff"], 16) or int(child["CapPrm"], 16):
        found.append("children have privileges")
    if child["Seccomp"] != "2" or child["NoNewPrivs"] != "1":
        found.append("children have no system call filter, or may gain privileges")
    found += _mounts(child["mounts"], limits, inodes_capped)
    if provider == "bubblewrap":
        return found
    server = facts["server"]
    if int(server["CapBnd"], 16) & ~_SERVER_CAPABILITIES:
        found.append("the server has more capabilities than it was given")
    if server["Seccomp"] != "2" or server["NoNewPrivs"] != "1":
        found.append("the server has no system call filter, or may gain privileges")
    return found + _cgroup(facts["cgroup"], limits)


def _mounts(mounts: list[dict[str, Any]], limits: Limits, inodes_capped: bool) -> list[str]:
    found = []
    last = {mount["point"]: mount for mount in mounts}  # a later mount covers an earlier one
    if last["/"]["writable"]:
        found.append("the root file system is writable")
    for point, mount in last.items():
        if mount["writable"] and mount["kind"] not in _HARMLESS:
            found.append(f"{point} ({mount['kind']}) is writable")
        if mount["open"] and point not in _OPEN and mount["kind"] not in _NO_FILES:
            found.append(f"children can leave files in {point}")
    sizes = (
        (limits.work_bytes, limits.work_inodes),
        (limits.tmp_bytes, limits.tmp_inodes),
        (limits.shm_bytes, limits.shm_inodes),
    )
    for point, (size, inodes) in zip(_MUST_BE_CAPPED, sizes, strict=True):
        options = dict(
            item.partition("=")[::2] for item in last[point].get("options", "").split(",")
        )
        if not 0 < _kib(options.get("size", "0")) * 1024 <= size + _PAGE:
            found.append(f"{point} is not capped in size")
        if inodes_capped and not 0 < int(options.get("nr_inodes", "0")) <= inodes:
            found.append(f"{point} is not capped in inodes")
    return found


def _kib(text: str) -> int:
    """The kernel shows a tmpfs' size in KiB, ``65536k``."""
    return int(text.rstrip("k"))


def _cgroup(told: dict[str, Any], limits: Limits) -> list[str]:
    found = []
    if not _within(told["memory"], limits.memory + _PAGE):
        found.append("memory is not limited")
    with_swap = told["memory_and_swap"]
    if told["swap"] or (with_swap is not None and not _within(with_swap, limits.memory + _PAGE)):
        found.append("swap is not limited")
    if not _within(told["pids"], limits.pids + layout.SERVER_PROCESSES):
        found.append("processes are not limited")
    if not _within(told["cpus"], limits.cpus * 1.01):
        found.append("CPU is not limited")
    return found


def _within(value: Any, limit: float) -> bool:
    """Whether a limit read in the box is one, and no larger than asked; NaN is none."""
    return isinstance(value, int | float) and 0 < value <= limit


def check_limits(limits: Limits) -> None:
    """Raises SandboxError when the file systems in memory could starve the box's server."""
    files = limits.work_bytes + limits.tmp_bytes + limits.shm_bytes
    if files > limits.memory - RESERVE:
        raise SandboxError(
            f"file systems of {files >> 20} MiB do not fit in {limits.memory >> 20} MiB of memory",
            remedy=f"leave {RESERVE >> 20} MiB for the processes",
        )


RESERVE = 128 * 1024 * 1024  # the server, and a child that only fills the disk
