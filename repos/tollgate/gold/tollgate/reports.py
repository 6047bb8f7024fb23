"""Reports: rows for machines, tables for people."""

from collections.abc import Sequence

from tollgate.invoices import Invoice
from tollgate.months import Month
from tollgate.service import Tollgate

Cell = str | int


def allowance_rows(gate: Tollgate, organisation: str, month: str) -> list[list[Cell]]:
    """Meter, included, carried, used, remaining, overage; a row for each meter of the month."""
    wanted = Month.parse(month)
    payer = gate.subscriptions.payer(organisation, gate.clock.now())
    segments = gate.subscriptions.segments(payer, wanted)
    rows: list[list[Cell]] = []
    for meter in sorted({name for segment in segments for name in segment.plan.meters}):
        a = gate.quota(organisation, meter, month)
        rows.append([meter, a.included, a.carried, a.used, a.remaining, a.overage])
    return rows


def key_rows(gate: Tollgate, organisation: str, meter: str, month: str) -> list[list[Cell]]:
    """Key, units billed in the month, late ones among them; most units first, then by name."""
    wanted = Month.parse(month)
    keys = {key.name for key in gate.directory.keys_under(organisation)}
    units: dict[str, int] = {}
    late: dict[str, int] = {}
    for record in gate.usage:
        if record.key in keys and record.meter == meter and record.billed == wanted:
            units[record.key] = units.get(record.key, 0) + record.units
            if record.late:
                late[record.key] = late.get(record.key, 0) + record.units
    names = sorted(units, key=lambda name: (-units[name], name))
    return [[name, units[name], late.get(name, 0)] for name in names]


def daily_rows(gate: Tollgate, organisation: str, meter: str, month: str) -> list[list[Cell]]:
    """Day and units for every day of the month, by when usage happened in local time."""
    zone = gate.directory.zone(organisation)
    keys = {key.name for key in gate.directory.keys_under(organisation)}
    units = {day: 0 for day in Month.parse(month).each_day()}
    for record in gate.usage:
        day = zone.day_of(record.at)
        if record.key in keys and record.meter == meter and day in units:
            units[day] += record.units
    return [[day.isoformat(), count] for day, count in units.items()]


def showback_rows(gate: Tollgate, invoice: Invoice) -> list[list[Cell]]:
    """Meter, key, amount: what each meter cost, split by the units of each key.

    The parts of a meter add up to what the invoice charges for it.
    """
    rows: list[list[Cell]] = []
    costs = {line.meter: invoice.subtotal * 0 for line in invoice.lines if line.meter}
    for line in invoice.lines:
        if line.meter:
            costs[line.meter] += line.amount
    for meter, cost in costs.items():
        units: dict[str, int] = {}
        for record in gate.usage:
            same = (record.payer, record.meter) == (invoice.payer, meter)
            if same and record.billed == invoice.month:
                units[record.key] = units.get(record.key, 0) + record.units
        names = sorted(units)
        parts = cost.allocate([units[name] for name in names])
        rows += [[meter, name, part.plain()] for name, part in zip(names, parts, strict=True)]
    return rows


def revenue_rows(gate: Tollgate, month: str) -> list[list[Cell]]:
    """Currency, invoices, net, tax: what was invoiced for a month, by currency."""
    wanted = Month.parse(month)
    rows: list[list[Cell]] = []
    invoices = [invoice for invoice in gate.biller.issued if invoice.month == wanted]
    for code in sorted({invoice.subtotal.currency.code for invoice in invoices}):
        own = [invoice for invoice in invoices if invoice.subtotal.currency.code == code]
        tax = own[0].tax * 0
        net = tax
        for invoice in own:
            tax += invoice.tax
            net += invoice.total - invoice.tax
        rows.append([code, len(own), net.plain(), tax.plain()])
    return rows


def invoice_text(invoice: Invoice) -> str:
    """An invoice as a page of text; amounts stand flush right."""
    rows = [(line.text, line.amount.format()) for line in invoice.lines]
    rule = invoice.tax_rule
    sums = [("Subtotal", invoice.subtotal.format())]
    if rule is not None:
        name = f"{'of which ' if rule.included else ''}{rule.label} {rule.show_percent()}%"
        sums.append((name, invoice.tax.format()))
    sums.append(("Total", invoice.total.format()))
    if invoice.draws:
        sums.append(("Credit", (invoice.credit * -1).format()))
    sums.append(("Due", invoice.due.format()))
    left = max(len(text) for text, _ in [*rows, *sums])
    right = max(len(amount) for _, amount in [*rows, *sums])
    body = [f"{text:<{left}}  {amount:>{right}}" for text, amount in rows]
    total = [f"{text:<{left}}  {amount:>{right}}" for text, amount in sums]
    title = f"Invoice {invoice.number}" if invoice.number else "Draft"
    head = f"{title} for {invoice.payer}, {invoice.month}"
    return "\n".join([head, "", *body, "-" * (left + 2 + right), *total]) + "\n"


def table(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Columns two spaces apart; numbers flush right; no spaces at the end of a line."""
    lines = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    numeric = [
        bool(rows) and all(isinstance(row[i], int) for row in rows) for i in range(len(header))
    ]
    return "".join(_line(line, widths, numeric) for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded = [
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(cells, widths, numeric, strict=True)
    ]
    return "  ".join(padded).rstrip() + "\n"
