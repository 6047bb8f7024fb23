"""The syntax tree: statements and expressions as they were written."""

from dataclasses import dataclass
from typing import TypeAlias

from tabula.kinds import Kind, Value


@dataclass(frozen=True, slots=True)
class Literal:
    value: Value
    kind: Kind


@dataclass(frozen=True, slots=True)
class Param:
    name: str


@dataclass(frozen=True, slots=True)
class Name:
    """A column, perhaps of a named table."""

    table: str | None
    column: str


@dataclass(frozen=True, slots=True)
class Unary:
    """operator: ``not`` or ``-``."""

    operator: str
    operand: "Expr"


@dataclass(frozen=True, slots=True)
class Binary:
    """operator: ``and``, ``or``, a comparison, an arithmetic one or ``||``."""

    operator: str
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class IsNull:
    operand: "Expr"


@dataclass(frozen=True, slots=True)
class InList:
    operand: "Expr"
    options: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Like:
    operand: "Expr"
    pattern: "Expr"
    escape: str | None


@dataclass(frozen=True, slots=True)
class Case:
    """subject: what simple branches are compared with, None for searched ones."""

    subject: "Expr | None"
    branches: tuple[tuple["Expr", "Expr"], ...]
    otherwise: "Expr | None"


@dataclass(frozen=True, slots=True)
class Call:
    """star: ``count(*)``; distinct: ``count(distinct x)``."""

    function: str
    arguments: tuple["Expr", ...]
    distinct: bool = False
    star: bool = False


Expr: TypeAlias = Literal | Param | Name | Unary | Binary | IsNull | InList | Like | Case | Call


@dataclass(frozen=True, slots=True)
class Star:
    """``*`` or ``table.*``."""

    table: str | None


@dataclass(frozen=True, slots=True)
class Item:
    expr: Expr
    alias: str | None


@dataclass(frozen=True, slots=True)
class FromTable:
    table: str
    alias: str


@dataclass(frozen=True, slots=True)
class JoinTable:
    """outer: a left join."""

    source: FromTable
    outer: bool
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class OrderItem:
    expr: Expr
    descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class Select:
    items: tuple[Item | Star, ...]
    source: FromTable
    joins: tuple[JoinTable, ...] = ()
    where: Expr | None = None
    group: tuple[Expr, ...] = ()
    having: Expr | None = None
    order: tuple[OrderItem, ...] = ()
    limit: Expr | None = None
    offset: Expr | None = None
    distinct: bool = False
