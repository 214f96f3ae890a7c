"""How a service is booked, and its fixed starts, in the console."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.factories import seed_booking, seed_user
from tests.porchlight.hours.calendar_calls import WEEKDAYS, local, set_booking, set_week, starts, utc
from tests.porchlight.owner import GuruOwner

NO_TERMS = {"freeUntilMinutes": 0, "latePercent": 0, "missedPercent": 0, "movesMax": 0, "moveUntilMinutes": 0}


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
        {"setupMinutes": 241},
        {"starts": "never"},
        {"placeText": "x" * 301},
        {"color": "red"},
    ],
)
async def test_service_booking_invalid_is_rejected(open_rosa: GuruOwner, changes: dict[str, Any]) -> None:
    error = await set_booking(open_rosa, expect=422, **changes)
    assert list(error["fields"]) == list(changes)


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"partyMax": 2}, "partyMax", "A booking can't take more people than there are spots."),
        ({"policy": "own"}, "terms", "Set terms if this service has its own, and only then."),
        ({"terms": NO_TERMS}, "terms", "Set terms if this service has its own, and only then."),
    ],
)
async def test_service_booking_fields_must_fit_together(
    open_rosa: GuruOwner, changes: dict[str, Any], field: str, message: str
) -> None:
    assert (await set_booking(open_rosa, expect=422, **changes))["fields"] == {field: message}


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"latePercent": 50, "missedPercent": 50}, "terms.freeUntilMinutes"),  # it would never be late
        ({"freeUntilMinutes": 60, "latePercent": 50, "missedPercent": 20}, "terms.missedPercent"),
    ],
)
async def test_contradicting_terms_are_refused(open_rosa: GuruOwner, terms: dict[str, Any], field: str) -> None:
    error = await set_booking(open_rosa, expect=422, policy="own", terms=NO_TERMS | terms)
    assert list(error["fields"]) == [field]


async def test_service_longer_than_hours_cannot_be_opened(open_rosa: GuruOwner) -> None:
    await set_week(open_rosa, {"weekdays": [1], "ranges": [{"start": 540, "end": 580}]})
    error = await set_booking(open_rosa, expect=409)
    assert error["message"].startswith("A session takes 60 minutes, but your longest hours without a break are 40 ")
    await set_booking(open_rosa, starts="fixed")
    await set_week(open_rosa, WEEKDAYS)
    await set_booking(open_rosa)


@pytest.mark.parametrize(
    "week",
    [
        [{"weekdays": [1], "ranges": [{"start": 540, "end": 570}, {"start": 570, "end": 600}]}],
        [
            {"weekdays": [1], "ranges": [{"start": 1410, "end": 1440}]},
            {"weekdays": [2], "ranges": [{"start": 0, "end": 30}]},
        ],
    ],
)
async def test_service_fits_hours_that_join(open_rosa: GuruOwner, week: list[dict[str, Any]]) -> None:
    await set_week(open_rosa, *week)
    await set_booking(open_rosa)


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
    service_db.execute("UPDATE bookings SET status = 'canceled', ended_at = app.now() WHERE id = %s", [booking])
    assert (await open_rosa.call("DELETE", f"{path}/{found[0]['id']}"))["starts"] == []
    assert service_db.execute("SELECT status FROM bookings WHERE id = %s", [booking]).fetchone() == ("canceled",)
