"""Text that wants more than to be read: shown as what it is, whatever it is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.events.grading import GradingFinished, ReviewFlag, TestOutcome
from harness.events.model import MessageAdded, ModelTurn
from harness.events.sample import AttemptStarted
from harness.events.tool import ToolResult, TreeChange
from harness.events.union import TranscriptEvent
from harness.outcome import GradeStatus
from harness.state.view import TranscriptView
from tests.tui.conftest import AppMaker
from tests.tui.recorded import Recorder, write_events
from tests.tui.screens import settle, text
from tui.model.rows import ListRows
from tui.model.transcript import TranscriptBlocks
from tui.render.context import Context
from tui.render.event import event_lines
from tui.render.lines import text_of, width_of
from tui.screens.replay import ReplayScreen

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = [
    "[/]", "[/tmp/x] [", "list[int]", "[ERROR] x", "[@click=app.bell]x[/]", "[b", "tail[", "tail\\",
    "[link=http://x]y[/link]", "\x1b]52;c;aGk=\x07", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\y",
    "\x1b[2K\x1b[6n\x1bc", "\x1bPq\x1b\\", "\x1b]52;never ended", "\x9b31m\x9d0;x\x9c", "a\x00b",
    "over\rwritten", "a\b\b\bz", "\u202eevil\u202c", "\u200b\u200d\ufeff", "a" + "\u0301" * 500,
    "👩‍💻🇫🇷❤️", "\ttab\t", "\ud800 lone", "x" * 1_000_000, "line\n" * 100_000, "", " ", "\n\n",
    "```", "**", "`" * 7, "# ", "- " * 50, "|" * 99, "$primary [$error]", "{{}} %s {0}", "A\u2028B",
]  # fmt: skip
# What a terminal acts on, or what hides.
ACTING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def events_of(text: str) -> list[TranscriptEvent]:
    """The text in every place that a model or a tree can put it."""
    return [
        AttemptStarted(version=1, run_id="r", sample="s", suite="repos", task_id=text[:300],
                       epoch=1, attempt=1, model=text[:300]),
        MessageAdded(role="user", kind="prompt", content=text),
        MessageAdded(role="user", kind="nudge", content=text[:5000]),
        ModelTurn(turn=1, content=text, reasoning=text),
        ToolResult(turn=1, call_id="c", name=text[:300], text=text,
                   arguments={"path": text, text[:99]: text, "new_text": text},
                   delta=[TreeChange(path=text[:3000], before=None, after="1" * 64)]),
        ToolResult(turn=1, call_id="c", name="lint", text=text, arguments=None, lint_findings=3),
        ToolResult(turn=1, call_id="c", name="search", text=text, is_error=True,
                   arguments={"pattern": text, "glob": text}),
        TestOutcome(id=text[:3000], group="other", outcome="failed", message=text),
        GradingFinished(grade_status=GradeStatus.TAMPERED, resolved=False, detail=text,
                        tampered_ids=[text[:3000]], flags=[ReviewFlag(kind=text, detail=text)]),
    ]  # fmt: skip


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_every_event_is_bounded_and_nothing_in_it_acts(hostile: str) -> None:
    for event in events_of(hostile):
        for opened in (False, True):
            lines = event_lines(event, b"", Context(80, open=opened))
            assert len(lines) < 8_000
            for line in lines:
                assert ACTING.search(text_of(line)) is None, repr(text_of(line))[:200]
                assert "\n" not in text_of(line)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300) | st.binary(max_size=300).map(lambda b: b.decode("latin-1")),
       st.integers(8, 130))  # fmt: skip
def test_any_text_in_any_event_renders(hostile: str, width: int) -> None:
    events = events_of(hostile)
    blocks = TranscriptBlocks(ListRows(events), TranscriptView())
    for index in range(len(blocks)):
        for _ in range(2):
            for line in blocks.lines(index, width):
                assert ACTING.search(text_of(line)) is None
            blocks.toggle(index)
        assert isinstance(blocks.text(index), str)


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="ab` *_#\n-|>123.~ é字", max_size=400), st.integers(20, 60))
def test_markdown_never_runs_over_the_edge(said: str, width: int) -> None:
    for line in event_lines(ModelTurn(turn=1, content=said), b"", Context(width)):
        assert width_of(line) <= width + 1 or not text_of(line).strip()


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_as_a_line_of_a_transcript_are_shown(raw: bytes) -> None:
    lines = event_lines(None, raw, Context(80))
    assert lines and all(ACTING.search(text_of(line)) is None for line in lines)


async def test_a_whole_screen_of_it(app: AppMaker, tmp_path: Path) -> None:
    recorder = Recorder(None, "s@1")  # type: ignore[arg-type]
    for hostile in HOSTILE:
        for event in events_of(hostile):
            recorder.after(0.1, event)
    path = write_events(tmp_path / "hostile.jsonl", recorder.events)
    with path.open("ab") as file:
        file.write(b'\xff\xfe garbage \x1b[2K\n{"type":"from_the_future","a":1}\n{"torn')
    made = app(lambda: ReplayScreen(path))
    async with made.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        for key in (
            "G",
            "g",
            "o",
            "pagedown",
            "pagedown",
            "G",
            "r",
            "2",
            "3",
            "4",
            "5",
            "enter",
            "6",
        ):
            await pilot.press(key)
            shown = text(made)
            assert ACTING.search(shown) is None
        assert made.return_code in (None, 0)


def test_no_widget_takes_text_that_is_not_literal_as_markup() -> None:
    """Static, Label and Button read markup in strings; only ``tui.plain`` may use Static."""
    for path in (ROOT / "tui").rglob("*.py"):
        if path.name == "plain.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            where = f"{path}:{node.lineno}"
            assert name not in ("Static", "Label", "from_markup", "from_ansi", "print"), where
            if name == "notify":
                assert any(k.arg == "markup" for k in node.keywords), where
            if name == "Button" and node.args:
                literal = isinstance(node.args[0], ast.Constant)
                assert literal or "content(" in ast.unparse(node.args[0]), where
