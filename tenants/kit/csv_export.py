"""CSV files that spreadsheets open safely."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import AsyncIterator, Iterable, Sequence

from starlette.responses import StreamingResponse

# First characters that make a spreadsheet read a cell as a formula (OWASP, CSV injection).
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")
_AMOUNT = re.compile(r"-\d+\.\d{2}")  # a number to a spreadsheet, which has to add up what is below zero, too
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # spreadsheets detect UTF-8 by it


async def csv_download(
    filename: str, header: Sequence[str], pages: AsyncIterator[Iterable[Sequence[str]]]
) -> StreamingResponse:
    """Return a CSV file as a download, in UTF-8 with a byte order mark. Cells are escaped with `escape_csv_formula`.

    The file is sent page by page, so that a large one occupies neither the event loop nor the memory. The first page is
    read before the response starts: its errors reach the caller.
    """
    first: Iterable[Sequence[str]] = await anext(pages, [])

    async def body() -> AsyncIterator[bytes]:
        yield _BYTE_ORDER_MARK + _to_lines([header]) + _to_lines(first)
        async for page in pages:
            yield _to_lines(page)

    headers = {
        "content-disposition": f'attachment; filename="{filename}"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return StreamingResponse(body(), media_type="text/csv; charset=utf-8", headers=headers)


def _to_lines(rows: Iterable[Sequence[str]]) -> bytes:
    output = io.StringIO(newline="")
    csv.writer(output).writerows([escape_csv_formula(cell) for cell in row] for row in rows)
    return output.getvalue().encode()


def escape_csv_formula(cell: str) -> str:
    """Return the cell with a leading apostrophe if a spreadsheet would read it as a formula."""
    if _AMOUNT.fullmatch(cell):
        return cell
    is_formula = cell.lstrip(" \u00a0").startswith(_FORMULA_STARTS) or cell.startswith(_FORMULA_STARTS)
    return "'" + cell if is_formula else cell
