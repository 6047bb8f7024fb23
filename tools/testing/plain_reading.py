"""The way back: values from the tagged JSON of ``plain_values``, whatever the other side sent."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import re
from collections.abc import Callable
from typing import Any

from tools.testing.large_values import Large
from tools.testing.plain_values import FACTORIES, TYPES, NotPlain


class Decoder:
    """From JSON data of the other side to values; raises NotPlain for whatever breaks the rules.
    ``foreign`` makes something of a handle's number and facts."""

    def __init__(self, foreign: Callable[[Any], Any]) -> None:
        self._foreign = foreign

    def decode(self, data: Any) -> Any:
        """The value."""
        kind = type(data)
        if kind is list:
            # a copy also of plain ones: what was told of an argument must not change with it
            return [*data] if set(map(type, data)) <= _PLAIN_JSON else [*map(self.decode, data)]
        if kind is not dict:
            return data
        try:
            ((tag, parts),) = data.items()
            if tag == "h":
                return self._foreign(parts)
            return _READERS[tag](self.decode(parts) if type(parts) is list else parts)
        except NotPlain:
            raise
        except (LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
            raise NotPlain(f"no form of a value: {type(error).__name__}") from None


_PLAIN_JSON = {type(None), bool, int, float, str}


def _read_match(parts: list[Any]) -> Any:
    pattern, flags, string, start, end, at = parts
    if len(string) > 100_000 or len(pattern) > 10_000:
        raise NotPlain("a match of a long text")
    # The span is told, not searched for again: a hostile pattern would keep the judge busy.
    return FoundMatch(string, at, pattern, flags, start, end)


class FoundMatch:
    """What a test may ask of a match: that there is one, where, and what was found."""

    def __init__(self, string: str, at: int, pattern: str, flags: int, pos: int, end: int) -> None:
        self.string, self.pos, self.endpos = string, pos, end
        self._at = at
        self._pattern = pattern
        self._flags = flags

    def _again(self) -> re.Match[str]:
        found = re.compile(self._pattern, self._flags).search(self.string, self.pos, self.endpos)
        if found is None or found.start() != self._at:
            raise NotPlain("a match that does not match")
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._again(), name)

    def __getitem__(self, group: Any) -> Any:
        return self._again()[group]


def _read_moment(kind: Any) -> Callable[[list[Any]], Any]:
    def read(parts: list[Any]) -> Any:
        text, fold, offset = parts
        value = kind.fromisoformat(text).replace(fold=fold)
        if offset is None:
            return value
        zone = datetime.timezone(datetime.timedelta(seconds=offset))
        return value.replace(tzinfo=zone)

    return read


def _pairs(parts: list[Any]) -> Any:
    keys, values = parts
    return zip(keys, values, strict=True)


_READERS: dict[str, Callable[[Any], Any]] = {
    "i": lambda text: int(text, 16),
    "n": float,
    "t": tuple,
    "s": set,
    "f": frozenset,
    "d": lambda parts: dict(_pairs(parts)),
    "ordered": lambda parts: collections.OrderedDict(_pairs(parts)),
    "counter": lambda parts: collections.Counter(dict(_pairs(parts))),
    "defaultdict": lambda parts: collections.defaultdict(
        FACTORIES[parts[0]] if parts[0] is not None else None, dict(_pairs(parts[1:]))
    ),
    "deque": lambda parts: collections.deque(parts[1:], parts[0]),
    "c": lambda parts: complex(*parts),
    "b": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "range": lambda parts: range(*parts),
    "decimal": decimal.Decimal,
    "fraction": lambda parts: fractions.Fraction(*parts),
    "date": datetime.date.fromisoformat,
    "datetime": _read_moment(datetime.datetime),
    "time": _read_moment(datetime.time),
    "delta": lambda parts: datetime.timedelta(*parts),
    "large": lambda parts: Large(str(parts[0]), int(parts[1]), str(parts[2])),
    "match": _read_match,
    "constant": lambda name: {"Ellipsis": ..., "NotImplemented": NotImplemented}[name],
    "type": TYPES.__getitem__,
    "keys": lambda parts: dict.fromkeys(parts).keys(),
    "values": lambda parts: dict(enumerate(parts)).values(),
    "items": lambda parts: dict(parts).items(),
}
