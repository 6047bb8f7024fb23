"""The errors a user can meet. Each says what is wrong, where, and how to mend it.

ProctorError
├── UsageError            wrong argument, unknown name, bad file            exit 2
│   └── ConfigError       configuration or task file malformed              exit 2
├── ConflictError         plan or identity differs, folder locked           exit 3
├── ContainmentError      no containment that this suite may run in         exit 4
└── InfrastructureError   the machine's, the server's or our own fault      exit 1
    ├── SandboxError      a box could not be opened, or died for no fault of the model
    │   └── SandboxLost   a box that was open no longer answers
    ├── EndpointError     the model server cannot be reached or refuses
    └── StorageError      the run folder cannot be written or read
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of every command (see ``proctor --help``)."""

    OK = 0
    INCOMPLETE = 1
    USAGE = 2
    CONFLICT = 3
    REFUSED = 4
    BELOW_THRESHOLD = 5
    INTERRUPTED = 130


class ProctorError(Exception):
    """Base of every error shown to a user as one line."""

    exit_code = ExitCode.INCOMPLETE

    def __init__(self, what: str, *, where: str | None = None, remedy: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text} ({self.remedy})" if self.remedy else text


class UsageError(ProctorError):
    """An argument, a name or a file that cannot be used as given."""

    exit_code = ExitCode.USAGE


class ConfigError(UsageError):
    """A configuration or task file that is malformed."""


class ConflictError(ProctorError):
    """The plan, the endpoint's identity or the folder's owner differs from what is asked."""

    exit_code = ExitCode.CONFLICT


class ContainmentError(ProctorError):
    """No containment is ready in which this suite may run code."""

    exit_code = ExitCode.REFUSED


class InfrastructureError(ProctorError):
    """A fault that is not the model's: no score comes of it."""


class SandboxError(InfrastructureError):
    """A box could not be opened or does not do as told."""


class SandboxLost(SandboxError):
    """A box that was open no longer answers."""


class EndpointError(InfrastructureError):
    """The model server cannot be reached, or refuses for a reason that is not the model's."""


class StorageError(InfrastructureError):
    """The run folder cannot be written or read."""
