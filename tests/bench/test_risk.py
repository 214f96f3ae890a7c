"""How well the risk engine rates, and how quickly."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from porchlight.skills.risk import assess
from tests.skills.labels import Half, rated

pytestmark = pytest.mark.bench


@pytest.mark.parametrize("half", ["tuning", "held-out"])
def test_quality(half: Half) -> None:
    found = rated(half)
    exact = sum(one.exact for one in found) / len(found)
    four = sum(one.found.rating == one.label for one in found) / len(found)
    dangerous = sum(one.dangerous for one in found)
    unknown = sum(not one.found.known for one in found)
    confusion = Counter((one.waiver_label, one.found.level) for one in found)
    print(
        f"\nrisk, {half}: {len(found)} activities, exact {exact:.3f} (floor 0.90), four levels {four:.3f}, "
        f"high rated low {dangerous} (floor 0), unknown {unknown}"
    )
    print("  " + ", ".join(f"{label} as {level}: {count}" for (label, level), count in sorted(confusion.items())))
    assert exact >= 0.9
    assert dangerous == 0


def test_speed() -> None:
    texts = [(one.category, one.activity) for one in rated("tuning")]
    assess("", "warm")
    began = time.perf_counter()
    for category, activity in texts:
        assess(category, activity)
    each = (time.perf_counter() - began) / len(texts)
    print(f"\nrisk: {each * 1e6:.0f} µs an activity")
