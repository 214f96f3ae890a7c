"""Blocked times of a guru, in the console."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from tenants.kit import clock
from tests.porchlight.factories import seed_booking, seed_user
from tests.porchlight.hours.calendar_calls import local, starts, utc
from tests.porchlight.owner import GuruOwner


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
                        expires_at=clock.now() - timedelta(minutes=1), **times)  # fmt: skip
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


async def test_changed_block_frees_its_old_time(app: Porchlight, open_rosa: GuruOwner, theo: GuruOwner) -> None:
    start = local(7, 12)
    before = await starts(app, open_rosa)
    hours = [{"startsAt": utc(start + timedelta(hours=at)), "endsAt": utc(start + timedelta(hours=at + 1))}
             for at in (0, 2, 1)]  # fmt: skip
    await open_rosa.call("POST", "/blocks", hours[0], expect=201)
    first, _ = (await open_rosa.call("POST", "/blocks", hours[1], expect=201))["blocks"]
    path = f"/blocks/{first['id']}"
    longer = hours[0] | {"endsAt": utc(start + timedelta(minutes=90))}
    changed = (await open_rosa.call("PUT", path, longer))["blocks"]
    assert changed[0] == {"id": first["id"]} | longer
    taken = hours[0] | {"endsAt": utc(start + timedelta(hours=3))}
    assert (await open_rosa.call("PUT", path, taken, expect=409))["code"] == "time_taken"
    past = {"startsAt": utc(start), "endsAt": utc(start)}
    assert "endsAt" in (await open_rosa.call("PUT", path, past, expect=422))["fields"]
    assert (await open_rosa.call("PUT", path, hours[2]))["blocks"][0]["startsAt"] == hours[2]["startsAt"]
    gone = {utc(start + timedelta(minutes=minutes)) for minutes in range(30, 180, 30)}
    assert set(before) - set(await starts(app, open_rosa)) == gone
    await theo.call("PUT", path, hours[0], expect=404)
    await open_rosa.call("DELETE", path)
    await open_rosa.call("PUT", path, hours[0], expect=404)
