"""The printable flyer of a guru's site: name, headline, QR code and address on one page."""

from __future__ import annotations

import io
from typing import Any, Literal

from reportlab.lib.pagesizes import A5, LETTER  # type: ignore[import-untyped]
from reportlab.pdfbase.pdfmetrics import stringWidth  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from porchlight.features.console.sharing.qr_code import qr_code
from tenants.kit.pdf_fonts import BOLD, FONT, register_fonts, renderable

Paper = Literal["letter", "a5"]

_SIZES = {"letter": LETTER, "a5": A5}
# Parts of the page's width or height.
_MARGIN, _QR_SIDE, _BAND = 0.1, 0.6, 0.02
_QUIET_SQUARES = 4  # the white border that scanners need around a QR code
_LARGEST_NAME, _SMALLEST_NAME = 0.085, 0.045
_MAX_NAME_LINES, _MAX_HEADLINE_LINES = 3, 4
_TEXT, _MUTED = "#14213d", "#52525b"


def render_flyer(*, name: str, headline: str, url: str, address: str, color: str, paper: Paper) -> bytes:
    """Return a PDF of one page. `url` is in the QR code; `address` is how people read and type it.

    Characters that the font does not have are left out; a name without others is replaced by the address.
    """
    register_fonts()
    width, height = _SIZES[paper]
    output = io.BytesIO()
    title = renderable(name).strip() or address
    canvas = Canvas(output, pagesize=(width, height), invariant=1, lang="en-US")
    canvas.setTitle(title)
    canvas.setFillColor(color)
    canvas.rect(0, height * (1 - _BAND), width, height * _BAND, stroke=0, fill=1)
    top = _draw_texts(canvas, title, renderable(headline), width, height)
    _draw_code(canvas, url, width, height, top)
    _draw_address(canvas, address, width, height)
    canvas.save()
    return output.getvalue()


def _draw_texts(canvas: Any, title: str, headline: str, width: float, height: float) -> float:
    """Draw name and headline from the top. Return where they end, in points from the bottom."""
    room = width * (1 - 2 * _MARGIN)
    size = width * _LARGEST_NAME
    while len(_lines(title, BOLD, size, room)) > _MAX_NAME_LINES and size > width * _SMALLEST_NAME:
        size *= 0.95
    y = height * (1 - _MARGIN) - size * 0.4
    canvas.setFillColor(_TEXT)
    y = _draw_lines(canvas, _shortened(_lines(title, BOLD, size, room), _MAX_NAME_LINES), BOLD, size, width, y)
    canvas.setFillColor(_MUTED)
    small = width * 0.034
    return _draw_lines(
        canvas,
        _shortened(_lines(headline, FONT, small, room), _MAX_HEADLINE_LINES),
        FONT,
        small,
        width,
        y - small * 0.5,
    )


def _draw_lines(canvas: Any, lines: list[str], font: str, size: float, width: float, y: float) -> float:
    canvas.setFont(font, size)
    for line in lines:
        canvas.drawCentredString(width / 2, y, line)
        y -= size * 1.25
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


def _lines(text: str, font: str, size: float, room: float) -> list[str]:
    """Break a text into lines that fit. A word that is wider than a line is split."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if stringWidth(longer, font, size) <= room:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for character in word:
            if stringWidth(lines[-1] + character, font, size) > room:
                lines.append("")
            lines[-1] += character
    return [line for line in lines if line]


def _shortened(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1]}…"]
