"""Calendar invitations, read by icalendar, vobject, Radicale and Xandikos."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
import vobject  # type: ignore[import-untyped]
from hypothesis import example, given
from hypothesis import strategies as st
from icalendar import Calendar, vCalAddress

from porchlight.emails.invitations import PRODUCT_ID, invitation_file
from tests.fixtures.caldav import CalendarServer, each_calendar_server
from tests.porchlight.bookings.invitations import BOOKING_ID, create_invitation, without_method

__all__ = ["each_calendar_server"]

TEXTS = ("summary", "description", "location", "organizer_name", "attendee_name")
UNSAFE = "a\"'\r\n;:,\\^nN=\t\0\x0b\x1c\x7f\x85\u2028\u2029\u202e \u00a0é🍞"
INJECTION = "x\"\r\nATTENDEE:mailto:eve@evil.example\r\nEND:VEVENT\nBEGIN:VALARM;:,\\n^n^'^^\u2028X-A:1\x85\x0b\x00"
REPLACED = str.maketrans({'"': "'", "\\": "/", ";": ","})  # in names
texts = st.text(max_size=200) | st.text(UNSAFE, max_size=200) | st.text(UNSAFE + "ATTENDEE", max_size=80)
moments = st.integers(0, 2**32).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
addresses = st.builds(
    "{}@{}".format, st.text("az09.!#$%&'*+/=?^_`{|}~-\"\r\n;:, é", min_size=1, max_size=40), st.just("example.com")
)


def visible(text: str) -> str:
    """Return `text` without white space and control characters."""
    return "".join(char for char in text if not char.isspace() and unicodedata.category(char) != "Cc")


def event_of(content: bytes) -> Any:
    (event,) = Calendar.from_ical(content).events
    return event


def fields_read_by_icalendar(content: bytes) -> dict[str, Any]:
    calendar = Calendar.from_ical(content)
    event = event_of(content)
    assert [part.name for part in calendar.walk()] == ["VCALENDAR", "VEVENT"]
    assert calendar.errors == event.errors == []
    organizer, attendee = event["ORGANIZER"], event["ATTENDEE"]
    assert isinstance(attendee, vCalAddress)  # a list if there were several
    return {
        "names": sorted({*event, *calendar}),
        "method": str(calendar["METHOD"]),
        "status": str(event["STATUS"]),
        "uid": str(event["UID"]),
        "sequence": str(int(event["SEQUENCE"])),
        "dtstamp": event["DTSTAMP"].dt,
        "dtstart": event["DTSTART"].dt,
        "dtend": event["DTEND"].dt,
        "summary": str(event.get("SUMMARY", "")),
        "description": str(event.get("DESCRIPTION", "")),
        "location": str(event.get("LOCATION", "")),
        "organizer": str(organizer),
        "organizer_name": organizer.params.get("CN", ""),
        "attendee": str(attendee),
        "attendee_name": attendee.params.get("CN", ""),
        "attendee_params": {name: value for name, value in attendee.params.items() if name != "CN"},
    }


def fields_read_by_vobject(content: bytes) -> dict[str, Any]:
    calendar = vobject.readOne(content.decode())
    calendar.validate(raiseException=True)
    (event,) = calendar.components()
    assert [*event.components()] == []
    (organizer,), (attendee,) = event.organizer_list, event.attendee_list

    def text(name: str) -> str:
        return str(event.getChildValue(name, ""))

    def common_name(line: Any) -> str:
        # vobject does not decode RFC 6868.
        return str(line.params.get("CN", [""])[0]).replace("^^", "^")

    return {
        "names": sorted(line.name for part in (calendar, event) for line in part.lines()),
        "method": calendar.method.value,
        "status": text("status"),
        "uid": text("uid"),
        "sequence": text("sequence"),
        "dtstamp": event.dtstamp.value,
        "dtstart": event.dtstart.value,
        "dtend": event.dtend.value,
        "summary": text("summary"),
        "description": text("description"),
        "location": text("location"),
        "organizer": organizer.value,
        "organizer_name": common_name(organizer),
        "attendee": attendee.value,
        "attendee_name": common_name(attendee),
        "attendee_params": {name: value for name, (value,) in attendee.params.items() if name != "CN"},
    }


def test_invitation_file_request_has_every_property() -> None:
    file = invitation_file(create_invitation())
    assert file.method == "REQUEST"
    calendar = Calendar.from_ical(file.content)
    assert {name: str(value) for name, value in calendar.items()} == {
        "PRODID": PRODUCT_ID,
        "VERSION": "2.0",
        "CALSCALE": "GREGORIAN",
        "METHOD": "REQUEST",
    }
    lines = file.content.decode().replace("\r\n ", "").split("\r\n")
    assert lines[lines.index("BEGIN:VEVENT") :] == [
        "BEGIN:VEVENT",
        "SUMMARY:One-on-One Consultation with Chef Rosa",
        "DTSTART:20261201T160000Z",
        "DTEND:20261201T170000Z",
        "DTSTAMP:20261123T103015Z",
        f"UID:{BOOKING_ID}@porchlight.example",
        "SEQUENCE:0",
        'ATTENDEE;CN="Ada Alvarez";CUTYPE=INDIVIDUAL;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT;RSVP=FALSE:'
        "mailto:ada@example.com",
        "DESCRIPTION:Bring an apron.\\nSee you then.",
        "LOCATION:12 Elm Street\\, Denver",
        'ORGANIZER;CN="Chef Rosa":mailto:notices@porchlight.example',
        "STATUS:CONFIRMED",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_invitation_file_cancel_changes_status_and_method() -> None:
    request = create_invitation()
    cancel = create_invitation(method="cancel", sequence=1)
    file = invitation_file(cancel)
    assert file.method == "CANCEL"
    before, after = (fields_read_by_icalendar(invitation_file(each).content) for each in (request, cancel))
    assert {name for name in before if before[name] != after[name]} == {"method", "status", "sequence"}
    assert (after["method"], after["status"], after["sequence"]) == ("CANCEL", "CANCELLED", "1")


def test_invitation_file_same_change_has_same_bytes() -> None:
    assert invitation_file(create_invitation()) == invitation_file(create_invitation())


def test_invitation_file_url_as_location_is_kept() -> None:
    url = "https://meet.example/room?a=1&b=2,3;c"
    assert fields_read_by_icalendar(invitation_file(create_invitation(location=url)).content)["location"] == url


def test_invitation_file_empty_texts_have_no_property() -> None:
    content = invitation_file(create_invitation(**dict.fromkeys(TEXTS, " \0\r\n"))).content
    event = event_of(content)
    assert "DESCRIPTION" not in event
    assert "LOCATION" not in event
    assert "CN" not in event["ORGANIZER"].params


@given(
    st.fixed_dictionaries(dict.fromkeys(TEXTS, texts)),
    st.sampled_from(["request", "cancel"]),
    st.integers(0, 2**31 - 1),
    moments,
    moments,
    st.integers(1, 200_000),
)
@example(
    dict.fromkeys(TEXTS, INJECTION), "request", 1, datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC),
    3600,
)  # fmt: skip
@example(
    dict.fromkeys(TEXTS, "\\N\\n\\"),
    "request",
    0,
    datetime(2026, 1, 1, tzinfo=UTC),
    datetime(2026, 2, 1, tzinfo=UTC),
    3600,
)
@example(
    dict.fromkeys(TEXTS, "é🍞" * 100), "cancel", 0, datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC),
    3600,
)  # fmt: skip
def test_invitation_file_hostile_texts_stay_in_their_fields(
    values: dict[str, str], method: str, sequence: int, changed_at: datetime, starts_at: datetime, seconds: int
) -> None:
    ends_at = starts_at + timedelta(seconds=seconds)
    invitation = create_invitation(
        **values, method=method, sequence=sequence, changed_at=changed_at, starts_at=starts_at, ends_at=ends_at
    )
    content = invitation_file(invitation).content
    fields = fields_read_by_icalendar(content)
    assert fields_read_by_vobject(content) == fields
    optional = {name.upper() for name in ("description", "location") if visible(values[name])}
    assert set(fields.pop("names")) == optional | {
        "ATTENDEE", "CALSCALE", "DTEND", "DTSTAMP", "DTSTART", "METHOD", "ORGANIZER", "PRODID", "SEQUENCE", "STATUS",
        "SUMMARY", "UID", "VERSION",
    }  # fmt: skip
    for name in TEXTS:
        text = fields.pop(name)
        expected = values[name].translate(REPLACED) if name.endswith("_name") else values[name]
        assert visible(text) == visible(expected)
        allowed = "\n" if name == "description" else ""
        assert not [char for char in text if unicodedata.category(char) == "Cc" and char not in allowed]
    assert fields == {
        "method": method.upper(),
        "status": {"request": "CONFIRMED", "cancel": "CANCELLED"}[method],
        "uid": f"{BOOKING_ID}@porchlight.example",
        "sequence": str(sequence),
        "dtstamp": changed_at,
        "dtstart": starts_at,
        "dtend": ends_at,
        "organizer": "mailto:notices@porchlight.example",
        "attendee": "mailto:ada@example.com",
        "attendee_params": {
            "CUTYPE": "INDIVIDUAL",
            "PARTSTAT": "ACCEPTED",
            "ROLE": "REQ-PARTICIPANT",
            "RSVP": "FALSE",
        },
    }
    assert content.endswith(b"\r\n")
    assert not {b"\r", b"\n"} & {bytes([byte]) for line in content.split(b"\r\n") for byte in line}
    assert max(map(len, content.split(b"\r\n"))) <= 75
    for separator in ("\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"):
        assert separator not in content.decode()


@given(addresses)
def test_invitation_file_unsafe_address_is_percent_encoded(address: str) -> None:
    content = invitation_file(create_invitation(attendee_address=address, organizer_address=address)).content
    fields = fields_read_by_icalendar(content)
    assert fields_read_by_vobject(content) == fields
    uri = fields["attendee"]
    assert fields["organizer"] == uri
    assert not set(uri) & set('"\r\n;, \\/?#&=^`{|}é')


def test_invitation_file_usual_address_is_unchanged() -> None:
    address = "Ada.O'Neil+class_1-x@mail.example.com"
    content = invitation_file(create_invitation(attendee_address=address)).content
    assert fields_read_by_icalendar(content)["attendee"] == f"mailto:{address}"


def test_invitation_file_local_times_become_utc() -> None:
    zone = timezone(timedelta(hours=-7))
    starts_at = datetime(2026, 12, 1, 9, tzinfo=zone)
    local = create_invitation(
        starts_at=starts_at,
        ends_at=starts_at + timedelta(hours=1),
        changed_at=datetime(2026, 11, 23, 3, 30, 15, tzinfo=zone),
    )
    assert invitation_file(local) == invitation_file(create_invitation())


@pytest.mark.parametrize("field", ["changed_at", "starts_at", "ends_at"])
def test_invitation_time_without_zone_raises(field: str) -> None:
    with pytest.raises(ValueError, match="zone"):
        create_invitation(**{field: datetime(2026, 12, 1, 17)})  # noqa: DTZ001


def test_invitation_without_duration_raises() -> None:
    moment = datetime(2026, 12, 1, 16, tzinfo=UTC)
    with pytest.raises(ValueError, match="end after"):
        create_invitation(starts_at=moment, ends_at=moment)


def test_server_applies_request_move_and_cancel(each_calendar_server: CalendarServer) -> None:
    name = f"{BOOKING_ID}.ics"
    moved_to = datetime(2026, 12, 3, 18, tzinfo=UTC)
    moved = {"starts_at": moved_to, "ends_at": moved_to + timedelta(hours=1)}
    texts = dict.fromkeys(TEXTS, INJECTION)
    for code, invitation, start, status in (
        (201, create_invitation(**texts), datetime(2026, 12, 1, 16, tzinfo=UTC), "CONFIRMED"),
        (204, create_invitation(**texts, **moved, sequence=1), moved_to, "CONFIRMED"),
        (204, create_invitation(**texts, **moved, sequence=2, method="cancel"), moved_to, "CANCELLED"),
    ):
        content = without_method(invitation_file(invitation).content)
        assert each_calendar_server.put(name, content).status_code == code
        response = each_calendar_server.get(name)
        assert response.status_code == 200
        event, expected = event_of(response.content), event_of(content)
        assert (event.start, str(event["STATUS"]), event["SEQUENCE"]) == (start, status, invitation.sequence)
        assert set(event) == set(expected)
        for field in expected:
            assert event[field].to_ical() == expected[field].to_ical(), field
        assert event["ATTENDEE"].params == expected["ATTENDEE"].params
        assert event["ORGANIZER"].params == expected["ORGANIZER"].params


def test_server_refuses_broken_event(each_calendar_server: CalendarServer) -> None:
    content = without_method(invitation_file(create_invitation(event_id=UUID(int=5))).content)
    broken = content.replace(b"END:VEVENT\r\n", b"")
    assert each_calendar_server.put("broken.ics", broken).status_code in (400, 412)
    assert each_calendar_server.get("broken.ics").status_code == 404
    assert each_calendar_server.put("whole.ics", content).status_code == 201
    assert "END:VEVENT" in each_calendar_server.get("whole.ics").text
