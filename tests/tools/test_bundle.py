"""The package as one zip."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import zipfile
from pathlib import Path

from tools.bundle import build


def test_the_same_sources_give_the_same_bytes() -> None:
    first, digest = build()
    second, _ = build()
    assert first == second
    assert digest == hashlib.sha256(first).hexdigest()


def test_it_holds_all_of_the_package_and_no_leftovers() -> None:
    names = zipfile.ZipFile(io.BytesIO(build()[0])).namelist()
    assert names == sorted(names)
    assert {"tools/__init__.py", "tools/schema.py", "tools/linting/tsc_server.cjs"} <= set(names)
    assert not any("__pycache__" in name for name in names)


def test_the_tools_work_from_the_zip_alone(tmp_path: Path) -> None:
    packed = tmp_path / "tools.zip"
    packed.write_bytes(build()[0])
    tree = tmp_path / "tree"
    tree.mkdir()
    program = f"""
import sys
sys.path.insert(0, {str(packed)!r})
import tools
assert tools.__file__.startswith({str(packed)!r})
from tools.dispatch import LintConfig, ToolHost
config = LintConfig(cache_dir={str(tmp_path / "cache")!r}, python=sys.executable)
host = ToolHost({str(tree)!r}, "proctor-1", lint_command=config)
assert not host.call("write_file", {{"path": "a.py", "content": "x: int = ''\\n"}}).is_error
print(host.call("lint", {{}}).text)
host.close()
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    assert "Incompatible types" in done.stdout
