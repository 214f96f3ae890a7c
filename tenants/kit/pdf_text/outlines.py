"""Outlines of glyphs as paths of a PDF page."""

from __future__ import annotations

from tenants.kit.pdf_text.faces import Face

_Point = tuple[float, float]


def outline(face: Face, glyph: int, size: float, x: float, y: float) -> list[str]:
    """Return the path operators of a glyph at a place on the page."""
    pen = _Pen(size / face.face.upem, x, y)
    face.font.draw_glyph_with_pen(glyph, pen)
    return pen.operators


class _Pen:
    """Collects path operators. The methods have the names that HarfBuzz calls."""

    def __init__(self, scale: float, x: float, y: float) -> None:
        self.operators: list[str] = []
        self._scale, self._x, self._y = scale, x, y
        self._at: _Point = (0, 0)

    def moveTo(self, point: _Point) -> None:  # noqa: N802
        """Start a contour."""
        self._add("m", point)

    def lineTo(self, point: _Point) -> None:  # noqa: N802
        """Add a straight line."""
        self._add("l", point)

    def curveTo(self, first: _Point, second: _Point, point: _Point) -> None:  # noqa: N802
        """Add a cubic curve."""
        self._add("c", first, second, point)

    def qCurveTo(self, control: _Point, point: _Point) -> None:  # noqa: N802
        """Add a quadratic curve, which a PDF has as a cubic one."""
        start = self._at
        first, second = (
            tuple(e + (c - e) * 2 / 3 for e, c in zip(end, control, strict=True)) for end in (start, point)
        )
        self._add("c", (first[0], first[1]), (second[0], second[1]), point)

    def closePath(self) -> None:  # noqa: N802
        """End a contour."""
        self.operators.append("h")

    def _add(self, operator: str, *points: _Point) -> None:
        self._at = points[-1]
        places = (f"{self._x + x * self._scale:.3f} {self._y + y * self._scale:.3f}" for x, y in points)
        self.operators.append(f"{' '.join(places)} {operator}")
