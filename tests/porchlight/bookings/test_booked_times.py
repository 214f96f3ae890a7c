"""The bookings of a time, which a guru sees before a change of the hours is saved."""

from __future__ import annotations

from datetime import datetime, timedelta

import httpx

from porchlight.app import Porchlight
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.porchlight.bookings.api import CreateUser, NewGuru
from tests.porchlight.bookings.sessions import book_session, create_owner
from tests.porchlight.owner import GuruOwner

TOMORROW = INSTANT + timedelta(days=1)


async def test_booked_times_are_those_of_the_guru(
    app: Porchlight,
    web: httpx.AsyncClient,
    signer: Signer,
    database: Database,
    new_guru: NewGuru,
    create_user: CreateUser,
) -> None:
    gina, otto = [await create_owner(app, web, signer, database, new_guru()) for _ in range(2)]
    ada = await create_user("Ada Neighbor")
    met = book_session(database, gina.guru, ada, TOMORROW)
    asked = book_session(
        database, gina.guru, ada, TOMORROW + timedelta(hours=2), status="requested", expires_at=TOMORROW
    )
    book_session(database, gina.guru, ada, TOMORROW + timedelta(days=3))
    book_session(database, otto.guru, ada, TOMORROW)
    canceled = book_session(database, gina.guru, ada, TOMORROW + timedelta(hours=4))
    await gina.call("POST", f"/bookings/{canceled}/cancellation", {"reason": "I am ill."})

    async def booked(owner: GuruOwner, after: datetime, before: datetime) -> list[str]:
        times = {"after": after.isoformat(), "before": before.isoformat()}
        found = await owner.call("GET", "/bookings/booked", params=times)
        assert found["more"] is False
        return [booking["id"] for booking in found["bookings"]]

    day = TOMORROW - timedelta(minutes=1), TOMORROW + timedelta(days=1)
    assert await booked(gina, *day) == [met, asked]
    assert await booked(gina, TOMORROW + timedelta(minutes=30), TOMORROW + timedelta(minutes=31)) == [met]
    assert await booked(gina, TOMORROW - timedelta(days=9), TOMORROW) == []
    assert len(await booked(otto, *day)) == 1
    error = await gina.call("GET", "/bookings/booked", expect=422, params={"after": "soon", "before": "later"})
    assert sorted(error["fields"]) == ["after", "before"]
    for owner in (gina, otto):
        await owner.web.aclose()
