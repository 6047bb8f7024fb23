"""Output that cannot be written: one line, exit code 1, and nothing of a run is lost."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.store.run_folder import RunFolder
from tests.cli.conftest import Home
from tests.support.classic_data import mmlu_folder

FULL = Path("/dev/full")
SAID = "error: cannot write to standard output: No space left on device\n"

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


def to_full(home: Home, *arguments: str, **env: str) -> tuple[int, str]:
    """Exit code and stderr of a command whose stdout is a full disk."""
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "harness.cli.main", *arguments],
            cwd=home.project, env=home.env | env, stdout=full, stderr=subprocess.PIPE, text=True,
            stdin=subprocess.DEVNULL, timeout=120, check=False,
        )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["suites", "mmlu"],
        ["task", "list"],
        ["runs", "--json"],
        ["show", "demo"],
        ["replay", "demo", "--batch"],
        ["show", "nothing", "--json"],
    ],
)
def test_every_command_says_that_it_could_not_write(home: Home, arguments: list[str]) -> None:
    code, err = to_full(home, *arguments)
    assert (code, err) == ((2 if "nothing" in arguments else 1), SAID)


def test_unbuffered_output_is_no_other(home: Home) -> None:
    assert to_full(home, "suites", PYTHONUNBUFFERED="1") == (1, SAID)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of MMLU's files, made up: a suite that needs no containment."""
    return mmlu_folder(tmp_path_factory.mktemp("mmlu"))


@pytest.mark.parametrize("form", ["--batch", "--json"])
def test_a_run_is_carried_out_and_stored_all_the_same(home: Home, data: Path, form: str) -> None:
    code, err = to_full(
        home, "run", "mmlu", "--data", str(data), "--model", "oracle", "--limit", "30", form
    )
    assert code == 1 and err.endswith(SAID) and "Traceback" not in err
    (path,) = home.runs.iterdir()
    folder = RunFolder.open(path)
    assert len(folder.records()) == 30
    assert all(folder.transcript_of(key) is not None for key in folder.records())


def test_errors_that_nobody_can_be_told_are_no_crash(home: Home, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "harness.cli.main", "show", "nothing"],
            cwd=home.project, env=home.env | {"XDG_CACHE_HOME": str(cache)}, stderr=full,
            stdout=full, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert not (cache / "proctor" / "crashes").exists()


def test_a_terminal_that_does_not_block_gets_every_byte(home: Home) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)  # full before the reader has begun
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.cli.main", "replay", "demo", "--batch"],
        cwd=home.project, env=home.env, stdout=writer, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(writer)
    try:
        with os.fdopen(reader, "rb") as stream:
            text = stream.read()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()
    assert len(text) > 4 * 4096 and b"[verdict]" in text[-2000:]
