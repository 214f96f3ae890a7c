"""Exchanges through the API: asked, countered, confirmed, declined, canceled, and what the emails say."""

from __future__ import annotations

import asyncio
import io
import zipfile
from datetime import timedelta
from typing import Any

import icalendar
import psycopg

from porchlight.features.exchanges.jobs import process_due
from porchlight.features.exchanges.rules import MAX_OPEN_PER_PAIR
from porchlight.geo.grid import cell_of, tile_of
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer, claims
from tests.fixtures.jobs import do_jobs, service_job
from tests.fixtures.refusals import refusal
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.exchanges.people import accept, answer, ask, ask_body, cancel, list_skill, soon
from tests.porchlight.factories import insert_row, seed_guru
from tests.porchlight.named_users import CreateUser
from tests.tenants.isolation import set_user

RISKY = "Chainsaw carving"


def _waiver(offer: str) -> dict[str, Any]:
    return {
        "riskLevel": "high", "emergencyContact": {"name": "Ada", "phone": "555", "relationship": ""}, "timestamp": "",
        "skillCategory": RISKY, "activityDescription": "", "exchangeId": offer,
    }  # fmt: skip


async def _emails(database: Database, user: ApiUser, exchange: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Run the jobs. Return key, subject and text of the emails about an exchange that a user got."""
    await do_jobs(database)
    with psycopg.connect(database.service_url) as conn:
        return conn.execute(
            "SELECT key, subject, plain FROM dev_mailbox WHERE recipient = %s AND key LIKE %s ORDER BY sent_at, id",
            [user.email, f"exchange-{exchange['id']}-%"],
        ).fetchall()


async def _get(user: ApiUser, exchange: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = await user.get(f"/api/exchanges/{exchange['id']}")
    return data


async def test_exchange_is_asked_countered_and_confirmed(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Learner"), await create_user("Tom Teacher")
    offer = await list_skill(tom)
    asked = await ask(lea, offer, soon(72), soon(96), note="Rye, please")
    assert (asked["status"], asked["side"], asked["canAnswer"], asked["canCancel"]) == ("asked", "learner", False, True)
    seen = await _get(tom, asked)
    assert (seen["side"], seen["canAnswer"], seen["note"]) == ("teacher", True, "Rye, please")
    assert seen["neighbor"]["name"] == "Lea Learner"
    ((key, subject, plain),) = await _emails(database, tom, asked)
    assert key == f"exchange-{asked['id']}-asked-teacher-0"
    assert subject == "Lea Learner asks you for a session: Sourdough baking"
    assert "> Rye, please" in plain

    times = [ask_body(offer, soon(120))["starts"][0]]
    response = await answer(tom, seen, "counter", starts=times, words="Fridays suit me")
    assert response.status_code == 200, response.text
    countered = await _get(lea, asked)
    assert (countered["status"], countered["round"], countered["reply"]) == ("countered", 2, "Fridays suit me")
    confirmed = await accept(lea, countered)
    assert (confirmed["status"], confirmed["startsAt"], confirmed["canCancel"]) == ("confirmed", times[0], True)
    for user, side in ((lea, "learner"), (tom, "teacher")):
        keys = [key for key, _, _ in await _emails(database, user, asked)]
        assert keys[-1] == f"exchange-{asked['id']}-confirmed-{side}-2"
    listed = await tom.get("/api/exchanges", when="upcoming")
    assert [one["id"] for one in listed["exchanges"]] == [asked["id"]]
    assert await lea.get("/api/exchanges/counts") == {"upcoming": 1, "waiting": 0, "toAnswer": 0, "completed": 0}


async def test_invitation_adds_and_cancels_one_event(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Calendar"), await create_user("Tom Calendar")
    exchange = await accept(tom, await ask(lea, await list_skill(tom)))
    file = await lea.request("GET", f"/api/exchanges/{exchange['id']}/session.ics")
    event = icalendar.Calendar.from_ical(file.content).walk("VEVENT")[0]
    assert (str(event["SUMMARY"]), event["SEQUENCE"]) == ("Sourdough baking with Tom Calendar", 1)
    assert (await cancel(tom, exchange, "I am ill")).status_code == 200
    assert (await cancel(tom, exchange)).json()["data"]["status"] == "canceled"
    canceled = await lea.request("GET", f"/api/exchanges/{exchange['id']}/session.ics")
    calendar = icalendar.Calendar.from_ical(canceled.content)
    again = calendar.walk("VEVENT")[0]
    assert (calendar["METHOD"], again["UID"], again["SEQUENCE"]) == ("CANCEL", event["UID"], 2)
    texts = [plain for key, _, plain in await _emails(database, lea, exchange) if "-canceled-" in key]
    assert len(texts) == 1
    assert "> I am ill" in texts[0]


async def test_ask_is_idempotent_by_key(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Again"), await create_user("Tom Again")
    body = ask_body(await list_skill(tom))
    key = {"Idempotency-Key": "exchange-1"}
    sent = [lea.request("POST", "/api/exchanges", json=body, headers=key) for _ in range(3)]
    responses = await asyncio.gather(*sent)
    assert sorted(response.status_code for response in responses) == [200, 200, 201]
    assert len({response.json()["data"]["id"] for response in responses}) == 1
    other = await lea.request("POST", "/api/exchanges", json=body | {"minutes": 90}, headers=key)
    assert other.status_code == 409
    assert len(await _emails(database, tom, responses[0].json()["data"])) == 1


async def test_open_requests_of_a_pair_are_limited(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Many"), await create_user("Tom Many")
    offer = await list_skill(tom)
    asked = [await ask(lea, offer, soon(72 + hours)) for hours in range(MAX_OPEN_PER_PAIR)]
    refused = await lea.request("POST", "/api/exchanges", json=ask_body(offer))
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "quota_exceeded")
    # What the limit of a day counts: canceled ones, too.
    assert (await cancel(lea, asked[0])).status_code == 200
    with psycopg.connect(database.app_url) as conn:
        set_user(conn, lea.user_id)
        facts = "SELECT app.exchange_facts(NULL, %s, NULL, app.now() - interval '1 day', '{}', 0, 100)"
        ((found,),) = conn.execute(facts, [offer]).fetchall()
    assert (found["asked"], found["open"]) == (MAX_OPEN_PER_PAIR, MAX_OPEN_PER_PAIR - 1)
    assert (await ask(lea, offer))["status"] == "asked"


async def test_blocked_and_unverified_cannot_ask(create_user: CreateUser, signer: Signer, database: Database) -> None:
    lea, tom = await create_user("Lea Blocked"), await create_user("Tom Blocks")
    offer = await list_skill(tom)
    for one, other in ((lea, tom), (tom, lea)):
        with psycopg.connect(database.superuser_url) as conn:
            conn.execute("INSERT INTO blocks (user_id, blocked_id) VALUES (%s, %s)", [one.user_id, other.user_id])
        refused = await lea.request("POST", "/api/exchanges", json=ask_body(offer))
        assert refusal(refused) == (404, "not_found"), "the listing is hidden"
        with psycopg.connect(database.superuser_url) as conn:
            conn.execute("DELETE FROM blocks")
    own = await tom.request("POST", "/api/exchanges", json=ask_body(offer))
    assert (own.status_code, own.json()["error"]["fields"]) == (422, {"offerId": "This is your own listing."})
    lea.token = signer.token(claims(lea.email.partition("@")[0], email=lea.email, email_verified=False))
    unverified = await lea.request("POST", "/api/exchanges", json=ask_body(offer))
    assert (unverified.status_code, unverified.json()["error"]["code"]) == (403, "email_unverified")


async def test_teacher_cannot_accept_overlapping_sessions(create_user: CreateUser) -> None:
    tom = await create_user("Tom Twice")
    offer, start = await list_skill(tom), soon(100)
    asked = [await ask(await create_user(f"Lea {n}"), offer, start + timedelta(minutes=30 * n)) for n in range(2)]
    responses = await asyncio.gather(*(answer(tom, one, "accept") for one in asked))
    assert sorted(response.status_code for response in responses) == [200, 409]
    (refused,) = (response for response in responses if response.status_code == 409)
    assert refused.json()["error"]["code"] == "slot_taken"


async def test_accept_against_cancel_has_one_winner(create_user: CreateUser) -> None:
    lea, tom = await create_user("Lea Race"), await create_user("Tom Race")
    asked = await ask(lea, await list_skill(tom))
    accepted, canceled = await asyncio.gather(answer(tom, asked, "accept"), cancel(lea, asked))
    after = await _get(lea, asked)
    assert canceled.status_code == 200
    # Either the cancellation came first, or it canceled the confirmed session.
    assert after["status"] == "canceled"
    assert (accepted.status_code, after["startsAt"] is not None) in {(200, True), (409, False)}


async def _own_guru(database: Database, teacher: ApiUser, label: str) -> Any:
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, label, posts=0)
        conn.execute("DELETE FROM memberships WHERE tenant_id = %s", [guru.id])
        conn.execute("INSERT INTO memberships (tenant_id, user_id) VALUES (%s, %s)", [guru.id, teacher.user_id])
        return guru


def _blocks(database: Database, guru: Any) -> int:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute(
            "SELECT count(*) FROM appointments WHERE tenant_id = %s AND kind = 'exchange' AND starts_at > %s",
            [guru.id, clock.now()],
        ).fetchone()
        assert row is not None
        return int(row[0])


async def test_accepted_session_takes_time_in_site_calendar(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Site"), await create_user("Tom Site")
    guru = await _own_guru(database, tom, "tom-site")
    before = _blocks(database, guru)
    exchange = await accept(tom, await ask(lea, await list_skill(tom), soon(500)))
    assert _blocks(database, guru) == before + 1
    # Only the two people cancel it: the calendar leads to it, and does not remove its time.
    week = await tom.get("/api/guru/bookings/week", **{"from": exchange["startsAt"][:10]})
    assert ("exchange", exchange["id"]) in {(one["kind"], one["id"]) for one in week["sessions"]}
    blocks = await tom.get("/api/guru/blocks")
    assert exchange["id"] not in str(blocks)
    refused = await tom.request("DELETE", f"/api/guru/blocks/{exchange['id']}")
    assert refusal(refused) == (409, "session_with_neighbor")
    assert (await _get(lea, exchange))["status"] == "confirmed"
    assert (await cancel(lea, exchange)).status_code == 200
    assert _blocks(database, guru) == before


async def test_accept_in_busy_site_calendar_is_refused(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Busy"), await create_user("Tom Busy")
    await _own_guru(database, tom, "tom-busy")
    start = soon(600)
    asked = await ask(lea, await list_skill(tom), start)
    block = {
        "startsAt": ask_body("", start)["starts"][0],
        "endsAt": ask_body("", start + timedelta(hours=1))["starts"][0],
    }
    accepted, booked = await asyncio.gather(
        answer(tom, asked, "accept"), tom.request("POST", "/api/guru/blocks", json=block)
    )
    statuses = (accepted.status_code, booked.status_code)
    assert statuses in {(200, 409), (409, 201), (409, 200)}, (accepted.text, booked.text)
    if accepted.status_code == 409:
        assert accepted.json()["error"]["code"] == "calendar_busy"


async def test_unanswered_request_expires_once(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Waits"), await create_user("Tom Sleeps")
    asked = await ask(lea, await list_skill(tom))
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE exchanges SET expires_at = %s WHERE id = %s", [clock.now(), asked["id"]])
    late = await answer(tom, asked, "accept")
    assert (late.status_code, late.json()["error"]["code"]) == (409, "exchange_ended")
    for _ in range(2):
        process_due(service_job(database))
    assert (await _get(lea, asked))["status"] == "expired"
    assert [key for key, _, _ in await _emails(database, lea, asked)] == [f"exchange-{asked['id']}-expired-learner-1"]


async def test_risky_session_needs_a_waiver(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Brave"), await create_user("Tom Sawyer")
    asked = await ask(lea, await list_skill(tom, RISKY, "Owls out of trunks."))
    assert asked["risk"] in {"high", "extreme"}
    assert asked["waiverDue"]
    assert refusal(await answer(tom, asked, "accept")) == (409, "waiver_missing")
    times = ask_body("", soon(96))["starts"]
    assert (await answer(tom, asked, "counter", starts=times)).status_code == 200
    countered = await _get(lea, asked)
    assert refusal(await answer(lea, countered, "accept")) == (409, "waiver_required")
    accepted = await lea.request("POST", "/api/liability/waiver", json=_waiver(asked["offerId"]))
    assert accepted.status_code == 201, accepted.text
    exchange = await accept(lea, countered)
    assert not exchange["waiverDue"]
    assert await _remind(database, exchange, timedelta(days=2)) == []
    path = f"/api/liability/waivers/{accepted.json()['data']['waiverId']}/withdrawal"
    assert (await lea.request("POST", path)).status_code == 200
    due = await _get(tom, exchange)
    assert (due["status"], due["waiverDue"]) == ("confirmed", True)
    assert await _remind(database, exchange, timedelta(days=2)) == ["waiver_days-learner"]
    (text,) = [plain for key, _, plain in await _emails(database, lea, exchange) if "waiver_days" in key]
    assert "There is no liability waiver that is valid when this session starts." in text


async def test_risky_request_is_covered_by_waiver_of_listing(create_user: CreateUser) -> None:
    lea, tom = await create_user("Lea Careful"), await create_user("Tom Careful")
    offers = [await list_skill(tom, RISKY, "Bears."), await list_skill(tom, f"{RISKY} at night", "Owls.")]
    assert (await lea.request("POST", "/api/liability/waiver", json=_waiver(offers[0]))).status_code == 201
    assert [(await ask(lea, offer))["waiverDue"] for offer in offers] == [False, True]


async def test_unanswered_teacher_has_zone_of_profile(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Zoned"), await create_user("Tom Zoned")
    offer = await list_skill(tom)
    cells = cell_of(21.31, -157.86)
    location = {"user_id": tom.user_id, "tile": tile_of(*cells), "cell_lat": cells[0], "cell_lon": cells[1]}
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM user_locations WHERE user_id = %s", [tom.user_id])
        insert_row(conn, "user_locations", location)
    assert (await lea.get(f"/api/exchanges/offers/{offer}"))["teacherZone"] == "Pacific/Honolulu"
    asked = await ask(lea, offer)
    assert asked["teacherZone"] == "Pacific/Honolulu"
    ((_, _, plain),) = await _emails(database, tom, asked)
    assert "HST" in plain
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE profiles SET shows_location = false WHERE user_id = %s", [tom.user_id])
    assert (await ask(lea, offer))["teacherZone"] == ""


async def test_reminders_go_to_both_sides_once(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Reminded"), await create_user("Tom Reminded")
    with psycopg.connect(database.service_url) as conn:
        conn.execute("INSERT INTO email_settings (user_id, kind, is_on) VALUES (%s, 'reminders', false)", [tom.user_id])
    exchange = await accept(tom, await ask(lea, await list_skill(tom)))
    assert await _remind(database, exchange, timedelta(days=1)) == ["day_before-learner", "day_before-teacher"]
    assert await _remind(database, exchange, timedelta(hours=2)) == ["soon-learner", "soon-teacher"]
    assert await _remind(database, exchange, timedelta(hours=1)) == []
    subjects = {subject for key, subject, _ in await _emails(database, lea, exchange) if "confirmed" not in key}
    assert subjects == {
        "Coming up: your session with Tom Reminded: Sourdough baking",
        "Starting soon: your session with Tom Reminded: Sourdough baking",
    }
    assert not [key for key, _, _ in await _emails(database, tom, exchange) if "soon" in key], "they turned them off"


async def _remind(database: Database, exchange: dict[str, Any], before: timedelta) -> list[str]:
    """Let the session start after a time, run the minute's job twice, and return the reminders that it queued."""
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT args ->> 'kind', args ->> 'user_id' FROM jobs.procrastinate_jobs WHERE status = 'todo'"
        await do_jobs(database)
        conn.execute(
            "UPDATE exchanges SET starts_at = %(start)s, ends_at = %(start)s + interval '1 hour', proposals = ARRAY["
            "%(start)s], remind_at = %(start)s - %(before)s WHERE id = %(id)s",
            {"start": clock.now() + before, "before": before, "id": exchange["id"]},
        )
        conn.commit()
        for _ in range(2):
            process_due(service_job(database))
        row = conn.execute("SELECT teacher_id FROM exchanges WHERE id = %s", [exchange["id"]]).fetchone()
        assert row is not None
        found = conn.execute(query + " AND args ->> 'exchange_id' = %s", [exchange["id"]]).fetchall()
        return sorted(f"{kind}-{'teacher' if user == str(row[0]) else 'learner'}" for kind, user in found)


async def test_stranger_finds_no_exchange(create_user: CreateUser) -> None:
    lea, tom, eve = [await create_user(name) for name in ("Lea Own", "Tom Own", "Eve Else")]
    asked = await ask(lea, await list_skill(tom))
    assert (await eve.request("GET", f"/api/exchanges/{asked['id']}")).status_code == 404
    assert (await answer(eve, asked, "accept")).status_code == 404
    assert (await cancel(eve, asked)).status_code == 404
    assert (await eve.get("/api/exchanges", when="waiting"))["exchanges"] == []


async def test_deleted_account_ends_exchange_without_words(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Leaves"), await create_user("Tom Stays")
    exchange = await accept(tom, await ask(lea, await list_skill(tom), note="My secret plan"))
    exported = await lea.request("GET", "/api/auth/export")
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        assert "My secret plan" in archive.read("exchanges.json").decode()
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", [lea.user_id])
    after = await _get(tom, exchange)
    assert (after["status"], after["note"], after["neighbor"]["name"]) == ("canceled", "", "A former neighbor")
    assert any("-canceled-teacher-" in key for key, _, _ in await _emails(database, tom, exchange))
