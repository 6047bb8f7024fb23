"""Values that cross between judge and candidate: exact plain ones, as tagged JSON.

JSON's own forms stand for None, bool, int, finite float, str and list; everything else is an
object with one key, its tag. Nothing is ever pickled. Types are compared exactly, so neither a
subclass nor an object that lies about its class is taken for plain; a subclass that leaves the
comparisons to its builtin base (a named tuple, an IntEnum) crosses as its base, and so do the
standard wrappers of one (UserDict, a mapping proxy). Objects of other
types cross from the candidate as handles, of which the judge learns nothing but a number.
"""

from __future__ import annotations

import builtins
import collections
import datetime
import decimal
import fractions
import json
import math
import re
import types
from collections.abc import Callable
from typing import Any

DEPTH = 120  # nested containers of one value
NODES = 2_000_000  # parts of one value: what shares its parts grows when it is spelt out
BIG = 1 << 62  # larger integers cross in hexadecimal, which Python reads in linear time

_ATOMS = {type(None), bool, str}
_VIEWS = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}
FACTORIES = {"int": int, "float": float, "str": str, "list": list, "dict": dict, "set": set}
TYPES = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, type) and not issubclass(value, BaseException)
}


class NotPlain(Exception):
    """A value that cannot cross; the text says of what type it is."""


class TooLarge(NotPlain):
    """A value of more than NODES parts."""


class Encoder:
    """From values to JSON data. ``foreign`` makes the form of a value of any other type, or
    raises NotPlain."""

    def __init__(self, foreign: Callable[[Any], Any]) -> None:
        self._foreign = foreign
        self._nodes = 0

    def encode(self, value: Any) -> Any:
        """JSON data of one value. Raises NotPlain."""
        self._nodes = 0
        return self._any(value, 0)

    def _any(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in _ATOMS:
            return value
        if kind is int:
            return value if -BIG < value < BIG else {"i": hex(value)}
        if kind is float:
            return value if math.isfinite(value) else {"n": repr(value)}
        if depth > DEPTH:
            raise NotPlain(f"a value nested more than {DEPTH} deep")
        maker = _MAKERS.get(kind)
        if maker is not None:
            return maker(self, value, depth + 1)
        base = _plain_base(kind)
        if base is not None:
            return self._any(base(value), depth)
        return self._foreign(value)

    def items(self, values: Any, depth: int) -> list[Any]:
        """The forms of a container's parts."""
        parts = list(values)
        self._nodes += len(parts)
        if self._nodes > NODES:
            raise TooLarge(f"a value of more than {NODES} parts")
        if set(map(type, parts)) <= _ATOMS:
            return parts
        return [self._any(part, depth) for part in parts]


def _tagged(tag: str) -> Callable[[Encoder, Any, int], Any]:
    return lambda encoder, value, depth: {tag: encoder.items(value, depth)}


def _mapping(tag: str) -> Callable[[Encoder, Any, int], Any]:
    def make(encoder: Encoder, value: Any, depth: int) -> Any:
        keys = encoder.items(dict.keys(value), depth)
        return {tag: [keys, encoder.items(dict.values(value), depth)]}

    return make


def _defaultdict(encoder: Encoder, value: Any, depth: int) -> Any:
    name = getattr(value.default_factory, "__name__", None)
    known = name if name and FACTORIES.get(name) is value.default_factory else None
    return {"defaultdict": [known, *_mapping("d")(encoder, value, depth)["d"]]}


def _match(encoder: Encoder, value: Any, depth: int) -> Any:
    parts = [value.re.pattern, value.re.flags & ~re.DEBUG, value.string, value.pos, value.endpos]
    return {"match": [*encoder.items(parts, depth), value.start()]}


def _datetime(encoder: Encoder, value: Any, depth: int) -> Any:
    zone = getattr(value, "tzinfo", None)
    offset = None if zone is None else value.utcoffset()
    naive = value if zone is None else value.replace(tzinfo=None)
    seconds = None if offset is None else offset.total_seconds()
    return {type(value).__name__: [naive.isoformat(), value.fold, seconds]}


_MAKERS: dict[type, Callable[[Encoder, Any, int], Any]] = {
    list: lambda encoder, value, depth: encoder.items(value, depth),
    tuple: _tagged("t"),
    set: _tagged("s"),
    frozenset: _tagged("f"),
    dict: _mapping("d"),
    collections.OrderedDict: _mapping("ordered"),
    collections.Counter: _mapping("counter"),
    collections.defaultdict: _defaultdict,
    collections.deque: lambda e, v, depth: {"deque": [v.maxlen, *e.items(v, depth)]},
    complex: lambda e, v, depth: {"c": e.items((v.real, v.imag), depth)},
    bytes: lambda _e, v, _d: {"b": v.hex()},
    bytearray: lambda _e, v, _d: {"bytearray": v.hex()},
    range: lambda e, v, depth: {"range": e.items((v.start, v.stop, v.step), depth)},
    decimal.Decimal: lambda _e, v, _d: {"decimal": str(v)},
    fractions.Fraction: lambda e, v, d: {"fraction": e.items((v.numerator, v.denominator), d)},
    datetime.date: lambda _e, v, _d: {"date": v.isoformat()},
    datetime.datetime: _datetime,
    datetime.time: _datetime,
    datetime.timedelta: lambda e, v, d: {"delta": e.items((v.days, v.seconds, v.microseconds), d)},
    re.Match: _match,
    collections.UserList: lambda e, v, depth: e.items(v.data, depth),
    collections.UserDict: lambda e, v, depth: _mapping("d")(e, dict(v), depth),
    collections.ChainMap: lambda e, v, depth: _mapping("d")(e, dict(v), depth),
    types.MappingProxyType: lambda e, v, depth: _mapping("d")(e, dict(v), depth),
    collections.UserString: lambda e, v, depth: e._any(v.data, depth),
    type(Ellipsis): lambda _e, _v, _d: {"constant": "Ellipsis"},
    type(NotImplemented): lambda _e, _v, _d: {"constant": "NotImplemented"},
    **{kind: _tagged(tag) for kind, tag in _VIEWS.items()},
}
_MAKERS[type] = lambda encoder, value, _depth: _type(encoder, value)


def _type(encoder: Encoder, value: type) -> Any:
    name = type.__dict__["__name__"].__get__(value)
    if TYPES.get(name) is value:
        return {"type": name}
    return encoder._foreign(value)


_BASES: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, lambda value: int.__add__(value, 0)),
    (float, lambda value: float.__add__(value, 0.0)),
    (str, lambda value: str.__str__(value)[:]),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (list, lambda value: list(list.__iter__(value))),
    (dict, lambda value: dict(dict.items(value))),
)


def _plain_base(kind: type) -> Callable[[Any], Any] | None:
    """How to read a value of a subclass that compares as its builtin base does."""
    mro = type.__dict__["__mro__"].__get__(kind)
    for base, reader in _BASES:
        if base in mro:
            return reader if kind.__eq__ is base.__eq__ and kind.__ne__ is base.__ne__ else None
    return None


_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def _fast_encode() -> Callable[[Any], str]:
    """The C encoder made once: ``encode`` makes one for each call."""
    make = getattr(json.encoder, "c_make_encoder", None)  # an implementation detail of CPython
    if make is None:
        return _encode
    text = json.encoder.encode_basestring_ascii
    whole = make(None, _refused, text, None, ":", ",", False, False, True)
    return lambda data: "".join(whole(data, 0))


def _refused(value: Any) -> None:
    raise NotPlain(f"a value of type {type(value).__qualname__}")


_encoded = _fast_encode()


def dumps(data: Any) -> bytes:
    """JSON data as bytes; a lone surrogate is an escape like any other."""
    return _encoded(data).encode("ascii")


def loads(data: bytes) -> Any:
    """Bytes of the other side as JSON data. Raises NotPlain."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise NotPlain("no JSON") from None
