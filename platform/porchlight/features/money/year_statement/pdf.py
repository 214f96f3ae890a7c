"""The year statement as a PDF of one page. The same arguments give the same bytes."""

from __future__ import annotations

import calendar
import io
from collections.abc import Sequence
from typing import Any

from reportlab.lib.pagesizes import LETTER, landscape  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from porchlight.features.money.year_statement.totals import Totals, YearStatement
from tenants.kit.money import format_cents
from tenants.kit.pdf_fonts import BOLD, FONT, clean, register_fonts
from tenants.kit.pdf_text.embedding import draw_line
from tenants.kit.pdf_text.layout import lay_out

_SIZE_OF_PAGE = landscape(LETTER)
_MARGIN = 54.0  # points
_WIDTH = _SIZE_OF_PAGE[0] - 2 * _MARGIN
_SIZE, _TITLE_SIZE, _SMALL_SIZE = 9.5, 20.0, 8.5
_ROW = 20.0  # points from a line of the table to the next
_TEXT, _MUTED, _RULE = "#14213d", "#52525b", "#d4d4d8"
_HEADS = ("Month", "Paid by people", "Refunds", "Disputes", "Tips", "Corrections", "Fees", "Net earned", "Paid out")
CASH_BASIS = (
    "Cash basis: money counts in the month in which it was paid or returned. A refund in January of a payment in"
    " December counts in January. This is a record of what Porchlight handled for you, and no tax advice."
)


def render_year_statement(statement: YearStatement, guru: str) -> bytes:
    """Return the PDF of a year statement of the guru with that name."""
    register_fonts()
    output = io.BytesIO()
    canvas = Canvas(output, pagesize=_SIZE_OF_PAGE, invariant=1, lang="en-US")
    canvas.setTitle(f"Year statement {statement.year}")
    y = _SIZE_OF_PAGE[1] - _MARGIN - _TITLE_SIZE
    y = _draw(canvas, f"Year statement {statement.year}", y, size=_TITLE_SIZE, bold=True)
    y = _draw(canvas, guru, y)
    y = _draw(canvas, f"Porchlight · US dollars · times in {statement.zone}", y, color=_MUTED) - _SIZE
    y = _table_row(canvas, _HEADS, y, bold=True)
    for month, totals in enumerate(statement.months, start=1):
        y = _table_row(canvas, (calendar.month_name[month], *_cells(totals)), y)
    y = _table_row(canvas, (f"All of {statement.year}", *_cells(statement.total)), y, bold=True)
    _draw(canvas, CASH_BASIS, y - _SIZE, size=_SMALL_SIZE, color=_MUTED)
    canvas.save()
    return output.getvalue()


def _cells(totals: Totals) -> tuple[str, ...]:
    amounts = (
        totals.paid, totals.refunds, totals.disputes, totals.tips, totals.other, totals.fees, totals.earned,
        totals.paid_out,
    )  # fmt: skip
    return tuple(format_cents(cents) for cents in amounts)


def _table_row(canvas: Any, cells: Sequence[str], y: float, *, bold: bool = False) -> float:
    """Draw a name and amounts on the right of their columns. Return where the next row begins."""
    room = _WIDTH / len(cells)
    canvas.setFillColor(_TEXT)
    for number, cell in enumerate(cells):
        (line,) = lay_out(cell, BOLD if bold else FONT, _SIZE, _WIDTH)
        x = _MARGIN + (0 if number == 0 else room * (number + 1) - line.width)
        draw_line(canvas, line, x, y, bold=bold)
    canvas.setStrokeColor(_RULE)
    canvas.line(_MARGIN, y - 6, _MARGIN + _WIDTH, y - 6)
    return y - _ROW


def _draw(canvas: Any, text: str, y: float, *, size: float = _SIZE, bold: bool = False, color: str = _TEXT) -> float:
    canvas.setFillColor(color)
    canvas.setStrokeColor(color)
    for line in lay_out(clean(text), BOLD if bold else FONT, size, _WIDTH):
        draw_line(canvas, line, _MARGIN if line.rightward else _MARGIN + _WIDTH - line.width, y, bold=bold)
        y -= size * 1.5
    return y
