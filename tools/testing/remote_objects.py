"""What the judge holds in place of a candidate's objects: it can call, iterate and pass them on.

Nothing else can be learned from one. To compare it, ask for its truth, an attribute or a length
would be to take the candidate's word for the answer, so each of these fails the check.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any, NoReturn

from tools.testing.large_values import trim_heap
from tools.testing.plain_reading import Decoder
from tools.testing.plain_values import Encoder, NotPlain
from tools.testing.split_link import Link, LinkClosed


class Gone(BaseException):
    """The candidate's process ended. No test's own ``except Exception`` swallows it."""


class Forged(BaseException):
    """The candidate's process spoke out of turn or in no known form."""


class EndedItself(BaseException):
    """The candidate left by SystemExit."""


class CandidateError(Exception):
    """An exception of the candidate's; of a builtin type it is raised as that type instead."""


class Handle:
    """An object of the candidate's that is no plain value."""

    __slots__ = ("_ask", "_facts", "_iterates", "_steps", "number")

    def __init__(self, ask: Any, number: int, facts: str, steps: bool, iterates: bool) -> None:
        self._ask = ask
        self.number = number
        self._facts = facts
        self._steps = steps
        self._iterates = iterates

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotPlain(f"the answer gave an object of type {self._facts}, which is no plain value")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _refuse
    __contains__ = __getitem__ = __hash__ = __str__ = __int__ = _refuse
    __float__ = __index__ = __add__ = __radd__ = __sub__ = __rsub__ = __abs__ = _refuse
    __round__ = __getattr__ = __mul__ = __rmul__ = __format__ = __and__ = __or__ = _refuse

    def __repr__(self) -> str:
        return f"<{self._facts}>"

    def __iter__(self) -> Iterator[Any]:
        if self._steps:
            return self
        if not self._iterates:
            self._refuse()
        return iter(self._ask.step(self.number))

    def __next__(self) -> Any:
        if not self._steps:
            self._refuse()
        return self._ask.step(self.number)


class Callable_(Handle):
    """A function or class of the candidate's."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask.call(self.number, args, kwargs)


class Candidate:
    """The judge's view of the other process."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._encoder = Encoder(_form)
        self._decoder = Decoder(self._handle)
        self._asked = 0
        self.seed: int | None = None

    def _handle(self, parts: Any) -> Any:
        try:
            number, facts, calls, steps, iterates = parts
            kind = Callable_ if calls else Handle
            return kind(self, int(number), str(facts)[:200], bool(steps), bool(iterates))
        except (TypeError, ValueError):
            raise NotPlain("no form of a handle") from None

    def _exchange(self, request: str, *parts: Any) -> list[Any]:
        self._asked += 1
        try:
            self._link.send([request, self._asked, *parts])  # NotPlain is the asker's own
        except LinkClosed:
            raise Gone from None
        try:
            while True:
                answer = self._link.receive()
                if type(answer) is not list or len(answer) < 2 or type(answer[0]) is not int:
                    raise Forged("an answer in no known form")
                if answer[0] == self._asked:
                    return answer[1:]
                if answer[0] > self._asked:
                    raise Forged("an answer to a question that was not asked")
        except LinkClosed:
            raise Gone from None
        except NotPlain as error:
            raise Forged(str(error)) from None

    def load(
        self, source: str, seed: int, names: list[str], memory: int
    ) -> dict[str, Any] | list[Any]:
        """Run the module: what it has of ``names``, or ``["syntax" | "error" | "foreign", ...]``.

        memory: bytes that its process may have."""
        try:
            answer = self._exchange("load", source, seed, names, memory)
        except NotPlain as error:
            return ["foreign", f"its source: {error}"]
        if answer[0] == "value" and len(answer) == 2 and type(answer[1]) is dict:
            told = answer[1]
            if not told.keys() <= set(names):
                raise Forged("names that were not asked for")
            try:
                return {name: self._decode(told[name]) for name in names if name in told}
            except NotPlain as error:
                return ["foreign", str(error)]
        if _texts(answer[1:]) and (answer[0], len(answer)) in (("syntax", 3), ("foreign", 2)):
            return answer
        if answer[0] == "error" and _is_error(answer):
            return answer
        raise Forged("an answer in no known form")

    def _decode(self, form: Any) -> Any:
        try:
            return self._decoder.decode(form)
        except RecursionError:
            raise NotPlain("a value nested too deeply") from None

    def call(self, number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function there; arguments that it changed are changed here, too."""
        trim_heap()
        given = [self._encoder.encode(value) for value in args]
        named = {name: self._encoder.encode(value) for name, value in kwargs.items()}
        seed, self.seed = self.seed, None
        answer = self._exchange("call", number, given, named, seed)
        if answer[0] in ("value", "same") and len(answer) == 3 and type(answer[2]) is dict:
            for index, form in answer[2].items():
                _change(args, index, self._decode(form))
            if answer[0] == "value":
                return self._decode(answer[1])
            if type(answer[1]) is int and 0 <= answer[1] < len(args):
                return args[answer[1]]
        return self._raise(answer)

    def step(self, number: int) -> Any:
        """The next value of an iterator."""
        answer = self._exchange("next", number)
        if answer[0] == "value" and len(answer) == 3:
            return self._decode(answer[1])
        if answer[0] == "end":
            raise StopIteration
        return self._raise(answer)

    def _raise(self, answer: list[Any]) -> NoReturn:
        if answer[0] == "foreign" and _texts(answer[1:]):
            raise NotPlain(answer[1][:500])
        if answer[0] == "error" and _is_error(answer):
            raise raised(answer)
        raise Forged("an answer in no known form")


def _texts(values: list[Any]) -> bool:
    return bool(values) and all(type(value) is str for value in values)


def _is_error(answer: list[Any]) -> bool:
    """Names of its types, and a text."""
    return (
        len(answer) == 3
        and type(answer[1]) is list
        and _texts(answer[1])
        and type(answer[2]) is str
    )


def raised(answer: list[Any]) -> BaseException:
    """The exception that an ``error`` answer tells of."""
    names, text = [name[:200] for name in answer[1]], answer[2][:3000]
    if "SystemExit" in names:
        return EndedItself(text)
    for name in names:
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, Exception):
            if issubclass(kind, StopIteration | StopAsyncIteration):
                kind = RuntimeError  # as in a generator: it would end a test's own loop
            try:
                error = kind(text)
            except TypeError:  # UnicodeDecodeError and the like want more than a text
                continue
            error.__dict__["told_as"] = names[0]
            return error
    return CandidateError(f"{names[0] if names else '?'}: {text}")


def _change(args: tuple[Any, ...], index: str, value: Any) -> None:
    """Give the argument the value that it has at the candidate's."""
    if not index.isascii() or not index.isdigit() or int(index) >= len(args):
        raise Forged("a change of an argument that was not given")
    argument = args[int(index)]
    if type(argument) is not type(value):
        raise Forged("a change of an argument's type")
    if type(argument) in (list, bytearray):
        argument[:] = value
    elif type(argument) in (dict, set):
        argument.clear()
        argument.update(value)
    else:
        raise Forged("a change of what cannot change")


def _form(value: Any) -> Any:
    if isinstance(value, Handle):
        return {"h": [value.number]}
    raise NotPlain(f"a test passes a value of type {type(value).__qualname__}")
