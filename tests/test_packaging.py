"""``pip install`` into a fresh environment gives a working command, wherever it is started."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``proctor`` of a fresh venv; dependencies come from the running environment."""
    base = tmp_path_factory.mktemp("fresh")
    wheels = base / "wheels"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            wheels,
            ROOT,
        ],
        check=True,
        capture_output=True,
    )
    venv.create(base / "venv", with_pip=True)
    python = base / "venv" / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", *wheels.glob("*.whl")],
        check=True,
        capture_output=True,
    )
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    packages = [p for p in sys.path if p.endswith("site-packages")]
    (Path(site) / "borrowed.pth").write_text("\n".join(packages) + "\n")
    return base / "venv" / "bin" / "proctor"


def run(command: Path, *args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run(
        [command, *args], cwd=cwd, env=env, capture_output=True, text=True, timeout=60
    )


def test_the_installed_command_lists_the_shipped_tasks(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "task", "list", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    shipped = {p.parent.name for p in (ROOT / "repos").glob("*/tasks/*/task.toml")}
    assert shipped
    for task in shipped:
        assert task in done.stdout


def test_folders_of_the_same_names_do_no_harm(installed: Path, tmp_path: Path) -> None:
    for name in ("tools", "tui", "harness"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('wrong package')\n")
    done = run(installed, "suites", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "repos" in done.stdout
