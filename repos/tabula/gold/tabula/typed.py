"""From syntax to terms: names are resolved, kinds are checked and made to fit."""

from collections.abc import Sequence

from tabula import syntax, terms
from tabula.display import show
from tabula.errors import GroupFault, KindFault, NameFault
from tabula.functions import AGGREGATES, FUNCTIONS, aggregate_kind, result_kind
from tabula.kinds import (
    BOOL,
    DATE,
    INT,
    MAX_SCALE,
    NULL,
    TEXT,
    Kind,
    Value,
    common,
    decimal,
    kind_of,
    read,
    widened,
)
from tabula.scope import Scope, resolved
from tabula.syntax import Expr
from tabula.terms import Term, has_aggregate, kind_of_term


def typed(expr: Expr, scope: Scope) -> Term:
    """The term that an expression means. Raises NameFault, KindFault, GroupFault."""
    match expr:
        case syntax.Literal(value, kind):
            return terms.Const(value, kind)
        case syntax.Param(name):
            return parameter(name, scope)
        case syntax.Name(table, column):
            return resolved(scope, table, column)
        case syntax.Unary("not", operand):
            return terms.Not(condition(operand, scope))
        case syntax.Unary(_, operand):
            return _negated(typed(operand, scope))
        case syntax.Binary("and" | "or" as word, left, right):
            return terms.Logic(word, condition(left, scope), condition(right, scope))
        case syntax.Binary("=" | "<>" | "<" | "<=" | ">" | ">=" as sign, left, right):
            return _comparison(sign, typed(left, scope), typed(right, scope))
        case syntax.Binary(sign, left, right):
            return _arithmetic(sign, typed(left, scope), typed(right, scope))
        case syntax.IsNull(operand):
            return terms.IsNull(typed(operand, scope))
        case syntax.InList(operand, options):
            first, *rest = _alike([typed(part, scope) for part in (operand, *options)], "in")
            return terms.OneOf(first, tuple(rest))
        case syntax.Like(operand, pattern, escape):
            texts = typed(operand, scope), typed(pattern, scope)
            for term in texts:
                _need(term, TEXT, "like")
            return terms.Matches(*texts, escape)
        case syntax.Case():
            return _case(expr, scope)
        case syntax.Call(function):
            return _aggregate(expr, scope) if function in AGGREGATES else _call(expr, scope)


def condition(expr: Expr, scope: Scope) -> Term:
    """A term that is true, false or unknown. Raises as ``typed`` does."""
    term = typed(expr, scope)
    _need(term, BOOL, "a condition")
    return term


def given(value: Value) -> terms.Const:
    """A value given from Python. Raises KindFault."""
    kind = kind_of(value)
    return terms.Const(widened(value, kind), kind)


def stored(value: Value, kind: Kind) -> Value:
    """A value given from Python as a column of that kind holds it. Raises KindFault."""
    fit = fitted(given(value), kind)
    assert isinstance(fit, terms.Const)
    return fit.value


def parameter(name: str, scope: Scope) -> terms.Const:
    """The value given for a parameter. Raises NameFault."""
    if name not in scope.params:
        raise NameFault(f"there is no value for :{name}")
    return scope.params[name]


def fitted(term: Term, kind: Kind) -> Term:
    """The term made to be of a kind that its own can become. Raises KindFault."""
    own = kind_of_term(term)
    if own == kind:
        return term
    if own == TEXT and kind == DATE and isinstance(term, terms.Const):
        try:
            return terms.Const(read(str(term.value), DATE), DATE)
        except ValueError as error:
            raise KindFault(str(error)) from None
    if common(own, kind) != kind:
        raise KindFault(f"{show(term)} is {own}, not {kind}")
    if isinstance(term, terms.Const):
        return terms.Const(widened(term.value, kind), kind)
    return terms.Widen(term, kind)


def _need(term: Term, kind: Kind, where: str) -> None:
    if kind_of_term(term) not in (kind, NULL):
        raise KindFault(f"{where} needs {kind}, but {show(term)} is {kind_of_term(term)}")


def _alike(parts: Sequence[Term], where: str) -> list[Term]:
    """The parts made comparable: texts beside a date are read as dates."""
    kinds = [kind_of_term(term) for term in parts]
    if DATE in kinds:
        parts = [
            fitted(term, DATE) if isinstance(term, terms.Const) and kind == TEXT else term
            for term, kind in zip(parts, kinds, strict=True)
        ]
    wanted = NULL
    for term in parts:
        together = common(wanted, kind_of_term(term))
        if together is None:
            raise KindFault(f"{where} cannot take {show(parts[0])} and {show(term)}")
        wanted = together
    return list(parts)


def _comparison(sign: str, left: Term, right: Term) -> Term:
    return terms.Compare(sign, *_alike([left, right], sign))


def _negated(term: Term) -> Term:
    kind = kind_of_term(term)
    if not kind.is_number and kind != NULL:
        raise KindFault(f"- needs a number, but {show(term)} is {kind}")
    return terms.Negate(term, kind)


def _arithmetic(sign: str, left: Term, right: Term) -> Term:
    kinds = kind_of_term(left), kind_of_term(right)
    kind = _arithmetic_kind(sign, *kinds)
    if kind is None:
        raise KindFault(f"{sign} does not go with {kinds[0]} and {kinds[1]}")
    return terms.Arith(sign, left, right, kind)


def _arithmetic_kind(sign: str, left: Kind, right: Kind) -> Kind | None:
    both = common(left, right)
    numbers = all(kind.is_number or kind == NULL for kind in (left, right))
    match sign:
        case "||":
            return TEXT if both in (TEXT, NULL) else None
        case "%":
            return INT if both in (INT, NULL) else None
        case "/" if numbers:
            return decimal(MAX_SCALE)
        case "+" | "-" if numbers:
            return both
        case "*" if numbers:
            whole = {left.name, right.name} <= {"int", "null"}
            return both if whole else decimal(left.scale + right.scale)
        case "+" if (left, right) == (INT, DATE):
            return DATE
        case "+" | "-" if (left, right) == (DATE, INT):
            return DATE
        case "-" if (left, right) == (DATE, DATE):
            return INT
    return None


def _case(expr: syntax.Case, scope: Scope) -> Term:
    subject = None if expr.subject is None else typed(expr.subject, scope)
    conditions = [
        condition(when, scope) if subject is None else _comparison("=", subject, typed(when, scope))
        for when, _ in expr.branches
    ]
    results = [typed(then, scope) for _, then in expr.branches]
    otherwise = terms.Const(None, NULL) if expr.otherwise is None else typed(expr.otherwise, scope)
    *fits, last = _unified([*results, otherwise], "case")
    return terms.Choose(tuple(zip(conditions, fits, strict=True)), last, kind_of_term(fits[0]))


def _unified(parts: Sequence[Term], where: str) -> list[Term]:
    """The parts widened to one kind."""
    parts = _alike(parts, where)
    wanted = NULL
    for term in parts:
        wanted = common(wanted, kind_of_term(term)) or wanted
    return [fitted(term, wanted) for term in parts]


def _call(expr: syntax.Call, scope: Scope) -> Term:
    if expr.distinct or expr.star:
        raise GroupFault(f"{expr.function} is no aggregate")
    parts = [typed(argument, scope) for argument in expr.arguments]
    match expr.function, len(parts):
        case "coalesce", count if count > 0:
            fits = _unified(parts, "coalesce")
            return terms.Apply("coalesce", tuple(fits), kind_of_term(fits[0]))
        case "nullif", 2:
            same = _comparison("=", parts[0], parts[1])
            kind = kind_of_term(parts[0])
            return terms.Choose(((same, terms.Const(None, kind)),), parts[0], kind)
        case ("coalesce" | "nullif") as name, count:
            raise KindFault(f"{name} does not take {count} arguments")
    if expr.function not in FUNCTIONS:
        raise NameFault(f"there is no function {expr.function}")
    kind = result_kind(expr.function, [kind_of_term(term) for term in parts])
    if expr.function == "round":
        kind = decimal(_places(parts[1:]))
    return terms.Apply(expr.function, tuple(parts), kind)


def _places(parts: Sequence[Term]) -> int:
    """The second argument of ``round``, which decides on a kind and so must be known."""
    match parts:
        case []:
            return 0
        case [terms.Const(int(places), _)] if 0 <= places <= MAX_SCALE:
            return places
    raise KindFault(f"round needs a number of places from 0 to {MAX_SCALE}")


def _aggregate(expr: syntax.Call, scope: Scope) -> Term:
    if expr.star and expr.function != "count":
        raise KindFault(f"{expr.function} does not take *")
    if expr.star:
        return terms.Aggregate("count", None, False, INT)
    if len(expr.arguments) != 1:
        raise KindFault(f"{expr.function} does not take {len(expr.arguments)} arguments")
    term = typed(expr.arguments[0], scope)
    if has_aggregate(term):
        raise GroupFault(f"an aggregate within {expr.function}")
    kind = aggregate_kind(expr.function, kind_of_term(term))
    return terms.Aggregate(expr.function, term, expr.distinct, kind)
