"""What an extraction yields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Answer:
    """value: None where the reply names no answer, or two. rule: the rule that decided, with
    ``+`` and the repairs applied. form: a whole program, or a body that continues the prompt."""

    value: str | None
    rule: str
    form: Literal["program", "body"] = "program"

    @property
    def none(self) -> bool:
        return self.value is None


def no_answer(why: str) -> Answer:
    """No answer; ``why`` is a short name such as ``empty`` or ``two_letters``."""
    return Answer(None, f"no_answer:{why}")
