"""An oracle episode from end to end, as a user runs it: boxes, tools, snapshot, twins, verdict."""

from __future__ import annotations

import tempfile
from pathlib import Path

from harness.store.run_folder import RunFolder
from tests.benchmarks.figures import Figure, median
from tests.support.proctor_process import Home, Proctor

TASKS = ("stockroom-last-day", "stockroom-number-mixups", "almanac-pauses")


def figures() -> list[Figure]:
    rows = []
    for sandbox in ("docker", "bubblewrap"):
        target = {"docker": 2.0}.get(sandbox)
        for repository in ("stockroom", "almanac"):
            tasks = [task for task in TASKS if task.startswith(repository)]
            found = _run(sandbox, tasks)
            if not found:
                continue
            total = median([phases["total"] for phases in found])
            note = ", ".join(
                f"{phase} {median([phases.get(phase, 0.0) for phases in found]):.2f}"
                for phase in found[0]
                if phase != "total"
            )
            row = Figure(
                f"oracle episode, {sandbox}, {repository}", total, "s", None, "",
                f"{target:g} s" if target else "", None if target is None else total <= target,
                note,
            )  # fmt: skip
            rows.append(row)
    return rows


def _run(sandbox: str, tasks: list[str]) -> list[dict[str, float]]:
    """Seconds by phase of samples that ran one after the other; nothing when it does not run."""
    with tempfile.TemporaryDirectory() as root:
        line = ["run", "repos", "--batch", "--model", "oracle", "--concurrency", "1"]
        line += ["--epochs", "4"] + [part for task in tasks for part in ("--task", task)]
        process = Proctor.start(Home(Path(root), sandbox), *line)
        try:
            if process.wait() != 0 or process.folder is None:
                print(process.said[-500:])
                return []
            records = RunFolder.open(process.folder).records()
        finally:
            process.stop()
        return [dict(r.timings) for r in records.values() if not r.metrics["lint_calls"]]
