"""An invoice, its correction or a credit note as a PDF. The same arguments give the same bytes."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

from reportlab.lib.pagesizes import LETTER  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from porchlight.features.bookings.payments.invoices.invoice import InvoiceText, Party
from tenants.kit.money import format_cents
from tenants.kit.pdf_fonts import BOLD, FONT, clean, register_fonts
from tenants.kit.pdf_text.embedding import draw_line
from tenants.kit.pdf_text.layout import lay_out

_MARGIN = 72.0  # points
_WIDTH = LETTER[0] - 2 * _MARGIN
_SIZE, _TITLE_SIZE, _SMALL_SIZE = 11.0, 22.0, 9.0
_LEADING = 1.5
_AMOUNT_ROOM = 110.0  # points for the amounts on the right
_TEXT, _MUTED, _RULE = "#14213d", "#52525b", "#d4d4d8"
_TITLES = {"invoice": "Invoice", "correction": "Corrected invoice", "credit_note": "Credit note"}
_NAMES = {"correction": "Replaces invoice", "credit_note": "Credit for invoice"}
_CLOSING = (
    "Paid by card. Porchlight took the payment and issues this document in the name of the seller. The price is the"
    " full price; no tax is shown separately."
)
_CREDIT_CLOSING = "The amount went back to the card. Porchlight issues this document in the name of the seller."


class _Page:
    """A canvas with the place of the next line, in points from the bottom. A full page is followed by another one."""

    def __init__(self, output: io.BytesIO, title: str) -> None:
        self.canvas: Any = Canvas(output, pagesize=LETTER, invariant=1, lang="en-US")
        self.canvas.setTitle(title)
        self.y = LETTER[1] - _MARGIN

    def text(self, text: str, *, size: float = _SIZE, bold: bool = False, color: str = _TEXT, amount: str = "") -> None:
        """Draw a text in the lines that it needs, with an amount on the right of the first one."""
        room = _WIDTH - (_AMOUNT_ROOM if amount else 0)
        for line in lay_out(clean(text), BOLD if bold else FONT, size, room):
            self._next(size)
            self.canvas.setFillColor(color)
            self.canvas.setStrokeColor(color)
            draw_line(self.canvas, line, _MARGIN if line.rightward else _MARGIN + room - line.width, self.y, bold=bold)
            if amount:
                (cell,) = lay_out(amount, BOLD if bold else FONT, size, _AMOUNT_ROOM)
                draw_line(self.canvas, cell, LETTER[0] - _MARGIN - cell.width, self.y, bold=bold)
                amount = ""

    def rule(self) -> None:
        """Draw a line from side to side."""
        self._next(_SIZE)
        self.canvas.setStrokeColor(_RULE)
        self.canvas.line(_MARGIN, self.y + _SIZE / 2, LETTER[0] - _MARGIN, self.y + _SIZE / 2)

    def _next(self, size: float) -> None:
        self.y -= size * _LEADING
        if self.y < _MARGIN:
            self.canvas.showPage()
            self.y = LETTER[1] - _MARGIN - size * _LEADING


def render_invoice(invoice: InvoiceText) -> bytes:
    """Return the PDF of an invoice, a correction or a credit note."""
    register_fonts()
    output = io.BytesIO()
    title = f"{_TITLES[invoice.kind]} {invoice.number}"
    page = _Page(output, title)
    page.text(title, size=_TITLE_SIZE, bold=True)
    if invoice.corrects:
        page.text(f"{_NAMES[invoice.kind]} {invoice.corrects}", bold=True)
    page.text(f"Issued on {_day(invoice.issued_on)}", color=_MUTED)
    page.rule()
    _party(page, "From", invoice.seller)
    page.rule()
    _party(page, "To", invoice.buyer)
    page.rule()
    is_credit = invoice.kind == "credit_note"
    amount = format_cents(-invoice.amount_cents if is_credit else invoice.amount_cents)
    page.text(invoice.service, amount=amount)
    of_session = f"Session on {_day(invoice.session_on)}, paid" if invoice.session_on else "Paid"
    page.text(f"{of_session} on {_day(invoice.paid_on)}", color=_MUTED)
    page.rule()
    page.text("Total returned (USD)" if is_credit else "Total paid (USD)", bold=True, amount=amount)
    page.rule()
    page.text(_CREDIT_CLOSING if is_credit else _CLOSING, size=_SMALL_SIZE, color=_MUTED)
    page.canvas.save()
    return output.getvalue()


def _party(page: _Page, label: str, party: Party) -> None:
    page.text(label, size=_SMALL_SIZE, color=_MUTED)
    page.text(party.name, bold=True)
    for line in party.address.splitlines():
        page.text(line)
    if party.tax_id:
        page.text(f"Tax ID: {party.tax_id}")


def _day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"
