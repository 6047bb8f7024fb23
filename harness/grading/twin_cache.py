"""Twins are found once a repository and process, as they depend on the hidden tests alone; what
false values are compared with is the task's own."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from harness.grading.boxes import Place
from harness.grading.false_values import Surroundings
from harness.grading.subject import Subject
from harness.grading.twin_pairs import TwinSet, python_twins
from harness.grading.twins_node import node_twins
from harness.tasks.trees import tree_digest

_made: dict[str, TwinSet] = {}
_placed: dict[str, TwinSet] = {}
_making: dict[str, asyncio.Lock] = {}
_LIMIT = 512


async def twins_of(subject: Subject, place: Place) -> TwinSet:
    """The twins of a task. Raises ConfigError (tests that do not parse), SandboxError."""
    found = await _found(subject, place)
    key = f"{tree_digest(subject.hidden)} {tree_digest(subject.start)} {subject.instruction}"
    if key not in _placed:
        around = Surroundings(found.files, subject.start, subject.instruction)
        if len(_placed) >= _LIMIT:
            _placed.clear()
        _placed[key] = replace(found, around=around)
    return _placed[key]


async def _found(subject: Subject, place: Place) -> TwinSet:
    key = f"{subject.language} {tree_digest(subject.hidden)} {tree_digest(subject.gold)}"
    if (known := _made.get(key)) is not None:
        return known
    # Samples of one repository begin together; one of them makes the twins for all.
    try:
        async with _making.setdefault(key, asyncio.Lock()):
            known = _made.get(key)
            if known is None:
                known = await _make(subject, place)
                if len(_made) >= _LIMIT:
                    _made.clear()
                _made[key] = known
            return known
    finally:
        _making.pop(key, None)


async def _make(subject: Subject, place: Place) -> TwinSet:
    if subject.language == "python":
        return await asyncio.to_thread(python_twins, subject)
    box = await place.provider.open(place.spec("grade", subject.language))
    try:
        return await node_twins(subject, box)
    finally:
        await box.close()
