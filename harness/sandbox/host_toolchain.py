"""The toolchain as bubblewrap uses it: from the cache, made whole for the host's Python."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

from harness.errors import SandboxError
from harness.sandbox import allow_list, bwrap_program, toolchain, toolchain_install
from tools import bundle
from tools.box import layout

_SEED_S = 180


def ready(python: Path) -> bool:
    """Whether boxes can use the toolchain as it lies in the cache."""
    found = toolchain.installed(python)
    return found is not None and (found.path / "pyvenv.cfg").is_file()


def setup(progress: toolchain_install.Progress) -> None:
    """Fetch the toolchain and seed its caches. Raises SandboxError."""
    program, python = bwrap_program.find(), allow_list.interpreter()
    if program is None or python is None:
        raise SandboxError("bubblewrap or /usr/bin/python3 is missing", remedy="proctor doctor")
    version = toolchain.version_of(python)
    path = toolchain_install.install(version, platform.machine(), progress)
    if (path / "pyvenv.cfg").is_file():
        return
    progress("seeding the linters' caches")
    link = path / "bin" / "python3"
    link.unlink(missing_ok=True)
    link.symlink_to("/usr/bin/python3")
    (path / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    try:
        _seed(program.path, python, path)
    except SandboxError:
        (path / "pyvenv.cfg").unlink()
        raise


def _seed(program: str, python: Path, path: Path) -> None:
    """Where boxes see it, so that the caches hold the paths that boxes use."""
    archive, script = path / "seed.pyz", path / "seed.py"
    archive.write_bytes(bundle.build()[0])
    script.write_bytes(Path(__file__).with_name("seed.py").read_bytes())
    inside = layout.TOOLCHAIN
    command = allow_list.arguments(
        program,
        python,
        path,
        "seed",
        writable=True,
        command=[f"{inside}/bin/python3", "-I", f"{inside}/seed.py", f"{inside}/seed.pyz"],
    )
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=_SEED_S, env={})
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(f"the toolchain could not be seeded: {error}") from None
    finally:
        archive.unlink()
        script.unlink()
    if told.returncode != 0:
        raise SandboxError(f"the toolchain could not be seeded: {told.stderr.strip()[-500:]}")
