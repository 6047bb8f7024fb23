"""The lint after the first one, of a small tree that changed; beside cold mypy and tsc."""

from __future__ import annotations

import asyncio
import time

from harness.sandbox.protocol import Box, BoxSpec, ChildSpec
from harness.sandbox.select import provider_named
from harness.tasks.repository import default_roots, load_tasks
from harness.tasks.trees import pack
from tests.benchmarks.figures import Figure, median
from tools.box import layout

_LINTS = 8
_COLD = {
    "python": (layout.PYTHON, "-m", "mypy", "--cache-dir=/dev/null", "."),
    "typescript": (
        "/bin/sh", "-c",
        f"{layout.TOOLCHAIN}/bin/node {layout.TOOLCHAIN}/typescript/lib/tsc.js --noEmit --strict "
        "--skipLibCheck --target es2022 --module nodenext --allowImportingTsExtensions "
        "$(find . -name '*.ts')",
    ),
}  # fmt: skip


def figures() -> list[Figure]:
    return asyncio.run(_figures())


async def _figures() -> list[Figure]:
    rows = []
    for language, task, target in (
        ("python", "stockroom-last-day", 0.15),
        ("typescript", "almanac-pauses", 0.35),
    ):
        for sandbox in ("docker", "bubblewrap"):
            provider = provider_named(sandbox)
            spec = BoxSpec("benchmark", "lint", "probe", language=language)
            if not (await provider.probe(spec.limits)).ready:
                await provider.close()
                continue
            box = await provider.open(spec)
            try:
                await box.put_tree("work", pack(load_tasks(default_roots())[task].start))
                ours = median(await _second_lints(box, language))
                cold = median([await _cold(box, language) for _ in range(3)])
            finally:
                await box.close()
                await provider.close()
            peer = {"python": "mypy, cold", "typescript": "tsc, cold"}[language]
            name = f"second lint, {language}, {sandbox}"
            rows.append(Figure(name, ours, "s", cold, peer, f"{target:g} s", ours <= target))
    return rows


async def _second_lints(box: Box, language: str) -> list[float]:
    path, comment = {"python": ("note.py", "#"), "typescript": ("note.ts", "//")}[language]
    seconds = []
    for turn in range(_LINTS):
        content = f"{comment} edit {turn}\n"
        await box.call_tool("write_file", {"path": path, "content": content}, timeout_s=30)
        started = time.perf_counter()
        reply = await box.call_tool("lint", {"path": "."}, timeout_s=60)
        if turn:
            seconds.append(time.perf_counter() - started)
        assert reply.lint_findings is not None, reply.text
    return seconds


async def _cold(box: Box, language: str) -> float:
    started = time.perf_counter()
    report = await box.run(ChildSpec(argv=_COLD[language]))
    assert report.exit_code in (0, 1, 2), report
    return time.perf_counter() - started
