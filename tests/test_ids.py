"""Names of runs and samples."""

from __future__ import annotations

import re

import pytest

from harness.ids import new_run_id


@pytest.mark.parametrize(
    ("suites", "model", "words"),
    [
        (["humaneval+"], "wrong", "humaneval+-wrong"),
        (["mbpp", "mmlu"], "org/Model-7B", "mbpp+mmlu-Model-7B"),
        (["repos"], "-x--y.", "repos-x-y"),
        (["repos"], "//", "repos"),
        (["repos"], "\u6a21\u578b", "repos"),
        (["repos"], "q 4 (k_m)", "repos-q-4-k_m"),
        (["repos"], "x" * 53 + "--y", "repos-" + "x" * 53),
    ],
)
def test_a_run_id_has_no_empty_part(suites: list[str], model: str, words: str) -> None:
    found = new_run_id(suites, model)
    assert "--" not in found
    assert re.fullmatch(r"\d{8}-\d{6}-" + re.escape(words) + r"-[0-9a-f]{4}", found)
