"""A paragraph of shaped text for reportlab's documents."""

from __future__ import annotations

from typing import Any

from reportlab.platypus import Flowable  # type: ignore[import-untyped]

from tenants.kit.pdf_fonts import BOLD
from tenants.kit.pdf_text.embedding import draw_line
from tenants.kit.pdf_text.layout import Line, lay_out

_LEADING = 1.15  # of the style's, for scripts with marks above and below


class ShapedParagraph(Flowable):  # type: ignore[misc]
    """A paragraph in the style of reportlab's Paragraph. `bullet` stands before the first line."""

    def __init__(self, text: str, style: Any, bullet: str = "", lines: list[Line] | None = None) -> None:
        super().__init__()
        self.text, self.style, self.bullet = text, style, bullet
        self.lines: list[Line] = lines or []
        self._is_rest = lines is not None
        self._leading = style.leading * _LEADING

    def getSpaceBefore(self) -> float:  # noqa: N802  # reportlab's names, here and below
        """Return the space above, in points."""
        return 0 if self._is_rest else float(self.style.spaceBefore)

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """Break the text into lines. Return the paragraph's size."""
        self.width = width
        if not self._is_rest:
            self.lines = lay_out(self.text, self.style.fontName, self.style.fontSize, width - self.style.leftIndent)
        return width, len(self.lines) * self._leading

    def split(self, width: float, height: float) -> list[ShapedParagraph]:
        """Return the part that fits and the rest, or nothing if no line fits."""
        self.wrap(width, height)
        count = int(height // self._leading)
        if not 0 < count < len(self.lines):
            return [] if not count else [self]
        first = ShapedParagraph(self.text, self.style, self.bullet, self.lines[:count])
        return [first, ShapedParagraph(self.text, self.style, "", self.lines[count:])]

    def draw(self) -> None:
        """Draw the lines from the top."""
        style = self.style
        y = len(self.lines) * self._leading - style.fontSize * _LEADING
        if self.bullet:
            self.canv.setFont(style.bulletFontName, style.fontSize)
            self.canv.drawString(style.bulletIndent, y, self.bullet)
        for line in self.lines:
            x = style.leftIndent if line.rightward else self.width - line.width
            draw_line(self.canv, line, x, y, bold=style.fontName == BOLD)
            y -= self._leading
