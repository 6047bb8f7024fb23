"""A real terminal for tests: tmux, driven by keys."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
import uuid
from collections.abc import Callable

PROMPT = "ready$ "
PATIENCE_S = 45.0


class Terminal:
    """A shell in a tmux server of its own."""

    def __init__(self, env: dict[str, str], size: tuple[int, int] = (120, 40)) -> None:
        self._socket = f"proctor-test-{uuid.uuid4().hex[:12]}"
        width, height = size
        shell = f"env {' '.join(f'{k}={shlex.quote(v)}' for k, v in env.items())} bash --norc"
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), shell
        )
        self.wait(lambda text: "bash" in text or "$" in text or "#" in text)
        self.line(f"PS1={shlex.quote(PROMPT)}")
        self.wait(lambda text: PROMPT.strip() in text)

    def tmux(self, *arguments: str) -> str:
        env = {name: value for name, value in os.environ.items() if "PROCTOR" not in name}
        done = subprocess.run(
            ["tmux", "-L", self._socket, *arguments],
            env=env, capture_output=True, text=True, timeout=20,
        )  # fmt: skip
        return done.stdout

    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    def line(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.tmux("send-keys", key)

    def wait(self, true: Callable[[str], bool]) -> str:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            text = self.text()
            if true(text):
                return text
            time.sleep(0.1)
        raise AssertionError(f"never came:\n{self.text()}")

    def sane(self, code: int) -> None:
        """The shell is back on the main screen, echoes, and the exit code was ``code``."""
        self.line("echo code=$? alive")
        self.wait(lambda text: f"code={code} alive" in text)
        flags = self.tmux(
            "display",
            "-p",
            "#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{bracket_paste_flag}",
        ).split()
        assert flags[:3] == ["0", "0", "1"]
        self.line("stty -a | grep -c -w -e '-echo' ; echo done")
        assert "-echo" not in self.wait(lambda text: "done" in text).replace("'-echo'", "")

    def close(self) -> None:
        self.tmux("kill-server")
