"""Commands to a run: lines that viewers append to ``control.jsonl`` and its runner follows.

Each is one O_APPEND write below 4 KiB, so that writers need no lock; what is larger lies in a
blob that the line names. The runner acknowledges every command by its id in ``run.jsonl``.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.errors import StorageError, UsageError
from harness.store import layout
from harness.store.faults import storage_error
from harness.store.tail import Tail
from harness.store.trees import BlobStore

CommandName = Literal[
    "cancel_run", "cancel_sample", "pause", "resume", "set_concurrency", "human_call"
]
# POSIX promises whole appends up to a page; larger contents go to a blob.
LARGEST = 4096


class Command(BaseModel):
    """One command. sample: for cancel_sample and human_call; value: for set_concurrency;
    call: a person's tool call ``{"name", "arguments"}``, or ``blob`` names where it lies."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    at: datetime
    by: str
    command: CommandName
    sample: str | None = None
    value: int | None = None
    call: dict[str, Any] | None = None
    blob: str | None = None


def append_command(
    folder: Path,
    command: CommandName,
    *,
    sample: str | None = None,
    value: int | None = None,
    call: dict[str, Any] | None = None,
) -> str:
    """Send a command to the runner of ``folder``; returns its id. Raises StorageError."""
    made = Command(
        id=secrets.token_hex(8),
        at=datetime.now(UTC),
        by=f"{socket.gethostname()}:{os.getpid()}",
        command=command,
        sample=sample,
        value=value,
        call=call,
    )
    line = _line(made)
    if len(line) > LARGEST and call is not None:
        digest, _ = BlobStore(folder / layout.BLOBS).put(_json(call))
        line = _line(made.model_copy(update={"call": None, "blob": digest}))
    if len(line) > LARGEST:
        raise UsageError("the command is too long", where=command)
    path = folder / layout.CONTROL
    try:
        fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if _torn(fd):
                line = b"\n" + line  # a writer died in mid-line: its half is not ours
            if os.write(fd, line) != len(line):
                raise StorageError("the command was written only in part", where=str(path))
        finally:
            os.close(fd)
    except OSError as error:
        raise storage_error(error, path) from error
    return made.id


def call_of(folder: Path, command: Command) -> dict[str, Any]:
    """A person's tool call, wherever it lies. Raises StorageError, UsageError."""
    if command.blob is None:
        call: Any = command.call
    else:
        call = json.loads(BlobStore(folder / layout.BLOBS).get(command.blob))
    if not isinstance(call, dict):
        raise UsageError("the command carries no tool call", where=command.id)
    return call


class CommandTail:
    """New commands at each ``poll``; lines that are none are passed over."""

    def __init__(self, folder: Path, offset: int = 0) -> None:
        self._tail = Tail(folder / layout.CONTROL, offset)

    def poll(self) -> list[Command]:
        commands = []
        for line in self._tail.poll():
            try:
                commands.append(Command.model_validate(json.loads(line)))
            except (ValueError, ValidationError, RecursionError):
                continue  # torn, or of another version: there is nobody to tell
        return commands

    def close(self) -> None:
        self._tail.close()


def _torn(fd: int) -> bool:
    size = os.fstat(fd).st_size
    return size > 0 and os.pread(fd, 1, size - 1) != b"\n"


def _line(command: Command) -> bytes:
    return _json(command.model_dump(mode="json", exclude_none=True)) + b"\n"


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")
