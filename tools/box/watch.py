"""A thread that ends the box when the harness is gone, whatever the server is busy with."""

from __future__ import annotations

import _thread
import os
import select
import time

from tools.box.inbox import Inbox

TICK_MS = 500


def start(inbox: Inbox, *, lifetime_s: float, heartbeat_s: float) -> None:
    """Watch ``inbox`` from a daemon thread; exit status 0 for a hang-up, 3 and 4 for the clocks.

    The poll asks for no event, so only the hang-up wakes it and no input is taken from the server.
    """
    born = time.monotonic()

    def watch() -> None:
        poll = select.poll()
        poll.register(inbox.fd, 0)
        while True:
            if poll.poll(TICK_MS):
                os._exit(0)
            now = time.monotonic()
            if now - born > lifetime_s:
                os._exit(3)
            if now - inbox.last_heard > heartbeat_s:
                os._exit(4)

    # not by threading, whose handlers of forks would cost each child a third of a millisecond
    _thread.start_new_thread(watch, ())
