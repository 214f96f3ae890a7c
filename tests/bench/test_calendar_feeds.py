"""Time to make a calendar feed of 1,000 sessions, compared with writing its bytes alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from porchlight.features.bookings.feeds.events import PersonalSession, personal_events
from porchlight.features.bookings.feeds.feed_file import feed_file
from tenants.kit.heap import freeze_gc
from tests.bench.figures import least, print_figure

pytestmark = pytest.mark.bench

SESSIONS = 1_000
ROUNDS = 40
ORIGIN, HOST = "https://porchlight.example", "porchlight.example"
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def test_feed_of_1000_sessions_speed() -> None:
    rows = [
        (
            UUID(int=number), number % 3, NOW, NOW + timedelta(hours=number), NOW + timedelta(hours=number + 1),
            "Sourdough basics", "Rosa Delgado", "Ada Neighbor", "guru", "12 Oak Street, Denver", "", "An apron",
        )
        for number in range(SESSIONS)
    ]  # fmt: skip
    events = personal_events([PersonalSession(*row) for row in rows], ORIGIN)

    def make() -> None:
        feed_file("Porchlight", personal_events([PersonalSession(*row) for row in rows], ORIGIN), HOST)

    def write() -> None:
        feed_file("Porchlight", events, HOST)

    freeze_gc()
    ours, floor = least(_cpu_ms(make), _cpu_ms(write), rounds=ROUNDS)
    print_figure("feed of 1,000 sessions", ours, floor, "ms", at_most=1.3)
    print_figure("feed of 1,000 sessions", ours, None, "ms", at_most=50)


def _cpu_ms(run: Callable[[], None]) -> Callable[[], float]:
    def measure() -> float:
        began = time.thread_time()
        run()
        return 1000 * (time.thread_time() - began)

    return measure
