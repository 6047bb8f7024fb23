"""Keys in the order they were typed, each seen through before the next one is looked at.

Textual hands a key to what has the focus when the key comes in, and what a key does (another
field, a dialog) is carried out by messages. On a busy machine keys come in faster than that; they
would go to what had the focus before.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Any

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message

# Behind the key, behind the messages it caused, behind what these did to the focus.
_ROUNDS = 3
# When what had the focus is gone, nothing comes back: then the next key is not kept waiting.
_PATIENCE_S = 1.0
_URGENT = ("ctrl+c", "ctrl+q")
# A key's repaint comes this long after it at most.
_REPAINT_S = 0.05


class OrderedKeys(App[int]):
    """``hearing`` is true while a key is seen through or others wait behind it."""

    class Heard(Message):
        """Follows a key on its way up from what had the focus."""

        def __init__(self, number: int, rounds: int) -> None:
            super().__init__()
            self.number, self.rounds = number, rounds

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._typed: deque[events.Key | events.Paste] = deque()
        self._number = 0
        self._target: DOMNode | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._last = 0.0

    @property
    def hearing(self) -> bool:
        return self._watch is not None

    async def quiet(self) -> None:
        """Let work that can wait give way: until no key was pressed for a moment."""
        await asyncio.sleep(0)
        while self.hearing or time.monotonic() - self._last < _REPAINT_S:
            await asyncio.sleep(0.01)

    async def on_event(self, event: events.Event) -> None:
        """Keys and pasted text one at a time, everything else as it comes."""
        ordered = isinstance(event, events.Key | events.Paste) and not event.is_forwarded
        if not ordered or getattr(event, "key", "") in _URGENT or not self.screen_stack:
            await super().on_event(event)
        elif self.hearing:
            assert isinstance(event, events.Key | events.Paste)
            self._typed.append(event)
        else:
            assert isinstance(event, events.Key | events.Paste)
            await self._pass_on(event)

    async def _pass_on(self, event: events.Key | events.Paste) -> None:
        self._number += 1
        self._last = time.monotonic()
        self._watch = asyncio.get_running_loop().call_later(
            _PATIENCE_S, self.post_message, self.Heard(self._number, 0)
        )
        self._target = self.focused or self.screen
        await super().on_event(event)
        self._follow(_ROUNDS)

    def _follow(self, rounds: int) -> None:
        target, rounds = self._target, rounds - 1
        if rounds == 0 or target is None or not target.is_attached:
            target = self.focused or (self.screen if self.screen_stack else self)
        target.post_message(self.Heard(self._number, rounds))

    async def on_ordered_keys_heard(self, event: Heard) -> None:
        event.stop()
        if event.number != self._number or self._watch is None:
            return
        if event.rounds:
            self._follow(event.rounds)
            return
        self._watch.cancel()
        self._watch = None
        if self._typed:
            await self._pass_on(self._typed.popleft())
