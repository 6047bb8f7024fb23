"""ruff and mypy on trees, honest and hostile."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tools.dispatch import LintConfig, ToolHost
from tools.linting.checker import seed
from tools.linting.mypy_server import modules

FAULTY = "import os\n\n\ndef f(x: int) -> str:\n    return x\n"
FOUND = [
    "pkg/a.py:1:8: error: `os` imported but unused  [F401]",
    'pkg/a.py:5:12: error: Incompatible return value type (got "int", expected "str")'
    "  [return-value]",
]


@pytest.fixture
def faulty(tree: Path) -> Path:
    """A package with an unused import and a wrong type."""
    (tree / "pkg").mkdir()
    (tree / "pkg" / "__init__.py").write_text("")
    (tree / "pkg" / "a.py").write_text(FAULTY)
    return tree


def test_findings_come_sorted_with_paths_in_the_tree(python_host: ToolHost, faulty: Path) -> None:
    (faulty / "b.py").write_text("from pkg.a import f, g\n\nx: int = f(1)\nprint(undefined, g)\n")
    outcome = python_host.call("lint", {})
    assert outcome.text.splitlines() == [
        'b.py:1:1: error: Module "pkg.a" has no attribute "g"  [attr-defined]',
        'b.py:3:10: error: Incompatible types in assignment (expression has type "str", '
        'variable has type "int")  [assignment]',
        "b.py:4:7: error: Undefined name `undefined`  [F821]",
        'b.py:4:7: error: Name "undefined" is not defined  [name-defined]',
        *FOUND,
    ]
    assert outcome.lint_findings == 6


def test_a_clean_tree_and_an_empty_one(python_host: ToolHost, tree: Path) -> None:
    empty = python_host.call("lint", {})
    assert empty.text == "Nothing to lint: . holds no Python source." and not empty.is_error
    (tree / "a.py").write_text("x = 1\n")
    clean = python_host.call("lint", {})
    assert (clean.text, clean.lint_findings) == ("No problems found.", 0)
    (tree / "readme.txt").write_text("x")
    assert "Nothing to lint" in python_host.call("lint", {"path": "readme.txt"}).text


def test_a_path_narrows_the_report_but_not_what_is_known(
    python_host: ToolHost, faulty: Path
) -> None:
    (faulty / "b.py").write_text("from pkg.a import f\n\nx: int = f(1)\n")
    only = python_host.call("lint", {"path": "b.py"}).text.splitlines()
    assert len(only) == 1 and only[0].startswith("b.py:3:10:")
    assert python_host.call("lint", {"path": "pkg"}).text.splitlines() == FOUND
    assert python_host.call("lint", {"path": "none.py"}).is_error


def test_the_next_lint_sees_the_edit_even_within_the_same_second_and_size(
    python_host: ToolHost, tree: Path
) -> None:
    path = tree / "a.py"
    path.write_text("x: int = 1\n")
    stamp = path.stat()
    assert python_host.call("lint", {}).lint_findings == 0
    path.write_text("x: str = 1\n")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert python_host.call("lint", {}).lint_findings == 1


SABOTAGE = """
import pathlib
pathlib.Path({marker!r}).write_text("the tree's code ran")
"""


def test_configuration_in_the_tree_has_no_say_and_none_of_its_code_runs(
    python_host: ToolHost, faulty: Path
) -> None:
    marker = faulty.parent / "ran"
    evil = SABOTAGE.format(marker=str(marker)) + "\ndef plugin(version):\n    raise SystemExit\n"
    (faulty / "ruff.toml").write_text('exclude = ["*"]\n[lint]\nselect = []\n')
    (faulty / ".ruff.toml").write_text('exclude = ["*"]\n[lint]\nignore = ["ALL"]\n')
    (faulty / "pkg" / "ruff.toml").write_text("[lint]\nselect = []\n")
    (faulty / "pyproject.toml").write_text(
        '[tool.ruff]\nexclude = ["*"]\n[tool.mypy]\nignore_errors = true\nplugins = ["evil.py"]\n'
    )
    for name in ("mypy.ini", ".mypy.ini", "setup.cfg"):
        (faulty / name).write_text("[mypy]\nignore_errors = True\nplugins = evil.py\n")
    (faulty / ".gitignore").write_text("*\n")
    names = ["evil", "sitecustomize", "usercustomize", "ruff", "mypy", "typing", "ast", "json"]
    names += ["builtins", "re", "os", "mypy_extensions", "typing_extensions", "librt", "conftest"]
    for name in names:
        (faulty / f"{name}.py").write_text("# mypy: plugins=evil.py\n" + evil)
    (faulty / "mypy").mkdir()
    (faulty / "mypy" / "__init__.py").write_text(evil)
    folder = Path.cwd()
    os.chdir(faulty)  # where a careless import would look first
    try:
        text = python_host.call("lint", {"path": "pkg"}).text
        whole = python_host.call("lint", {})
    finally:
        os.chdir(folder)
    assert text.splitlines() == FOUND
    assert set(FOUND) <= set(whole.text.splitlines()) and not whole.is_error
    assert not marker.exists()
    assert not list(faulty.rglob("*cache*"))


@pytest.mark.parametrize("path", ["--fix", "--config=x", "-", "pkg/--fix", "@args.py"])
def test_a_path_cannot_be_an_option(python_host: ToolHost, faulty: Path, path: str) -> None:
    (faulty / "@args.py").write_text("--fix\n")
    python_host.call("lint", {"path": path})
    assert (faulty / "pkg" / "a.py").read_text() == FAULTY


def test_bad_files_do_not_stop_the_others(python_host: ToolHost, faulty: Path) -> None:
    (faulty / "syntax.py").write_text("def (:\n")
    (faulty / "uses.py").write_text("import syntax, huge, nothing\n\nsyntax.x(huge, nothing)\n")
    (faulty / "huge.py").write_text("x = 1\n" * 200_000)
    (faulty / "binary.py").write_bytes(b"x\0y")
    (faulty / "latin.py").write_bytes(b"x = '\xe9'\n")
    (faulty / os.fsdecode(b"n\xe9.py")).write_text("x = 1\n")
    (faulty / "deep.py").write_text("x = " + "(" * 5_000 + ")" * 5_000 + "\n")
    (faulty / "odd name-1.2.py").write_text("y: int = ''\n")
    (faulty / "ünï.py").write_text("y: int = ''\n")
    (faulty / "link.py").symlink_to("/etc/passwd")
    (faulty / "loop.py").symlink_to("loop.py")
    os.mkfifo(faulty / "fifo.py")
    outcome = python_host.call("lint", {})
    lines = outcome.text.splitlines()
    assert not outcome.is_error and set(FOUND) <= set(lines), outcome.text
    assert "huge.py: not checked: larger than 1048576 bytes" in lines
    assert "binary.py: not checked: binary file" in lines
    for name in ("syntax.py", "latin.py", "n\\xe9.py", "odd name-1.2.py", "ünï.py"):
        assert any(line.startswith(name) for line in lines), (name, outcome.text)
    assert "deep.py: note: types were not checked: nested too deeply" in lines
    assert "root:" not in outcome.text


def test_a_file_that_crashes_the_linter_is_named(python_host: ToolHost, faulty: Path) -> None:
    (faulty / "deep.py").write_text("x = " + "not " * 200_000 + "1\n")
    for number in range(5):
        (faulty / f"m{number}.py").write_text("import os\n")
    outcome = python_host.call("lint", {})
    lines = outcome.text.splitlines()
    assert "deep.py: note: the linter failed on this file; it may be nested too deeply" in lines
    assert set(FOUND) <= set(lines) and outcome.lint_findings == 7


def test_a_type_checker_that_is_killed_is_started_again(
    python_host: ToolHost, faulty: Path
) -> None:
    assert python_host.call("lint", {}).text.splitlines() == FOUND
    checker = python_host._checker
    assert checker and checker._python
    process = checker._python._mypy._process
    assert process
    os.kill(process.pid, signal.SIGKILL)
    assert python_host.call("lint", {}).text.splitlines() == FOUND


def test_closing_ends_the_processes(tree: Path, lint_cache: Path) -> None:
    (tree / "a.py").write_text("x = 1\n")
    config = LintConfig(cache_dir=str(lint_cache), python=sys.executable)
    host = ToolHost(str(tree), "proctor-1", lint_command=config)
    host.warm()
    assert host.call("lint", {}).lint_findings == 0
    checker = host._checker
    assert checker and checker._python
    process = checker._python._mypy._process
    assert process
    host.close()
    deadline = time.monotonic() + 10
    while alive_in_group(process.pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive_in_group(process.pid)


def alive_in_group(group: int) -> list[int]:
    """Processes of a group that are more than a zombie waiting for init."""
    alive: list[int] = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                alive.append(process.pid)
    return alive


def test_a_toolchain_that_is_missing_or_broken_is_our_fault(tree: Path, tmp_path: Path) -> None:
    (tree / "a.py").write_text("x = 1\n")
    cache = str(tmp_path / "cache")
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 7\n")
    broken.chmod(0o755)
    for python, ruff in [
        (str(tmp_path / "nothing"), "/bin/true"),
        ("/bin/false", "/bin/true"),
        (sys.executable, str(tmp_path / "nothing")),
        (sys.executable, str(broken)),
    ]:
        config = LintConfig(cache_dir=cache, python=python, ruff=ruff)
        host = ToolHost(str(tree), "proctor-1", lint_command=config)
        outcome = host.call("lint", {})
        host.close()
        assert outcome.is_error and outcome.internal and outcome.text.startswith("Error: lint")


def test_a_lint_that_takes_too_long_is_stopped(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.caps.LINT_SECONDS", 0.3)
    (tree / "a.py").write_text("x = 1\n")
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    config = LintConfig(cache_dir=str(tmp_path / "cache"), python=str(slow), ruff="/bin/true")
    host = ToolHost(str(tree), "proctor-1", lint_command=config)
    outcome = host.call("lint", {})
    host.close()
    assert outcome.is_error and "stopped" in outcome.text and not outcome.internal


def test_a_seeded_cache_may_be_copied_and_read_only(faulty: Path, tmp_path: Path) -> None:
    seed(LintConfig(cache_dir=str(tmp_path / "seeded"), python=sys.executable))
    cache = shutil.copytree(tmp_path / "seeded", tmp_path / "copy", copy_function=shutil.copyfile)
    assert any(path.is_file() for path in (cache / "mypy").rglob("*"))
    subprocess.run(["chmod", "-R", "a-w", str(cache)], check=True)
    python = sys.executable
    if os.geteuid() == 0:  # root writes anywhere, unless it gives that up
        if not shutil.which("setpriv"):
            pytest.skip("root needs setpriv to be refused a write")
        wrapper = tmp_path / "python"
        drop = "setpriv --bounding-set -dac_override,-dac_read_search"
        wrapper.write_text(f'#!/bin/sh\nexec {drop} {sys.executable} "$@"\n')
        wrapper.chmod(0o755)
        python = str(wrapper)
        probe = [python, "-c", f"open({str(cache / 'x')!r}, 'w')"]
        assert subprocess.run(probe, capture_output=True, check=False).returncode == 1
    ruff = str(Path(sys.executable).parent / "ruff")
    config = LintConfig(cache_dir=str(cache), python=python, ruff=ruff)
    host = ToolHost(str(faulty), "proctor-1", lint_command=config)
    try:
        assert host.call("lint", {}).text.splitlines() == FOUND
    finally:
        host.close()
        subprocess.run(["chmod", "-R", "u+w", str(cache)], check=True)


def test_seeding_from_the_command_line_tells_what_went_wrong(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.linting", str(tmp_path / "cache"), "/bin/false"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "mypy cannot fill" in done.stderr


def test_module_names_are_unique_and_spare_the_standard_library() -> None:
    paths = ["a.py", "src/a.py", "src/b/__init__.py", "b.pyi", "b.py", "typing.py", "x.y/z.py"]
    named = modules(dict.fromkeys(paths, ""))
    assert len(set(named.values())) == len(paths)
    assert named["a.py"] == "a" and named["b.pyi"] == "b"
    assert named["typing.py"] != "typing"
    assert modules({"src/b/c.py": ""}) == {"src/b/c.py": "b.c"}
    assert modules({"json/x.py": ""})["json/x.py"].split(".")[0] != "json"
