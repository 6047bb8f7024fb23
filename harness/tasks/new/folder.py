"""Writing a drafted task as a repository of the shape that runs take."""

from __future__ import annotations

import itertools
import re
import shutil
import unicodedata
from pathlib import Path

from harness.errors import ConfigError, UsageError
from harness.grading.snapshot import unified_diff
from harness.tasks.new.draft import Draft
from harness.tasks.new.examine import Findings
from harness.tasks.repository import read_repository
from harness.tasks.room import require_writable
from harness.tasks.task import Repository, Tree
from harness.tasks.trees import tree_digest, write_folder

_PROTECTED = {
    "python": (
        "conftest.py", "**/conftest.py", "sitecustomize.py", "usercustomize.py", "pyproject.toml",
        "setup.cfg", "setup.py", "tox.ini", "pytest.ini", ".pytest.ini",
    ),
    "typescript": (
        "**/*.test.ts", "package.json", "package-lock.json", "tsconfig.json", "node_modules/**",
    ),
}  # fmt: skip


def slug(text: str, longest: int = 40) -> str:
    """``text`` as part of a name: lower case, digits and single dashes; empty where it holds no
    letter of that kind."""
    plain = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(each for each in plain if not unicodedata.combining(each))
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:longest].strip("-")


def require_room(root: Path, name: str, task_id: str | None, draft: Draft) -> None:
    """What can be known before anything runs: that ``root`` can be written, that no other
    repository is called ``name``, and no other task ``task_id``. Raises UsageError."""
    require_writable(root, "--out")
    if (root / name).exists():
        known = _repository(root / name)
        hidden = {f"{draft.project.laid}/{path}": file for path, file in draft.hidden.items()}
        if (
            known is None
            or _code(known.gold, draft) != _code(draft.gold, draft)
            or any(hidden.get(path) != file for path, file in known.hidden.items())
        ):
            raise _taken(root / name)
    if task_id is not None:
        taken = next(iter(root.glob(f"*/tasks/{task_id}")), None)
        if taken is not None:
            raise UsageError(
                f"a task is called {task_id} already", where=str(taken), remedy="give another --id"
            )


def write_repository(
    root: Path, name: str, draft: Draft, findings: Findings, timeout_s: float
) -> Path:
    """Make ``root/name`` with gold, hidden tests and repo.toml; where it is there already and the
    same, it stays. Raises UsageError when something else is there."""
    folder = root / name
    if folder.exists():
        if _same(folder, draft.gold, findings.hidden, draft.project.laid):
            return folder
        raise _taken(folder)
    half = root / f".{name}.new"
    if half.exists():
        shutil.rmtree(half)
    write_folder(draft.gold, half / "gold")
    prefix = f"{draft.project.laid}/"
    write_folder({p.removeprefix(prefix): f for p, f in findings.hidden.items()}, half / "hidden")
    (half / "tasks").mkdir()
    (half / "repo.toml").write_text(_repo_toml(name, draft, findings, timeout_s), encoding="utf-8")
    half.rename(folder)
    return folder


def write_task(
    folder: Path, task_id: str, draft: Draft, category: str, difficulty: int, instruction: str
) -> Path:
    """Write a task's folder, which must not be there."""
    path = folder / "tasks" / task_id
    import tomlkit

    document = tomlkit.document()
    document["schema_version"] = 1
    document["id"] = task_id
    document["category"] = category
    document["difficulty"] = difficulty
    document["defects"] = 1
    text = instruction.strip() + "\n"
    document["instruction"] = tomlkit.string(text, multiline=True)
    path.mkdir(parents=True)
    (path / "task.toml").write_text(tomlkit.dumps(document), encoding="utf-8")
    patch = unified_diff(draft.gold, draft.start)
    (path / "start.patch").write_text(patch, encoding="utf-8", newline="")
    return path


def free_id(root: Path, name: str) -> str:
    """The first of ``name-1``, ``name-2``, ... that no task under ``root`` is called."""
    numbers = itertools.count(1)
    return next(each for n in numbers if not any(root.glob(f"*/tasks/{(each := f'{name}-{n}')}")))


def _taken(folder: Path) -> UsageError:
    return UsageError(
        "something else is there already",
        where=str(folder),
        remedy="give another --name or --out",
    )


def _code(tree: Tree, draft: Draft) -> str:
    """Digest of a tree less its tests, of which some may be dropped later."""
    return tree_digest({p: file for p, file in tree.items() if not draft.project.is_test(p)})


def _repository(folder: Path) -> Repository | None:
    try:
        return read_repository(folder)
    except ConfigError:
        return None


def _same(folder: Path, gold: Tree, hidden: Tree, laid: str) -> bool:
    there = _repository(folder)
    return there is not None and (
        tree_digest(there.gold) == tree_digest(gold)
        and tree_digest(there.hidden) == tree_digest(hidden)
        and there.spec.tests.folder == laid
    )


def _repo_toml(name: str, draft: Draft, findings: Findings, timeout_s: float) -> str:
    import tomlkit

    project = draft.project
    document = tomlkit.document()
    document["schema_version"] = 1
    document["name"] = name
    document["language"] = project.language
    document["summary"] = project.summary
    document["licence"] = project.licence
    tests = tomlkit.table()
    tests["style"] = project.style
    tests["folder"] = project.laid
    tests["timeout_s"] = timeout_s
    if findings.left_out:
        left_out = tomlkit.array().multiline(True)
        for test, why in sorted(findings.left_out.items()):
            left_out.add_line(test, comment=why.replace("\n", " ")[:160])
        tests["left_out"] = left_out
    document["tests"] = tests
    paths = tomlkit.table()
    protected = tomlkit.array().multiline(True)
    protected.extend([f"{project.laid}/**", *_PROTECTED[project.language]])
    paths["protected"] = protected
    document["paths"] = paths
    if project.language == "python" and project.path != (".",):
        python = tomlkit.table()
        python["path"] = list(project.path)
        document["python"] = python
    if not findings.gold_is_clean:
        lint = tomlkit.table()
        lint["gold"] = "any"
        document["lint"] = lint
    return tomlkit.dumps(document)
