"""How an error reaches the user: one line, or one JSON document; never a traceback."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import click

from harness.errors import ExitCode, ProctorError

# Descriptors kept for the telling: where there is none left, nothing more could be imported.
_KEPT = [os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC) for _ in range(3)]
# What the file system refuses: the machine's state, not a fault of the program.
_MACHINES = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)


def wants_json(arguments: list[str]) -> bool:
    """Whether the arguments ask for JSON; read before parsing, for usage errors too."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in own


def report(error: Exception, *, as_json: bool) -> int:
    """Tell the user of ``error`` and return the exit code."""
    while _KEPT:
        os.close(_KEPT.pop())
    from harness.models.redact import redacted

    kind, what, where, remedy, code = _describe(error)
    what, where, remedy = redacted(what), where and redacted(where), remedy and redacted(remedy)
    if as_json:
        _echo(_document(kind, what, where, remedy), err=False)
    else:
        _echo(line(what, where, remedy), err=True)
    return code


def interrupted(*, as_json: bool) -> int:
    """Tell of Ctrl+C, or of a question that was not answered, and return the exit code."""
    if as_json:
        _echo(_document("Interrupted", "interrupted", None, None), err=False)
    else:
        _echo("interrupted", err=True)
    return int(ExitCode.INTERRUPTED)


def _document(kind: str, what: str, where: str | None, remedy: str | None) -> str:
    error = {"kind": kind, "what": what, "where": where, "remedy": remedy}
    return json.dumps({"error": error}, ensure_ascii=False)


def line(what: str, where: str | None, remedy: str | None) -> str:
    """``error: what (where) -> remedy``, on one line and free of control characters."""
    text = f"error: {what.rstrip('. ')}"
    if where:
        text += f" ({where})"
    if remedy:
        text += f" -> {remedy}"
    from harness.state.sanitize import safe

    return safe("; ".join(part.strip() for part in text.splitlines() if part.strip()))


def _describe(error: Exception) -> tuple[str, str, str | None, str | None, int]:
    if isinstance(error, ProctorError):
        return (
            type(error).__name__,
            error.what,
            error.where,
            error.remedy,
            int(error.exit_code),
        )
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else None
        remedy = f"see {context.command_path} --help" if context is not None else None
        return "UsageError", error.format_message(), where, remedy, int(ExitCode.USAGE)
    if isinstance(error, FileNotFoundError) and _is_lost():
        what, remedy = "the working folder is gone", "change to one that exists"
        return "UsageError", what, None, remedy, int(ExitCode.USAGE)
    if (told := _no_descriptors(error)) is not None:
        from harness.store.faults import MORE_DESCRIPTORS

        return "StorageError", told, None, MORE_DESCRIPTORS, int(ExitCode.INCOMPLETE)
    if isinstance(error, OSError) and error.filename and error.errno in _MACHINES:
        # what no command foresaw, but anybody can mend
        return "StorageError", f"{error.strerror}", f"{error.filename}", None, 1
    path = crash_report(error)
    return (
        "InternalError",
        f"internal error: {type(error).__name__}: {str(error)[:300]}",
        None,
        f"the report is in {path}" if path else "no report could be written",
        int(ExitCode.INCOMPLETE),
    )


def _no_descriptors(error: Exception) -> str | None:
    """What the system says where it has no descriptor left. The dynamic linker, asked for a module,
    says it in words alone."""
    for number in (errno.EMFILE, errno.ENFILE):
        said = os.strerror(number)
        if isinstance(error, OSError) and error.errno == number:
            return said
        if isinstance(error, ImportError) and str(error).endswith(said):
            return said
    return None


def _is_lost() -> bool:
    """Whether the working folder was deleted: no relative path leads anywhere then."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def crash_report(error: BaseException) -> Path | None:
    """Write the traceback to the cache (to the temporary folder where that cannot be written)."""
    import traceback

    import platformdirs

    from harness.models.redact import redacted

    text = "".join(traceback.format_exception(error))
    name = f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for folder in (
        Path(platformdirs.user_cache_dir("proctor")) / "crashes",
        Path(tempfile.gettempdir()),
    ):
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = folder / name
            with os.fdopen(
                os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "w"
            ) as file:
                file.write(f"proctor {' '.join(sys.argv[1:2])}\n\n{redacted(text)}")
            return path
        except OSError:
            continue
    return None


def hush(*descriptors: int) -> None:
    """Send what is still written to these descriptors (stdout and stderr without any) nowhere:
    their reader is gone."""
    sink = os.open(os.devnull, os.O_WRONLY)
    for descriptor in descriptors or (1, 2):
        os.dup2(sink, descriptor)
    os.close(sink)


def _echo(text: str, *, err: bool) -> None:
    try:
        click.echo(text, err=err)
    except BrokenPipeError:
        if not err:
            hush(1)
