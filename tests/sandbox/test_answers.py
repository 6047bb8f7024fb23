"""Answers that a box's own server never gives: each is refused for what is wrong with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.sandbox.answers import candidate_report, child_report, tool_reply
from tests.fuzz.test_box_answers import JUDGED, RUN, TOOL
from tests.fuzz.values import nested
from tools.wire import DEEPEST, shallow

CHANGE = TOOL["delta"][0]  # type: ignore[index]


@pytest.mark.parametrize(
    "changed",
    [
        {"lint_findings": float("inf")},
        {"lint_findings": -1},
        {"text": ["no text"]},
        {"text": "x" * 1_000_000},
        {"is_error": "no"},
        {"delta": {"path": "a"}},
        {"delta": [{**CHANGE, "mode_after": 10**4000}]},
        {"delta": [{**CHANGE, "size": 5}]},
        {"delta": [{**CHANGE, "size": float("nan")}]},
        {"delta": [{**CHANGE, "path": 7}]},
    ],
)
def test_a_tools_answer_with_a_wrong_field_is_none(changed: dict[str, Any]) -> None:
    assert tool_reply(TOOL, b"text", 0.0).text == "done"
    with pytest.raises((ValueError, TypeError)):
        tool_reply({**TOOL, **changed}, b"text", 0.0)


@pytest.mark.parametrize("field", ["oom_kills", "leftovers", "wall_s", "cpu_s", "peak_memory"])
@pytest.mark.parametrize("number", [float("inf"), float("nan"), 10**4000, -1, True, "1"])
def test_counters_are_numbers_that_can_be(field: str, number: Any) -> None:
    with pytest.raises(ValueError, match=r"number|zero"):
        child_report({**RUN, field: number}, b"outer")
    with pytest.raises(ValueError, match=r"number|zero"):
        candidate_report({**JUDGED, field: number}, b"ok")


def test_result_lines_nested_deeply_are_as_if_cut() -> None:
    """They can be parsed, and then break whoever makes a text of them."""
    good = b'{"type":"begin"}\n'
    deep = json.dumps({"type": "test", "id": nested(400)}).encode() + b"\n"
    header = {**RUN, "sizes": {"stdout": 0, "stderr": 0, "results": len(good + deep)}}
    report = child_report(header, good + deep)
    assert report.results == [{"type": "begin"}]
    assert report.results_truncated


@pytest.mark.parametrize("key", ["a", None])
def test_depth_is_counted_in_levels_not_in_brackets(key: str | None) -> None:
    wide = [[{"a": []}] for _ in range(1000)]
    assert shallow(json.dumps(wide).encode(), wide)
    for depth, holds in ((DEEPEST - 1, True), (DEEPEST + 1, False)):
        value = nested(depth, key=key)
        assert shallow(json.dumps(value).encode(), value) is holds
