"""One line a benchmark: name, our figure, the floor's, their ratio, the target. No figure ever fails a test."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable


def paired(ours: Callable[[], float], floor: Callable[[], float], *, rounds: int = 5) -> tuple[float, float]:
    """The medians of two measurements taken turn by turn, so that what else the machine does falls on both."""
    pairs = [(ours(), floor()) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def least(ours: Callable[[], float], floor: Callable[[], float], *, rounds: int) -> tuple[float, float]:
    """The least of two costs in processor time, taken turn by turn: what else the machine does only ever adds to it."""
    pairs = [(ours(), floor()) for _ in range(rounds)]
    return min(a for a, _ in pairs), min(b for _, b in pairs)


def number(value: float) -> str:
    """A figure with as many digits as it deserves."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def show(
    name: str,
    ours: float,
    floor: float | None,
    unit: str,
    *,
    least: float | None = None,
    most: float | None = None,
    ratio: bool = True,
    note: str = "",
) -> None:
    """Print a benchmark's line. The target is for the ratio where there is a floor, else for the figure."""
    measured = ours / floor if floor and ratio else ours
    target, met = "", True
    if least is not None:
        target, met = f"target ≥ {least:g}", measured >= least
    elif most is not None:
        target, met = f"target ≤ {most:g}", measured <= most
    beside = f"floor {number(floor):>8} {unit:<6}" if floor is not None else " " * 21
    shown = f"ratio {measured:5.2f}" if floor and ratio else " " * 11
    verdict = ("met" if met else "MISSED") if target else ""
    line = f"{name:<46} ours {number(ours):>8} {unit:<6} {beside} {shown}  {target:<14} {verdict:<6} {note}"
    sys.stdout.write(f"\n{line.rstrip()}")
    sys.stdout.flush()
