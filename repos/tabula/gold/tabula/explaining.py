"""Physical plans as text: a step a line, its inputs indented below it."""

from collections.abc import Iterator, Sequence

from tabula import plans, terms
from tabula.display import show
from tabula.plans import Plan, inputs
from tabula.terms import TRUE


def explained(step: Plan) -> str:
    """The plan as lines."""
    return "\n".join(_lines(step, 0))


def _lines(step: Plan, depth: int) -> Iterator[str]:
    yield "  " * depth + _line(step)
    for below in inputs(step):
        yield from _lines(below, depth + 1)


def _line(step: Plan) -> str:
    match step:
        case plans.Scan():
            return f"Scan {_table(step)}"
        case plans.Lookup(scan, condition=condition):
            return f"Index {_table(scan)} on {show(condition)}"
        case plans.Nothing():
            return "Nothing"
        case plans.Filter(_, condition):
            return f"Filter {show(condition)}"
        case plans.HashJoin(_, _, outer, keys, rest):
            pairs = " and ".join(f"{show(one)} = {show(other)}" for one, other in keys)
            besides = "" if rest == TRUE else f" if {show(rest)}"
            return f"{'Left ' if outer else ''}Hash join {pairs}{besides}"
        case plans.Join(_, _, outer, condition):
            return f"{'Left ' if outer else ''}Loop join {show(condition)}"
        case plans.Group(_, keys, aggregates):
            by = f" by {', '.join(show(key.term) for key in keys)}" if keys else ""
            what = f": {', '.join(show(named.term) for named in aggregates)}"
            return f"Group{by}{what if aggregates else ''}"
        case plans.Sort(_, order):
            return f"Sort by {_order(order)}"
        case plans.Top(_, order, count, offset):
            return f"Top {_span(count, offset)} by {_order(order)}"
        case plans.Project(_, outputs):
            return f"Output {', '.join(_output(output) for output in outputs)}"
        case plans.Distinct():
            return "Distinct"
        case plans.Limit(_, limit, offset):
            return f"Limit {_span(limit, offset)}"


def _table(scan: plans.Scan) -> str:
    return scan.table if scan.source == scan.table else f"{scan.table} as {scan.source}"


def _output(output: plans.Output) -> str:
    text = show(output.term)
    if isinstance(output.term, terms.Ref) and output.term.column == output.name:
        return text
    return f"{text} as {output.name}"


def _order(keys: Sequence[plans.SortKey]) -> str:
    return ", ".join(
        show(key.term)
        + (" desc" if key.descending else "")
        + (" nulls first" if key.nulls_first else "")
        for key in keys
    )


def _span(count: int | None, offset: int) -> str:
    amount = "all" if count is None else str(count)
    return f"{amount} offset {offset}" if offset else amount
