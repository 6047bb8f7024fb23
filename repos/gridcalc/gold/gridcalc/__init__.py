"""A spreadsheet engine without a screen."""

from gridcalc.csvio import Content, export_csv, import_csv
from gridcalc.errors import ErrorValue, GridError
from gridcalc.sheet import Sheet
from gridcalc.workbook import Workbook

__all__ = ["Content", "ErrorValue", "GridError", "Sheet", "Workbook", "export_csv", "import_csv"]
