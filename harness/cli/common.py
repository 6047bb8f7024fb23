"""What several commands need: versions, JSON output, finding a run by its name."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from harness.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])
_Answer = TypeVar("_Answer")

json_option = click.option(
    "--json", "as_json", is_flag=True, help="One JSON document on stdout, all else on stderr."
)


def proctor_version() -> str:
    """The installed version, the checkout's when it is not installed."""
    from importlib import metadata

    try:
        return metadata.version("proctor-harness")
    except metadata.PackageNotFoundError:
        import tomllib

        project = Path(__file__).resolve().parents[2] / "pyproject.toml"
        try:
            return f"{tomllib.loads(project.read_text('utf-8'))['project']['version']}+checkout"
        except (OSError, KeyError, tomllib.TOMLDecodeError):
            return "unknown"


def emit_json(document: Any) -> None:
    """Write the command's one document to stdout."""
    click.echo(json.dumps(document, ensure_ascii=False, default=str))


def said(text: str) -> None:
    """A sentence to the person, on stderr."""
    click.echo(text, err=True)


def runs_root(out: str | None) -> Path:
    """The folder that new runs are made in, as an absolute path: ``out``, else the user's.

    Raises UsageError when something else than a folder lies there or on the way there.
    """
    from harness.store.run_folder import default_runs_dir

    root = Path(out).expanduser() if out else default_runs_dir()
    return require_folder(root, "--out" if out else "PROCTOR_RUNS").resolve()


def require_folder(path: Path, setting: str) -> Path:
    """``path``, which is a folder or may become one. Raises UsageError naming ``setting``."""
    for place in (path, *path.parents):
        if os.path.lexists(place):
            if not place.is_dir():
                raise UsageError(
                    "is no folder", where=str(place), remedy=f"name a folder with {setting}"
                )
            break
    return path


def checked_name(name: str | None) -> str:
    """What ``--name`` gave, empty where it was not given. Raises UsageError for one that cannot
    stand in a list."""
    from harness.store.labels import check_name

    if name is None:
        return ""
    if not name.strip():
        raise UsageError("--name is empty", remedy="give a name, or leave --name out")
    check_name(name)
    return name.strip()


def run_name(folder: Path) -> str:
    """What names a run on a command line, from any folder: its id where that finds it, else its
    path; quoted for the shell."""
    import shlex

    path = folder.resolve()
    listed = any(path.parent == root.resolve() for root in run_roots())
    return shlex.quote(path.name if listed else str(path))


def run_roots() -> list[Path]:
    """Folders that hold runs: the user's, and the one configured as ``out``."""
    from harness.config import load_config, resolve
    from harness.store.run_folder import default_runs_dir

    roots = [default_runs_dir()]
    out = resolve({}, os.environ, load_config())["out"]
    if out:
        roots.append(Path(out).expanduser())
    return roots


def run_folders() -> list[Path]:
    """All run folders, the newest first."""
    found: dict[Path, Path] = {}
    for root in run_roots():
        try:
            inside = list(root.iterdir())
        except NotADirectoryError:
            require_folder(root, "PROCTOR_RUNS or --out")
            continue
        except OSError:  # not there, or not for this user: then it holds no runs to list
            continue
        for path in inside:
            if is_run(path):
                found.setdefault(path.resolve(), path)
    # Names begin with a time to the second; the plan file's own time parts runs of one second.
    return sorted(
        found.values(),
        key=lambda p: (p.name[:15], (p / "plan.json").stat().st_mtime_ns),
        reverse=True,
    )


def is_run(path: Path) -> bool:
    """Whether ``path`` holds a plan."""
    try:
        return (path / "plan.json").is_file()
    except OSError:
        return False


def _only(found: list[Path], what: str, remedy: str) -> Path:
    """The one that was found. Raises UsageError for several."""
    if len(found) > 1:
        few = ", ".join(folder.name for folder in found[:3])
        raise UsageError(f"{what} {len(found)} runs", where=few, remedy=remedy)
    return found[0]


def find_run(text: str) -> Path:
    """The folder that ``text`` names: a path, a run id, a unique beginning of one, a run's name
    (``--name``), ``last``, or a recorded run that ships with the program, such as ``demo``.

    Raises UsageError.
    """
    path = Path(text).expanduser()
    if is_run(path):
        return path.resolve()
    try:
        is_folder = path.is_dir()
        if is_folder and text not in ("", "last"):
            os.listdir(path)  # noqa: PTH208  (says why an unreadable folder is none)
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="check its permissions"
        ) from None
    folders = run_folders()
    if text == "last":
        if not folders:
            raise UsageError("there is no run yet", remedy="start one with: proctor run repos")
        return folders[0]
    exact = [f for f in folders if f.name == text]
    matching = exact or [f for f in folders if text and f.name.startswith(text)]
    if matching:
        return _only(matching, f"{text!r} is the beginning of", "give more of the id")
    if named := _named(folders, text):
        return _only(named, f"{text!r} is the name of", "give the id of one, see: proctor runs")
    if is_folder:
        raise UsageError(
            "is no run folder: it has no plan.json", where=str(path), remedy="see: proctor runs"
        )
    from harness.store.recorded import recorded_run

    recorded = recorded_run(text)
    if recorded is not None:
        return recorded
    raise UsageError(f"no run is called {text!r}", remedy="see: proctor runs")


def _named(folders: list[Path], text: str) -> list[Path]:
    """Runs called ``text`` by --name. Read only where no id begins so: each takes a file or two."""
    from harness.store.labels import read_labels

    name = text.strip()
    return [folder for folder in folders if name and read_labels(folder)[0] == name]


def answer(ask: Callable[[], _Answer]) -> _Answer:
    """What ``ask`` asks a person for. Within an async command a Ctrl+C would else be held back till
    the question is answered."""
    import signal

    held = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return ask()
    finally:
        signal.signal(signal.SIGINT, held)


# An event loop takes three, and one that is made by half complains on stderr as it is collected.
_LOOP_DESCRIPTORS = 4


def _require_descriptors() -> None:
    """Raises OSError where there are too few to begin with."""
    taken: list[int] = []
    try:
        for _ in range(_LOOP_DESCRIPTORS):
            taken.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    finally:
        for fd in taken:
            os.close(fd)


def asynchronous(function: F) -> F:
    """Let an async function be a command."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        import asyncio

        _require_descriptors()
        return asyncio.run(function(*args, **kwargs))

    return wrapper  # type: ignore[return-value]
