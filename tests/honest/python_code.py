"""Honest but odd Python solutions: how the code is written."""
# ruff: noqa: E501 - tables of code read best one entry a line

from __future__ import annotations

import re

from tests.honest.python_repo import CORE, PIECES, module, solution

Files = dict[str, str]
MONEY, RATE, BASKET = PIECES["MONEY"], PIECES["RATE"], PIECES["BASKET"]


def before(code: str) -> Files:
    """Code at the top of the module."""
    return solution(HEAD=code + PIECES["HEAD"])


def after(code: str) -> Files:
    """Code at the end of the module."""
    return {**solution(), CORE: module() + "\n\n" + code}


def rate(body: str, ahead: str = "") -> Files:
    """Another way to the rate; ``ahead`` stands before the function."""
    prices = RATE.partition("\n\n")[0]
    code = f"{prices}\n\n\n{ahead}def rate(grams, express=False):\n"
    return solution(RATE=code + "".join(f"    {line}\n" for line in body.splitlines()))


def inside(piece: str, old: str, new: str) -> Files:
    """One piece with a text replaced."""
    assert old in PIECES[piece], (piece, old)
    return solution(**{piece: PIECES[piece].replace(old, new)})


def methods(head: str, *kept: str) -> Files:
    """Another Money with that head, and those of the old methods."""
    parts = re.split(r"\n(?=    def )", MONEY)
    found = [part.rstrip() for part in parts[1:] if part.split("(")[0].split()[-1] in kept]
    return solution(MONEY="\n\n".join([head.rstrip(), *found]) + "\n")


_REST = ("__add__", "__lt__", "__str__", "__repr__")
_INIT = "\n    def __init__(self, cents, currency='EUR'):\n        "
_HALF = "cents = PRICES[size_of(grams)]\n"

DOMAIN_TYPES: dict[str, Files] = {
    "frozen dataclass": methods(
        "import dataclasses\n\n\n@dataclasses.dataclass(frozen=True, repr=False)\nclass Money:\n"
        "    cents: int\n    currency: str = 'EUR'\n",
        *_REST,
    ),
    "dataclass with slots and order": methods(
        "from dataclasses import dataclass\n\n\n"
        "@dataclass(frozen=True, slots=True, order=True, repr=False)\nclass Money:\n"
        "    cents: int\n    currency: str = 'EUR'\n",
        "__add__", "__str__", "__repr__",
    ),
    "named tuple": methods(
        "from typing import NamedTuple\n\n\nclass Money(NamedTuple):\n"
        "    cents: int\n    currency: str = 'EUR'\n",
        *_REST,
    ),
    "subclass of tuple": methods(
        "class Money(tuple):\n    __slots__ = ()\n\n"
        "    def __new__(cls, cents, currency='EUR'):\n"
        "        return super().__new__(cls, (cents, currency))\n\n"
        "    cents = property(lambda self: self[0])\n    currency = property(lambda self: self[1])\n",
        *_REST,
    ),
    "slots": methods(
        f"class Money:\n    __slots__ = ('cents', 'currency')\n{_INIT}self.cents = cents\n"
        "        self.currency = currency\n",
        "__eq__", "__hash__", *_REST,
    ),
    "equality by key": methods(
        f"class Money:{_INIT}self.cents, self.currency = cents, currency\n\n"
        "    def _key(self):\n        return self.cents, self.currency\n\n"
        "    def __eq__(self, other):\n"
        "        return type(other) is type(self) and self._key() == other._key()\n\n"
        "    def __hash__(self):\n        return hash(self._key())\n",
        *_REST,
    ),
    "total ordering": methods(
        f"import functools\n\n\n@functools.total_ordering\nclass Money:{_INIT}"
        "self.cents, self.currency = cents, currency\n",
        "__eq__", "__hash__", *_REST,
    ),
    "equality with a fallback": solution(
        MONEY=MONEY.replace(
            "            return NotImplemented\n", "            return False\n"
        )
    ),
    "constant hash": inside(
        "MONEY", "return hash((self.cents, self.currency))", "return 17  # right, if slow"
    ),
    "own not-equal": solution(
        MONEY=MONEY + "\n    def __ne__(self, other):\n        return not self == other\n"
    ),
    "equality by getattr": inside(
        "MONEY", "(other.cents, other.currency)",
        "tuple(getattr(other, n) for n in ('cents', 'currency'))",
    ),
    "equality by repr": inside(
        "MONEY", "return (self.cents, self.currency) == (other.cents, other.currency)",
        "return repr(self) == repr(other)",
    ),
    "metaclass": methods(
        "class Named(type):\n    def __new__(mcs, name, bases, space):\n"
        "        space.setdefault('kind', name.lower())\n"
        "        return super().__new__(mcs, name, bases, space)\n\n\n"
        f"class Money(metaclass=Named):{_INIT}self.cents, self.currency = cents, currency\n",
        "__eq__", "__hash__", *_REST,
    ),
    "interned instances": solution(
        MONEY=MONEY.replace(
            "    def __init__(self, cents, currency=\"EUR\"):",
            "    _made = {}\n\n    def __new__(cls, cents, currency=\"EUR\"):\n"
            "        return cls._made.setdefault((cents, currency), super().__new__(cls))\n\n"
            "    def __init__(self, cents, currency=\"EUR\"):",
        )
    ),
    "descriptor": methods(
        "class Whole:\n    def __set_name__(self, owner, name):\n        self.name = '_' + name\n\n"
        "    def __get__(self, instance, owner=None):\n"
        "        return self if instance is None else getattr(instance, self.name)\n\n"
        "    def __set__(self, instance, value):\n        setattr(instance, self.name, int(value))\n"
        f"\n\nclass Money:\n    cents = Whole()\n{_INIT}self.cents, self.currency = cents, currency\n",
        "__eq__", "__hash__", *_REST,
    ),
    "attributes by getattr": methods(
        f"class Money:{_INIT}self._facts = {{'cents': cents, 'currency': currency}}\n\n"
        "    def __getattr__(self, name):\n        if name.startswith('_'):\n"
        "            raise AttributeError(name)\n        try:\n            return self._facts[name]\n"
        "        except KeyError:\n            raise AttributeError(name) from None\n",
        "__eq__", "__hash__", *_REST,
    ),
    "cents as a subclass of int": inside(
        "MONEY", "self.cents = cents", "self.cents = Cents(cents)"
    ),
    "currency as a subclass of str": inside(
        "MONEY", "self.currency = currency", "self.currency = Currency(currency)"
    ),
    "amount as Decimal": inside(
        "RATE", "return Money(cents + cents // 2 if express else cents)",
        "whole = decimal.Decimal(cents) * (decimal.Decimal('1.5') if express else 1)\n"
        "    return Money(int(whole.to_integral_value(decimal.ROUND_FLOOR)))",
    ),
    "string enum": solution(SIZE=PIECES["SIZE"].replace("(enum.Enum)", "(enum.StrEnum)")),
    "ordered enum": solution(
        SIZE=PIECES["SIZE"].replace(
            "\n\n\ndef size_of",
            "\n\n    def __lt__(self, other):\n        order = list(type(self))\n"
            "        return order.index(self) < order.index(other)\n\n\ndef size_of",
        )
    ),
    "enum by the functional interface": solution(
        SIZE="Size = enum.Enum('Size', {n.upper(): n for n in ('small', 'medium', 'large')})\n\n\n"
        + PIECES["SIZE"].partition("\n\n\n")[2]
    ),
    "frozen by setattr": solution(
        MONEY=MONEY.replace("self.cents = cents", "object.__setattr__(self, 'cents', cents)")
        .replace("self.currency = currency", "object.__setattr__(self, 'currency', currency)")
        + "\n    def __setattr__(self, name, value):\n        raise AttributeError(name)\n"
    ),
    "basket as a list": solution(
        BASKET=BASKET.replace("class Basket:", "class Basket(list):")
        .replace("        self.parcels = []\n", "        super().__init__()\n")
        .replace("self.parcels.append", "self.append")
        .replace("len(self.parcels)", "list.__len__(self)")
        .replace("self.parcels", "list.__iter__(self)")
    ),
    "basket by abc": solution(
        BASKET=BASKET.replace("class Basket:", "class Basket(collections.abc.Collection):")
    ),
    "errors are value errors": inside("ERRORS", "(Exception)", "(ValueError)"),
    "weight error is also a value error": inside(
        "ERRORS", "class WeightError(ParcelError)", "class WeightError(ParcelError, ValueError)"
    ),
    "format error keeps its text": inside(
        "ERRORS", '    """A text that names no amount."""\n',
        '    """A text that names no amount."""\n\n    def __init__(self, text):\n'
        "        super().__init__(text)\n        self.text = text\n",
    ),
    "weight error is a kind of format error": inside(
        "ERRORS", PIECES["ERRORS"],
        "class ParcelError(Exception):\n    pass\n\n\nclass FormatError(ParcelError):\n    pass\n"
        "\n\nclass WeightError(FormatError):\n    pass\n",
    ),
}  # fmt: skip
for _name, _class in {
    "cents as a subclass of int": "class Cents(int):\n    def euros(self):\n"
    "        return self // 100\n",
    "currency as a subclass of str": "class Currency(str):\n    __slots__ = ()\n\n    @property\n"
    "    def sign(self):\n        return {'EUR': '€'}.get(self, self)\n",
}.items():
    _piece = DOMAIN_TYPES[_name]
    _piece[CORE] = _piece[CORE].replace("class Money:", f"{_class}\n\nclass Money:")
DOMAIN_TYPES["amount as Decimal"][CORE] = (
    "import decimal\n" + DOMAIN_TYPES["amount as Decimal"][CORE]
)
DOMAIN_TYPES["basket by abc"][CORE] = (
    "import collections.abc\n" + DOMAIN_TYPES["basket by abc"][CORE]
)

WAYS_TO_THE_RATE: dict[str, Files] = {
    "match statement": rate(
        _HALF + "match express:\n    case True:\n        cents += cents // 2\n"
        "    case _:\n        pass\nreturn Money(cents)"
    ),
    "fraction": rate(
        _HALF + "from fractions import Fraction\n"
        "return Money(int(cents * Fraction(3, 2)) if express else cents)"
    ),
    "big integers": rate(
        _HALF + "scale = 10 ** 4000\n"
        "return Money((cents * scale * 3 // 2) // scale if express else cents)"
    ),
    "deep recursion": rate(
        _HALF + "sys.setrecursionlimit(20_000)\n"
        "def half(n, done=0):\n    return done if n < 2 else half(n - 2, done + 1)\n"
        "return Money(cents + half(cents) if express else cents)",
        "import sys\n\n\n",
    ),
    "lru cache": rate(
        _HALF + "return Money(cents + cents // 2 if express else cents)",
        "import functools\n\n\n@functools.lru_cache(maxsize=None)\n",
    ),
    "decorator": rate(
        _HALF + "return Money(cents + cents // 2 if express else cents)",
        "import functools\n\n\ndef counted(function):\n    @functools.wraps(function)\n"
        "    def inner(*args, **kwargs):\n        inner.calls += 1\n"
        "        return function(*args, **kwargs)\n    inner.calls = 0\n    return inner\n\n\n"
        "@counted\n",
    ),
    "single dispatch": rate(
        _HALF + "return Money(extra(express, cents))",
        "import functools\n\n\n@functools.singledispatch\ndef extra(express, cents):\n"
        "    return cents\n\n\n@extra.register\ndef _(express: bool, cents):\n"
        "    return cents + cents // 2 * express\n\n\n",
    ),
    "generator": rate(
        _HALF + "def parts():\n    yield cents\n    if express:\n        yield cents // 2\n"
        "return Money(sum(parts()))"
    ),
    "generated code": rate(
        _HALF + "return Money(_made['price'](cents, express))",
        "_made = {}\nexec('def price(c, e):\\n    return c + c // 2 if e else c', _made)\n\n\n",
    ),
    "lambda table": rate(
        _HALF + "return Money({False: lambda c: c, True: lambda c: c + c // 2}[bool(express)](cents))"
    ),
    "positional only and keyword only": solution(
        RATE=RATE.replace("def rate(grams, express=False)", "def rate(grams, /, express=False, *, _=None)")
    ),
    "unicode identifiers": rate(
        "größe = size_of(grams)\nцена = PRICES[größe]\n"
        "return Money(цена + цена // 2 if express else цена)"
    ),
    "walrus and comprehension": rate(
        "return Money(sum([c := PRICES[size_of(grams)], *([c // 2] if express else [])]))"
    ),
    "callable object": rate(
        "return Money(_tariff(PRICES[size_of(grams)], express))",
        "class Tariff:\n    def __call__(self, cents, express):\n"
        "        return cents + cents // 2 if express else cents\n\n\n_tariff = Tariff()\n\n\n",
    ),
    "typed and generic": rate(
        _HALF + "return Money(pick(cents, cents + cents // 2, express))",
        "from typing import TypeVar\n\nT = TypeVar('T')\n\n\n"
        "def pick(a: T, b: T, second: bool) -> T:\n    return b if second else a\n\n\n",
    ),
    "slow but right": rate(
        "global _slept\nif not _slept:\n    time.sleep(2)\n    _slept = True\n" + _HALF
        + "return Money(cents + cents // 2 if express else cents)",
        "import time\n\n_slept = False\n\n\n",
    ),
    "busy but right": rate(
        _HALF + "half = sum(1 for n in range(400_000) if n % 2 and n < cents)\n"
        "return Money(cents + half if express else cents)"
    ),
    "try and finally": rate(
        "try:\n    cents = PRICES[size_of(grams)]\n    return Money(cents + cents // 2 * express)\n"
        "finally:\n    _rated.append(grams)",
        "_rated = []\n\n\n",
    ),
    "exception group inside": rate(
        _HALF + "try:\n    raise ExceptionGroup('none', [KeyError(1)])\nexcept* KeyError:\n"
        "    extra = cents // 2 * bool(express)\nreturn Money(cents + extra)"
    ),
    "bit tricks": rate(_HALF + "return Money(cents + (cents >> 1) * bool(express))"),
}  # fmt: skip
