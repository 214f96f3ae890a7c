"""The printable flyer of a guru's site: name, headline, QR code and address on one page."""

from __future__ import annotations

import io
from typing import Any

from reportlab.lib.pagesizes import A5, LETTER  # type: ignore[import-untyped]
from reportlab.pdfbase.pdfmetrics import stringWidth  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from porchlight.features.sharing.qr_code import qr_code
from porchlight.features.sharing.schemas import Paper
from tenants.kit.pdf_fonts import BOLD, FONT, clean, register_fonts
from tenants.kit.pdf_text.embedding import draw_line
from tenants.kit.pdf_text.layout import Line, lay_out

_SIZES = {"letter": LETTER, "a5": A5}
# Parts of the page's width or height.
_MARGIN, _QR_SIDE, _BAND = 0.1, 0.6, 0.02
_QUIET_SQUARES = 4  # the white border that scanners need around a QR code
_LARGEST_NAME, _SMALLEST_NAME = 0.085, 0.045
_MAX_NAME_LINES, _MAX_HEADLINE_LINES = 3, 4
_TEXT, _MUTED = "#14213d", "#52525b"


def render_flyer(*, name: str, headline: str, url: str, address: str, color: str, paper: Paper) -> bytes:
    """Return a PDF of one page. `url` is in the QR code; `address` is how people read and type it.

    An empty name is replaced by the address.
    """
    register_fonts()
    width, height = _SIZES[paper]
    output = io.BytesIO()
    title = clean(name) or address
    canvas = Canvas(output, pagesize=(width, height), invariant=1, lang="en-US")
    canvas.setTitle(title)
    canvas.setFillColor(color)
    canvas.rect(0, height * (1 - _BAND), width, height * _BAND, stroke=0, fill=1)
    top = _draw_texts(canvas, title, clean(headline), width, height)
    _draw_code(canvas, url, width, height, top)
    _draw_address(canvas, address, width, height)
    canvas.save()
    return output.getvalue()


def _draw_texts(canvas: Any, title: str, headline: str, width: float, height: float) -> float:
    """Draw name and headline from the top. Return where they end, in points from the bottom."""
    room = width * (1 - 2 * _MARGIN)
    size = width * _LARGEST_NAME
    while len(lay_out(title, BOLD, size, room)) > _MAX_NAME_LINES and size > width * _SMALLEST_NAME:
        size *= 0.95
    y = height * (1 - _MARGIN) - size * 0.4
    canvas.setFillColor(_TEXT)
    canvas.setStrokeColor(_TEXT)
    y = _draw_lines(canvas, _shortened(title, BOLD, size, room, _MAX_NAME_LINES), width, y, bold=True)
    canvas.setFillColor(_MUTED)
    small = width * 0.034
    return _draw_lines(canvas, _shortened(headline, FONT, small, room, _MAX_HEADLINE_LINES), width, y - small * 0.5)


def _draw_lines(canvas: Any, lines: list[Line], width: float, y: float, *, bold: bool = False) -> float:
    for line in lines:
        draw_line(canvas, line, (width - line.width) / 2, y, bold=bold)
        y -= line.size * 1.25
    return y


def _draw_code(canvas: Any, url: str, width: float, height: float, top: float) -> None:
    """Draw the code in the middle of what is between the texts and the address."""
    code = qr_code(url)
    bottom = height * (_MARGIN + 0.1)
    side = min(width * _QR_SIDE, top - bottom)
    square = side / (code.size + 2 * _QUIET_SQUARES)
    left = width / 2 - square * code.size / 2
    upper = (top + bottom) / 2 + square * code.size / 2
    canvas.setFillColor("#000000")
    dark = canvas.beginPath()
    for column, row, run in code.bars:
        dark.rect(left + column * square, upper - (row + 1) * square, run * square, square)
    canvas.drawPath(dark, stroke=0, fill=1)


def _draw_address(canvas: Any, address: str, width: float, height: float) -> None:
    y = height * (_MARGIN + 0.06)
    small = width * 0.03
    canvas.setFillColor(_MUTED)
    canvas.setFont(FONT, small)
    canvas.drawCentredString(width / 2, y, "Scan with your phone's camera, or visit")
    room = width * (1 - 2 * _MARGIN)
    size = min(width * 0.042, room / max(stringWidth(address, BOLD, 1), 1))
    canvas.setFillColor(_TEXT)
    canvas.setFont(BOLD, size)
    canvas.drawCentredString(width / 2, y - small * 2, address)
    canvas.setFillColor(_MUTED)
    canvas.setFont(FONT, small * 0.8)
    canvas.drawCentredString(width / 2, height * _MARGIN * 0.5, "Porchlight")


def _shortened(text: str, font: str, size: float, room: float, most: int) -> list[Line]:
    """Return the lines of a text. An ellipsis ends a text that has more than `most`."""
    lines = lay_out(text, font, size, room)
    if len(lines) <= most:
        return lines
    ellipsis = stringWidth("…", font, size)
    last = lay_out(lines[most - 1].text, font, size, room - ellipsis)[0].text
    return [*lines[: most - 1], *lay_out(f"{last}…", font, size, room)[:1]]
