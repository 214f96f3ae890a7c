"""CSV files that spreadsheets open safely."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

# First characters that make a spreadsheet read a cell as a formula (OWASP, CSV injection).
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # spreadsheets detect UTF-8 by it


def to_csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a CSV file in UTF-8 with a byte order mark. Cells are escaped with `escape_csv_formula`."""
    output = io.StringIO(newline="")
    writer = csv.writer(output)
    writer.writerow(header)
    for row in rows:
        writer.writerow([escape_csv_formula(cell) for cell in row])
    return _BYTE_ORDER_MARK + output.getvalue().encode()


def escape_csv_formula(cell: str) -> str:
    """Return the cell with a leading apostrophe if a spreadsheet would read it as a formula."""
    is_formula = cell.lstrip(" \u00a0").startswith(_FORMULA_STARTS) or cell.startswith(_FORMULA_STARTS)
    return "'" + cell if is_formula else cell
