"""Terms as text, in the words of the language, with no more parentheses than needed."""

from decimal import Decimal

from tabula import terms
from tabula.kinds import DATE, TEXT, Value, shown
from tabula.terms import Term

_STRENGTH = {"or": 1, "and": 2, "+": 5, "-": 5, "||": 5, "*": 6, "/": 6, "%": 6}
_NOT, _PREDICATE, _SUM, _SIGN, _ATOM = 3, 4, 5, 7, 8


def show(term: Term) -> str:
    """The term as text."""
    return _show(term, 0)


def quoted(text: str) -> str:
    """A text as it is written in a query."""
    return "'" + text.replace("'", "''") + "'"


def constant(value: Value) -> str:
    """A value as it is written in a query."""
    match value:
        case None:
            return "null"
        case str():
            return quoted(value)
        case bool() | int() | Decimal():
            return shown(value)
        case _:
            return f"date {quoted(shown(value))}"


def _show(term: Term, above: int) -> str:
    """The term, in parentheses if it binds less than what stands above it."""
    text, strength = _parts(term)
    return f"({text})" if strength < above else text


def _parts(term: Term) -> tuple[str, int]:
    match term:
        case terms.Const(value, kind):
            text = constant(value) if kind in (TEXT, DATE) or value is None else shown(value)
            return text, _SIGN if text.startswith("-") else _ATOM
        case terms.Ref("", column):
            return column, _ATOM
        case terms.Ref(source, column):
            return f"{source}.{column}", _ATOM
        case terms.Widen(operand):
            return _parts(operand)
        case terms.Not(terms.IsNull(operand)):
            return f"{_show(operand, _SUM)} is not null", _PREDICATE
        case terms.Not(operand):
            return f"not {_show(operand, _NOT)}", _NOT
        case terms.IsNull(operand):
            return f"{_show(operand, _SUM)} is null", _PREDICATE
        case terms.Compare(operator, left, right):
            return f"{_show(left, _SUM)} {operator} {_show(right, _SUM)}", _PREDICATE
        case terms.OneOf(operand, options):
            return f"{_show(operand, _SUM)} in ({_list(options)})", _PREDICATE
        case terms.Matches(operand, pattern, escape):
            end = f" escape {quoted(escape)}" if escape is not None else ""
            return f"{_show(operand, _SUM)} like {_show(pattern, _SUM)}{end}", _PREDICATE
        case terms.Logic(operator, left, right) | terms.Arith(operator, left, right):
            level = _STRENGTH[operator]
            text = f"{_show(left, level)} {operator} {_show(right, level + 1)}"
            return text, level
        case terms.Negate(operand):
            return f"-{_show(operand, _ATOM)}", _SIGN
        case terms.Choose(branches, otherwise):
            parts = [f" when {show(when)} then {show(then)}" for when, then in branches]
            return f"case{''.join(parts)} else {show(otherwise)} end", _ATOM
        case terms.Apply(function, arguments):
            return f"{function}({_list(arguments)})", _ATOM
        case terms.Aggregate(function, None):
            return f"{function}(*)", _ATOM
        case terms.Aggregate(function, argument, distinct):
            word = "distinct " if distinct else ""
            return f"{function}({word}{_list((argument,) if argument else ())})", _ATOM


def _list(parts: tuple[Term, ...]) -> str:
    return ", ".join(show(part) for part in parts)
