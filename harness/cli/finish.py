"""The end of a session: exit code, the JSON document, closing words, the hook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.cli.common import run_name
from harness.cli.console import console
from harness.cli.on_finish import run_hook
from harness.cli.run_facts import state_of, summary_of
from harness.errors import ExitCode
from harness.report.scores import Summary
from harness.report.table import percent, summary_table

if TYPE_CHECKING:
    from harness.store.run_folder import RunFolder


def exit_code_of(
    summary: Summary, *, interrupted: bool, cleanup_proven: bool, fail_under: float | None
) -> ExitCode:
    """The first that applies: interrupted, cleanup unproven, samples without a score, below."""
    if interrupted:
        return ExitCode.INTERRUPTED
    if not cleanup_proven:
        return ExitCode.CONFLICT
    if not summary.complete:
        return ExitCode.INCOMPLETE
    if fail_under is not None and any(
        suite.score is None or suite.score < fail_under for suite in summary.suites
    ):
        return ExitCode.BELOW_THRESHOLD
    return ExitCode.OK


def finish(
    folder: RunFolder,
    *,
    interrupted: bool,
    cleanup_proven: bool,
    fail_under: float | None = None,
    report: bool = True,
    as_json: bool = False,
) -> ExitCode:
    """Tell the result, run the hook, and return the exit code; ``report`` False tells nothing."""
    summary = summary_of(folder)
    code = exit_code_of(
        summary, interrupted=interrupted, cleanup_proven=cleanup_proven, fail_under=fail_under
    )
    document = {
        "run": folder.run_id,
        "folder": str(folder.path),
        "plan": folder.plan_digest,
        "state": state_of(folder.path),
        "exit_code": int(code),
        "summary": summary.model_dump(mode="json"),
    }
    if report:
        _tell(folder, summary, code, fail_under, cleanup_proven, err=as_json)
        if as_json:
            from harness.cli.common import emit_json

            emit_json(document)
    hook = folder.launch.on_finish
    if hook:
        run_hook(hook, folder.path, summary.model_dump_json())
    return code


def _tell(
    folder: RunFolder,
    summary: Summary,
    code: ExitCode,
    fail_under: float | None,
    cleanup_proven: bool,
    *,
    err: bool,
) -> None:
    out = console(err=err)
    out.print()
    out.print(summary_table(summary))
    if not cleanup_proven:
        out.print("some boxes may be left: run proctor clean", soft_wrap=True)
    if code is ExitCode.BELOW_THRESHOLD:
        lacking = any(suite.score is None for suite in summary.suites)
        why = "no headline score for" if lacking else "below"
        out.print(f"{why} --fail-under: {percent(fail_under)} was asked for", soft_wrap=True)
    out.print(f"folder: {folder.path}", soft_wrap=True)
    name = run_name(folder.path)
    if not summary.complete:
        left = summary.planned - summary.scored
        out.print(f"{left} without a score; run them: proctor run --resume {name}", soft_wrap=True)
    out.print(f"look at it: proctor replay {name}", soft_wrap=True)
