"""Hostile code as a child, in every kind of box: contained, told apart, and gone afterwards."""

from __future__ import annotations

import socket
import textwrap
from pathlib import Path

import pytest

from harness.sandbox.protocol import Box, ChildReport, ChildSpec

QUIET = {"wall_s": 20.0, "cpu_s": 20.0}


async def run(box: Box, code: str, **more: object) -> ChildReport:
    settings = {**QUIET, **more}
    argv = ("python3", "-I", "-B", "-c", textwrap.dedent(code))
    return await box.run(ChildSpec(argv=argv, **settings))  # type: ignore[arg-type]


async def assert_as_new(box: Box) -> None:
    """The next child finds an orderly box: nothing left in it, and all of its room."""
    report = await run(
        box,
        """
        import os, pathlib
        others = [p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()]
        mine = [p for p in others if pathlib.Path(f'/proc/{p}').stat().st_uid == os.getuid()
                and b'proctor' not in pathlib.Path(f'/proc/{p}/cmdline').read_bytes()
                and int(p) > 1]
        left = os.listdir('/tmp') + os.listdir('/dev/shm')
        pathlib.Path('/tmp/room').write_bytes(b'x' * (12 << 20))
        block = bytearray(64 << 20)
        print('processes', len(mine), 'left', left, 'ok')
        """,
    )
    assert report.stdout.strip() == "processes 0 left [] ok", report
    assert report.exit_code == 0 and report.stopped is None
    assert (report.oom_kills, report.pids_refused, report.leftovers) == (0, 0, 0), report
    assert not report.disk_full


async def test_child_is_unprivileged_and_the_host_is_out_of_sight(box: Box, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("gold")
    secret.chmod(0o666)
    report = await run(
        box,
        f"""
        import os
        print(os.getuid(), os.geteuid(), os.path.exists({str(secret)!r}))
        for name in ('/root', '/home', '/work', '/var/lib/docker', '/run/docker.sock',
                     '/var/run/docker.sock', {str(Path(__file__).parents[2])!r}):
            try:
                print(name, len(os.listdir(name)))
            except OSError:
                pass
        for name in ('/etc/x', '/usr/x', '/x', '/opt/proctor/x', '/run/proctor/x', '/dev/x'):
            try:
                open(name, 'w'); print('wrote', name)
            except OSError:
                pass
        try:
            os.chmod('/run/proctor/box.pyz', 0o666); print('chmod')
        except OSError:
            pass
        """,
    )
    lines = report.stdout.splitlines()
    assert lines[0] == "10001 10001 False"
    assert all(line.split() in (["/home", "0"],) for line in lines[1:]), lines
    assert report.exit_code == 0


async def test_no_network_by_address_by_name_by_udp_or_by_unix_socket(
    box: Box, tmp_path: Path
) -> None:
    with socket.socket() as listener, socket.socket(socket.AF_UNIX) as local:
        listener.bind(("0.0.0.0", 0))
        listener.listen()
        local.bind(str(tmp_path / "s"))
        local.listen()
        report = await run(
            box,
            f"""
            import socket
            port = {listener.getsockname()[1]}
            def attempt(name, action):
                try:
                    action(); print(name, 'reached')
                except OSError as error:
                    print(name, type(error).__name__)
            for host in ('127.0.0.1', '1.1.1.1', '10.0.2.2', '172.17.0.1'):
                attempt(host, lambda: socket.create_connection((host, port), 2))
            attempt('name', lambda: socket.create_connection(('pypi.org', 443), 2))
            udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            attempt('udp', lambda: udp.sendto(b'x', ('1.1.1.1', 53)))
            attempt('unix', lambda: socket.socket(socket.AF_UNIX).connect({str(tmp_path / "s")!r}))
            attempt('vsock', lambda: socket.socket(40, socket.SOCK_STREAM))
            abstract = socket.socket(socket.AF_UNIX)
            attempt('abstract', lambda: abstract.connect('\\0/tmp/.X11-unix/X0'))
            """,
        )
    assert report.exit_code == 0, report.stderr
    assert len(report.stdout.splitlines()) == 9
    assert "reached" not in report.stdout


@pytest.mark.parametrize(
    "code",
    [
        "import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))",
        "import ctypes; print(ctypes.CDLL(None).ptrace(16, 1, 0, 0))",
        "import ctypes; print(ctypes.CDLL(None).syscall(250, 0, -3, 1))",  # keyctl, x86_64
        "import ctypes; print(ctypes.CDLL(None).mount(b'x', b'/tmp', b'tmpfs', 0, None))",
    ],
    ids=["user-namespace", "ptrace", "keyring", "mount"],
)
async def test_dangerous_calls_are_refused(box: Box, code: str) -> None:
    report = await run(box, code)
    assert report.stdout.strip() == "-1", report


async def test_fork_bomb(box: Box) -> None:
    report = await run(
        box,
        """
        import os
        while True:
            try:
                os.fork()
            except OSError:
                pass
        """,
        wall_s=2.0,
    )
    assert report.stopped in ("wall", "cpu")
    assert report.pids_refused > 0
    await assert_as_new(box)


BOMBS = {
    "heap": """
        blocks = []
        while True:
            blocks.append(bytearray(8 << 20))
        """,
    "memfd": """
        import os
        fd = os.memfd_create('x')
        while True:
            os.write(fd, b'x' * (4 << 20))
        """,
    "shared": """
        import mmap
        maps = []
        while True:
            m = mmap.mmap(-1, 8 << 20)
            m.write(b'x' * (8 << 20))
            maps.append(m)
        """,
    "children": """
        import os, time
        for _ in range(12):
            if os.fork() == 0:
                block = bytearray(64 << 20)
                time.sleep(30)
                os._exit(0)
        time.sleep(30)
        """,
}


@pytest.mark.parametrize("kind", list(BOMBS))
async def test_memory_bomb(box: Box, kind: str) -> None:
    report = await run(box, BOMBS[kind], wall_s=6.0)
    refused = "MemoryError" in report.stderr or "not implemented" in report.stderr
    assert report.oom_kills > 0 or report.stopped == "memory" or refused, report
    assert report.exit_code != 0
    await assert_as_new(box)


@pytest.mark.parametrize("where", ["/tmp", "/dev/shm", "/box/work"])
@pytest.mark.parametrize("what", ["bytes", "inodes"])
async def test_disk_filler(box: Box, where: str, what: str) -> None:
    report = await run(
        box,
        f"""
        import os
        os.chdir({where!r})
        if {what!r} == 'bytes':
            with open('big', 'wb', buffering=0) as file:
                while True:
                    file.write(b'x' * 65536)
        for number in range(10**6):
            open(f'f{{number}}', 'w').close()
        """,
    )
    assert report.disk_full, report
    if report.stopped != "disk":  # where no mount option caps inodes, the server stops the child
        assert "No space left" in report.stderr
        assert report.stopped is None and report.exit_code == 1
    await box.reset()
    await assert_as_new(box)


async def test_endless_loop_is_stopped_by_the_wall_clock(box: Box) -> None:
    report = await run(box, "import time; time.sleep(60)", wall_s=0.5)
    assert report.stopped == "wall"
    assert (report.exit_code, report.signal) == (None, None)
    await assert_as_new(box)


async def test_spinning_is_stopped_by_the_cpu_clock(box: Box) -> None:
    report = await run(box, "while True: pass", wall_s=30.0, cpu_s=1.0)
    assert report.stopped == "cpu"
    assert report.wall_s < 20
    await assert_as_new(box)


async def test_flood_of_output_is_cut_and_stopped(box: Box) -> None:
    report = await run(
        box,
        """
        import os
        os.write(1, b'first line\\n')
        for _ in range(100):
            os.write(1, b'x' * (1 << 20))
        """,
    )
    assert report.stopped == "output"
    assert report.stdout.startswith("first line\n")
    assert len(report.stdout) < 1.2 * (1 << 20)
    await assert_as_new(box)


async def test_output_keeps_its_first_and_last_parts(box: Box) -> None:
    report = await run(box, "print('first'); print('x' * 50000); print('last')", output_bytes=4096)
    assert report.stopped is None and report.exit_code == 0
    assert report.stdout.startswith("first\n") and report.stdout.endswith("last\n")
    assert "bytes cut" in report.stdout and len(report.stdout) < 4200


async def test_daemon_left_behind_is_killed_and_counted(box: Box) -> None:
    report = await run(
        box,
        """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    open('/tmp/alive', 'w').write(str(time.time()))
                    time.sleep(0.01)
            os._exit(0)
        time.sleep(0.3)
        print('done')
        """,
    )
    assert report.stdout == "done\n" and report.exit_code == 0
    assert report.leftovers >= 1
    await assert_as_new(box)


@pytest.mark.parametrize("target", ["os.getppid()", "1", "0", "-1"])
@pytest.mark.parametrize("number", ["SIGKILL", "SIGTERM", "SIGSTOP", "SIGINT"])
async def test_signals_do_not_reach_the_server(box: Box, target: str, number: str) -> None:
    report = await run(
        box,
        f"""
        import os, signal
        try:
            os.kill({target}, signal.{number})
        except OSError as error:
            print(type(error).__name__)
        """,
        wall_s=1.0,
    )
    assert report.stopped in (None, "wall")
    await assert_as_new(box)


async def test_server_and_its_input_cannot_be_read(box: Box) -> None:
    report = await run(
        box,
        """
        import os
        for name in ('mem', 'environ', 'maps', 'fd', 'root'):
            for pid in ('1', str(os.getppid())):
                try:
                    path = f'/proc/{pid}/{name}'
                    data = os.listdir(path) if name in ('fd', 'root') else open(path, 'rb').read(10)
                    print('read', path)
                except OSError:
                    pass
        """,
    )
    assert report.stdout == "", report.stdout
    assert report.exit_code == 0


async def test_every_way_to_end_is_told_apart(box: Box) -> None:
    assert (await run(box, "raise SystemExit(7)")).exit_code == 7
    assert (await run(box, "import os; os.kill(os.getpid(), 11)")).signal == 11
    assert (await run(box, "import os; os.abort()")).signal == 6
    assert (await run(box, "1/0")).exit_code == 1


async def test_deep_and_forbidden_folders_do_not_survive(box: Box) -> None:
    report = await run(
        box,
        """
        import os
        os.chdir('/tmp')
        for _ in range(600):
            os.mkdir('d' * 60); os.chdir('d' * 60)
        os.mkdir('/box/work/closed'); open('/box/work/closed/f', 'w').close()
        os.chmod('/box/work/closed', 0)
        """,
    )
    assert report.exit_code == 0, report.stderr
    await box.reset()
    await assert_as_new(box)
    listing = await run(box, "import os; print(os.listdir('.'))")
    assert listing.stdout == "[]\n"
