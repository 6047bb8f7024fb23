"""All honest solutions of all tables, each with the way to grade it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from random import Random
from typing import Literal

from harness.errors import ProctorError
from harness.sandbox.protocol import Provider
from harness.suites.pool import Pool
from tests.honest import answers, class_answers, node_repo, python_repo
from tests.honest.grading import Found, graded_tree, judged
from tests.honest.solutions import NODE, PYTHON

Kind = Literal["python", "typescript", "function", "class"]
_AT_ONCE = 2  # gradings beside each other
_SHARE: dict[Kind, int] = {"python": 2, "typescript": 2, "function": 16, "class": 6}


@dataclass(frozen=True)
class Case:
    """One honest solution."""

    kind: Kind
    name: str

    @property
    def id(self) -> str:
        """Unique."""
        return f"{self.kind}/{self.name}"


def cases() -> list[Case]:
    """All of them."""
    return [
        *(Case("python", name) for name in PYTHON),
        *(Case("typescript", name) for name in NODE),
        *(Case("function", name) for name in answers.ANSWERS),
        *(Case("class", name) for name in class_answers.CLASSES),
    ]


def share(seed: int) -> list[Case]:
    """Some of each kind."""
    random = Random(seed)
    found: list[Case] = []
    for kind, count in _SHARE.items():
        usable = [case for case in cases() if case.kind == kind]
        found += random.sample(usable, count)
    return found


async def graded(chosen: Iterable[Case], provider: Provider) -> AsyncIterator[tuple[Case, Found]]:
    """Each of ``chosen`` with what was made of it, in the order of their ends."""
    pool = Pool(provider, _AT_ONCE, run_id="honest")
    beside = asyncio.Semaphore(_AT_ONCE)

    async def one(case: Case) -> tuple[Case, Found]:
        async with beside:
            try:
                return case, await _graded(case, provider, pool)
            except ProctorError as error:  # no score where there should be one
                return case, Found(f"{type(error).__name__}: {error}")

    tasks = [asyncio.ensure_future(one(case)) for case in chosen]
    try:
        for done in asyncio.as_completed(tasks):
            yield await done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await pool.close()


async def _graded(case: Case, provider: Provider, pool: Pool) -> Found:
    if case.kind == "python":
        return await graded_tree(python_repo.parcels(), PYTHON[case.name], provider)
    if case.kind == "typescript":
        return await graded_tree(node_repo.parcels(), NODE[case.name], provider)
    made = answers.job if case.kind == "function" else class_answers.job
    return await judged(made(case.name), pool)
