"""The one thing with a state: the tables by name, and what is asked of them."""

from collections.abc import Iterable, Mapping, Sequence

from tabula import plans
from tabula.binding import planned, table_named
from tabula.choosing import chosen
from tabula.csvtext import loaded
from tabula.errors import DataFault, NameFault
from tabula.explaining import explained
from tabula.kinds import Value
from tabula.operators import rows_of
from tabula.parser import query, schema
from tabula.plans import Output, Plan
from tabula.result import Result
from tabula.rewrite import rewritten
from tabula.table import Table, make_table, with_index, with_rows
from tabula.terms import kind_of_term
from tabula.typed import given, stored


class Database:
    """Tables and queries over them. What is refused changes nothing. Methods raise TabulaError."""

    def __init__(self) -> None:
        self._tables: dict[str, Table] = {}

    def create_table(self, name: str, columns: str) -> None:
        """A new table with a schema such as ``id int key, name text``."""
        folded = name.lower()
        if folded in self._tables:
            raise NameFault(f"there is a table {folded} already")
        self._tables[folded] = make_table(folded, schema(columns))

    def drop_table(self, name: str) -> None:
        """Forget a table."""
        del self._tables[self._table(name).name]

    def create_index(self, name: str, column: str) -> None:
        """Index a column of a table."""
        self._keep(with_index(self._table(name), column.lower()))

    def load_csv(self, name: str, text: str) -> int:
        """Add the rows of a CSV text to a table; how many."""
        table = self._table(name)
        rows = loaded(text, table.columns)
        self._keep(with_rows(table, rows))
        return len(rows)

    def insert(self, name: str, rows: Iterable[Sequence[Value]]) -> int:
        """Add rows to a table; how many."""
        table = self._table(name)
        made = []
        for row in rows:
            if len(row) != len(table.columns):
                wanted = len(table.columns)
                raise DataFault(f"{len(row)} values for {wanted} columns of {table.name}")
            pairs = zip(row, table.columns, strict=True)
            made.append(tuple(stored(value, column.kind) for value, column in pairs))
        self._keep(with_rows(table, made))
        return len(made)

    def query(self, text: str, params: Mapping[str, Value] | None = None) -> Result:
        """The result of a SELECT; params: values for ``:name`` in it."""
        plan = self._planned(text, params)
        outputs = _outputs(plan)
        kinds = tuple(kind_of_term(output.term) for output in outputs)
        rows = rows_of(chosen(rewritten(plan), self._tables), self._tables)
        return Result(tuple(output.name for output in outputs), kinds, tuple(rows))

    def explain(self, text: str, params: Mapping[str, Value] | None = None) -> str:
        """How a SELECT would be carried out."""
        plan = self._planned(text, params)
        return explained(chosen(rewritten(plan), self._tables))

    def _planned(self, text: str, params: Mapping[str, Value] | None) -> Plan:
        folded = {name.lower(): given(value) for name, value in (params or {}).items()}
        return planned(query(text), self._tables, folded)

    def _table(self, name: str) -> Table:
        return table_named(name.lower(), self._tables)

    def _keep(self, table: Table) -> None:
        self._tables[table.name] = table


def _outputs(plan: Plan) -> tuple[Output, ...]:
    match plan:
        case plans.Limit(below) | plans.Distinct(below):
            return _outputs(below)
        case plans.Project(_, outputs):
            return outputs
    raise AssertionError("every query has outputs")
