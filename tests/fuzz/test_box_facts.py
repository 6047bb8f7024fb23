"""What a box says of itself, and the tree it gives back: judged, or refused with one error."""

from __future__ import annotations

import io
import tarfile
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.errors import SandboxError
from harness.sandbox.attest import build
from harness.sandbox.protocol import Attestation, BoxSpec, Limits
from harness.sandbox.shipping import Shipped
from harness.tasks.trees import TREE_LIMIT, pack, tree_digest, unpack
from tests.fuzz.effort import examples
from tests.fuzz.hostile import Answer, ask_hostile, frame
from tests.fuzz.values import VALUES, altered, nested, torn

LIMITS = Limits()
STATUS = {"Uid": "1000 1000", "CapEff": "0", "CapPrm": "0", "Seccomp": "2", "NoNewPrivs": "1"}
_CAPPED = "size=64k,nr_inodes=10"
MOUNTS = [
    {"point": "/", "kind": "overlay", "writable": False, "open": False},
    {"point": "/box", "kind": "tmpfs", "writable": True, "open": True, "options": ""},
    {
        "point": "/tmp",
        "kind": "tmpfs",
        "writable": True,
        "open": True,
        "options": "size=64k,nr_inodes=10",
    },
    {
        "point": "/dev/shm",
        "kind": "tmpfs",
        "writable": True,
        "open": True,
        "options": "size=64k,nr_inodes=10",
    },
]
FACTS: dict[str, Any] = {
    "tools_digest": "sent", "interfaces": {"lo": True}, "routes": 0,
    "child": {**STATUS, "mounts": MOUNTS, "interfaces": {}},
    "server": {**STATUS, "CapBnd": "e0"},
    "cgroup": {"memory": 1, "memory_and_swap": None, "swap": 0, "pids": 1, "cpus": 0.5},
    "toolchain": {"versions": {"python": "3.11"}, "recipe": None},
}  # fmt: skip


def attested(facts: dict[str, Any], provider: Any = "docker") -> Attestation:
    shipped = Shipped(b"", "sources", "sent")
    spec = BoxSpec(run_id="fuzz", sample="a@1", purpose="probe", limits=LIMITS)
    return build(provider, spec, facts, runtime_version="1", image_digest="sha256:0", tools=shipped)


def sound() -> dict[str, Any]:
    """Facts that are accepted."""
    from tools.box import layout

    capped = {
        "/tmp": (LIMITS.tmp_bytes, LIMITS.tmp_inodes),
        "/dev/shm": (LIMITS.shm_bytes, LIMITS.shm_inodes),
        layout.TREES: (LIMITS.work_bytes, LIMITS.work_inodes),
    }
    mounts = [{"point": "/", "kind": "overlay", "writable": False, "open": False}] + [
        {
            "point": point, "kind": "tmpfs", "writable": True, "open": True,
            "options": f"rw,size={size // 1024}k,nr_inodes={inodes}",
        }
        for point, (size, inodes) in capped.items()
    ]  # fmt: skip
    return {**FACTS, "child": {**FACTS["child"], "mounts": mounts}}


@examples(120)
@given(altered(sound()))
@example(sound() | {"cgroup": {**FACTS["cgroup"], "cpus": float("nan")}})
@example(sound() | {"cgroup": {**FACTS["cgroup"], "memory": -1}})
@example(sound() | {"cgroup": {**FACTS["cgroup"], "pids": float("nan")}})
@example(sound() | {"kernel": nested(300)})
@example(sound() | {"kernel": 10**4000})
@example(sound() | {"child": {**sound()["child"], "CapEff": "-1"}})
def test_facts_are_attested_and_stored_or_refused(facts: Any) -> None:
    try:
        told = ask_hostile(
            Answer(frame({"id": 1, "ok": True, "facts": facts})), lambda b: b.hello({})
        )
        attestation = attested(told)
    except SandboxError:
        return
    again = Attestation.model_validate_json(attestation.model_dump_json())
    assert again.uid == attestation.uid > 0
    cpus, memory = told["cgroup"]["cpus"], told["cgroup"]["memory"]
    assert 0 < cpus <= LIMITS.cpus * 1.01 and 0 < memory <= LIMITS.memory + 4096


def test_the_sound_facts_are_accepted() -> None:
    assert attested(sound()).breaches == []


# --- trees

TREE = {"a.py": b"a = 1\n", "folder/b.txt": b"b" * 700, "empty/": b""}


def archive(members: list[tuple[str, bytes, str, bytes]]) -> bytes:
    """A tar of (name, kind, link's target, content)."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, kind, target, content in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            info.size = len(content) if kind == tarfile.REGTYPE else 0
            tar.addfile(info, io.BytesIO(content))
    return packed.getvalue()


NAMES = st.one_of(
    st.sampled_from(
        ["a", "a/b", "a/", "../a", "/a", "./a", "a/../b", "..", ".", "", "a//b", "a/."]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12),
)
KINDS = st.sampled_from(
    [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE]
)
MEMBERS = st.lists(st.tuples(NAMES, KINDS, NAMES, st.binary(max_size=30)), max_size=6)
PLAIN = archive([(n, tarfile.REGTYPE, "", c) for n, c in TREE.items() if not n.endswith("/")])


def usable(data: bytes) -> None:
    try:
        tree = unpack(data)
    except SandboxError:
        return
    assert sum(len(file.content) for file in tree.values()) <= TREE_LIMIT
    tree_digest(tree)
    for path in tree:
        assert not path.startswith("/") and ".." not in path.split("/"), path
    again = unpack(pack(tree))
    assert tree_digest(again) == tree_digest(tree)


@examples(150)
@given(st.one_of(MEMBERS.map(archive), torn(PLAIN).map(lambda data: data + bytes(1024))))
@example(archive([("a", tarfile.REGTYPE, "", b"x"), ("a/b", tarfile.REGTYPE, "", b"y")]))
@example(archive([("a", tarfile.LNKTYPE, "a", b"")]))
@example(archive([("../../etc/passwd", tarfile.REGTYPE, "", b"x")]))
def test_a_tree_from_a_box_is_data_or_refused(data: bytes) -> None:
    usable(data)


def sparse(size: int) -> bytes:
    """An archive of a kilobyte that says it holds ``size`` bytes, as GNU tar writes holes."""
    info = tarfile.TarInfo("hole")
    info.type, info.size = tarfile.GNUTYPE_SPARSE, 0
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[156:157] = tarfile.GNUTYPE_SPARSE
    header[386:398] = b"%011o\0" % 0  # the only piece: at 0, of no bytes
    header[398:410] = b"%011o\0" % 0
    header[483:495] = b"%011o\0" % size
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + bytes(10240)


def pax_sparse(size: int) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        info = tarfile.TarInfo("hole")
        info.pax_headers = {
            "GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.numblocks": "1",
            "GNU.sparse.map": "0,0", "GNU.sparse.size": str(size),
        }  # fmt: skip
        tar.addfile(info, io.BytesIO(b""))
    return packed.getvalue()


@pytest.mark.parametrize("make", [sparse, pax_sparse])
def test_a_file_of_holes_is_refused_before_it_is_laid_out(make: Any) -> None:
    with pytest.raises(SandboxError, match="holes"):
        unpack(make(1 << 32))


def test_links_do_not_multiply_a_tree_beyond_its_limit() -> None:
    members = [("a", tarfile.REGTYPE, "", bytes(1 << 20))]
    members += [(f"l{n}", tarfile.LNKTYPE, "a", b"") for n in range(200)]
    with pytest.raises(SandboxError, match="larger than"):
        unpack(archive(members))


def test_a_value_nested_deeply_is_no_fact() -> None:
    with pytest.raises(SandboxError):
        ask_hostile(
            Answer(frame({"id": 1, "ok": True, "facts": {"kernel": nested(300)}})),
            lambda box: box.hello({}),
        )


VALUES_OF_FACTS = VALUES  # any JSON at all, where an object belongs


@examples(40)
@given(VALUES_OF_FACTS)
def test_facts_of_any_type(value: Any) -> None:
    try:
        attested(
            ask_hostile(Answer(frame({"id": 1, "ok": True, "facts": value})), lambda b: b.hello({}))
        )
    except SandboxError:
        return
