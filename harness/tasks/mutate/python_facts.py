"""Facts of a failing Python test: what it does, what it expects, what came instead."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from harness.tasks.mutate.facts import Fact
from harness.tasks.mutate.messages import error_seen, first_difference, not_raised, seen_value
from harness.tasks.mutate.python_script import Function, TestFile, Unroller, inline, written
from harness.tasks.task import Tree

_EQUAL = {"assertEqual", "assertIs", "assertListEqual", "assertDictEqual", "assertTupleEqual"}
_EQUAL |= {"assertSetEqual", "assertCountEqual", "assertMultiLineEqual", "assertAlmostEqual"}
_FIXED = {"assertTrue": "True", "assertFalse": "False", "assertIsNone": "None"}
# Fixtures of pytest's own that a program has nothing for.
_OWN = re.compile(r"\b(?:monkeypatch|capsys|capfd|caplog|request|tmpdir)\b")
_FOLDER = "import tempfile\nfrom pathlib import Path\n\ntmp_path = Path(tempfile.mkdtemp())\n"


@dataclass(frozen=True)
class _Claim:
    """What one assertion says: ``call`` gives ``expected``, or raises ``refused``."""

    call: ast.AST | None
    expected: ast.expr | str = ""
    refused: str = ""
    within: tuple[ast.stmt, ...] = ()


def python_fact(hidden: Tree, test: str, message: str) -> Fact | None:
    """The fact behind a failing test; None where the test cannot be read."""
    path, *names = re.sub(r"\[.*\]$", "", test).split("::")
    if path not in hidden or not names:
        return None
    try:
        file = TestFile(hidden[path].content.decode("utf-8"))
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None
    group = names[0] if len(names) > 1 else ""
    unroller = Unroller(file, group)
    found = unroller.methods.get(names[-1]) if group else file.functions.get(names[-1])
    if found is None:
        return None
    words = _words(names[-1])
    return _fact(unroller, found, path, words, message)


def _fact(unroller: Unroller, test: Function, path: str, words: str, message: str) -> Fact:
    body = list(test.body)
    at = _failing(body, path, test.name, message)
    claim = _claim(body[at]) if body else _Claim(None)
    before = [line for line in body[:at] if _claim(line).call is None]
    lines = [*unroller.fixtures(test), *before]
    error = error_seen(message)
    seen = "" if error else seen_value(message)
    if claim.call is None:  # it ends with an error before anything is asked
        last = [body[at]] if body else []
        last_call = unroller.plain(last[0]) if last else None
        if isinstance(last_call, ast.Expr):
            last_call = last_call.value
        later = next((c for c in map(_claim, body[at:]) if c.call is not None), _Claim(None))
        after = "" if later.call is None else _after(unroller, later)
        setup, asked = _texts(unroller, lines, last_call)
        return Fact(words, setup, asked, after=after, error=error or "an error")
    if claim.refused:
        lines += claim.within[:-1]
        setup, asked = _texts(unroller, lines, unroller.plain(claim.call))
        done = not_raised(message)
        return Fact(words, setup, asked, refused=claim.refused, error="" if done else error)
    call: ast.AST = unroller.plain(claim.call)
    expected: ast.expr | str = claim.expected
    refused = ""
    if isinstance(claim.call, ast.Call) and (inner := _lambda(unroller, claim.call)) is not None:
        # A helper that tells how a call is refused: the call itself is what matters.
        call = inner
        text = expected.value if isinstance(expected, ast.Constant) else None
        if isinstance(text, str) and re.match(r"^[A-Z]\w+(Error|Exception)?: ", text):
            refused, expected = text, ""
            if seen and re.match(r"""^['"][A-Z]\w+: """, seen):
                error, seen = ast.literal_eval(seen), ""
            elif seen:
                seen = ""
    setup, asked = _texts(unroller, lines, call)
    shown = expected if isinstance(expected, str) else inline(unroller.plain(expected))
    first = first_difference(message) if not seen else ""
    return Fact(words, setup, asked, shown, seen, refused, error, first=first)


def _after(unroller: Unroller, claim: _Claim) -> str:
    """What comes after an error, for a sentence on what was expected."""
    if claim.refused or isinstance(claim.expected, str) or claim.call is None:
        return ""
    return f"{inline(unroller.plain(claim.call))} == {inline(claim.expected)}"


def _texts(unroller: Unroller, lines: list[ast.stmt], call: ast.AST | None) -> tuple[str, str]:
    plain = [unroller.plain(line) for line in lines]
    if call is not None and isinstance(call, ast.With | ast.For | ast.Try | ast.Assign):
        # A statement is part of the program; there is nothing that it gives.
        setup, asked = unroller.program([*plain, call]), ""
    else:
        setup = unroller.program(plain, () if call is None else (call,))
        asked = "" if call is None else written(call)
    if re.search(r"\btmp_path\b", setup + asked):
        setup = f"{_FOLDER}{setup}"
    return ("", "") if _OWN.search(setup + asked) else (setup, asked)


def _failing(body: list[ast.stmt], path: str, name: str, message: str) -> int:
    """Which statement of the test failed; the last where that is not told."""
    pattern = re.compile(rf"^{re.escape(path)}:(\d+): in {re.escape(name)}$", re.MULTILINE)
    lines = [int(found) for found in pattern.findall(message)]
    for number, line in enumerate(body):
        if lines and line.lineno <= lines[-1] <= (line.end_lineno or line.lineno):
            return number
    return max(0, len(body) - 1)


def _claim(line: ast.stmt) -> _Claim:
    if isinstance(line, ast.Assert):
        return _asserted(line.test)
    if isinstance(line, ast.With | ast.AsyncWith):
        return _raising(line)
    if isinstance(line, ast.Expr) and isinstance(line.value, ast.Call):
        call = line.value
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name in _EQUAL and len(call.args) >= 2:
            return _Claim(call.args[0], call.args[1])
        if name in _FIXED and call.args:
            return _Claim(call.args[0], _FIXED[name])
        if name == "assertIn" and len(call.args) >= 2:
            return _Claim(ast.Compare(call.args[0], [ast.In()], [call.args[1]]), "True")
        if name in ("assertRaises", "assertRaisesRegex") and len(call.args) >= 2:
            inner = ast.Call(call.args[1], call.args[2:], [])
            return _Claim(inner, refused=ast.unparse(call.args[0]))
    return _Claim(None)


def _asserted(test: ast.expr) -> _Claim:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _Claim(test.operand, "False")
    single = isinstance(test, ast.Compare) and len(test.ops) == 1
    if single and isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.Is):
        return _Claim(test.left, test.comparators[0])
    return _Claim(test, "True")


def _raising(line: ast.With | ast.AsyncWith) -> _Claim:
    call = line.items[0].context_expr
    if not isinstance(call, ast.Call) or not call.args or not line.body:
        return _Claim(None)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name not in ("raises", "assertRaises", "assertRaisesRegex"):
        return _Claim(None)
    last = line.body[-1]
    asked = last.value if isinstance(last, ast.Expr) else last
    return _Claim(asked, refused=ast.unparse(call.args[0]), within=tuple(line.body))


def _lambda(unroller: Unroller, call: ast.Call) -> ast.expr | None:
    """What is called inside a helper that takes a call as ``lambda: ...``."""
    plain = unroller.plain(call)
    if not isinstance(plain, ast.Call) or unroller.helper(plain) is None or len(plain.args) != 1:
        return None
    inner = plain.args[0]
    return inner.body if isinstance(inner, ast.Lambda) and not inner.args.args else None


def _words(name: str) -> str:
    """A test's name in plain words."""
    text = re.sub(r"^(test_?|Test)", "", name)
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", text).strip().lower()
