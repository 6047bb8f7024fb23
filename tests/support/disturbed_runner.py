"""``proctor`` with a knob or two that no user has: ``disturbed_runner.py ARGUMENTS``.

CHAOS_HEARTBEAT_S: how long boxes wait for a sign of life. CHAOS_DIE_AT: the process kills itself
instead of starting its n-th container, which exists by then.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
from typing import Any


def main() -> int:
    from harness.sandbox.protocol import Attestation, Limits

    if seconds := os.environ.get("CHAOS_HEARTBEAT_S"):
        Limits.model_fields["heartbeat_s"].default = float(seconds)
        Limits.model_rebuild(force=True)
        Attestation.model_rebuild(force=True)
    if number := os.environ.get("CHAOS_DIE_AT"):
        import docker

        started = itertools.count(1)
        start = docker.APIClient.start

        def start_or_die(client: Any, *args: Any, **more: Any) -> Any:
            if next(started) == int(number):
                os.kill(os.getpid(), signal.SIGKILL)
            return start(client, *args, **more)

        docker.APIClient.start = start_or_die
    from harness.cli.main import main as proctor

    return proctor(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
