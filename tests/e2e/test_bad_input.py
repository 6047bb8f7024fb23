"""What goes wrong outside of Proctor: one line, the right exit code, nothing lost."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.store import layout
from tests.chaos.ground import verdicts
from tests.support import boxes
from tests.support.grading import write_repository
from tests.support.proctor_process import Home, Proctor, events

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
async def home(tmp_path: Path) -> Home:
    await (await boxes.require("bubblewrap")).close()
    return Home(tmp_path, "bubblewrap")


def run(home: Home, *arguments: str) -> tuple[int, str]:
    process = Proctor.start(home, *arguments)
    try:
        return process.wait(), process.said
    finally:
        process.stop()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("tasks/shop-discount/task.toml", "id = \n", "task.toml:1:"),
        ("tasks/shop-discount/task.toml", "schema_version = 1\nid = 7\n", "task.toml"),
        (
            "tasks/shop-discount/start.patch",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
            "start.patch",
        ),
        ("repo.toml", "\xff", "repo.toml"),
    ],
)
def test_a_malformed_task_is_one_line_that_names_the_file(
    home: Home, file: str, text: str, said: str
) -> None:
    folder = write_repository(home.root / "data")
    (folder / file).write_text(text, encoding="latin-1")
    code, output = run(home, "run", "repos", "--data", str(home.root / "data"), "--model", "noop")
    assert code == 2, output
    assert len(output.strip().splitlines()) == 1 and said in output and file in output, output
    assert list(home.runs.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with little more room than a run asks for."""
    folder = tmp_path / "disk"
    folder.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(line, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_fills_up_ends_the_run_and_a_resume_completes_it(
    home: Home, small_disk: Path
) -> None:
    process = Proctor.start(
        home, "run", "repos", "--model", "oracle", "--batch", "--concurrency", "1",
        "--task", "stockroom-last-day", "--task", "stockroom-number-mixups",
        "--out", str(small_disk),
    )  # fmt: skip
    try:
        process.runs, process.before = small_disk, set()

        def one_is_scored() -> bool:
            folder = process.folder
            return folder is not None and (folder / layout.SAMPLES).exists() and bool(
                (folder / layout.SAMPLES).read_bytes()
            )  # fmt: skip

        assert process.wait_until(one_is_scored), process.said
        ballast = small_disk / "ballast"
        with ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass
        code, said = process.wait(), process.said
        folder = process.folder
    finally:
        process.stop()
    assert folder is not None
    kept = (folder / layout.SAMPLES).read_bytes()
    assert code == 1 and "Traceback" not in said, said
    errors = [line for line in said.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1 and "space" in errors[0] and str(small_disk) in errors[0], said
    code, said = run(home, "run", "--resume", str(folder))
    assert code != 0 and "Traceback" not in said and "free" in said, said

    ballast.unlink()
    code, said = run(home, "run", "--resume", str(folder))
    assert code == 0, said
    assert (folder / layout.SAMPLES).read_bytes().startswith(kept)
    assert set(verdicts(folder).values()) == {"resolved"} and len(verdicts(folder)) == 2
    assert [event["seq"] for event in events(folder)] == list(range(1, len(events(folder)) + 1))
