"""The tree to grade: what of the agent's tree gets in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.grading.assemble import assemble, is_protected, leads_out
from harness.grading.globs import matches
from harness.tasks.task import Tree, TreeFile
from tests.support.grading import added, python_subject, tree


def built(changes: dict[str, str] | None = None, extra: Tree | None = None) -> Tree:
    subject = python_subject()
    agent = {**added(subject.start, changes or {}), **(extra or {})}
    return assemble(subject, agent, subject.hidden).tree


def test_changed_added_and_deleted_files_are_taken_over() -> None:
    subject = python_subject()
    agent = added(subject.start, {"shop/new.py": "x = 1\n", "shop/prices.py": "y = 2\n"})
    del agent["shop/__init__.py"]
    result = assemble(subject, agent, subject.hidden)
    assert result.tree["shop/new.py"].content == b"x = 1\n"
    assert result.tree["shop/prices.py"].content == b"y = 2\n"
    assert "shop/__init__.py" not in result.tree
    assert result.ignored == result.refused == ()


def test_binary_files_modes_links_and_empty_folders_are_kept() -> None:
    extra = {
        "data.bin": TreeFile(b"\0\xff\x80", 0o755),
        "alias.py": TreeFile(b"", 0o777, "shop/prices.py"),
        "empty/": TreeFile(b"", 0o755),
    }
    result = built(extra=extra)
    assert {path: result[path] for path in extra} == extra


@pytest.mark.parametrize(
    "path",
    [
        "conftest.py",
        "shop/conftest.py",
        "sitecustomize.py",
        "shop/x.pth",
        "x.dist-info/entry_points.txt",
        "pytest.ini",
        "tests/test_new.py",
        "tests/helpers/deep.py",
        "node_modules/assert/index.js",
        "package.json",
        "shop/__pycache__/prices.cpython-311.pyc",
    ],
)
def test_a_planted_file_is_left_out_and_named(path: str) -> None:
    subject = python_subject()
    result = assemble(subject, added(subject.start, {path: "planted"}), subject.hidden)
    assert path not in result.tree and result.ignored == (path,)


def test_a_protected_file_of_the_start_is_restored() -> None:
    subject = python_subject()
    original = tree({"setup.cfg": "[x]\n", "tests/data.json": "{}\n", "lock.txt": "1\n"})
    subject = replace(subject, start={**subject.start, **original}, protected=("*.txt",))
    agent = added(subject.start, {"setup.cfg": "[y]\n", "lock.txt": "2\n"})
    del agent["tests/data.json"]
    result = assemble(subject, agent, subject.hidden)
    assert {path: result.tree[path] for path in original} == original
    assert set(result.ignored) == set(original)


def test_a_hidden_test_takes_the_place_of_a_file_of_its_name() -> None:
    hidden = python_subject().hidden["tests/test_prices.py"]
    assert built({"tests/test_prices.py": "pass\n"})["tests/test_prices.py"] == hidden


@pytest.mark.parametrize("entry", [TreeFile(b"x"), TreeFile(b"", 0o777, "shop")])
def test_a_file_or_link_cannot_take_the_place_of_the_tests_folder(entry: TreeFile) -> None:
    result = built(extra={"tests": entry})
    assert "tests" not in result and "tests/test_prices.py" in result


@pytest.mark.parametrize(
    ("path", "target", "out"),
    [
        ("a", "/etc/passwd", True),
        ("a", "../x", True),
        ("d/a", "../../x", True),
        ("d/a", "../x", False),
        ("d/a", "b/../../c", False),
        ("a", "..", True),
        ("a", "d/../../x", True),
    ],
)
def test_links_out_of_the_tree_are_refused(path: str, target: str, out: bool) -> None:
    assert leads_out(path, target) is out
    subject = python_subject()
    link = {path: TreeFile(b"", 0o777, target)}
    result = assemble(subject, {**subject.start, **link}, subject.hidden)
    assert result.refused == ((path,) if out else ())
    assert (path in result.tree) is not out


@pytest.mark.parametrize(
    ("path", "glob", "hit"),
    [
        ("a/b.py", "*.py", False),
        ("b.py", "*.py", True),
        ("a/b.py", "**/*.py", True),
        ("b.py", "**/*.py", True),
        ("tests/a/b", "tests/**", True),
        ("tests", "tests/**", True),
        ("testsuite/a", "tests/**", False),
        ("a/b/c", "a/**/c", True),
        ("a/c", "a/**/c", True),
        ("a/bc", "a/b?", True),
        ("a.b", "aXb", False),
        ("locked/deep/file", "locked", True),
    ],
)
def test_globs(path: str, glob: str, hit: bool) -> None:
    assert matches(path, [glob]) is hit


def test_ordinary_sources_are_not_protected() -> None:
    subject = python_subject()
    assert not any(is_protected(p, subject) for p in ("shop/prices.py", "README.md", "src/a.ts"))
