"""The terminal, which may go away at any moment: then the program ends, too."""

from __future__ import annotations

import os
import signal
from typing import Any

from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """Textual's driver, over a file that can be written to when it is gone.

    Its thread that writes ends with the first write that fails; what else is to be written fills
    a queue, and the program would then wait for ever, deaf to signals.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._file: Any = _Lasting(self._file)


class _Lasting:
    """A file whose writes never fail; the first that would tells this process that its terminal
    has hung up."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._gone = False

    def write(self, text: str) -> int:
        self._tried(lambda: self._file.write(text))
        return len(text)

    def flush(self) -> None:
        self._tried(self._file.flush)

    def _tried(self, write: Any) -> None:
        if self._gone:
            return
        try:
            write()
        except (OSError, ValueError):
            self._gone = True
            os.kill(os.getpid(), signal.SIGHUP)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
