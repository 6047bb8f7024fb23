"""``proctor task``: tasks that are broken hide no others, and mistakes are pointed at."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Proctor
from tests.cli.tiny_repo import TASK, write_tiny_repo


@pytest.fixture
def repos(tmp_path: Path) -> Path:
    """Two repositories: one with a broken task beside a good one, one that is broken itself."""
    root = tmp_path / "my repos"
    folder = write_tiny_repo(root)
    broken = folder / "tasks" / "tally-broken"
    shutil.copytree(folder / "tasks" / TASK, broken)
    (broken / "task.toml").write_text('schema_version = 1\nid = "tally-broken\n')
    other = shutil.copytree(folder, root / "ledger")
    shutil.rmtree(other / "tasks" / "tally-broken")
    (other / "repo.toml").write_text("lang = 3\n")
    return root


def test_good_tasks_are_listed_beside_broken_ones(proctor: Proctor, repos: Path) -> None:
    done = proctor("task", "list", "--data", str(repos))
    assert done.code == 1 and done.err == ""
    good, *bad = done.out.splitlines()
    assert good.startswith(TASK) and "evidence missing" in good
    assert [line.split()[:2] for line in bad] == [
        ["ledger", "BROKEN:"],
        ["tally-broken", "BROKEN:"],
    ]
    assert f"{repos / 'ledger' / 'repo.toml'}" in bad[0]
    assert f"{repos / 'tally' / 'tasks' / 'tally-broken' / 'task.toml'}:2:" in bad[1]

    rows = proctor("task", "list", "--data", str(repos), "--json").document
    assert [row["id"] for row in rows] == [TASK, "ledger", "tally-broken"]
    assert "not valid TOML" in rows[2]["problem"]
    assert proctor("task", "list", "tally-s*", "--data", str(repos)).code == 0


def test_a_broken_task_is_shown_by_its_error_and_a_good_one_as_ever(
    proctor: Proctor, repos: Path
) -> None:
    assert proctor("task", "show", TASK, "--data", str(repos)).code == 0
    done = proctor("task", "show", "tally-broken", "--data", str(repos))
    assert done.code == 2 and "not valid TOML" in done.err and len(done.err.splitlines()) == 1
    done = proctor("task", "show", "ledger-none", "--data", str(repos))
    assert done.code == 2 and len(done.err.splitlines()) == 1


def test_validate_reports_the_broken_beside_the_others(proctor: Proctor, repos: Path) -> None:
    done = proctor("task", "validate", "tally-b*", "ledger", "--data", str(repos))
    assert done.code == 1
    first, second = done.out.splitlines()
    assert first.startswith("tally-broken  FAILED") and "not valid TOML" in first
    assert second.startswith("ledger  FAILED") and "repo.toml" in second


def test_a_run_is_not_begun_with_less_than_it_names(proctor: Proctor, repos: Path) -> None:
    done = proctor("run", "repos", "--data", str(repos), "--model", "noop", "--batch")
    assert done.code == 2 and len(done.err.splitlines()) == 1
    assert "repo.toml" in done.err or "task.toml" in done.err


def test_the_list_to_look_into_is_that_of_the_same_folder(proctor: Proctor, repos: Path) -> None:
    shutil.rmtree(repos / "ledger")
    shutil.rmtree(repos / "tally" / "tasks" / "tally-broken")
    done = proctor("task", "show", "zzz", "--data", str(repos))
    assert done.code == 2
    command = shlex.split(done.err.split(" -> see: proctor ")[1])
    assert TASK in proctor(*command).out


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("", "is empty"),
        ("Please fix the sums.\n", "is no unified diff; it begins with 'Please fix the sums.'"),
        (
            "--- a/tally/core.py\n+++ b/tally/core.py\n@@ -3,1 +3,1 @@\n-nothing\n+more\n",
            "tally/core.py line 3: hunk 1 expects",
        ),
    ],
)
def test_a_patch_that_is_none_is_told_in_one_line(
    proctor: Proctor, tmp_path: Path, patch: str, said: str
) -> None:
    folder = write_tiny_repo(tmp_path)
    (folder / "tasks" / TASK / "start.patch").write_text(patch)
    done = proctor("task", "list", "--data", str(folder))
    assert done.code == 1 and said in done.out and "start.patch" in done.out
    done = proctor("run", "repos", "--data", str(folder), "--model", "noop")
    assert done.code == 2 and said in done.err and len(done.err.splitlines()) == 1
