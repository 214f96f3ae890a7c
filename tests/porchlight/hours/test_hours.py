"""A guru's hours in the console: calendar, week and dates."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import available_timezones

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from sites.hours.actions import MAX_DATES, MAX_FIXED_STARTS
from sites.hours.blocks import MAX_BLOCKS
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.factories import row_digests, seed_guru
from tests.porchlight.hours.calendar_calls import (
    BOOKING,
    DENVER,
    WEEKDAYS,
    local,
    revision,
    set_booking,
    set_calendar,
    set_week,
    starts,
    utc,
    why,
)
from tests.porchlight.owner import GuruOwner

TABLES = ("calendars", "weekly_hours", "date_hours", "booking_settings", "appointments")


async def test_calendar_update_changes_given_fields(app: Porchlight, open_rosa: GuruOwner) -> None:
    before = await open_rosa.call("GET", "/calendar")
    paused = utc(local(10, 9))
    changed = await set_calendar(open_rosa, noticeMinutes=60, dayMax=3, pausedUntil=paused)
    assert changed["revision"] > before["revision"]
    assert changed == before | {
        "revision": changed["revision"], "noticeMinutes": 60, "dayMax": 3, "pausedUntil": paused,
    }  # fmt: skip
    assert await starts(app, open_rosa) == []
    again = await set_calendar(open_rosa, dayMax=None, pausedUntil=None, zone=None)
    assert (again["dayMax"], again["pausedUntil"], again["zone"]) == (None, None, "America/Denver")
    assert await starts(app, open_rosa)


async def test_week_replaces_hours_of_every_day(app: Porchlight, open_rosa: GuruOwner) -> None:
    ranges = [{"start": 780, "end": 1020}, {"start": 540, "end": 720}]
    changed = await set_week(open_rosa, {"weekdays": [5, 1], "ranges": ranges}, {"weekdays": [2], "ranges": []})
    assert [day["weekday"] for day in changed["week"]] == list(range(7))
    assert {day["weekday"]: day["ranges"] for day in changed["week"] if day["ranges"]} == {
        1: ranges[::-1], 5: ranges[::-1],
    }  # fmt: skip
    assert changed["confirmed"] is True
    offered = [datetime.fromisoformat(start).astimezone(DENVER) for start in await starts(app, open_rosa)]
    assert {start.weekday() for start in offered} == {1, 5}
    assert {start.hour for start in offered} == {9, 10, 11, 13, 14, 15, 16}


async def test_date_hours_replace_and_restore_weekday(app: Porchlight, open_rosa: GuruOwner) -> None:
    day = local(14, 9).date()
    before = await starts(app, open_rosa, on=day)
    closed = await open_rosa.call("PUT", f"/hours/dates/{day}", {"ranges": []})
    assert closed["dates"] == [{"day": day.isoformat(), "ranges": []}]
    assert await starts(app, open_rosa, on=day) == []
    short = [{"start": 600, "end": 660}]
    assert (await open_rosa.call("PUT", f"/hours/dates/{day}", {"ranges": short}))["dates"][0]["ranges"] == short
    assert await starts(app, open_rosa, on=day) == [utc(local(14, 10))]
    assert (await open_rosa.call("DELETE", f"/hours/dates/{day}"))["dates"] == []
    assert await starts(app, open_rosa, on=day) == before
    await open_rosa.call("DELETE", f"/hours/dates/{day}", expect=404)


@pytest.mark.parametrize(
    ("day", "status", "code"),
    [
        ("2020-01-01", 409, "conflict"),
        ("9999-12-31", 409, "conflict"),
        ("2027-02-30", 404, "not_found"),
        ("x", 404, "not_found"),
    ],
)
async def test_date_hours_of_impossible_day_fail(open_rosa: GuruOwner, day: str, status: int, code: str) -> None:
    before = await open_rosa.call("GET", "/calendar")
    error = await open_rosa.call("PUT", f"/hours/dates/{day}", {"ranges": []}, expect=status)
    assert error["code"] == code
    assert await open_rosa.call("GET", "/calendar") == before


@pytest.mark.parametrize("path", ["/calendar", "/hours", "/services/{service}/booking"])
async def test_outdated_revision_is_refused(open_rosa: GuruOwner, path: str) -> None:
    requests: dict[str, tuple[str, dict[str, Any]]] = {
        "/calendar": ("PATCH", {"noticeMinutes": 5}),
        "/hours": ("PUT", {"week": []}),
    }
    method, body = requests.get(path, ("PUT", BOOKING | {"capacity": 9}))
    path = path.format(service=open_rosa.guru.services[0])
    old = await revision(open_rosa)
    await set_week(open_rosa, WEEKDAYS)
    before = await open_rosa.call("GET", "/calendar")
    error = await open_rosa.call(method, path, body | {"revision": old}, expect=409)
    assert error["code"] == "changed_elsewhere"
    assert await open_rosa.call("GET", "/calendar") == before


@pytest.mark.parametrize(
    ("week", "field"),
    [
        ([{"weekdays": [0], "ranges": [{"start": 0, "end": 1441}]}], "week.0.ranges.0.end"),
        ([{"weekdays": [0], "ranges": [{"start": 60, "end": 60}]}], "week.0.ranges.0.end"),
        ([{"weekdays": [0], "ranges": [{"start": 0, "end": 120}, {"start": 60, "end": 180}]}], "week.0.ranges"),
        ([{"weekdays": [0], "ranges": [{"start": 60 * n, "end": 60 * n + 30} for n in range(9)]}], "week.0.ranges"),
        ([{"weekdays": [0, 0], "ranges": []}], "week"),
        ([{"weekdays": [0], "ranges": []}, {"weekdays": [1, 0], "ranges": []}], "week"),
        ([{"weekdays": [7], "ranges": []}], "week.0.weekdays.0"),
        ([{"weekdays": [], "ranges": []}], "week.0.weekdays"),
    ],
)
async def test_invalid_week_is_rejected(open_rosa: GuruOwner, week: list[dict[str, Any]], field: str) -> None:
    error = await set_week(open_rosa, *week, expect=422)
    assert list(error["fields"]) == [field]


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "Factory", "localtime", "../etc", "america/denver", "a\0"])
async def test_unknown_zone_is_rejected(open_rosa: GuruOwner, zone: str) -> None:
    body = {"revision": await revision(open_rosa), "zone": zone}
    error = await open_rosa.call("PATCH", "/calendar", body, expect=422)
    assert "zone" in error["fields"]


async def test_notice_beyond_horizon_is_refused(open_rosa: GuruOwner) -> None:
    await set_calendar(open_rosa, noticeMinutes=0, horizonDays=7)
    for changes in ({"noticeMinutes": 10_080}, {"noticeMinutes": 20_160, "horizonDays": 14}):
        body = {"revision": await revision(open_rosa)} | changes
        error = await open_rosa.call("PATCH", "/calendar", body, expect=422)
        assert list(error["fields"]) == ["noticeMinutes"]
    await set_calendar(open_rosa, noticeMinutes=10_020)
    body = {"revision": await revision(open_rosa), "horizonDays": 6}
    assert list((await open_rosa.call("PATCH", "/calendar", body, expect=422))["fields"]) == ["noticeMinutes"]
    await set_calendar(open_rosa, noticeMinutes=720, horizonDays=60)


def test_zones_of_python_are_known_to_postgres(service_db: psycopg.Connection[Any]) -> None:
    known = {name for (name,) in service_db.execute("SELECT name FROM pg_timezone_names")}
    assert {zone for zone in available_timezones() if "/" in zone} <= known


@pytest.mark.parametrize("kind", ["dates", "blocks", "starts"])
async def test_numbers_of_rows_are_limited(
    open_rosa: GuruOwner, service_db: psycopg.Connection[Any], kind: str
) -> None:
    guru, first = open_rosa.guru, local(20, 9)
    await set_booking(open_rosa, starts="fixed")
    path = {"dates": "/hours/dates/{day}", "starts": f"/services/{guru.services[0]}/starts"}.get(kind, "/blocks")
    method = "PUT" if kind == "dates" else "POST"
    body: dict[str, Any] = {"ranges": []} if kind == "dates" else {"startsAt": utc(first)}
    if kind == "dates":
        day = first.date() - timedelta(days=1)
        query = "INSERT INTO date_hours SELECT %s, %s::date + n, 'empty' FROM generate_series(1, %s) n"
        service_db.execute(query, [guru.id, day, MAX_DATES])
        path = path.format(day=day)
    else:
        service_db.execute(
            "INSERT INTO appointments (tenant_id, id, service_id, kind, fixed, starts_at, ends_at, zone, blocked)"
            " SELECT %s, gen_random_uuid(), %s, %s, %s, t, t + interval '1 hour', 'UTC',"
            " tstzrange(t, t + interval '1 hour')"
            " FROM (SELECT %s + n * interval '1 hour' AS t FROM generate_series(1, %s) n) times",
            [guru.id, guru.services[0] if kind == "starts" else None, "block" if kind == "blocks" else "session",
             kind == "starts", first, MAX_BLOCKS if kind == "blocks" else MAX_FIXED_STARTS],
        )  # fmt: skip
        body |= {"endsAt": utc(first + timedelta(hours=1))} if kind == "blocks" else {}
    error = await open_rosa.call(method, path, body, expect=409)
    assert "up to" in error["message"]
    if kind == "dates":  # a date that has hours can still change
        await open_rosa.call("PUT", f"/hours/dates/{first.date()}", {"ranges": []})


async def test_guru_without_calendar_gets_proposal(
    app: Porchlight, database: Database, emulator: Emulator, service_db: psycopg.Connection[Any]
) -> None:
    _, uid, token = emulator.sign_up()
    guru = seed_guru(service_db, f"gamma-{new_id().hex[-8:]}")
    service_db.execute("UPDATE users SET firebase_uid = %s WHERE user_id = %s", [uid, guru.owner])
    service_db.execute("DELETE FROM calendars WHERE tenant_id = %s", [guru.id])
    async with http_client(app, BASE_HOST) as web:
        web.headers["authorization"] = f"Bearer {token}"
        owner = GuruOwner(guru, web)
        shown = await owner.call("GET", "/calendar")
        assert (shown["revision"], shown["confirmed"], shown["zone"]) == (0, False, "America/Denver")
        booking = await owner.call("GET", f"/services/{guru.services[0]}/booking")
        assert (booking["open"], booking["revision"]) == (False, 0)
        assert (await why(owner, utc(local(7, 9))))["reason"] == "not_open"
        assert (await set_booking(owner))["open"] is True
        stored = await owner.call("GET", "/calendar")
        assert stored == shown | {"revision": stored["revision"]}
        assert {datetime.fromisoformat(start).astimezone(DENVER).hour for start in await starts(app, owner)} == {
            *range(9, 17)
        }


async def test_other_gurus_hours_stay_unchanged(
    open_rosa: GuruOwner, theo: GuruOwner, service_db: psycopg.Connection[Any]
) -> None:
    before = row_digests(service_db, theo.guru, TABLES)
    block = {"startsAt": utc(local(30, 9)), "endsAt": utc(local(30, 10))}
    created = (await open_rosa.call("POST", "/blocks", block, expect=201))["blocks"]
    await open_rosa.call("PUT", f"/hours/dates/{local(31, 9).date()}", {"ranges": []})
    await set_calendar(open_rosa, zone="Europe/Berlin")
    assert row_digests(service_db, theo.guru, TABLES) == before
    assert (await theo.call("GET", "/blocks"))["blocks"] == []
    await theo.call("DELETE", f"/blocks/{created[0]['id']}", expect=404)
    assert [shown["id"] for shown in (await open_rosa.call("GET", "/blocks"))["blocks"]] == [created[0]["id"]]


@st.composite
def weeks(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Return a week as its form sends it, with up to eight ranges a day."""
    groups: dict[int, list[int]] = {}
    for weekday in range(7):
        groups.setdefault(draw(st.integers(0, 2)), []).append(weekday)
    week = []
    for weekdays in groups.values():
        points = sorted(draw(st.lists(st.integers(0, 1440), max_size=16, unique=True)))
        pairs = zip(points[::2], points[1::2], strict=False)
        week.append({"weekdays": weekdays, "ranges": [{"start": start, "end": end} for start, end in pairs]})
    return week


def _longest_stretch(week: list[dict[str, Any]]) -> int:
    ranges: list[tuple[int, int]] = [(found["start"], found["end"]) for group in week for found in group["ranges"]]
    until_midnight = max((end - start for start, end in ranges if end == 1440), default=0)
    from_midnight = max((end - start for start, end in ranges if start == 0), default=0)
    return max([until_midnight + from_midnight, *(end - start for start, end in ranges)])


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    week=weeks(),
    zone=st.sampled_from(sorted(zone for zone in available_timezones() if "/" in zone)),
    step=st.sampled_from([5, 10, 15, 20, 30, 60]),
    buffers=st.tuples(st.integers(0, 240), st.integers(0, 240)),
)
async def test_accepted_week_has_starts_without_reason(
    app: Porchlight, open_rosa: GuruOwner, week: list[dict[str, Any]], zone: str, step: int, buffers: tuple[int, int]
) -> None:
    await set_week(open_rosa, *week)
    await set_calendar(open_rosa, zone=zone, stepMinutes=step)
    longest = _longest_stretch(week)
    fits = longest == 0 or longest >= 60
    await set_booking(open_rosa, setupMinutes=buffers[0], cleanupMinutes=buffers[1], expect=200 if fits else 409)
    offered = await starts(app, open_rosa)
    for start in offered[:: max(1, len(offered) // 3)]:
        assert await why(open_rosa, start) == {"offered": True, "reason": None, "sentence": "This time is offered."}
    if offered:
        after = datetime.fromisoformat(offered[-1]) + timedelta(minutes=1)
        assert (await why(open_rosa, utc(after)))["offered"] is False
