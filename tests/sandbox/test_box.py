"""What a box does for the harness: trees in and out, tools, children, reset, snapshot, death."""

from __future__ import annotations

import asyncio
import io
import json
import tarfile

import pytest

from harness.errors import SandboxError, SandboxLost
from harness.sandbox.protocol import Box, ChildSpec, Limits, MiB, Provider
from tests.support.boxes import SMALL, contents, spec, tree


async def test_attestation_tells_what_was_read_inside(provider: Provider) -> None:
    box = await provider.open(spec())
    try:
        told = box.attestation
    finally:
        await box.close()
    assert told.provider == provider.name
    assert told.uid == 10001 and told.breaches == []
    assert told.facts["child"]["Seccomp"] == "2" and told.facts["child"]["NoNewPrivs"] == "1"
    assert int(told.facts["child"]["CapEff"], 16) == 0
    assert [name for name, up in told.facts["interfaces"].items() if up] == ["lo"]
    assert told.toolchain.keys() >= {"python", "node", "pytest", "mypy", "ruff", "typescript"}
    assert told.image_digest.startswith("sha256:") and len(told.tools_digest) == 64
    if provider.name == "docker":
        assert told.facts["cgroup"]["memory"] == SMALL.memory
    assert json.loads(told.model_dump_json())["network"] == "none"


async def test_tree_comes_back_as_it_went_in(box: Box) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:

        def add(name: str, data: bytes = b"", **more: object) -> None:
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o644
            for key, value in more.items():
                setattr(member, key, value)
            archive.addfile(member, io.BytesIO(data))

        add("a.py", b"x = 1\r\n")
        add("bin/tool", b"#!/bin/sh\n", mode=0o755)
        add("bytes", bytes(range(256)) * 100)
        add("empty", type=tarfile.DIRTYPE, mode=0o755)
        add("link", type=tarfile.SYMTYPE, linkname="../outside")
        add("hard", type=tarfile.LNKTYPE, linkname="a.py")
        add("Ünïcode name", b"1")
        add("secret", b"2", mode=0o000)
    await box.put_tree("work", packed.getvalue())
    with tarfile.open(fileobj=io.BytesIO(await box.snapshot())) as archive:
        found = {member.name: member for member in archive}
    assert set(found) == {
        "a.py", "bin", "bin/tool", "bytes", "empty", "link", "hard", "Ünïcode name", "secret",
    }  # fmt: skip
    assert found["bin/tool"].mode == 0o755 and found["secret"].mode == 0o000
    assert found["empty"].isdir() and found["link"].linkname == "../outside"
    assert found["hard"].islnk() and found["hard"].linkname == "a.py"


@pytest.mark.parametrize(
    ("name", "kind", "link"),
    [
        ("../escape", tarfile.REGTYPE, ""),
        ("/tmp/escape", tarfile.REGTYPE, ""),
        ("device", tarfile.CHRTYPE, ""),
        ("pipe", tarfile.FIFOTYPE, ""),
        ("hard", tarfile.LNKTYPE, "../../etc/passwd"),
    ],
)
async def test_hostile_archives_are_refused(box: Box, name: str, kind: bytes, link: str) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, link
        archive.addfile(member)
    with pytest.raises(SandboxError, match="refused"):
        await box.put_tree("work", packed.getvalue())
    assert (await box.run(ChildSpec(argv=("true",)))).exit_code == 0


async def test_archive_through_its_own_link_is_refused(box: Box) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("out")
        member.type, member.linkname = tarfile.SYMTYPE, "/tmp"
        archive.addfile(member)
        archive.addfile(tarfile.TarInfo("out/file"))
    with pytest.raises(SandboxError, match="no folder"):
        await box.put_tree("work", packed.getvalue())
    with pytest.raises(SandboxError):
        await box.put_tree("work", b"no archive at all" * 100)


async def test_tools_work_on_the_tree_and_tell_what_they_changed(box: Box) -> None:
    await box.put_tree("work", tree({"a.py": "x = 1\n"}))
    read = await box.call_tool("read_file", {"path": "a.py"}, timeout_s=20)
    assert "x = 1" in read.text and not read.is_error
    wrote = await box.call_tool("write_file", {"path": "b.py", "content": "y\n"}, timeout_s=20)
    assert [(d.path, d.before, d.content) for d in wrote.delta] == [("b.py", None, b"y\n")]
    outside = await box.call_tool("read_file", {"path": "/etc/passwd"}, timeout_s=20)
    assert outside.path_refused and outside.is_error and not outside.internal
    odd = await box.call_tool("no_such_tool", ["not", "an", "object"], timeout_s=20)
    assert odd.is_error and odd.text.startswith("Error:")
    assert contents(await box.snapshot()) == {"a.py": b"x = 1\n", "b.py": b"y\n"}


async def test_lint_uses_the_toolchain_of_the_box(box: Box) -> None:
    await box.put_tree("work", tree({"a.py": "import os\nx: int = 'a'\n", "b.py": "y = 1\n"}))
    reply = await box.call_tool("lint", {"path": "a.py"}, timeout_s=60)
    assert not reply.internal, reply.text
    assert reply.lint_findings == 2, reply.text


async def test_lint_of_typescript(provider: Provider) -> None:
    box = await provider.open(spec(Limits(memory=1024 * MiB), language="typescript"))
    try:
        await box.put_tree("work", tree({"a.ts": "const x: number = 'a';\nexport {};\n"}))
        reply = await box.call_tool("lint", {"path": "a.ts"}, timeout_s=60)
        assert not reply.internal and reply.lint_findings == 1, reply.text
    finally:
        await box.close()


async def test_after_a_snapshot_nothing_more_is_done(box: Box) -> None:
    await box.put_tree("work", tree({"a.py": ""}))
    await box.snapshot()
    with pytest.raises(SandboxError, match="no further calls"):
        await box.run(ChildSpec(argv=("true",)))
    reply = await box.call_tool("write_file", {"path": "a.py", "content": "x"}, timeout_s=5)
    assert reply.is_error and reply.internal


async def test_child_gets_config_and_input_and_sends_results(box: Box) -> None:
    code = """
import json, os, sys
config = json.load(open(3))
os.write(4, json.dumps({'got': config, 'in': sys.stdin.read()}).encode() + b'\\n')
os.write(4, b'[1]\\n{"torn": ')
print(sorted(os.environ))
"""
    report = await box.run(
        ChildSpec(argv=("python3", "-c", code), config={"a": [1, "ü"]}, stdin=b"hello")
    )
    assert report.results == [{"got": {"a": [1, "ü"]}, "in": "hello"}]
    assert report.results_truncated  # a line that is no object was dropped
    assert "TOKEN" not in report.stdout and report.exit_code == 0


async def test_results_beyond_their_cap_are_dropped_whole(box: Box) -> None:
    code = "import os\nfor n in range(5000): os.write(4, b'{\"n\": %d}\\n' % n)"
    report = await box.run(ChildSpec(argv=("python3", "-c", code), results_bytes=1000))
    assert report.results_truncated
    assert report.results == [{"n": n} for n in range(100)]  # 1,000 bytes of lines


async def test_command_that_does_not_exist_is_an_error_of_ours(box: Box) -> None:
    with pytest.raises(SandboxError, match="FileNotFoundError"):
        await box.run(ChildSpec(argv=("no-such-command",)))
    assert (await box.run(ChildSpec(argv=("true",)))).exit_code == 0


async def test_pytest_runs_as_a_program(box: Box) -> None:
    files = {
        "m.py": "def f(): return 1\n",
        "t/test_m.py": "import m\ndef test_f(): assert m.f() == 1\n",
    }
    await box.put_tree("work", tree(files))
    report = await box.run(ChildSpec(program="run_pytest", config={"folder": "t"}))
    outcomes = [line for line in report.results if line.get("type") == "test"]
    assert [line["outcome"] for line in outcomes] == ["passed"], report


async def test_partner_is_another_user_joined_by_a_socket(box: Box) -> None:
    partner = """
import os, socket
s = socket.socket(fileno=5)
s.sendall(b'%d' % os.getuid()); s.recv(10)
try:
    print(open('/box/work/expected').read())
except OSError as error:
    print(type(error).__name__)
for name in (3, 4):
    try:
        os.write(name, b'x')
    except OSError as error:
        print(type(error).__name__)
"""
    main = """
import os, socket
open('expected', 'w').write('42'); os.chmod('.', 0o700)
s = socket.socket(fileno=5)
print(s.recv(10).decode()); s.sendall(b'go'); s.recv(10)
"""
    report = await box.run(
        ChildSpec(
            argv=("python3", "-c", main),
            partner=ChildSpec(argv=("python3", "-c", partner)),
            wall_s=20,
        )
    )
    assert report.exit_code == 0 and report.stopped is None, report
    assert report.partner_exit in (0, -9)


async def test_reset_makes_the_box_as_new(box: Box) -> None:
    await box.put_tree("work", tree({"a.py": "x = 1\n"}))
    await box.call_tool("list_files", {"path": "."}, timeout_s=20)
    code = "import os; open('/tmp/t', 'w'); open('/dev/shm/s', 'w'); os.makedirs('x/y')"
    await box.run(ChildSpec(argv=("python3", "-c", code)))
    await box.reset()
    code = "import os; print(os.listdir('.'), os.listdir('/tmp'), os.listdir('/dev/shm'))"
    assert (await box.run(ChildSpec(argv=("python3", "-c", code)))).stdout == "[] [] []\n"


async def test_two_boxes_share_nothing(provider: Provider) -> None:
    first, second = await asyncio.gather(provider.open(spec()), provider.open(spec()))
    try:
        await first.put_tree("work", tree({"a.py": ""}))
        report = await second.run(ChildSpec(argv=("ls",)))
        assert report.stdout == ""
    finally:
        await asyncio.gather(first.close(), second.close())


async def test_file_systems_must_fit_in_memory(provider: Provider) -> None:
    with pytest.raises(SandboxError, match="do not fit"):
        await provider.open(spec(Limits(memory=256 * MiB)))


async def test_closed_box_is_lost_and_closing_twice_is_fine(box: Box) -> None:
    await box.close()
    await box.close()
    with pytest.raises(SandboxLost):
        await box.run(ChildSpec(argv=("true",)))
    assert await box.death()
