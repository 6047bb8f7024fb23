"""The test runners as children of a real box: what they report."""

from __future__ import annotations

from typing import Any

import pytest

from harness.sandbox.protocol import BoxSpec, ChildReport, ChildSpec, Provider
from tests.support import boxes
from tests.support.grading import LIMITS

PYTHON = {
    "pytest.ini": "[pytest]\naddopts = --collect-only\n",
    "helpers.py": "def one():\n    return 1\n",
    "json.py": "raise SystemExit('the tree must not shadow the standard library')\n",
    "tests/common.py": "TWO = 2\n",
    "tests/test_a.py": """\
import json
import unittest
import pytest
from common import TWO
from helpers import one

state = []

@pytest.fixture(scope="module", autouse=True)
def prepared():
    state.append("ready")

def test_passes():
    assert one() == 1 and state == ["ready"]

def test_fails():
    print("noise on stdout")
    assert one() == TWO, "x" * 10000

@pytest.mark.parametrize("n", [1, 2])
def test_each(n):
    assert n == 1

@pytest.mark.skip
def test_skipped():
    assert one() == 1

@pytest.mark.xfail
def test_expected_to_fail():
    assert one() == 2

@pytest.fixture
def broken():
    raise ValueError("setup")

def test_error(broken):
    assert one() == 1

def test_exits():
    raise SystemExit(0)

class OldStyle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ready = True

    def test_fixture(self):
        self.assertTrue(self.ready)

    def test_parts(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertEqual(n, 1)
""",
    "tests/test_syntax.py": "import broken_module\n",
    "broken_module.py": "def f(:\n",
    "tests/test_import.py": "import no_such_module\n",
}
NODE = {
    "package.json": '{"type": "module"}\n',
    "src/a.ts": "export const one: number = 1;\n",
    "src/broken.ts": "export const two: = 2;\n",
    "tests/a.test.ts": """\
import assert from "node:assert/strict";
import { before, describe, it, test } from "node:test";
import { one } from "../src/a.ts";
let ready = false;
before(() => { ready = true; });
test("passes", () => { assert.equal(one, 1); assert.ok(ready); });
test("fails", () => { console.log('TAP noise: ok 1 - fails'); assert.equal(one, 2); });
test("twice", () => {});
test("twice", () => { assert.fail(); });
describe("group", () => {
  it("passes", () => {});
  describe("inner", () => { it("passes", async () => {}); });
  it.skip("skipped", () => {});
  it.todo("to do");
});
test("todo that fails", { todo: true }, () => { assert.fail(); });
test("parent", async (t) => { await t.test("kid", () => { assert.fail(); }); });
""",
    "tests/b.test.ts": 'import { test } from "node:test";\ntest("passes", () => {});\n',
    "tests/c.test.ts": 'import "../src/broken.ts";\n',
    "tests/d.test.ts": 'import { three } from "../src/a.ts";\n',
}


async def run(
    provider: Provider, files: dict[str, str], program: str, **config: Any
) -> tuple[ChildReport, dict[str, str]]:
    spec = BoxSpec("test", "sample", "validate", LIMITS)
    box = await provider.open(spec)
    try:
        await box.put_tree("work", boxes.tree(files))
        child = ChildSpec(program=program, config={"folder": "tests", "path": ["."], **config})
        report = await box.run(child)
    finally:
        await box.close()
    tests = {line["id"]: line["outcome"] for line in report.results if line["type"] == "test"}
    return report, tests


def errors(report: ChildReport) -> dict[str, str]:
    return {line["path"]: line["kind"] for line in report.results if line["type"] == "error"}


async def test_python_outcomes(provider: Provider) -> None:
    report, tests = await run(provider, PYTHON, "run_pytest", message_chars=500)
    name = "tests/test_a.py::"
    assert tests == {
        f"{name}test_passes": "passed",
        f"{name}test_fails": "failed",
        f"{name}test_each[1]": "passed",
        f"{name}test_each[2]": "failed",
        f"{name}test_skipped": "skipped",
        f"{name}test_expected_to_fail": "skipped",
        f"{name}test_error": "error",
        f"{name}test_exits": "failed",
        f"{name}OldStyle::test_fixture": "passed",
        f"{name}OldStyle::test_parts": "failed",
    }
    assert errors(report) == {
        "tests/test_syntax.py": "syntax",
        "tests/test_import.py": "collection",
    }
    assert report.results[0]["type"] == "begin" and report.results[-1]["type"] == "end"
    assert report.results[-1]["machinery"] == []
    (message,) = [r["message"] for r in report.results if r.get("id") == f"{name}test_fails"]
    assert "characters cut" in message and len(message) < 600


@pytest.mark.parametrize("plain", [False, True])
async def test_brief_failures_have_the_same_outcomes(bubblewrap: Provider, plain: bool) -> None:
    _, expected = await run(bubblewrap, PYTHON, "run_pytest")
    report, tests = await run(bubblewrap, PYTHON, "run_pytest", brief=True, plain=plain)
    assert tests == expected and report.results[-1]["machinery"] == []
    said = {r["id"]: r["message"] for r in report.results if r["type"] == "test"}
    assert said["tests/test_a.py::test_error"].strip() == "ValueError: setup"
    told = said["tests/test_a.py::test_each[2]"].strip()
    assert told == "AssertionError" if plain else told.startswith("AssertionError: assert 2 == 1")


async def test_an_early_exit_leaves_no_end(provider: Provider) -> None:
    files = {
        "tests/test_a.py": "def test_a():\n    pass\ndef test_b():\n    import os; os._exit(0)\n"
    }
    report, tests = await run(provider, files, "run_pytest")
    assert report.exit_code == 0 and tests == {"tests/test_a.py::test_a": "passed"}
    assert "end" not in {line["type"] for line in report.results}


async def test_patched_machinery_is_named(provider: Provider) -> None:
    code = "import _pytest.runner as r\nr.call_and_report = lambda *a, **k: None\n"
    files = {"evil.py": code, "tests/test_a.py": "import evil\ndef test_a():\n    pass\n"}
    report, _ = await run(provider, files, "run_pytest")
    end = report.results[-1]
    assert end["type"] != "end" or "_pytest.runner.call_and_report" in end["machinery"]


async def test_another_order_runs_the_same_tests(bubblewrap: Provider) -> None:
    orders = set()
    for seed in (None, 1, 2, 3):
        _, tests = await run(bubblewrap, PYTHON, "run_pytest", order=seed)
        orders.add(tuple(tests))
    assert len(orders) > 1 and len({frozenset(order) for order in orders}) == 1


async def test_node_outcomes(provider: Provider) -> None:
    report, tests = await run(provider, NODE, "run_node")
    name = "tests/a.test.ts > "
    assert tests == {
        f"{name}passes": "passed",
        f"{name}fails": "failed",
        f"{name}twice": "passed",
        f"{name}twice #2": "failed",
        f"{name}group > passes": "passed",
        f"{name}group > inner > passes": "passed",
        f"{name}group > skipped": "skipped",
        f"{name}group > to do": "skipped",
        f"{name}todo that fails": "skipped",
        f"{name}parent": "failed",
        f"{name}parent > kid": "failed",
        "tests/b.test.ts > passes": "passed",
    }
    assert errors(report) == {"tests/c.test.ts": "syntax", "tests/d.test.ts": "collection"}
    assert report.results[-1]["type"] == "end"


async def test_a_node_exit_leaves_no_end(provider: Provider) -> None:
    files = {
        "package.json": '{"type": "module"}\n',
        "tests/a.test.ts": 'import { test } from "node:test";\ntest("a", () => process.exit(0));\n',
    }
    report, tests = await run(provider, files, "run_node")
    assert report.exit_code == 0 and tests == {}
    assert "end" not in {line["type"] for line in report.results}


async def test_the_least_child_says_that_it_ran(provider: Provider) -> None:
    report, _ = await run(provider, {"x": ""}, "run_alive")
    assert report.results == [{"type": "alive"}]
