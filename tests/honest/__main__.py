"""``python -m tests.honest [GLOB...] [--only CONTAINMENT]``: grades all honest solutions."""

from __future__ import annotations

import argparse
import asyncio
import fnmatch
from collections import Counter

from harness.sandbox.protocol import Limits
from harness.sandbox.select import provider_named
from tests.honest.cases import cases, graded


async def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.honest")
    parser.add_argument("patterns", nargs="*", help="globs of kind/name; all without one")
    parser.add_argument("--only", help="one containment")
    parser.add_argument("--times", type=int, default=1, help="each as often")
    options = parser.parse_args()
    globs = options.patterns or ["*"]
    chosen = [c for c in cases() if any(fnmatch.fnmatch(c.id, glob) for glob in globs)]
    wrong = 0
    for name in [options.only] if options.only else ["docker", "bubblewrap"]:
        provider = provider_named(name)
        try:
            if not (await provider.probe(Limits())).ready:
                print(f"{name}: not ready here")
                continue
            counts: Counter[str] = Counter()
            flagged: Counter[str] = Counter()
            async for case, found in graded(chosen * options.times, provider):
                counts[case.kind] += 1
                flagged.update(found.flags)
                if found.fault:
                    wrong += 1
                    print(f"WRONG {name} {case.id}: {found.fault}", flush=True)
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
            print(f"{name}: {counts.total()} honest solutions graded ({kinds})")
            shown = ", ".join(f"{count} {kind}" for kind, count in flagged.most_common())
            print(f"{name}: shown to a person, without a verdict: {shown or 'none'}", flush=True)
        finally:
            await provider.close()
    print(f"{wrong} misgraded")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
