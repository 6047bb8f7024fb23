from datetime import date
from decimal import Decimal

import pytest

from gridcalc import Content, Sheet, Workbook, export_csv, import_csv
from gridcalc.errors import FormulaError, SheetError


@pytest.fixture
def book() -> Workbook:
    return Workbook(today=date(2024, 3, 1))


@pytest.fixture
def sheet(book: Workbook) -> Sheet:
    return book.add_sheet("Data")


def test_sum_of_a_range(sheet: Sheet) -> None:
    sheet.enter({"A1": "1", "A2": "2.5", "A3": "=SUM(A1:A2)"})
    assert sheet.value("A3") == Decimal("3.5")


def test_change_goes_through_a_chain(sheet: Sheet) -> None:
    sheet.enter({"A1": "1", "A2": "=A1*2", "A3": "=A2+1"})
    sheet.set("A1", "10")
    assert sheet.text("A3") == "21"


def test_precedence(sheet: Sheet) -> None:
    sheet.set("A1", "=1+2*3")
    assert sheet.text("A1") == "7"


def test_canonical_formula(sheet: Sheet) -> None:
    sheet.set("A1", "= sum( b1 : b2 ) * 2")
    assert sheet.formula("A1") == "=SUM(B1:B2)*2"


def test_broken_formula_is_refused(sheet: Sheet) -> None:
    with pytest.raises(FormulaError):
        sheet.set("A1", "=1+")


def test_division_by_zero(sheet: Sheet) -> None:
    sheet.enter({"A1": "=1/0", "A2": "=A1+1"})
    assert sheet.text("A2") == "#DIV/0!"


def test_circle(sheet: Sheet) -> None:
    sheet.enter({"A1": "=A2", "A2": "=A1"})
    assert sheet.text("A1") == "#CYCLE!"


def test_copy_moves_references(sheet: Sheet) -> None:
    sheet.set("B1", "=A1+$A$1")
    sheet.copy("B1", "B2")
    assert sheet.formula("B2") == "=A2+$A$1"


def test_insert_row_moves_references(sheet: Sheet) -> None:
    sheet.enter({"A1": "1", "A5": "=A1+A3"})
    sheet.insert_rows(2)
    assert sheet.formula("A6") == "=A1+A4"


def test_reference_to_another_sheet(book: Workbook, sheet: Sheet) -> None:
    other = book.add_sheet("My Sheet")
    other.set("A1", "5")
    sheet.set("A1", "='My Sheet'!A1*2")
    assert sheet.text("A1") == "10"


def test_named_range(book: Workbook, sheet: Sheet) -> None:
    sheet.enter({"A1": "1", "A2": "2", "B1": "=SUM(Costs)"})
    book.define_name("Costs", "Data!A1:A2")
    assert sheet.text("B1") == "3"


def test_unknown_sheet(book: Workbook) -> None:
    with pytest.raises(SheetError):
        book.sheet("Nowhere")


def test_lookup(sheet: Sheet) -> None:
    sheet.enter({"A1": "EUR", "B1": "1.1", "A2": "GBP", "B2": "1.3"})
    sheet.set("C1", '=VLOOKUP("GBP",A1:B2,2,FALSE)')
    assert sheet.text("C1") == "1.3"


def test_if(sheet: Sheet) -> None:
    sheet.enter({"A1": "5", "A2": '=IF(A1>3,"big","small")'})
    assert sheet.text("A2") == "big"


def test_text_functions(sheet: Sheet) -> None:
    sheet.set("A1", '=UPPER(LEFT("spread",3))&"!"')
    assert sheet.text("A1") == "SPR!"


def test_months_later(sheet: Sheet) -> None:
    sheet.set("A1", "=EDATE(TODAY(),2)")
    assert sheet.text("A1") == "2024-05-01"


def test_count_with_criterion(sheet: Sheet) -> None:
    sheet.enter({"A1": "5", "A2": "12", "A3": '=COUNTIF(A1:A2,">=10")'})
    assert sheet.text("A3") == "1"


def test_number_format(sheet: Sheet) -> None:
    sheet.set("A1", "1234.5")
    sheet.set_format("A1", "#,##0.00")
    assert sheet.text("A1") == "1,234.50"


def test_date_format(sheet: Sheet) -> None:
    sheet.set("A1", "2024-03-01")
    sheet.set_format("A1", "d mmm yyyy")
    assert sheet.text("A1") == "1 Mar 2024"


def test_csv_there_and_back(sheet: Sheet) -> None:
    import_csv(sheet, 'name,amount\n"Smith, J.",5\ntotal,=B2*2\n')
    assert export_csv(sheet) == 'name,amount\n"Smith, J.",5\ntotal,10\n'
    assert export_csv(sheet, content=Content.ENTRIES).endswith("total,=B2*2\n")
