"""Protocols and tasks of single-shot suites: how a question is put and an answer read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from harness.errors import UsageError
from harness.models.protocol import Message

Mode = Literal["chat", "completion", "logprobs"]


@dataclass(frozen=True)
class ShotProtocol:
    """How a suite's question is put and its answer read; a score always names it.

    origin: where it comes from, and what differs from there. stop: only for raw completions (stop
    strings of base models cut chat answers off in their first lines). extraction, assembly: the
    rules, in words. max_tokens: what the protocol itself asks for; None leaves it to sampling.
    """

    name: str
    origin: str
    mode: Mode = "chat"
    shots: int = 0
    shots_from: str = ""
    system: str | None = None
    template: str = ""
    stop: tuple[str, ...] = ()
    extraction: str = ""
    assembly: str = ""
    max_tokens: int | None = None

    def facts(self) -> dict[str, Any]:
        """All of it, for the plan's digest and for ``proctor suites NAME``."""
        return asdict(self)


@dataclass(frozen=True)
class Prompt:
    """A rendered question: messages of a chat, or the text that a completion continues.

    head: what it has in common with others (worked examples); held and stored once for all.
    """

    rest: str
    system: str | None = None
    head: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        return self.head + self.rest

    def messages(self, system: str | None = None) -> list[Message]:
        """As a conversation; ``system`` takes the place of the protocol's own system prompt."""
        first = system if system is not None else self.system
        said = [Message(role="user", content=self.text)]
        return said if first is None else [Message(role="system", content=first), *said]


@dataclass(frozen=True)
class ShotTask:
    """One question, ready to be asked. gold_reply and wrong_reply: what the reference and the
    control that must fail would say; digest covers row, prompt and reference."""

    id: str
    row: Any
    prompt: Prompt
    digest: str
    gold_reply: str
    wrong_reply: str
    category: str | None = None
    subject: str | None = None


def chosen_protocol(
    protocols: Sequence[ShotProtocol], name: str | None, suite: str
) -> ShotProtocol:
    """The protocol ``name``; the first where none is named. Raises UsageError."""
    if name is None:
        return protocols[0]
    for protocol in protocols:
        if protocol.name == name:
            return protocol
    raise UsageError(
        f"suite {suite} has no protocol {name!r}",
        remedy=f"one of: {', '.join(p.name for p in protocols)}",
    )
