"""Outlives the runner by a moment and removes what it left; run as a file, standard library only.

``reaper.py SOCKET OWNER``: waits until its standard input closes. A byte before that means that
all is closed; without one the runner was killed, and every container with the owner's label goes,
those too that the daemon is still creating. It ends after two looks in a row found none.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sys
import time
import urllib.parse

PATIENCE_S = 600.0  # a daemon may be restarting
PAUSES_S = (0.5, 2.0)  # between looks; a create under way takes less


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(30)
        self.sock.connect(self._path)


def _call(path: str, method: str, url: str) -> bytes:
    connection = _Connection(path)
    try:
        connection.request(method, url)
        return connection.getresponse().read()
    finally:
        connection.close()


def _remove_all(path: str, owner: str) -> int:
    filters = urllib.parse.quote(json.dumps({"label": [f"proctor.owner={owner}"]}))
    listing = _call(path, "GET", f"/containers/json?all=1&filters={filters}")
    containers = json.loads(listing)
    for container in containers:
        _call(path, "DELETE", f"/containers/{container['Id']}?force=1&v=1")
    return len(containers)


def main() -> int:
    """Wait, then remove. Exit status 1 when the daemon could not be reached in time."""
    path, owner = sys.argv[1:3]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if os.read(0, 1):
        return 0
    deadline, empty = time.monotonic() + PATIENCE_S, 0
    while time.monotonic() < deadline:
        try:
            empty = 0 if _remove_all(path, owner) else empty + 1
        except (OSError, ValueError, TypeError, KeyError, http.client.HTTPException):
            empty = 0
        if empty > len(PAUSES_S):
            return 0
        time.sleep(PAUSES_S[max(0, min(empty, len(PAUSES_S)) - 1)])
    return 1


if __name__ == "__main__":
    sys.exit(main())
