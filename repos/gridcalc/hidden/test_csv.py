"""CSV in and out."""

import pytest
from gridcalc import Content, Sheet, Workbook, export_csv, import_csv
from gridcalc.errors import AddressError, CsvError


@pytest.fixture
def sheet() -> Sheet:
    return Workbook().add_sheet("Data")


def refused(sheet, text):
    """The line that an import is refused for."""
    with pytest.raises(CsvError) as caught:
        import_csv(sheet, text)
    return caught.value.line


class TestImport:
    def test_rows_and_columns(self, sheet):
        import_csv(sheet, "1,2\n3,4\n")
        assert [sheet.text(cell) for cell in ("A1", "B1", "A2", "B2")] == ["1", "2", "3", "4"]

    def test_last_line_without_an_end(self, sheet):
        import_csv(sheet, "1,2\n3,4")
        assert sheet.text("B2") == "4"

    def test_formulas_are_computed(self, sheet):
        import_csv(sheet, "2,=A1*3\n")
        assert sheet.text("B1") == "6"

    def test_formulas_as_text(self, sheet):
        import_csv(sheet, "2,=A1*3\n", formulas=False)
        assert sheet.text("B1") == "=A1*3"

    def test_broken_formulas_as_text(self, sheet):
        import_csv(sheet, "2,=A1*(\n", formulas=False)
        assert sheet.text("B1") == "=A1*("

    def test_numbers_without_formulas(self, sheet):
        import_csv(sheet, "12%,x\n", formulas=False)
        assert sheet.text("A1") == "12%"

    def test_from_another_cell(self, sheet):
        import_csv(sheet, "1,2\n3,4\n", at="C5")
        assert sheet.text("D6") == "4"

    def test_other_delimiter(self, sheet):
        import_csv(sheet, "1,5;2\n", delimiter=";")
        assert [sheet.text("A1"), sheet.text("B1")] == ["1,5", "2"]

    def test_empty_fields_leave_cells_alone(self, sheet):
        sheet.set("B1", "old")
        import_csv(sheet, "1,,3\n")
        assert sheet.text("B1") == "old"

    def test_quoted_delimiter(self, sheet):
        import_csv(sheet, '"Smith, J.",5\n')
        assert [sheet.text("A1"), sheet.text("B1")] == ["Smith, J.", "5"]

    def test_doubled_quotes(self, sheet):
        import_csv(sheet, '"say ""hi"" now",5\n')
        assert sheet.text("A1") == 'say "hi" now'

    def test_quoted_newline(self, sheet):
        import_csv(sheet, '"a\nb",5\n6,7\n')
        assert [sheet.text("A1"), sheet.text("A2")] == ["a\nb", "6"]

    def test_other_line_ends(self, sheet):
        import_csv(sheet, "1\r\n2\r3\n")
        assert [sheet.text("A1"), sheet.text("A2"), sheet.text("A3")] == ["1", "2", "3"]

    def test_byte_order_mark(self, sheet):
        import_csv(sheet, "\ufeff1,2\n")
        assert sheet.text("A1") == "1"

    def test_blank_line_is_a_blank_row(self, sheet):
        import_csv(sheet, "1\n\n3\n")
        assert [sheet.text("A2"), sheet.text("A3")] == ["", "3"]

    def test_nothing(self, sheet):
        import_csv(sheet, "")
        assert export_csv(sheet) == ""


class TestRefused:
    def test_quote_not_closed(self, sheet):
        assert refused(sheet, '1\n2\n"abc\n4\n') == 3

    def test_text_behind_a_quote(self, sheet):
        assert refused(sheet, '1\n"a"b\n') == 2

    def test_quote_inside_a_field(self, sheet):
        assert refused(sheet, 'a"b"\n') == 1

    def test_broken_formula(self, sheet):
        assert refused(sheet, '"a\nb"\n1,2\n=1+,4\n') == 4

    def test_nothing_is_entered(self, sheet):
        assert refused(sheet, "1\n=(\n") == 2
        assert sheet.text("A1") == ""

    def test_no_room(self, sheet):
        with pytest.raises(CsvError):
            import_csv(sheet, "1\n2\n", at="A9999")

    def test_no_cell(self, sheet):
        with pytest.raises(AddressError):
            import_csv(sheet, "1\n", at="A")


class TestExport:
    def test_shown(self, sheet):
        sheet.enter({"A1": "1234.5", "B1": "=A1*2"})
        sheet.set_format("A1", "0.00")
        assert export_csv(sheet) == "1234.50,2469\n"

    def test_entries(self, sheet):
        sheet.enter({"A1": "1234.50", "B1": "=a1 * 2", "C1": "'12"})
        sheet.set_format("A1", "0")
        assert export_csv(sheet, content=Content.ENTRIES) == "1234.50,=A1*2,'12\n"

    def test_from_the_first_cell(self, sheet):
        sheet.set("B2", "x")
        assert export_csv(sheet) == ",\n,x\n"

    def test_to_the_last_row_and_column(self, sheet):
        sheet.enter({"A3": "x", "C1": "y"})
        assert export_csv(sheet) == ",,y\n,,\nx,,\n"

    def test_formats_alone_are_no_content(self, sheet):
        sheet.set("A1", "x")
        sheet.set_format("A1:C9", "0.00")
        assert export_csv(sheet) == "x\n"

    def test_cleared_cells_are_no_content(self, sheet):
        sheet.enter({"A1": "x", "B5": "y"})
        sheet.clear("B5")
        assert export_csv(sheet) == "x\n"

    def test_blank_sheet(self, sheet):
        assert export_csv(sheet) == ""

    def test_blank_sheet_with_formats(self, sheet):
        sheet.set_format("A1:B2", "0.00")
        assert export_csv(sheet, content=Content.ENTRIES) == ""

    def test_delimiter_is_quoted(self, sheet):
        sheet.set("A1", "a,b")
        assert export_csv(sheet) == '"a,b"\n'

    def test_quotes_are_doubled(self, sheet):
        sheet.set("A1", 'say "hi"')
        assert export_csv(sheet) == '"say ""hi"""\n'

    def test_newline_is_quoted(self, sheet):
        sheet.set("A1", "a\nb")
        assert export_csv(sheet) == '"a\nb"\n'

    def test_spaces_are_quoted(self, sheet):
        sheet.set("A1", "a ")
        assert export_csv(sheet) == '"a "\n'

    def test_other_delimiter(self, sheet):
        sheet.enter({"A1": "a,b", "B1": "c;d"})
        assert export_csv(sheet, delimiter=";") == 'a,b;"c;d"\n'

    def test_parentheses_there_and_back(self, sheet):
        sheet.set("A1", "=10-(4-3)")
        again = Workbook().add_sheet("Data")
        import_csv(again, export_csv(sheet, content=Content.ENTRIES))
        assert again.text("A1") == "9"

    def test_digits_as_text_there_and_back(self, sheet):
        sheet.enter({"A1": "'007", "A2": "'2024-03-01"})
        again = Workbook().add_sheet("Data")
        import_csv(again, export_csv(sheet, content=Content.ENTRIES))
        assert again.text("A1") == "007"

    def test_there_and_back(self, sheet):
        sheet.enter({"A1": "2024-03-01", "B1": "'TRUE", "A2": '=IF(B1="x","a,b",""" ")'})
        text = export_csv(sheet, content=Content.ENTRIES)
        again = Workbook().add_sheet("Data")
        import_csv(again, text)
        assert [again.text("B1"), again.formula("A2")] == ["TRUE", '=IF(B1="x","a,b",""" ")']
