"""Lists, search, forms: what screens show, without a screen."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from harness.outcome import SampleState
from harness.state.follow import RunFollower
from harness.state.view import RunView
from harness.store.runs import list_runs
from tests.tui.recorded import BEGAN, Recorder, episode, make_run, write_attempt
from tui.model.facts import attempt_facts, run_facts
from tui.model.hidden_tests import TestBlocks
from tui.model.marks import next_mark, turn_row
from tui.model.new_run import ChoiceBlocks, run_arguments, sandbox_choices, suite_choices
from tui.model.panes import DiffBlocks, FileBlocks, RawBlocks
from tui.model.progress import counts, duration, left, progress_bar, short
from tui.model.runs import RunBlocks, head_line, when
from tui.model.samples import SORTS, SampleBlocks
from tui.model.search import Search
from tui.model.source import LiveSource, ReplaySource
from tui.model.transcript import KINDS, TranscriptBlocks
from tui.render.lines import text_of, width_of


def whole(source: ReplaySource) -> ReplaySource:
    while not source.prepare(300):
        pass
    return source


@pytest.fixture
def source(run: Path) -> ReplaySource:
    return whole(ReplaySource(run / "transcripts/stockroom-reorder-point@1/attempt-1.jsonl"))


def blocks_of(source: ReplaySource) -> TranscriptBlocks:
    return TranscriptBlocks(source.rows, source.view)


# --- the transcript


def test_requests_are_no_blocks_and_filters_leave_their_kind(source: ReplaySource) -> None:
    blocks = blocks_of(source)
    kinds = [source.rows.kind(blocks.row(i) or 0) for i in range(len(blocks))]
    assert "model_request" not in kinds and len(kinds) == len(source.rows) - 5
    for name, wanted in KINDS.items():
        blocks.filter(name)
        assert len(blocks) > 0
        assert {source.rows.kind(blocks.row(i) or 0) for i in range(len(blocks))} <= wanted
    blocks.filter("edits")
    assert len(blocks) == 2
    blocks.filter("errors")
    assert len(blocks) == 2


def test_a_replay_that_goes_back_takes_blocks_back(source: ReplaySource) -> None:
    blocks = blocks_of(source)
    full = len(blocks)
    source.timeline.seek(6)
    source.sync()
    assert blocks.refresh() and len(blocks) == 5
    source.timeline.seek(len(source.timeline))
    source.sync()
    assert blocks.refresh() and len(blocks) == full


def test_folds_stay_with_their_rows(source: ReplaySource) -> None:
    blocks = blocks_of(source)
    index = blocks.index_of(next(r for r in range(99) if source.rows.kind(r) == "model_turn"))
    assert index is not None
    folded = blocks.lines(index, 80)
    assert blocks.toggle(index)
    assert len(blocks.lines(index, 80)) > len(folded)
    blocks.toggle_reasoning()
    blocks.toggle_reasoning()
    assert blocks.lines(index, 80) == folded


def test_what_is_being_written_stands_at_the_end(run: Path) -> None:
    follower = RunFollower(run)
    sample = follower.catch_up().samples["ledger-round-half@1"]
    source = LiveSource(run, sample)
    source.view.stream_turn, source.view.stream = 4, {"reasoning": "hm", "text": "so **far**"}
    blocks = TranscriptBlocks(source.rows, source.view, live=True)
    tail = "\n".join(text_of(line) for line in blocks.lines(len(blocks) - 1, 80))
    assert "Turn 4  writing" in tail and "so far" in tail and "hm" in tail
    source.close()
    follower.close()


def test_calls_without_a_result_are_under_way(run: Path) -> None:
    from harness.store.run_folder import RunFolder

    folder = RunFolder.open(run)

    def cut(r: Recorder) -> None:
        episode(r, until="edit")
        del r.events[-1]

    write_attempt(folder, "router-trailing-slash@1", cut)
    follower = RunFollower(run)
    sample = follower.catch_up().samples["router-trailing-slash@1"]
    sample.attempt = 1
    source = LiveSource(run, sample)
    blocks = TranscriptBlocks(source.rows, source.view, live=True)
    tail = "\n".join(text_of(line) for line in blocks.lines(len(blocks) - 1, 80))
    assert "◌ search /reorder_point/" in tail and "read_file" not in tail


def test_search_finds_rows_in_any_case_and_goes_round(source: ReplaySource) -> None:
    blocks = blocks_of(source)
    search = Search(source.rows, "SAFETY", blocks.shown)
    while not search.done:
        search.advance(3)
    assert len(search.hits) >= 5
    assert all("safety" in blocks.shown(row).lower() for row in search.hits)
    first, last = search.hits[0], search.hits[-1]
    assert search.next(last, 1) == first and search.next(first, -1) == last
    assert search.next(-1, 1) == first and search.number(last) == len(search.hits)
    search.cut(last)
    assert last not in search.hits


@pytest.mark.parametrize("needle", ['"math"', "\\", "x\ty", "ü", "nowhere at all"])
def test_search_takes_any_text(source: ReplaySource, needle: str) -> None:
    search = Search(source.rows, needle, blocks_of(source).shown)
    search.finish()
    assert search.done and (needle != '"math"' or search.hits)


def test_marks_are_read_off_the_lines(source: ReplaySource) -> None:
    rows = source.rows
    error = next_mark(rows, 0, "error")
    assert error is not None and rows.kind(error) == "retry"
    assert next_mark(rows, len(rows), "error") is None
    turn = turn_row(rows, 0, 1)
    assert turn is not None and turn_row(rows, turn, -1) is None


# --- the other tabs


def test_the_difference_is_against_the_starting_tree_at_the_position(source: ReplaySource) -> None:
    diff = DiffBlocks(source=source)
    assert diff.refresh() and diff.keys == ["stockroom/orders.py"]
    text = diff.text(0)
    assert "+import math" in text and "-    return int(" in text
    assert not diff.refresh()
    source.timeline.seek(5)
    source.sync()
    whole(source)
    assert diff.refresh() and len(diff) == 0 and "No file differs" in diff.empty


def test_tests_are_in_groups_and_failures_come_first(run: Path) -> None:
    path = run / "transcripts/stockroom-csv-import@1/attempt-1.jsonl"
    tests = TestBlocks()
    assert tests.refresh(whole(ReplaySource(path)).view)
    lines = [text_of(line) for i in range(len(tests)) for line in tests.lines(i, 90)]
    heads = [line for line in lines if "passed" in line and ":" in line and "::" not in line]
    assert heads == [
        "Tests that have to be mended (fail_to_pass): 0 of 2 passed",
        "Tests that must not break (pass_to_pass): 2 of 2 passed",
    ]
    assert any("NameError" in line for line in lines)
    assert tests.toggle(0)


def test_files_are_those_of_the_position(source: ReplaySource) -> None:
    files = FileBlocks()
    files.refresh(source.view)
    assert [text_of(files.lines(i, 60)[0]) for i in range(len(files))] == [
        "  README.md",
        "  stockroom/__init__.py",
        "~ stockroom/orders.py",
    ]


def test_raw_lines_open_to_their_json(source: ReplaySource) -> None:
    raw = RawBlocks(rows=source.rows)
    raw.refresh()
    assert len(raw) == len(source.rows) and len(raw.lines(0, 80)) == 1
    assert raw.toggle(0)
    assert '"type": "attempt_started"' in "\n".join(text_of(line) for line in raw.lines(0, 80))


def test_facts_tell_plan_containment_usage_and_timings(run: Path, source: ReplaySource) -> None:
    groups = dict(attempt_facts(source.view))
    assert ("task", "stockroom-reorder-point") in groups["Sample"]
    groups = dict(run_facts(run, "stockroom-reorder-point@1"))
    assert ("episode", "31.00 s") in groups["Timings"]
    assert ("quantisation", "Q5_K_M") in groups["Plan"]
    assert ("network", "none") in groups["Containment, read inside the box"]
    assert ("name", "first try") in groups["Run"]


# --- lists


def test_samples_sort_and_filter(run: Path) -> None:
    follower = RunFollower(run)
    blocks = SampleBlocks(follower.catch_up())
    blocks.refresh()
    assert len(blocks) == 6
    for name in SORTS:
        blocks.sort = name
        blocks.refresh()
        assert len(blocks) == 6
    blocks.sort = "name"
    blocks.refresh()
    assert blocks.key(0) == "almanac-leap-week@1"
    blocks.words = "stockroom unresolved"
    blocks.refresh()
    assert [blocks.key(i) for i in range(len(blocks))] == ["stockroom-csv-import@1"]
    assert "✗ unresolved" in text_of(blocks.lines(0, 60)[0])
    follower.close()


@pytest.mark.parametrize("width", [20, 30, 52, 120])
def test_a_sample_is_one_line_at_any_width(run: Path, width: int) -> None:
    follower = RunFollower(run)
    blocks = SampleBlocks(follower.catch_up())
    blocks.refresh()
    for index in range(len(blocks)):
        assert len(blocks.lines(index, width)) == 1
    follower.close()


@pytest.mark.parametrize("width", [78, 100, 118, 298])
def test_runs_stand_in_columns(tmp_path: Path, width: int) -> None:
    make_run(tmp_path)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "plan.json").write_text("{")
    blocks = RunBlocks(runs=list(list_runs(tmp_path)), now=BEGAN + timedelta(hours=3))
    blocks.refresh()
    lines = [blocks.lines(i, width)[0] for i in range(2)]
    assert all(width_of(line) <= width for line in lines)
    row = next(text_of(line) for line in lines if "repos" in text_of(line))
    head = text_of(head_line(width, blocks))
    assert row.index("repos") == head.index("suite") - 2 + 0
    assert "3 h ago" in row and "50.0 %" in row and "2/6" in row
    assert "first try" in row  # its name; a run without one shows its id
    unnamed = RunBlocks([replace(run, name="") for run in blocks.runs], now=blocks.now)
    unnamed.refresh()
    assert any("m-run " in text_of(unnamed.lines(i, width)[0]) for i in range(2))
    assert any("unreadable" in text_of(line) for line in lines)


def test_times_as_people_say_them() -> None:
    assert when(BEGAN, BEGAN + timedelta(seconds=5)) == "just now"
    assert when(BEGAN, BEGAN + timedelta(minutes=5)) == "5 min ago"
    assert when(None, BEGAN) == "unknown"
    assert duration(3661) == "1 h 01 min" and duration(None) == "unknown"
    assert short(12_345) == "12.3k" and short(None) == "?" and short(4_560_000) == "4.56M"


def test_the_bar_is_always_as_long_as_it_should_be(run: Path) -> None:
    follower = RunFollower(run)
    view = follower.catch_up()
    for width in (3, 10, 24, 60):
        assert width_of(tuple(progress_bar(view, width))) == width
    assert "1 resolved" in text_of(counts(view))
    follower.close()


def test_the_time_left_is_unknown_until_something_got_a_score() -> None:
    view = RunView()
    view.plan((f"t{n}@1", "repos", f"t{n}", 1) for n in range(4))
    view.elapsed = 10.0
    assert view.eta_s() is None
    view.finished = 2
    for key in ("t0@1", "t1@1"):  # both failed at once: that says nothing of the others
        view.move(view.samples[key], SampleState.NO_SCORE)
    assert view.eta_s() is None
    view.finished = 3
    view.move(view.samples["t2@1"], SampleState.RESOLVED)
    assert view.eta_s() == pytest.approx(10 / 3)
    assert left(None) == "unknown" and left(0.2) == "under 1 s" and left(75.0) == "1 min 15 s"


# --- a new run

DOCTOR = {
    "suites": [
        {"name": "repos (python)", "state": "runs here", "detail": "in docker", "remedy": None},
        {"name": "repos (typescript)", "state": "refused", "detail": "no node", "remedy": "x"},
        {"name": "sacb", "state": "refused", "detail": "needs a file", "remedy": "--data"},
        {"name": "mmlu", "state": "needs data", "detail": "not here", "remedy": "--data mmlu=P"},
    ],
    "runtimes": [
        {"name": "docker", "state": "ready", "version": "29", "detail": "", "remedy": None},
        {"name": "podman", "state": "not_running", "detail": "stopped", "remedy": "start it"},
    ],
}


def test_what_doctor_refuses_cannot_be_chosen_and_says_why() -> None:
    repos, sacb, mmlu = suite_choices(DOCTOR)
    assert mmlu.usable
    (line,) = ChoiceBlocks([mmlu]).lines(0, 100)
    assert "needs data: not here" in text_of(line) and "--data" not in text_of(line)
    (line,) = ChoiceBlocks([mmlu], marked=["mmlu"]).lines(0, 100)
    assert "needs data: not here -> --data mmlu=P" in text_of(line)
    assert repos.usable and "not typescript" in repos.detail
    assert not sacb.usable and "needs a file -> --data" in sacb.detail
    auto, docker, podman = sandbox_choices(DOCTOR)
    assert auto.usable and docker.usable and not podman.usable
    assert "start it" in podman.detail
    assert suite_choices(None) == [] and suite_choices({"suites": "x"}) == []


@pytest.mark.parametrize(
    ("suites", "model", "sandbox", "fields", "expected"),
    [
        ([], "oracle", "auto", {}, "choose a suite"),
        (["repos"], "", "auto", {}, "choose a model"),
        (["repos"], "oracle", "auto", {"limit": "x"}, "limit is a number"),
        (["repos"], "oracle", "auto", {"limit": "0"}, "limit is a number"),
    ],
)
def test_a_form_says_what_is_missing(
    suites: list[str], model: str, sandbox: str, fields: dict[str, str], expected: str
) -> None:
    arguments, missing = run_arguments(suites, model, sandbox, fields)
    assert arguments == [] and expected in missing


def test_a_form_makes_the_command_line() -> None:
    fields = {"limit": "3", "epochs": "2", "name": " my run ", "base_url": "http://127.0.0.1:1/v1"}
    fields["data"] = "mmlu=/data/mmlu 'repos=/my repos'"
    arguments, missing = run_arguments(["mmlu", "repos"], "m", "docker", fields)
    assert missing == ""
    assert arguments == [
        "run", "mmlu", "repos", "--model", "m", "--base-url", "http://127.0.0.1:1/v1",
        "--sandbox", "docker", "--data", "mmlu=/data/mmlu", "--data", "repos=/my repos",
        "--limit", "3", "--epochs", "2", "--name", "my run",
    ]  # fmt: skip
