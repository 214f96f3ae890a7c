"""Why a time is not offered, in the console."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from sites.hours.session_schedule import NotOffered
from tenants.kit import clock
from tests.porchlight.factories import seed_booking, seed_user
from tests.porchlight.hours.calendar_calls import DENVER, local, set_booking, set_calendar, set_week, utc, why
from tests.porchlight.owner import GuruOwner


async def test_why_gives_sentence_for_each_reason(app: Porchlight, open_rosa: GuruOwner) -> None:
    seen: dict[str, str] = {}

    async def ask(at: datetime | str) -> None:
        answer = await why(open_rosa, at if isinstance(at, str) else utc(at))
        assert answer["offered"] is (answer["reason"] is None)
        seen[str(answer["reason"])] = answer["sentence"]

    day = local(7, 9)
    await ask(day)
    await ask(day - timedelta(hours=1))
    await ask(day + timedelta(minutes=10))
    await ask(day + timedelta(hours=7, minutes=30))
    await ask(clock.now() - timedelta(days=3))
    await ask(local(200, 9))
    saturday = day + timedelta(days=5 - day.weekday())
    await ask(saturday.replace(tzinfo=None).isoformat())
    block = {"startsAt": utc(day), "endsAt": utc(day + timedelta(hours=1))}
    await open_rosa.call("POST", "/blocks", block, expect=201)
    await ask(day)
    assert seen["busy"] == "A session at 9:00 AM would overlap your blocked time from 9:00 AM to 10:00 AM."
    await set_calendar(open_rosa, pausedUntil=utc(local(20, 9)))
    await ask(day + timedelta(hours=2))
    await set_calendar(open_rosa, pausedUntil=None, noticeMinutes=43_200)
    await ask(day + timedelta(hours=2))
    assert "30 days of notice" in seen["too_soon"]
    spring = date(2027, 3, 14)  # the clocks of Denver change at 2 AM
    await set_week(open_rosa, {"weekdays": list(range(7)), "ranges": [{"start": 0, "end": 1440}]})
    await set_calendar(open_rosa, noticeMinutes=0)
    await ask(f"{spring}T02:30:00")
    await ask("2027-11-07T08:30:00Z")  # 1:30 AM for the second time
    await set_booking(open_rosa, starts="fixed")
    await ask(day + timedelta(hours=3))
    await set_booking(open_rosa, open=False)
    await ask(day)
    expected = {reason.value for reason in NotOffered} - {"full", "day_max", "busy_elsewhere"} | {"None", "not_open"}
    assert set(seen) == expected
    assert all(sentence.endswith(".") and "None" not in sentence for sentence in seen.values()), seen


async def test_why_names_full_session_and_full_day(open_rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> None:
    seed_booking(service_db, open_rosa.guru, seed_user(service_db))
    await set_booking(open_rosa, starts="fixed")
    service_db.execute("UPDATE appointments SET fixed = true WHERE tenant_id = %s", [open_rosa.guru.id])
    path = f"/services/{open_rosa.guru.services[0]}/starts"
    (booked,) = (await open_rosa.call("GET", path))["starts"]
    answer = await why(open_rosa, booked["startsAt"])
    assert (answer["reason"], answer["sentence"]) == ("full", "The spot of this session is taken.")
    await set_calendar(open_rosa, dayMax=1)
    start = datetime.fromisoformat(booked["startsAt"]).astimezone(DENVER)
    await set_week(open_rosa, {"weekdays": [start.weekday()], "ranges": [{"start": 0, "end": 1440}]})
    other_half_of_day = start.replace(hour=18 if start.hour < 12 else 6)
    answer = await why(open_rosa, utc(other_half_of_day), 1)
    assert answer["reason"] == "day_max", answer
    assert answer["sentence"].startswith("You take up to 1 session a day, and ")


@pytest.mark.parametrize(
    "at",
    [
        "",
        "soon",
        "nan",
        "inf",
        "1e300",
        "-1",
        "0001-01-01T00:00:00",
        "9999-12-31T23:59:59-12:00",
        "2100-01-01T00:00:00Z",
    ],
)
async def test_why_of_impossible_time_is_rejected(open_rosa: GuruOwner, at: str) -> None:
    path = f"/services/{open_rosa.guru.services[0]}/why"
    error = await open_rosa.call("GET", path, params={"at": at}, expect=422)
    assert list(error["fields"]) == ["at"]
