"""Facts that contradict what was asked void a box, whatever they are."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from docker import APIClient

from harness.errors import SandboxError
from harness.sandbox import attest
from harness.sandbox.protocol import Attestation, Box, Provider
from harness.sandbox.shipping import shipped
from tests.support.boxes import SMALL, spec


@pytest.fixture
async def seen(docker: Provider) -> tuple[Box, dict[str, Any]]:
    box = await docker.open(spec())
    await box.close()
    return box, box.attestation.facts


def judge(box: Box, facts: dict[str, Any]) -> Attestation:
    told = box.attestation
    return attest.build(
        told.provider,
        spec(),
        facts,
        runtime_version=told.runtime_version,
        image_digest=told.image_digest,
        tools=shipped(),
    )


def _mount(facts: dict[str, Any], point: str) -> dict[str, Any]:
    return next(item for item in reversed(facts["child"]["mounts"]) if item["point"] == point)


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "interface": (lambda f: f["interfaces"].update(eth0=True), "network interface eth0"),
    "route": (lambda f: f.update(routes=1), "network route"),
    "root": (lambda f: f["child"].update(Uid="0\t0\t0\t0"), "privileges"),
    "capability": (lambda f: f["child"].update(CapEff="0000000000000001"), "privileges"),
    "no filter": (lambda f: f["child"].update(Seccomp="0"), "system call filter"),
    "new privileges": (lambda f: f["child"].update(NoNewPrivs="0"), "gain privileges"),
    "server capability": (
        lambda f: f["server"].update(CapBnd="00000000a80425fb"),
        "more capabilities",
    ),
    "writable root": (lambda f: _mount(f, "/").update(writable=True), "root file system"),
    "host mount": (
        lambda f: f["child"]["mounts"].append(
            {"point": "/mnt", "kind": "ext4", "writable": True, "open": False}
        ),
        "/mnt",
    ),
    "open folder": (lambda f: _mount(f, "/dev").update(open=True), "leave files in /dev"),
    "uncapped tmpfs": (lambda f: _mount(f, "/tmp").update(options="rw"), "not capped in size"),
    "uncapped inodes": (
        lambda f: _mount(f, "/dev/shm").update(options="rw,size=16384k"),
        "not capped in inodes",
    ),
    "memory": (lambda f: f["cgroup"].update(memory=SMALL.memory * 2), "memory is not limited"),
    "swap": (lambda f: f["cgroup"].update(memory_and_swap=SMALL.memory * 2), "swap"),
    "pids": (lambda f: f["cgroup"].update(pids=None), "processes are not limited"),
    "cpu": (lambda f: f["cgroup"].update(cpus=None), "CPU is not limited"),
    "tools": (lambda f: f.update(tools_digest="0" * 64), "other tools"),
    "nothing told": (lambda f: f.pop("child"), "malformed"),
    "nonsense": (lambda f: f.update(child=[1]), "malformed"),
}


async def test_contradicting_facts_are_refused(seen: tuple[Box, dict[str, Any]]) -> None:
    box, facts = seen
    assert judge(box, copy.deepcopy(facts)).breaches == []
    for name, (forge, told) in FORGERIES.items():
        forged = copy.deepcopy(facts)
        forge(forged)
        with pytest.raises(SandboxError) as caught:
            judge(box, forged)
        assert told in str(caught.value), name


async def test_the_attestation_names_the_very_image_that_runs(docker: Provider) -> None:
    """By its digest, not by a name that may move to another image meanwhile."""
    box = await docker.open(spec())
    try:
        client = APIClient()
        try:
            running = client.inspect_container(box.box_id)
        finally:
            client.close()
        assert running["Image"] == box.attestation.image_digest
        assert running["Config"]["Image"] == box.attestation.image_digest
    finally:
        await box.close()
