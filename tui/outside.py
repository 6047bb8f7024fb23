"""Taking text out of the interface: the terminal's clipboard, files, the pager, the editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from harness.state.sanitize import safe
from tui.plain import clean_line, plural

# Terminals drop longer OSC 52 strings; a file holds all.
_CLIPBOARD_CHARS = 70_000
_FALLBACK = {"PAGER": "less", "EDITOR": "vi"}


def copy_out(app: App[Any], text: str, what: str) -> Path | None:
    """Send ``text`` to the terminal's clipboard (OSC 52: works over ssh) and write it to a file,
    for terminals that do not listen. Tells where; returns the file."""
    if not text:
        app.notify("There is nothing to copy here.", markup=False)
        return None
    if len(text) <= _CLIPBOARD_CHARS:
        app.copy_to_clipboard(text.encode("utf-8", "replace").decode("utf-8"))
    path = _write(text, f"{what}.txt")
    sent = (
        "Sent to the terminal's clipboard" if len(text) <= _CLIPBOARD_CHARS else "Too long to send"
    )
    where = f"; also in {path}" if path else ""
    app.notify(f"{sent} ({plural(len(text), 'character')}){where}", title="Copy", markup=False)
    return path


async def copy_request(app: App[Any], folder: Path | None, key: str, turn: int) -> None:
    """Copy the request of a stored turn as a curl command, made by ``proctor show``."""
    if folder is None or turn < 1:
        app.notify("There is no request of a model here.", markup=False)
        return
    from tui.commands import proctor

    where = ["--sample", key, "--turn", str(turn)]
    done = await proctor("show", str(folder), *where, "--curl", "--json")
    if done.ok:
        copy_out(app, str(done.document.get("curl", "")), f"turn-{turn}-curl")
    else:
        problem = clean_line(done.problem, 400)
        app.notify(problem, title="curl", severity="error", markup=False)


def open_in(app: App[Any], variable: str, text: str, suffix: str) -> None:
    """Show ``text`` in $PAGER or $EDITOR; the interface waits meanwhile."""
    if not text:
        app.notify("There is nothing to open here.", markup=False)
        return
    # A pager may pass escapes on to the terminal: it gets the text as we show it.
    path = _write(safe(text, 50_000_000) if variable == "PAGER" else text, f"view{suffix}")
    if path is None:
        app.notify("No temporary file can be written.", severity="error", markup=False)
        return
    try:
        command = shlex.split(os.environ.get(variable) or "") or [_FALLBACK[variable]]
    except ValueError as error:  # a quote that is not closed
        app.notify(f"${variable} cannot be read: {error}", severity="error", markup=False)
        return
    try:
        with app.suspend():
            problem = _carry_out([*command, str(path)], variable)
    except SuspendNotSupported:
        problem = "Not possible here."
    if problem:
        app.notify(f"{problem} The text is in {path}", severity="error", markup=False)


def _carry_out(command: list[str], variable: str) -> str:
    """Run a program on the terminal; what went wrong, in words. Never raises: the interface would
    not take the terminal back."""
    try:
        code = subprocess.run(command, check=False).returncode
    except (OSError, ValueError) as error:
        return f"${variable} cannot be started: {getattr(error, 'strerror', None) or error}."
    return f"{Path(command[0]).name} ended with {code}." if code not in (0, 130) else ""


def _write(text: str, name: str) -> Path | None:
    try:
        folder = Path(tempfile.gettempdir()) / f"proctor-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink() or folder.stat().st_uid != os.getuid():
            return None
        stamp = datetime.now().strftime("%H%M%S-%f")[:10]
        path = folder / f"{stamp}-{name}"
        path.write_text(text, "utf-8", "backslashreplace")
        return path
    except OSError:
        return None
