"""Values that nobody meant: JSON of every shape and size, texts of every character, torn bytes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

# Lone surrogates, controls, marks that turn text around: what a model or a server may send.
TEXTS = st.text(st.characters(codec=None, exclude_categories=[]), max_size=40)
NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.integers(),
    st.sampled_from([2**31, 2**63, -(2**63), 2**64, 10**30, 10**4000]),
    st.floats(),
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)


def nested(depth: int, *, inner: Any = 1, key: str | None = "a") -> Any:
    """``inner`` inside ``depth`` objects, or lists where ``key`` is None."""
    for _ in range(depth):
        inner = [inner] if key is None else {key: inner}
    return inner


DEEP = st.builds(nested, st.sampled_from([5, 90, 150, 260, 400]), key=st.sampled_from([None, "a"]))
VALUES = st.recursive(
    st.one_of(SCALARS, DEEP),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=8,
)


@st.composite
def altered(
    draw: st.DrawFn,
    whole: Any,
    values: st.SearchStrategy[Any] = VALUES,
    names: st.SearchStrategy[str] = TEXTS,
) -> Any:
    """A JSON value with some of its parts replaced, left out, or added under other ``names``."""
    value = json.loads(json.dumps(whole))
    for _ in range(draw(st.integers(1, 3))):
        value = _alter(draw, value, values, names)
    return value


def _alter(
    draw: st.DrawFn, value: Any, values: st.SearchStrategy[Any], names: st.SearchStrategy[str]
) -> Any:
    inside = isinstance(value, dict | list) and len(value) > 0
    if not inside or draw(st.integers(0, 5)) == 0:
        return draw(values)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = draw(st.sampled_from(keys))
    what = draw(st.sampled_from(["into", "into", "into", "replace", "remove", "add"]))
    changed: Any = dict(value) if isinstance(value, dict) else list(value)
    if what == "remove":
        del changed[key]
    elif what == "add" and isinstance(changed, dict):
        changed[draw(names)] = draw(values)
    elif what == "replace":
        changed[key] = draw(values)
    else:
        changed[key] = _alter(draw, value[key], values, names)
    return changed


@st.composite
def torn(draw: st.DrawFn, whole: bytes) -> bytes:
    """Bytes with a piece cut out, put in, turned round, or doubled."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        end = draw(st.integers(at, min(len(data), at + 200)))
        kind = draw(st.sampled_from(["cut", "end", "noise", "double", "flip"]))
        if kind == "cut":
            del data[at:end]
        elif kind == "end":
            del data[at:]
        elif kind == "noise":
            data[at:at] = draw(st.binary(max_size=20))
        elif kind == "double":
            data[end:end] = data[at:end]
        elif at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
    return bytes(data)
