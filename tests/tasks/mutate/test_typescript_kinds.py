"""Every kind of defect in TypeScript: where it finds a place, and what it makes of it."""

from __future__ import annotations

from textwrap import dedent

import pytest

from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.typescript import KINDS, plants
from harness.tasks.mutate.typescript.source import Source

# Kind -> a text, a line (or the whole text) that it becomes, and a text it has no place in.
CASES: dict[str, tuple[str, str, str]] = {
    "edge": ("const x = a < b;", "const x = a <= b;", "const x = a === b;"),
    "slice_end": ("const x = t.slice(0, n + 1);", "const x = t.slice(0, n);", "const x = t.at(1);"),
    "first_last": ("const x = rows[0];", "const x = rows[rows.length - 1];", "const x = rows[1];"),
    "off_by_one": ("const x = n + 1;", "const x = n;", "const x = t.slice(0, n + 1);"),
    "loop_start": (
        "for (let i = 1; i < n; i++) go(i);",
        "for (let i = 0; i < n; i++) go(i);",
        "for (let i = n; i > 0; i--) go(i);",
    ),
    "lost_limit": ("const x = Math.min(a, b);", "const x = a;", "const x = Math.min(...rows);"),
    "least_greatest": ("const x = Math.min(a);", "const x = Math.max(a);", "const x = a.min();"),
    "lost_refusal": (
        "function f(n) {\n  if (n < 0) throw new Error('x');\n  return n;\n}",
        "function f(n) {\n  return n;\n}",
        "function f(n) {\n  if (n < 0) throw new Error('x');\n  else return n;\n}",
    ),
    "lost_early_return": (
        "function f(n) {\n  if (!n) {\n    return 0;\n  }\n  return 1 / n;\n}",
        "function f(n) {\n  return 1 / n;\n}",
        "function f(n) {\n  return n;\n}",
    ),
    "lost_skip": (
        "for (const n of ns) {\n  if (!n) continue;\n  go(n);\n}",
        "for (const n of ns) {\n  go(n);\n}",
        "for (const n of ns) {\n  if (n) go(n);\n}",
    ),
    "break_continue": (
        "for (const n of ns) {\n  if (n) break;\n}",
        "  if (n) continue;",
        "switch (n) {\n  case 1:\n    break;\n}",
    ),
    "forgotten_branch": (
        "if (a) x = 1;\nelse if (b) x = 2;\nelse x = 3;",
        "if (a) x = 1;\nelse x = 3;",
        "if (a) x = 1;\nelse x = 3;",
    ),
    "forgotten_member": (
        "const x = ['a', 'b'].includes(y);",
        "const x = ['a'].includes(y);",
        "const x = ['a', 'b'].join();",
    ),
    "and_or": ("if (a && b) go();", "if (a || b) go();", "const x = name || other;"),
    "half_condition": ("if (a && b) go();", "if (a) go();", "const x = name || other;"),
    "lost_not": ("const x = a && !b;", "const x = a && b;", "if (!a) go();"),
    "empty_is_none": ("const x = a ?? b;", "const x = a || b;", "const x = a === 0;"),
    "any_all": ("const x = ns.some(f);", "const x = ns.every(f);", "const x = some(ns);"),
    "wrong_sign": ("const x = a + b;", "const x = a - b;", "const x = a + 'b' + c;"),
    "lost_factor": ("const x = a * 60;", "const x = a;", "const x = a % 60;"),
    "wrong_unit": ("const x = a / 60;", "const x = a / 3600;", "const x = 60;"),
    "rounding": ("const x = Math.floor(a);", "const x = Math.ceil(a);", "const x = floor(a);"),
    "swapped_operands": (
        "const x = a - b;", "const x = b - a;", "rows.sort((p, q) => p - q);",
    ),
    "untidy_text": ("const x = t.trim();", "const x = t;", "const x = trim(t);"),
    "other_part_of_text": (
        "const x = t.replaceAll('a', 'b');", "const x = t.replace('a', 'b');", "t.concat('b');",
    ),
    "pattern_flags": ("const x = /a/gi;", "const x = /a/i;", "const x = /gi/;"),
    "unsorted": ("const x = a.sort();", "const x = a;", "const x = sort(a);"),
    "reversed_order": (
        "a.sort((p, q) => p - q);", "a.sort((p, q) => q - p);", "a.map((p, q) => p - q);",
    ),
    "unsettled_ties": (
        "a.sort((p, q) => p.n - q.n || p.m - q.m);",
        "a.sort((p, q) => p.n - q.n);",
        "a.sort((p, q) => p.n - q.n);",
    ),
    "wrong_default": ("function f(n = 0) {}", "function f(n = 1) {}", "function f(n = '') {}"),
    "wrong_error": (
        "function f() {\n  throw new AError('x');\n  throw new BError('x');\n}",
        "  throw new BError('x');\n  throw new BError('x');",
        "throw new AError('x');",
    ),
    "stale_state": (
        "function f() {\n  map.delete(k);\n  go();\n}",
        "function f() {\n  go();\n}",
        "function f() {\n  map.get(k);\n  go();\n}",
    ),
    "lost_update": (
        "function f() {\n  this.n = n;\n  go();\n}",
        "function f() {\n  go();\n}",
        "class A {\n  constructor() {\n    this.n = n;\n    go();\n  }\n}",
    ),
    "shared_value": ("const x = [...a];", "const x = a;", "const x = [...a, b];"),
    "double_entries": ("const x = [...new Set(a)];", "const x = [...a];", "const x = new Set(a);"),
    "swapped_arguments": ("move(from, to);", "move(to, from);", "move(1, to);"),
    "lost_argument": ("f(a, b);", "f(a);", "f(a);"),
    "wrong_name": (
        "function f(a: string, b: string) {\n  return a;\n}",
        "  return b;",
        "function f(a: string, b: number) {\n  return a;\n}",
    ),
    "missing_await": ("async function f() {\n  await g();\n}", "  g();", "g();"),
    "return_in_loop": (
        "function f(ns) {\n  for (const n of ns) {\n    go(n);\n  }\n  return 1;\n}",
        "  return 1; }",
        "function f(ns) {\n  for (const n of ns) {\n    go(n);\n  }\n  end();\n}",
    ),
}  # fmt: skip


def found(kind: str, text: str) -> list[Plant]:
    return [plant for plant in plants("m.ts", text) if plant.kind == kind]


def planted(text: str, plant: Plant) -> str:
    return text[: plant.start] + plant.replacement + text[plant.end :]


def test_every_kind_is_tried_here() -> None:
    assert {kind.name for kind in KINDS} == set(CASES)
    assert len(KINDS) >= 12 and all(kind.summary for kind in KINDS)


@pytest.mark.parametrize("kind", CASES)
def test_a_kind_makes_its_mistake_where_it_can_be_made(kind: str) -> None:
    text, changed, other = CASES[kind]
    results = [planted(text + "\n", plant) for plant in found(kind, text + "\n")]
    assert changed != text
    assert any(changed in result for result in results), results
    for result in results:
        assert result != text + "\n"
        Source("m.ts", result)
    assert found(kind, other + "\n") == []


def test_places_are_told_in_a_fixed_order_with_the_function_around_them() -> None:
    text = dedent(
        """
        // Ä: offsets count characters, not bytes.
        class Book {
          total(rows: number[]): number {
            return rows.filter((row) => row > 0).length;
          }
        }
        """
    ).lstrip()
    once, again = plants("m.ts", text), plants("m.ts", text)
    assert once == again
    (edge,) = [plant for plant in once if plant.kind == "edge"]
    assert edge.symbol == "Book.total" and text[edge.start : edge.end] == ">"


def test_a_file_that_is_no_typescript_has_no_places() -> None:
    assert plants("m.ts", "function f( {\n") == []


def test_types_and_comments_are_left_alone() -> None:
    text = "// 7 < 8 && a\nexport interface A<T extends B> { a: Map<string, number>; }\n"
    assert plants("m.ts", f"{text}export type C = A<B> | D[0];\n") == []
