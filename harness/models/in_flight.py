"""One request while it is out: what ends it early, and what is told while nothing comes."""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from harness.models.failures import Failure

if TYPE_CHECKING:
    from harness.models.openai_chat import Endpoint
    from harness.models.protocol import TurnSink

# A loaded server is silent for seconds while it reads a prompt; longer, a person wonders.
NOTICE_S = 15.0


class TimeUp(Exception):
    """The sample's working seconds were used up while its request was out."""


class Request:
    """A request that is out. taken_up: when the server began on it, as far as that is known
    (monotonic); None while it waits for a slot. left_s: working seconds that its sample has."""

    def __init__(self, sink: TurnSink, endpoint: Endpoint, left_s: float | None) -> None:
        self._sink, self.endpoint, self._left_s = sink, endpoint, left_s
        self._limit: asyncio.Timeout | None = None
        self._last = time.monotonic()
        self._next_s = NOTICE_S
        self._told = False
        self._timer: asyncio.TimerHandle | None = None
        self._heard = False
        self.taken_up: float | None = None

    @property
    def working_s(self) -> float:
        """Seconds since the server took it up."""
        return 0.0 if self.taken_up is None else time.monotonic() - self.taken_up

    def take_up(self) -> None:
        """The server has a slot for it: from now on it runs the sample's clock."""
        if self.taken_up is not None:
            return
        self.taken_up = self._last = time.monotonic()
        if self._left_s is not None and self._limit is not None:
            loop = asyncio.get_running_loop()
            self._limit.reschedule(loop.time() + self._left_s)

    def bytes_came(self) -> None:
        """Something came: a notice of silence is over."""
        self._heard = True
        self._last = time.monotonic()
        if self._told:
            self._over()
            self._next_s = NOTICE_S
            self._watch()

    def silence(self) -> str | None:
        """What a person should know of a request that ended without an answer."""
        if self._heard:
            return None
        return f"the server sent no byte for {self.working_s:.0f} s, until the time limit"

    def begin(self, limit: asyncio.Timeout) -> None:
        self._limit = limit
        self._watch()

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._told:
            self._over()

    def _over(self) -> None:
        self._told = False
        self._sink.waiting("")

    def _watch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        due = self._last + self._next_s - time.monotonic()
        self._timer = asyncio.get_running_loop().call_later(max(0.0, due), self._look)

    def _look(self) -> None:
        quiet = time.monotonic() - self._last
        if quiet >= self._next_s:
            self._told = True
            self._sink.waiting(self._notice(self._next_s))
            self._next_s *= 2
        self._watch()

    def _notice(self, quiet_s: float) -> str:
        url = self.endpoint.url
        if self.taken_up is None:
            return f"waits for a slot of {url} for {quiet_s:g} s"
        more_s = (self.endpoint.client.idle_s or math.inf) - quiet_s
        if self._left_s is not None:
            more_s = min(more_s, self._left_s - self.working_s)
        return f"no byte from {url} for {quiet_s:g} s; waiting {more_s:.0f} s more at most"


class Slots:
    """Our requests at one endpoint in the order in which they were sent. Those beyond its slots
    lie in the server's queue, where no sample's clock runs. None: how many it has is unknown."""

    def __init__(self, slots: int | None) -> None:
        self._slots = slots
        self._out: dict[Request, None] = {}

    def enter(self, request: Request) -> None:
        self._out[request] = None
        if self._slots is None or len(self._out) <= self._slots:
            request.take_up()

    def leave(self, request: Request) -> None:
        del self._out[request]
        if self._slots is not None:
            for next_one in itertools.islice(self._out, self._slots):
                next_one.take_up()


@contextmanager
def told_when_silent(url: str, tell: Callable[[str], None]) -> Iterator[None]:
    """Around a question that is put before the run: tells when no answer comes for long."""
    loop = asyncio.get_running_loop()
    began, timer = loop.time(), loop.call_later(NOTICE_S, lambda: say(NOTICE_S))

    def say(quiet_s: float) -> None:
        nonlocal timer
        tell(f"{url}: no answer for {quiet_s:g} s; still waiting")
        timer = loop.call_at(began + 2 * quiet_s, say, 2 * quiet_s)

    try:
        yield
    finally:
        timer.cancel()


@asynccontextmanager
async def in_flight(request: Request, *, timeout_s: float | None) -> AsyncIterator[None]:
    """Around all of a request's life, from sending to the last byte.

    Raises Failure(timeout) after ``timeout_s`` seconds, TimeUp when its sample's are used up.
    """
    try:
        async with asyncio.timeout(timeout_s) as whole, asyncio.timeout(None) as limit:
            slots = request.endpoint.slots
            request.begin(limit)
            slots.enter(request)
            try:
                yield
            finally:
                slots.leave(request)
                request.end()
    except TimeoutError:
        if limit.expired():
            raise TimeUp from None
        if whole.expired():
            raise Failure("timeout", f"no whole reply in {timeout_s:g} s") from None
        raise
