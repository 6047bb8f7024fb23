"""``proctor task new``: a task out of a project of the user's own."""

from __future__ import annotations

import functools
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import answer, asynchronous, emit_json, json_option, said
from harness.errors import ExitCode, UsageError
from harness.state.sanitize import safe, safe_line
from harness.words import counted

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
    from harness.tasks.repository import require_names

    asking = sys.stdin.isatty() and not options["yes"] and not options["as_json"]
    if not path.expanduser().is_dir():
        raise UsageError("no such folder", where=str(path), remedy="name the folder of a project")
    path = path.expanduser().resolve()
    draft, proposed, message = _draft(path, options, asking)
    for tree in (draft.gold, draft.start, draft.hidden):
        require_names(tree, str(path))
    if not asking and options["instruction"] is None:
        raise UsageError(
            "the report to the model is missing", remedy="--instruction FILE (or - for stdin)"
        )
    given = _instruction_file(options["instruction"])
    _settle_names(proposed, draft, options)
    _tell(draft, path)
    if asking:
        question = "Hide these tests and go on?"
        answer(lambda: click.confirm(question, default=True, abort=True, err=True))
    return await _make(draft, message, given, options)


def _draft(path: Path, options: dict[str, Any], asking: bool) -> tuple[Draft, str, str]:
    """The drafted task, a name for it, and what its author said of the fix."""
    from harness.tasks.new import history
    from harness.tasks.new.draft import from_fix, from_patch
    from harness.tasks.new.folder import slug
    from harness.tasks.new.project import look

    if options["fix"] and options["defect"]:
        raise UsageError("--fix and --defect exclude each other", remedy="leave one of them out")
    how = {"tests": _below(path, options["tests"]), "command": options["test_command"]}
    if options["defect"]:
        tree = history.working_tree(path)
        project = look(tree, **how)
        patch = _read(Path(options["defect"]).expanduser())
        visible = _visible(tree, project, options["visible"])
        draft = from_patch(project, tree, patch, options["defect"], visible)
        return draft, slug(project.name) or slug(path.name) or "project", ""
    named = options["fix"] or _choose_fix(path, how, asking)
    fix = history.fix_of(path, named)
    project = look(fix.after, **how)
    named = slug(project.name, 32) or slug(path.name, 32) or "project"
    return from_fix(project, fix), f"{named}-{fix.name}", fix.message


def _below(path: Path, tests: str | None) -> str | None:
    """The folder of tests as the project names it, also where it was given from here."""
    if tests is None or (path / tests.strip("/")).is_dir():
        return tests
    here = Path(tests).expanduser().resolve()
    return here.relative_to(path).as_posix() if here.is_relative_to(path) else tests


def _settle_names(proposed: str, draft: Draft, options: dict[str, Any]) -> None:
    """Put the folder and the names of what is made into the options. Raises UsageError where they
    cannot be had: now, not after the tests have run."""
    from harness.tasks.new.folder import require_room, slug

    for option, longest, given in (
        ("name", 60, options["name"] or proposed), ("task_id", 99, options["task_id"]),
    ):  # fmt: skip
        options[option] = slug(given, longest) if given else None
        if given and not options[option]:
            flag = "--name" if option == "name" else "--id"
            raise UsageError(
                f"{flag}: {safe_line(given, 80)!r} holds no letter or digit that a name can have",
                remedy="use a-z, 0-9 and -",
            )
    options["out"] = Path(options["out"]).expanduser().resolve()
    require_room(options["out"], options["name"], options["task_id"], draft)


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
    chosen = answer(lambda: click.prompt("Which is the fix?", type=kind, default=1, err=True))
    return found[int(chosen) - 1].name


def _visible(tree: Any, project: Project, globs: tuple[str, ...]) -> Any:
    from harness.grading.globs import matches

    found = {path: f for path, f in tree.items() if project.is_test(path) and matches(path, globs)}
    if globs and not found:
        raise UsageError(f"--visible: no test matches {globs[0]!r}")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except UnicodeDecodeError:
        raise UsageError("is not UTF-8 text", where=str(path)) from None


def _instruction_file(name: str | None) -> str | None:
    from harness.tasks.task import SHORTEST_INSTRUCTION

    if name is None:
        return None
    text = sys.stdin.read() if name == "-" else _read(Path(name).expanduser())
    text = "\n".join(text.splitlines())
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
    hidden = f"{counted(len(draft.hidden), 'file')} of tests"
    said(f"hidden:  {hidden}, laid in {project.laid}/ for grading")
    seen = f"{counted(len(draft.visible), 'file')} of tests" if draft.visible else "no tests"
    said(f"visible: {counted(len(draft.gold), 'file')}, {seen} among them")
    said(f"defect:  in {', '.join(safe_line(name, 80) for name in draft.changed[:6])}")
    for note in draft.notes[:_SHOWN]:
        said(f"note: {safe_line(note, 200)}")


async def _make(draft: Draft, message: str, given: str | None, options: dict[str, Any]) -> int:
    import os

    from harness.config import load_config, resolve
    from harness.grading.subject import Subject
    from harness.sandbox.protocol import Limits
    from harness.sandbox.select import choose
    from harness.sandbox.shared import shared_boxes
    from harness.tasks.new.examine import examine, flawed
    from harness.tasks.new.folder import free_id, write_repository, write_task
    from harness.tasks.new.project import foreign_imports
    from harness.tasks.task import TestSettings

    project, name, root = draft.project, options["name"], options["out"]
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
    folder = write_repository(root, name, draft, findings, options["timeout"])
    task_id = options["task_id"] or free_id(root, name)
    category = options["category"] or findings.category
    difficulty = options["difficulty"] or min(1 + len(draft.changed), 4)
    task_folder = write_task(folder, task_id, draft, category, difficulty, instruction)
    row = await _proved(task_folder, root, options)
    return _end(row, root, folder, findings, options["as_json"])


async def _proved(folder: Path, root: Path, options: dict[str, Any]) -> dict[str, Any]:
    """What validation says of the task in ``folder``; cut short, how to take it up again."""
    from harness.cli.validation import validate_tasks
    from harness.tasks.repository import load_tasks

    task, row = load_tasks([folder.parent.parent])[folder.name], None
    try:
        (row,) = await validate_tasks(
            [task], sandbox=options["sandbox"], full=options["full"], say=said
        )
        return row
    finally:
        if row is None:
            said(f"{task.id} is made, but not proved: {folder}")
            said(f"prove it:  proctor task validate {task.id} --data {shlex.quote(str(root))}")


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
    from harness.tasks.task import SHORTEST_INSTRUCTION

    about = [f"# The commit says: {line}" for line in safe(message).splitlines()[:20]]
    failing = [f"# Fails at the start: {test}" for test in findings.failing[:_SHOWN]]
    help_, kept = "\n".join(["", "", _DRAFT.strip(), *about, *failing, ""]), ""
    while True:
        text = click.edit(kept + help_) or ""
        kept = "\n".join(line for line in text.splitlines() if not line.startswith("#")).strip()
        if len(kept) >= SHORTEST_INSTRUCTION:
            return kept
        short = "The report is too short" if kept else "No report was written"
        again = functools.partial(click.confirm, f"{short}. Edit it again?", default=True, err=True)
        if not answer(again):
            raise UsageError("no report was written", remedy="write it, or give --instruction FILE")


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
