"""What a project is, by looking at its tree: language, kind of tests, where they are."""

from __future__ import annotations

import ast
import json
import re
import shlex
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Literal

from harness.errors import UsageError
from harness.tasks.task import Language, Tree

Style = Literal["pytest", "unittest", "node"]

_FOLDERS = {"tests", "test", "testing", "__tests__", "spec"}
_PYTHON_TEST = re.compile(r"(test_[^/]*|[^/]*_test)\.py$")
_NODE_TEST = re.compile(r"\.(test|spec)\.[cm]?[tj]s$")
_OTHER_RUNNERS = ("vitest", "jest", "@jest/globals", "mocha", "ava", "bun:test", "chai")
_IMPORT = re.compile(r"""(?:from\s*|import\s*\(?\s*|require\s*\(\s*)['"]([^'"]+)['"]""")
# What a box has beside the standard library, as far as tests may need it.
_IN_THE_BOX = {"pytest", "_pytest", "pluggy", "packaging", "iniconfig", "typing_extensions"}
_DOCUMENTS = re.compile(
    r"(^|/)(docs?|\.github|\.circleci|changes|news|changelog\.d|examples?)/"
    r"|(^|/)(change(s|log)|history|authors|contributors|news|readme|licen[cs]e)\b[^/]*$"
    r"|\.(md|rst|txt|ya?ml|lock|cfg|ini)$|(^|/)(setup\.py|pyproject\.toml|package(-lock)?\.json)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Project:
    """folder: where its tests are ("" at the root); path: folders that packages are imported
    from; name ("" where it says none), summary, licence: as the project says."""

    language: Language
    style: Style
    folder: str
    path: tuple[str, ...]
    name: str
    summary: str
    licence: str

    @property
    def laid(self) -> str:
        """The folder that hidden tests are laid in."""
        return self.folder or "tests"

    def is_test(self, path: str) -> bool:
        """Whether a path belongs to the tests: all of their folder does, also its data."""
        if self.folder:
            return path.startswith(f"{self.folder}/")
        return "/" not in path and (_is_test(path) or path == "conftest.py")

    def is_code(self, path: str) -> bool:
        """Whether a change to ``path`` can be part of a defect."""
        return not self.is_test(path) and not is_document(path)


def look(tree: Tree, *, tests: str | None = None, command: str | None = None) -> Project:
    """The project in ``tree``. tests: its folder of tests; command: how its tests are run. Raises
    UsageError saying what is missing or not supported."""
    paths = [path for path in tree if not path.endswith("/")]
    found = [path for path in paths if _is_test(path)]
    folder = _named_folder(paths, tests, command)
    if folder is None:
        folder = _folder(found)
    inside = [path for path in found if path.startswith(f"{folder}/" if folder else "")]
    if not inside:
        raise UsageError(
            f"no tests are found in {folder or 'the project'}",
            remedy="name their folder with --tests; their files are test_*.py, *_test.py, "
            "*.test.ts or *.spec.ts",
        )
    language: Language = "python" if inside[0].endswith(".py") else "typescript"
    style = _python_style(tree, inside) if language == "python" else _node_style(tree, inside)
    made = Project(language, style, folder, (".",), *_about(tree))
    return replace(made, path=_import_path(tree, made)) if language == "python" else made


def is_document(path: str) -> bool:
    """Whether a path is no code: documents, change logs, packaging, settings of tools."""
    return _DOCUMENTS.search(path) is not None


def foreign_imports(tree: Tree, project: Project) -> dict[str, str]:
    """Packages that a Python project's files import at their top and a box lacks -> a file."""
    if project.language != "python":
        return {}
    roots = {
        path.removeprefix(f"{base}/").split("/")[0] for base in ("src", "lib") for path in tree
    }
    roots |= {path.split("/")[0] for path in tree}
    own = {root.removesuffix(".py") for root in roots}
    own |= {path.rsplit("/", 1)[-1].removesuffix(".py") for path in tree if project.is_test(path)}
    found: dict[str, str] = {}
    for path, file in tree.items():
        if not path.endswith(".py") or is_document(path):
            continue
        for name in _top_imports(file.content):
            if name not in sys.stdlib_module_names and name not in own | _IN_THE_BOX:
                found.setdefault(name, path)
    return found


def _top_imports(source: bytes) -> set[str]:
    """Top names of the modules imported by statements at a module's own level."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return set()
    names: set[str] = set()
    for node in body:
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def _is_test(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return bool(_PYTHON_TEST.match(name) or _NODE_TEST.search(name))


def _named_folder(paths: list[str], tests: str | None, command: str | None) -> str | None:
    """The folder that an option names, or the first argument of the test command that is one."""
    folders = {path.rsplit("/", 1)[0] for path in paths if "/" in path}
    folders |= {"/".join(f.split("/")[:n]) for f in folders for n in range(1, f.count("/") + 1)}
    if tests is not None:
        folder = tests.strip("/").removeprefix("./")
        if folder in ("", "."):
            return ""
        if folder not in folders:
            raise UsageError(f"--tests: the project has no folder {folder!r}")
        return folder
    try:
        words = shlex.split(command or "")
    except ValueError as error:
        raise UsageError(f"--test-command cannot be read: {error}") from None
    for word in words:
        name = word.split("::")[0].strip("/").removeprefix("./")
        if name in folders:
            return name
        if name in paths:
            return name.rsplit("/", 1)[0] if "/" in name else ""
    return None


def _folder(found: list[str]) -> str:
    """The folder of tests with the most test files; at equal numbers the outermost."""
    counts: Counter[str] = Counter()
    for path in found:
        parts = path.split("/")[:-1]
        at = next((n for n, part in enumerate(parts) if part.lower() in _FOLDERS), None)
        counts["/".join(parts if at is None else parts[: at + 1])] += 1
    return min(counts, key=lambda name: (-counts[name], name.count("/"), name), default="")


def _python_style(tree: Tree, found: list[str]) -> Style:
    for path in found:
        text = tree[path].content
        if b"pytest" in text or re.search(rb"^(async )?def test", text, re.MULTILINE):
            return "pytest"
    return "unittest"


def _node_style(tree: Tree, found: list[str]) -> Style:
    for path in found:
        text = tree[path].content.decode("utf-8", "replace")
        imported = set(_IMPORT.findall(text))
        other = next((name for name in _OTHER_RUNNERS if name in imported), None)
        if other is not None:
            raise UsageError(
                f"the tests are written for {other}; a box has Node's own runner",
                where=path,
                remedy="tests have to use node:test and node:assert",
            )
    return "node"


def _import_path(tree: Tree, project: Project) -> tuple[str, ...]:
    """``src`` or ``lib`` where the packages lie there and not at the root."""
    for base in ("src", "lib"):
        inside = [path for path in tree if path.startswith(f"{base}/") and path.endswith(".py")]
        if any(path.count("/") <= 2 for path in inside) and f"{base}/__init__.py" not in tree:
            return (base, ".")
    return (".",)


def _about(tree: Tree) -> tuple[str, str, str]:
    """Name, summary and licence, as pyproject.toml or package.json says; without a summary the
    first title of the README."""
    about = _manifest(tree)
    licence = about.get("license")
    if isinstance(licence, dict):
        licence = licence.get("text")
    summary = about.get("description")
    readme = next((path for path in tree if re.match(r"readme\b", path, re.IGNORECASE)), None)
    if not isinstance(summary, str) and readme is not None:
        lines = tree[readme].content.decode("utf-8", "replace").splitlines()
        summary = next((line.strip("#=- ") for line in lines if line.strip("#=- ")), None)
    name = about.get("name")
    return (
        name if isinstance(name, str) else "",
        " ".join(str(summary or "A project of its own").split())[:200],
        licence if isinstance(licence, str) and 0 < len(licence) < 80 else "see the project",
    )


def _manifest(tree: Tree) -> dict[str, Any]:
    try:
        if "pyproject.toml" in tree:
            read = tomllib.loads(tree["pyproject.toml"].content.decode("utf-8", "replace"))
            return dict(read.get("project") or read.get("tool", {}).get("poetry") or {})
        if "package.json" in tree:
            return dict(json.loads(tree["package.json"].content))
    except (ValueError, TypeError, AttributeError):  # a manifest that is wrong says nothing
        pass
    return {}
