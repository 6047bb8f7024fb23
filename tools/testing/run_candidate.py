"""The untrusted half of a split judge: it runs a candidate's code and answers the judge's calls.

Requests are lists ``[name, number, ...]``: ``load source seed names memory``, ``call function args
kwargs seed``, ``next iterator``. Answers repeat the number: ``[number, "value", form, changed]``,
``[number, "error", types, text]``, ``[number, "end"]``. What is written here protects nobody: a
candidate can do as it likes in this process, and the judge believes only the values' forms.
"""

from __future__ import annotations

# What answers commonly import is loaded once, before the fork that becomes a candidate.
import bisect  # noqa: F401
import copy  # noqa: F401
import functools  # noqa: F401
import hashlib  # noqa: F401
import heapq  # noqa: F401
import itertools  # noqa: F401
import os
import random
import resource
import statistics  # noqa: F401
import string  # noqa: F401
import sys
import traceback
import types
import typing  # noqa: F401
from typing import Any

from tools.testing.large_values import Large
from tools.testing.plain_reading import Decoder
from tools.testing.plain_values import Encoder, NotPlain, TooLarge, dumps, loads
from tools.testing.split_link import Link, LinkClosed

MODULE = "candidate"
RECURSION = 1_000  # Python's own, beside the frames that are ours
TEXT = 2_000


class Candidate:
    """The module under judgement, and the objects the judge holds handles to."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.module = types.ModuleType(MODULE)
        self.objects: list[Any] = []
        self._known: dict[int, int] = {}
        self.encoder = Encoder(self._handle)
        self.decoder = Decoder(self._object)

    def _handle(self, value: Any) -> Any:
        number = self._known.get(id(value))
        if number is None:
            number = self._known[id(value)] = len(self.objects)
            self.objects.append(value)
        kind = type(value)
        return {
            "h": [
                number,
                f"{kind.__module__}.{kind.__qualname__}"[:200],
                callable(value),
                hasattr(kind, "__next__"),
                hasattr(kind, "__iter__"),
            ]
        }

    def _object(self, parts: Any) -> Any:
        return self.objects[parts[0]]

    def load(self, source: str, seed: int, names: list[str], memory: int) -> Any:
        """Run the module; returns which of ``names`` it has, as forms."""
        if memory:
            most = resource.getrlimit(resource.RLIMIT_DATA)[1]
            least = memory if most == resource.RLIM_INFINITY else min(memory, most)
            resource.setrlimit(resource.RLIMIT_DATA, (least, least))
        sys.modules[MODULE] = self.module
        try:
            code = compile(source, f"<{MODULE}>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            return ["syntax", type(error).__name__, _text(error)]
        random.seed(seed)
        exec(code, self.module.__dict__)
        found = {n: self.module.__dict__[n] for n in names if n in self.module.__dict__}
        return ["value", {name: self.encoder.encode(value) for name, value in found.items()}]

    def call(self, function: Any, args: Any, kwargs: Any, seed: int | None) -> Any:
        """Call a function; returns its value and the arguments that it changed."""
        if seed is not None:
            random.seed(seed)
        values = self.decoder.decode(args)
        named = {name: self.decoder.decode(value) for name, value in kwargs.items()}
        result = self.objects[function](*values, **named)
        for index, value in enumerate(values):
            if value is result and type(value) in (list, dict, set):
                return ["same", index, self._changed(args, values)]
        try:
            form = self.encoder.encode(result)
        except TooLarge:
            if type(result) not in (list, tuple):
                raise
            form = {"large": list(Large.of(result).key)}
        return ["value", form, self._changed(args, values)]

    def _changed(self, before: list[Any], values: list[Any]) -> dict[str, Any]:
        found = {}
        for index, (form, value) in enumerate(zip(before, values, strict=True)):
            if type(value) in (list, dict, set, bytearray):
                now = self.encoder.encode(value)
                if now != form:
                    found[str(index)] = now
        return found

    def step(self, iterator: Any) -> Any:
        """The next value of an iterator (made from an iterable the first time)."""
        source = self.objects[iterator]
        if not hasattr(type(source), "__next__"):
            return ["value", self.encoder.encode(iter(source)), {}]
        try:
            return ["value", self.encoder.encode(next(source)), {}]
        except StopIteration:
            return ["end"]


def _text(error: BaseException) -> str:
    try:
        return str(error)[:TEXT]
    except BaseException:  # a hostile __str__ is nothing that could be told
        return ""


def _answer(candidate: Candidate, request: list[Any]) -> Any:
    name, _, *parts = request
    try:
        if name == "load":
            return candidate.load(*parts)
        return candidate.call(*parts) if name == "call" else candidate.step(*parts)
    except NotPlain as error:
        return ["foreign", _text(error)]
    except BaseException as error:  # whatever a candidate raises is the judge's to weigh
        frames = traceback.extract_tb(error.__traceback__)
        where = [f.lineno for f in frames if f.filename == f"<{MODULE}>"]
        line = f" (line {where[-1]} of the answer)" if where else ""
        bases = [kind.__name__ for kind in type(error).__mro__]
        return ["error", bases[:20], _text(error) + line]


_REHEARSAL = """
from typing import Any, Dict, List, Tuple
import math
def rehearse(a: List[int], b: str = "", *c: Any) -> Tuple[Dict[int, int], str]:
    found = {}
    for number, each in enumerate(sorted(a)):
        found[each] = found.get(each, 0) + number
    return found, b.split(), [1, 2.5, None, True], {each for each in a}
"""


def warm() -> None:
    """Do what every candidate does, before any is forked: the interpreter specializes code as it
    runs it, and each child would do that anew, in pages that are copied for it."""
    state = random.getstate()
    candidate = Candidate(Link(0))
    for number in range(12):
        _answer(candidate, ["load", number, _REHEARSAL, 0, ["rehearse"], 0])
        for _ in range(4):
            request = ["call", number, number, [[3, 1, 2], "a b", 1.5, True], {}, 0]
            loads(dumps([number, *_answer(candidate, request)]))
    del sys.modules[MODULE]
    random.setstate(state)


def main() -> None:
    """Answer until the judge is gone."""
    link = Link()
    own = os.getpid()
    sys.set_int_max_str_digits(0)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.setrecursionlimit(RECURSION + 40)
    candidate = Candidate(link)
    leave = os._exit
    try:
        while True:
            request = link.receive()
            answer = _answer(candidate, request)
            if os.getpid() != own:
                leave(0)  # a process that the candidate forked, on its way back out of the call
            try:
                link.send([request[1], *answer])
            except NotPlain as error:
                link.send([request[1], "foreign", str(error)])
            except MemoryError:  # its value has room, the form in which it crosses has none
                answer = None
                link.send([request[1], "error", ["MemoryError"], "no room to hand the value over"])
    except LinkClosed:
        leave(0)


if __name__ == "__main__":
    main()
