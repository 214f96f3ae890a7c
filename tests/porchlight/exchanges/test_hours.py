"""Hours, swaps and free help through the API: recorded, confirmed, objected to, settled and taken back."""

from __future__ import annotations

import asyncio
import csv
import io
import zipfile
from typing import Any

import psycopg

from porchlight.features.exchanges.jobs import process_due
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs, service_job
from tests.fixtures.refusals import refusal
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.exchanges.hours import (
    confirm,
    end_session,
    expire_record,
    hours_of,
    list_for,
    past_session,
    record,
    reverse,
    seed_settled,
)
from tests.porchlight.exchanges.people import accept, answer, ask, ask_body, cancel, soon
from tests.porchlight.factories import seed_user
from tests.porchlight.money.ledger import ledger_errors
from tests.porchlight.named_users import CreateUser


async def _get(user: ApiUser, exchange: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = await user.get(f"/api/exchanges/{exchange['id']}")
    return data


def _give(database: Database, person: ApiUser, minutes: int, title: str = "Baking") -> None:
    """Let a person have earned hours, and the lower floor with them."""
    with psycopg.connect(database.superuser_url) as conn:
        while minutes > 0:
            row = seed_settled(conn, person.user_id, seed_user(conn), min(minutes, 180))
            conn.execute("UPDATE exchanges SET skill = %s WHERE id = %s", [title, row])
            minutes -= 180


async def _kinds(database: Database, user: ApiUser, exchange: dict[str, Any]) -> list[str]:
    await do_jobs(database)
    with psycopg.connect(database.service_url) as conn:
        rows = conn.execute(
            "SELECT key FROM dev_mailbox WHERE recipient = %s AND key LIKE %s ORDER BY sent_at, id",
            [user.email, f"exchange-{exchange['id']}-%"],
        ).fetchall()
    prefix = f"exchange-{exchange['id']}-"
    return [str(key).removeprefix(prefix).rsplit("-", 2)[0] for (key,) in rows]


async def test_confirmed_time_moves_hours_at_once(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Hours"), await create_user("Tom Hours")
    session = await past_session(database, tom, lea)
    assert (session["mode"], session["time"]["canRecord"]) == ("hours", True)
    assert hours_of(database, lea.user_id) == (0, 60, -180)
    recorded = await record(tom, session, 90, words="We did the rye, too")
    assert recorded.status_code == 200, recorded.text
    assert hours_of(database, lea.user_id) == (0, 90, -180), "what was recorded is held"
    seen = await _get(lea, session)
    assert (seen["time"]["state"], seen["time"]["minutes"], seen["time"]["canAnswer"]) == ("recorded", 90, True)
    assert (seen["status"], seen["reply"]) == ("completed", "We did the rye, too")
    assert await _kinds(database, lea, session) == ["recorded"]
    settled = (await confirm(lea, session)).json()["data"]
    assert (settled["time"]["state"], settled["time"]["settleBy"]) == ("settled", None)
    assert hours_of(database, lea.user_id) == (-90, 0, -180)
    assert hours_of(database, tom.user_id)[:2] == (90, 0)
    assert (await tom.get("/api/hours"))["hours"] == {"balance": 90, "reserved": 0, "floor": -600}
    assert await _kinds(database, lea, session) == ["recorded", "settled"]
    assert (await _kinds(database, tom, session))[-1] == "settled"


async def test_unanswered_record_settles_after_72_hours(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Quiet"), await create_user("Tom Quiet")
    session = await past_session(database, tom, lea)
    assert (await record(tom, session, 60)).status_code == 200
    process_due(service_job(database))
    assert hours_of(database, tom.user_id)[0] == 0
    expire_record(database, session)
    assert refusal(await record(lea, session, 30, 1)) == (409, "objection_ended")
    for _ in range(2):
        process_due(service_job(database))
    assert hours_of(database, tom.user_id)[0] == 60
    assert (await _kinds(database, lea, session)).count("settled") == 1
    with psycopg.connect(database.superuser_url) as conn:
        assert ledger_errors(conn) == {}


async def test_unrecorded_session_moves_nothing(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Unrecorded"), await create_user("Tom Unrecorded")
    session = await past_session(database, tom, lea)
    assert hours_of(database, lea.user_id)[1] == 60
    expire_record(database, session)
    for _ in range(2):
        process_due(service_job(database))
    after = await _get(lea, session)
    assert (after["status"], after["time"]["state"]) == ("completed", "unsettled")
    assert hours_of(database, lea.user_id)[:2] == (0, 0)
    assert "not_recorded" in await _kinds(database, tom, session)
    assert refusal(await record(tom, session, 60)) == (409, "record_ended")


async def test_objection_names_minutes_for_three_rounds(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Objects"), await create_user("Tom Objects")
    session = await past_session(database, tom, lea)
    assert (await record(tom, session, 120)).status_code == 200
    assert (await record(lea, session, 45, 1, "You left early")).status_code == 200
    seen = await _get(tom, session)
    assert (seen["time"]["minutes"], seen["time"]["by"], seen["reply"]) == (45, "learner", "You left early")
    assert (await _kinds(database, tom, session))[-1] == "objected"
    assert refusal(await confirm(tom, session, 1)) == (409, "exchange_changed"), "not what is recorded now"
    assert (await record(tom, session, 90, 2)).status_code == 200
    last = await record(lea, session, 45, 3)
    assert last.json()["data"]["time"]["state"] == "unsettled"
    assert hours_of(database, lea.user_id)[:2] == (0, 0)
    assert (await _kinds(database, lea, session))[-1] == "unsettled"


async def test_session_that_did_not_take_place_moves_nothing(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Missed"), await create_user("Tom Missed")
    session = await past_session(database, tom, lea)
    assert (await record(tom, session, 0)).status_code == 200
    assert (await confirm(lea, session)).json()["data"]["time"]["state"] == "settled"
    assert hours_of(database, lea.user_id)[:2] == (0, 0)
    assert not (await _get(lea, session))["time"]["canReverse"]


async def test_steps_sent_twice_post_once(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Twice"), await create_user("Tom Twice")
    session = await past_session(database, tom, lea)
    recorded = await asyncio.gather(*(record(tom, session, 60) for _ in range(3)))
    assert {one.status_code for one in recorded} == {200}
    assert await _kinds(database, lea, session) == ["recorded"]
    confirmed = await asyncio.gather(*(confirm(lea, session) for _ in range(3)))
    assert {one.status_code for one in confirmed} == {200}
    assert hours_of(database, tom.user_id)[0] == 60
    for _ in range(2):
        assert (await reverse(lea, session)).status_code == 200
    back = await asyncio.gather(*(reverse(tom, session) for _ in range(3)))
    assert {one.status_code for one in back} == {200}
    assert hours_of(database, tom.user_id)[0] == 0
    assert await _kinds(database, lea, session) == ["recorded", "reversed"]


async def test_confirmation_against_objection_has_one_winner(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Tabs"), await create_user("Tom Tabs")
    session = await past_session(database, tom, lea)
    assert (await record(tom, session, 60)).status_code == 200
    confirmed, objected = await asyncio.gather(confirm(lea, session), record(lea, session, 15, 1))
    state = (await _get(lea, session))["time"]["state"]
    assert (confirmed.status_code, objected.status_code, state) in {(200, 409, "settled"), (409, 200, "recorded")}
    assert hours_of(database, tom.user_id)[0] == (60 if state == "settled" else 0)


async def test_settled_hours_are_taken_back_by_both(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Back"), await create_user("Tom Back")
    session = await past_session(database, tom, lea)
    await record(tom, session, 60)
    await confirm(lea, session)
    asked = (await reverse(tom, session)).json()["data"]
    assert (asked["time"]["state"], asked["time"]["reversalBy"]) == ("settled", "teacher")
    assert hours_of(database, tom.user_id)[0] == 60, "one side alone takes nothing back"
    assert (await reverse(lea, session, wanted=False)).json()["data"]["time"]["reversalBy"] == ""
    await reverse(tom, session)
    assert (await reverse(lea, session)).json()["data"]["time"]["state"] == "reversed"
    assert hours_of(database, tom.user_id)[0] == hours_of(database, lea.user_id)[0] == 0
    lines = (await lea.get("/api/hours/statement"))["lines"]
    assert [(one["description"], one["minutes"], one["balanceAfter"]) for one in lines] == [
        ("Hours returned to you", 60, 0), ("You learned", -60, -60),
    ]  # fmt: skip


async def test_floor_is_refused_in_words(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Floor"), await create_user("Tom Floor")
    offer = await list_for(tom, "hours", "swap")
    refused = await lea.request("POST", "/api/exchanges", json=ask_body(offer, mode="hours", minutes=240))
    assert refusal(refused) == (409, "hours_floor")
    assert refused.json()["error"]["message"] == "This would take you to -4 h. The lowest is -3 h."
    # Each request alone is within the floor; the second agreement would pass it.
    first = await ask(lea, offer, soon(72), mode="hours", minutes=120)
    second = await ask(lea, offer, soon(96), mode="hours", minutes=120)
    await accept(tom, first)
    assert (await lea.get(f"/api/exchanges/offers/{offer}"))["hours"] == {"balance": 0, "reserved": 120, "floor": -180}
    late = await answer(tom, second, "accept")
    assert refusal(late) == (409, "hours_floor")
    assert late.json()["error"]["message"] == "Your neighbor doesn't have enough hours left for this."
    assert (await cancel(lea, first)).status_code == 200
    assert hours_of(database, lea.user_id)[:2] == (0, 0)
    assert (await answer(tom, second, "accept")).status_code == 200


async def test_floor_falls_after_a_first_session_given(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Earns"), await create_user("Tom Earns")
    session = await past_session(database, lea, tom, "free")
    await record(lea, session, 15)
    assert (await lea.get("/api/hours"))["hours"]["floor"] == -180
    await confirm(tom, session)
    assert (await lea.get("/api/hours"))["hours"]["floor"] == -600
    assert (await tom.get("/api/hours"))["hours"]["floor"] == -180, "they took, and gave nothing yet"
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("UPDATE users SET email_verified = false WHERE user_id = %s", [lea.user_id])
    assert (await lea.get("/api/hours"))["hours"]["floor"] == -180
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("UPDATE users SET email_verified = true WHERE user_id = %s", [lea.user_id])
    await accept(tom, await ask(lea, await list_for(tom, "hours", title="Rye"), mode="hours", minutes=240))
    assert hours_of(database, lea.user_id) == (0, 240, -600)


async def test_ceiling_is_refused_in_words(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Full"), await create_user("Tom Full")
    with psycopg.connect(database.superuser_url) as conn:
        for _ in range(33):
            seed_settled(conn, tom.user_id, seed_user(conn), 180)
    assert hours_of(database, tom.user_id)[0] == 5940
    offer = await list_for(tom, "hours")
    await accept(tom, await ask(lea, offer, mode="hours"))
    refused = await lea.request("POST", "/api/exchanges", json=ask_body(offer, soon(96), mode="hours", minutes=30))
    assert refusal(refused) == (409, "hours_full")


async def test_pair_exchanges_eight_hours_a_week(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Week"), await create_user("Tom Week")
    _give(database, lea, 480)
    offer = await list_for(tom, "hours")
    for hours in (25, 30):  # Thursday of the suite's week
        await accept(tom, await ask(lea, offer, soon(hours), mode="hours", minutes=240))
    body = ask_body(offer, soon(36), mode="hours", minutes=30)
    assert refusal(await lea.request("POST", "/api/exchanges", json=body)) == (409, "hours_week")
    assert (await lea.request("POST", "/api/exchanges", json=ask_body(offer, soon(36), mode="hours", minutes=30) | {
        "starts": ask_body(offer, soon(25 + 7 * 24))["starts"]
    })).status_code == 201  # fmt: skip


async def test_mode_comes_from_the_listing_and_stays(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Mode"), await create_user("Tom Mode")
    offer = await list_for(tom, "free", "hours")
    assert (await lea.get(f"/api/exchanges/offers/{offer}"))["modes"] == ["hours", "free"]
    refused = await lea.request("POST", "/api/exchanges", json=ask_body(offer, mode="swap"))
    assert refused.status_code == 422
    odd = await lea.request("POST", "/api/exchanges", json=ask_body(offer, mode="free", minutes=50))
    assert "quarter hours" in odd.text
    asked = await ask(lea, offer, mode="free")
    assert (await _get(tom, asked))["mode"] == "free"
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE skill_offers SET terms = '{swap}' WHERE id = %s", [offer])
    assert (await accept(tom, asked))["mode"] == "free"


async def test_swap_says_who_owes_whom(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Swaps"), await create_user("Tom Swaps")
    for teacher, learner, minutes in ((tom, lea, 180), (lea, tom, 60)):
        session = await past_session(database, teacher, learner, "swap")
        await record(teacher, session, minutes)
        await confirm(learner, session)
    (mine,), (theirs,) = [(await user.get("/api/hours"))["swaps"] for user in (lea, tom)]
    assert (mine["neighbor"], mine["minutes"]) == ("Tom Swaps", -120)
    assert (theirs["neighbor"], theirs["minutes"]) == ("Lea Swaps", 120)
    assert (await lea.get("/api/hours"))["hours"]["balance"] == 0
    await reverse(tom, session)
    await reverse(lea, session)
    assert [one["minutes"] for one in (await lea.get("/api/hours"))["swaps"]] == [-180]


async def test_free_help_is_counted_and_never_spent(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Free"), await create_user("Tom Free")
    session = await past_session(database, tom, lea, "free")
    await record(tom, session, 120)
    await confirm(lea, session)
    assert (await tom.get("/api/hours"))["free"] == {"given": 120, "received": 0}
    assert (await lea.get("/api/hours"))["free"] == {"given": 0, "received": 120}
    assert (await tom.get("/api/hours"))["hours"]["balance"] == 0


async def test_third_person_sees_and_changes_nothing(create_user: CreateUser, database: Database) -> None:
    lea, tom, eve = [await create_user(name) for name in ("Lea Third", "Tom Third", "Eve Third")]
    session = await past_session(database, tom, lea)
    for response in (await record(eve, session, 60), await confirm(eve, session), await reverse(eve, session)):
        assert response.status_code == 404
    await record(tom, session, 60)
    await confirm(lea, session)
    assert await eve.get("/api/hours") == {
        "hours": {"balance": 0, "reserved": 0, "floor": -180}, "swaps": [], "free": {"given": 0, "received": 0},
    }  # fmt: skip
    assert (await eve.get("/api/hours/statement"))["lines"] == []


async def test_statement_has_pages_and_an_inert_file(create_user: CreateUser, database: Database) -> None:
    tom = await create_user("Tom Statement")
    for number in range(52):
        _give(database, tom, 15, f"=HYPERLINK({number})")
    first = await tom.get("/api/hours/statement")
    assert [one["number"] for one in first["lines"]] == list(range(52, 2, -1))
    rest = await tom.get("/api/hours/statement", cursor=first["nextCursor"])
    assert [(one["number"], one["balanceAfter"]) for one in rest["lines"]] == [(2, 30), (1, 15)]
    assert rest["nextCursor"] is None
    refused = await tom.request("GET", "/api/hours/statement", params={"cursor": "x"})
    assert refused.status_code == 422
    file = await tom.request("GET", "/api/hours/statement.csv")
    rows = list(csv.reader(io.StringIO(file.content.decode("utf-8-sig"))))
    assert rows[0][-1] == "Balance (min)"
    assert (rows[1][1:3], rows[1][4:]) == (["You taught", "'=HYPERLINK(51)"], ["15", "", "780"])
    assert "$" not in file.text


async def test_export_contains_the_hours_statement(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Export"), await create_user("Tom Export")
    session = await past_session(database, tom, lea)
    await record(tom, session, 60)
    await confirm(lea, session)
    exported = await tom.request("GET", "/api/auth/export")
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        text = archive.read("exchanges.json").decode()
    assert '"recorded_minutes": 60' in text.replace('":60', '": 60')


async def test_deleted_account_leaves_sums_of_zero(create_user: CreateUser, database: Database) -> None:
    lea, tom, ann = [await create_user(name) for name in ("Lea Gone", "Tom Left", "Ann Left")]
    _give(database, lea, 120)
    learning = await accept(tom, await ask(lea, await list_for(tom, "hours"), mode="hours"))
    open_record = await past_session(database, lea, ann)
    await record(lea, open_record, 60)
    assert hours_of(database, ann.user_id)[1] == 60
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", [lea.user_id])
    assert hours_of(database, lea.user_id)[:2] == hours_of(database, ann.user_id)[:2] == (0, 0)
    assert (await _get(tom, learning))["status"] == "canceled"
    after = await _get(ann, open_record)
    assert (after["time"]["state"], after["time"]["settleBy"]) == ("unsettled", None)
    assert "not_recorded" in await _kinds(database, ann, open_record)
    with psycopg.connect(database.superuser_url) as conn:
        assert ledger_errors(conn) == {}


async def test_late_session_is_ended_before_it_is_recorded(create_user: CreateUser, database: Database) -> None:
    lea, tom = await create_user("Lea Early"), await create_user("Tom Early")
    session = await accept(tom, await ask(lea, await list_for(tom, "swap"), mode="swap"))
    assert refusal(await record(tom, session, 60)) == (409, "exchange_not_over")
    end_session(database, session)
    assert refusal(await record(lea, session, 60)) == (409, "exchange_changed"), "the teacher records first"
    assert (await record(tom, session, 50)).status_code == 422
