"""Suites by name."""

from __future__ import annotations

import pytest

from harness.errors import UsageError
from harness.suites.registry import names, suite


def test_every_suite_is_found_under_its_own_name() -> None:
    for name in names():
        found = suite(name)
        assert found.name == name and found.summary and found.version


def test_suites_that_run_code_say_so() -> None:
    assert suite("repos").executes_code and suite("repos").agentic
    assert not suite("mmlu").executes_code


def test_an_unknown_suite_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no suite 'repo'.*did you mean repos\?.*sacb"):
        suite("repo")
