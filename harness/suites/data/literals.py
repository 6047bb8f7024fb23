"""Python values as literals, in their true types: EvalPlus' files hold JSON, which has no tuples.

The shapes below are facts about the tasks (their assertions show them): which arguments are
tuples, sets or complex numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Shape = Callable[[Any], Any]


def literal(value: Any) -> str:
    """``value`` as a Python expression; sets in a fixed order. ``inf`` and ``nan`` are names."""
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, tuple):
        inner = ", ".join(map(literal, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, set):
        return f"{{{', '.join(sorted(map(literal, value)))}}}" if value else "set()"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
    return repr(value)


def _deep(value: Any) -> Any:
    return tuple(map(_deep, value)) if isinstance(value, list) else value


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _two_levels(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


def _tuples(value: Any) -> Any:
    return [_tuple(item) for item in value] if isinstance(value, list) else value


def _tuples_in_dict(value: Any) -> Any:
    return {k: _tuple(v) for k, v in value.items()} if isinstance(value, dict) else value


def _sets(value: Any) -> Any:
    # an empty list stands for an empty dict: the task asks for lists of empty dictionaries
    if not isinstance(value, list):
        return value
    return [set(item) if isinstance(item, list) and item else {} for item in value]


def _same(value: Any) -> Any:
    return value


def _shapes() -> dict[int, tuple[Shape, ...]]:
    table: dict[int, tuple[Shape, ...]] = {
        64: (_tuples,),
        75: (_tuples, _same),
        106: (_same, _tuple),
        115: (_sets,),
        124: (float, complex),
        143: (_tuple,),
        222: (_tuple,),
        252: (complex,),
        413: (_tuples, _same),
        473: (_tuples, _tuples),
        722: (_tuples_in_dict, _same, _same),
        750: (_same, _tuple),
        753: (_tuples, _same),
    }
    table |= dict.fromkeys((63, 70, 94, 120, 237, 272, 299, 400, 409, 438, 614, 780), (_tuples,))
    table |= dict.fromkeys((116, 132, 394, 421, 424, 470, 596, 630, 726, 740, 744), (_tuple,))
    table |= dict.fromkeys((2, 261, 273, 429, 560, 579, 616, 809), (_tuple, _tuple))
    table |= dict.fromkeys((250, 405, 446, 720, 763, 808), (_tuple, _same))
    table |= dict.fromkeys((580, 615, 791), (_deep,))
    table[278] = (_two_levels,)
    table |= dict.fromkeys((259, 445), (_deep, _deep))
    return table


MBPP_SHAPES = _shapes()


def typed_arguments(task: int, arguments: list[Any]) -> list[Any]:
    """One argument list of MBPP+ task ``task``, as read from JSON, in its true types."""
    shapes = MBPP_SHAPES.get(task)
    if shapes is None:
        return arguments
    return [s(a) for s, a in zip(shapes, arguments, strict=False)] + arguments[len(shapes) :]
