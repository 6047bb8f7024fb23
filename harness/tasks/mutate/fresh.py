"""A root of fresh tasks over one or several repositories: where it lies, found or made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import ConfigError, ProctorError, UsageError
from harness.ids import canonical_json, sha256_hex
from harness.sandbox.protocol import Provider
from harness.sandbox.shared import shared_boxes
from harness.tasks.evidence import is_fresh
from harness.tasks.manifest import read_manifest, write_manifest
from harness.tasks.mutate.making import Reporter, Tally, Wanted, by_template, make_tasks
from harness.tasks.mutate.outcome import OutcomeCache
from harness.tasks.mutate.registry import kinds
from harness.tasks.mutate.repo import VERSION, Ground, load_ground
from harness.tasks.repository import load_tasks, repositories
from harness.tasks.room import require_writable

TEMPLATE = "template"
Progress = Callable[[str, Tally, int], None]  # repository, what there is, tasks wanted of it


@dataclass(frozen=True)
class Recipe:
    """What a root of fresh tasks is made of. writer: who writes the reports."""

    grounds: tuple[Ground, ...]
    seed: int
    count: int
    level: int | None = None
    writer: str = TEMPLATE

    def facts(self) -> dict[str, Any]:
        """The recipe as the manifest and a plan tell it."""
        return {
            "version": VERSION,
            "seed": self.seed,
            "count": self.count,
            "difficulty": self.level,
            "writer": self.writer,
            "repositories": {ground.name: ground.digest for ground in self.grounds},
        }

    @property
    def name(self) -> str:
        """The folder's name, where none is given."""
        label = self.grounds[0].name if len(self.grounds) == 1 else f"{len(self.grounds)}-repos"
        digest = sha256_hex(canonical_json(self.facts()))
        return f"{label}-{self.seed}-{self.count}-{digest[:12]}"

    def shares(self) -> dict[str, int]:
        """Tasks of each repository: as equal as can be."""
        size, more = divmod(self.count, len(self.grounds))
        return {ground.name: size + (n < more) for n, ground in enumerate(self.grounds)}


def fresh_home() -> Path:
    """Folder of fresh tasks, under the user's data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("proctor")) / "fresh"


def grounds_of(roots: Sequence[Path]) -> tuple[Ground, ...]:
    """The repositories under ``roots`` in which defects can be planted, by name. Raises UsageError
    when there is none, ConfigError for a malformed one."""
    found: dict[str, Ground] = {}
    for root in roots:
        for folder in repositories(root):
            ground = load_ground(folder)
            if kinds(ground.repository.spec.language):
                found.setdefault(ground.name, ground)
    if not found:
        raise UsageError(
            "no repository here that defects can be planted in",
            where=", ".join(str(root) for root in roots),
        )
    return tuple(found[name] for name in sorted(found))


def found_root(recipe: Recipe, root: Path) -> dict[str, str] | None:
    """Task ids and digests of a root that was made from exactly this recipe and is whole; None
    where there is no such root. Raises ConfigError for a manifest that cannot be read."""
    manifest = read_manifest(root)
    if manifest is None or not manifest.get("complete"):
        return None
    if any(manifest.get(name) != value for name, value in recipe.facts().items()):
        return None
    try:
        tasks = load_tasks([root])
    except ProctorError:
        return None
    digests = {task.id: task.digest for task in tasks.values() if is_fresh(task)}
    return digests if digests == manifest.get("tasks") else None


async def make_root(
    recipe: Recipe,
    root: Path,
    provider: Provider,
    *,
    jobs: int | None = None,
    reporter: Reporter = by_template,
    progress: Progress = lambda name, tally, wanted: None,
) -> dict[str, Tally]:
    """Make what the recipe says under ``root``; what lies there already stays where it is the
    same. Fewer tasks than wanted are for the caller to see. Raises UsageError for a folder that
    holds something else, ConfigError, SandboxError."""
    require_own(recipe, root)
    root.mkdir(parents=True, exist_ok=True)
    tallies: dict[str, Tally] = {}
    write_manifest(root, {**recipe.facts(), "tasks": {}, "complete": False})
    async with shared_boxes(provider, jobs) as boxes:
        for ground in recipe.grounds:
            wanted = recipe.shares()[ground.name]
            known = OutcomeCache(fresh_home() / "tried" / f"{ground.digest[:24]}.jsonl")

            def told(tally: Tally, name: str = ground.name, wanted: int = wanted) -> None:
                progress(name, tally, wanted)

            asked = Wanted(recipe.seed, wanted, root, recipe.level)
            tallies[ground.name] = await make_tasks(
                ground, asked, boxes, known, reporter=reporter, progress=told
            )
    tasks = _tasks(tallies)
    complete = len(tasks) == recipe.count
    write_manifest(root, {**recipe.facts(), "tasks": tasks, "complete": complete})
    return tallies


def recipe_from(facts: Mapping[str, Any], grounds: Sequence[Ground]) -> Recipe:
    """The recipe that a plan tells of, from the repositories as they are now. Raises ConfigError
    when one of them is gone or no longer the same."""
    wanted: dict[str, str] = facts["repositories"]
    by_name = {ground.name: ground for ground in grounds}
    for name, digest in wanted.items():
        if name not in by_name or by_name[name].digest != digest:
            state = "is no longer the same" if name in by_name else "is gone"
            raise ConfigError(
                f"the fresh tasks cannot be made again: the repository {name} {state}",
                remedy="begin a new run",
            )
    if facts["version"] != VERSION or facts["writer"] != TEMPLATE:
        raise ConfigError(
            "the fresh tasks cannot be made again: another version, or a model, made them",
            remedy="begin a new run",
        )
    chosen = tuple(by_name[name] for name in sorted(wanted))
    return Recipe(chosen, int(facts["seed"]), int(facts["count"]), facts["difficulty"])


def _tasks(tallies: Mapping[str, Tally]) -> dict[str, str]:
    return {task: digest for tally in tallies.values() for task, digest in tally.tasks.items()}


def require_own(recipe: Recipe, root: Path) -> None:
    """Raises UsageError when ``root`` holds anything but tasks of this recipe, or cannot be made or
    written."""
    require_writable(root, "--out")
    if not root.exists():
        return
    manifest = read_manifest(root)
    if manifest is None and any(root.iterdir()):
        what = "the folder holds something else"
    elif manifest is not None and any(manifest.get(k) != v for k, v in recipe.facts().items()):
        what = "the folder holds fresh tasks of another seed, count or repository"
    else:
        return
    raise UsageError(what, where=str(root), remedy="give another one with --out")
