"""``proctor compare`` on real runs of a suite without boxes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from harness.plan import Plan
from harness.store.run_folder import RunFolder
from tests.cli.conftest import Home, Proctor
from tests.support.counting_suite import carry_out, make_folder, make_plan


def finished(home: Home, plan: Plan) -> RunFolder:
    folder = make_folder(home.runs, plan)
    asyncio.run(carry_out(folder))
    return RunFolder.open(folder.path)


def judged(folder: RunFolder, *verdicts: str) -> RunFolder:
    """The run with other verdicts for its first tasks."""
    path = folder.path / "samples.jsonl"
    lines = sorted(map(json.loads, path.read_text().splitlines()), key=lambda r: r["task_id"])
    for number, line in enumerate(lines):
        line["verdict"] = verdicts[number] if number < len(verdicts) else "unresolved"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture
def two(home: Home) -> tuple[Path, Path]:
    """Two runs of ten tasks; the second resolves seven more."""
    a = judged(finished(home, make_plan(10)), "resolved")
    b = judged(finished(home, make_plan(10)), *["resolved"] * 8)
    return a.path, b.path


def test_runs_that_can_be_told_apart(proctor: Proctor, two: tuple[Path, Path]) -> None:
    done = proctor("compare", str(two[0]), str(two[1]))
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == f"first:  {two[0].name}, model echo"
    assert "counting: distinguishable: the second run resolves more" in lines
    assert "10 tasks paired: 10.0 % in the first run, 80.0 % in the second" in done.out
    # 2 / 2**7
    assert "better in the first: 0, in the second: 7, the same: 3" in done.out
    assert "p = 0.0156, level 0.05" in done.out
    assert "can show: 6 tasks, all for one run (60.0 points)" in done.out
    rows = [line.split() for line in lines if " t000" in line]
    assert [row[2] for row in rows] == [f"t000{n}" for n in range(1, 8)]
    assert lines[-1] == "3 of 10 tasks are the same in both runs"


def test_all_tasks_when_asked_for(proctor: Proctor, two: tuple[Path, Path]) -> None:
    done = proctor("compare", str(two[0]), str(two[1]), "--all")
    assert sum(" t000" in line for line in done.out.splitlines()) == 10


def test_one_document(proctor: Proctor, two: tuple[Path, Path]) -> None:
    document = proctor("compare", str(two[0]), str(two[1]), "--json").document
    (suite,) = document["suites"]
    assert document["verdict"] == suite["verdict"] == "distinguishable"
    assert (suite["better"], suite["b_better"], suite["smallest"]) == ("b", 7, 6)
    assert suite["p_value"] == pytest.approx(2 / 2**7)
    assert len(document["pairs"]) == 10 and document["pairs"][0]["better"] == "b"


def test_a_run_with_itself_is_no_difference(proctor: Proctor, two: tuple[Path, Path]) -> None:
    done = proctor("compare", "last", "last")
    assert done.code == 0
    assert "indistinguishable at this sample size" in done.out and "p = 1.0000" in done.out
    assert "10 of 10 tasks are the same" in done.out


def test_other_tasks_do_not_compare(proctor: Proctor, home: Home) -> None:
    a, b = finished(home, make_plan(10)), finished(home, make_plan(12))
    done = proctor("compare", a.run_id, b.run_id)
    assert done.code == 3
    assert "counting: not comparable" in done.out
    assert "2 tasks are only in the second run: t0010, t0011" in done.out
    assert "p =" not in done.out
    assert proctor("compare", a.run_id, b.run_id, "--json").document["verdict"] == "not_comparable"


def test_a_run_without_scores(proctor: Proctor, home: Home) -> None:
    a = finished(home, make_plan(3))
    b = make_folder(home.runs, make_plan(3))
    done = proctor("compare", a.run_id, b.run_id)
    assert done.code == 3 and "no sample has a score in both runs" in done.out


def test_a_run_that_is_not_there(proctor: Proctor, two: tuple[Path, Path]) -> None:
    done = proctor("compare", "last", "nothing")
    assert done.code == 2 and "no run is called 'nothing'" in done.err
    assert proctor("compare", "last").code == 2
