"""A guru's hours in the console: calendar, week, dates, blocked times, booking settings and fixed starts."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from sites.hours.actions import MAX_BLOCKS, MAX_DATES, MAX_FIXED_STARTS
from sites.hours.slots import NotOffered
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.console.owner import GuruOwner
from tests.porchlight.factories import row_digests, seed_booking, seed_guru, seed_user

DENVER = ZoneInfo("America/Denver")
WEEKDAYS = {"weekdays": [0, 1, 2, 3, 4], "ranges": [{"start": 540, "end": 1020}]}
BOOKING: dict[str, Any] = {
    "open": True, "capacity": 1, "partyMax": 1, "setupMinutes": 0, "cleanupMinutes": 0, "starts": "hours",
    "approval": "instant", "place": "agreed", "placeText": "", "waiver": "risk", "risk": "", "policy": "flexible",
}  # fmt: skip
CALENDAR = {
    "zone": "America/Denver", "stepMinutes": 30, "noticeMinutes": 720, "horizonDays": 60, "dayMax": None,
    "pausedUntil": None,
}  # fmt: skip
TABLES = ("calendars", "weekly_hours", "date_hours", "booking_settings", "appointments")


def local(days: int, hour: int, minute: int = 0) -> datetime:
    """Return a time in Denver on the first weekday that is at least `days` days after today."""
    day = datetime.now(DENVER).date() + timedelta(days=days)
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


@pytest.fixture
async def open_rosa(rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> GuruOwner:
    """The owner of `alpha`, without appointments, with default settings and hours on weekdays in Denver."""
    service_db.execute("DELETE FROM appointments WHERE tenant_id = %s", [rosa.guru.id])
    service_db.execute("DELETE FROM date_hours WHERE tenant_id = %s", [rosa.guru.id])
    await set_calendar(rosa, **CALENDAR)
    await set_week(rosa, WEEKDAYS)
    for service in range(3):
        await set_booking(rosa, service)
    return rosa


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


@pytest.mark.parametrize(("day", "status"), [("2020-01-01", 409), ("9999-12-31", 409), ("2027-02-30", 404), ("x", 404)])
async def test_date_hours_of_impossible_day_fail(open_rosa: GuruOwner, day: str, status: int) -> None:
    await open_rosa.call("PUT", f"/hours/dates/{day}", {"ranges": []}, expect=status)


async def test_blocked_time_is_not_offered(app: Porchlight, open_rosa: GuruOwner) -> None:
    start, end = local(7, 12), local(7, 14)
    before = await starts(app, open_rosa)
    block = {"startsAt": utc(start), "endsAt": utc(end)}
    created = (await open_rosa.call("POST", "/blocks", block, expect=201))["blocks"]
    assert [shown | {"id": ""} for shown in created] == [block | {"id": ""}]
    gone = {utc(start + timedelta(minutes=minutes)) for minutes in (-30, 0, 30, 60, 90)}
    assert set(before) - set(await starts(app, open_rosa)) == gone
    overlap = {"startsAt": utc(start + timedelta(hours=1)), "endsAt": utc(end + timedelta(hours=1))}
    error = await open_rosa.call("POST", "/blocks", overlap, expect=409)
    assert error["code"] == "time_taken"
    assert (await open_rosa.call("DELETE", f"/blocks/{created[0]['id']}"))["blocks"] == []
    assert await starts(app, open_rosa) == before
    await open_rosa.call("DELETE", f"/blocks/{created[0]['id']}", expect=404)


async def test_block_takes_time_of_lapsed_hold(open_rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> None:
    start = local(3, 9)
    times: dict[str, Any] = {"starts_at": start, "ends_at": start + timedelta(hours=1)}
    hold = seed_booking(service_db, open_rosa.guru, seed_user(service_db), status="held",
                        expires_at=datetime.now(UTC) - timedelta(minutes=1), **times)  # fmt: skip
    service_db.execute(
        "UPDATE appointments a SET starts_at = %s, ends_at = %s, blocked = tstzrange(%s, %s) FROM bookings b"
        " WHERE b.id = %s AND (a.tenant_id, a.id) = (b.tenant_id, b.appointment_id)",
        [*times.values(), *times.values(), hold],
    )
    body = {"startsAt": utc(start), "endsAt": utc(start + timedelta(hours=1))}
    await open_rosa.call("POST", "/blocks", body, expect=201)
    assert service_db.execute("SELECT status FROM bookings WHERE id = %s", [hold]).fetchone() == ("expired",)


@pytest.mark.parametrize(
    ("start", "end", "field"),
    [
        ("2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z", "endsAt"),
        ("9998-12-31T23:59:00-12:00", "9999-12-31T23:59:00-12:00", "startsAt"),
        ("0001-01-01T00:00:00+12:00", "2027-01-01T00:00:00Z", "startsAt"),
        (utc(local(5, 9)), utc(local(5, 9)), "endsAt"),
        (utc(local(5, 9)).replace("00Z", "30Z"), utc(local(5, 10)), "startsAt"),
        ("2027-01-01T00:00:00", "2027-01-02T00:00:00", "startsAt"),
        (1_800_000_000, utc(local(5, 10)), "startsAt"),
    ],
)
async def test_block_of_invalid_time_is_rejected(open_rosa: GuruOwner, start: Any, end: Any, field: str) -> None:
    error = await open_rosa.call("POST", "/blocks", {"startsAt": start, "endsAt": end}, expect=422)
    assert field in error["fields"]


async def test_service_booking_shows_what_was_set(app: Porchlight, open_rosa: GuruOwner) -> None:
    own = {"freeUntilMinutes": 60, "latePercent": 30, "missedPercent": 90, "movesMax": 0, "moveUntilMinutes": 120}
    given_values: dict[str, Any] = {
        "capacity": 8, "partyMax": 4, "setupMinutes": 15, "cleanupMinutes": 30, "approval": "request",
        "place": "guru", "placeText": "The blue door", "waiver": "always", "risk": "medium", "policy": "own",
        "terms": own,
    }  # fmt: skip
    changed = await set_booking(open_rosa, 1, **given_values)
    assert given_values.items() <= changed.items()
    assert changed["minutes"] == 60
    assert changed == await open_rosa.call("GET", f"/services/{open_rosa.guru.services[1]}/booking")
    standard = changed["standardTerms"]
    assert {name: list(terms.values())[:3] for name, terms in standard.items()} == {
        "flexible": [1440, 0, 50], "moderate": [2880, 50, 100], "strict": [10080, 100, 100],
    }  # fmt: skip
    for policy in standard:
        assert (await set_booking(open_rosa, 1, policy=policy))["terms"] == standard[policy]
    await set_booking(open_rosa, 1, open=False)
    path = f"/api/gurus/{open_rosa.guru.label}/services/{open_rosa.guru.services[1]}/slots"
    async with http_client(app, BASE_HOST) as visitor:
        assert (await visitor.get(path)).status_code == 404


@pytest.mark.parametrize(
    "changes",
    [
        {"capacity": 0},
        {"capacity": 101},
        {"partyMax": 2},
        {"setupMinutes": 241},
        {"policy": "own"},
        {"terms": {"freeUntilMinutes": 0, "latePercent": 0, "missedPercent": 0, "movesMax": 0, "moveUntilMinutes": 0}},
        {"starts": "never"},
        {"placeText": "x" * 301},
        {"color": "red"},
    ],
)
async def test_service_booking_invalid_is_rejected(open_rosa: GuruOwner, changes: dict[str, Any]) -> None:
    await set_booking(open_rosa, expect=422, **changes)


@pytest.mark.parametrize("minutes", [None, 10, 481])
async def test_service_of_odd_length_cannot_be_opened(
    open_rosa: GuruOwner, service_db: psycopg.Connection[Any], minutes: int | None
) -> None:
    update = "UPDATE services SET duration_minutes = %s, duration_label = %s WHERE id = %s"
    service = open_rosa.guru.services[2]
    service_db.execute(update, [minutes, "" if minutes else "Monthly", service])
    try:
        error = await set_booking(open_rosa, 2, expect=409)
        assert "15 to 480 minutes" in error["message"]
        assert (await set_booking(open_rosa, 2, open=False))["minutes"] == minutes
    finally:
        service_db.execute(update, [60, "", service])


async def test_fixed_starts_are_the_only_ones_offered(app: Porchlight, open_rosa: GuruOwner) -> None:
    path = f"/services/{open_rosa.guru.services[0]}/starts"
    start = local(8, 19, 15)
    error = await open_rosa.call("POST", path, {"startsAt": utc(start)}, expect=409)
    assert "fixed starts" in error["message"]
    await set_booking(open_rosa, starts="fixed", capacity=8, setupMinutes=15)
    assert await starts(app, open_rosa) == []
    created = (await open_rosa.call("POST", path, {"startsAt": utc(start)}, expect=201))["starts"]
    assert [shown | {"id": ""} for shown in created] == [
        {"id": "", "startsAt": utc(start), "endsAt": utc(start + timedelta(hours=1)), "capacity": 8, "taken": 0}
    ]
    assert await starts(app, open_rosa) == [utc(start)]
    for minutes in (0, 60, 70):  # the setup of the later session overlaps
        late = {"startsAt": utc(start + timedelta(minutes=minutes))}
        assert (await open_rosa.call("POST", path, late, expect=409))["code"] == "time_taken"
    await open_rosa.call("POST", path, {"startsAt": utc(start + timedelta(minutes=75))}, expect=201)
    left = (await open_rosa.call("DELETE", f"{path}/{created[0]['id']}"))["starts"]
    assert [shown["startsAt"] for shown in left] == [utc(start + timedelta(minutes=75))]
    await open_rosa.call("DELETE", f"{path}/{created[0]['id']}", expect=404)
    other = f"/services/{open_rosa.guru.services[1]}/starts/{left[0]['id']}"
    await open_rosa.call("DELETE", other, expect=404)
    assert await starts(app, open_rosa) == [utc(start + timedelta(minutes=75))]


async def test_booked_fixed_start_is_kept(open_rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> None:
    await set_booking(open_rosa, starts="fixed")
    booking = seed_booking(service_db, open_rosa.guru, seed_user(service_db))
    service_db.execute("UPDATE appointments SET fixed = true WHERE tenant_id = %s", [open_rosa.guru.id])
    path = f"/services/{open_rosa.guru.services[0]}/starts"
    found = (await open_rosa.call("GET", path))["starts"]
    assert [start["taken"] for start in found] == [1]
    error = await open_rosa.call("DELETE", f"{path}/{found[0]['id']}", expect=409)
    assert error["code"] == "start_booked"
    service_db.execute("UPDATE bookings SET status = 'canceled', ended_at = now() WHERE id = %s", [booking])
    assert (await open_rosa.call("DELETE", f"{path}/{found[0]['id']}"))["starts"] == []
    assert service_db.execute("SELECT status FROM bookings WHERE id = %s", [booking]).fetchone() == ("canceled",)


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
    "week",
    [
        [{"weekdays": [0], "ranges": [{"start": 0, "end": 1441}]}],
        [{"weekdays": [0], "ranges": [{"start": 60, "end": 60}]}],
        [{"weekdays": [0], "ranges": [{"start": 0, "end": 120}, {"start": 60, "end": 180}]}],
        [{"weekdays": [0], "ranges": [{"start": 60 * n, "end": 60 * n + 30} for n in range(9)]}],
        [{"weekdays": [0, 0], "ranges": []}],
        [{"weekdays": [0], "ranges": []}, {"weekdays": [1, 0], "ranges": []}],
        [{"weekdays": [7], "ranges": []}],
        [{"weekdays": [], "ranges": []}],
    ],
)
async def test_invalid_week_is_rejected(open_rosa: GuruOwner, week: list[dict[str, Any]]) -> None:
    await set_week(open_rosa, *week, expect=422)


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "Factory", "localtime", "../etc", "america/denver", "a\0"])
async def test_unknown_zone_is_rejected(open_rosa: GuruOwner, zone: str) -> None:
    body = {"revision": await revision(open_rosa), "zone": zone}
    error = await open_rosa.call("PATCH", "/calendar", body, expect=422)
    assert "zone" in error["fields"]


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
    await set_booking(open_rosa, setupMinutes=buffers[0], cleanupMinutes=buffers[1])
    offered = await starts(app, open_rosa)
    for start in offered[:: max(1, len(offered) // 3)]:
        assert await why(open_rosa, start) == {"offered": True, "reason": None, "sentence": "This time is offered."}
    if offered:
        after = datetime.fromisoformat(offered[-1]) + timedelta(minutes=1)
        assert (await why(open_rosa, utc(after)))["offered"] is False


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
    await ask(datetime.now(UTC) - timedelta(days=3))
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
    expected = {reason.value for reason in NotOffered} - {"full", "day_max"} | {"None", "not_open"}
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
    start = datetime.fromisoformat(booked["startsAt"])
    weekday = start.astimezone(DENVER).weekday()
    await set_week(open_rosa, {"weekdays": [weekday], "ranges": [{"start": 0, "end": 1440}]})
    noon = start.astimezone(DENVER).replace(hour=12, minute=0)
    at = noon + timedelta(hours=6) if noon <= start + timedelta(hours=2) else noon - timedelta(hours=6)
    answer = await why(open_rosa, utc(at), 1)
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
    await open_rosa.call("GET", path, params={"at": at}, expect=422)
