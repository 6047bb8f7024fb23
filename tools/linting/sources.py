"""The source files of a tree, read by our own confined reader; linters never walk the tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tools import caps
from tools.linting.findings import Finding
from tools.outcome import ToolError
from tools.workspace.files import Entry, Workspace
from tools.workspace.text import is_binary

_PYTHON: Final = (".py", ".pyi")
_TYPESCRIPT: Final = (".ts", ".tsx", ".mts", ".cts")
_BESIDE_TYPESCRIPT: Final = (".js", ".mjs", ".cjs", ".json")  # may be imported from it
_SKIPPED_FOLDERS: Final = frozenset({".git", "node_modules", "__pycache__"})


@dataclass(slots=True)
class Sources:
    """Texts by path; `unreadable` holds a finding for each file that cannot be linted."""

    python: dict[str, str] = field(default_factory=dict)
    typescript: dict[str, str] = field(default_factory=dict)
    beside: dict[str, str] = field(default_factory=dict)
    unreadable: list[Finding] = field(default_factory=list)


def collect(workspace: Workspace) -> Sources:
    """All sources below the root. Links are passed over. Raises ToolError beyond the cap."""
    sources = Sources()
    total = 0
    for entry in workspace.walk(skip=_SKIPPED_FOLDERS):
        if entry.kind != "file":
            continue
        wanted = _kind(entry.path, sources)
        if wanted is None:
            continue
        text = _text(workspace, entry, sources, report=wanted is not sources.beside)
        if text is None:
            continue
        total += len(text)
        if total > caps.LINT_TREE_BYTES:
            raise ToolError(
                f"the sources are too large to lint: more than {caps.LINT_TREE_BYTES} characters"
            )
        wanted[entry.path] = text
    return sources


def _kind(path: str, sources: Sources) -> dict[str, str] | None:
    if path.endswith(_PYTHON):
        return sources.python
    if path.endswith(_TYPESCRIPT):
        return sources.typescript
    return sources.beside if path.endswith(_BESIDE_TYPESCRIPT) else None


def _text(workspace: Workspace, entry: Entry, sources: Sources, *, report: bool) -> str | None:
    problem: str
    if entry.size > caps.LINT_FILE_BYTES:
        problem = f"not checked: larger than {caps.LINT_FILE_BYTES} bytes"
    else:
        try:
            data, _ = workspace.read_parts(entry.parts, caps.LINT_FILE_BYTES)
            entry.path.encode()  # a name that is no UTF-8 cannot be told to a linter
            if is_binary(data):
                problem = "not checked: binary file"
            else:
                return data.decode("utf-8-sig")
        except UnicodeError:
            problem = "not checked: the file or its name is not valid UTF-8"
        except (OSError, ToolError):
            problem = "not checked: cannot be read"
    if report:
        sources.unreadable.append(Finding(entry.path, 0, 0, problem))
    return None
