"""Parsing of queries and schemas."""

from tabula import syntax
from tabula.cursor import Cursor
from tabula.expressions import expression
from tabula.kinds import BOOL, DATE, INT, MAX_SCALE, TEXT, Kind, decimal
from tabula.syntax import Select
from tabula.table import Column

_KINDS = {"int": INT, "text": TEXT, "date": DATE, "bool": BOOL}


def query(source: str) -> Select:
    """The SELECT that a text is, with or without a semicolon. Raises SyntaxFault."""
    cursor = Cursor(source)
    cursor.expect("select")
    found = _select(cursor)
    cursor.accept_symbol(";")
    if cursor.token.kind != "end":
        cursor.fail("expected the end of the query")
    return found


def schema(source: str) -> tuple[Column, ...]:
    """The columns of a schema such as ``id int key, name text``. Raises SyntaxFault."""
    cursor = Cursor(source)
    columns = cursor.several(_column)
    if cursor.token.kind != "end":
        cursor.fail("expected a comma or the end")
    return columns


def _column(cursor: Cursor) -> Column:
    name = cursor.name("a name for the column")
    kind = _kind(cursor)
    required = key = False
    while True:
        if cursor.accept("not", "null"):
            required = True
        elif cursor.token.kind == "name" and cursor.token.text == "key":
            cursor.advance()
            key = True
        else:
            return Column(name, kind, required, key)


def _kind(cursor: Cursor) -> Kind:
    token = cursor.token
    if token.kind == "name" and token.text in _KINDS:
        return _KINDS[cursor.advance().text]
    if token.kind != "name" or token.text != "decimal":
        cursor.fail("expected a kind of values")
    cursor.advance()
    cursor.expect_symbol("(")
    places = cursor.token
    if places.kind != "int" or int(places.text) > MAX_SCALE:
        cursor.fail(f"expected 0 to {MAX_SCALE} decimal places")
    cursor.advance()
    cursor.expect_symbol(")")
    return decimal(int(places.text))


def _select(cursor: Cursor) -> Select:
    distinct = cursor.accept("distinct")
    items = cursor.several(_item)
    cursor.expect("from")
    source = _from_table(cursor)
    joins: list[syntax.JoinTable] = []
    while (join := _join(cursor)) is not None:
        joins.append(join)
    where = expression(cursor) if cursor.accept("where") else None
    group = cursor.several(expression) if cursor.accept("group", "by") else ()
    having = expression(cursor) if cursor.accept("having") else None
    order = cursor.several(_order_item) if cursor.accept("order", "by") else ()
    limit = expression(cursor) if cursor.accept("limit") else None
    offset = expression(cursor) if cursor.accept("offset") else None
    return Select(items, source, tuple(joins), where, group, having, order, limit, offset, distinct)


def _item(cursor: Cursor) -> syntax.Item | syntax.Star:
    if cursor.accept_symbol("*"):
        return syntax.Star(None)
    if (table := _starred(cursor)) is not None:
        return syntax.Star(table)
    expr = expression(cursor)
    alias = cursor.name("an alias") if cursor.accept("as") else cursor.accept_name()
    return syntax.Item(expr, alias)


def _starred(cursor: Cursor) -> str | None:
    """Read ``table.*`` if it comes next."""
    first, dot, star = cursor.ahead(3)
    if first.kind != "name" or (dot.kind, dot.text) != ("symbol", "."):
        return None
    if (star.kind, star.text) != ("symbol", "*"):
        return None
    for _ in range(3):
        cursor.advance()
    return first.text


def _from_table(cursor: Cursor) -> syntax.FromTable:
    table = cursor.name("a table")
    alias = cursor.name("an alias") if cursor.accept("as") else cursor.accept_name()
    return syntax.FromTable(table, alias or table)


def _join(cursor: Cursor) -> syntax.JoinTable | None:
    if cursor.accept("cross", "join"):
        return syntax.JoinTable(_from_table(cursor), outer=False, condition=None)
    outer = cursor.accept("left")
    if outer or cursor.accept("inner"):
        cursor.expect("join")
    elif not cursor.accept("join"):
        return None
    source = _from_table(cursor)
    cursor.expect("on")
    return syntax.JoinTable(source, outer, expression(cursor))


def _order_item(cursor: Cursor) -> syntax.OrderItem:
    expr = expression(cursor)
    descending = cursor.accept("desc")
    if not descending:
        cursor.accept("asc")
    nulls_first = False
    if cursor.accept("nulls"):
        if cursor.token.kind != "name" or cursor.token.text not in ("first", "last"):
            cursor.fail("expected FIRST or LAST")
        nulls_first = cursor.advance().text == "first"
    return syntax.OrderItem(expr, descending, nulls_first)
