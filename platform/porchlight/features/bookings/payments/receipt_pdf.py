"""The receipt of a payment as a PDF of one page. The same arguments give the same bytes."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

from reportlab.lib.pagesizes import LETTER  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from porchlight.features.bookings.payments.receipt import Receipt
from tenants.kit.money import format_cents
from tenants.kit.pdf_fonts import BOLD, FONT, clean, register_fonts
from tenants.kit.pdf_text.embedding import draw_line
from tenants.kit.pdf_text.layout import lay_out

_MARGIN = 72.0  # points
_WIDTH = LETTER[0] - 2 * _MARGIN
_SIZE, _TITLE_SIZE, _SMALL_SIZE = 11.0, 22.0, 9.0
_LEADING = 1.5
_AMOUNT_ROOM = 110.0  # points for the amounts on the right
_WORDS = {
    "session": "The session is the guru's service. Porchlight took the payment for them, without a fee for you.",
    "package": "The sessions are the guru's service. Porchlight took the payment for them, without a fee for you.",
    "tip": "The guru gets all of the tip. Porchlight took the payment for them, without a fee.",
}
_TEXT, _MUTED, _RULE = "#14213d", "#52525b", "#d4d4d8"


def render_receipt(receipt: Receipt) -> bytes:
    """Return the PDF of a receipt."""
    register_fonts()
    output = io.BytesIO()
    canvas = Canvas(output, pagesize=LETTER, invariant=1, lang="en-US")
    canvas.setTitle(f"Receipt {receipt.number}")
    y = LETTER[1] - _MARGIN - _TITLE_SIZE
    y = _draw(canvas, "Receipt", y, size=_TITLE_SIZE, bold=True)
    y = _draw(canvas, f"Porchlight · {receipt.number}", y, color=_MUTED) - _SIZE
    for label, value in (
        ("Paid on", _day(receipt.paid_on)), ("Paid by", receipt.payer), ("Paid to", receipt.guru),
        ("Paid with", receipt.card),
    ):  # fmt: skip
        if value:
            y = _draw(canvas, f"{label}: {value}", y)
    y = _rule(canvas, y)
    y = _row(canvas, receipt.service, format_cents(receipt.amount_cents), y)
    if receipt.what:
        y = _draw(canvas, receipt.what, y, color=_MUTED, room=_WIDTH - _AMOUNT_ROOM)
    for day, cents in receipt.refunds:
        y = _row(canvas, f"Refunded on {_day(day)}", f"-{format_cents(cents)}", y)
    y = _rule(canvas, y)
    total = receipt.amount_cents - sum(cents for _, cents in receipt.refunds)
    y = _row(canvas, "Total paid (USD)", format_cents(total), y, bold=True)
    _draw(canvas, _WORDS[receipt.purpose], y - _SIZE, size=_SMALL_SIZE, color=_MUTED)
    canvas.save()
    return output.getvalue()


def _day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def _row(canvas: Any, label: str, amount: str, y: float, *, bold: bool = False) -> float:
    """Draw a label with an amount on the right. Return where the next line begins, in points from the bottom."""
    (line,) = lay_out(amount, BOLD if bold else FONT, _SIZE, _AMOUNT_ROOM)
    canvas.setFillColor(_TEXT)
    draw_line(canvas, line, LETTER[0] - _MARGIN - line.width, y, bold=bold)
    return _draw(canvas, label, y, bold=bold, room=_WIDTH - _AMOUNT_ROOM)


def _draw(
    canvas: Any, text: str, y: float, *, size: float = _SIZE, bold: bool = False, color: str = _TEXT,
    room: float = _WIDTH,
) -> float:  # fmt: skip
    canvas.setFillColor(color)
    canvas.setStrokeColor(color)
    for line in lay_out(clean(text), BOLD if bold else FONT, size, room):
        draw_line(canvas, line, _MARGIN if line.rightward else _MARGIN + room - line.width, y, bold=bold)
        y -= size * _LEADING
    return y


def _rule(canvas: Any, y: float) -> float:
    canvas.setStrokeColor(_RULE)
    canvas.line(_MARGIN, y, LETTER[0] - _MARGIN, y)
    return y - _SIZE * _LEADING
