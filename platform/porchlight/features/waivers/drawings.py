"""A drawn signature: its lines as whole numbers, without the speed and the pressure of the pen.

A drawing has a width of 1,000 and a height of 400. Each line is a list x, y, x, y, …; a single point is a dot. The
numbers are part of the data that can be erased, and the record has a commitment to them (`records`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field

WIDTH, HEIGHT = 1000, 400
MAX_LINES, MAX_POINTS = 100, 2000
PDF_WIDTH_POINTS, PEN_POINTS = 200, 1.2


def _check_line(line: list[int]) -> list[int]:
    if len(line) % 2:
        raise ValueError("needs an x and a y for each point")
    if any(y > HEIGHT for y in line[1::2]):
        raise ValueError("leaves the area for drawing")
    return line


def _check_points(lines: list[list[int]]) -> list[list[int]]:
    if sum(map(len, lines)) > 2 * MAX_POINTS:
        raise ValueError("has too many points")
    return lines


Coordinate = Annotated[int, Field(ge=0, le=WIDTH)]
Line = Annotated[list[Coordinate], Field(min_length=2, max_length=2 * MAX_POINTS), AfterValidator(_check_line)]
Lines = Annotated[list[Line], Field(min_length=1, max_length=MAX_LINES), AfterValidator(_check_points)]


def describe_drawing(lines: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Return a drawing as the receipt has it: its size and its lines."""
    return {"width": WIDTH, "height": HEIGHT, "lines": [list(line) for line in lines]}


def pdf_drawing(drawing: Mapping[str, Any]) -> Any:
    """Return a described drawing as a picture for the PDF."""
    from reportlab.graphics.shapes import Circle, Drawing, PolyLine  # type: ignore[import-untyped]  # only for a PDF

    scale = PDF_WIDTH_POINTS / drawing["width"]
    height = drawing["height"] * scale
    picture = Drawing(PDF_WIDTH_POINTS, height)
    for line in drawing["lines"]:
        # A PDF counts from the bottom.
        points = [height - number * scale if index % 2 else number * scale for index, number in enumerate(line)]
        if len(points) > 2:
            picture.add(PolyLine(points, strokeWidth=PEN_POINTS, strokeLineCap=1, strokeLineJoin=1))
        else:
            picture.add(Circle(*points, PEN_POINTS / 2))
    return picture
