"""Prints the table of disturbed episodes at the end."""

from __future__ import annotations

from typing import Any

from tests.chaos import tally
from tests.chaos.test_disturbed import SEED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Only where the episodes ran in this very process."""
    lines = tally.table(SEED)
    if lines:
        terminalreporter.section("disturbed episodes")
        for line in lines:
            terminalreporter.write_line(line)
