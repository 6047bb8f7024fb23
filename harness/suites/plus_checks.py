"""How HumanEval+ and MBPP+ compare an answer with the reference's.

The text of this module is sent to the box and runs on the checks' side, so it imports nothing of
this project. The rules are EvalPlus' (evalplus/eval/__init__.py, v0.3): equal, or close for
floats; some tasks ask for less. ``inf`` and ``nan`` are names in the literals of inputs.
"""

import copy
import math
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

inf, nan = math.inf, math.nan

# The results of these tasks are sets in lists' clothing.
_AS_SETS = {
    "similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly",
    "larg_nnum", "intersection_array", "find_dissimilar", "Diff",
}  # fmt: skip
# These ask whether there is a match: a match object says so as well as True.
_AS_FOUND = {"check_str", "text_match_three", "text_starta_endb"}
_RTOL = 1e-07


def floats(value: Any) -> bool:
    """Whether a value is a float, or a list or tuple of nothing else."""
    if isinstance(value, float):
        return True
    return isinstance(value, (list, tuple)) and all(isinstance(v, float) for v in value)


def close(got: Any, expected: Any, atol: float) -> bool:
    """Elementwise |got - expected| <= atol + rtol * |expected|, in nested lists and tuples."""
    if isinstance(expected, (list, tuple)):
        return (
            isinstance(got, (list, tuple))
            and len(got) == len(expected)
            and all(close(g, e, atol) for g, e in zip(got, expected))  # noqa: B905
        )
    if got == expected:
        return True
    try:
        return bool(abs(got - expected) <= atol + _RTOL * abs(expected))
    except TypeError:
        return False


def found(value: Any) -> bool:
    """True and a match object say yes, False and None say no."""
    return value if isinstance(value, bool) else value is not None


def relaxed(name: str, args: list[Any], got: Any, expected: Any) -> bool:
    """Readings of a task that EvalPlus accepts beside the reference's own."""
    if name == "are_equivalent":  # the texts of Mbpp/164 contradict each other
        return True
    if name == "sum_div":  # the divisors of 1 or of a prime may be taken to sum to 0
        return bool(got == 0)
    if name == "surface_Area":
        edge, height = args
        slant = math.sqrt((edge / 2) ** 2 + height**2)
        return bool(got == round(edge**2 + 2 * edge * slant))
    if name == "digit_distance_nums":
        digits = [reversed(str(abs(n))) for n in args]
        distance = sum(abs(int(a) - int(b)) for a, b in zip_longest(*digits, fillvalue="0"))
        return bool(got == distance)
    return False


def agrees(name: str, args: list[Any], got: Any, expected: Any, atol: float) -> bool:
    """Whether ``got`` is right where the reference says ``expected``."""
    if name == "find_zero":
        # 0 lies between many pairs of roots: what counts is that it is one
        return bool(abs(sum(c * math.pow(got, i) for i, c in enumerate(args[0]))) <= atol)
    if name in _AS_SETS:
        return set(got) == set(expected)
    if name in _AS_FOUND:
        return found(got) == found(expected)
    if got == expected or relaxed(name, args, got, expected):
        return True
    if atol == 0 and floats(expected):
        atol = 1e-6
    return atol != 0 and type(got) is type(expected) and close(got, expected, atol)


def checker(
    source: str,
    name: str,
    atol: float,
    candidate: Callable[..., Any],
    bounded: Callable[[Any], Any],
) -> Callable[[list[Any]], None]:
    """A function of one argument list that raises AssertionError with the values where candidate
    and reference differ. ``source`` is the reference's text; ``bounded`` makes what can be
    compared with an answer too large to cross (a reference of MBPP+ makes 10**8 parts)."""
    space: dict[str, Any] = {}
    exec(source, space)
    reference = space[name]

    def same(args: list[Any]) -> None:
        expected = bounded(reference(*copy.deepcopy(args)))
        got = candidate(*copy.deepcopy(args))
        assert agrees(name, args, got, expected, atol), (
            f"{name}{tuple(args)!r:.400}: got {got!r:.400}, expected {expected!r:.400}"
        )

    return same
