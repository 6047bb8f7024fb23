"""What can go wrong, by whose fault."""


class TabulaError(Exception):
    """Base of all errors of this package."""


class SyntaxFault(TabulaError):
    """A text that is no statement; says where."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.message = message
        self.line = line
        self.column = column


class NameFault(TabulaError):
    """A table, column, function or parameter that is unknown, ambiguous or there already."""


class KindFault(TabulaError):
    """An operation on values of kinds that it does not take."""


class GroupFault(TabulaError):
    """A column outside its group, or an aggregate where there can be none."""


class DataFault(TabulaError):
    """Rows that a table refuses, or a CSV text that cannot be read."""


class RunFault(TabulaError):
    """An operation without a result, found while a query ran."""
