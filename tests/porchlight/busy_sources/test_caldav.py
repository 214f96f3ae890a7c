"""Calendars of an account at two CalDAV servers, Radicale and Xandikos."""

from __future__ import annotations

import pytest

from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.fetching.caldav import find_calendars
from porchlight.features.busy_sources.fetching.guarded_web import GuardedClient, Login, OutsideWeb
from porchlight.features.busy_sources.reading import read_periods
from porchlight.features.busy_sources.source_secrets import SourceSecret
from tests.fixtures.caldav import CalendarServer, each_calendar_server
from tests.porchlight.busy_sources.calendar_files import calendar_file, reading, shown
from tests.porchlight.busy_sources.web_server import FixedResolver, serving

__all__ = ["each_calendar_server"]

# Events of one calendar, each as another program would store it.
EVENTS = (
    "DTSTART:20261130T160000Z | DTEND:20261130T170000Z",
    "DTSTART;TZID=America/Denver:20200106T090000 | DURATION:PT30M | RRULE:FREQ=WEEKLY;UNTIL=20261207T160000Z",
    "DTSTART;VALUE=DATE:20261224 | DTEND;VALUE=DATE:20261226",
    "DTSTART:20261201T160000Z | DURATION:PT1H | TRANSP:TRANSPARENT",
)
BUSY = [
    "11-02T16:00/16:30", "11-09T16:00/16:30", "11-16T16:00/16:30", "11-23T16:00/16:30", "11-30T16:00/17:00",
    "12-07T16:00/16:30", "12-24T07:00/12-26T07:00",
]  # fmt: skip


def web_of(server: CalendarServer) -> OutsideWeb:
    return OutsideWeb(FixedResolver({}), frozenset({server.host}))


@pytest.mark.parametrize("path", ["/", "/ada/", "/.well-known/caldav", "/nothing/here/"])
def test_calendars_of_an_account_are_found(each_calendar_server: CalendarServer, path: str) -> None:
    with GuardedClient(web_of(each_calendar_server), Login("ada", "ada")) as client:
        found = find_calendars(client, f"http://{each_calendar_server.host}{path}")
    (one,) = [calendar for calendar in found if calendar.url == each_calendar_server.url_of("sessions")]
    assert one.name


def test_calendar_by_its_own_address_is_found(each_calendar_server: CalendarServer) -> None:
    url = each_calendar_server.url_of("sessions")
    with GuardedClient(web_of(each_calendar_server), Login("ada", "ada")) as client:
        assert [one.url for one in find_calendars(client, url)] == [url]


def test_events_of_a_calendar_are_busy_times(each_calendar_server: CalendarServer) -> None:
    for number, event in enumerate(EVENTS):
        content = calendar_file(f"DTSTAMP:20261101T000000Z | {event}").replace(b"UID:0@x", f"UID:{number}@x".encode())
        content = content.replace(b"VERSION:2.0\r\n", b"VERSION:2.0\r\nPRODID:-//x//EN\r\n")
        each_calendar_server.put(f"{number}.ics", content).raise_for_status()
    secret = SourceSecret(each_calendar_server.url_of("sessions"), "ada", "ada")
    found = read_periods(web_of(each_calendar_server), "caldav", secret, reading())
    assert [shown(one) for one in found] == BUSY


def test_calendar_without_events_is_free(each_calendar_server: CalendarServer) -> None:
    each_calendar_server.add_calendar("empty")
    secret = SourceSecret(each_calendar_server.url_of("empty"), "ada", "ada")
    assert read_periods(web_of(each_calendar_server), "caldav", secret, reading()) == []


@pytest.mark.parametrize(
    ("status", "content", "failure"),
    [
        (401, b"", "denied"),
        (403, b"", "denied"),
        (404, b"", "not_found"),
        (503, b"", "unreachable"),
        (200, b"<html>", "answer"),
    ],
)
def test_answer_that_is_none_of_caldav_fails(status: int, content: bytes, failure: str) -> None:
    with serving() as server:
        server.files |= {"/dav": (status, content)}
        host = f"127.0.0.1:{server.server_address[1]}"
        secret = SourceSecret(f"http://{host}/dav", "ada", "ada")
        with pytest.raises(SourceFailed, match=failure):
            read_periods(OutsideWeb(FixedResolver({}), frozenset({host})), "caldav", secret, reading())


def test_answer_that_is_cut_off_fails() -> None:
    event = calendar_file("DTSTART:20261130T160000Z | DURATION:PT1H").decode()
    xml = (
        '<multistatus xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><response><href>/dav/1.ics</href><propstat>'
        f"<prop><c:calendar-data>{event}</c:calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat></response>"
        "{}</multistatus>"
    )
    cut_off = "<response><href>/dav</href><status>HTTP/1.1 507 Insufficient Storage</status></response>"
    with serving() as server:
        host = f"127.0.0.1:{server.server_address[1]}"
        web, secret = OutsideWeb(FixedResolver({}), frozenset({host})), SourceSecret(f"http://{host}/dav", "ada", "ada")
        server.files["/dav"] = (207, xml.format("").encode())
        assert [shown(one) for one in read_periods(web, "caldav", secret, reading())] == ["11-30T16:00/17:00"]
        server.files["/dav"] = (207, xml.format(cut_off).encode())
        with pytest.raises(SourceFailed, match="too_large"):
            read_periods(web, "caldav", secret, reading())
        assert len(server.seen) == 3  # all events, all events again, and those of the time


@pytest.mark.parametrize(
    "xml",
    [
        b'<!DOCTYPE a [<!ENTITY b "c">]><multistatus xmlns="DAV:">&b;</multistatus>',
        b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><multistatus xmlns="DAV:"/>',
        b"<multistatus",
        b"\xff\xfe",
    ],
)
def test_hostile_xml_is_refused(xml: bytes) -> None:
    with serving() as server:
        server.files |= {"/dav": (207, xml)}
        host = f"127.0.0.1:{server.server_address[1]}"
        secret = SourceSecret(f"http://{host}/dav", "ada", "ada")
        with pytest.raises(SourceFailed, match="answer"):
            read_periods(OutsideWeb(FixedResolver({}), frozenset({host})), "caldav", secret, reading())
