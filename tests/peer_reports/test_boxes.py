"""Commands that run out of time or leave something behind, and many boxes at once."""

from __future__ import annotations

import asyncio
import textwrap

from harness.sandbox.protocol import Box, ChildReport, ChildSpec, Limits, MiB, Provider
from tests.support import boxes

HEARTBEAT = """
def beat():
    while True:
        with open('/tmp/alive', 'a') as file:
            file.write('.')
        time.sleep(0.01)
"""
# Other processes that a child can see, and whether the file of a heartbeat is there.
LOOK = """
import os, pathlib
others = [p for p in os.listdir('/proc') if p.isdecimal() and int(p) != os.getpid()]
lines = [pathlib.Path(f'/proc/{p}/cmdline').read_bytes() for p in others]
print(sum(b'beat' in line for line in lines), os.path.exists('/tmp/alive'))
"""


async def run(box: Box, source: str, *, wall_s: float = 20.0) -> ChildReport:
    code = "import os, subprocess, sys, time\n" + HEARTBEAT + textwrap.dedent(source)
    return await box.run(ChildSpec(argv=("python3", "-c", code), cwd="", wall_s=wall_s))


async def nothing_is_left(box: Box) -> None:
    """A next child sees no process of the last one, and none of its files."""
    report = await box.run(ChildSpec(argv=("python3", "-c", LOOK), cwd=""))
    assert report.stdout == "0 False\n", report.stderr


async def test_a_command_out_of_time_runs_no_more(box: Box) -> None:
    report = await run(box, "beat()", wall_s=1.0)
    assert report.stopped == "wall"
    await nothing_is_left(box)


async def test_children_that_escaped_their_session_end_too(box: Box) -> None:
    report = await run(
        box,
        """
        print('before the end', flush=True)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                beat()
            os._exit(0)
        time.sleep(60)
        """,
        wall_s=1.0,
    )
    assert report.stopped == "wall"
    assert report.stdout == "before the end\n", "what it printed until then is kept"
    await nothing_is_left(box)


async def test_a_process_in_the_background_holds_nothing_up(box: Box) -> None:
    report = await run(
        box,
        """
        subprocess.Popen(['sleep', '1000'], start_new_session=True)
        print('done')
        """,
    )
    assert (report.stdout, report.exit_code, report.stopped) == ("done\n", 0, None)
    assert report.leftovers >= 1
    await nothing_is_left(box)


async def test_many_boxes_open_and_close_side_by_side(provider: Provider) -> None:
    small = Limits(
        memory=160 * MiB, pids=16, cpus=0.5, work_bytes=4 * MiB, work_inodes=100,
        tmp_bytes=4 * MiB, tmp_inodes=100, shm_bytes=4 * MiB, shm_inodes=50,
    )  # fmt: skip
    opened = await asyncio.gather(*(provider.open(boxes.spec(small)) for _ in range(12)))
    try:
        assert len({box.box_id for box in opened}) == 12
        assert {box.attestation.network for box in opened} == {"none"}
    finally:
        await asyncio.gather(*(box.close() for box in opened))
    assert await provider.clean(run_id="test") == []
