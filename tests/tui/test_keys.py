"""The one table of keys: complete, without doubles, and true."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from functools import cache

import pytest
from textual.dom import DOMNode

import tui
from tui.bindings import KEYS, SCOPES, Key, bindings


def owners(key: Key) -> list[type[DOMNode]]:
    """The classes that have the key among their bindings."""
    return [
        kind
        for kind in classes()
        if any(getattr(b, "id", None) == key.id for b in kind.__dict__.get("BINDINGS", ()))
    ]


@cache
def classes() -> tuple[type[DOMNode], ...]:
    """Every screen and widget of the interface."""
    found: dict[str, type[DOMNode]] = {}
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        for kind in vars(importlib.import_module(module.name)).values():
            if isinstance(kind, type) and issubclass(kind, DOMNode):
                found[f"{kind.__module__}.{kind.__name__}"] = kind
    return tuple(kind for name, kind in found.items() if name.startswith("tui."))


def test_ids_and_keys_are_unique_in_their_scope() -> None:
    assert max(Counter(key.id for key in KEYS).values()) == 1
    for scope in SCOPES:
        keys = [k for key in KEYS if key.scope == scope for k in key.keys.split(",")]
        assert [k for k, n in Counter(keys).items() if n > 1] == []


def test_a_screen_and_what_has_the_focus_on_it_do_not_fight() -> None:
    """What is inside wins, so a key of the screen must not be one of its panes'."""
    inner = {k for key in KEYS if key.scope in ("list", "sample") for k in key.keys.split(",")}
    for scope in ("replay",):
        outer = {k for key in KEYS if key.scope == scope for k in key.keys.split(",")}
        assert outer & inner == set()


# Scopes whose actions are those of the screen, or the app, around what binds them.
_ELSEWHERE = ("app", "samples", "human")


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.id)
def test_every_key_has_words_and_an_owner_with_its_action(key: Key) -> None:
    assert key.words and key.shown
    name = key.action.partition("(")[0].removeprefix("app.").removeprefix("screen.")
    having = owners(key)
    assert having, f"nothing binds {key.id}"
    for owner in having:
        everywhere = [owner, *classes()] if key.scope in _ELSEWHERE else [owner]
        assert any(hasattr(kind, f"action_{name}") for kind in everywhere), (owner, name)


def test_only_keys_that_every_terminal_sends() -> None:
    for key in KEYS:
        for name in key.keys.split(","):
            assert not name.startswith(("alt+", "super+")), key.id
            assert name not in ("ctrl+i", "ctrl+m", "ctrl+h"), key.id


def test_bindings_carry_the_ids() -> None:
    assert {b.id for b in bindings("replay")} == {k.id for k in KEYS if k.scope == "replay"}  # type: ignore[union-attr]
