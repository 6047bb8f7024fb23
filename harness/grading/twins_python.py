"""Finds what can be falsified in Python test files, pytest and unittest style."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness import syntax
from harness.errors import ConfigError
from harness.grading import parameters
from harness.grading.python_values import BUILTIN_ERRORS, Printed, error_name, literals_in
from harness.grading.twins import Edit, Literal, Site, TestFile, Unit, has_other
from harness.tasks.task import Tree

# unittest: method -> its contrary; None where there is none.
CONTRARY = {
    "assertEqual": "assertNotEqual",
    "assertNotEqual": "assertEqual",
    "assertTrue": "assertFalse",
    "assertFalse": "assertTrue",
    "assertIs": "assertIsNot",
    "assertIsNot": "assertIs",
    "assertIsNone": "assertIsNotNone",
    "assertIsNotNone": "assertIsNone",
    "assertIn": "assertNotIn",
    "assertNotIn": "assertIn",
    "assertIsInstance": "assertNotIsInstance",
    "assertNotIsInstance": "assertIsInstance",
    "assertAlmostEqual": "assertNotAlmostEqual",
    "assertNotAlmostEqual": "assertAlmostEqual",
    "assertGreater": "assertLessEqual",
    "assertLessEqual": "assertGreater",
    "assertGreaterEqual": "assertLess",
    "assertLess": "assertGreaterEqual",
    "assertRegex": "assertNotRegex",
    "assertNotRegex": "assertRegex",
    "assertListEqual": "assertNotEqual",
    "assertTupleEqual": "assertNotEqual",
    "assertDictEqual": "assertNotEqual",
    "assertSetEqual": "assertNotEqual",
    "assertSequenceEqual": "assertNotEqual",
    "assertMultiLineEqual": "assertNotEqual",
    "assertCountEqual": None,
}
EQUALITIES = {name for name in CONTRARY if name.endswith("Equal") and "Not" not in name}
EQUALITIES -= {"assertGreaterEqual", "assertLessEqual"}
RAISES = {"raises", "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex", "warns"}
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}


def find(hidden: Tree, parents: dict[str, set[str]]) -> list[TestFile]:
    """All test files of ``hidden``, printed anew, with their sites. ``parents``: bases of the
    exception types that the tree defines. Raises ConfigError for a file that does not parse."""
    parsed: list[tuple[str, Printed]] = []
    classes: dict[str, _Class] = {}
    for path, source in hidden.items():
        name = path.rsplit("/", 1)[-1]
        if not re.fullmatch(r"test_.*\.py|.*_test\.py", name) or source.link is not None:
            continue
        try:
            tree = syntax.parse(source.content)
            parameters.number_rows(tree)
            printed = Printed(ast.unparse(tree) + "\n", parents)
        except (SyntaxError, ValueError) as error:
            raise ConfigError(f"hidden test does not parse: {error}", where=path) from None
        parsed.append((path, printed))
        for node in ast.walk(printed.tree):
            if isinstance(node, ast.ClassDef):
                bases = [ast.unparse(base).rsplit(".", 1)[-1] for base in node.bases]
                classes.setdefault(node.name, _Class(path, node, [])).bases.extend(bases)
    return [_file(path, printed, classes) for path, printed in parsed]


@dataclass
class _Class:
    path: str
    node: ast.ClassDef
    bases: list[str]


def _file(path: str, printed: Printed, classes: dict[str, _Class]) -> TestFile:
    file = TestFile(path, printed.text, errors=BUILTIN_ERRORS)
    found: dict[str, Unit] = {}
    for names, function in _functions(printed.tree.body, ()):
        ids = ["::".join((path, *names))]
        if len(names) > 1:
            heirs = _heirs(names[-2], classes)
            ids += ["::".join((classes[heir].path, heir, names[-1])) for heir in heirs]
        # A name defined twice: the later definition is the one that runs.
        printed.rows, shown = parameters.numbered(function)
        for test in ids:
            file.names.update({f"{test}[{i}]": f"{test}[{name}]" for i, name in enumerate(shown)})
        found[ids[0]] = Unit(tuple(ids), list(_sites(function.body, printed, True)))
    file.units = list(found.values())
    values = [site.value for unit in file.units for site in unit.sites if site.value is not None]
    file.pool = [*values, *literals_in(printed.tree, printed)]
    for unit in file.units:
        unit.sites = [site for site in unit.sites if _possible(site, file, printed)]
    return file


def _possible(site: Site, file: TestFile, printed: Printed) -> bool:
    """Whether the site can be falsified: it can be turned round, or has a value to take."""
    value = site.value
    if site.flip is not None or value is None:
        return site.flip is not None
    return has_other(value, file, printed.apart)


def _functions(
    body: list[ast.stmt], names: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, (*names, node.name))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test"
        ):
            yield (*names, node.name), node


def _heirs(name: str, classes: dict[str, _Class]) -> list[str]:
    """Classes that inherit from ``name``, directly or not."""
    found: list[str] = []
    grown = {name}
    while grown:
        grown = {c for c, known in classes.items() if grown & set(known.bases) and c not in found}
        found += sorted(grown)
    return found


def _sites(body: list[ast.stmt], printed: Printed, strong: bool) -> Iterator[Site]:
    for node in body:
        if isinstance(node, ast.Assert):
            yield from _truth(node.test, printed, strong)
        elif isinstance(node, ast.Expr):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            if isinstance(value, ast.Call):
                yield from _call(value, printed, strong)
        elif isinstance(node, ast.With | ast.AsyncWith):
            calls = [i.context_expr for i in node.items if isinstance(i.context_expr, ast.Call)]
            raising = [call for call in calls if _name(call) in RAISES]
            swaps = _calm_calls(node, printed) if len(calls) == len(node.items) == 1 else ()
            for call in raising:
                yield from _raises(call, printed, strong, swaps)
            # What stands after the raising line inside such a block is never reached.
            yield from _sites(node.body, printed, strong and not raising)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While | ast.If | ast.Try):
            for block in ("body", "orelse", "finalbody"):
                yield from _sites(getattr(node, block, []), printed, False)
            for handler in getattr(node, "handlers", []):
                yield from _sites(handler.body, printed, False)
        if isinstance(node, ast.Return | ast.Raise):
            return


def _truth(test: ast.expr, printed: Printed, strong: bool) -> Iterator[Site]:
    """Sites of ``assert test``."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for operand in test.values:
            yield from _truth(operand, printed, strong)
        return
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        operator, left, right = test.ops[0], test.left, test.comparators[0]
        turned = ast.Compare(left, [OPPOSITE[type(operator)]()], [right])
        flip = printed.edit(test, ast.unparse(turned))
        if isinstance(operator, ast.Eq) or (
            isinstance(operator, ast.Is) and isinstance(right, ast.Constant)
        ):
            values = printed.expected(right) or (
                printed.expected(left) if isinstance(left, ast.Constant) else []
            )
            for value in values:
                yield Site(value, flip, strong)
            if not values and (rows := printed.in_rows(right)):
                yield Site(rows[0], flip, strong, rows=tuple(rows[1:]))
                return
            if values:
                return
        yield Site(None, flip, strong)
        return
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = test.operand
        loose = isinstance(inner, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr)
        text = ast.unparse(inner)
        yield Site(None, printed.edit(test, f"({text})" if loose else text), strong)
        return
    turned_text = ast.unparse(ast.UnaryOp(ast.Not(), test))
    yield Site(None, printed.edit(test, turned_text), strong)


def _call(call: ast.Call, printed: Printed, strong: bool) -> Iterator[Site]:
    """Sites of a statement that is a call: an assertion method, or raises with a function."""
    name = _name(call)
    if name in RAISES and len(call.args) >= 2:
        yield from _raises(call, printed, strong)
        return
    if name not in CONTRARY or not isinstance(call.func, ast.Attribute):
        return
    contrary = CONTRARY[name]
    flip = None
    if contrary is not None:
        end = printed.span(call.func)[1]
        flip = Edit(end - len(name), end, contrary)
    values: list[Literal] = []
    if name in EQUALITIES and len(call.args) >= 2:
        tolerance = _places(call) if name == "assertAlmostEqual" else 0.0
        values = printed.expected(call.args[1], tolerance)
        if not values and isinstance(call.args[0], ast.Constant | ast.List | ast.Dict | ast.Tuple):
            values = printed.expected(call.args[0], tolerance)
    for value in values:
        yield Site(value, flip, strong)
    rows = printed.in_rows(call.args[1]) if name in EQUALITIES and len(call.args) >= 2 else []
    if rows and not values and name != "assertAlmostEqual":
        yield Site(rows[0], flip, strong, rows=tuple(rows[1:]))
    elif not values and flip is not None:
        yield Site(None, flip, strong)


def _calm_calls(block: ast.With | ast.AsyncWith, printed: Printed) -> tuple[Edit, ...]:
    """The block's one call replaced by calls of the same function with plain arguments whose result
    is expected elsewhere in the file: they raise nothing, or that other test would fail."""
    inner = block.body[0]
    if len(block.body) != 1 or not isinstance(inner, ast.Expr):
        return ()
    call = inner.value
    if not isinstance(call, ast.Call) or ast.unparse(call.func) not in printed.calm:
        return ()
    known = printed.calm[ast.unparse(call.func)]
    return tuple(printed.edit(call, text) for text in known if text != ast.unparse(call))


def _raises(
    call: ast.Call, printed: Printed, strong: bool, swaps: tuple[Edit, ...] = ()
) -> Iterator[Site]:
    """Another exception type in its place; a builtin one where the file has no other."""
    if not call.args:
        return
    kind = call.args[0]
    names = [error_name(e) for e in (kind.elts if isinstance(kind, ast.Tuple) else [kind])]
    if not all(names):
        return
    start, end = printed.span(kind)
    key = "|".join(str(name) for name in names)
    value = Literal(start, end, "error", key, printed.text[start:end])
    fallback = next((e for e in BUILTIN_ERRORS if printed.apart(key, e)), None)
    if fallback is not None:
        yield Site(value, Edit(start, end, fallback), strong, swaps)


def _places(call: ast.Call) -> float:
    """Tolerance of assertAlmostEqual."""
    given = {k.arg: k.value.value for k in call.keywords if isinstance(k.value, ast.Constant)}
    if isinstance(given.get("delta"), int | float):
        return float(str(given["delta"]))
    places = given.get("places")
    return float(10.0 ** -(places if isinstance(places, int) else 7))


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
