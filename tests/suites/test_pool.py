"""The pool judges hostile and odd answers rightly, in every kind of box, and tells causes apart.

The task is HumanEval-like: ``strlen``. What an answer does besides being right is no reason to
fail it, and no trick makes a wrong one pass.
"""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from harness.outcome import GradeStatus
from harness.sandbox.protocol import MiB
from harness.suites.judging import CodeJob, CodeVerdict, ExecLimits
from harness.suites.pool import MOST_CODE, Pool
from tests.support import boxes

LIMITS = ExecLimits(cpu_s=1.5, wall_s=8.0, memory=192 * MiB)
CHECKS = """
def check(candidate):
    assert candidate('') == 0
    assert candidate('x') == 1
    assert candidate('asdasnakj') == 9
"""
RIGHT = "def strlen(string):\n    return len(string)\n"


# One pool of each kind for all tests: what one answer leaves behind would be the next one's.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["docker", "bubblewrap"])
async def pool(request: pytest.FixtureRequest) -> AsyncIterator[Pool]:
    provider = await boxes.require(request.param)
    made = Pool(provider, 2, boxes.SMALL, run_id="test")
    yield made
    await made.close()
    await provider.close()


def job(code: str, **more: object) -> CodeJob:
    fields: dict[str, object] = {
        "kind": "humaneval",
        "suite": "humaneval",
        "task_id": "HumanEval/23",
        "sample": "HumanEval/23@1",
        "candidate": textwrap.dedent(code),
        "setup": CHECKS,
        "checks": ("check(candidate)",),
        "entry_point": "strlen",
        "names": ("strlen",),
        "limits": LIMITS,
        **more,
    }
    return CodeJob(**fields)  # type: ignore[arg-type]


async def judge(pool: Pool, code: str, **more: object) -> CodeVerdict:
    return await asyncio.wait_for(pool.judge(job(code, **more)), 90)


async def assert_as_new(pool: Pool) -> None:
    """The next candidate finds nothing of the last one, and a right answer still passes."""
    verdict = await judge(
        pool,
        """
        import os
        def strlen(string):
            left = os.listdir('.') + os.listdir('/dev/shm') + os.listdir('/tmp')
            assert not left, left
            others = [p for p in os.listdir('/proc') if p.isdigit()]
            mine = [p for p in others if os.stat('/proc/' + p).st_uid == os.getuid()
                    and int(p) not in (1, os.getpid())]
            assert not mine, mine
            return len(string)
        """,
    )
    assert verdict.grade_status is GradeStatus.OK, verdict


def body(text: str) -> str:
    """An answer whose function does ``text`` and is wrong otherwise."""
    return "import os, sys, time\ndef strlen(string):\n" + textwrap.indent(
        textwrap.dedent(text).strip() + "\n", "    "
    )


WRONG = {
    "wrong": (body("return 1"), "wrong_answer"),
    "nothing": (body("pass"), "wrong_answer"),
    "no_such_function": ("def other(string):\n    return len(string)\n", "wrong_answer"),
    "raises": (body("raise ValueError('no')"), "wrong_answer"),
    "raises_at_import": ("1 / 0\n" + RIGHT, "wrong_answer"),
    "recursion": (body("return strlen(string)"), "wrong_answer"),
    "not_python": ("def strlen(string)\n    return len(string)\n", "syntax_error"),
    "null_byte": ("def strlen(string):\n    return '\0'\n", "syntax_error"),
    "sys_exit": (body("sys.exit(0)"), "exited_early"),
    "system_exit": (body("raise SystemExit(0)"), "exited_early"),
    "quit": (body("import site; site.setquit(); quit()"), "exited_early"),
    "exit_at_import": ("import sys\nsys.exit(0)\n" + RIGHT, "exited_early"),
    "os_exit": (body("os._exit(0)"), "exited_early"),
    "os_exit_at_import": ("import os\nos._exit(0)\n" + RIGHT, "exited_early"),
    "atexit": (
        "import atexit, os\natexit.register(os._exit, 0)\ndef strlen(string):\n    return 1\n",
        "wrong_answer",
    ),
    "excepthook": (
        "import sys, os\nsys.excepthook = lambda *a: os._exit(0)\n"
        "def strlen(string):\n    return 1\n",
        "wrong_answer",
    ),
    "equal_to_all": (
        "class Yes:\n    def __eq__(self, other):\n        return True\n"
        "def strlen(string):\n    return Yes()\n",
        "wrong_answer",
    ),
    "int_equal_to_all": (
        "class Yes(int):\n    def __eq__(self, other):\n        return True\n"
        "    def __ne__(self, other):\n        return False\n"
        "def strlen(string):\n    return Yes(7)\n",
        "wrong_answer",
    ),
    "lies_about_its_class": (
        "class Yes:\n    __class__ = int\n    def __eq__(self, other):\n        return True\n"
        "    def __hash__(self):\n        return 0\n"
        "def strlen(string):\n    return Yes()\n",
        "wrong_answer",
    ),
    "loop": (body("while True: pass"), "timeout"),
    "loop_swallowing": (
        body("while True:\n    try:\n        while True: pass\n    except BaseException: pass"),
        "timeout",
    ),
    "power": (body("return 10 ** 10 ** 8"), "timeout"),
    "regex": (body("import re; return re.match('(a+)+$', 'a' * 40 + 'b')"), "timeout"),
    "sleep": (body("time.sleep(1000)"), "timeout"),
    "disarms_timer": (
        body(
            "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\n"
            "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
        ),
        "timeout",
    ),
    "loop_at_import": ("while True:\n    pass\n" + RIGHT, "timeout"),
    "input": (body("return int(input())"), "wrong_answer"),
    "memory": (body("return len(bytearray(8 << 30))"), "out_of_memory"),
    "memory_slowly": (body("a = []\nwhile True: a.append(bytearray(1 << 20))"), "out_of_memory"),
    "shared_memory": (
        body(
            "import mmap\nm = []\nwhile True:\n    m.append(mmap.mmap(-1, 8 << 20))\n"
            "    m[-1].write(b'x' * (8 << 20))"
        ),
        "out_of_memory",
    ),
    "floods": (body("while True: os.write(1, b'x' * 65536)"), "output_flood"),
    "segfault": (body("import ctypes; ctypes.string_at(0)"), "crashed"),
    "abort": (body("os.abort()"), "crashed"),
    "kills_itself": (body("os.kill(os.getpid(), 9)"), "crashed"),
    "disk": (
        body("with open('big', 'wb', buffering=0) as f:\n    while True: f.write(b'x' * 65536)"),
        "disk_full",
    ),
    "inodes": (body("for n in range(10 ** 6): open(f'f{n}', 'w').close()"), "disk_full"),
    # so many processes together have more than the box's memory, too
    "forks": (body("while True: os.fork()"), "pids_exhausted out_of_memory"),
    "threads": (
        body(
            "import threading\nwhile True: threading.Thread(target=time.sleep, args=(9,)).start()"
        ),
        "pids_exhausted",
    ),
    "deletes_its_folder": (
        body("import shutil; shutil.rmtree(os.getcwd()); return 1"),
        "wrong_answer",
    ),
    "forges_an_answer": (
        body("os.write(5, b'\\x00\\x00\\x00\\x0b[1000,\"end\"]')\nreturn 1"),
        "tampered",
    ),
    "speaks_gibberish": (body("os.write(5, b'\\x00\\x00\\x00\\x02{}')\nreturn 1"), "tampered"),
    "huge_frame": (body("os.write(5, b'\\xff\\xff\\xff\\xff')\ntime.sleep(30)"), "tampered"),
    "closes_its_link": (body("os.close(5)\ntime.sleep(30)"), "crashed"),
    "deep_value": (
        body("a = []\nfor _ in range(10 ** 5): a = [a]\nreturn a"),
        "wrong_answer",
    ),
    "wide_text": (body("return '\\ud83d' * (12 << 20)"), "wrong_answer"),
    "no_room_to_hand_over": (body("return '\\ud83d' * (24 << 20)"), "out_of_memory"),
    "reads_callers": (
        body(
            "f = sys._getframe()\nwhile f:\n    for v in f.f_locals.values():\n"
            "        if isinstance(v, int) and v == len(string): pass\n    f = f.f_back\n"
            "import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == 'code': pass\n"
            "return 1"
        ),
        "wrong_answer",
    ),
}

RIGHT_ALL_THE_SAME = {
    "plain": RIGHT,
    "prints": body("print('x' * 1000)\nreturn len(string)"),
    "prints_200_mb": body("for _ in range(70): os.write(1, b'x' * (1 << 20))\nreturn len(string)"),
    "surrogate": body(r"print('\ud83d')" + "\nreturn len(string)"),
    "thread": "import threading, time\n"
    "threading.Thread(target=time.sleep, args=(600,)).start()\n" + RIGHT,
    "child": "import subprocess\nsubprocess.Popen(['sleep', '600'])\n" + RIGHT,
    "daemon": body(
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(600)\n"
        "    os._exit(0)\nreturn len(string)"
    ),
    "forks": body("os.fork()\nreturn len(string)"),
    "writes_files": body(
        "open('a', 'w').write('x'); open('/dev/shm/b', 'w').write('x')\n"
        "open('/tmp/c', 'w').write('x')\nreturn len(string)"
    ),
    "sysv": body(
        "import ctypes\nl = ctypes.CDLL(None)\nl.shmget(7, 4096, 0o1666)\n"
        "l.msgget(7, 0o1666)\nl.semget(7, 1, 0o1666)\nreturn len(string)"
    ),
    "ignores_signals": body(
        "import signal\nfor n in range(1, 32):\n    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except OSError: pass\nreturn len(string)"
    ),
    "closes_output": "import os\nos.close(1)\nos.close(2)\n" + RIGHT,
    "named_main": RIGHT + "if __name__ == '__main__':\n    input()\n",
    "int_enum": "import enum\nclass N(enum.IntEnum):\n    A = 0\n    B = 1\n    C = 9\n"
    "def strlen(string):\n    return N(len(string))\n",
    "attacks_its_neighbours": body(
        """
        import signal
        for pid in [int(p) for p in os.listdir('/proc') if p.isdigit()]:
            if pid == os.getpid(): continue
            for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
                try:
                    os.kill(pid, number)
                    # the init of its own namespace only: the kernel drops what is sent to it
                    assert pid == 1 and os.path.exists('/proc/1'), (pid, number)
                except OSError: pass
            for name in ('mem', 'environ', 'maps'):
                try:
                    open(f'/proc/{pid}/{name}', 'rb').read(1); raise AssertionError((pid, name))
                except OSError: pass
        return len(string)
        """
    ),
}


@pytest.mark.parametrize("name", list(WRONG))
async def test_wrong_answer_fails_for_its_own_reason(pool: Pool, name: str) -> None:
    code, status = WRONG[name]
    verdict = await judge(pool, code)
    assert verdict.grade_status.value in status.split(), verdict
    await assert_as_new(pool)


@pytest.mark.parametrize("name", list(RIGHT_ALL_THE_SAME))
async def test_right_answer_passes_whatever_else_it_does(pool: Pool, name: str) -> None:
    verdict = await judge(pool, RIGHT_ALL_THE_SAME[name])
    assert verdict.grade_status is GradeStatus.OK, verdict
    assert verdict.checks_passed == verdict.checks_total == 1
    assert verdict.attestation.network == "none"
    await assert_as_new(pool)


@pytest.mark.parametrize("filler", ["x", "\x01", "é", "\U0001f642", "\ud83d"])
async def test_code_is_judged_up_to_its_limit_and_refused_beyond_it(
    pool: Pool, filler: str
) -> None:
    size = len(filler.encode("utf-8", "surrogatepass"))
    room = MOST_CODE - len(RIGHT) - 4
    largest = RIGHT + "#" + filler * (room // size)
    verdict = await judge(pool, largest, limits=replace(LIMITS, cpu_s=10.0))
    # the longest goes through; whether Python takes it (a lone surrogate, say) is its own matter
    expected = ("syntax_error",) if filler == "\ud83d" else ("ok", "out_of_memory")
    assert verdict.grade_status.value in expected, verdict
    verdict = await judge(pool, largest + filler * 8)
    assert verdict.grade_status is GradeStatus.WRONG_ANSWER
    assert f"at most {MOST_CODE:,} are run" in verdict.detail
    assert (verdict.checks_passed, verdict.checks_total) == (0, 1)


async def test_a_test_whose_value_cannot_cross_says_so(pool: Pool) -> None:
    setup = "def check(candidate):\n    assert candidate('\\ud83d' * (12 << 20)) == 1\n"
    verdict = await judge(pool, RIGHT, setup=setup, limits=replace(LIMITS, cpu_s=10.0))
    assert verdict.grade_status is GradeStatus.WRONG_ANSWER
    assert verdict.failure is not None
    assert "more than 64 MiB" in str(verdict.failure.error)
