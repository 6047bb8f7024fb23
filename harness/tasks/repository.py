"""Repositories and their tasks, loaded from folders of the shape ``repos/<name>/``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from harness.errors import ConfigError, UsageError
from harness.ids import canonical_json, sha256_hex
from harness.sandbox.protocol import repos_dir
from harness.tasks.defects import defect_groups
from harness.tasks.evidence import read_evidence, read_repository_evidence
from harness.tasks.patch import apply_patch, count_hunks
from harness.tasks.task import Repository, RepositorySpec, RepoTask, TaskSpec, Tree
from harness.tasks.trees import IGNORED, read_folder, tree_digest
from harness.toml_file import read_regular, read_toml
from harness.words import known_words

_M = TypeVar("_M", bound=BaseModel)
_loaded: dict[Path, tuple[tuple[Any, ...], dict[str, RepoTask]]] = {}


def default_roots() -> list[Path]:
    """Where tasks are looked for when no root is given: the shipped repositories."""
    return [repos_dir()]


def load_tasks(
    roots: Sequence[Path], broken: dict[str, ConfigError] | None = None
) -> dict[str, RepoTask]:
    """All tasks under ``roots`` by id. A root is a repository or a folder of repositories.

    broken: takes what is wrong with tasks (by id) and repositories (by folder name), and the
    others are loaded; without it the first mistake is raised. Raises UsageError for a root that
    holds no repository, ConfigError for a malformed one or for an id that two tasks share.
    """
    tasks: dict[str, RepoTask] = {}
    for root in roots:
        for folder in repositories(root):
            try:
                found = load_repository(folder, broken)
            except ConfigError as error:
                if broken is None:
                    raise
                broken[folder.resolve().name] = error
                continue
            for task_id, task in found.items():
                other = tasks.get(task_id)
                if other is not None and other.root != task.root:
                    what = f"task id {task_id} also in {other.root}"
                    twice = ConfigError(what, where=str(folder))
                    if broken is None:
                        raise twice
                    broken[task_id] = twice
                tasks[task_id] = task
    return {key: task for key, task in tasks.items() if broken is None or key not in broken}


def load_repository(
    folder: Path, broken: dict[str, ConfigError] | None = None
) -> dict[str, RepoTask]:
    """The tasks of one repository. Kept in memory until a file under ``folder`` changes; with
    ``broken`` tasks that are malformed are left out and told there."""
    folder = folder.resolve()
    stamp = _stamp(folder)
    known = _loaded.get(folder)
    if known is not None and known[0] == stamp:
        return known[1]
    repository = read_repository(folder)
    tasks: dict[str, RepoTask] = {}
    whole = True
    for path in _task_folders(folder):
        try:
            tasks[path.name] = load_task(path, repository)
        except ConfigError as error:
            if broken is None:
                raise
            broken[path.name], whole = error, False
    if whole:
        _loaded[folder] = (stamp, tasks)
    return tasks


def read_repository(folder: Path) -> Repository:
    """A repository by itself, without its tasks. Raises ConfigError."""
    folder = folder.resolve()
    spec = _read(folder / "repo.toml", RepositorySpec)
    if spec.name != folder.name:
        raise ConfigError(
            f"name: {spec.name!r} is not the folder's name", where=str(folder / "repo.toml")
        )
    gold = _named_tree(folder / "gold")
    tests = spec.tests.folder.strip("/")
    hidden = {f"{tests}/{p}": f for p, f in _named_tree(folder / "hidden").items()}
    return make_repository(spec, folder, gold, hidden)


def make_repository(spec: RepositorySpec, folder: Path, gold: Tree, hidden: Tree) -> Repository:
    """A repository with the evidence in its folder; evidence that cannot be read is kept as a
    problem: a run tells it, validation makes it again."""
    subject = sha256_hex(
        canonical_json(
            {
                "repository": spec.model_dump(mode="json", exclude_defaults=True),
                "gold": tree_digest(gold),
                "hidden": tree_digest(hidden),
            }
        )
    )
    evidence, problem = None, None
    try:
        evidence = read_repository_evidence(folder)
    except ConfigError as error:
        problem = error
    return Repository(spec, folder, gold, hidden, subject, evidence, problem)


def load_task(folder: Path, repository: Repository) -> RepoTask:
    """One task: the starting tree is gold with ``start.patch`` applied strictly."""
    spec = _read(folder / "task.toml", TaskSpec)
    if spec.id != folder.name:
        raise ConfigError(
            f"id: {spec.id!r} is not the folder's name", where=str(folder / "task.toml")
        )
    patch = read_patch(folder)
    where = str(folder / "start.patch")
    start = require_names(apply_patch(repository.gold, patch, where), where)
    groups = defect_groups(spec, count_hunks(patch, where), str(folder / "task.toml"))
    evidence, problem = None, repository.evidence_problem
    try:
        own = read_evidence(folder)
        if own is not None and repository.evidence is not None:
            evidence = own.evidence(repository.evidence)
    except ConfigError as error:
        problem = error
    subject = sha256_hex(
        canonical_json(
            {
                "repository": repository.subject,
                "task": spec.model_dump(mode="json", exclude_defaults=True),
                "patch": sha256_hex(patch.encode()),
            }
        )
    )
    decides = evidence and [evidence.core.fail_to_pass, evidence.core.pass_to_pass]
    return RepoTask(
        spec,
        repository,
        folder,
        start,
        evidence,
        subject=subject,
        digest=sha256_hex(canonical_json({"subject": subject, "decides": decides})),
        defect_groups=groups,
        evidence_problem=problem,
    )


def read_patch(folder: Path) -> str:
    """The text of a task's ``start.patch``. Raises ConfigError."""
    path = folder / "start.patch"
    try:
        return read_regular(path).decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError("not UTF-8 text", where=str(path)) from None


def repositories(root: Path) -> list[Path]:
    """Folders of the repositories under ``root``, sorted. Raises UsageError when there is none."""
    if (root / "repo.toml").is_file():
        return [root]
    found = sorted(path.parent for path in root.glob("[!.]*/repo.toml"))  # not one half made
    if not found:
        raise UsageError(
            "no repository here", where=str(root), remedy="a root holds <name>/repo.toml"
        )
    return found


def _task_folders(repository: Path) -> list[Path]:
    """Every folder that holds anything is a task: one without task.toml is a mistake to tell."""
    found = (repository / "tasks").glob("*/")
    return sorted(p for p in found if p.name not in IGNORED and any(p.iterdir()))


def _named_tree(path: Path) -> Tree:
    """The tree in a folder. Raises ConfigError, also for names that nobody could use."""
    if not path.is_dir():
        raise ConfigError("this folder is missing", where=str(path))
    try:
        return require_names(read_folder(path), str(path))
    except OSError as error:
        raise ConfigError(
            f"cannot be read: {error.strerror}", where=str(error.filename or path)
        ) from None


def require_names(tree: Tree, where: str) -> Tree:
    """``tree``, whose every path the model's tools can name and every list can show. Raises
    ConfigError."""
    for path in tree:
        if any(ord(c) < 32 or 127 <= ord(c) < 160 or 0xD800 <= ord(c) < 0xE000 for c in path):
            shown = path.encode("unicode_escape").decode()
            raise ConfigError(
                f"the file name {shown} holds a control character or is not UTF-8, so no tool can "
                "name it",
                where=where,
                remedy="rename the file",
            )
    return tree


def _stamp(folder: Path) -> tuple[Any, ...]:
    paths = sorted(folder.rglob("*"))
    return tuple((str(p), s.st_mtime_ns, s.st_size) for p in paths for s in [p.lstat()])


def _read(path: Path, model: type[_M]) -> _M:
    """A TOML file as ``model``; ConfigErrors name the line (and column, where it is syntax)."""
    file = read_toml(path)
    try:
        return model.model_validate(file.data)
    except ValidationError as error:
        first = error.errors()[0]
        at = tuple(str(part) for part in first["loc"] if isinstance(part, str))
        field = ".".join(str(part) for part in first["loc"]) or "file"
        remedy = None
        if first["type"] == "extra_forbidden":
            remedy = known_words(at[-1], _fields(model, at[:-1]))
        raise ConfigError(f"{field}: {first['msg']}", where=file.where(at), remedy=remedy) from None


def _fields(model: type[BaseModel], at: tuple[str, ...]) -> list[str]:
    """Names that may stand in the table ``at``."""
    for name in at:
        inner = model.model_fields[name].annotation
        assert isinstance(inner, type) and issubclass(inner, BaseModel)
        model = inner
    return list(model.model_fields)
