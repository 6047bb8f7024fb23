"""Suites by name. A suite's module is imported when the suite is asked for, not before."""

from __future__ import annotations

import difflib
from importlib import import_module

from harness.errors import UsageError
from harness.suites.protocol import Suite

_SUITES = {
    "repos": "harness.suites.repos:ReposSuite",
    "sacb": "harness.suites.sacb:SacbSuite",
    "humaneval": "harness.suites.humaneval:HumanEvalSuite",
    "humaneval+": "harness.suites.evalplus:HumanEvalPlusSuite",
    "mbpp": "harness.suites.mbpp:MbppSuite",
    "mbpp+": "harness.suites.evalplus:MbppPlusSuite",
    "mmlu": "harness.suites.mmlu:MmluSuite",
    "classeval": "harness.suites.classeval:ClassEvalSuite",
}


def names() -> list[str]:
    """Names of all suites, sorted."""
    return sorted(_SUITES)


def suite(name: str) -> Suite:
    """A fresh instance of the suite ``name``. Raises UsageError with the nearest known name."""
    target = _SUITES.get(name)
    if target is None:
        near = difflib.get_close_matches(name, names(), n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(
            f"there is no suite {name!r}", remedy=f"{hint}known suites: {', '.join(names())}"
        )
    module, _, attribute = target.partition(":")
    made: Suite = getattr(import_module(module), attribute)()
    return made
