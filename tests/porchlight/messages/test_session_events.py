"""Events of sessions in the thread with a guru, which clients of both sides get as a change."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg

from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, book, free_starts
from tests.porchlight.bookings.conftest import guru, gurus, new_guru, new_owner
from tests.porchlight.messages.api import THREADS, send, write
from tests.porchlight.owner import GuruOwner

__all__ = ["guru", "gurus", "new_guru", "new_owner"]

CHANGES = "/api/messages/changes"


class Client:
    """A client that asks for changes, as of a person or of a guru's owner."""

    def __init__(self, web: httpx.AsyncClient, user: ApiUser | None) -> None:
        self.web, self.user, self.after = web, user, 0

    async def get(self, path: str, **params: Any) -> dict[str, Any]:
        """Return the data of an answer."""
        if self.user is not None:
            found: dict[str, Any] = await self.user.get(path, **params)
        else:
            response = await self.web.get(path, params=params)
            assert response.status_code == 200, response.text
            found = response.json()["data"]
        return found

    async def fetch(self) -> dict[str, Any]:
        """Fetch what changed since the last time."""
        found = await self.get(CHANGES, after=self.after)
        self.after = found["change"]
        return found


def events_of(found: dict[str, Any]) -> list[tuple[str, int, bool]]:
    """Return type, place and side of the session events of an answer."""
    cards = [card for card in found["messages"] if card["kind"] == "event"]
    return [(card["event"]["type"], card["number"], card["mine"]) for card in cards]


async def test_session_events_arrive_as_changes(
    web: httpx.AsyncClient, new_owner: Any, create_user: CreateUser, database: Database
) -> None:
    owner: GuruOwner = await new_owner()
    ada = await create_user("Ada Events")
    starts = await free_starts(web, owner.guru)
    first = await book(ada, owner.guru, starts[0])
    opened = await write(ada, "booking", first["id"])
    assert opened.status_code == 201, opened.text
    to_ada = {"kind": "booking", "id": first["id"]}
    recipient = await owner.web.get("/api/messages/recipients", params=to_ada)
    assert recipient.json()["data"]["other"]["name"] == "Ada Events"
    thread = opened.json()["data"]["thread"]["id"]
    clients = [Client(web, ada), Client(owner.web, None)]
    await do_jobs(database)
    known = [(await client.fetch())["change"] for client in clients]
    second = await book(ada, owner.guru, starts[-1])
    await do_jobs(database)
    for client, before, mine in zip(clients, known, (True, False), strict=True):
        found = await client.fetch()
        assert (found["change"], [one["id"] for one in found["threads"]]) == (before + 1, [thread])
        assert events_of(found) == [("booked", 0, mine), ("booked", 1, mine)]
        assert [card for card in found["messages"] if card["kind"] == "text"] == []
        assert (await client.fetch())["threads"] == []
    await owner.call("POST", f"/bookings/{second['id']}/cancellation", {"reason": "I am ill."})
    await send(ada, thread, "Get well!")
    await do_jobs(database)
    for client, before, mine in zip(clients, known, (True, False), strict=True):
        found = await client.fetch()
        assert found["change"] == before + 3
        assert events_of(found)[-1] == ("canceled", 1, not mine)
        assert [card["body"] for card in found["messages"] if card["kind"] == "text"] == ["Get well!"]
        # The thread, when it is loaded again, has the same events in the same places.
        loaded = await client.get(f"{THREADS}/{thread}/messages")
        assert events_of(loaded) == events_of(found)


async def test_events_wake_no_one_without_a_thread(
    web: httpx.AsyncClient, new_owner: Any, create_user: CreateUser, database: Database
) -> None:
    owner: GuruOwner = await new_owner()
    ada, ben = await create_user("Ada Writes"), await create_user("Ben Silent")
    starts = await free_starts(web, owner.guru)
    await write(ada, "guru", owner.guru.label)
    reader = Client(owner.web, None)
    await do_jobs(database)
    before = (await reader.fetch())["change"]
    await book(ben, owner.guru, starts[0])
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'messages:announce_event'"
        query += " AND args ->> 'person_id' = %s"
        assert conn.execute(query, [str(ben.user_id)]).fetchone() == (0,)
    assert (await reader.fetch())["change"] == before
