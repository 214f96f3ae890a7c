"""Hostile calendar files end within ten seconds under 600 MB, each measured alone; edited ones are read or refused."""

from __future__ import annotations

import time
from random import Random

import pytest

from porchlight.features.busy_sources.parsing.busy import busy_periods
from porchlight.features.busy_sources.parsing.content_lines import FileRefused
from tests.bench.figures import print_figure
from tests.porchlight.busy_sources.calendar_files import reading
from tests.porchlight.busy_sources.comparison import CASES
from tests.porchlight.busy_sources.edits import edited
from tests.porchlight.busy_sources.hostile_files import HEAVY, REFUSED
from tests.porchlight.busy_sources.hostile_reading import measure_reading

pytestmark = pytest.mark.drill
MOST_SECONDS = 10.5  # ten, and the end of the process
MOST_MEGABYTES = 600
EDITED_FILES = 20_000
ZONES = ("America/Denver", "Asia/Tokyo", "Pacific/Kiritimati")


@pytest.mark.parametrize("name", [*REFUSED, *HEAVY])
def test_drill_of_hostile_file_ends_in_seconds(name: str) -> None:
    seconds, megabytes, result = measure_reading(name)
    print_figure(f"hostile calendar, {name}", seconds, None, "s", at_most=MOST_SECONDS, note=result)
    print_figure(f"hostile calendar, {name}", megabytes, None, "MB", at_most=MOST_MEGABYTES)
    assert (result == "read") <= (name in HEAVY)
    assert megabytes < MOST_MEGABYTES


def test_drill_of_edited_files_are_read_or_refused() -> None:
    random, files = Random(), [case.content for case in CASES.values()]
    slowest, refused = 0.0, 0
    for _ in range(EDITED_FILES):
        content, zone = edited(random, files), random.choice(ZONES)
        began = time.thread_time()
        try:
            periods = busy_periods([content], reading(zone))
        except FileRefused:
            refused += 1
        else:
            assert periods == sorted(periods), content
        slowest = max(slowest, time.thread_time() - began)
    print_figure("edited calendars", EDITED_FILES, None, "files", least=EDITED_FILES, note=f"{refused} refused")
    print_figure("slowest of edited calendars", slowest, None, "s", at_most=5)
