"""Whether an endpoint is well: what tells a prompt that breaks a server from a server that breaks.

The first is a reply that the server could not read, which counts against the model; the second is
nobody's score. Both answer 500, so that only their circumstances tell them apart.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.errors import ProctorError
from harness.models.answer import Read, chat_answer, read_answer, whole_body
from harness.models.errors_table import Meaning
from harness.models.failures import Failure

if TYPE_CHECKING:
    from harness.models.client import EndpointClient

# One prompt's sendings with the same 5xx, all others answered meanwhile: about a minute of waits.
# By chance alone a server that fails half of its requests comes there once in 2 ** 16.
SAME_ERROR_LIMIT = 8
IN_VAIN_LIMIT = 10  # requests given up in a row, of as many samples, nothing answered in between
CONTROL_S = 60.0
ELSEWHERE_S = 30.0  # the longest wait for an endpoint while another one answers
CHAT = "/chat/completions"
_QUESTION = {"role": "user", "content": "Say yes."}
_VARYING = re.compile(r"\b(?=\w*\d)\w+\b")  # ids, times and counts inside a message
_REMEMBERED = 1000


@dataclass
class Health:
    """What all sessions of an endpoint know of it.

    answered: requests answered so far. lost: set when the server answers nobody any more, with
    what a person is told; no new sample should go there.
    """

    answered: int = 0
    lost: ProctorError | None = None
    _in_vain: int = 0
    _passed: set[str] = field(default_factory=set)

    def answers(self, met: Iterable[str] = ()) -> None:
        """A request was answered, after it had met the errors ``met``."""
        self.answered += 1
        self._in_vain = 0
        if len(self._passed) < _REMEMBERED:
            self._passed.update(met)

    def got_past(self, error: str) -> bool:
        """Whether a prompt has met this error and was then answered: then it is the server's."""
        return error in self._passed

    async def given_up(self, failure: Failure, error: ProctorError, probe: Probe) -> None:
        """Nothing more is sent for a request that ended in ``failure``: is it the endpoint's end?

        A request that waited long is, when nobody else was answered meanwhile and a control
        request is not either; so are many given up in a row, refusals as well.
        """
        if self.answered > probe.answered:
            return
        self._in_vain += 1
        in_vain = self._in_vain >= IN_VAIN_LIMIT
        if in_vain or (failure.retryable and not await probe.others_answered()):
            self.lost = error


class Probe:
    """Looks from one request whether the endpoint answers others: another sample since the last
    look (or the beginning), or else a control request of one token."""

    def __init__(
        self,
        health: Health,
        others: Sequence[Health],
        client: EndpointClient,
        model: str,
        path: str = CHAT,
    ) -> None:
        self._health, self._others = health, others
        self._client, self._model, self._path = client, model, path
        self._seen = self.answered = health.answered
        self._began, self._elsewhere = time.monotonic(), self._answered_elsewhere()

    def _answered_elsewhere(self) -> int:
        return sum(each.answered for each in self._others)

    def worth_waiting(self, failure: Failure) -> bool:
        """Whether to send again after ``failure``: a sample that can begin elsewhere need not wait
        long for its endpoint while another one answers."""
        if time.monotonic() - self._began < ELSEWHERE_S:
            return failure.retryable
        return failure.retryable and self._answered_elsewhere() == self._elsewhere

    async def others_answered(self) -> bool:
        """Whether others are answered since this was asked last."""
        seen, self._seen = self._seen, self._health.answered
        if self._health.answered > seen:
            return True
        chat = self._path == CHAT
        given = {"messages": [_QUESTION], "stream": True} if chat else {"prompt": "yes"}
        body = json.dumps({"model": self._model, "max_tokens": 1, **given}).encode()
        try:
            async with (
                asyncio.timeout(CONTROL_S),
                self._client.chat(body, path=self._path) as response,
            ):
                if chat:
                    await read_answer(response, Read())
                else:
                    chat_answer(await whole_body(response))
        except (Failure, TimeoutError):
            return False
        return True


class RepeatedErrors:
    """The 5xx that one prompt has met. ``met``: their texts, less what varies in them."""

    def __init__(self, health: Health, probe: Probe) -> None:
        self._health, self._probe = health, probe
        self._counted: Counter[str] = Counter()
        self.met: set[str] = set()

    async def of_prompt(self, failure: Failure) -> bool:
        """Count a failed sending; whether it is plain by now that this prompt is what fails."""
        if (failure.status or 0) < 500 or failure.endpoint_wide or not failure.retryable:
            return False
        error = _VARYING.sub("#", failure.message)
        self.met.add(error)
        if failure.meaning is Meaning.SERVER_FAULT or self._health.got_past(error):
            return False
        # one failure is nothing yet: most are answered when they are sent again
        if self._counted[error] and not await self._probe.others_answered():
            self._counted.clear()  # the server itself is unwell: what was counted says nothing
            return False
        self._counted[error] += 1
        return self._counted[error] >= SAME_ERROR_LIMIT and not self._health.got_past(error)
