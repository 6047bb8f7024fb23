"""Each reported fault has a test that exists, or a reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.peer_reports.reports import REPORTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def collected() -> set[str]:
    """Node ids that pytest finds in the files that the reports name, without parameters."""
    files = sorted({f"tests/{node.partition('::')[0]}" for r in REPORTS for node in r.tests})
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider",
            "-p", "no:xdist", "-m", "", *files,
        ],
        cwd=ROOT, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-1000:]
    lines = [line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line]
    return {line.removeprefix("tests/") for line in lines}


def test_every_named_test_exists(collected: set[str]) -> None:
    named = {node for report in REPORTS for node in report.tests}
    assert sorted(named - collected) == []


def test_every_report_has_a_test_or_a_reason() -> None:
    assert [report.number for report in REPORTS] == list(range(1, 33))
    assert [r.number for r in REPORTS if not (r.tests or r.because)] == []
