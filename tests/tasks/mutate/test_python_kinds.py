"""Every kind of defect in Python: where it finds a place, what it makes of it, what it leaves."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from harness.tasks.mutate.plant import Plant, apply
from harness.tasks.mutate.python import KINDS, plants
from harness.tasks.task import TreeFile

# Kind -> a text, one line that it becomes (or lines), and a text that the kind has no place in.
CASES: dict[str, tuple[str, str, str]] = {
    "edge": ("def f(a, b):\n    return a < b", "    return a <= b", "x = 1 == 2"),
    "range_end": (
        "for i in range(1, n + 1):\n    go(i)",
        "for i in range(1, n):",
        "range(a, b, 2)",
    ),
    "slice_end": ("x = text[:end]", "x = text[:end - 1]", "x = text[:-1:2]"),
    "first_last": ("x = rows[0]", "x = rows[-1]", "x: tuple[int] = rows[1]"),
    "off_by_one": ("x = place + 1", "x = place", "x = day + 1"),
    "date_step": ("x = month + 1", "x = month", "x = place + 1"),
    "count_start": ("enumerate(rows, start=1)", "enumerate(rows)", "enumerate(rows)"),
    "lost_refusal": (
        "def f(n):\n    if n < 0:\n        raise ValueError(n)\n    return n",
        "def f(n):\n    return n",
        "def f(n):\n    if n < 0:\n        raise ValueError(n)\n    else:\n        return n",
    ),
    "lost_early_return": (
        "def f(n):\n    if not n:\n        return 0\n    return 1 / n",
        "def f(n):\n    return 1 / n",
        "def f(n):\n    if not n:\n        return 0",
    ),
    "lost_skip": (
        "for n in ns:\n    if not n:\n        continue\n    go(n)",
        "for n in ns:\n    go(n)",
        "for n in ns:\n    if n:\n        go(n)",
    ),
    "break_continue": (
        "for n in ns:\n    if n:\n        break",
        "        continue",
        "for n in ns:\n    go(n)",
    ),
    "forgotten_branch": (
        "if a:\n    x = 1\nelif b:\n    x = 2\nelse:\n    x = 3",
        "if a:\n    x = 1\nelse:\n    x = 3",
        "if a:\n    x = 1\nelse:\n    x = 3",
    ),
    "forgotten_member": ('x = y in ("a", "b")', 'x = y in ("b",)', 'x = y in ("a",)'),
    "return_in_loop": (
        "def f(ns):\n    s = 0\n    for n in ns:\n        s += n\n    return s",
        "        return s",
        "def f(ns):\n    for n in ns:\n        go(n)\n    end()\n    return 1",
    ),
    "and_or": ("if a and b:\n    go()", "if a or b:", "x = name or other"),
    "half_condition": ("if a and b:\n    go()", "if a:", "x = name or other"),
    "grouping": (
        "if (a or b) and c:\n    go()",
        "if a or b and c:",
        "if (a and b) or c:\n    go()",
    ),
    "lost_not": ("x = a and not b", "x = a and b", "if not a:\n    go()"),
    "empty_is_none": ("if n is None:\n    go()", "if not n:", "if n == 0:\n    go()"),
    "none_is_empty": ("x = a or b", "x = a if a is not None else b", "if a or b:\n    go()"),
    "any_all": ("x = any(ns)", "x = all(ns)", "x = self.any(ns)"),
    "equal_contains": ('x = t.startswith("a")', 'x = t.endswith("a")', 'x = startswith("a")'),
    "swapped_arguments": ("move(source, target)", "move(target, source)", "move(1, target)"),
    "lost_argument": ("f(a, zero=True)", "f(a)", "sorted(a, key=f)"),
    "wrong_default": ("def f(n=0):\n    pass", "def f(n=1):", 'def f(n=None, t=""):\n    pass'),
    "get_default": ("x = d.get(k, 0)", "x = d.get(k, 1)", "x = d.get(k)"),
    "least_greatest": ("x = min(a)", "x = max(a)", "x = a.min()"),
    "lost_limit": ("x = min(a, b)", "x = a", "x = min(a, b, c)"),
    "missing_await": ("async def f():\n    await g()", "    g()", "def f():\n    g()"),
    "unsorted": ("x = sorted(a)", "x = list(a)", "x = self.sorted(a)"),
    "reversed_order": ("x = sorted(a)", "x = sorted(a, reverse=True)", "x = list(a)"),
    "sort_key": (
        "x = sorted(a, key=lambda p: (p.day, p.name))",
        "x = sorted(a, key=lambda p: (p.name, p.day))",
        "x = sorted(a)",
    ),
    "unsettled_ties": (
        "x = sorted(a, key=lambda p: (p.day, p.name))",
        "x = sorted(a, key=lambda p: (p.day,))",
        "x = sorted(a, key=lambda p: p.day)",
    ),
    "key_sign": (
        "x = sorted(a, key=lambda p: (-p.size, p.name))",
        "x = sorted(a, key=lambda p: (p.size, p.name))",
        "x = -a",
    ),
    "wrong_sign": ("x = a + b", "x = a - b", 'x = a + "b"'),
    "lost_minus": ("x = -a", "x = a", "x = -1"),
    "lost_factor": ("x = 7 * weeks", "x = weeks", "x = 7 + weeks"),
    "wrong_unit": ("x = hours * 60", "x = hours * 3600", "x = 60"),
    "division": ("x = a // b", "x = a / b", 'x = "%s" % b'),
    "rounding": ("x = round(a)", "x = int(a)", "from math import ceil"),
    "swapped_operands": ("x = a - b", "x = b - a", "x = a - 1"),
    "stale_state": (
        "def f(self):\n    self._cache.clear()\n    self.go()",
        "def f(self):\n    self.go()",
        "def f(self):\n    self._cache.clear()",
    ),
    "lost_update": (
        "def f(self):\n    self.a = 1\n    self.b = 2",
        "def f(self):\n    self.b = 2",
        "def __init__(self):\n    self.a = 1\n    self.b = 2",
    ),
    "shared_value": ("x = list(rows)", "x = rows", "x = list(a + b)"),
    "begun_anew": (
        "s = 0\nfor n in ns:\n    s += n",
        "for n in ns:\n    s = 0\n    s += n",
        "s = 1\nfor n in ns:\n    s += n",
    ),
    "wrong_name": (
        "def f(source: str, target: str):\n    return source",
        "    return target",
        "def f(source: str, count: int):\n    return source",
    ),
    "wrong_field": (
        "class A:\n    paid: int\n    due: int\n\n\ndef f(a):\n    return a.paid",
        "    return a.due",
        "class A:\n    paid: int\n    name: str\n\n\ndef f(a):\n    return a.paid",
    ),
    "early_close": (
        "with open(p) as f:\n    a = f.readline()\n    b = f.read()",
        "with open(p) as f:\n    a = f.readline()\nb = f.read()",
        "with open(p) as f:\n    a = f.read()",
    ),
    "double_entries": ("x = sorted(set(a))", "x = sorted(a)", "x = set(a)"),
    "not_normalised": ("x = t.strip()", "x = t", "x = strip(t)"),
    "wrong_end": ('x = t.split(",", 1)', 'x = t.rsplit(",", 1)', 'x = t.split(",")'),
    "split_limit": ('x = t.split(",", 1)', 'x = t.split(",")', 'x = t.split(",")'),
    "width": ('x = f"{n:02d}"', 'x = f"{n:2d}"', 'x = f"{n}"'),
    "wrong_error": (
        "def f():\n    raise ValueError(1)",
        "    raise TypeError(1)",
        "def f():\n    raise",
    ),
    "caught_too_little": (
        "try:\n    go()\nexcept (KeyError, ValueError):\n    pass",
        "except KeyError:",
        "try:\n    go()\nexcept KeyError:\n    pass",
    ),
    "caught_too_much": (
        "try:\n    go()\nexcept KeyError:\n    pass",
        "except Exception:",
        "try:\n    go()\nexcept Exception:\n    pass",
    ),
    "error_kept_quiet": (
        "try:\n    go()\nexcept KeyError:\n    undo()\n    raise",
        "try:\n    go()\nexcept KeyError:\n    undo()",
        "try:\n    go()\nexcept KeyError:\n    raise ValueError",
    ),
}


def found(kind: str, text: str) -> list[Plant]:
    return [plant for plant in plants("m.py", text) if plant.kind == kind]


def planted(text: str, plant: Plant) -> str:
    tree = {"m.py": TreeFile(text.encode())}
    return apply(tree, [plant])["m.py"].content.decode()


def test_every_kind_is_tried_here() -> None:
    assert {kind.name for kind in KINDS} == set(CASES)
    assert len(KINDS) >= 22 and all(kind.summary for kind in KINDS)


@pytest.mark.parametrize("kind", CASES)
def test_a_kind_makes_its_mistake_where_it_can_be_made(kind: str) -> None:
    text, changed, other = CASES[kind]
    results = [planted(text + "\n", plant) for plant in found(kind, text + "\n")]
    if "\n" in changed:
        assert changed in [result.rstrip("\n") for result in results]
    else:
        assert changed not in text.splitlines()
        assert any(changed in result.splitlines() for result in results), results
    for result in results:
        ast.parse(result)
    assert found(kind, other + "\n") == []


def test_places_are_told_in_a_fixed_order_with_the_function_around_them() -> None:
    text = dedent(
        '''
        """Ä: offsets count characters, not bytes."""

        class Book:
            def total(self, rows: list[int]) -> int:
                """A doc < string."""
                return sum(row for row in rows if row > 0)
        '''
    ).lstrip()
    once, again = plants("m.py", text), plants("m.py", text)
    assert once == again
    edges = [plant for plant in once if plant.kind == "edge"]
    assert [plant.symbol for plant in edges] == ["Book.total"]
    assert text[edges[0].start : edges[0].end] == ">"


def test_a_file_that_is_no_python_has_no_places() -> None:
    assert plants("m.py", "def f(:\n") == []


def test_annotations_and_docstrings_are_left_alone() -> None:
    assert (
        plants("m.py", 'x: "list[int]"\n\n\ndef f(a: dict[str, int]) -> None:\n    """7 < 8."""\n')
        == []
    )


def test_two_defects_go_into_one_file_and_overlapping_ones_do_not() -> None:
    text = "x = a + b\ny = c < d\n"
    sign, edge = found("wrong_sign", text)[0], found("edge", text)[0]
    tree = {"m.py": TreeFile(text.encode())}
    assert apply(tree, [edge, sign])["m.py"].content == b"x = a - b\ny = c <= d\n"
    swapped = found("swapped_operands", "x = a - b\n")[0]
    with pytest.raises(ValueError, match="overlap"):
        apply({"m.py": TreeFile(b"x = a - b\n")}, [swapped, found("wrong_sign", "x = a - b\n")[0]])
