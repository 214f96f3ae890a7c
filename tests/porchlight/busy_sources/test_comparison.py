"""Calendar files have the busy times that RFC 5545 gives them, and calendar servers agree as far as they know it."""

from __future__ import annotations

import pytest

from porchlight.features.busy_sources.fetching.caldav import read_calendar
from porchlight.features.busy_sources.fetching.guarded_web import GuardedClient, Login, OutsideWeb
from porchlight.features.busy_sources.parsing.busy import busy_periods
from tests.fixtures.caldav import CalendarServer, each_calendar_server
from tests.porchlight.busy_sources.calendar_files import AFTER, BEFORE, reading, shown
from tests.porchlight.busy_sources.comparison import CASES, JUDGED, STORED
from tests.porchlight.busy_sources.web_server import FixedResolver

__all__ = ["each_calendar_server"]


def busy(files: list[bytes], zone: str) -> tuple[str, ...]:
    return tuple(shown(one) for one in busy_periods(files, reading(zone)))


@pytest.mark.parametrize("name", CASES)
def test_file_has_its_busy_times(name: str) -> None:
    case = CASES[name]
    assert busy([case.content], case.zone) == case.busy


def test_busy_times_are_those_that_a_server_says(each_calendar_server: CalendarServer) -> None:
    each_calendar_server.add_calendar("judged")
    names = JUDGED[each_calendar_server.program]
    said: dict[str, tuple[str, ...]] = {}
    for name in names:
        each_calendar_server.put("event.ics", CASES[name].stored, calendar="judged").raise_for_status()
        answer = each_calendar_server.free_busy("judged", f"{AFTER:%Y%m%dT%H%M%SZ}", f"{BEFORE:%Y%m%dT%H%M%SZ}")
        said[name] = busy([answer], CASES[name].zone)
    assert len(names) >= 40
    assert said == {name: CASES[name].busy for name in names}


def test_events_keep_their_times_at_a_calendar_server(each_calendar_server: CalendarServer) -> None:
    each_calendar_server.add_calendar("kept")
    web = OutsideWeb(FixedResolver({}), frozenset({each_calendar_server.host}))
    found: dict[str, tuple[str, ...]] = {}
    for name in STORED:
        each_calendar_server.put("event.ics", CASES[name].stored, calendar="kept").raise_for_status()
        with GuardedClient(web, Login("ada", "ada")) as client:
            files = read_calendar(client, each_calendar_server.url_of("kept"), AFTER, BEFORE)
        found[name] = busy(files, CASES[name].zone)
    assert found == {name: CASES[name].busy for name in STORED}
