"""What the pool sees to: values that cross, seeds, loaded machines, dying boxes, twins."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from harness.errors import SandboxLost
from harness.outcome import GradeStatus
from harness.sandbox.protocol import Box, BoxSpec, CandidateReport, CandidateSpec, MiB, Provider
from harness.suites.judging import CodeJob, CodeVerdict, ExecLimits
from harness.suites.pool import Pool
from tests.support.boxes import SMALL

LIMITS = ExecLimits(cpu_s=5.0, wall_s=30.0, memory=192 * MiB)


@pytest.fixture
async def pool(provider: Provider) -> AsyncIterator[Pool]:
    made = Pool(provider, 2, SMALL, run_id="test")
    yield made
    await made.close()


def job(source: str, checks: tuple[str, ...], **more: Any) -> CodeJob:
    fields: dict[str, Any] = {
        "kind": "mbpp",
        "suite": "mbpp",
        "task_id": "1",
        "sample": "1@1",
        "candidate": source,
        "checks": checks,
        "entry_point": "f",
        "names": ("f",),
        "limits": LIMITS,
        **more,
    }
    return CodeJob(**fields)


async def test_values_of_standard_types_compare_as_in_one_process(pool: Pool) -> None:
    cases = [
        ("Counter('aab')", "{'a': 2, 'b': 1}"),
        ("OrderedDict(a=1)", "{'a': 1}"),
        ("defaultdict(list, x=[1])", "{'x': [1]}"),
        ("deque([1, 2], maxlen=3)", "deque([1, 2])"),
        ("{1: (2, {3}), 'k': frozenset({4})}", "{1: (2, {3}), 'k': frozenset({4})}"),
        ("Decimal('1.10')", "Decimal('1.1')"),
        ("Fraction(2, 4)", "Fraction(1, 2)"),
        ("complex(1, -0.5)", "1 - 0.5j"),
        ("2 ** 20000", "1 << 20000"),
        ("b'\\x00'", "b'\\x00'"),
        ("date(2024, 2, 29)", "date(2024, 2, 29)"),
        ("'\\ud83d'", "'\\ud83d'"),
        ("range(3)", "range(0, 3)"),
        ("{'a': 1}.keys()", "{'a'}"),
        ("float('inf')", "math.inf"),
        ("namedtuple('P', 'x y')(1, 2)", "(1, 2)"),
        ("int", "int"),
        ("None", "None"),
        ("re.match('a+', 'aab').group()", "'aa'"),
    ]
    imports = (
        "import math, re\nfrom collections import *\nfrom datetime import date\n"
        "from decimal import Decimal\nfrom fractions import Fraction\n"
    )
    source = f"{imports}def f(n):\n    return [{', '.join(value for value, _ in cases)}][n]\n"
    checks = tuple(f"assert f({n}) == {right}" for n, (_, right) in enumerate(cases))
    verdict = await pool.judge(job(source, checks, setup=imports))
    assert verdict.grade_status is GradeStatus.OK, verdict
    assert verdict.checks_passed == len(cases)


async def test_lazy_values_objects_and_matches_can_be_used_but_not_believed(pool: Pool) -> None:
    source = (
        "import re\n"
        "class Pair:\n    def __init__(self, a): self.a = a\n"
        "def f(x):\n    return (i for i in range(x))\n"
        "def g(pairs):\n    return [p.a for p in pairs]\n"
        "def m(s):\n    return re.search('b+', s)\n"
        "class Yes:\n    def __eq__(self, o): return True\n    def __bool__(self): return True\n"
        "    def __len__(self): return 3\n    def __lt__(self, o): return True\n"
        "    def __hash__(self): return 0\n    def __contains__(self, o): return True\n"
        "def y(): return Yes()\n"
    )
    names = ("f", "g", "m", "y", "Pair", "root")
    use = (
        "assert list(f(3)) == [0, 1, 2]",
        "assert g([Pair(1), Pair(2)]) == [1, 2]",
        "assert m('abb').span() == (1, 3) and m('abb')",
        "assert m('x') is None",
        "assert g([root]) == [9]",
    )
    made = "root = Pair(9)\n"
    verdict = await pool.judge(job(source, use, names=names, candidate_setup=made))
    assert verdict.grade_status is GradeStatus.OK, verdict
    believed = ("assert y() == 3", "assert y()", "assert len(y()) == 3", "assert y() < 3",
                "assert not y() != 3", "assert 3 in y()", "assert y() in [1]")  # fmt: skip
    for check in believed:
        verdict = await pool.judge(job(source, (check,), names=names))
        assert verdict.grade_status is GradeStatus.WRONG_ANSWER, (check, verdict)
        assert verdict.failure is not None
        assert "Yes" in str(verdict.failure.error) or "no len" in str(verdict.failure.error)


async def test_changes_of_arguments_are_seen_by_the_test(pool: Pool) -> None:
    source = (
        "def f(a):\n    a.sort()\n    return a\n"
        "def d(x):\n    x['k'] = x.pop('j')\n"
        "def s(x):\n    x.add(3)\n"
    )
    setup = (
        "def check(candidate):\n    a = [3, 1, 2]\n    assert candidate(a) is a\n"
        "    assert a == [1, 2, 3]\n    x = {'j': [1]}\n    d(x)\n    assert x == {'k': [1]}\n"
        "    y = {1}\n    s(y)\n    assert y == {1, 3}\n"
    )
    made = job(source, ("check(candidate)",), setup=setup, names=("f", "d", "s"))
    verdict = await pool.judge(made)
    assert verdict.grade_status is GradeStatus.OK, verdict


async def test_failing_assertion_is_told_with_its_values(pool: Pool) -> None:
    setup = "def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(2) == 5\n"
    verdict = await pool.judge(
        job("def f(x):\n    return x + 1\n", ("check(candidate)",), setup=setup)
    )
    assert verdict.grade_status is GradeStatus.WRONG_ANSWER
    assert verdict.failure is not None
    assert verdict.failure.check == "assert candidate(2) == 5"
    assert (verdict.failure.got, verdict.failure.expected) == ("3", "5")


async def test_each_check_and_group_is_counted(pool: Pool) -> None:
    checks = tuple(f"assert f({n}) == {n}" for n in range(6))
    made = job(
        "def f(x):\n    return x if x < 4 else None\n",
        checks,
        groups=(("base", 3), ("plus", 3)),
    )
    verdict = await pool.judge(made)
    assert verdict.groups == {"base": (3, 3), "plus": (1, 3)}
    assert (verdict.checks_passed, verdict.checks_total) == (4, 6)
    assert verdict.failure is not None and verdict.failure.check == "assert f(4) == 4"


async def test_helper_of_the_prompt_is_the_judges_own(pool: Pool) -> None:
    """As HumanEval 38: the test calls a helper of the prompt, which an answer might replace."""
    helper = "def encode(s):\n    return s[::-1]\n"
    setup = helper + "def check(candidate):\n    assert candidate(encode('ab')) == 'ab'\n"
    replaced = "def encode(s):\n    return ''\ndef f(s):\n    return ''\n"
    verdict = await pool.judge(job(replaced, ("check(candidate)",), setup=setup))
    assert verdict.grade_status is GradeStatus.WRONG_ANSWER
    right = await pool.judge(
        job("def f(s):\n    return s[::-1]\n", ("check(candidate)",), setup=setup)
    )
    assert right.grade_status is GradeStatus.OK


async def test_entry_point_may_be_called_check_or_shadow_a_builtin(pool: Pool) -> None:
    for name in ("check", "sum", "test_it"):
        made = job(
            f"def {name}(x):\n    return x * 2\n",
            (f"assert {name}(2) == 4",),
            entry_point=name,
            names=(name,),
        )
        assert (await pool.judge(made)).grade_status is GradeStatus.OK


async def test_seed_makes_random_tests_and_answers_repeatable(pool: Pool) -> None:
    setup = "import random\nseen = []\n"
    checks = (
        "seen.append((random.random(), f()))",
        "seen.append((random.random(), f()))",
        "assert seen[0] == seen[1]",
        "assert seen[0] == 'shown'",
    )
    source = "import random\ndef f():\n    return random.random()\n"

    async def shown(seed: int) -> str | None:
        verdict = await pool.judge(job(source, checks, setup=setup, seed=seed))
        assert verdict.checks_passed == 3, verdict
        assert verdict.failure is not None
        return verdict.failure.got

    assert await shown(1) == await shown(1) != await shown(2)


async def test_order_of_sets_is_the_same_in_every_box(pool: Pool) -> None:
    source = "def f():\n    return list({'a', 'b', 'c', 'd', 'e', 'f'})\n"
    made = job(source, ("assert f() == 0",))
    verdicts = await asyncio.gather(*(pool.judge(made) for _ in range(6)))
    assert len({v.failure.got for v in verdicts if v.failure}) == 1


async def test_values_too_large_to_cross_are_compared_by_digest(pool: Pool) -> None:
    source = "def f(n):\n    return [(1, 2, 3)] * n\n"
    n = 700_000
    checks = (
        f"assert f({n}) == bounded([(1, 2, 3)] * {n})",
        f"assert f({n}) == bounded([(1, 2, 3)] * {n - 1} + [(1, 2, 4)])",
    )
    verdict = await pool.judge(job(source, checks))
    assert verdict.checks_passed == 1, verdict
    assert verdict.failure is not None and "sha256" in str(verdict.failure.got)


class Slow:
    """A provider whose boxes seem to meet a loaded machine on their first jobs."""

    def __init__(self, inner: Provider, faults: list[CandidateReport | Exception]) -> None:
        self.inner, self.faults = inner, faults
        self.opened = 0

    async def open(self, spec: BoxSpec) -> Box:
        self.opened += 1
        box = await self.inner.open(spec)
        real = box.candidate

        async def candidate(given: CandidateSpec) -> CandidateReport:
            if self.faults and "marked" in str(given.job["source"]):
                fault = self.faults.pop(0)
                if isinstance(fault, Exception):
                    raise fault
                return fault
            return await real(given)

        box.candidate = candidate  # type: ignore[method-assign]
        return box


MARKED = job("def f(x):  # marked\n    return x\n", ("assert f(1) == 1",))


def timed_out(cpu_s: float) -> CandidateReport:
    return CandidateReport("wall", -9, True, 0, 0, False, "", [], False, 0, 40.0, cpu_s, None)


async def test_timeout_on_a_loaded_machine_is_tried_again_alone(provider: Provider) -> None:
    slow = Slow(provider, [timed_out(cpu_s=3.0)])
    pool = Pool(slow, 2, SMALL, run_id="test")  # type: ignore[arg-type]
    try:
        verdict = await pool.judge(MARKED)
        assert verdict.grade_status is GradeStatus.OK
        assert verdict.flags == ("tried_again_alone",)
        slow.faults = [timed_out(cpu_s=39.0)]
        verdict = await pool.judge(MARKED)
        assert verdict.grade_status is GradeStatus.TIMEOUT, "it had its processor all along"
    finally:
        await pool.close()


async def test_sleeper_is_a_timeout_in_the_end(pool: Pool) -> None:
    limits = ExecLimits(cpu_s=2.0, wall_s=1.0)
    source = "import time\ndef f():\n    time.sleep(60)\n"
    began = time.monotonic()
    verdict = await pool.judge(job(source, ("assert f() is None",), limits=limits))
    assert verdict.grade_status is GradeStatus.TIMEOUT
    assert time.monotonic() - began < 40
    assert verdict.failure is not None and verdict.failure.check == "assert f() is None"


async def test_box_that_dies_once_is_a_fault_of_ours(provider: Provider) -> None:
    slow = Slow(provider, [SandboxLost("killed")])
    pool = Pool(slow, 1, SMALL, run_id="test")  # type: ignore[arg-type]
    try:
        assert (await pool.judge(MARKED)).grade_status is GradeStatus.OK
        assert slow.opened == 3, "the first, its replacement, the control"
        slow.faults = [SandboxLost("killed"), SandboxLost("killed again")]
        verdict = await pool.judge(MARKED)
        assert verdict.grade_status is GradeStatus.BOX_KILLED
        assert "killed again" in verdict.detail
    finally:
        await pool.close()


TESTS = """
import unittest
class CounterTestAdd(unittest.TestCase):
    def test_add(self):
        c = Counter()
        self.assertEqual(c.add(2), 2)
    def test_add_again(self):
        c = Counter()
        c.add(2)
        self.assertEqual(c.add(5), 7)
    def test_add_none(self):
        self.assertEqual(Counter().add(0), 0)
class CounterTestReset(unittest.TestCase):
    def test_reset(self):
        c = Counter()
        c.add(3)
        self.assertEqual(c.reset(), 0)
    def test_reset_twice(self):
        c = Counter()
        c.reset()
        self.assertEqual(c.add(4), 4)
"""
COUNTER = """
class Counter:
    def __init__(self): self.n = 0
    def add(self, n):
        self.n += n
        return self.n
    def reset(self):
        self.n = 0
        return 0
"""


def classes(source: str) -> CodeJob:
    return CodeJob(
        kind="classeval",
        suite="classeval",
        task_id="ClassEval_x",
        sample="x@1",
        candidate=source,
        setup=TESTS,
        checks=("CounterTestAdd", "CounterTestReset"),
        entry_point="Counter",
        limits=ExecLimits(cpu_s=20.0, wall_s=60.0),
    )


async def judged(pool: Pool, source: str) -> CodeVerdict:
    return await pool.judge(classes(source))


async def test_class_is_judged_by_its_test_classes(pool: Pool) -> None:
    verdict = await judged(pool, COUNTER)
    assert verdict.grade_status is GradeStatus.OK, verdict
    assert (verdict.checks_passed, verdict.checks_total) == (2, 2)
    assert {o.twin for o in verdict.outcomes} == {"failed"}
    half = await judged(pool, COUNTER.replace("self.n += n", "self.n = n"))
    assert half.grade_status is GradeStatus.WRONG_ANSWER
    assert (half.checks_passed, half.checks_total) == (1, 2)
    assert " of 5 test methods did not pass" in half.detail


TRICKS = {
    "passes_all": (
        "import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None\n" + COUNTER,
        "tampered",
    ),
    "equal_to_all": (
        "class Yes(int):\n    def __eq__(self, o): return True\n"
        "    def __ne__(self, o): return False\n"
        "class Counter:\n    def add(self, n): return Yes()\n    def reset(self): return Yes()\n",
        "tampered",
    ),
    "reports_itself": (
        "import json, os\n"
        + COUNTER
        + "for t in ('Add::test_add', 'Add::test_add_again', 'Add::test_add_none',"
        " 'Reset::test_reset', 'Reset::test_reset_twice'):\n"
        "    os.write(4, json.dumps({'type': 'test', 'id': 'CounterTest' + t, 'outcome': 'passed'})"
        ".encode() + b'\\n')\n"
        'os.write(4, b\'{"type": "end"}\\n\')\nos._exit(0)\n',
        "tampered",
    ),
    "leaves": ("import os\nos._exit(0)\n", "exited_early"),
    "syntax": ("class Counter\n", "syntax_error"),
    "raises": ("class Counter(Missing): pass\n", "wrong_answer"),
    "loops": ("while True: pass\n", "timeout"),
}


@pytest.mark.parametrize("name", list(TRICKS))
async def test_class_that_cheats_or_fails_is_told(pool: Pool, name: str) -> None:
    source, status = TRICKS[name]
    made = classes(source)
    if status == "timeout":
        made = CodeJob(**{**vars(made), "limits": ExecLimits(cpu_s=1.5, wall_s=30.0)})
    verdict = await pool.judge(made)
    assert verdict.grade_status.value == status, verdict


async def test_failed_test_leaves_no_files_for_the_next(pool: Pool) -> None:
    """Falsified tests stop before they clean up; the next test must not meet what they left."""
    tests = """
import os, unittest
class ATest(unittest.TestCase):
""" + "".join(
        f"""
    def test_{n}(self):
        os.mkdir('folder')
        open('folder/x', 'w').close()
        self.assertEqual(A().f({n}), {n + 10})
        os.unlink('folder/x')
        os.rmdir('folder')
"""
        for n in range(6)
    )
    made = CodeJob(
        **{
            **vars(classes("class A:\n    def f(self, n): return n + 10\n")),
            "setup": tests,
            "checks": ("ATest",),
        }
    )
    verdict = await pool.judge(made)
    assert verdict.grade_status is GradeStatus.OK, verdict


async def test_pool_leaves_no_box_and_takes_no_job_after_its_end(provider: Provider) -> None:
    pool = Pool(provider, 2, SMALL, run_id="pool-end")
    made = job("def f(x):\n    return x\n", ("assert f(1) == 1",))
    await asyncio.gather(*(pool.judge(made) for _ in range(8)))
    await pool.close()
    with pytest.raises(Exception, match="closed"):
        await pool.judge(made)
    assert await provider.clean(run_id="pool-end") == []
