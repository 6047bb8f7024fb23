"""``labels.json``: a run's name and note as edited later; plan and sessions stay as they are."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.errors import ProctorError, UsageError
from harness.store import layout
from harness.store.atomic import write_atomic
from harness.store.sessions import SessionFiles

_LONGEST = 4000


class Labels(BaseModel):
    """None: what the run was started with holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str | None = None
    note: str | None = None


def read_labels(folder: Path) -> tuple[str, str]:
    """Name and note of a run, empty where there are none; damaged files count as none."""
    edited = _edited(folder)
    if edited.name is not None and edited.note is not None:
        return edited.name, edited.note
    try:
        sessions = SessionFiles(folder)
        launch = sessions.read(sessions.numbers()[-1]).launch
        name, note = launch.name, launch.note
    except (ProctorError, IndexError):
        name = note = ""
    return (
        name if edited.name is None else edited.name,
        note if edited.note is None else edited.note,
    )


def edited_name(folder: Path) -> str | None:
    """The name as edited, None when it never was; reads one small file."""
    return _edited(folder).name


def check_name(name: str) -> None:
    """Raises UsageError for a name that would break a list of runs, or stands for another run."""
    if not name.isprintable():
        shown = name.encode("unicode_escape").decode()[:80]
        raise UsageError(
            f"the name {shown} holds a control character",
            remedy="give a name of one line; a note may have several",
        )
    if name.strip() == "last":
        raise UsageError(
            "no run can be named 'last': it stands for the newest run", remedy="choose another"
        )
    _check_length(name, "name")


def _check_length(text: str, what: str) -> None:
    if len(text) > _LONGEST:
        raise UsageError(f"the {what} is longer than {_LONGEST} characters")


def write_labels(folder: Path, *, name: str | None = None, note: str | None = None) -> None:
    """Change name, note or both; also of a run that is at work. Raises UsageError, StorageError."""
    if name is not None:
        check_name(name)
    _check_length(note or "", "note")
    changes = {"name": name, "note": note}
    labels = _edited(folder).model_copy(
        update={key: text.strip() for key, text in changes.items() if text is not None}
    )
    write_atomic(folder / layout.LABELS, labels.model_dump_json(indent=1).encode() + b"\n")


def _edited(folder: Path) -> Labels:
    try:
        return Labels.model_validate_json((folder / layout.LABELS).read_bytes())
    except (OSError, ValidationError):
        return Labels()  # never edited, or damaged: the names given at the start still hold
