"""A repository of one file and one task, small enough that a whole run takes seconds."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "repo.toml": """\
schema_version = 1
name = "tally"
language = "python"
summary = "Adds up numbers and names counts"
licence = "Apache-2.0"

[tests]
style = "pytest"
folder = "tests"
timeout_s = 30

[paths]
protected = ["tests/**", "conftest.py", "**/conftest.py"]
""",
    "gold/README.md": "# tally\n\nAdds up numbers and names counts.\n",
    "gold/tally/__init__.py": '"""Adds up numbers."""\n',
    "gold/tally/core.py": '''\
"""Sums and labels."""


def total(values: list[int]) -> int:
    """The sum of ``values``."""
    return sum(values)


def label(count: int) -> str:
    """A word for ``count``."""
    return "many" if count > 1 else "one"
''',
    "hidden/test_core.py": """\
from tally.core import label, total


def test_total_of_two():
    assert total([1, 2]) == 3


def test_total_of_one():
    assert total([5]) == 5


def test_label_of_one():
    assert label(1) == "one"


def test_label_of_three():
    assert label(3) == "many"
""",
    "tasks/tally-sums-off/task.toml": """\
schema_version = 1
id = "tally-sums-off"
category = "logic"
difficulty = 1
defects = 1
instruction = "Adding up [1, 2] gives 2 where everybody expects 3; every sum is one too small."
""",
    "tasks/tally-sums-off/start.patch": """\
--- a/tally/core.py
+++ b/tally/core.py
@@ -3,7 +3,7 @@
\x20
 def total(values: list[int]) -> int:
     \"\"\"The sum of ``values``.\"\"\"
-    return sum(values)
+    return sum(values) - 1
\x20
\x20
 def label(count: int) -> str:
""",
}
TASK = "tally-sums-off"


def _labels(name: str, bound: str, instruction: str) -> dict[str, str]:
    """A task whose defect is another ``bound`` of label."""
    return {
        f"tasks/{name}/task.toml": f"""\
schema_version = 1
id = "{name}"
category = "logic"
difficulty = 1
defects = 1
instruction = "{instruction}"
""",
        f"tasks/{name}/start.patch": f"""\
--- a/tally/core.py
+++ b/tally/core.py
@@ -8,4 +8,4 @@
\x20
 def label(count: int) -> str:
     \"\"\"A word for ``count``.\"\"\"
-    return "many" if count > 1 else "one"
+    return "many" if count > {bound} else "one"
""",
    }


MORE = {
    **_labels("tally-labels-off", "0", "A single thing is labelled many; one thing should be one."),
    **_labels("tally-few-labels", "3", "Three things are labelled one; from four on it says many."),
}
THREE = (TASK, "tally-labels-off", "tally-few-labels")


def write_tiny_repo(root: Path, *, three: bool = False) -> Path:
    """Write the repository below ``root``; returns its folder. It has no evidence yet. three: with
    two tasks more."""
    folder = root / "tally"
    for name, text in (FILES | (MORE if three else {})).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
