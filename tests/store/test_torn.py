"""Files that end at any byte of their last record: the run resumes to the same results.

By default every byte is opened and a share of them, another each time, is resumed;
PROCTOR_FUZZ resumes more of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import ProctorError
from harness.events.union import transcript_event
from harness.outcome import Verdict, is_final
from harness.store import layout
from harness.store.lines import read_values
from harness.store.run_folder import RunFolder
from harness.store.runs import run_info
from harness.store.transcript import read_run_log
from tests.support.counting_suite import carry_out, make_folder, make_plan

RESUMED = 6 * int(os.environ.get("PROCTOR_FUZZ") or 1)
TASKS = 3


@pytest.fixture(scope="module", params=[True, False], ids=["agentic", "shots"])
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that came to its end, one sample after the other."""
    plan = make_plan(TASKS, steps=2, agentic=request.param)
    folder = make_folder(tmp_path_factory.mktemp("torn"), plan, concurrency=1)
    asyncio.run(carry_out(folder))
    return folder.path


@pytest.fixture
def torn(finished: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of it."""
    target = tmp_path / finished.name
    shutil.copytree(finished, target)
    yield target


def verdicts(folder: Path) -> dict[str, str]:
    lines = (folder / layout.SAMPLES).read_bytes().splitlines()
    records = RunFolder.open(folder).records()
    assert len(lines) == len(records), "a sample has two lines, or a line was lost"
    return {key: str(record.verdict) for key, record in records.items()}


def resume(folder: Path) -> None:
    asyncio.run(carry_out(RunFolder.open(folder)))


def check(folder: Path, expected: dict[str, str], kept: bytes) -> None:
    """The resumed run ended as the whole one, and kept what it had."""
    assert (folder / layout.SAMPLES).read_bytes().startswith(kept)
    assert verdicts(folder) == expected
    log = list(read_run_log(folder / layout.RUN_LOG))
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    for key in expected:
        reference = RunFolder.open(folder).records()[key].transcript
        assert reference is not None
        events = list(
            read_values(
                folder / reference.file, transcript_event, reference.offset, reference.length
            )
        )
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert events[-1].type == "attempt_finished"


def cuts(content: bytes, lines: int = 1) -> range:
    """Every length that ends inside the last lines."""
    start = len(content)
    for _ in range(lines):
        start = content.rfind(b"\n", 0, start - 1) + 1
    return range(start, len(content))


def some(lengths: range) -> list[int]:
    """The first, the last and a few lengths between them."""
    chosen = random.sample(lengths, min(RESUMED, len(lengths)))
    return sorted({lengths[0], lengths[-1], *chosen})


def test_samples_torn_at_every_byte(torn: Path) -> None:
    path = torn / layout.SAMPLES
    content, log = path.read_bytes(), (torn / layout.RUN_LOG).read_bytes()
    expected = verdicts(torn)
    last = json.loads(content.splitlines()[-1])["sample"]
    for length in cuts(content):
        path.write_bytes(content[:length])
        assert set(RunFolder.open(torn).records()) == set(expected) - {last}
        assert run_info(torn).scored == TASKS - 1
    # A kill there leaves no word of the sample's end in the log; a crash of the machine may.
    before = log[
        : log.rfind(b"\n", 0, log.rfind(f'"sample_finished","sample":"{last}"'.encode())) + 1
    ]
    for written in (log, before):
        for length in some(cuts(content)):
            path.write_bytes(content[:length])
            (torn / layout.RUN_LOG).write_bytes(written)
            resume(torn)
            check(torn, expected, content[: cuts(content)[0]])


def test_the_log_torn_at_every_byte(torn: Path) -> None:
    path = torn / layout.RUN_LOG
    content, samples = path.read_bytes(), (torn / layout.SAMPLES).read_bytes()
    expected = verdicts(torn)
    # Down to the end of the last sample, whose record is stored by then.
    lengths = cuts(content, lines=2)
    for length in lengths:
        path.write_bytes(content[:length])
        events = list(read_run_log(path))
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        run_info(torn)
    for length in some(lengths):
        path.write_bytes(content[:length])
        resume(torn)
        assert (torn / layout.SAMPLES).read_bytes() == samples
        check(torn, expected, samples)
        told = [
            e.sample
            for e in read_run_log(path)
            if e.type == "sample_finished" and is_final(Verdict(e.verdict))
        ]
        assert sorted(told) == sorted(expected), "each score is told of once"


def test_a_transcript_torn_at_every_byte(torn: Path) -> None:
    samples = (torn / layout.SAMPLES).read_bytes()
    expected, record = verdicts(torn), json.loads(samples.splitlines()[-1])
    path = torn / record["transcript"]["file"]
    content = path.read_bytes()
    start = record["transcript"]["offset"]
    assert start + record["transcript"]["length"] == len(content)
    kept = samples[: cuts(samples)[0]]
    for length in range(start, len(content)):
        path.write_bytes(content[:length])
        events = list(read_values(path, transcript_event, start))
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
    log = (torn / layout.RUN_LOG).read_bytes()
    before = log[: log.rfind(b"\n", 0, log.rfind(b'"sample_finished"')) + 1]
    for length in some(range(start, len(content))):
        # As a kill leaves it: the record comes after the transcript.
        path.write_bytes(content[:length])
        (torn / layout.SAMPLES).write_bytes(kept)
        (torn / layout.RUN_LOG).write_bytes(before)
        resume(torn)
        check(torn, expected, kept)


@pytest.mark.parametrize("name", [layout.PLAN, "sessions/1.json"])
def test_a_sealed_file_torn_at_every_byte_is_refused_by_name(torn: Path, name: str) -> None:
    """They are written beside and renamed, so only a damaged disk tears them."""
    path = torn / name
    content = path.read_bytes()
    (torn / layout.SUMMARY).unlink()
    for length in range(len(content.rstrip())):
        path.write_bytes(content[:length])
        with pytest.raises(ProctorError) as caught:
            RunFolder.open(torn)
        assert path.name in str(caught.value)
        assert run_info(torn).problem is not None


@pytest.mark.parametrize("name", ["summary.json", layout.LOCK])
def test_a_derived_file_torn_at_every_byte_costs_nothing(torn: Path, name: str) -> None:
    path = torn / name
    content = path.read_bytes() or json.dumps({"host": "elsewhere", "pid": 1}).encode()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        info = run_info(torn)
        assert (info.planned, info.scored, info.problem) == (TASKS, TASKS, None)
        with RunFolder.open(torn).lock():
            pass
