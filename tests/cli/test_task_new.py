"""``proctor task new``: from a project with its own tests to a graded run."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from harness.errors import UsageError
from harness.tasks.new.draft import from_fix, from_patch
from harness.tasks.new.folder import free_id, require_room, slug
from harness.tasks.new.history import fix_of, working_tree
from harness.tasks.new.project import look
from harness.tasks.task import TreeFile
from tests.cli.conftest import Home, Proctor

BROKEN = '''\
"""Durations as people write them."""


def minutes(text):
    """Minutes in a text such as 1h30 or 45m."""
    hours, _, rest = text.rpartition("h")
    return int(hours or 0) * 60 + int(rest.rstrip("m") or 0)


def text(count):
    """The text for a number of minutes."""
    return f"{count // 60}h{count % 60}"
'''
MENDED = BROKEN.replace("{count % 60}", "{count % 60:02d}")
TESTS = """\
import socket

import pytest

from spans import minutes, text


def test_hours():
    assert minutes("2h") == 120


def test_both():
    assert minutes("1h30") == 90


def test_minutes():
    assert minutes("45m") == 45


def test_text():
    assert text(90) == "1h30"


@pytest.mark.skip(reason="needs a printer")
def test_printed():
    assert text(1) == "0h01"


def test_network():
    assert socket.create_connection(("192.0.2.1", 80), timeout=1) is None


def test_checks_nothing():
    for each in []:
        assert each == 7
"""
PADDED = """\

def test_padded():
    assert text(61) == "1h01"


def test_short():
    assert text(5) == "0h05"
"""
REPORT = "text(61) should be 1h01, as on our forms, but I get 1h1. 90 minutes are right: 1h30."
FOREIGN = "import no_such_package\n\n\ndef test_x():\n    assert 1 == 1\n"
ABOUT = '[project]\nname = "Spans"\ndescription = "Durations"\nlicense = "MIT"\n'
DOCSTRING = """\
--- a/spans.py
+++ b/spans.py
@@ -1,1 +1,1 @@
-\"\"\"Durations as people write them.\"\"\"
+\"\"\"Durations.\"\"\"
"""
A_TEST = """\
--- a/tests/test_spans.py
+++ b/tests/test_spans.py
@@ -1,1 +1,1 @@
-import socket
+x
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def git(folder: Path, *arguments: str) -> None:
    who = [f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")]
    env = os.environ | dict.fromkeys(who, "a@example.org")
    command = ["git", "-C", str(folder), *arguments]
    subprocess.run(command, check=True, capture_output=True, env=env)


@pytest.fixture
def spans(home: Home) -> Path:
    """A project in git: a first commit, then a fix with its test, a note in the change log."""
    folder = home.project / "spans"
    write(
        folder,
        {
            "spans.py": BROKEN,
            "tests/test_spans.py": TESTS,
            "tests/test_foreign.py": FOREIGN,
            "CHANGES.md": "# 1.0\n",
            "pyproject.toml": ABOUT,
        },
    )
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "First")
    write(
        folder,
        {
            "spans.py": MENDED,
            "tests/test_spans.py": TESTS + PADDED,
            "CHANGES.md": "# 1.1\n\n- minutes are padded\n# 1.0\n",
        },
    )
    git(folder, "commit", "-qam", "Pad minutes")
    write(home.project, {"report.txt": REPORT})
    return folder


def test_a_fix_from_git_becomes_a_task_that_runs(
    proctor: Proctor, home: Home, spans: Path, bubblewrap_ready: None
) -> None:
    line = ["--instruction", "report.txt", "--out", "made", "--sandbox", "bubblewrap"]
    done = proctor("task", "new", "spans", "--fix", "HEAD", *line, "--json")
    assert done.code == 0, done.err
    found = done.document
    assert found["valid"] and found["fail_to_pass"] == [
        "tests/test_spans.py::test_padded", "tests/test_spans.py::test_short",
    ]  # fmt: skip
    assert len(found["pass_to_pass"]) == 4
    left_out = found["left_out"]
    assert "no_such_package" in left_out["tests/test_foreign.py"]
    assert left_out["tests/test_spans.py::test_printed"].startswith("skipped on the correct tree")
    assert "failed on the correct tree" in left_out["tests/test_spans.py::test_network"]
    assert "checks nothing" in left_out["tests/test_spans.py::test_checks_nothing"]
    assert "imports no_such_package, which a box does not have" in done.err

    folder = Path(found["folder"])
    gold, start = folder / "gold", (folder / "tasks" / found["task"] / "start.patch").read_text()
    assert (
        gold / "spans.py"
    ).read_text() == MENDED and '+    return f"{count // 60}h{count % 60}"' in start
    # the model sees tests and change log from before the fix
    assert (gold / "tests" / "test_spans.py").read_text() == TESTS
    assert (gold / "CHANGES.md").read_text() == "# 1.0\n"
    assert (folder / "hidden" / "test_spans.py").read_text() == TESTS + PADDED

    for model, resolved in (("oracle", 1), ("noop", 0)):
        run = proctor(
            "run", "repos", "--data", "made", "--model", model, "--batch", "--json",
            "--sandbox", "bubblewrap",
        )  # fmt: skip
        assert run.code == 0, run.err
        assert run.document["summary"]["suites"][0]["resolved"] == resolved, run.out


def test_a_patch_plants_the_defect_and_a_second_task_shares_the_repository(
    proctor: Proctor, home: Home, spans: Path, bubblewrap_ready: None
) -> None:
    (spans / "tests" / "test_foreign.py").unlink()
    write(home.project, {"broken.py": MENDED.replace("* 60 +", "* 6 +")})
    labels = ["--label", "a/spans.py", "--label", "b/spans.py"]
    made = subprocess.run(
        ["diff", "-u", *labels, "spans/spans.py", "broken.py"],
        cwd=home.project,
        capture_output=True,
        text=True,
        check=False,
    )
    write(home.project, {"one.patch": made.stdout})
    line = ["--instruction", "report.txt", "--out", "made", "--sandbox", "bubblewrap", "--json"]
    first = proctor("task", "new", "spans", "--defect", "one.patch", *line)
    assert first.code == 0, first.err
    again = proctor("task", "new", "spans", "--defect", "one.patch", *line)
    assert again.code == 0, again.err
    assert first.document["folder"] == again.document["folder"]
    assert (first.document["task"], again.document["task"]) == ("spans-1", "spans-2")
    assert "visible: 3 files, no tests among them" in first.err


def test_what_no_test_notices_is_said_plainly(
    proctor: Proctor, home: Home, spans: Path, bubblewrap_ready: None
) -> None:
    write(home.project, {"p": DOCSTRING})
    done = proctor(
        "task",
        "new",
        "spans",
        "--defect",
        "p",
        "--instruction",
        "report.txt",
        "--sandbox",
        "bubblewrap",
    )
    assert done.code == 2 and "no hidden test notices the defect" in done.err
    assert not (home.project / "tasks").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "no such folder"),
        (["spans"], "what is the defect? -> --fix COMMIT"),
        (["spans", "--fix", "HEAD", "--defect", "p"], "exclude each other"),
        (["spans", "--fix", "abc"], "git knows no commit"),
        (["spans", "--fix", "HEAD"], "the report to the model is missing -> --instruction FILE"),
        (["spans", "--fix", "HEAD", "--instruction", "empty"], "the report to the model is empty"),
        (["spans", "--fix", "HEAD", "--tests", "checks"], "no folder 'checks'"),
        (["spans", "--fix", "HEAD~1"], "no commit before it is here"),
        (["spans", "--fix", "HEAD", "--instruction", "report.txt", "--out", "report.txt"], "is no"),
        (["spans", "--fix", "HEAD", "--instruction", "report.txt", "--name", "日"], "no letter"),
        (["spans", "--defect", "none.patch"], "cannot be read"),
        (["spans", "--defect", "empty"], "is empty: it changes nothing"),
        (["spans", "--defect", "wrong.patch"], "hunk 1 expects"),
        (["spans", "--defect", "tests.patch"], "changes a test, and tests are hidden"),
        (["plain", "--fix", "HEAD"], "this is no git repository"),
        (["plain", "--defect", "empty"], "no tests are found"),
        (["vitest", "--defect", "empty"], "written for vitest; a box has Node's own runner"),
    ],
)
def test_bad_input_is_told_before_anything_runs(
    proctor: Proctor, home: Home, spans: Path, arguments: list[str], said: str
) -> None:
    write(
        home.project,
        {
            "empty": "",
            "wrong.patch": "--- a/spans.py\n+++ b/spans.py\n@@ -1,1 +1,1 @@\n-nothing\n+x\n",
            "tests.patch": A_TEST,
            "plain/code.py": "X = 1\n",
            "vitest/src/a.ts": "export const a = 1;\n",
            "vitest/tests/a.test.ts": "import { test } from 'vitest';\n",
        },
    )
    done = proctor("task", "new", *arguments)
    assert done.code == 2 and said in done.err, done.err
    assert "Traceback" not in done.err and not (home.project / "tasks").exists()


def test_commits_that_may_be_the_fix_are_proposed(proctor: Proctor, spans: Path) -> None:
    done = proctor("task", "new", "spans")
    assert "Pad minutes" in done.err and "First" not in done.err  # nothing is before the first


def test_ctrl_c_at_a_question_ends_it_at_once(home: Home, spans: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "harness.cli.main", "task", "new", "spans"],
        cwd=home.project, env=home.env, stdin=theirs, stderr=subprocess.PIPE, text=True,
    ) as asked:  # fmt: skip
        assert asked.stderr is not None
        said = asked.stderr.read(1)
        while "fix? [1]" not in said:
            said += asked.stderr.read(1)
        # A signal in the microseconds before a read blocks is lost to any Python program.
        while psutil.Process(asked.pid).status() != psutil.STATUS_SLEEPING:
            time.sleep(0.05)
        asked.send_signal(signal.SIGINT)
        try:
            assert asked.wait(60) == 130, said + asked.stderr.read()
        finally:
            asked.kill()
            os.close(ours)
            os.close(theirs)


def test_what_a_fix_deletes_or_no_text_can_hold_is_said(spans: Path) -> None:
    (spans / "logo.bin").write_bytes(b"\0\1")
    (spans / "old.py").write_text("X = 1\n")
    (spans / "latin.py").write_bytes(b"# \xe9\n")
    git(spans, "add", "-A")
    git(spans, "commit", "-qm", "More")
    (spans / "logo.bin").write_bytes(b"\0\2")
    (spans / "latin.py").write_bytes(b"# \xe8\n")
    (spans / "old.py").unlink()
    git(spans, "commit", "-qam", "Less")
    fix = fix_of(spans, "HEAD")
    with pytest.raises(UsageError, match=r"latin\.py: no.*logo\.bin: no UTF-8.*old\.py: deleted"):
        from_fix(look(fix.after), fix)


def test_a_git_repository_that_holds_no_fix_is_told_from_none(tmp_path: Path) -> None:
    for name, arguments, said in (("new", [], "has none yet"), ("bare", ["--bare"], "is a bare")):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q", *arguments)
        with pytest.raises(UsageError, match=said):
            fix_of(tmp_path / name, "HEAD")


def test_a_project_too_large_for_a_box_is_refused_unread(spans: Path) -> None:
    with (spans / "data.bin").open("wb") as file:
        file.truncate(3 << 30)  # of holes: reading it would take the memory
    for folder in (spans, spans.parent):  # in git and not
        with pytest.raises(UsageError, match=r"3072 MiB.*largest is (spans/)?data\.bin"):
            working_tree(folder)
    assert working_tree(spans / "tests")


def test_tasks_that_lie_in_the_project_are_no_part_of_it(spans: Path) -> None:
    made = ("repo.toml", "gold/spans.py", "hidden/test_spans.py", "tasks/spans-1/task.toml")
    write(spans, {f"tasks/spans-1/{name}": "x" for name in made} | {"repo.toml": "mine"})
    found = working_tree(spans)
    assert "repo.toml" in found and not [path for path in found if path.startswith("tasks/")]
    git(spans, "add", "-A")
    git(spans, "commit", "-qm", "All")
    assert fix_of(spans, "HEAD").after.keys() == found.keys()
    (spans / ".git").rename(spans.parent / "git")
    assert working_tree(spans).keys() == found.keys()


@pytest.mark.parametrize(
    ("ends", "heads", "lines"),
    [("\n", "\r\n", "\r\n"), ("\r\n", "\n", "\r\n"), ("\r\n", "\r\n", "\r\n")],
)
def test_a_patch_with_the_line_ends_of_windows_applies(ends: str, heads: str, lines: str) -> None:
    code = MENDED.replace("\n", ends).encode()
    files = {"spans.py": TreeFile(code), "tests/test_spans.py": TreeFile(TESTS.encode())}
    text = DOCSTRING.splitlines()
    patch = "".join(line + (heads if n < 3 else lines) for n, line in enumerate(text))
    draft = from_patch(look(files), files, patch, "p", {})
    assert draft.start["spans.py"].content.startswith(f'"""Durations."""{ends}'.encode())


def test_names_keep_what_tells_them_apart(tmp_path: Path) -> None:
    assert slug("Ünï/cøde Project!") == "uni-c-de-project"
    assert slug("日本") == "" and len(slug("a-" * 60, 39)) <= 39 and slug("a-" * 60)[-1] == "a"
    (tmp_path / "one" / "tasks" / "one-1").mkdir(parents=True)
    (tmp_path / "two" / "tasks" / "one-2").mkdir(parents=True)
    assert free_id(tmp_path, "one") == "one-3"


def test_a_name_that_is_taken_is_told_before_anything_runs(spans: Path, tmp_path: Path) -> None:
    fix = fix_of(spans, "HEAD")
    draft = from_fix(look(fix.after), fix)
    (tmp_path / "spans").mkdir()
    (tmp_path / "other" / "tasks" / "mine").mkdir(parents=True)
    with pytest.raises(UsageError, match="something else is there already"):
        require_room(tmp_path, "spans", None, draft)
    with pytest.raises(UsageError, match="a task is called mine already"):
        require_room(tmp_path, "more", "mine", draft)
    require_room(tmp_path / "deep" / "er", "more", "mine", draft)
    assert not (tmp_path / "deep").exists()
