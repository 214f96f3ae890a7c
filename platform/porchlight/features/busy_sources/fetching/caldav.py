"""A client of CalDAV (RFC 4791, RFC 6764): the calendars of an account, and the events of one calendar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urljoin, urlsplit
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.fetching.guarded_web import GuardedClient, WebResponse

MAX_CALENDARS: Final = 50
MAX_NAME_LENGTH: Final = 60
_DAV, _CALDAV = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}"
_XML = {"content-type": "application/xml; charset=utf-8"}
_MULTI_STATUS, _UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND, _GONE = 207, 401, 403, 404, 410
_TOO_MUCH = 507  # of an answer that the server has cut off (RFC 5323, section 5.17; RFC 6578, section 3.6)
_WELL_KNOWN = "/.well-known/caldav"
_ABOUT = b"""<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:current-user-principal/>
<c:calendar-home-set/><d:resourcetype/><d:displayname/><c:supported-calendar-component-set/></d:prop></d:propfind>"""
_EVENTS = """<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><c:calendar-data/></d:prop>
<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">{range}</c:comp-filter></c:comp-filter>
</c:filter></c:calendar-query>"""


@dataclass(frozen=True, slots=True)
class FoundCalendar:
    """A calendar of an account: its address, and the name that its owner gave to it."""

    url: str
    name: str


@dataclass(frozen=True, slots=True)
class _Resource:
    """The properties of an address, as its server has them. Links are absolute."""

    url: str
    properties: Element

    def link(self, name: str) -> str | None:
        """Return the link in a property."""
        href = self.properties.find(f"{name}/{_DAV}href")
        text = (href.text or "").strip() if href is not None else ""
        return urljoin(self.url, text) if text else None

    @property
    def is_calendar(self) -> bool:
        """Whether it is a calendar with events."""
        if self.properties.find(f"{_DAV}resourcetype/{_CALDAV}calendar") is None:
            return False
        kinds = self.properties.findall(f"{_CALDAV}supported-calendar-component-set/{_CALDAV}comp")
        return not kinds or any(kind.get("name", "").upper() == "VEVENT" for kind in kinds)

    @property
    def calendar(self) -> FoundCalendar:
        """The calendar at the address."""
        shown = " ".join((self.properties.findtext(f"{_DAV}displayname") or "").split())
        fallback = urlsplit(self.url).path.rstrip("/").rpartition("/")[2]
        return FoundCalendar(self.url, (shown or fallback or "Calendar")[:MAX_NAME_LENGTH])


def find_calendars(client: GuardedClient, address: str) -> list[FoundCalendar]:
    """Return the calendars at an address: that of a server, an account or one calendar. Raise SourceFailed."""
    entry = _entry(client, address)
    if entry.is_calendar:
        return [entry.calendar]
    home = entry.link(f"{_CALDAV}calendar-home-set")
    if home is None:
        principal = entry.link(f"{_DAV}current-user-principal")
        if principal is None:
            raise SourceFailed("no_calendars")
        home = next((link for one in _about(client, principal) if (link := _home(one))), None)
    if home is None:
        raise SourceFailed("no_calendars")
    found = [one.calendar for one in _about(client, home, depth=1) if one.is_calendar]
    if not found:
        raise SourceFailed("no_calendars")
    return found[:MAX_CALENDARS]


def read_calendar(client: GuardedClient, url: str, after: datetime, before: datetime) -> list[bytes]:
    """Return the calendar files of a calendar's events. Raise SourceFailed.

    All events are asked for, because servers disagree about which repeating ones are in a range. Only of a calendar
    that is too large for one answer, the server chooses.
    """
    try:
        return list(_files(_query(client, url, "")))
    except SourceFailed as failed:
        if failed.failure != "too_large":
            raise
    start, end = (moment.strftime("%Y%m%dT%H%M%SZ") for moment in (after, before))
    return list(_files(_query(client, url, f'<c:time-range start="{start}" end="{end}"/>')))


def _home(resource: _Resource) -> str | None:
    return resource.link(f"{_CALDAV}calendar-home-set")


def _entry(client: GuardedClient, address: str) -> _Resource:
    """Return what is at an address, or at the well-known one of its server. Raise SourceFailed."""
    failure = SourceFailed("no_calendars")
    for url in (address, urljoin(address, _WELL_KNOWN)):
        try:
            for one in _about(client, url):
                if one.is_calendar or _home(one) or one.link(f"{_DAV}current-user-principal"):
                    return one
        except SourceFailed as failed:
            if failed.failure not in ("answer", "not_found"):
                raise
            failure = failed
    raise failure


def _about(client: GuardedClient, url: str, *, depth: int = 0) -> list[_Resource]:
    answer = client.request("PROPFIND", url, body=_ABOUT, headers=_XML | {"depth": str(depth)})
    return list(_resources(answer))


def _query(client: GuardedClient, url: str, time_range: str) -> WebResponse:
    body = _EVENTS.format(range=time_range).encode()
    return client.request("REPORT", url, body=body, headers=_XML | {"depth": "1"})


def _files(answer: WebResponse) -> Iterator[bytes]:
    for resource in _resources(answer):
        content = resource.properties.findtext(f"{_CALDAV}calendar-data")
        if content:
            yield content.encode()


def _resources(answer: WebResponse) -> Iterator[_Resource]:
    """Yield what an answer tells about each address. Raise SourceFailed for one that is none of CalDAV."""
    require_found(answer)
    if answer.status != _MULTI_STATUS:
        raise SourceFailed("answer")
    try:
        root = fromstring(answer.content, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError):
        raise SourceFailed("answer") from None
    for response in root.iterfind(f"{_DAV}response"):
        if f" {_TOO_MUCH}" in (response.findtext(f"{_DAV}status") or ""):  # the rest would be free
            raise SourceFailed("too_large")
        url = urljoin(answer.url, (response.findtext(f"{_DAV}href") or "").strip())
        for part in response.iterfind(f"{_DAV}propstat"):
            properties = part.find(f"{_DAV}prop")
            if properties is not None and " 200" in (part.findtext(f"{_DAV}status") or " 200"):
                yield _Resource(url, properties)


def require_found(answer: WebResponse) -> None:
    """Raise SourceFailed for an answer that refuses, or knows of no calendar."""
    if answer.status in (_UNAUTHORIZED, _FORBIDDEN):
        raise SourceFailed("denied")
    if answer.status in (_NOT_FOUND, _GONE):
        raise SourceFailed("not_found")
    if answer.status >= 500 or answer.status == 429:
        raise SourceFailed("unreachable")
