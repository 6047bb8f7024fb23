"""A run folder: made safely, opened strictly, owned by one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConflictError, ProctorError, StorageError, UsageError
from harness.events.base import Usage
from harness.events.model import MessageAdded, ModelTurn
from harness.events.run import RunNotice
from harness.events.sample import AttemptFinished, AttemptStarted
from harness.outcome import GradeStatus, StopReason, Verdict
from harness.plan import Launch
from harness.store import layout
from harness.store.appender import Appender
from harness.store.lock import is_running
from harness.store.records import SampleRecord
from harness.store.run_folder import RunFolder, default_runs_dir
from harness.store.runs import list_runs, run_info
from harness.store.transcript import read_run_log, read_transcript
from tests.support.counting_suite import make_plan

ROOT = Path(__file__).resolve().parents[2]


def new_folder(root: Path) -> RunFolder:
    return RunFolder.create(root, make_plan(3), Launch(concurrency=2, name="mine"))


def header(key: str, attempt: int = 1) -> AttemptStarted:
    return AttemptStarted(
        version=1,
        run_id="r",
        sample=key,
        suite="counting",
        task_id=key.split("@")[0],
        epoch=1,
        attempt=attempt,
        model="echo",
    )


def record(folder: RunFolder, key: str, *, attempt: int = 1, **changes: object) -> SampleRecord:
    values: dict[str, object] = {
        "sample": key,
        "suite": "counting",
        "task_id": key.split("@")[0],
        "epoch": 1,
        "attempt": attempt,
        "session": 1,
        "plan": folder.plan_digest,
        "executes_code": False,
        "attestation": None,
        "verdict": Verdict.RESOLVED,
        "stop_reason": StopReason.FINISHED,
        "grade_status": GradeStatus.OK,
        "usage": Usage(prompt=1),
    }
    return SampleRecord.model_validate({**values, **changes})


def test_a_new_folder_is_for_its_owner_only_and_opens_as_it_was_made(tmp_path: Path) -> None:
    made = new_folder(tmp_path / "runs")
    assert made.path.stat().st_mode & 0o777 == 0o700
    assert (made.path / layout.PLAN).stat().st_mode & 0o077 == 0
    again = RunFolder.open(made.path)
    assert again.plan == made.plan
    assert again.plan_digest == made.plan.digest
    assert again.launch == Launch(concurrency=2, name="mine")
    assert len(again.records()) == 0


def test_an_edited_plan_is_a_conflict_but_its_layout_is_not(tmp_path: Path) -> None:
    path = new_folder(tmp_path).path
    plan = json.loads((path / layout.PLAN).read_bytes())
    (path / layout.PLAN).write_text(json.dumps(plan, indent=4))
    RunFolder.open(path)
    plan["epochs"] = 2
    (path / layout.PLAN).write_text(json.dumps(plan))
    with pytest.raises(ConflictError, match="changed after it was sealed"):
        RunFolder.open(path)


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"", StorageError, "cannot be read"),
        (b"{", StorageError, "cannot be read"),
        (b"[1]", StorageError, "plan.json"),
        (b'{"version":1}', StorageError, "Field required"),
        (b"\xff\xfe", StorageError, "cannot be read"),
        (b'{"version":999}', UsageError, "newer version"),
        (b"[" * 100_000, StorageError, "cannot be read"),
    ],
)
def test_a_plan_that_cannot_be_used_is_one_clear_error(
    tmp_path: Path, content: bytes, error: type[ProctorError], words: str
) -> None:
    path = new_folder(tmp_path).path
    (path / layout.PLAN).write_bytes(content)
    with pytest.raises(error, match=words):
        RunFolder.open(path)


def test_what_is_no_run_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for name in ("missing", "file", "."):
        with pytest.raises(UsageError, match="not a run folder"):
            RunFolder.open(tmp_path / name)


def test_a_place_that_cannot_hold_runs_is_said_before_anything_begins(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError):
        new_folder(tmp_path / "file")


def test_a_read_only_folder_can_be_viewed_but_not_run(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("mounting read-only needs root")
    path = new_folder(tmp_path).path
    if subprocess.run(["mount", "--bind", path, path], capture_output=True).returncode != 0:
        pytest.skip("no bind mount can be made here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", path], check=True)
        folder = RunFolder.open(path)
        assert folder.records() == {}
        assert not is_running(path)
        with pytest.raises(StorageError, match="Read-only file system"), folder.lock():
            pass
    finally:
        subprocess.run(["umount", "-l", path], check=True)


def test_a_second_process_is_refused_and_viewers_see_the_first(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    program = (
        "import sys\n"
        "from harness.store.run_folder import RunFolder\n"
        "from harness.errors import ConflictError\n"
        "try:\n"
        "    with RunFolder.open(sys.argv[1]).lock(): print('taken')\n"
        "except ConflictError as error: print('refused:', error)\n"
    )

    def other() -> str:
        return subprocess.run(
            [sys.executable, "-c", program, str(folder.path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert not is_running(folder.path)
    with folder.lock(), folder.lock():
        assert is_running(folder.path)
        said = other()
        assert said.startswith("refused:")
        assert f"process {os.getpid()} on" in said
    assert not is_running(folder.path)
    assert other() == "taken\n"


def test_a_beat_of_another_host_counts_as_running_until_it_is_stale(tmp_path: Path) -> None:
    path = new_folder(tmp_path).path
    (path / layout.LOCK).write_text(json.dumps({"host": "elsewhere", "pid": 1}))
    assert is_running(path)
    with pytest.raises(ConflictError, match="process 1 on elsewhere"), RunFolder.open(path).lock():
        pass
    os.utime(path / layout.LOCK, (0, 0))
    assert not is_running(path)
    with RunFolder.open(path).lock():
        assert is_running(path)


def test_writing_needs_the_lock(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    with pytest.raises(UsageError, match="without its lock"):
        folder.run_log.append(RunNotice(level="info", text="x"))


def test_torn_lines_are_cut_when_the_folder_is_owned_and_all_else_stays(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    with folder.lock():
        folder.run_log.append(RunNotice(level="info", text="one"))
        folder.append_record(record(folder, "t0000@1"))
        folder.append_record(record(folder, "t0001@1"))
    before = {name: (folder.path / name).read_bytes() for name in ("run.jsonl", "samples.jsonl")}
    line = before["samples.jsonl"].splitlines(keepends=True)[-1]
    for torn in (1, len(line) // 2, len(line) - 1):
        for name, content in before.items():
            (folder.path / name).write_bytes(content + line[:torn])
        again = RunFolder.open(folder.path)
        assert set(again.records()) == {"t0000@1", "t0001@1"}
        with again.lock():
            pass
        for name, content in before.items():
            assert (folder.path / name).read_bytes() == content


def test_a_record_cut_at_every_byte_leaves_the_ones_before(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    with folder.lock():
        folder.append_record(record(folder, "t0000@1"))
        folder.append_record(record(folder, "t0001@1"))
    samples = folder.path / layout.SAMPLES
    content = samples.read_bytes()
    first = content.index(b"\n") + 1
    for end in range(first, len(content)):
        samples.write_bytes(content[:end])
        assert set(RunFolder.open(folder.path).records()) == {"t0000@1"}


def test_the_last_final_record_of_a_sample_counts(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    with folder.lock():
        folder.append_record(record(folder, "t0000@1", verdict=Verdict.UNRESOLVED))
        folder.append_record(record(folder, "t0000@1", attempt=2))
    records = RunFolder.open(folder.path).records()
    assert list(records) == ["t0000@1"]
    assert records["t0000@1"].attempt == 2
    assert records["t0000@1"].verdict is Verdict.RESOLVED


def test_events_are_numbered_on_across_sessions_and_time_goes_forward(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    for text in ("one", "two"):
        with folder.lock():
            folder.run_log.append(RunNotice(level="info", text=text))
    events = list(read_run_log(folder.path / layout.RUN_LOG))
    assert [event.seq for event in events] == [1, 2]
    assert events[0].elapsed <= events[1].elapsed
    assert events[0].time is not None and events[0].time.tzinfo is not None


def test_an_agentic_attempt_is_written_through_at_once_and_closed(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    with folder.lock():
        sink = folder.sample_sink(header("t0000@1"), shared=False)
        sink.emit(MessageAdded(role="user", kind="prompt", content="hello"))
        path = folder.path / layout.attempt_file("t0000@1", 1)
        assert [e.type for e in read_transcript(path)] == ["attempt_started", "message"]
        digest = sink.blob(b"content")
        sink.tree(b"t" * 1000)
        sink.end(Verdict.RESOLVED, StopReason.FINISHED)
        reference, _ = sink.seal()
        sink.close()
    assert reference.file == layout.attempt_file("t0000@1", 1)
    assert [e.seq for e in read_transcript(path)] == [1, 2, 3]
    assert folder.blobs.get(digest) == b"content"
    assert folder.trees.load("t0000@1") == b"t" * 1000
    assert list((folder.path / layout.LIVE).iterdir()) == []


def test_an_attempt_that_opens_and_closes_itself_is_not_opened_twice(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    with folder.lock():
        sink = folder.sample_sink(header("t0000@1"), shared=False)
        sink.emit(header("t0000@1").model_copy(update={"task": {"mine": True}}))
        sink.emit(AttemptFinished(verdict=Verdict.RESOLVED, stop_reason=StopReason.FINISHED))
        sink.end(Verdict.RESOLVED, StopReason.FINISHED)
        sink.seal()
        sink.close()
    events = list(read_transcript(folder.path / layout.attempt_file("t0000@1", 1)))
    assert [event.type for event in events] == ["attempt_started", "attempt_finished"]


def test_single_shot_attempts_share_files_that_rotate(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    references = {}
    with folder.lock():
        folder.parts.shots._rotate_at = 2000
        for number in range(8):
            key = f"t{number:04d}@1"
            sink = folder.sample_sink(header(key), shared=True)
            sink.emit(ModelTurn(turn=1, content=f"reply {number} " * 20))
            sink.end(Verdict.RESOLVED, StopReason.FINISHED)
            references[key], _ = sink.seal()
            sink.close()
    assert len({reference.file for reference in references.values()}) > 1
    for key, reference in references.items():
        path = folder.transcript_path(reference)
        events = list(read_transcript(path, reference.offset, reference.length))
        assert [event.type for event in events] == [
            "attempt_started",
            "model_turn",
            "attempt_finished",
        ]
        assert isinstance(events[0], AttemptStarted) and events[0].sample == key


def test_a_reference_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    odd = record(folder, "t0000@1", transcript={"file": "../../etc/passwd"}).transcript
    assert odd is not None
    with pytest.raises(StorageError, match="outside"):
        folder.transcript_path(odd)


def test_runs_are_listed_newest_first_with_what_became_of_them(tmp_path: Path) -> None:
    first = new_folder(tmp_path)
    with first.lock():
        for number in range(3):
            first.append_record(record(first, f"t{number:04d}@1"))
    second = new_folder(tmp_path)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / layout.PLAN).write_text("{")
    (tmp_path / "not-a-run").mkdir()
    with second.lock():
        infos = {info.run_id: info for info in list_runs(tmp_path)}
    assert infos[first.run_id].state == "complete"
    assert (infos[first.run_id].scored, infos[first.run_id].resolved) == (3, 3)
    assert infos[first.run_id].suites == ("counting",)
    assert infos[second.run_id].state == "running"
    assert infos["broken"].state == "unreadable" and infos["broken"].problem
    assert "not-a-run" not in infos
    assert {info.state for info in list_runs(tmp_path) if info.run_id == second.run_id} == {
        "interrupted"
    }


def test_a_summary_that_is_out_of_date_is_not_believed(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    with folder.lock():
        folder.append_record(record(folder, "t0000@1"))
        folder.write_summary(without_score=0)
        folder.append_record(record(folder, "t0001@1"))
    assert [info.scored for info in list_runs(tmp_path)] == [2]
    (folder.path / layout.SUMMARY).write_text("{torn")
    assert [info.scored for info in list_runs(tmp_path)] == [2]


def test_the_default_place_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PROCTOR_RUNS", str(tmp_path))
    assert default_runs_dir() == tmp_path
    monkeypatch.delenv("PROCTOR_RUNS")
    assert default_runs_dir().parts[-2:] == ("proctor", "runs")


def test_damage_in_the_middle_of_the_records_is_named(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    with folder.lock():
        folder.append_record(record(folder, "t0000@1"))
    out = Appender(folder.path / layout.SAMPLES)
    out.append(b"garbage\n")
    out.append(b"{}\n")
    with pytest.raises(StorageError, match=r"samples.jsonl: the record at byte \d+"):
        RunFolder.open(folder.path)


def test_a_list_has_scores_over_tasks_and_none_of_a_part(tmp_path: Path) -> None:
    def scores(options: dict[str, Any]) -> tuple[float | None, ...]:
        plan = make_plan(2, epochs=2)
        suite = plan.suites[0].model_copy(update={"options": options})
        folder = RunFolder.create(tmp_path, plan.model_copy(update={"suites": (suite,)}), Launch())
        with folder.lock():
            for key in ("t0000@1", "t0000@2"):
                folder.append_record(record(folder, key))
            folder.append_record(record(folder, "t0001@1", verdict=Verdict.UNRESOLVED))
            folder.write_summary(without_score=0, ended="complete")
        kept = [each.score for each in run_info(folder.path).scores]
        old = json.loads((folder.path / layout.SUMMARY).read_text())
        del old["scores"]  # as a version wrote it that did not know them
        (folder.path / layout.SUMMARY).write_text(json.dumps(old))
        derived = run_info(folder.path)
        assert [each.score for each in derived.scores] == kept
        assert derived.ended == "complete" and derived.scores[0].tasks == 2
        assert json.loads(json.dumps(asdict(derived)["scores"])) == [
            {"suite": "counting", "tasks": 2, "score": kept[0]}
        ]
        old["scores"] = [{"suite": "counting", "tasks": 10**12, "score": "NaN"}]
        (folder.path / layout.SUMMARY).write_text(json.dumps(old))
        assert [each.score for each in run_info(folder.path).scores] == kept
        return tuple(kept)

    assert scores({}) == (0.5,)
    assert scores({"partial": [2, 9]}) == (None,)
