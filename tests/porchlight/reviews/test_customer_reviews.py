"""Reviews of customers without an account, with the link from their email, and what an account takes over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.features.account.export import collect_personal_data
from porchlight.features.bookings.customers.retention import NAME_TTL
from porchlight.features.reviews.asking import ask_for_reviews
from porchlight.registry import personal_data
from porchlight.worker.maintenance import purge_expired
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import refusal
from tests.porchlight.bookings.api import CreateUser, code, execute
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.owner import GuruOwner
from tests.porchlight.reviews.sessions import (
    end_customer_session,
    public_answers,
    publish,
    reviews_of,
    written,
    written_by_guru,
)

SECRET = "The scales were out of tune"


async def write(web: httpx.AsyncClient, path: str, stars: int = 5, body: str = "", note: str = "") -> httpx.Response:
    return await web.put(f"{path}/review", json={"stars": stars, "body": body, "privateNote": note})


async def reviews_with(web: httpx.AsyncClient, path: str) -> dict[str, Any]:
    response = await web.get(f"{path}/review")
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


async def test_customer_review_is_hidden_until_both_wrote(
    web: httpx.AsyncClient, owner: GuruOwner, database: Database
) -> None:
    booking, path = end_customer_session(database, owner.guru)
    before = await public_answers(web, owner.guru), await owner.call("GET", f"/bookings/{booking}/review")
    assert (await reviews_with(web, path))["canWrite"] is True
    own = (await write(web, path, 1, SECRET, "The door sticks.")).json()["data"]["own"]
    assert (own["hidden"], own["body"], own["privateNote"]) == (True, SECRET, "The door sticks.")
    publish(database, owner.guru)
    assert (await public_answers(web, owner.guru), await owner.call("GET", f"/bookings/{booking}/review")) == before
    assert (await write(web, path, 4, "Clear and patient.", "The door sticks.")).status_code == 200
    of_guru = await written_by_guru(owner, booking, 5, "On time, and curious.")
    assert (of_guru["received"]["stars"], of_guru["received"]["privateNote"]) == (4, "The door sticks.")
    assert [one["author"] for one in (await owner.call("GET", "/reviews"))["reviews"]] == ["Wanda Walk-In"]
    assert (await reviews_with(web, path))["received"]["body"] == "On time, and curious."
    assert code(await write(web, path)) == "review_closed"
    publish(database, owner.guru)
    page = await reviews_of(web, owner.guru, until=lambda page: page["counts"] != [0] * 5)
    ((shown),) = page["reviews"]
    assert (shown["stars"], shown["body"], shown["author"]) == (4, "Clear and patient.", "")
    reply = await web.put(f"{path}/review/reply", json={"body": "Thanks!"})
    assert reply.json()["data"]["received"]["reply"] == "Thanks!"
    assert (await owner.call("GET", f"/bookings/{booking}/review"))["own"]["reply"] == "Thanks!"


async def test_unknown_link_reviews_nothing(web: httpx.AsyncClient, owner: GuruOwner, database: Database) -> None:
    _, path = end_customer_session(database, owner.guru)
    unknown = path[:-4] + ("aaaa" if path[-4:] != "aaaa" else "bbbb")
    assert refusal(await write(web, unknown)) == (404, "not_found")
    response = await web.get(f"{path}/review")
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["referrer-policy"] == "no-referrer"


async def test_guru_does_not_review_with_customer_link(
    web: httpx.AsyncClient, owner: GuruOwner, database: Database
) -> None:
    booking, path = end_customer_session(database, owner.guru)
    await written_by_guru(owner, booking)
    assert code(await owner.web.put(f"{path}/review", json={"stars": 5})) == "own_site"
    assert code(await owner.web.put(f"{path}/review/reply", json={"body": "Hi"})) == "own_site"
    assert (await owner.web.get(f"{path}/review")).json()["data"]["canWrite"] is False


async def test_customer_without_address_has_no_review(
    web: httpx.AsyncClient, owner: GuruOwner, database: Database
) -> None:
    booking, path = end_customer_session(database, owner.guru, customer_email="")
    assert code(await write(web, path)) == "review_closed"
    await owner.call("PUT", f"/bookings/{booking}/review", {"stars": 5}, expect=409)
    assert (await owner.call("GET", "/reviews/due"))["sessions"] == []


async def test_guru_is_asked_to_review_a_customer(owner: GuruOwner, database: Database) -> None:
    booking, _ = end_customer_session(database, owner.guru)
    ((due),) = (await owner.call("GET", "/reviews/due"))["sessions"]
    assert (due["bookingId"], due["name"]) == (booking, "Wanda Walk-In")


async def test_customer_is_asked_once_with_their_link(
    web: httpx.AsyncClient, owner: GuruOwner, database: Database
) -> None:
    ended = clock.now() - timedelta(hours=3, minutes=1)
    booking, path = end_customer_session(database, owner.guru, starts_at=ended)
    link = path.removeprefix("/api")
    with psycopg.connect(database.service_url) as conn:
        ask_for_reviews(conn)
    await do_jobs(database)
    sent = emails(database, UUID(booking))
    assert set(sent) == {("review_open", "person")}
    mail = sent["review_open", "person"]
    assert mail["recipient"] == "wanda@mail.example"
    assert f"{link}#reviews" in mail["plain"]
    assert "Wanda" not in f"{mail['subject']} {mail['plain']}"
    again, _ = end_customer_session(database, owner.guru, starts_at=ended - timedelta(hours=2))
    with psycopg.connect(database.service_url) as conn:
        ask_for_reviews(conn)
        query = "SELECT count(*) FROM booking_emails WHERE booking_id = %s AND kind LIKE 'review%%'"
        assert conn.execute(query, [again]).fetchone() == (0,)
    await written_by_guru(owner, booking, 5, SECRET)
    await write(web, path, 5, SECRET)
    await do_jobs(database)
    sent = emails(database, UUID(booking))
    of_person = {kind for kind, side in sent if side == "person"}
    assert of_person == {"review_open", "review_waiting", "review_out"}
    assert all(f"{link}#reviews" in sent[kind, "person"]["plain"] for kind in of_person)
    assert SECRET not in str(sent)


async def test_claimed_review_belongs_to_the_account(
    web: httpx.AsyncClient, create_user: CreateUser, owner: GuruOwner, database: Database, app: Any
) -> None:
    carla = await create_user("Carla Claim")
    booking, path = end_customer_session(database, owner.guru)
    await write(web, path, 2, "My words", "My note")
    response = await carla.request("POST", f"{path}/claim", json={"confirmed": True})
    assert response.status_code == 200, response.text
    assert code(await write(web, path)) == "booking_claimed"
    assert code(await web.get(f"{path}/review")) == "booking_claimed"
    own = (await written(carla, booking, 3, "My words, changed", privateNote="My note"))["own"]
    assert (own["stars"], own["body"]) == (3, "My words, changed")
    await written_by_guru(owner, booking, 4, "Words about me")
    publish(database, owner.guru)
    page = await reviews_of(web, owner.guru, until=lambda page: page["counts"] != [0] * 5)
    assert [(one["stars"], one["author"]) for one in page["reviews"]] == [(3, "Carla")]
    async with unit_of_work(app.db, user_id=carla.user_id) as session:
        archive = str(await collect_personal_data(session, carla.user_id, personal_data()))
    assert all(words in archive for words in ("My words, changed", "My note", "Words about me"))
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(carla.user_id)])
        conn.execute("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", [carla.user_id])
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT side, stars, body, private_note FROM reviews WHERE booking_id = %s"
        assert conn.execute(query, [booking]).fetchall() == [("person", 3, "", "")]


async def test_review_stays_when_customer_is_forgotten(
    web: httpx.AsyncClient, owner: GuruOwner, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    booking, path = end_customer_session(database, owner.guru)
    await write(web, path, 2, "Public words", "Private words")
    await written_by_guru(owner, booking, 4, "Words about Wanda")
    later = clock.now() + NAME_TTL + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    purge_expired(database.service_url)
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT side, stars, body, private_note, address_hash FROM reviews WHERE booking_id = %s"
        assert conn.execute(query, [booking]).fetchall() == [("person", 2, "Public words", "", None)]


async def test_link_reviews_are_404_while_flag_is_off(
    web: httpx.AsyncClient, owner: GuruOwner, database: Database, app: Any
) -> None:
    _, path = end_customer_session(database, owner.guru)
    execute(database, "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'reviews', false)", owner.guru.id)
    app.flags.on_change()
    assert refusal(await web.get(f"{path}/review")) == (404, "not_found")
    assert refusal(await write(web, path)) == (404, "not_found")
    execute(database, "DELETE FROM guru_flags WHERE tenant_id = %s AND name = 'reviews'", owner.guru.id)
    app.flags.on_change()
