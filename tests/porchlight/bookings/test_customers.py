"""Sessions that a guru books for customers without an account."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import icalendar
import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.features.bookings import deadlines
from porchlight.features.bookings.customers.retention import CONTACT_TTL, NAME_TTL
from porchlight.worker.maintenance import purge_expired
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.bookings.api import CreateUser, book, code, free_starts
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.following import shifted
from tests.porchlight.bookings.sessions import book_session, seed_block
from tests.porchlight.factories import insert_row
from tests.porchlight.owner import GuruOwner

NewOwner = Any


def body(owner: GuruOwner, start: str, **changes: Any) -> dict[str, Any]:
    return {"serviceId": str(owner.guru.services[0]), "startsAt": start, "name": "Wanda Walk-In"} | changes


async def post(owner: GuruOwner, start: str, *, key: str = "", **changes: Any) -> httpx.Response:
    headers = {"idempotency-key": key} if key else {}
    return await owner.web.post("/api/guru/bookings", json=body(owner, start, **changes), headers=headers)


async def booked(owner: GuruOwner, start: str, **changes: Any) -> dict[str, Any]:
    response = await post(owner, start, **changes)
    assert response.status_code == 201, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


def link_of(database: Database, booking_id: str) -> str:
    """Return the path of the API for a customer's link, as it is in their email."""
    sent = emails(database, UUID(booking_id))["booked", "person"]
    url = next(word for word in sent["plain"].split() if "/booked/" in word)
    return f"/api/booked/{url.rpartition('/')[2]}"


def unfolded(file: str) -> str:
    """Return a calendar file without folds, with the host of the tests' API: their jobs have another one."""
    return file.replace("\r\n ", "").replace("porchlight.example", BASE_HOST)


def minutes_from_now(minutes: int) -> str:
    return clock.to_iso8601((clock.now() + timedelta(minutes=minutes)).replace(second=0, microsecond=0))


async def test_customer_is_booked_within_the_notice(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database
) -> None:
    owner = await new_owner()
    soon = minutes_from_now(20)
    confirmed = ["outside_hours"]
    made = await booked(owner, soon, note="Called at noon.", confirmed=confirmed)
    assert {name: made[name] for name in ("status", "personName", "isCustomer", "customerEmail", "note")} == {
        "status": "confirmed", "personName": "Wanda Walk-In", "isCustomer": True, "customerEmail": "",
        "note": "Called at noon.",
    }  # fmt: skip
    assert {event["actor"] for event in made["events"]} == {"guru"}
    await do_jobs(database)
    assert set(emails(database, UUID(made["id"]))) == {("booked", "guru")}
    far = clock.to_iso8601(datetime(2030, 1, 7, 18, tzinfo=UTC).replace(year=clock.now().year + 1))
    assert (await booked(owner, far, confirmed=confirmed))["status"] == "confirmed"


async def test_customer_outside_hours_needs_a_confirmation(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database
) -> None:
    owner = await new_owner()
    night = shifted((await free_starts(web, owner.guru))[0][:11] + "10:00:00Z", days=3)
    response = await post(owner, night)
    assert code(response) == "needs_confirmation"
    assert set(response.json()["error"]["fields"]) == {"outside_hours"}
    assert (await booked(owner, night, confirmed=["outside_hours"]))["startsAt"] == night


async def test_customer_at_a_busy_time_is_refused(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner = await new_owner()
    starts = await free_starts(web, owner.guru)
    await book(await create_user("Booked Bo"), owner.guru, starts[0])
    half = clock.to_iso8601(datetime.fromisoformat(starts[0]) + timedelta(minutes=30))
    every = ["outside_hours", "day_full", "over_capacity"]
    assert code(await post(owner, half, confirmed=every)) == "time_taken"
    later = datetime.fromisoformat(starts[-1])
    seed_block(database, owner.guru, later, later + timedelta(hours=2))
    assert code(await post(owner, starts[-1], confirmed=every)) == "time_taken"


async def test_customers_over_capacity_need_a_confirmation(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner = await new_owner(capacity=2, party_max=2)
    start = (await free_starts(web, owner.guru))[0]
    await book(await create_user("Class Cy"), owner.guru, start)
    response = await post(owner, start, party=2)
    assert set(response.json()["error"]["fields"]) == {"over_capacity"}
    made = await booked(owner, start, party=2, confirmed=["over_capacity"])
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT capacity, taken FROM appointments WHERE id = %s"
        assert conn.execute(query, [UUID(made["appointmentId"])]).fetchone() == (3, 3)


async def test_customers_booked_at_once_get_one_time(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database
) -> None:
    owner = await new_owner(capacity=1)
    start = (await free_starts(web, owner.guru))[0]
    answers = await asyncio.gather(*(post(owner, start, name=f"Caller {number}") for number in range(6)))
    assert sorted(one.status_code for one in answers) == [201, *[409] * 5]
    again = await asyncio.gather(*(post(owner, shifted(start, days=7), key="one-call") for _ in range(4)))
    assert {one.status_code for one in again} == {201}
    assert len({one.json()["data"]["id"] for one in again}) == 1
    assert code(await post(owner, shifted(start, days=7), key="one-call", note="another")) == "key_reused"


async def test_customer_email_has_link_and_no_words(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database
) -> None:
    owner = await new_owner(place="online", place_text="https://meet.example/a")
    start = (await free_starts(web, owner.guru))[0]
    made = await booked(owner, start, email="wanda@example.com", note="Buy at spam.example")
    await do_jobs(database)
    sent = emails(database, UUID(made["id"]))
    person = sent["booked", "person"]
    assert person["recipient"] == "wanda@example.com"
    for words in ("Wanda", "spam.example", "meet.example", "Lesson", "Guru "):
        assert words not in person["subject"] + person["plain"] + person["html"] + str(person["invitation"])
    (event,) = icalendar.Calendar.from_ical(person["invitation"]).events
    assert str(event["UID"]) == f"{made['id']}@porchlight.example"
    assert "/booked/" in str(event["DESCRIPTION"])
    file = await web.get(f"{link_of(database, made['id'])}/session.ics")
    assert unfolded(file.content.decode()) == unfolded(person["invitation"])
    assert sent["booked", "guru"]["subject"] == "Booked: Lesson with Wanda Walk-In"


async def test_customer_link_moves_and_cancels(web: httpx.AsyncClient, new_owner: NewOwner, database: Database) -> None:
    owner = await new_owner(place="guru", place_text="12 Elm Street")
    starts = await free_starts(web, owner.guru)
    made = await booked(owner, starts[-1], email="wanda@example.com")
    await do_jobs(database)
    path = link_of(database, made["id"])
    seen = (await web.get(path)).json()["data"]
    assert (seen["placeText"], seen["status"]) == ("12 Elm Street", "confirmed")
    move = {"startsAt": starts[-20], "termsDigest": seen["terms"]["digest"]}
    moved = (await web.post(f"{path}/move", json=move)).json()["data"]
    assert moved["startsAt"] == starts[-20]
    await do_jobs(database)
    cancel = {"termsDigest": moved["terms"]["digest"], "reason": "I am ill."}
    assert (await web.post(f"{path}/cancellation", json=cancel)).json()["data"]["status"] == "canceled"
    await do_jobs(database)
    sent = emails(database, UUID(made["id"]))
    assert {kind for kind, side in sent if side == "person"} == {"booked", "moved", "canceled"}
    assert str(icalendar.Calendar.from_ical(sent["canceled", "person"]["invitation"])["METHOD"]) == "CANCEL"
    unknown = path[:-4] + ("aaaa" if path[-4:] != "aaaa" else "bbbb")
    assert code(await web.get(unknown)) == "not_found"
    details = await owner.call("GET", f"/bookings/{made['id']}")
    assert [event["actor"] for event in details["events"]][-2:] == ["person", "person"]


async def test_customer_of_another_guru_is_not_found(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database
) -> None:
    owner, other = await new_owner(), await new_owner()
    start = (await free_starts(web, owner.guru))[0]
    response = await owner.web.post("/api/guru/bookings", json=body(other, start))
    assert code(response) == "not_found"
    made = await booked(other, start)
    assert code(await owner.web.get(f"/api/guru/bookings/{made['id']}")) == "not_found"


async def test_customer_of_risky_session_signs_on_guru_device(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner = await new_owner(risk="high", capacity=3, party_max=3)
    start = (await free_starts(web, owner.guru))[0]
    response = await post(owner, start, party=2)
    assert set(response.json()["error"]["fields"]) == {"participants"}
    made = await booked(owner, start, party=2, participants=["Wanda Walk-In", "Will"], email="wanda@example.com")
    assert made["waiverDue"] is True
    assert [(one["name"], one["signer"], one["covered"]) for one in made["people"]] == [
        ("Wanda Walk-In", "link", False), ("Will", "link", False),
    ]  # fmt: skip
    link = await owner.call("POST", f"/bookings/{made['id']}/participants/2/device-link")
    assert link["url"].startswith(f"https://{BASE_HOST}/sign/")
    signing = (await web.get(f"/api/liability/links/{link['url'].rpartition('/')[2]}")).json()["data"]
    assert (signing["name"], signing["signed"]) == ("Will", False)
    later = clock.now() + timedelta(days=3)
    neighbors = book_session(database, owner.guru, await create_user("Nell Neighbor"), later)
    await owner.call("POST", f"/bookings/{neighbors}/participants/1/device-link", expect=404)


async def test_customer_needs_valid_details(web: httpx.AsyncClient, new_owner: NewOwner) -> None:
    owner = await new_owner(place="person")
    start = (await free_starts(web, owner.guru))[0]
    assert set((await post(owner, start)).json()["error"]["fields"]) == {"address"}
    response = await post(owner, start, address="9 Oak Street", participants=["A", "B"])
    assert set(response.json()["error"]["fields"]) == {"participants"}
    past = await post(owner, minutes_from_now(-120), address="9 Oak Street", confirmed=["outside_hours"])
    assert code(past) == "slot_gone"
    with_address = await booked(owner, start, address="9 Oak Street")
    assert with_address["address"] == "9 Oak Street"


async def test_customers_of_one_address_are_limited(web: httpx.AsyncClient, new_owner: NewOwner) -> None:
    owner = await new_owner()
    first = (await free_starts(web, owner.guru))[0]
    every = ["outside_hours", "day_full", "over_capacity"]
    for days in range(10):
        await booked(owner, shifted(first, days=days), email="wanda@example.com", confirmed=every)
    start = shifted(first, days=10)
    assert code(await post(owner, start, email="wanda@example.com", confirmed=every)) == "too_many_customers"
    assert (await post(owner, start, email="other@example.com", confirmed=every)).status_code == 201


async def test_customer_emails_of_a_burst_tell_the_last_state(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database
) -> None:
    owner = await new_owner()
    starts = await free_starts(web, owner.guru)
    made = await booked(owner, starts[0], email="wanda@example.com")
    await do_jobs(database)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(
            "INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, status, due_at)"
            " SELECT e.tenant_id, e.booking_id, e.kind, e.side, 100 + n, e.person_id, 'sent', e.due_at"
            "   FROM booking_emails e, generate_series(1, 6) n WHERE e.booking_id = %s AND e.side = 'person'",
            [made["id"]],
        )
    link = link_of(database, made["id"])
    terms = (await web.get(link)).json()["data"]["terms"]
    response = await web.post(f"{link}/cancellation", json={"termsDigest": terms["digest"], "reason": ""})
    assert response.status_code == 200, response.text
    await do_jobs(database)
    assert ("canceled", "person") not in emails(database, UUID(made["id"]))
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("UPDATE booking_emails SET due_at = app.now() WHERE status = 'due'")
    deadlines.queue_due_emails(database.service_url)
    await do_jobs(database)
    assert "canceled" in emails(database, UUID(made["id"]))["canceled", "person"]["subject"]


async def test_customer_data_is_deleted_after_its_time(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = await new_owner()
    personal = {
        "note": "Walk-In words", "email": "walk-in@mail.example",
        "participants": ["Wilma Walk-In"],
    }  # fmt: skip
    confirmed = ["outside_hours", "over_capacity"]
    made = await booked(owner, minutes_from_now(60), party=2, confirmed=confirmed, **personal)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE bookings SET place = 'person', person_address = '9 Walk-In Street' WHERE id = %s", [made["id"]]
        )
        key = {"tenant_id": owner.guru.id, "booking_id": made["id"], "person_id": new_id(), "number": 9}
        signed = {"name": "Wilma Walk-In", "signed_by": "Wanda Walk-In", "signer": "link", "signer_id": new_id()}
        insert_row(conn, "participants", key | signed)
        reason = {"actor": "person", "event": "canceled", "details": Jsonb({"reason": "Walk-In reason"})}
        insert_row(conn, "booking_events", key | reason)
        insert_row(conn, "booking_events", key | reason | {"number": 10, "actor": "guru"})

    def left() -> list[str]:
        """Return what still names the customer, as table.column or the actor of an event."""
        found = []
        with psycopg.connect(database.superuser_url) as conn:
            for table, column in (("bookings", "id"), ("participants", "booking_id"), ("booking_events", "booking_id")):
                query = f"SELECT to_jsonb(t) FROM {table} t WHERE {column} = %s"
                for (row,) in conn.execute(query.encode(), [made["id"]]):
                    names = sorted(name for name, value in row.items() if "walk-in" in str(value).lower())
                    found += [f"{table}.{name} {row.get('actor', '')}".strip() for name in names]
        return found

    names = ["bookings.note", "bookings.participants", "bookings.person_name"]
    others = ["participants.name", "participants.signed_by", "booking_events.details person"]
    by_guru = "booking_events.details guru"
    contacts = ["bookings.customer_email", "bookings.person_address"]
    assert set(left()) == {*names, *others, *contacts, by_guru}
    purge_expired(database.service_url)
    assert set(left()) == {*names, *others, *contacts, by_guru}
    later = clock.now() + CONTACT_TTL + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    purge_expired(database.service_url)
    assert set(left()) == {*names, *others, by_guru}
    later += NAME_TTL
    purge_expired(database.service_url)
    assert left() == [by_guru]
