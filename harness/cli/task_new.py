"""``proctor task new``: a task out of a project of the user's own."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import asynchronous, emit_json, json_option, said
from harness.errors import ExitCode, UsageError
from harness.state.sanitize import safe, safe_line

if TYPE_CHECKING:
    from harness.tasks.new.draft import Draft
    from harness.tasks.new.examine import Findings
    from harness.tasks.new.project import Project

_SHOWN = 12
_DRAFT = """\
# Write the report as a user would: what they did, what they saw, what they expected. Never the fix,
# a file of the code, or the tests. Lines that begin with # are left out.
"""


@click.command("new", short_help="Make a task out of your own project.")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--fix", metavar="COMMIT", help="The fix: a commit, or a range A..B.")
@click.option("--defect", metavar="FILE", help="The defect: a patch to the project as it is.")
@click.option("--instruction", metavar="FILE", help="The report to the model; - for stdin.")
@click.option("--tests", metavar="FOLDER", help="The project's folder of tests.")
@click.option("--test-command", metavar="TEXT", help="How its tests are run: pytest tests/unit.")
@click.option("--visible", metavar="GLOB", multiple=True, help="Tests the model may read.")
@click.option("--out", metavar="DIR", default="tasks", help="Where it is made (default: tasks).")
@click.option("--name", metavar="NAME", help="The repository's name.")
@click.option("--id", "task_id", metavar="ID", help="The task's id.")
@click.option(
    "--category",
    type=click.Choice(["syntax", "type", "logic", "feature"]),
    help="Without it by what lint sees.",
)
@click.option("--difficulty", type=click.IntRange(1, 5), help="Without it by files changed.")
@click.option("--timeout", type=click.FloatRange(1, 3600), default=90.0, show_default=True,
              help="Seconds for all hidden tests.")  # fmt: skip
@click.option("--full", is_flag=True, help="Also the slower proofs.")
@click.option("--sandbox", default=None, help="Containment to use.")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@json_option
@asynchronous
async def new(path: Path, **options: Any) -> int:
    """Make a task out of the project in the folder PATH.

    Its tests become the hidden ones. The defect is a fix taken back (--fix, from git) or a patch
    (--defect). The task is proved by running; exit code 1 when it is not admitted.
    """
    asking = sys.stdin.isatty() and not options["yes"] and not options["as_json"]
    if not path.expanduser().is_dir():
        raise UsageError("no such folder", where=str(path), remedy="name the folder of a project")
    path = path.expanduser().resolve()
    draft, proposed, message = _draft(path, options, asking)
    if not asking and options["instruction"] is None:
        raise UsageError(
            "the report to the model is missing", remedy="--instruction FILE (or - for stdin)"
        )
    given = _instruction_file(options["instruction"])
    _tell(draft, path)
    if asking:
        click.confirm("Hide these tests and go on?", default=True, abort=True, err=True)
    return await _make(path, draft, proposed, message, given, options)


def _draft(path: Path, options: dict[str, Any], asking: bool) -> tuple[Draft, str, str]:
    """The drafted task, a name for it, and what its author said of the fix."""
    from harness.tasks.new import history
    from harness.tasks.new.draft import from_fix, from_patch
    from harness.tasks.new.folder import slug
    from harness.tasks.new.project import look

    if options["fix"] and options["defect"]:
        raise UsageError("--fix and --defect exclude each other", remedy="leave one of them out")
    how = {"tests": options["tests"], "command": options["test_command"]}
    if options["defect"]:
        tree = history.working_tree(path)
        project = look(tree, **how)
        patch = _read(Path(options["defect"]).expanduser())
        visible = _visible(tree, project, options["visible"])
        draft = from_patch(project, tree, patch, options["defect"], visible)
        return draft, slug(project.name or path.name), ""
    named = options["fix"] or _choose_fix(path, how, asking)
    fix = history.fix_of(path, named)
    project = look(fix.after, **how)
    return from_fix(project, fix), f"{slug(project.name or path.name)}-{fix.name}", fix.message


def _choose_fix(path: Path, how: dict[str, Any], asking: bool) -> str:
    """Ask which commit is the fix. Raises UsageError that lists those that may be one."""
    from harness.tasks.new import history
    from harness.tasks.new.project import look

    found = []
    if history.is_git(path):
        project = look(history.working_tree(path), **how)
        found = history.recent_fixes(path, project.is_code, project.is_test)
    if not found or not asking:
        listed = "; ".join(f"{each.name} {each.title[:50]}" for each in found[:4])
        raise UsageError(
            "what is the defect?",
            remedy="--fix COMMIT for a fix in git, or --defect FILE for a patch that plants it"
            + (f"; commits that change code and tests: {safe_line(listed, 400)}" if listed else ""),
        )
    said("Commits that change code and tests, the last first:")
    for number, each in enumerate(found, 1):
        said(f"  {number:>2}  {each.name}  {safe_line(each.title, 70)}")
    kind = click.IntRange(1, len(found))
    chosen: int = click.prompt("Which is the fix?", type=kind, default=1, err=True)
    return found[chosen - 1].name


def _visible(tree: Any, project: Project, globs: tuple[str, ...]) -> Any:
    from harness.grading.globs import matches

    found = {path: f for path, f in tree.items() if project.is_test(path) and matches(path, globs)}
    if globs and not found:
        raise UsageError(f"--visible: no test matches {globs[0]!r}")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except UnicodeDecodeError:
        raise UsageError("is not UTF-8 text", where=str(path)) from None


def _instruction_file(name: str | None) -> str | None:
    from harness.tasks.task import SHORTEST_INSTRUCTION

    if name is None:
        return None
    text = sys.stdin.read() if name == "-" else _read(Path(name).expanduser())
    if len(text.strip()) < SHORTEST_INSTRUCTION:
        raise UsageError(
            "the report to the model is empty" if not text.strip() else "the report is too short",
            where=name,
            remedy="tell what was done, what was seen and what was expected",
        )
    return text


def _tell(draft: Draft, path: Path) -> None:
    """What is hidden, what the model sees, what makes the defect."""
    project = draft.project
    place = project.folder or "its root"
    said(f"{path.name}: {project.language}, tests of style {project.style} in {place}")
    said(f"hidden:  {len(draft.hidden)} files of tests, laid in {project.laid}/ for grading")
    seen = f"{len(draft.visible)} files of tests" if draft.visible else "no tests"
    said(f"visible: {len(draft.gold)} files, {seen} among them")
    said(f"defect:  in {', '.join(safe_line(name, 80) for name in draft.changed[:6])}")
    for note in draft.notes[:_SHOWN]:
        said(f"note: {safe_line(note, 200)}")


async def _make(
    path: Path,
    draft: Draft,
    proposed: str,
    message: str,
    given: str | None,
    options: dict[str, Any],
) -> int:
    import os

    from harness.cli.validation import validate_tasks
    from harness.config import load_config, resolve
    from harness.grading.subject import Subject
    from harness.sandbox.protocol import Limits
    from harness.sandbox.select import choose
    from harness.sandbox.shared import shared_boxes
    from harness.tasks.new.examine import examine, flawed
    from harness.tasks.new.folder import slug, write_repository, write_task
    from harness.tasks.new.project import foreign_imports
    from harness.tasks.repository import load_tasks
    from harness.tasks.task import TestSettings

    project = draft.project
    name = slug(options["name"] or proposed)
    settings = TestSettings(style=project.style, folder=project.laid, timeout_s=options["timeout"])
    subject = Subject(
        id=name,
        language=project.language,
        tests=settings,
        start=draft.gold,
        hidden={f"{project.laid}/{p}": file for p, file in draft.hidden.items()},
        gold=draft.gold,
        path=project.path,
    )
    for package, where in list(foreign_imports(draft.gold | subject.hidden, project).items())[:4]:
        said(f"note: {safe_line(where, 120)} imports {package}, which a box does not have")
    sandbox = resolve({"sandbox": options["sandbox"]}, os.environ, load_config())["sandbox"]
    provider = await choose(sandbox, {str(project.language)})
    try:
        said(f"running the tests on both trees in {provider.name} ...")
        async with shared_boxes(provider) as boxes:
            findings = await examine(subject, draft.start, boxes, Limits())
    finally:
        await provider.close()
    _tell_findings(findings)
    draft = draft.without(findings.dropped)
    if (reason := flawed(findings)) is not None:
        raise UsageError(reason, remedy="choose another fix, or add a test that notices the defect")
    instruction = given if given is not None else _written(message, findings)
    root = Path(options["out"]).expanduser().resolve()
    folder = write_repository(root, name, draft, findings, options["timeout"])
    task_id = options["task_id"] or _free_id(folder, name)
    category = options["category"] or findings.category
    difficulty = options["difficulty"] or min(1 + len(draft.changed), 4)
    task_folder = write_task(folder, slug(task_id), draft, category, difficulty, instruction)
    task = load_tasks([folder])[task_folder.name]
    (row,) = await validate_tasks(
        [task], sandbox=options["sandbox"], full=options["full"], say=said
    )
    return _end(row, root, folder, findings, options["as_json"])


def _tell_findings(findings: Findings) -> None:
    for what, found in (("left out", findings.dropped), ("left out", findings.left_out)):
        for test, why in list(found.items())[:_SHOWN]:
            said(f"{what}: {safe_line(test, 160)}: {safe_line(why, 200)}")
        if len(found) > _SHOWN:
            said(f"{what}: {len(found) - _SHOWN} more, named in repo.toml")
    said(f"fail at the start and pass when it is right: {len(findings.failing)}")
    for test in findings.failing[:_SHOWN]:
        said(f"  {safe_line(test, 160)}")
    said(f"pass on both: {len(findings.passing)}")


def _written(message: str, findings: Findings) -> str:
    """The report, written in the person's editor. Raises UsageError when nothing was."""
    about = [f"# The commit says: {line}" for line in safe(message).splitlines()[:20]]
    failing = [f"# Fails at the start: {test}" for test in findings.failing[:_SHOWN]]
    text = click.edit("\n".join(["", "", _DRAFT.strip(), *about, *failing, ""])) or ""
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("#")).strip()
    if len(kept) < 20:
        raise UsageError("no report was written", remedy="write it, or give --instruction FILE")
    return kept


def _free_id(folder: Path, name: str) -> str:
    number = 1
    while (folder / "tasks" / f"{name}-{number}").exists():
        number += 1
    return f"{name}-{number}"


def _end(row: dict[str, Any], root: Path, folder: Path, findings: Findings, as_json: bool) -> int:
    data = shlex.quote(str(root))
    if as_json:
        facts = {
            "folder": str(folder),
            "fail_to_pass": list(findings.failing),
            "pass_to_pass": list(findings.passing),
            "left_out": {**findings.dropped, **findings.left_out},
        }
        emit_json({**row, **facts})
    elif row["valid"]:
        click.echo(f"{row['task']} is admitted: {folder}")
        said(
            f"read it as the model will:  proctor task show {row['task']} --as-model --data {data}"
        )
        said(f"run it:  proctor run repos --data {data} --task {row['task']} --model MODEL")
    else:
        click.echo(f"{row['task']} is not admitted: {safe_line(str(row['problem']), 4000)}")
        said(f"mend it in {folder}, then: proctor task validate {row['task']} --data {data}")
    return int(ExitCode.OK if row["valid"] else ExitCode.INCOMPLETE)
