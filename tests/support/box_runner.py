"""A runner process for leak tests: ``box_runner.py PROVIDER WHAT RUN_ID``, killed by the test.

Prints one line when it is where the test wants it: ``idle`` with an open box, ``child`` while a
child runs, ``created`` with a container that exists and was not started.
"""

from __future__ import annotations

import asyncio
import sys

from harness.sandbox.protocol import ChildSpec
from harness.sandbox.select import provider_named
from tests.support.boxes import SMALL, spec


async def main() -> None:
    name, what, run_id = sys.argv[1:4]
    provider = provider_named(name)
    limits = SMALL
    if what == "beats":
        limits = SMALL.model_copy(update={"heartbeat_s": 3.0})
    if what == "created":
        client = provider._client  # type: ignore[attr-defined]
        client.start = lambda *_: (print("ready", flush=True), __import__("time").sleep(600))
    box = await provider.open(spec(limits, run_id=run_id))
    if what == "child":
        asyncio.get_running_loop().call_later(0.5, lambda: print("ready", flush=True))
        await box.run(ChildSpec(argv=("sleep", "600"), wall_s=600))
    print("ready", flush=True)
    await asyncio.sleep(600)


asyncio.run(main())
