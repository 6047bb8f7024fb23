"""Parsing of expressions, from the weakest operator to the strongest."""

from decimal import Decimal

from tabula import syntax
from tabula.cursor import Cursor
from tabula.kinds import BOOL, DATE, INT, MAX_SCALE, NULL, TEXT, decimal, read
from tabula.syntax import Expr

COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


def expression(cursor: Cursor) -> Expr:
    """An expression of any kind. Raises SyntaxFault."""
    left = _conjunction(cursor)
    while cursor.accept("or"):
        left = syntax.Binary("or", left, _conjunction(cursor))
    return left


def _conjunction(cursor: Cursor) -> Expr:
    left = _negation(cursor)
    while cursor.accept("and"):
        left = syntax.Binary("and", left, _negation(cursor))
    return left


def _negation(cursor: Cursor) -> Expr:
    if cursor.accept("not"):
        return syntax.Unary("not", _negation(cursor))
    return _predicate(cursor)


def _predicate(cursor: Cursor) -> Expr:
    left = _sum(cursor)
    if operator := cursor.accept_symbol(*COMPARISONS):
        return _alone(cursor, syntax.Binary(operator, left, _sum(cursor)))
    if cursor.accept("is"):
        negated = cursor.accept("not")
        cursor.expect("null")
        return _negated(syntax.IsNull(left), negated)
    negated = cursor.accept("not")
    if cursor.accept("in"):
        cursor.expect_symbol("(")
        options = cursor.several(expression)
        cursor.expect_symbol(")")
        return _negated(syntax.InList(left, options), negated)
    if cursor.accept("between"):
        low = _sum(cursor)
        cursor.expect("and")
        above = syntax.Binary(">=", left, low)
        below = syntax.Binary("<=", left, _sum(cursor))
        return _negated(syntax.Binary("and", above, below), negated)
    if cursor.accept("like"):
        return _negated(syntax.Like(left, _sum(cursor), _escape(cursor)), negated)
    if negated:
        cursor.fail("expected IN, BETWEEN or LIKE")
    return left


def _alone(cursor: Cursor, comparison: Expr) -> Expr:
    if cursor.sees_symbol(*COMPARISONS):
        cursor.fail("comparisons do not chain")
    return comparison


def _negated(expr: Expr, negated: bool) -> Expr:
    return syntax.Unary("not", expr) if negated else expr


def _escape(cursor: Cursor) -> str | None:
    if not cursor.accept("escape"):
        return None
    token = cursor.token
    if token.kind != "text" or len(token.text) != 1:
        cursor.fail("expected a single character in quotes")
    return cursor.advance().text


def _sum(cursor: Cursor) -> Expr:
    left = _product(cursor)
    while operator := cursor.accept_symbol("+", "-", "||"):
        left = syntax.Binary(operator, left, _product(cursor))
    return left


def _product(cursor: Cursor) -> Expr:
    left = _signed(cursor)
    while operator := cursor.accept_symbol("*", "/", "%"):
        left = syntax.Binary(operator, left, _signed(cursor))
    return left


def _signed(cursor: Cursor) -> Expr:
    if cursor.accept_symbol("-"):
        return syntax.Unary("-", _signed(cursor))
    return _primary(cursor)


def _primary(cursor: Cursor) -> Expr:
    token = cursor.token
    match token.kind:
        case "int":
            return syntax.Literal(int(cursor.advance().text), INT)
        case "decimal":
            return _decimal(cursor)
        case "text":
            return syntax.Literal(cursor.advance().text, TEXT)
        case "param":
            return syntax.Param(cursor.advance().text)
        case "name":
            return _named(cursor)
    if cursor.accept_symbol("("):
        inner = expression(cursor)
        cursor.expect_symbol(")")
        return inner
    if cursor.accept("null"):
        return syntax.Literal(None, NULL)
    if cursor.sees("true") or cursor.sees("false"):
        return syntax.Literal(cursor.advance().text == "true", BOOL)
    if cursor.accept("case"):
        return _case(cursor)
    cursor.fail("expected an expression")


def _decimal(cursor: Cursor) -> Expr:
    text = cursor.token.text
    places = len(text.partition(".")[2])
    if places > MAX_SCALE:
        cursor.fail(f"expected at most {MAX_SCALE} decimal places")
    cursor.advance()
    return syntax.Literal(Decimal(text), decimal(places))


def _named(cursor: Cursor) -> Expr:
    name = cursor.name("a name")
    if name == "date" and cursor.token.kind == "text":
        try:
            value = read(cursor.token.text, DATE)
        except ValueError:
            cursor.fail("expected a date such as '2024-01-31'")
        cursor.advance()
        return syntax.Literal(value, DATE)
    if cursor.accept_symbol("."):
        return syntax.Name(name, cursor.name("a column"))
    if cursor.accept_symbol("("):
        return _call(cursor, name)
    return syntax.Name(None, name)


def _call(cursor: Cursor, function: str) -> Expr:
    if cursor.accept_symbol(")"):
        return syntax.Call(function, ())
    if cursor.accept_symbol("*"):
        cursor.expect_symbol(")")
        return syntax.Call(function, (), star=True)
    distinct = cursor.accept("distinct")
    arguments = cursor.several(expression)
    cursor.expect_symbol(")")
    return syntax.Call(function, arguments, distinct=distinct)


def _case(cursor: Cursor) -> Expr:
    subject = None if cursor.sees("when") else expression(cursor)
    branches: list[tuple[Expr, Expr]] = []
    while cursor.accept("when"):
        condition = expression(cursor)
        cursor.expect("then")
        branches.append((condition, expression(cursor)))
    if not branches:
        cursor.fail("expected WHEN")
    otherwise = expression(cursor) if cursor.accept("else") else None
    cursor.expect("end")
    return syntax.Case(subject, tuple(branches), otherwise)
