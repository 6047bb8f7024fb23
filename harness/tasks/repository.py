"""Repositories and their tasks, loaded from folders of the shape ``repos/<name>/``."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from harness.errors import ConfigError, UsageError
from harness.ids import canonical_json, sha256_hex
from harness.sandbox.protocol import repos_dir
from harness.tasks.evidence import read_evidence
from harness.tasks.patch import apply_patch
from harness.tasks.task import Repository, RepositorySpec, RepoTask, TaskSpec, Tree
from harness.tasks.trees import read_folder, tree_digest

_M = TypeVar("_M", bound=BaseModel)
_loaded: dict[Path, tuple[tuple[Any, ...], dict[str, RepoTask]]] = {}


def default_roots() -> list[Path]:
    """Where tasks are looked for when no root is given: the shipped repositories."""
    return [repos_dir()]


def load_tasks(roots: Sequence[Path]) -> dict[str, RepoTask]:
    """All tasks under ``roots`` by id. A root is a repository or a folder of repositories.

    Raises UsageError for a root that holds none, ConfigError for a malformed one or for an id
    that two tasks share.
    """
    tasks: dict[str, RepoTask] = {}
    for root in roots:
        for folder in _repositories(root):
            for task_id, task in load_repository(folder).items():
                other = tasks.get(task_id)
                if other is not None and other.root != task.root:
                    raise ConfigError(f"task id {task_id} also in {other.root}", where=str(folder))
                tasks[task_id] = task
    return tasks


def load_repository(folder: Path) -> dict[str, RepoTask]:
    """The tasks of one repository. Kept in memory until a file under ``folder`` changes."""
    folder = folder.resolve()
    stamp = _stamp(folder)
    known = _loaded.get(folder)
    if known is not None and known[0] == stamp:
        return known[1]
    spec = _read(folder / "repo.toml", RepositorySpec)
    if spec.name != folder.name:
        raise ConfigError(
            f"name: {spec.name!r} is not the folder's name", where=str(folder / "repo.toml")
        )
    gold = read_folder(_folder(folder / "gold"))
    tests = spec.tests.folder.strip("/")
    hidden = {f"{tests}/{p}": f for p, f in read_folder(_folder(folder / "hidden")).items()}
    repository = Repository(spec, folder)
    task_folders = sorted(p.parent for p in (folder / "tasks").glob("*/task.toml"))
    tasks = {p.name: load_task(p, repository, gold, hidden) for p in task_folders}
    _loaded[folder] = (stamp, tasks)
    return tasks


def load_task(folder: Path, repository: Repository, gold: Tree, hidden: Tree) -> RepoTask:
    """One task: the starting tree is gold with ``start.patch`` applied strictly."""
    spec = _read(folder / "task.toml", TaskSpec)
    if spec.id != folder.name:
        raise ConfigError(
            f"id: {spec.id!r} is not the folder's name", where=str(folder / "task.toml")
        )
    patch_path = folder / "start.patch"
    try:
        patch = patch_path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise ConfigError("missing", where=str(patch_path)) from None
    except UnicodeDecodeError:
        raise ConfigError("not UTF-8 text", where=str(patch_path)) from None
    start = apply_patch(gold, patch, str(patch_path))
    evidence = read_evidence(folder)
    subject = sha256_hex(
        canonical_json(
            {
                "repository": repository.spec.model_dump(mode="json"),
                "task": spec.model_dump(mode="json"),
                "gold": tree_digest(gold),
                "hidden": tree_digest(hidden),
                "start": tree_digest(start),
                "patch": sha256_hex(patch.encode()),
            }
        )
    )
    core = None if evidence is None else evidence.core.model_dump(mode="json")
    digest = sha256_hex(canonical_json({"subject": subject, "core": core}))
    return RepoTask(
        spec, repository, folder, start, gold, hidden, evidence, subject=subject, digest=digest
    )


def _repositories(root: Path) -> list[Path]:
    if (root / "repo.toml").is_file():
        return [root]
    found = sorted(path.parent for path in root.glob("*/repo.toml"))
    if not found:
        raise UsageError(
            "no repository here", where=str(root), remedy="a root holds <name>/repo.toml"
        )
    return found


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise ConfigError("this folder is missing", where=str(path))
    return path


def _stamp(folder: Path) -> tuple[Any, ...]:
    paths = sorted(folder.rglob("*"))
    return tuple((str(p), s.st_mtime_ns, s.st_size) for p in paths for s in [p.lstat()])


def _read(path: Path, model: type[_M]) -> _M:
    """A TOML file as ``model``; ConfigErrors name the line (syntax) or the field (content)."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError("missing", where=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"not valid TOML: {error}", where=str(path)) from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "file"
        raise ConfigError(f"{field}: {first['msg']}", where=str(path)) from None
