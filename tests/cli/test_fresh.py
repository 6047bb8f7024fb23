"""Fresh tasks from the command line: made, run, found again, made again, refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from harness.sandbox.protocol import Provider
from tests.cli.conftest import Home, Proctor
from tests.tasks.mutate.tiny import write_till

BOX = ("--sandbox", "bubblewrap")


async def test_fresh_tasks_are_made_and_run_in_one_go(
    bubblewrap: Provider, proctor: Proctor, home: Home, tmp_path: Path
) -> None:
    source = write_till(tmp_path / "sources")
    fresh = (
        "run",
        "repos",
        "--data",
        str(source.parent),
        "--fresh",
        "2",
        "--fresh-seed",
        "3",
        *BOX,
    )
    done = proctor(*fresh, "--model", "oracle", "--json", timeout=400)
    assert done.code == 0, done.err
    assert done.document["summary"]["resolved"] == 2
    (run,) = home.runs.iterdir()
    suite = json.loads((run / "plan.json").read_text())["suites"][0]
    told = suite["options"]["fresh"]
    assert (told["seed"], told["count"], list(told["repositories"])) == (3, 2, ["till"])
    digests = {task["id"]: task["digest"] for task in suite["tasks"]}
    assert len(digests) == 2 and all(name.startswith("till-fresh-3-") for name in digests)

    # The same tasks are found by the next run, which noop loses.
    done = proctor(*fresh, "--model", "noop", "--json", timeout=400)
    assert "are there already" in done.err
    assert done.document["summary"]["resolved"] == 0

    # A resume makes them again where they are gone, and finds them equal to the plan's.
    root = Path(json.loads(next(run.glob("sessions/*.json")).read_text())["launch"]["data"])
    shutil.rmtree(root)
    (run / "samples.jsonl").unlink()
    done = proctor("run", "--resume", str(run), "--batch", timeout=400)
    assert done.code == 0, done.err
    assert "made again" in done.err and root.is_dir()

    # A source that is no longer the same cannot make them again.
    shutil.rmtree(root)
    (source / "gold" / "README.md").write_text("changed\n")
    done = proctor("run", "--resume", str(run), "--batch")
    assert done.code == 2 and "till is no longer the same" in done.err


async def test_mutate_says_what_it_did_and_when_there_is_no_more(
    bubblewrap: Provider, proctor: Proctor, tmp_path: Path
) -> None:
    source = write_till(tmp_path)
    for name in ("hidden/test_book.py", "gold/till/book.py"):
        (source / name).unlink()
    out = tmp_path / "out"
    asked = ("task", "mutate", str(source), "--count", "40", "--seed", "1", "--out", str(out), *BOX)
    done = proctor(*asked, timeout=400)
    assert done.code == 1 and "of 40 tasks could be made" in done.err
    assert "dropped: the same tests notice another" in done.out and "kinds used" in done.out
    made = len(list((out / "till" / "tasks").iterdir()))
    assert f"{made} tasks in {out}" in done.out
    rows = proctor("task", "list", "--data", str(out), "--json").document
    assert len(rows) == made and {row["evidence"] for row in rows} == {"fresh"}
    other = proctor(*(word if word != "40" else "39" for word in asked))
    assert other.code == 2 and "fresh tasks of another seed" in other.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "humaneval", "--fresh", "2", "--model", "oracle"), "--fresh is for suite repos"),
        (("run", "repos", "--fresh-seed", "2", "--model", "oracle"), "--fresh-seed is for --fresh"),
        (("run", "--resume", "last", "--fresh", "2"), "--fresh is for a new run"),
        (("task", "mutate", "stockrom"), "did you mean 'stockroom'?"),
        (("task", "mutate", "."), "is no repository"),
        (("task", "mutate", "stockroom", "--out", "/proc/none"), "/proc"),
        (("task", "mutate", "stockroom", "--base-url", "http://x"), "--base-url is for --model"),
        (("task", "mutate", "stockroom", "--model", "noop"), "cannot write reports"),
    ],
)
def test_what_makes_no_sense_is_refused(
    proctor: Proctor, arguments: tuple[str, ...], said: str
) -> None:
    done = proctor(*arguments)
    assert done.code == 2 and said in done.err and len(done.err.splitlines()) == 1


def test_a_folder_that_holds_something_else_is_left_alone(proctor: Proctor, tmp_path: Path) -> None:
    source = write_till(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "diary.txt").write_text("mine")
    done = proctor("task", "mutate", str(source), "--out", str(tmp_path / "out"), *BOX)
    assert done.code == 2 and "holds something else" in done.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["diary.txt"]
