"""A detached runner takes only the folder, outlives its parent and leaves its last words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.control import append_command
from harness.errors import ConflictError, ProctorError
from harness.execution.spawn import detach
from harness.store import layout
from harness.store.lock import is_running, owner_of
from harness.store.run_folder import RunFolder
from tests.support.counting_suite import make_folder, make_plan

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def counting_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New interpreters know the counting suite by its name."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        "import harness.suites.registry as registry\n"
        "registry._SUITES['counting'] = 'tests.support.counting_suite:CountingSuite'\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{site}{os.pathsep}{ROOT}")


def wait_until_over(folder: RunFolder, timeout_s: float = 60.0) -> None:
    deadline = time.monotonic() + timeout_s
    while is_running(folder.path):
        if time.monotonic() > deadline:
            pytest.fail("the runner does not end")
        time.sleep(0.05)


def test_a_detached_runner_carries_the_plan_out(tmp_path: Path, counting_known: None) -> None:
    folder = make_folder(tmp_path / "runs", make_plan(5, delay_s=0.5), concurrency=1)
    pid = detach(folder.path)
    owner = owner_of(folder.path)
    assert owner is not None and owner.pid == pid
    assert os.getsid(pid) == pid != os.getsid(0)
    with pytest.raises(ConflictError, match=f"process {pid} on"):
        detach(folder.path)
    wait_until_over(folder)
    assert len(RunFolder.open(folder.path).records()) == 5, (
        folder.path / layout.RUNNER_LOG
    ).read_text()


def test_a_detached_runner_outlives_its_parent(tmp_path: Path, counting_known: None) -> None:
    folder = make_folder(tmp_path / "runs", make_plan(4, delay_s=0.5), concurrency=1)
    program = (
        "import os, signal, sys; from pathlib import Path\n"
        "from harness.execution.spawn import detach\n"
        "print(detach(Path(sys.argv[1])), flush=True)\n"
        "os.killpg(os.getpgid(0), signal.SIGKILL)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(folder.path)],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    out, _ = parent.communicate(timeout=60)
    assert parent.returncode == -signal.SIGKILL and out.strip().isdigit()
    assert is_running(folder.path)
    wait_until_over(folder)
    assert len(RunFolder.open(folder.path).records()) == 4


def test_a_detached_runner_hears_commands(tmp_path: Path, counting_known: None) -> None:
    folder = make_folder(tmp_path / "runs", make_plan(50, delay_s=0.5), concurrency=1)
    detach(folder.path)
    append_command(folder.path, "cancel_run")
    wait_until_over(folder)
    assert len(RunFolder.open(folder.path).records()) < 50


def test_a_runner_that_cannot_begin_says_why(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "runs", make_plan(2))
    with pytest.raises(ProctorError, match="no suite 'counting'"):
        detach(folder.path)
    assert not is_running(folder.path)
