"""``proctor`` with a knob or two that no user has: ``disturbed_runner.py ARGUMENTS``.

CHAOS_HEARTBEAT_S: how long boxes wait for a sign of life. CHAOS_DIE_AT: the process kills itself
instead of starting its n-th container, which exists by then. CHAOS_PATIENCE_S: how long it waits
for an answer of a box. CHAOS_DESCRIPTORS: open files that it may have. CHAOS_CLOCK=J@S: after S
seconds its clock of the day jumps by J seconds; the machine's own stays as it is.
"""

from __future__ import annotations

import itertools
import os
import resource
import signal
import sys
from typing import Any


def jump(seconds: float, after_s: float) -> None:
    """Have every clock that this process reads the day from jump once."""
    import datetime
    import time

    import harness.cli.main
    import harness.execution.prepare
    import harness.execution.runner
    import harness.models.openai_chat  # noqa: F401

    began, real = time.monotonic(), time.time

    def now() -> float:
        return real() + (seconds if time.monotonic() - began > after_s else 0.0)

    class Jumping(datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.datetime.fromtimestamp(now(), tz)

    time.time = now
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("harness.") and hasattr(module, "datetime"):
            module.datetime = Jumping  # type: ignore[attr-defined]


def main() -> int:
    if number := os.environ.get("CHAOS_DESCRIPTORS"):
        import harness.cli.main  # noqa: F401 - before that nobody could tell of it

        resource.setrlimit(resource.RLIMIT_NOFILE, (int(number), int(number)))
    if clock := os.environ.get("CHAOS_CLOCK"):
        seconds, _, after = clock.partition("@")
        jump(float(seconds), float(after))
    if patience := os.environ.get("CHAOS_PATIENCE_S"):
        from harness.agent import calls
        from harness.sandbox import remote

        calls.CALL_TIMEOUT_S = 30.0
        remote.GRACE_S = remote.TREE_S = remote.HELLO_S = float(patience)
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
