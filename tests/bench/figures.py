"""One line per benchmark: name, figure, baseline, ratio, target. No figure fails a test."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable


def paired(ours: Callable[[], float], baseline: Callable[[], float], *, rounds: int = 5) -> tuple[float, float]:
    """Return the medians of two measurements taken alternately, so that other load affects both."""
    pairs = [(ours(), baseline()) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def least(ours: Callable[[], float], baseline: Callable[[], float], *, rounds: int) -> tuple[float, float]:
    """Return the minimums of two CPU costs measured alternately. Other load can only increase them."""
    pairs = [(ours(), baseline()) for _ in range(rounds)]
    return min(a for a, _ in pairs), min(b for _, b in pairs)


def number(value: float) -> str:
    """Format a figure with three significant digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def print_figure(
    name: str,
    ours: float,
    baseline: float | None,
    unit: str,
    *,
    least: float | None = None,
    at_most: float | None = None,
    ratio: bool = True,
    note: str = "",
) -> None:
    """Print a benchmark's line. The target applies to the ratio if there is a baseline, otherwise to the figure."""
    measured = ours / baseline if baseline and ratio else ours
    target, met = "", True
    if least is not None:
        target, met = f"target ≥ {least:g}", measured >= least
    elif at_most is not None:
        target, met = f"target ≤ {at_most:g}", measured <= at_most
    comparison = f"base  {number(baseline):>8} {unit:<6}" if baseline is not None else " " * 21
    ratio_text = f"ratio {measured:5.2f}" if baseline and ratio else " " * 11
    verdict = ("met" if met else "MISSED") if target else ""
    line = f"{name:<46} ours {number(ours):>8} {unit:<6} {comparison} {ratio_text}  {target:<14} {verdict:<6} {note}"
    sys.stdout.write(f"\n{line.rstrip()}")
    sys.stdout.flush()
