"""A small query language and planner over tables in memory."""

from tabula.database import Database
from tabula.errors import (
    DataFault,
    GroupFault,
    KindFault,
    NameFault,
    RunFault,
    SyntaxFault,
    TabulaError,
)
from tabula.result import Result

__all__ = [
    "DataFault",
    "Database",
    "GroupFault",
    "KindFault",
    "NameFault",
    "Result",
    "RunFault",
    "SyntaxFault",
    "TabulaError",
]
