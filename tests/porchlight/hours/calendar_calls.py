"""Requests of a guru who sets hours, and what visitors see of them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from porchlight.app import Porchlight
from tenants.kit import clock
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.owner import GuruOwner

DENVER = ZoneInfo("America/Denver")
WEEKDAYS = {"weekdays": [0, 1, 2, 3, 4], "ranges": [{"start": 540, "end": 1020}]}
BOOKING: dict[str, Any] = {
    "open": True, "capacity": 1, "partyMax": 1, "setupMinutes": 0, "cleanupMinutes": 0, "starts": "hours",
    "approval": "instant", "place": "agreed", "placeText": "", "bring": "", "questions": [],
    "waiver": "risk", "risk": "", "policy": "flexible",
}  # fmt: skip
CALENDAR = {
    "zone": "America/Denver", "stepMinutes": 30, "noticeMinutes": 720, "horizonDays": 60, "dayMax": None,
    "pausedUntil": None,
}  # fmt: skip


def local(days: int, hour: int, minute: int = 0) -> datetime:
    """Return a time in Denver on the first weekday that is at least `days` days after today."""
    day = clock.now().astimezone(DENVER).date() + timedelta(days=days)
    while day.weekday() > 4:
        day += timedelta(days=1)
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=DENVER)


def utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def revision(owner: GuruOwner) -> int:
    """Return the calendar's revision."""
    number: int = (await owner.call("GET", "/calendar"))["revision"]
    return number


async def set_booking(owner: GuruOwner, service: int = 0, *, expect: int = 200, **changes: Any) -> dict[str, Any]:
    """Set the booking settings of one of the guru's services."""
    body = BOOKING | {"revision": await revision(owner)} | changes
    path = f"/services/{owner.guru.services[service]}/booking"
    answer: dict[str, Any] = await owner.call("PUT", path, body, expect=expect)
    return answer


async def set_week(owner: GuruOwner, *week: dict[str, Any], expect: int = 200) -> dict[str, Any]:
    """Set the guru's weekly hours."""
    body = {"revision": await revision(owner), "week": list(week)}
    answer: dict[str, Any] = await owner.call("PUT", "/hours", body, expect=expect)
    return answer


async def set_calendar(owner: GuruOwner, **changes: Any) -> dict[str, Any]:
    """Change the guru's calendar."""
    body = {"revision": await revision(owner)} | changes
    answer: dict[str, Any] = await owner.call("PATCH", "/calendar", body)
    return answer


async def starts(app: Porchlight, owner: GuruOwner, service: int = 0, *, on: date | None = None) -> list[str]:
    """Return the starts that visitors see, in 62 days or on one day."""
    query: dict[str, str | int] = {"days": 1, "from": on.isoformat()} if on else {"days": 62}
    path = f"/api/gurus/{owner.guru.label}/services/{owner.guru.services[service]}/slots"
    async with http_client(app, BASE_HOST) as visitor:
        response = await visitor.get(path, params=query)
    assert response.status_code == 200, response.text
    return [start["startsAt"] for start in response.json()["starts"]]


async def why(owner: GuruOwner, at: str, service: int = 0) -> dict[str, Any]:
    """Ask why a time is not offered."""
    answer: dict[str, Any] = await owner.call("GET", f"/services/{owner.guru.services[service]}/why", params={"at": at})
    return answer
