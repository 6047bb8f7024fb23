"""The direction of dependencies, proved in fresh interpreters."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def loaded_after(statement: str) -> set[str]:
    """Top-level and dotted module names in sys.modules after ``statement`` ran."""
    program = f"import sys\n{statement}\nprint('\\n'.join(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def modules(package: str) -> list[str]:
    """Every module of ``package`` in the checkout."""
    names = []
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def test_tools_need_nothing_but_the_standard_library() -> None:
    names = [n for n in modules("tools") if not n.endswith("__main__")]
    allowed = {"tools", "__main__", "_distutils_hack", "_virtualenv", "pytest", "_pytest"}
    before = loaded_after("pass")
    after = loaded_after(
        "import builtins\n" + "\n".join(f"import {n}" for n in names if "run_pytest" not in n)
    )
    foreign = {
        name.split(".")[0]
        for name in after - before
        if name.split(".")[0] not in sys.stdlib_module_names
    }
    assert foreign - allowed == set()


def test_the_command_line_starts_without_heavy_packages() -> None:
    heavy = {"textual", "openai", "docker", "scipy", "datasets", "pydantic", "rich", "zstandard"}
    assert loaded_after("import harness.cli.main") & heavy == set()


@pytest.mark.parametrize(
    "statement",
    [
        "import harness.execution.runner",
        "import harness.state.reduce, harness.state.follow, harness.state.replay",
        "import harness.report.scores",
        "import harness.cli.printer",
    ],
)
def test_headless_parts_never_import_textual(statement: str) -> None:
    assert "textual" not in loaded_after(statement)


def test_the_harness_does_not_import_the_interface() -> None:
    for name in modules("harness"):
        source = ROOT / Path(*name.split("."))
        path = (
            source.with_suffix(".py")
            if source.with_suffix(".py").exists()
            else source / "__init__.py"
        )
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.startswith(("import tui", "from tui")):
                raise AssertionError(f"{path}:{number} imports the interface at module level")
