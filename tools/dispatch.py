"""The one door to the tools: a name and arguments in, an outcome out, never an exception."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from tools.linting.checker import Checker
from tools.linting.config import LintConfig
from tools.model import (
    edit_lines,
    edit_replace,
    finish,
    lint,
    list_files,
    read_file,
    search,
    write_file,
)
from tools.outcome import FileChange, InternalToolError, PathRefusedError, ToolError, ToolOutcome
from tools.schema import require_protocol, validate
from tools.workspace.files import Workspace
from tools.workspace.show import clip_result, visible

__all__ = ["FileChange", "LintConfig", "ToolHost", "ToolOutcome"]

_Run = Callable[[Workspace, dict[str, Any], str], ToolOutcome]

_TOOLS: Final[dict[str, _Run]] = {
    "list_files": list_files.run,
    "read_file": read_file.run,
    "search": search.run,
    "edit_lines": edit_lines.run,
    "edit_replace": edit_replace.run,
    "write_file": write_file.run,
    "finish": finish.run,
}

# What a path or a full file system can cause; any other error of the system is ours
_OF_THE_TREE: Final = frozenset(
    {
        errno.EACCES,
        errno.EDQUOT,
        errno.EISDIR,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.ENOENT,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.ENXIO,
        errno.EPERM,
    }
)


class ToolHost:
    """The tools on one tree. One call at a time; `close` ends the linters it started."""

    def __init__(self, root: str, protocol: str, *, lint_command: LintConfig | None) -> None:
        """Raises ValueError for an unknown protocol, OSError for a root that cannot be opened."""
        require_protocol(protocol)
        self.protocol = protocol
        self._workspace = Workspace(root)
        self._checker = Checker(lint_command, protocol) if lint_command else None

    def warm(self) -> None:
        """Start the linters ahead of the first lint; returns at once."""
        if self._checker:
            self._checker.start(self._workspace)

    def close(self) -> None:
        """End the linters and release the root."""
        if self._checker:
            self._checker.close()
        self._workspace.close()

    def call(self, name: object, arguments: object) -> ToolOutcome:
        """Carry out one call. Whatever the model sends, the answer is an outcome."""
        try:
            values = validate(self.protocol, name, arguments)
            if isinstance(values, str):
                return ToolOutcome(clip_result(visible(values)), is_error=True)
            if name == "lint":
                outcome = lint.run(self._workspace, values, self._checker)
            else:
                outcome = _TOOLS[str(name)](self._workspace, values, self.protocol)
        except PathRefusedError as error:
            return _failure(str(error), path_refused=True)
        except InternalToolError as error:
            return _failure(str(error), internal=True)
        except ToolError as error:
            return _failure(str(error))
        except OSError as error:
            told = error.strerror or type(error).__name__
            return _failure(f"the tree says: {told}", internal=error.errno not in _OF_THE_TREE)
        except Exception as error:  # a fault of ours must not end the box; it is flagged
            return _failure(f"the tool failed ({type(error).__name__}: {error})", internal=True)
        return replace(outcome, text=clip_result(outcome.text))


def _failure(text: str, *, path_refused: bool = False, internal: bool = False) -> ToolOutcome:
    shown = clip_result(visible(f"Error: {text}"))
    return ToolOutcome(shown, is_error=True, path_refused=path_refused, internal=internal)
