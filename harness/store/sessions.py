"""``sessions/<n>.json``: how each session carried the plan out, and the plans of the past."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.errors import StorageError
from harness.plan import Launch
from harness.sandbox.protocol import Attestation
from harness.store import layout
from harness.store.atomic import write_atomic
from harness.store.faults import storage_error


class SessionInfo(BaseModel):
    """One session. ``plan``: digest of the plan it carries out; ``started`` is None until a
    runner took it up; commands in ``control.jsonl`` before ``control_offset`` are not for it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    session: int
    plan: str
    launch: Launch
    created: datetime
    started: datetime | None = None
    host: str = ""
    pid: int | None = None
    control_offset: int = 0
    attestation: Attestation | None = None


class SessionFiles:
    """The session files of a run folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / layout.SESSIONS

    def numbers(self) -> list[int]:
        """Numbers of the sessions, in order."""
        try:
            names = [path.stem for path in self._folder.glob("*.json")]
        except OSError as error:
            raise storage_error(error, self._folder) from error
        return sorted(int(name) for name in names if name.isdecimal())

    def read(self, number: int) -> SessionInfo:
        """Raises StorageError."""
        path = self._folder / f"{number}.json"
        try:
            return SessionInfo.model_validate_json(path.read_bytes())
        except OSError as error:
            raise storage_error(error, path) from error
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise StorageError(f"{field}: {first['msg']}", where=str(path)) from None

    def write(self, info: SessionInfo) -> None:
        """Raises StorageError."""
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise storage_error(error, self._folder) from error
        write_atomic(
            self._folder / f"{info.session}.json", info.model_dump_json(indent=1).encode() + b"\n"
        )

    def remove(self, number: int) -> None:
        """Raises StorageError."""
        path = self._folder / f"{number}.json"
        try:
            path.unlink()
        except OSError as error:
            raise storage_error(error, path) from error

    def keep_plan(self, digest: str, canonical: bytes) -> None:
        """Keep the plan that an extension replaces. Raises StorageError."""
        write_atomic(self._folder / f"plan-{digest[:16]}.json", canonical)
