"""SVG path data as lists of points, for drawing icons with Pillow. It supports the commands of `sites.theme.icons`."""

import re
from collections.abc import Iterator
from itertools import pairwise
from math import acos, ceil, cos, pi, radians, sin, sqrt
from typing import Final

Point = tuple[float, float]

_NUMBER: Final = re.compile(r"[\s,]*(-?(?:\d*\.\d+|\d+\.?))")
_FLAG: Final = re.compile(r"[\s,]*([01])")
_ARGUMENTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}
_CURVE_STEPS: Final = 24
_DEGREES_PER_STEP: Final = 6


def outlines(path: str) -> list[list[Point]]:
    """Return each stroke of a path as a list of points, in the path's units. Raise ValueError for unsupported data."""
    lines: list[list[Point]] = []
    position = start = control = (0.0, 0.0)
    for command, numbers in _commands(path):
        kind, origin = command.upper(), position if command.islower() else (0.0, 0.0)
        if kind == "M":
            position = start = control = (origin[0] + numbers[0], origin[1] + numbers[1])
            lines.append([position])
            continue
        if kind == "Z":
            lines[-1].append(start)
            position = control = start
            continue
        if kind == "H":
            points = [(origin[0] + numbers[0], position[1])]
        elif kind == "V":
            points = [(position[0], origin[1] + numbers[0])]
        elif kind == "A":
            end = (origin[0] + numbers[5], origin[1] + numbers[6])
            points = _arc(position, numbers[:3], bool(numbers[3]), bool(numbers[4]), end)
        else:
            points_of_curve = [(origin[0] + x, origin[1] + y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            if kind == "S":
                points_of_curve.insert(0, (2 * position[0] - control[0], 2 * position[1] - control[1]))
            if kind in "CS":
                control = points_of_curve[1]
            points = points_of_curve if kind == "L" else _bezier([position, *points_of_curve])
        position = points[-1]
        if kind not in "CS":
            control = position
        lines[-1].extend(points)
    return lines


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command with its arguments. Implicit repetitions are expanded."""
    for part in re.findall(r"[A-Za-z][^A-Za-z]*", path):
        command = part[0]
        count = _ARGUMENTS.get(command.upper())
        if count is None:
            raise ValueError(f"path command {command!r} is not supported")
        numbers = _numbers(part[1:], flags=command in "Aa")
        if count == 0:
            yield command, []
            continue
        if not numbers or len(numbers) % count:
            raise ValueError(f"path command {part!r} has too few numbers")
        for at in range(0, len(numbers), count):
            yield command, numbers[at : at + count]
            # Further points after a move are lines.
            command = {"M": "L", "m": "l"}.get(command, command)


def _numbers(text: str, *, flags: bool) -> list[float]:
    numbers: list[float] = []
    at = 0
    while text[at:].strip():
        # The two flags of an arc may be written without a space: "0 00" is three numbers.
        match = (_FLAG if flags and len(numbers) % 7 in (3, 4) else _NUMBER).match(text, at)
        if match is None:
            raise ValueError(f"path data {text!r} is malformed")
        numbers.append(float(match[1]))
        at = match.end()
    return numbers


def _bezier(control: list[Point]) -> list[Point]:
    """Return the points of a quadratic or cubic curve (de Casteljau's algorithm)."""
    points: list[Point] = []
    for step in range(1, _CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        segments = control
        while len(segments) > 1:
            segments = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(segments)]
        points.append(segments[0])
    return points


def _arc(start: Point, shape: list[float], large: bool, sweep: bool, end: Point) -> list[Point]:
    """Return the points of an elliptic arc, by its center (SVG 2, appendix B.2.4)."""
    rx, ry, turn = abs(shape[0]), abs(shape[1]), radians(shape[2])
    if start == end or not rx or not ry:
        return [end]
    cosine, sine = cos(turn), sin(turn)
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = cosine * dx + sine * dy, cosine * dy - sine * dx
    stretch = sqrt((x / rx) ** 2 + (y / ry) ** 2)
    if stretch > 1:
        rx, ry = rx * stretch, ry * stretch
    rest = max(0.0, (rx * ry) ** 2 / ((rx * y) ** 2 + (ry * x) ** 2) - 1)
    side = sqrt(rest) * (-1 if large == sweep else 1)
    cx, cy = side * rx * y / ry, -side * ry * x / rx
    center = (cosine * cx - sine * cy + (start[0] + end[0]) / 2, sine * cx + cosine * cy + (start[1] + end[1]) / 2)
    first = _angle((x - cx) / rx, (y - cy) / ry)
    swept = (_angle((-x - cx) / rx, (-y - cy) / ry) - first) % (2 * pi)
    if not sweep:
        swept -= 2 * pi
    steps = max(2, ceil(abs(swept) / radians(_DEGREES_PER_STEP)))
    points = []
    for step in range(1, steps + 1):
        angle = first + swept * step / steps
        px, py = rx * cos(angle), ry * sin(angle)
        points.append((center[0] + cosine * px - sine * py, center[1] + sine * px + cosine * py))
    points[-1] = end
    return points


def _angle(x: float, y: float) -> float:
    length = sqrt(x * x + y * y)
    return acos(max(-1.0, min(1.0, x / length))) * (1 if y >= 0 else -1)
