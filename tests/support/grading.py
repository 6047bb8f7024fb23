"""Small repositories for tests of grading, as folders and as subjects."""

from __future__ import annotations

import difflib
from dataclasses import replace
from pathlib import Path

from harness.grading.boxes import Place
from harness.grading.subject import Subject
from harness.sandbox.protocol import Limits, MiB, Provider
from harness.tasks.task import TestSettings, Tree, TreeFile
from harness.tasks.trees import write_folder

LIMITS = Limits(memory=1024 * MiB, pids=128)

_PY_GOLD = {
    "shop/__init__.py": "",
    "shop/prices.py": '''\
"""Prices in cents."""


class PriceError(Exception):
    """A price that cannot be."""


def total(prices, discount=0):
    """Sum of prices less a discount in percent, rounded down."""
    if discount < 0:
        raise PriceError("negative discount")
    return sum(prices) * (100 - discount) // 100


def label(name, cents):
    """Text on the shelf."""
    return f"{name}: {cents // 100}.{cents % 100:02d}"
''',
}
_PY_TESTS = {
    "tests/test_prices.py": """\
import unittest

import pytest

from shop.prices import PriceError, label, total


def test_sum():
    assert total([100, 250]) == 350


def test_discount():
    assert total([100, 250], 10) == 315


def test_full_discount():
    assert total([500], 100) == 0


def test_negative_discount():
    with pytest.raises(PriceError):
        total([100], -1)


def test_label():
    assert label("tea", 305) == "tea: 3.05"


class LabelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cents = 1250

    def test_two_digits(self):
        self.assertEqual(label("rice", self.cents), "rice: 12.50")

    def test_contains_name(self):
        self.assertIn("salt", label("salt", 99))
""",
}
_TS_GOLD = {
    "package.json": '{"type": "module"}\n',
    "src/prices.ts": """\
export class PriceError extends Error {}

export function total(prices: number[], discount = 0): number {
  if (discount < 0) throw new PriceError("negative discount");
  const sum = prices.reduce((a, b) => a + b, 0);
  return Math.floor((sum * (100 - discount)) / 100);
}

export function label(name: string, cents: number): string {
  return `${name}: ${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
""",
}
_TS_TESTS = {
    "tests/prices.test.ts": """\
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PriceError, label, total } from "../src/prices.ts";

describe("total", () => {
  test("sum", () => {
    assert.equal(total([100, 250]), 350);
  });
  test("discount", () => {
    assert.equal(total([100, 250], 10), 315);
  });
  test("negative", () => {
    assert.throws(() => total([100], -1), PriceError);
  });
});

test("label", () => {
  assert.equal(label("tea", 305), "tea: 3.05");
});
test("label of two digits", () => {
  assert.deepEqual([label("rice", 1250)], ["rice: 12.50"]);
});
""",
}
PY_BUG = ("(100 - discount) // 100", "100 // 100")
TS_BUG = ("(100 - discount)) / 100", "100) / 100")


def tree(files: dict[str, str]) -> Tree:
    """Files as a tree."""
    return {path: TreeFile(text.encode()) for path, text in sorted(files.items())}


def changed(base: Tree, path: str, old: str, new: str) -> Tree:
    """``base`` with a text replaced in one file."""
    text = base[path].content.decode()
    assert old in text
    return {**base, path: TreeFile(text.replace(old, new).encode())}


def added(base: Tree, files: dict[str, str]) -> Tree:
    """``base`` with files added or replaced."""
    return {**base, **tree(files)}


def appended(base: Tree, path: str, code: str) -> Tree:
    """``base`` with lines at the end of a file."""
    return {**base, path: TreeFile(base[path].content + b"\n" + code.encode())}


def python_subject() -> Subject:
    """A Python task with pytest and unittest tests, two of which decide."""
    gold = tree(_PY_GOLD)
    file = "tests/test_prices.py::"
    return Subject(
        id="shop-discount",
        language="python",
        tests=TestSettings(style="pytest", timeout_s=20),
        start=changed(gold, "shop/prices.py", *PY_BUG),
        hidden=tree(_PY_TESTS),
        gold=gold,
        fail_to_pass=(f"{file}test_discount", f"{file}test_full_discount"),
        pass_to_pass=(
            f"{file}test_sum",
            f"{file}test_negative_discount",
            f"{file}test_label",
            f"{file}LabelTest::test_two_digits",
            f"{file}LabelTest::test_contains_name",
        ),
    )


def node_subject() -> Subject:
    """A TypeScript task, one test of which decides."""
    gold = tree(_TS_GOLD)
    file = "tests/prices.test.ts > "
    return Subject(
        id="shop-discount-ts",
        language="typescript",
        tests=TestSettings(style="node", timeout_s=20),
        start=changed(gold, "src/prices.ts", *TS_BUG),
        hidden=tree(_TS_TESTS),
        gold=gold,
        fail_to_pass=(f"{file}total > discount",),
        pass_to_pass=(
            f"{file}total > sum",
            f"{file}total > negative",
            f"{file}label",
            f"{file}label of two digits",
        ),
    )


def short(subject: Subject, timeout_s: float) -> Subject:
    """``subject`` with another limit for its tests."""
    return replace(subject, tests=subject.tests.model_copy(update={"timeout_s": timeout_s}))


def place(provider: Provider) -> Place:
    """Boxes of a test."""
    return Place(provider, LIMITS, "test-grading", "sample@1")


def write_repository(root: Path, language: str = "python", *, name: str = "shop") -> Path:
    """A repository with one task ``<name>-discount`` in the format of ``repos/``."""
    subject = python_subject() if language == "python" else node_subject()
    folder = root / name
    write_folder(subject.gold, folder / "gold")
    write_folder(
        {p.removeprefix("tests/"): f for p, f in subject.hidden.items()}, folder / "hidden"
    )
    (folder / "repo.toml").write_text(
        f'schema_version = 1\nname = "{name}"\nlanguage = "{language}"\n'
        'summary = "Prices in a shop"\nlicence = "Apache-2.0"\n\n[tests]\n'
        f'style = "{subject.tests.style}"\ntimeout_s = 20\n'
    )
    task = folder / "tasks" / f"{name}-discount"
    task.mkdir(parents=True)
    (task / "task.toml").write_text(
        f'schema_version = 1\nid = "{name}-discount"\ncategory = "logic"\ndifficulty = 1\n'
        'instruction = "The discount is not taken off the total."\n'
    )
    path = "shop/prices.py" if language == "python" else "src/prices.ts"
    before = subject.gold[path].content.decode().splitlines(keepends=True)
    after = subject.start[path].content.decode().splitlines(keepends=True)
    patch = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}")
    (task / "start.patch").write_text("".join(patch))
    return folder
