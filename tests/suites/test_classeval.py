"""ClassEval: classes and methods put together, and the mendings of its variant."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest

from harness.errors import ConfigError, UsageError
from harness.suites.classeval import ClassEvalSuite, class_task, method_task
from harness.suites.classeval_methods import method_in, with_method
from harness.suites.classeval_repairs import REPAIRS, repaired
from harness.suites.data.rows import ClassEvalRow, MethodInfo
from harness.suites.extract.pytext import defines, parse
from harness.suites.judging import CodeJob
from harness.suites.protocol import SuiteOptions
from tests.support.classic_data import real_data

SOLUTION = """import math

class Cup:
    def __init__(self):
        self.full = 0

    def fill(self, x):
        self.full += math.floor(x)
        return self.full

    @staticmethod
    def twice(x):
        return 2 * x
"""
TEST = """import unittest

class CupTestFill(unittest.TestCase):
    def test_fill(self):
        self.assertEqual(Cup().fill(2.5), 2)

class CupTestTwice(unittest.TestCase):
    def test_twice(self):
        self.assertEqual(Cup.twice(2), 4)
"""
METHODS = (
    MethodInfo("fill", "def fill(self, x):", "", "CupTestFill"),
    MethodInfo("twice", "def twice(x):", "", "CupTestTwice"),
)
ROW = ClassEvalRow(
    id="ClassEval_1",
    class_name="Cup",
    skeleton="class Cup:\n    def fill(self, x):\n        pass\n",
    solution=SOLUTION,
    imports=("import math",),
    test=TEST,
    test_classes=("CupTestFill", "CupTestTwice"),
    methods=METHODS,
)


def passes(job: CodeJob) -> bool:
    """Whether all of a job's test classes pass, as a person would try it."""
    names = " or ".join(job.checks)
    run = f"{job.module}\n{job.setup}\nunittest.main(argv=['x', *{names.split(' or ')!r}])\n"
    done = subprocess.run(
        [sys.executable, "-I", "-"], input=run.encode(), capture_output=True, timeout=60
    )
    return done.returncode == 0


def test_class_level_reference_passes_and_the_control_fails() -> None:
    suite = ClassEvalSuite()
    task = class_task(ROW, "", suite.protocols[0])
    results = [
        passes(suite.job(task, suite.read(task, reply, suite.protocols[0]), "s", 0))
        for reply in (task.gold_reply, task.wrong_reply)
    ]
    assert results == [True, False]


def test_missing_imports_of_a_class_are_replayed() -> None:
    suite = ClassEvalSuite()
    task = class_task(ROW, "", suite.protocols[0])
    reply = f"```python\n{SOLUTION.removeprefix('import math')}\n```"
    assert passes(suite.job(task, suite.read(task, reply, suite.protocols[0]), "s", 0))


@pytest.mark.parametrize(
    ("method", "reply", "right"),
    [
        (0, "```python\ndef fill(self, x):\n    return int(x)\n```", True),
        (0, "    def fill(self, x):\n        return int(x)\n", True),
        (0, "```python\nclass Cup:\n    def fill(self, x):\n        return int(x)\n```", True),
        (0, "```python\nimport math as m\ndef fill(self, x):\n    return m.trunc(x)\n```", True),
        (0, "```python\ndef fill(self, x):\n    return x\n```", False),
        (1, "```python\n@staticmethod\ndef twice(x):\n    return x + x\n```", True),
        (1, "```python\n@staticmethod\ndef twice(x):\n    return x\n```", False),
    ],
)
def test_one_method_in_the_reference_class(method: int, reply: str, right: bool) -> None:
    suite = ClassEvalSuite()
    protocol = suite.protocols[1]
    task = method_task(ROW, "", METHODS[method], protocol)
    job = suite.job(task, suite.read(task, reply, protocol), "s", 0)
    assert job.checks == (METHODS[method].test_class,)
    assert passes(job) is right


def test_a_method_is_found_with_its_decorators() -> None:
    found = method_in(SOLUTION, "Cup", "twice")
    assert found == "@staticmethod\ndef twice(x):\n    return 2 * x"
    assert method_in(SOLUTION, "Cup", "spill") is None
    assert method_in("not python (", "Cup", "fill") is None
    assert parse(with_method(ROW, METHODS[1], found)) is not None


def test_a_mending_for_other_data_is_refused() -> None:
    other = replace(ROW, id="ClassEval_48")
    with pytest.raises(ConfigError, match=r"ClassEval_48 is not as published.*--variant official"):
        repaired(other)
    assert repaired(ROW) == (ROW, "")
    with pytest.raises(UsageError, match="no variant 'better'"):
        ClassEvalSuite().plan(SuiteOptions(variant="better"))


def test_mendings_fit_the_real_data_and_are_told() -> None:
    data = real_data()
    plans = {
        variant: ClassEvalSuite().plan(SuiteOptions(data=data, variant=variant))
        for variant in ("repaired", "official")
    }
    digests = [{t.id: t.digest for t in plan.tasks} for plan in plans.values()]
    changed = {i for i in digests[0] if digests[0][i] != digests[1][i]}
    assert changed == {repair.task for repair in REPAIRS}
    assert plans["official"].split == "test, official[100]"
    told = ClassEvalSuite().describe()["source"]["repairs"]
    assert told.keys() == changed and all(told.values())


def test_real_methods_are_all_found_and_put_back() -> None:
    suite = ClassEvalSuite()
    plan = suite.plan(SuiteOptions(data=real_data(), protocol="method"))
    assert len({ref.id for ref in plan.tasks}) == 410
    for ref in plan.tasks:
        task = suite.task(ref.id)
        job = suite.job(task, suite.read(task, task.gold_reply, suite.protocol), "s", 0)
        assert parse(job.module) is not None, ref.id


@pytest.mark.parametrize(("model", "classes"), [("GPT-4-Turbo", 99), ("GPT-3.5-Turbo", 97)])
def test_real_replies_give_the_class_wherever_they_have_one(model: str, classes: int) -> None:
    data = real_data()
    suite = ClassEvalSuite()
    suite.plan(SuiteOptions(data=data))
    path = data / "outputs/classeval" / f"{model}_class_H_greedy.predict.jsonl.gz"
    found: Counter[bool] = Counter()
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        record = json.loads(line)
        task = suite.task(record["task_id"])
        answer = suite.read(task, record["predict"][0], suite.protocol)
        name = task.row[0].class_name
        found[bool(answer.value and defines(answer.value, name) and parse(answer.value))] += 1
    # the rest (71 of the one; 19, 30, 72 of the other) hold loose methods or no code
    assert found[True] == classes
