"""Each way to cancel a session removes its event from both calendars."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import httpx
import pytest
from icalendar import Calendar

from porchlight.app import Porchlight
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.jobs import do_jobs
from tests.porchlight.admin.api_client import sign_in_admin
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.bookings.api import CreateUser, NewGuru
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.sessions import book_session, create_owner, session_of

REASON = {"reason": "My oven broke."}


@pytest.mark.parametrize("way", ["person", "guru", "guru with everyone", "staff"])
async def test_canceled_session_leaves_both_calendars(
    app: Porchlight,
    web: httpx.AsyncClient,
    signer: Signer,
    database: Database,
    create_user: CreateUser,
    new_guru: NewGuru,
    way: str,
) -> None:
    owner = await create_owner(app, web, signer, database, new_guru())
    user = await create_user("Ada Neighbor")
    starts_at = clock.now().replace(microsecond=0) + timedelta(days=9)
    booking_id = book_session(database, owner.guru, user, starts_at, sequence=4)
    async with owner.web:
        if way == "guru":
            await owner.call("POST", f"/bookings/{booking_id}/cancellation", REASON)
        elif way == "guru with everyone":
            await owner.call("POST", f"/sessions/{session_of(database, booking_id)}/cancellation", REASON)
    if way == "staff":
        path, headers = f"/api/admin/sessions/{booking_id}/cancellation", await sign_in_admin(web)
        assert (await web.post(path, json=REASON, headers=headers)).status_code == 200
    elif way == "person":
        digest = (await user.get(f"/api/bookings/{booking_id}"))["terms"]["digest"]
        path = f"/api/bookings/{booking_id}/cancellation"
        assert (await user.request("POST", path, json={"termsDigest": digest})).status_code == 200
    await do_jobs(database, base_host=BASE_HOST)
    sent = emails(database, UUID(booking_id))
    assert set(sent) == {("canceled", "person"), ("canceled", "guru")}
    for email in sent.values():
        calendar = Calendar.from_ical(email["invitation"])
        (event,) = calendar.events
        assert (calendar["METHOD"], event["STATUS"]) == ("CANCEL", "CANCELLED")
        # Calendars ignore a file whose number is not higher.
        assert (event["UID"], event["SEQUENCE"]) == (f"{booking_id}@{BASE_HOST}", 5)
