"""A waiver covers the people it names: each participant of a session has their own, or one by their guardian."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.features.bookings import deadlines
from porchlight.features.waivers.audit import audit_fault
from porchlight.features.waivers.keys import waiver_keyring
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import create_settings
from tests.porchlight.bookings.api import CreateUser, NewGuru, code, execute, free_starts, hold, post_booking
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.parties import (
    GUARDIAN,
    LINK,
    RISKY,
    SELF,
    book_party,
    covered,
    hold_party,
    link_of,
    sign,
    sign_link,
)
from tests.porchlight.bookings.sessions import erase_bookings


async def booking_now(user: ApiUser, booked: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = await user.get(f"/api/bookings/{booked['id']}")
    return found


async def test_own_waiver_covers_no_other_participant(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Ada Neighbor")
    await sign(user, guru)
    booked = await book_party(user, web, guru, {"Ada Neighbor": SELF, "Theo Barnes": LINK})
    assert covered(booked) == {"Ada Neighbor": True, "Theo Barnes": False}
    assert (booked["waiverDue"], booked["waiverUntil"]) == (True, None)
    link = await link_of(user, booked, 2)
    assert (await sign_link(web, guru, link)).status_code == 201
    found = await booking_now(user, booked)
    assert (covered(found), found["waiverDue"]) == ({"Ada Neighbor": True, "Theo Barnes": True}, False)
    assert found["people"][1]["signedBy"] == "Theo Barnes"


async def test_guardians_waiver_is_for_that_minor_only(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Parent Pat")
    await sign(user, guru, minor="Mia Barnes")
    token = await hold_party(user, web, guru, 2)
    need = (await user.get(f"/api/holds/{token}"))["waiver"]
    assert (need["validUntil"], [one["name"] for one in need["minors"]]) == (None, ["Mia Barnes"])
    alone = await hold(user, guru, (await free_starts(web, guru))[-20])
    refused = await post_booking(user, alone)
    assert code(refused) == "waiver_required"
    names = ["Mia Barnes", "Noah Barnes"]
    refused = await post_booking(user, token, participants=names, signers=[GUARDIAN, GUARDIAN])
    assert (code(refused), "Noah Barnes" in refused.json()["error"]["message"]) == ("waiver_required", True)
    await sign(user, guru, minor="Noah  Barnes")
    booked = await post_booking(user, token, participants=["mia barnes", names[1]], signers=[GUARDIAN, GUARDIAN])
    assert (booked.status_code, booked.json()["data"]["waiverDue"]) == (201, False)


async def test_child_comes_alone_with_the_guardians_signature(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Parent Pia")
    await sign(user, guru, minor="Lea")
    booked = await book_party(user, web, guru, {"Lea": GUARDIAN})
    assert (covered(booked), booked["people"][0]["signedBy"]) == ({"Lea": True}, "Ada Neighbor")


async def test_booking_for_others_needs_no_waiver_of_the_booker(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Giving Gil")
    booked = await book_party(user, web, guru, {"Theo Barnes": LINK})
    assert (booked["waiverLevel"], booked["waiverId"], booked["waiverDue"]) == ("high", None, True)
    assert (await sign_link(web, guru, await link_of(user, booked, 1))).status_code == 201
    assert (await booking_now(user, booked))["waiverDue"] is False


@pytest.mark.parametrize(
    "changes",
    [
        {"participants": []},
        {"participants": ["One", "Two"], "signers": [SELF, SELF, LINK]},
        {"participants": ["One", "Two", "Three"], "signers": [SELF, SELF, LINK]},
        {"participants": ["One", "Two", "two "], "signers": [SELF, GUARDIAN, GUARDIAN]},
        {"participants": ["One", "Zoë", "Zoe"], "signers": [SELF, GUARDIAN, GUARDIAN]},
    ],
    ids=["unnamed", "too few names", "self twice", "same child twice", "same child but for an accent"],
)
async def test_booking_names_everyone_who_needs_a_waiver(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, changes: dict[str, Any]
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Naming Nia")
    await sign(user, guru)
    for minor in ("Two", "Zoe"):
        await sign(user, guru, minor=minor)
    response = await post_booking(user, await hold_party(user, web, guru, 3), **changes)
    assert (response.status_code, code(response)) == (422, "validation_failed")
    assert response.json()["error"]["fields"]


async def test_names_without_signers_are_the_booker_and_links(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Ada Neighbor")
    await sign(user, guru)
    older = await post_booking(user, await hold_party(user, web, guru, 3), participants=["Bo", "Cy"])
    assert [(one["name"], one["signer"]) for one in older.json()["data"]["people"]] == [
        ("Ada Neighbor", "self"),
        ("Bo", "link"),
        ("Cy", "link"),
    ]


async def test_session_without_need_keeps_names_optional(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(party_max=4, capacity=6), await create_user("Easy Eve")
    booked = await post_booking(user, await hold_party(user, web, guru, 3))
    assert (booked.status_code, booked.json()["data"]["people"]) == (201, [])


async def test_link_shows_what_the_signer_needs_and_no_more(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Ada Neighbor")
    await sign(user, guru)
    booked = await book_party(
        user, web, guru, {"Ada Neighbor": SELF, "Theo Barnes": {**LINK, "email": "t@example.com"}}
    )
    response = await web.get(f"/api/liability/links/{await link_of(user, booked, 2)}")
    assert response.headers["cache-control"] == "no-store"
    data = response.json()["data"]
    assert (data["name"], data["bookerName"], data["level"], data["signed"]) == (
        "Theo Barnes",
        "Ada Neighbor",
        "high",
        False,
    )
    assert set(data) == {
        *("name", "bookerName", "guruLabel", "guruName", "serviceId", "serviceName", "startsAt", "endsAt", "zone"),
        *("level", "reasons", "signed", "canSignFrom"),
    }


async def test_unknown_changed_and_ended_links_are_alike(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Link Lin")
    booked = await book_party(user, web, guru, {"Theo Barnes": {**LINK, "email": "wrong@example.com"}})
    wrong = await link_of(user, booked, 1)
    right = await link_of(user, booked, 1, "right@example.com")
    assert wrong != right
    assert (await link_of(user, booked, 1, "right@example.com")) == right
    path = f"/api/bookings/{booked['id']}/cancellation"
    other_token = right[:22] + right[41:21:-1] + right[42]  # of the same guru
    for link in (wrong, "x", "A" * 43, other_token):
        assert (await web.get(f"/api/liability/links/{link}")).status_code == 404, link
        assert (await sign_link(web, guru, link)).status_code == 404, link
    assert (await web.get(f"/api/liability/links/{right}")).status_code == 200
    terms = (await booking_now(user, booked))["terms"]["digest"]
    assert (await user.request("POST", path, json={"termsDigest": terms})).is_success
    assert (await web.get(f"/api/liability/links/{right}")).status_code == 404


async def test_guardian_with_a_link_signs_for_that_minor_only(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Aunt Ann")
    booked = await book_party(user, web, guru, {"Lea Barnes": LINK})
    signed = await sign_link(web, guru, await link_of(user, booked, 1), guardian=True)
    assert signed.status_code == 201
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT record::jsonb -> 'participant', record::jsonb ->> 'signedWith' FROM waivers WHERE id = %s"
        row = conn.execute(query, [signed.json()["data"]["waiverId"]]).fetchone()
        keys = waiver_keyring(create_settings(database)).public_keys
        assert audit_fault(conn, keys) is None  # the hash chain holds
    assert row == ({"name": "Lea Barnes", "signedBy": "guardian"}, "personalLink")


async def test_signature_with_a_link_needs_a_name_level_and_service(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, other, user = new_guru(**RISKY), new_guru(**RISKY), await create_user("Strict Sia")
    booked = await book_party(user, web, guru, {"Theo Barnes": LINK})
    link = await link_of(user, booked, 1)
    assert code(await sign_link(web, guru, link, signature=None)) == "validation_failed"
    assert code(await sign_link(web, guru, link, riskLevel="low")) == "waiver_level_changed"
    assert code(await sign_link(web, other, link)) == "not_found"
    assert code(await sign_link(web, guru, link, emergencyContact=None)) == "validation_failed"
    assert (await booking_now(user, booked))["waiverDue"] is True


async def test_two_signatures_with_one_link_store_one_waiver(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Racing Ray")
    booked = await book_party(user, web, guru, {"Theo Barnes": LINK})
    link = await link_of(user, booked, 1)
    responses = await asyncio.gather(*(sign_link(web, guru, link, guardian=number % 2 == 0) for number in range(6)))
    assert sorted(response.status_code for response in responses) == [201, 409, 409, 409, 409, 409]
    assert {code(one) for one in responses if one.status_code == 409} == {"already_signed"}
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT count(*) FROM waivers WHERE guru_id = %s"
        assert conn.execute(query, [guru.id]).fetchone() == (1,)


async def test_signature_sent_again_returns_the_same_waiver(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Again Ari")
    booked = await book_party(user, web, guru, {"Theo Barnes": LINK})
    link = await link_of(user, booked, 1)
    first, second = [await sign_link(web, guru, link, key="attempt-1") for _ in range(2)]
    assert (first.status_code, first.json()) == (201, second.json())
    receipt = await web.get(first.json()["data"]["receipt"])
    assert (receipt.status_code, receipt.headers["content-type"]) == (200, "application/zip")
    forged = first.json()["data"]["receipt"][:-4] + "AAAA"
    assert (await web.get(forged)).status_code == 404


async def test_series_has_one_link_per_person_for_all_sessions(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Ada Neighbor")
    await sign(user, guru)
    starts = await free_starts(web, guru, days=20)
    token = await hold(user, guru, starts[-1], party=2)
    digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
    body = {
        "hold": token,
        "name": "Ada Neighbor",
        "policyDigest": digest,
        "starts": [starts[-30], starts[-60]],
        "participants": ["Ada Neighbor", "Theo Barnes"],
        "signers": [SELF, LINK],
    }
    series = (await user.request("POST", "/api/bookings/series", json=body)).json()["data"]["bookings"]
    assert [covered(one) for one in series] == [{"Ada Neighbor": True, "Theo Barnes": False}] * 3
    links = {await link_of(user, one, 2) for one in series}
    assert len(links) == 1
    assert (await sign_link(web, guru, links.pop())).status_code == 201
    assert [(await booking_now(user, one))["waiverDue"] for one in series] == [False] * 3


async def test_guru_sees_who_is_covered_and_reminds(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Ada Neighbor")
    owner, other_owner = await create_user("Owner Ola"), await create_user("Other Oz")
    with psycopg.connect(database.service_url) as conn:
        for tenant, member in ((guru, owner), (new_guru(), other_owner)):
            conn.execute("UPDATE memberships SET user_id = %s WHERE tenant_id = %s", [member.user_id, tenant.id])
    await sign(user, guru)
    booked = await book_party(
        user, web, guru, {"Ada Neighbor": SELF, "Theo": {**LINK, "email": "theo@example.com"}, "Bo": LINK}
    )
    seen = await owner.get(f"/api/guru/bookings/{booked['id']}")
    assert [(one["name"], one["covered"], one["email"], one["canSend"]) for one in seen["people"]] == [
        ("Ada Neighbor", True, "", False),
        ("Theo", False, "", True),
        ("Bo", False, "", False),
    ]
    path = f"/api/guru/bookings/{booked['id']}/participants/"
    assert (await owner.request("POST", f"{path}2/link")).status_code == 200
    assert code(await owner.request("POST", f"{path}3/link")) == "link_closed"
    assert code(await owner.request("POST", f"{path}1/link")) == "not_found"
    assert code(await owner.request("POST", f"{path}99999999999/link")) == "not_found"
    for stranger in (user, other_owner):
        assert code(await stranger.request("POST", f"{path}2/link")) == "not_found"


async def test_links_of_others_bookings_are_unknown(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user, other = new_guru(**RISKY), await create_user("Mine Mo"), await create_user("Nosy Nat")
    booked = await book_party(user, web, guru, {"Theo Barnes": LINK})
    path = f"/api/bookings/{booked['id']}/participants/1/link"
    assert code(await other.request("POST", path, json={})) == "not_found"
    assert code(await user.request("POST", path, json={"email": "not an address"})) == "validation_failed"


async def test_withdrawn_waiver_uncovers_its_minor_only(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Ada Neighbor")
    await sign(user, guru)
    signed = await sign(user, guru, minor="Mia")
    booked = await book_party(user, web, guru, {"Ada Neighbor": SELF, "Mia": GUARDIAN})
    path = f"/api/liability/waivers/{signed['waiverId']}/withdrawal"
    assert (await user.request("POST", path)).is_success
    found = await booking_now(user, booked)
    assert (covered(found), found["waiverDue"]) == ({"Ada Neighbor": True, "Mia": False}, True)
    await sign(user, guru, minor="MIA")
    assert (await booking_now(user, booked))["waiverDue"] is False


async def test_deleted_booker_leaves_no_names_of_others(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Gone Gus")
    booked = await book_party(user, web, guru, {"Theo Barnes": {**LINK, "email": "theo@example.com"}})
    link = await link_of(user, booked, 1)
    erase_bookings(database, guru, user.user_id)
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT name, email, token FROM participants WHERE booking_id = %s"
        assert conn.execute(query, [booked["id"]]).fetchall() == [("", "", None)]
    assert (await web.get(f"/api/liability/links/{link}")).status_code == 404


async def test_guru_sees_the_contact_of_each_participant(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user, owner = new_guru(**RISKY), await create_user("Ada Neighbor"), await create_user("Contact Cy")
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE memberships SET user_id = %s WHERE tenant_id = %s", [owner.user_id, guru.id])
    await sign(user, guru)
    await sign(user, guru, minor="Mia")
    people = {"Ada Neighbor": SELF, "Mia": GUARDIAN, "Theo": LINK, "Bo": LINK}
    booked = await book_party(user, web, guru, people)
    contact = {"name": "Nina", "phone": "+1 303 555 0111", "relationship": ""}
    link = await link_of(user, booked, 3)
    assert (await sign_link(web, guru, link, emergencyContact=contact)).status_code == 201
    soon = "UPDATE bookings SET starts_at = app.now() + interval '1 hour', ends_at = app.now() + interval '2 hours'"
    execute(database, f"{soon} WHERE id = %s", booked["id"])
    seen = await owner.get(f"/api/guru/bookings/{booked['id']}/emergency-contact")
    assert [(one["participantName"], one["name"]) for one in seen["participants"]] == [
        ("Ada Neighbor", "Maria"),
        ("Mia", "Maria"),
        ("Theo", "Nina"),
    ]


async def test_waiver_reminder_names_who_still_signs(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Ada Neighbor")
    await sign(user, guru)
    booked = await book_party(user, web, guru, {"Ada Neighbor": SELF, "Theo Barnes": LINK, "Mia Park": LINK})
    await do_jobs(database)
    await sign_link(web, guru, await link_of(user, booked, 3))
    execute(
        database,
        "INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)"
        " SELECT tenant_id, id, 'waiver_days', 'person', sequence, person_id, app.now() FROM bookings WHERE id = %s",
        UUID(booked["id"]),
    )
    deadlines.queue_due_emails(database.service_url)
    await do_jobs(database)
    sent = emails(database, UUID(booked["id"]))["waiver_days", "person"]
    assert "Still to sign: Theo Barnes\n" in sent["plain"]
    assert "Mia Park" not in sent["plain"].partition("Still to sign:")[2].partition("\n")[0]
