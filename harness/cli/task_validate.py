"""``proctor task validate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from harness.cli.common import asynchronous, emit_json, json_option, said
from harness.cli.task_choice import chosen_tasks, data_option
from harness.errors import ConfigError, ExitCode, UsageError
from harness.state.sanitize import safe_line

if TYPE_CHECKING:
    from harness.cli.validation import Mode


@click.command("validate", short_help="Prove that tasks are sound.")
@click.argument("glob", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every task: the same as no GLOB.")
@data_option
@click.option(
    "--full",
    is_flag=True,
    help="Also the slower proofs: each hunk and defect alone, exploits, random orders.",
)
@click.option(
    "--fresh",
    is_flag=True,
    help="Prove everything anew, also what the repositories' own evidence holds already.",
)
@click.option("--stale", is_flag=True, help="Prove only what has no fresh evidence.")
@click.option(
    "--check", is_flag=True, help="Write nothing; a task fails where its evidence says otherwise."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    help="Boxes at work at a time (default: as many as there are cores).",
)
@click.option("--sandbox", default=None, help="Containment to use.")
@json_option
@asynchronous
async def validate(
    glob: tuple[str, ...],
    every: bool,
    data: str | None,
    full: bool,
    fresh: bool,
    stale: bool,
    check: bool,
    jobs: int | None,
    sandbox: str | None,
    as_json: bool,
) -> int:
    """Prove by running that tasks are sound, and write their evidence.json.

    The tasks whose id matches a GLOB (all without one) are proved anew; what concerns their
    repositories (gold and the hidden tests alone) only where that has no fresh evidence. --fresh
    proves that again, too; --stale leaves out whatever has fresh evidence of the level asked for.
    Ctrl+C keeps the evidence that is written already.

    Exit code 1 when a task fails.
    """
    from harness.cli.validation import validate_tasks

    if every and glob:
        raise UsageError("--all and a GLOB exclude each other", remedy="leave one of them out")
    if fresh and stale:
        raise UsageError("--fresh and --stale exclude each other", remedy="leave one of them out")
    mode: Mode = "fresh" if fresh else "stale" if stale else "chosen"
    broken: dict[str, ConfigError] = {}
    tasks = list(chosen_tasks(glob, data, broken).values())
    results = await validate_tasks(
        tasks, sandbox=sandbox, full=full, say=said, jobs=jobs, mode=mode, write=not check
    )
    results += [
        {"task": name, "valid": False, "problem": str(error), "seconds": 0.0}
        for name, error in broken.items()
    ]
    if as_json:
        emit_json(results)
    else:
        for result in results:
            problem = f": {safe_line(result['problem'], 4000)}" if result["problem"] else ""
            state = "valid" if result["valid"] else "FAILED"
            click.echo(f"{result['task']}  {state}, {result['seconds']:.1f} s{problem}")
    valid = all(result["valid"] for result in results)
    return int(ExitCode.OK if valid else ExitCode.INCOMPLETE)
