"""A Python test unrolled into the plain program that somebody would type to see the same.

Fixtures and ``setUp`` become statements, one-line helpers are put in where they are called, other
helpers, constants and imports come along where they are used.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable

_TESTING = {"pytest", "unittest"}
_DEPTH = 6  # helpers that call helpers
Function = ast.FunctionDef | ast.AsyncFunctionDef


class TestFile:
    """A parsed file of tests."""

    __test__ = False

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.functions = {n.name: n for n in self.tree.body if isinstance(n, Function)}
        self.classes = {n.name: n for n in self.tree.body if isinstance(n, ast.ClassDef)}
        self.constants: dict[str, ast.stmt] = {}
        self.imports: dict[str, ast.stmt] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                self.constants.update({t.id: node for t in targets if isinstance(t, ast.Name)})
            elif isinstance(node, ast.Import | ast.ImportFrom):
                for alias in node.names:
                    self.imports[(alias.asname or alias.name).split(".")[0]] = node

    def methods(self, name: str) -> dict[str, Function]:
        """Methods of a class, those of its bases in this file included."""
        found: dict[str, Function] = {}
        node = self.classes.get(name)
        if node is None:
            return found
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id != name:
                found |= self.methods(base.id)
        return found | {n.name: n for n in node.body if isinstance(n, Function)}

    def fields(self, name: str) -> dict[str, ast.expr]:
        """Values that a class's body gives its names."""
        found: dict[str, ast.expr] = {}
        node = self.classes.get(name)
        if node is None:
            return found
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id != name:
                found |= self.fields(base.id)
        for line in node.body:
            if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
                found[line.targets[0].id] = line.value
        return found


class Unroller:
    """Turns the statements of one test into a program."""

    def __init__(self, file: TestFile, group: str) -> None:
        self.file = file
        self.methods = file.methods(group)
        self.fields = file.fields(group)

    def fixtures(self, test: Function) -> list[ast.stmt]:
        """The statements that run before a test."""
        lines: list[ast.stmt] = []
        for name in ("setUpClass", "setup_class", "setUp", "setup_method"):
            if name in self.methods:
                lines += self.methods[name].body
        for method in self.methods.values():
            if any("autouse" in ast.unparse(mark) for mark in method.decorator_list):
                lines += method.body
        for arg in test.args.args:
            made = self.file.functions.get(arg.arg) or self.methods.get(arg.arg)
            if made is not None and arg.arg not in ("self", "cls"):
                lines += self._given(arg.arg, made)
        return [line for line in lines if not _says_nothing(line)]

    def _given(self, name: str, made: Function) -> list[ast.stmt]:
        """A fixture's body, what it gives under its own name."""
        lines: list[ast.stmt] = []
        for arg in made.args.args:
            inner = self.file.functions.get(arg.arg)
            if inner is not None and arg.arg not in ("self", "cls", name):
                lines += self._given(arg.arg, inner)
        for line in made.body:
            value = None
            if isinstance(line, ast.Return):
                value = line.value
            elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Yield):
                value = line.value.value
            if value is not None:
                target = ast.Name(name, ast.Store())
                lines.append(ast.copy_location(ast.Assign([target], value, lineno=0), line))
                break
            lines.append(line)
        return lines

    def plain(self, node: ast.AST) -> ast.AST:
        """``node`` with ``self.`` taken off and one-line helpers put in."""
        made: ast.AST = _Plain(self, _DEPTH).visit(copy.deepcopy(node))
        return ast.fix_missing_locations(made)

    def helper(self, call: ast.Call) -> Function | None:
        """The helper of the test file that is called."""
        if isinstance(call.func, ast.Name):
            return self.file.functions.get(call.func.id)
        if isinstance(call.func, ast.Attribute) and _is_self(call.func.value):
            return self.methods.get(call.func.attr)
        return None

    def program(self, lines: Iterable[ast.AST], used_too: Iterable[ast.AST] = ()) -> str:
        """Program text for ``lines`` with the imports, constants and helpers that they, and
        ``used_too``, need."""
        body = list(lines)
        imports: dict[str, None] = {}
        before: dict[str, None] = {}
        helpers: dict[str, None] = {}
        seen = {
            n.id
            for line in body
            for n in ast.walk(line)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        waiting = _names([*body, *used_too])
        while waiting:
            name = waiting.pop(0)
            if name in seen:
                continue
            seen.add(name)
            if name in self.file.imports:
                imports[_import(self.file.imports[name], name)] = None
            elif name in self.file.constants:
                node = self.file.constants[name]
                waiting += _names([node])
                before[_segment(self.file, node)] = None
            else:
                made = self.file.functions.get(name) or self.methods.get(name)
                if made is not None:
                    helper = _without_self(self.plain(made))
                    waiting += _names([helper])
                    helpers[f"\n{written(helper)}\n"] = None
        kept = [line for line in imports if line]
        parts = [*_joined_imports(kept), *before, *helpers, *(written(line) for line in body)]
        return "\n".join(parts).strip("\n")


class _Plain(ast.NodeTransformer):
    def __init__(self, unroller: Unroller, depth: int) -> None:
        self._unroller = unroller
        self._depth = depth

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if _is_self(node.value):
            if node.attr in self._unroller.fields:
                value: ast.AST = self.visit(copy.deepcopy(self._unroller.fields[node.attr]))
                return value
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        made = self._unroller.helper(node)
        inner = None if made is None or self._depth <= 0 else _inlined(made, node)
        if inner is not None:
            put: ast.AST = _Plain(self._unroller, self._depth - 1).visit(inner)
            return put
        return self.generic_visit(node)


class _Bound(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """A text with gaps that are all filled is a plain text."""
        made = self.generic_visit(node)
        parts = [_filled(part) for part in node.values]
        whole = [part for part in parts if part is not None]
        return ast.Constant("".join(whole)) if len(whole) == len(parts) else made

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self._values.get(node.id)
        return copy.deepcopy(value) if value is not None else node


def _filled(part: ast.expr) -> str | None:
    if isinstance(part, ast.FormattedValue) and part.format_spec is None and part.conversion < 0:
        part = part.value
    value = part.value if isinstance(part, ast.Constant) else None
    return value if isinstance(value, str) else None


def _inlined(made: Function, call: ast.Call) -> ast.expr | None:
    """The expression that a helper of one line stands for, with a call's arguments put in."""
    body = [line for line in made.body if not _says_nothing(line)]
    if len(body) != 1 or not isinstance(body[0], ast.Return | ast.Expr) or body[0].value is None:
        return None
    value = body[0].value
    if isinstance(value, ast.Yield | ast.Await) or made.args.vararg or made.args.kwarg:
        return None
    names = [arg.arg for arg in made.args.args if arg.arg not in ("self", "cls")]
    given: dict[str, ast.expr] = {}
    for name, default in zip(reversed(names), reversed(made.args.defaults), strict=False):
        given[name] = default
    for arg, only in zip(made.args.kwonlyargs, made.args.kw_defaults, strict=True):
        names.append(arg.arg)
        if only is not None:
            given[arg.arg] = only
    if any(isinstance(arg, ast.Starred) for arg in call.args) or len(call.args) > len(names):
        return None
    given |= dict(zip(names, call.args, strict=False))
    given |= {k.arg: k.value for k in call.keywords if k.arg is not None}
    if any(name not in given for name in names) or len(ast.unparse(value)) > 160:
        return None
    bound = _Bound(given).visit(copy.deepcopy(value))
    return bound if isinstance(bound, ast.expr) else None


def written(node: ast.AST) -> str:
    """Program text, texts of several lines written as such."""
    return _text(node, several=True)


def inline(node: ast.AST) -> str:
    """Program text in one line, for the middle of a sentence."""
    return _text(node, several=False)


def _text(node: ast.AST, *, several: bool) -> str:
    """Program text with plain texts in double quotes, as most people write them."""
    kept: dict[str, str] = {}

    class Texts(ast.NodeTransformer):
        def visit_Constant(self, constant: ast.Constant) -> ast.AST:
            text = constant.value
            if not isinstance(text, str) or "\\" in text or ('"' in text and "\n" not in text):
                return constant
            long = several and "\n" in text.strip("\n")
            if long and not text.endswith('"') and '"""' not in text:
                shown = f'"""{text}"""'
            elif '"' not in text:
                shown = '"' + text.replace("\n", "\\n") + '"'
            else:
                return constant
            if any(not c.isprintable() and c != "\n" for c in text):
                return constant
            name = f"TEXT_NUMBER_{len(kept)}_"
            kept[name] = shown
            return ast.copy_location(ast.Name(name, ast.Load()), constant)

        def visit_JoinedStr(self, joined: ast.JoinedStr) -> ast.AST:
            return joined

    text = ast.unparse(ast.fix_missing_locations(Texts().visit(copy.deepcopy(node))))
    for name, value in kept.items():
        text = text.replace(name, value)
    return text


def _segment(file: TestFile, node: ast.stmt) -> str:
    return ast.get_source_segment(file.text, node) or ast.unparse(node)


def _names(nodes: Iterable[ast.AST]) -> list[str]:
    return [n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)]


def _import(node: ast.stmt, name: str) -> str:
    """The import of one name alone; '' for what only tests import."""
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        if module.split(".")[0] in _TESTING or module == "__future__":
            return ""
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                end = f" as {alias.asname}" if alias.asname else ""
                return f"from {module} import {alias.name}{end}"
    if isinstance(node, ast.Import):
        for alias in node.names:
            if (alias.asname or alias.name).split(".")[0] == name:
                end = f" as {alias.asname}" if alias.asname else ""
                return "" if alias.name in _TESTING else f"import {alias.name}{end}"
    return ""


def _joined_imports(lines: list[str]) -> list[str]:
    """Imports in order, those of one module in one line."""
    modules: dict[str, list[str]] = {}
    rest = []
    for line in lines:
        if line.startswith("from "):
            module, names = line[5:].split(" import ", 1)
            modules.setdefault(module, []).append(names)
        else:
            rest.append(line)
    froms = [f"from {m} import {', '.join(sorted(set(n)))}" for m, n in sorted(modules.items())]
    return [*sorted(set(rest)), *froms, *([""] if rest or froms else [])]


def _without_self(node: ast.AST) -> ast.AST:
    if isinstance(node, Function):
        node.args.args = [arg for arg in node.args.args if arg.arg not in ("self", "cls")]
        node.decorator_list = []
        node.body = [line for line in node.body if not _says_nothing(line)] or node.body
    return node


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _says_nothing(line: ast.stmt) -> bool:
    """A docstring, ``pass``, or a call of the base's ``setUp``."""
    if isinstance(line, ast.Pass):
        return True
    if not isinstance(line, ast.Expr):
        return False
    if isinstance(line.value, ast.Constant):
        return True
    return "super()" in ast.unparse(line.value)
