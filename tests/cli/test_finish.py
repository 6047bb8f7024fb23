"""The end of a session: exit codes, the JSON document, the hook."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from harness.cli.finish import exit_code_of, finish
from harness.errors import ExitCode
from harness.report.scores import Summary, summarise
from harness.store.run_folder import RunFolder
from tests.cli.conftest import Home
from tests.support.counting_suite import carry_out, make_folder, make_plan


def ended(root: Path, tasks: int, *, hook: str | None = None, **options: object) -> RunFolder:
    folder = make_folder(root, make_plan(tasks, **options), on_finish=hook)
    asyncio.run(carry_out(folder))
    return RunFolder.open(folder.path)


def code(
    summary: Summary,
    *,
    interrupted: bool = False,
    proven: bool = True,
    fail_under: float | None = None,
) -> ExitCode:
    return exit_code_of(
        summary, interrupted=interrupted, cleanup_proven=proven, fail_under=fail_under
    )


def test_exit_codes_and_which_comes_first(home: Home) -> None:
    whole = ended(home.runs, 6)
    summary = summarise(whole.records(), whole.plan)
    score = summary.suites[0].score
    assert score is not None and 0 < score < 1
    assert code(summary) is ExitCode.OK
    assert code(summary, fail_under=score) is ExitCode.OK
    assert code(summary, fail_under=score + 0.01) is ExitCode.BELOW_THRESHOLD
    assert code(summary, proven=False, fail_under=1.0) is ExitCode.CONFLICT
    assert code(summary, interrupted=True, proven=False) is ExitCode.INTERRUPTED
    part = ended(home.runs, 6, fail=["t0001"])
    partial = summarise(part.records(), part.plan)
    assert code(partial, fail_under=1.0) is ExitCode.INCOMPLETE


def test_json_is_one_document_and_narration_goes_elsewhere(
    home: Home, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = ended(home.runs, 4, fail=["t0001"])
    assert finish(folder, interrupted=False, cleanup_proven=True, as_json=True) == 1
    out, err = capfd.readouterr()
    document = json.loads(out)
    assert (document["run"], document["exit_code"]) == (folder.run_id, 1)
    assert document["summary"]["scored"] == 3
    assert "proctor run --resume" in err and str(folder.path) in err


def test_the_hook_gets_folder_and_summary(home: Home, capfd: pytest.CaptureFixture[str]) -> None:
    said = home.project / "said"
    folder = ended(home.runs, 3, hook=f'cat > "{said}"; echo "$PROCTOR_RUN" >> "{said}"; echo hi')
    finish(folder, interrupted=False, cleanup_proven=True, as_json=True)
    document, where = said.read_text().rsplit("}", 1)
    assert json.loads(document + "}")["planned"] == 3
    assert where.strip() == str(folder.path)
    json.loads(capfd.readouterr().out)  # what the hook prints does not spoil the document


def test_a_failing_hook_changes_no_result(home: Home, capfd: pytest.CaptureFixture[str]) -> None:
    folder = ended(home.runs, 3, hook="exit 9")
    assert finish(folder, interrupted=False, cleanup_proven=True) is ExitCode.OK
    assert "--on-finish ended with code 9" in capfd.readouterr().err
