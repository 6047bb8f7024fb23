"""What a tool call gives back."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that a call changed; digests are SHA-256 in hex, None where there is no file.

    `path` is relative to the root, with links resolved. `content` is the new file's bytes.
    """

    path: str
    before: str | None
    after: str | None
    mode_before: int | None
    mode_after: int | None
    content: bytes | None


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """The answer to one call. `text` holds no control character but tab and newline.

    `path_refused`: the call named a place outside the tree. `internal`: the fault is ours, not
    the model's. `lint_findings` is None unless a lint ran to its end.
    """

    text: str
    is_error: bool = False
    path_refused: bool = False
    delta: list[FileChange] = field(default_factory=list)
    lint_findings: int | None = None
    finished: bool = False
    internal: bool = False


class ToolError(Exception):
    """A call that cannot be carried out; its text tells the model how to do it right."""


class PathRefusedError(ToolError):
    """The path names a place outside the tree."""


class InternalToolError(ToolError):
    """A fault of the harness or its toolchain, not of the model."""
