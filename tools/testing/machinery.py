"""Which functions of the test machinery were replaced while tests ran: a sign, not a proof."""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType

MODULES = (
    "_pytest.runner",
    "_pytest.reports",
    "_pytest.python",
    "_pytest.python_api",
    "_pytest.raises",
    "_pytest.unittest",
    "_pytest.assertion",
    "_pytest.assertion.rewrite",
    "unittest.case",
    "unittest.result",
    "pluggy._callers",
)


def fingerprint() -> dict[str, int]:
    """Name of each function of the loaded machinery -> identity of its code."""
    found: dict[str, int] = {}
    for name in MODULES:
        module = sys.modules.get(name)
        if isinstance(module, ModuleType):
            _scan(name, vars(module), found)
    return found


def changed(before: dict[str, int]) -> list[str]:
    """Names in ``before`` whose code is another one now, at most 20."""
    now = fingerprint()
    return sorted(name for name, code in before.items() if now.get(name) != code)[:20]


def _scan(prefix: str, namespace: dict[str, object], found: dict[str, int]) -> None:
    for name, value in list(namespace.items()):
        if isinstance(value, classmethod | staticmethod):
            value = value.__func__
        elif isinstance(value, property):
            value = value.fget
        if isinstance(value, FunctionType):
            found[f"{prefix}.{name}"] = id(value.__code__)
        elif isinstance(value, type) and value.__module__ == prefix:
            _scan(f"{prefix}.{name}", dict(vars(value)), found)
