"""The guru's answer for a service to what people bring to a session, which each hold copies."""

from __future__ import annotations

from uuid import UUID

import httpx
import icalendar

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.bookings.api import CreateUser, NewGuru, free_starts, hold, post_booking
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.sessions import create_owner
from tests.porchlight.hours.calendar_calls import BOOKING, revision, set_booking
from tests.porchlight.owner import GuruOwner

MAT = "A <b>mat</b> & water.\nWarm socks."


def description(calendar: bytes | str) -> str:
    (event,) = icalendar.Calendar.from_ical(calendar).events
    return str(event["DESCRIPTION"])


async def test_bring_is_kept_when_its_service_changes(
    app: Porchlight,
    web: httpx.AsyncClient,
    signer: Signer,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
) -> None:
    owner = await create_owner(app, web, signer, database, new_guru())
    assert (await set_booking(owner, bring=f" {MAT}\n "))["bring"] == MAT
    starts, ada = await free_starts(web, owner.guru), await create_user("Ada Neighbor")
    token = await hold(web, owner.guru, starts[0])
    assert (await set_booking(owner, bring="Nothing."))["bring"] == "Nothing."
    # A visitor sees it before they sign in, and no other service has it.
    assert (await web.get(f"/api/holds/{token}")).json()["data"]["bring"] == MAT
    other = new_guru()
    held = await hold(web, other, (await free_starts(web, other))[0])
    assert (await web.get(f"/api/holds/{held}")).json()["data"]["bring"] == ""
    booked = (await post_booking(ada, token)).json()["data"]
    later = await hold(ada, owner.guru, starts[5])
    assert (await ada.get(f"/api/holds/{later}"))["bring"] == "Nothing."
    await set_booking(owner)
    assert (await ada.get(f"/api/bookings/{booked['id']}"))["bring"] == booked["bring"] == MAT
    await do_jobs(database)
    sent = emails(database, UUID(booked["id"]))
    for side in ("person", "guru"):
        assert f"Bring: {MAT}" in sent["booked", side]["plain"]
        assert "A &lt;b&gt;mat&lt;/b&gt; &amp; water." in sent["booked", side]["html"]
    file = await ada.request("GET", f"/api/bookings/{booked['id']}/session.ics")
    for calendar in (file.content, sent["booked", "person"]["invitation"]):
        assert description(calendar).startswith(f"Bring: {MAT}\n\nTo move or cancel")
    assert "Bring" not in description(sent["booked", "guru"]["invitation"])
    await owner.web.aclose()


async def test_empty_bring_is_nowhere(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, ada = new_guru(), await create_user("Ada Neighbor")
    token = await hold(ada, guru, (await free_starts(web, guru))[0])
    booked = (await post_booking(ada, token)).json()["data"]
    assert booked["bring"] == ""
    await do_jobs(database)
    for row in emails(database, UUID(booked["id"])).values():
        assert "Bring" not in row["plain"] + row["html"] + row["invitation"]


async def test_bring_of_customer_is_on_their_page_only(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, new_guru: NewGuru, database: Database
) -> None:
    owner: GuruOwner = await create_owner(app, web, signer, database, new_guru(bring=MAT))
    start = (await free_starts(web, owner.guru))[0]
    body = {
        "serviceId": str(owner.guru.services[0]), "startsAt": start, "name": "Wanda", "email": "wanda@example.com"
    }  # fmt: skip
    made = await owner.call("POST", "/bookings", body, expect=201)
    await do_jobs(database)
    # The guru typed the address, so its owner gets none of the guru's words by email.
    sent = emails(database, UUID(made["id"]))["booked", "person"]
    link = sent["plain"].partition("/booked/")[2].split()[0]
    assert (await web.get(f"/api/booked/{link}")).json()["data"]["bring"] == MAT
    file = await web.get(f"/api/booked/{link}/session.ics")
    assert "socks" not in sent["plain"] + sent["html"] + sent["invitation"] + file.text
    await owner.web.aclose()


async def test_bring_refuses_long_and_unprintable_text(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, new_guru: NewGuru, database: Database
) -> None:
    owner = await create_owner(app, web, signer, database, new_guru())
    path = f"/api/guru/services/{owner.guru.services[0]}/booking"
    for text in ("x" * 301, "A mat\x00"):
        body = BOOKING | {"revision": await revision(owner), "bring": text}
        assert set(invalid_fields(await owner.web.put(path, json=body))) == {"bring"}
    assert (await set_booking(owner, bring="é" * 300))["bring"] == "é" * 300
    await owner.web.aclose()
