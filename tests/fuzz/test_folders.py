"""Damaged run folders: viewers show what there is, a runner names what it cannot read."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from harness.control import CommandTail, append_command, call_of
from harness.errors import ProctorError, StorageError
from harness.events.run import SampleFinished
from harness.state.follow import RunFollower, SampleFollower
from harness.state.replay import Replay
from harness.store import layout
from harness.store.run_folder import RunFolder
from harness.store.runs import list_runs, state_word
from harness.store.transcript import read_run_log, read_transcript
from tests.fuzz.effort import examples
from tests.fuzz.values import VALUES, altered, nested, torn
from tests.support.counting_suite import carry_out, make_folder, make_plan

_FILES = st.sampled_from(
    [
        layout.PLAN, layout.RUN_LOG, layout.SAMPLES, layout.CONTROL, "sessions/1.json", "lock",
        "summary.json", "transcripts", "live",
    ]
)  # fmt: skip


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """A run that ended, agentic and single-shot, with commands and a live file left behind."""
    made = {}
    for agentic in (True, False):
        root = tmp_path_factory.mktemp("agentic" if agentic else "shots")
        folder = make_folder(root, make_plan(3, steps=2, agentic=agentic))
        asyncio.run(carry_out(folder))
        append_command(folder.path, "set_concurrency", value=3)
        append_command(folder.path, "human_call", sample="t0000@1", call={"name": "lint"})
        live = folder.path / layout.live_file("t0000@1")
        live.parent.mkdir(exist_ok=True)
        live.write_bytes(b'{"turn":9,"kind":"text","offset":0,"text":"so far"}\n' * 2)
        made[agentic] = folder.path
    return made


def chosen(folder: Path, name: str) -> Path:
    """A file of this name, or the first one in the folder of that name."""
    path = folder / name
    return min(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else path


def look(folder: Path) -> None:
    """Everything that viewers do."""
    for run in list_runs(folder.parent):
        state_word(run)
    try:
        opened = RunFolder.open(folder)
        for key in opened.records():
            opened.records()[key].model_dump_json()
            opened.transcript_of(key)
            opened.attempts(key)
        opened.launch.model_dump_json()
    except ProctorError as error:
        assert str(error)
    try:
        list(read_run_log(folder / layout.RUN_LOG))
    except StorageError as error:
        assert layout.RUN_LOG in str(error)
    for path in (folder / layout.TRANSCRIPTS).rglob("*.jsonl"):
        try:
            list(read_transcript(path))
        except StorageError as error:
            assert path.name in str(error)
    for command in CommandTail(folder).poll():
        try:
            call_of(folder, command)
        except ProctorError as error:
            assert str(error)
    follow(folder)


def follow(folder: Path) -> None:
    try:
        follower = RunFollower(folder)
        view = follower.catch_up()
    except ProctorError:
        return
    for sample in list(view.samples.values())[:4]:
        one = SampleFollower(folder, sample)
        while one.poll(sample) or not one.caught_up:
            pass
        if one.index is not None:
            replay = Replay(one.index, RunFolder(folder, follower.plan, "").blobs)
            replay.seek(len(one.index))
            replay.step(-1)
            assert replay.delay_s() >= 0
            for path in replay.tree():
                with suppress(StorageError):
                    replay.file(path)
        one.close()
    follower.close()


def take(folder: Path) -> None:
    """What a runner does first."""
    try:
        opened = RunFolder.open(folder)
        with opened.lock():
            opened.run_log.append(
                SampleFinished(
                    sample="t0000@1", suite="counting", task_id="t0000", epoch=1, attempt=9,
                    verdict="no_score", stop_reason="interrupted",
                )
            )  # fmt: skip
            assert all(isinstance(n, int) for n in opened.attempts("t0000@1"))
            opened.write_summary(without_score=1)
        read = list(read_run_log(folder / layout.RUN_LOG))
        assert read[-1].seq >= 1
    except ProctorError as error:
        assert str(error)


@pytest.fixture
def copy(finished: dict[bool, Path]) -> Iterator[Any]:
    """Copies of the finished runs, one at a time."""
    with tempfile.TemporaryDirectory() as root:

        def fresh(agentic: bool) -> Path:
            shutil.rmtree(Path(root) / "runs", ignore_errors=True)
            target = Path(root) / "runs" / finished[agentic].name
            shutil.copytree(finished[agentic], target)
            return target

        yield fresh


@examples(80)
@given(st.data(), st.booleans(), _FILES, st.sampled_from(["bytes", "line", "line"]))
def test_a_damaged_file_is_named_and_never_a_crash(
    copy: Any, data: st.DataObject, agentic: bool, name: str, how: str
) -> None:
    folder = copy(agentic)
    path = chosen(folder, name)
    assume(path.exists())
    content = path.read_bytes()
    if how == "bytes" or not content.strip().startswith(b"{"):
        path.write_bytes(data.draw(torn(content)))
    else:
        lines = content.splitlines() if path.suffix == ".jsonl" else [content]
        number = data.draw(st.integers(0, len(lines) - 1))
        lines[number] = json.dumps(data.draw(altered(json.loads(lines[number])))).encode()
        path.write_bytes(b"\n".join(lines) + b"\n")
    look(folder)
    take(folder)
    look(folder)


LINES = [
    b"[" * 3000 + b"]" * 3000,
    json.dumps(nested(300)).encode(),
    b'{"seq":1e999,"elapsed":NaN,"time":7,"type":"run_notice","level":"info","text":"x"}',
    b'{"seq":"x","elapsed":"y","time":null,"type":"run_notice","level":"info","text":"x"}',
    b'{"seq":1,"elapsed":0,"time":"2026-01-01","type":"run_notice","level":"info","text":"x"}',
    b'{"seq":' + b"9" * 5000 + b"}",
    b'{"turn":1e999,"offset":0,"kind":"text","text":"x"}',
    b'{"turn":1,"offset":-5,"kind":"text","text":"\\ud800"}',
    b'{"event":{"type":"no_such"}}',
    b"7", b"null", b'"\\ud800"', b"\xff\xfe", b"{}", b"", b"x" * 3_000_000,
]  # fmt: skip


@pytest.mark.parametrize(
    "name", [layout.RUN_LOG, layout.SAMPLES, layout.CONTROL, "live", "transcripts"]
)
@pytest.mark.parametrize("agentic", [True, False], ids=["agentic", "shots"])
def test_lines_that_no_runner_writes(copy: Any, agentic: bool, name: str) -> None:
    for line in LINES:
        folder = copy(agentic)
        path = chosen(folder, name)
        if not path.exists():
            continue
        path.write_bytes(path.read_bytes() + line + b"\n")
        look(folder)
        take(folder)


@examples(40)
@given(VALUES.map(json.dumps), _FILES)
@example("[" * 5000, layout.PLAN)
@example("[" * 5000, "sessions/1.json")
@example("[" * 5000, "summary.json")
@example("[" * 5000, "lock")
def test_a_file_of_any_json(copy: Any, text: str, name: str) -> None:
    folder = copy(True)
    path = chosen(folder, name)
    assume(path.exists())
    path.write_text(text)
    look(folder)
    take(folder)


@pytest.mark.parametrize(
    "name", [layout.PLAN, layout.RUN_LOG, layout.SAMPLES, "sessions/1.json", "lock"]
)
def test_a_folder_where_a_file_should_be(copy: Any, name: str) -> None:
    folder = copy(True)
    path = folder / name
    path.unlink(missing_ok=True)
    path.mkdir()
    look(folder)
    take(folder)
