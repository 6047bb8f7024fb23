"""Writes fresh tasks as an ordinary root of repositories: gold, hidden tests, task folders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from harness.errors import ConfigError, UsageError
from harness.grading.snapshot import unified_diff
from harness.tasks.mutate.combine import Proposal
from harness.tasks.mutate.plant import apply
from harness.tasks.mutate.repo import Ground
from harness.tasks.patch import parse_patch
from harness.tasks.trees import read_folder, write_folder


def write_repository(ground: Ground, root: Path) -> Path:
    """Copy the repository, without its tasks, to ``root/<name>``; one that is there already and
    is the same stays. Raises UsageError when something else is there."""
    from harness.tasks.mutate.repo import load_ground

    folder = root / ground.name
    if folder.exists():
        try:
            same = load_ground(folder).digest == ground.digest
        except ConfigError:
            same = False
        if same:
            return folder
        raise UsageError(
            "another repository is there already",
            where=str(folder),
            remedy="give another folder with --out",
        )
    half = root / f".{ground.name}.new"
    if half.exists():
        shutil.rmtree(half)
    source = ground.repository.root
    half.mkdir(parents=True)
    shutil.copyfile(source / "repo.toml", half / "repo.toml")
    for part in ("gold", "hidden"):
        write_folder(read_folder(source / part), half / part)
    (half / "tasks").mkdir()
    half.rename(folder)
    return folder


def write_task(
    ground: Ground, folder: Path, task_id: str, proposal: Proposal, instruction: str
) -> Path:
    """Write ``task.toml`` and ``start.patch``; another task that was there under that id is
    replaced, the same one stays with its evidence. Raises ValueError for defects that cannot be
    told apart in the patch."""
    start = apply(ground.gold, [single.plant for single in proposal.singles])
    patch = unified_diff(ground.gold, start)
    lines = [
        "schema_version = 1",
        f'id = "{task_id}"',
        'category = "logic"',
        f"difficulty = {proposal.difficulty}",
        f"defects = {len(proposal.singles)}",
    ]
    if len(proposal.singles) > 1:
        lines.append(f"defect_hunks = {json.dumps(_hunks(proposal, patch))}")
    lines.append(f'instruction = """\n{_escaped(instruction)}"""')
    path = folder / "tasks" / task_id
    files = {"start.patch": patch, "task.toml": "\n".join(lines) + "\n"}
    if not all(_holds(path / name, text) for name, text in files.items()):
        if path.exists():
            shutil.rmtree(path)
        path.mkdir(parents=True)
        for name, text in files.items():
            (path / name).write_text(text, encoding="utf-8", newline="")
    return path


def _holds(path: Path, text: str) -> bool:
    try:
        return path.read_bytes() == text.encode()
    except OSError:
        return False


def _hunks(proposal: Proposal, patch: str) -> list[list[int]]:
    """Hunks of the patch, from 1, that make each defect. Raises ValueError when one is shared."""
    found: list[list[int]] = [[] for _ in proposal.singles]
    number = 0
    for file in parse_patch(patch, "start.patch"):
        for hunk in file:
            number += 1
            first, last = hunk.source_start, hunk.source_start + max(hunk.source_length, 1) - 1
            owners = [
                place
                for place, single in enumerate(proposal.singles)
                if single.plant.path == file.path
                and single.lines[0] <= last
                and first <= single.lines[1]
            ]
            if len(owners) != 1:
                raise ValueError(f"hunk {number} belongs to {len(owners)} defects")
            found[owners[0]].append(number)
    return found


def _escaped(text: str) -> str:
    """Text for a multi-line basic string of TOML."""
    text = text.replace("\\", "\\\\").replace('"""', '""\\"')
    return "".join(c if c == "\n" or c.isprintable() else f"\\u{ord(c):04X}" for c in text)
