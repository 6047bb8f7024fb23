"""Values that cross between judge and candidate arrive as they were, or are refused."""

from __future__ import annotations

import collections
import datetime
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.testing import plain_values
from tools.testing.large_values import Large, bounded
from tools.testing.plain_reading import Decoder
from tools.testing.plain_values import Encoder, NotPlain, dumps, loads


def refuse(value: Any) -> Any:
    raise NotPlain(type(value).__name__)


def crossed(value: Any) -> Any:
    return Decoder(refuse).decode(loads(dumps(Encoder(refuse).encode(value))))


scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=1 << 60, max_value=1 << 300)
    | st.floats(allow_nan=False)
    | st.text()
    | st.characters(codec=None).map(lambda c: c + "\ud83d")
    | st.binary()
    | st.complex_numbers(allow_nan=False)
    | st.decimals(allow_nan=False)
    | st.fractions()
    | st.dates()
    | st.datetimes()
    | st.datetimes(timezones=st.just(datetime.timezone(datetime.timedelta(hours=5))))
    | st.times()
    | st.timedeltas()
)
hashable = scalars | st.tuples(scalars, scalars) | st.frozensets(scalars, max_size=3)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(hashable, inner, max_size=4)
        | st.sets(hashable, max_size=4)
        | st.lists(inner, max_size=4).map(collections.deque)
    ),
    max_leaves=20,
)


@given(values)
def test_plain_values_arrive_equal_and_of_their_types(value: Any) -> None:
    arrived = crossed(value)
    assert arrived == value
    assert type(arrived) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        collections.Counter("aab"),
        collections.OrderedDict(b=1, a=2),
        collections.defaultdict(int, a=1),
        collections.defaultdict(None, a=1),
        collections.deque([1, 2], maxlen=5),
        range(2, 9, 3),
        bytearray(b"\x00\xff"),
        Decimal("1E+30"),
        Fraction(-3, 7),
        math.inf,
        ...,
        NotImplemented,
        int,
        collections.OrderedDict(a=[({1},)]),
    ],
    ids=repr,
)
def test_standard_types(value: Any) -> None:
    arrived = crossed(value)
    assert arrived == value and type(arrived) is type(value)
    assert repr(arrived) == repr(value)


def test_bool_is_no_int_and_minus_zero_stays() -> None:
    assert crossed([True, 1, 1.0, -0.0]) == [True, 1, 1.0, -0.0]
    assert [type(v) for v in crossed([True, 1, 1.0])] == [bool, int, float]
    assert math.copysign(1, crossed(-0.0)) == -1
    assert math.isnan(crossed(math.nan))


class Yes(int):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class Liar:
    __class__ = int  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def kind(value: Any) -> str:
    """A test's name that is the same in every process."""
    return type(value).__name__


class Items(dict[str, int]):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    "value", [Yes(3), Liar(), Items(), object(), len, Liar, [[Yes(1)]]], ids=kind
)
def test_what_decides_its_own_comparisons_is_not_plain(value: Any) -> None:
    with pytest.raises(NotPlain):
        crossed(value)


def test_subclass_that_compares_as_its_base_crosses_as_its_base() -> None:
    point = collections.namedtuple("point", "x y")
    assert crossed(point(1, [2])) == (1, [2])
    assert type(crossed(point(1, 2))) is tuple


def test_depth_and_size_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(NotPlain, match="nested"):
        crossed(deep)
    monkeypatch.setattr(plain_values, "NODES", 1_000)
    shared: list[Any] = [0]
    for _ in range(40):
        shared = [shared, shared]
    with pytest.raises(NotPlain, match="parts"):
        crossed(shared)


@pytest.mark.parametrize(
    "data",
    [
        b"[1",
        b'{"t":1}',
        b'{"nope":[]}',
        b'{"s":[[1]]}',
        b'{"d":[[1],[]]}',
        b'{"i":"zz"}',
        b'{"t":[],"s":[]}',
        b"{}",
        b'{"fraction":[1,0]}',
        b'{"range":[0,1,0]}',
        b'{"date":"soon"}',
        b'{"type":"__import__"}',
        b'{"h":[1]}',
        b"[" * 50_000,
    ],
)
def test_what_is_no_form_of_a_value_is_refused(data: bytes) -> None:
    with pytest.raises(NotPlain):
        Decoder(refuse).decode(loads(data))


def test_large_values_are_equal_by_digest_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_values, "NODES", 20_000)
    big = [(n, str(n)) for n in range(15_000)]
    stands = bounded(big)
    assert isinstance(stands, Large)
    assert stands == bounded(list(big)) == big
    assert stands != bounded([*big[:-1], (0, "0")])
    assert stands != bounded([(n, n) for n in range(15_000)])
    assert bounded(big[:5]) == big[:5]
