"""Hostile calendar files are refused within seconds, in little memory, in a process that ends."""

from __future__ import annotations

from random import Random

import pytest

from porchlight.features.busy_sources.parsing.busy import busy_periods
from porchlight.features.busy_sources.parsing.content_lines import FileRefused
from porchlight.features.busy_sources.parsing.sandbox import read_busy_periods
from tests.porchlight.busy_sources.calendar_files import AFTER, BEFORE, calendar_file, reading, shown
from tests.porchlight.busy_sources.comparison import CASES
from tests.porchlight.busy_sources.edits import edited
from tests.porchlight.busy_sources.hostile_files import ONE, REFUSED
from tests.porchlight.busy_sources.hostile_reading import measure_reading

EDITED_FILES = 400
MAX_MEGABYTES = 600
REFUSALS = ("too_large", "too_frequent", "too_many_events", "not_a_calendar")
SECONDS = 12  # ten, and the start of a process on a busy machine


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_file_is_refused_in_seconds(name: str) -> None:
    seconds, megabytes, result = measure_reading(name)
    assert result in REFUSALS
    assert seconds < SECONDS
    assert megabytes < MAX_MEGABYTES


def test_each_reading_has_a_process_of_its_own() -> None:
    content = calendar_file(ONE)
    assert [shown(one) for one in read_busy_periods([content, content], reading())] == ["11-30T16:00/17:00"]


def test_edited_file_is_read_or_refused() -> None:
    random, files = Random(7), [case.content for case in CASES.values()]
    refused = 0
    for _ in range(EDITED_FILES):
        content = edited(random, files)
        try:
            periods = busy_periods([content], reading("Pacific/Kiritimati"))
        except FileRefused:
            refused += 1
        else:
            assert all(AFTER <= start < end <= BEFORE for start, end in periods), content
    assert 0 < refused < EDITED_FILES / 2
