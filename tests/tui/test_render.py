"""Events as lines: what a reader finds there."""

from __future__ import annotations

import pytest

from harness.events.base import ErrorInfo
from harness.events.grading import AnswerJudged, GradingFinished, TestOutcome
from harness.events.model import MessageAdded, ModelTurn, RequestRetried
from harness.events.tool import ToolResult, TreeChange
from harness.events.union import TranscriptEvent
from harness.outcome import GradeStatus
from tui.render.code import code_lines
from tui.render.context import Context
from tui.render.diff import diff_lines, split_files, unified_lines
from tui.render.event import event_lines
from tui.render.lines import Line, text_of
from tui.render.markdown import markdown


def shown(event: TranscriptEvent, width: int = 80, **more: object) -> str:
    ctx = Context(width, **more)  # type: ignore[arg-type]
    return "\n".join(text_of(line) for line in event_lines(event, b"", ctx))


def roles(lines: list[Line]) -> set[str]:
    return {role for line in lines for _, role in line}


def test_checks_that_are_classes_of_tests_are_called_that() -> None:
    event = AnswerJudged(grade_status=GradeStatus.WRONG_ANSWER, checks_passed=0, checks_total=6)
    test = TestOutcome(id="T::test_a", group="fail_to_pass", outcome="failed")
    assert "0 of 6 test classes passed" in shown(event, previous=test)
    assert "0 of 6 checks passed" in shown(event)
    one = event.model_copy(update={"checks_total": 1})
    assert "0 of 1 test class passed" in shown(one, previous=test)


def test_markdown_as_models_write_it() -> None:
    text = "# Title\nSome **bold** and `code`\n- one\n  - two\n\n```python\ndef f():\n    pass\n```"
    lines = markdown(text, 60)
    plain = [text_of(line) for line in lines]
    assert plain[0] == "Title" and "• one" in plain and "  • two" in plain
    assert "  def f():" in plain and "Some bold and code" in plain
    assert {"md.heading", "md.bold", "md.code", "md.bullet", "code.keyword"} <= roles(lines)


def test_a_fence_that_is_not_closed_yet_is_code_already() -> None:
    lines = markdown("text\n```python\nreturn 1", 60)
    assert "code.keyword" in roles(lines)


def test_links_and_markup_stay_text() -> None:
    lines = markdown("[bold]x[/bold] [a](http://x) [@click=app.bell]y", 200)
    assert text_of(lines[0]) == "[bold]x[/bold] [a](http://x) [@click=app.bell]y"


def test_reasoning_is_folded_until_it_is_opened() -> None:
    turn = ModelTurn(turn=3, content="done", reasoning="first\nsecond thought")
    assert "second thought" not in shown(turn) and "reasoning, 2 lines: first" in shown(turn)
    assert "second thought" in shown(turn, open=True)


def test_a_tool_call_is_one_line_that_opens() -> None:
    event = ToolResult(
        turn=1,
        call_id="c",
        name="read_file",
        text="a\nb\nc",
        arguments={"path": "x/y.py", "start_line": 3, "end_line": 9},
    )
    folded = shown(event)
    assert folded.strip().split("\n")[0] == "▸ ✓ read_file x/y.py 3-9  3 lines"
    assert "│ a" not in folded and "│ a" in shown(event, open=True)


def test_an_edit_is_a_difference_of_the_stored_contents() -> None:
    contents = {"0" * 64: "a = 1\nb = 2\n", "1" * 64: "a = 1\nb = 3\n"}
    event = ToolResult(
        turn=1,
        call_id="c",
        name="edit_lines",
        text="ok",
        arguments={"path": "m.py"},
        delta=[TreeChange(path="m.py", before="0" * 64, after="1" * 64)],
    )
    text = shown(event, blob=contents.get)
    assert "2 - b = 2" in text and "2 + b = 3" in text


def test_an_edit_without_its_contents_shows_what_the_call_says() -> None:
    event = ToolResult(
        turn=1,
        call_id="c",
        name="edit_replace",
        text="ok",
        arguments={"path": "m.py", "old_text": "old", "new_text": "new"},
        delta=[TreeChange(path="m.py", before="0" * 64, after="1" * 64)],
    )
    assert "- old" in shown(event) and "+ new" in shown(event)


def test_errors_show_their_text_at_once_and_refusals_say_so() -> None:
    event = ToolResult(
        turn=1,
        call_id="c",
        name="read_file",
        arguments={"path": "../x"},
        text="Error: outside of the tree",
        is_error=True,
        path_refused=True,
    )
    assert "path refused" in shown(event) and "Error: outside of the tree" in shown(event)


def test_findings_of_lint_are_shown() -> None:
    event = ToolResult(
        turn=1,
        call_id="c",
        name="lint",
        arguments={},
        text="a.py:1:2: F401 unused",
        lint_findings=1,
    )
    assert "1 findings" in shown(event) and "a.py:1:2: F401 unused" in shown(event)


def test_nudges_retries_and_failed_tests_are_told_apart() -> None:
    nudge = MessageAdded(role="user", kind="nudge", content="use a tool")
    retry = RequestRetried(turn=1, attempt=1, wait_s=2, error=ErrorInfo(kind="x", message="busy"))
    assert "nudge: use a tool" in shown(nudge) and "sent again after 2.0 s" in shown(retry)
    first = TestOutcome(id="t::a", group="fail_to_pass", outcome="failed", message="assert 1 == 2")
    assert "Tests that have to be mended" in shown(first) and "assert 1 == 2" in shown(first)
    second = TestOutcome(id="t::b", group="fail_to_pass", outcome="passed")
    assert "Tests that" not in shown(second, previous=first)
    third = TestOutcome(id="t::c", group="pass_to_pass", outcome="passed", twin="passed")
    assert "Tests that must not break" in shown(third, previous=second)
    assert "passes falsified as well" in shown(third, previous=second)


@pytest.mark.parametrize(
    ("status", "resolved", "word"),
    [
        (GradeStatus.OK, True, "resolved"),
        (GradeStatus.WRONG_ANSWER, False, "not resolved"),
        (GradeStatus.RUNNER_ERROR, False, "no score"),
    ],
)
def test_the_verdict_is_a_word(status: GradeStatus, resolved: bool, word: str) -> None:
    text = shown(GradingFinished(grade_status=status, resolved=resolved))
    assert f"Graded: {word}" in text


def test_a_line_that_cannot_be_read_is_shown_as_it_is() -> None:
    lines = event_lines(None, b'{"type":"from_the_future","x":1}', Context(200))
    assert "from_the_future" in text_of(lines[0])


def test_differences_of_new_deleted_and_unended_files() -> None:
    added = [text_of(line).rstrip() for line in diff_lines(None, "x\ny\n", "a.txt", 40)]
    assert added == ["1 + x", "2 + y"]
    gone = [text_of(line).rstrip() for line in diff_lines("x\n", None, "a.txt", 40)]
    assert gone[0] == "1 - x"
    ends = [text_of(line) for line in diff_lines("x\n", "x", "a.txt", 40)]
    assert any("no newline at the end now" in line for line in ends)


def test_far_changes_have_a_mark_between_them() -> None:
    before = "\n".join(str(n) for n in range(50)) + "\n"
    after = before.replace("3\n4\n", "3\nfour\n", 1).replace("44\n45", "44\nxlv")
    assert any("⋯" in text_of(line) for line in diff_lines(before, after, "n.txt", 40))


def test_a_unified_diff_is_taken_apart_by_file() -> None:
    diff = (
        "--- a/one.py\n+++ b/one.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n"
        "--- /dev/null\n+++ b/two.txt\n@@ -0,0 +1,2 @@\n+--- not a header\n++++ nor this\n"
    )
    parts = split_files(diff)
    assert list(parts) == ["one.py", "two.txt"]
    lines = [text_of(line).rstrip() for line in unified_lines(parts["two.txt"], "two.txt", 60)]
    assert lines[0].endswith("+ --- not a header") and lines[1].endswith("+ +++ nor this")


def test_code_keeps_every_line_in_every_language() -> None:
    for language in ("python", "typescript", "json", "nonsense", ""):
        text = "a\n\n  b = '\n\n"
        rows = [text_of(line) for line in code_lines(text, language)]
        assert "\n".join(rows) == text


def test_the_task_is_in_view_and_the_list_of_files_is_folded() -> None:
    from harness.agent.prompts import user_message

    tree = {f"pkg/__init_{n}__.py": b"x\n" for n in range(30)}
    event = MessageAdded(
        role="user",
        kind="prompt",
        content=user_message(tree, "\n".join(f"Rule {n}." for n in range(20))),
    )
    folded = shown(event)
    assert "Rule 0." in folded and "Rule 19." in folded
    assert "__init_3__" not in folded and "lines before: the files" in folded
    opened = shown(event, open=True)
    assert "pkg/__init_3__.py (1 line)" in opened and "Rule 19." in opened
