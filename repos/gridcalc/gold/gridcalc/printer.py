"""Trees back into formula text, with no more parentheses than needed."""

from decimal import Decimal

from gridcalc.addresses import quoted_sheet
from gridcalc.nodes import Binary, Call, CellRef, Literal, NameRef, Node, Percent, RangeRef, Unary
from gridcalc.parser import LEVELS
from gridcalc.values import general

_TIGHTNESS = {operator: level for level, group in enumerate(LEVELS) for operator in group}
_SIGN = len(LEVELS)
_PERCENT = _SIGN + 1
_PRIMARY = _PERCENT + 1


def print_formula(node: Node) -> str:
    """The formula as text, without its `=`."""
    if isinstance(node, Literal):
        return _literal(node)
    if isinstance(node, CellRef):
        return _prefix(node.sheet) + str(node.corner)
    if isinstance(node, RangeRef):
        return f"{_prefix(node.sheet)}{node.first}:{node.last}"
    if isinstance(node, NameRef):
        return node.name
    if isinstance(node, Unary):
        return node.operator + _inside(node.operand, _SIGN)
    if isinstance(node, Percent):
        return _inside(node.operand, _PERCENT) + "%"
    if isinstance(node, Call):
        return f"{node.name}({','.join(print_formula(each) for each in node.arguments)})"
    level = _TIGHTNESS[node.operator]
    return _inside(node.left, level) + node.operator + _inside(node.right, level + 1)


def _inside(node: Node, level: int) -> str:
    text = print_formula(node)
    return text if _tightness(node) >= level else f"({text})"


def _tightness(node: Node) -> int:
    if isinstance(node, Binary):
        return _TIGHTNESS[node.operator]
    if isinstance(node, Unary):
        return _SIGN
    return _PERCENT if isinstance(node, Percent) else _PRIMARY


def _prefix(sheet: str | None) -> str:
    return "" if sheet is None else quoted_sheet(sheet) + "!"


def _literal(node: Literal) -> str:
    value = node.value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return general(value)
