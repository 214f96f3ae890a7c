"""Reading of a calendar file by four libraries: icalendar, vobject, ical.js and node-ical."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from datetime import UTC
from pathlib import Path
from typing import Any

import icalendar
import vobject  # type: ignore[import-untyped]

_NODE_READERS = Path(__file__).with_name("read_calendars.mjs")

Event = dict[str, Any]


def read_with_all(files: Mapping[str, bytes]) -> dict[str, dict[str, list[Event]]]:
    """Return the events of each file by the name of the library that read them, as `_read_with_icalendar` does."""
    texts = json.dumps({name: content.decode() for name, content in files.items()})
    node = subprocess.run(["node", _NODE_READERS], input=texts, capture_output=True, text=True, check=False)
    assert node.returncode == 0, node.stderr
    by_node = json.loads(node.stdout)
    return {
        name: {"icalendar": _read_with_icalendar(content), "vobject": _read_with_vobject(content), **by_node[name]}
        for name, content in files.items()
    }


def read_alike(content: bytes) -> list[Event]:
    """Return the events of a file, after checking that all four libraries read the same."""
    by_library = read_with_all({"file": content})["file"]
    events = by_library["icalendar"]
    assert by_library == dict.fromkeys(by_library, events)
    return events


def _iso(moment: Any) -> str:
    return str(moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"))


def _read_with_icalendar(content: bytes) -> list[Event]:
    calendar: Any = icalendar.Calendar.from_ical(content)

    def address(value: Any) -> dict[str, str]:
        names = {"name": "CN", "answer": "PARTSTAT", "rsvp": "RSVP"}
        return {"address": str(value), **{key: value.params.get(name, "") for key, name in names.items()}}

    def attendees(event: Any) -> list[Any]:
        found = event.get("ATTENDEE", [])
        return found if isinstance(found, list) else [found]

    return [
        {
            "method": str(calendar.get("METHOD", "")),
            "uid": str(event["UID"]),
            "sequence": int(event["SEQUENCE"]),
            "status": str(event["STATUS"]),
            **{name: _iso(event[name.upper()].dt) for name in ("dtstamp", "dtstart", "dtend")},
            **{name: str(event.get(name.upper(), "")) for name in ("summary", "description", "location")},
            "organizer": address(event["ORGANIZER"]) if "ORGANIZER" in event else None,
            "attendees": [address(one) for one in attendees(event)],
        }
        for event in calendar.events
    ]


def _read_with_vobject(content: bytes) -> list[Event]:
    calendar = vobject.readOne(content.decode())
    calendar.validate(raiseException=True)

    def address(line: Any) -> dict[str, str]:
        names = {"name": "CN", "answer": "PARTSTAT", "rsvp": "RSVP"}
        return {"address": line.value, **{key: line.params.get(name, [""])[0] for key, name in names.items()}}

    return [
        {
            "method": calendar.getChildValue("method", ""),
            "uid": event.uid.value,
            "sequence": int(event.sequence.value),
            "status": event.status.value,
            **{name: _iso(event.getChildValue(name)) for name in ("dtstamp", "dtstart", "dtend")},
            **{name: event.getChildValue(name, "") for name in ("summary", "description", "location")},
            "organizer": address(event.organizer) if "organizer" in event.contents else None,
            "attendees": [address(line) for line in event.contents.get("attendee", [])],
        }
        for event in calendar.vevent_list
    ]
