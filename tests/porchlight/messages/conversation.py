"""Two people who write to each other with several clients each, whose requests and streams are cut."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import random
import warnings
from dataclasses import dataclass, field

import httpx
import psycopg

from tests.porchlight.angels.users import ApiUser
from tests.porchlight.messages.api import send

CLIENTS = 3  # of each person
STREAM = "/api/messages/stream"
LONGEST_STREAM_SECONDS = 2.0


@dataclass
class Follower:
    """A client that asks for changes: the messages that it saw, in their order."""

    user: ApiUser
    after: int = 0
    seen: list[tuple[int, str]] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)

    async def fetch(self) -> bool:
        """Fetch a page. Return whether there is more."""
        try:
            response = await self.user.request("GET", "/api/messages/changes", params={"after": self.after})
        except httpx.TransportError:  # the worker was killed
            return True
        if response.status_code != 200:
            return True
        data = response.json()["data"]
        self.seen += [(message["number"], message["body"]) for message in data["messages"]]
        self.after = data["change"]
        return bool(data["more"])

    async def follow_stream(self, until: int, cut_after: float | None) -> None:
        """Fetch what a stream announces, until change number `until`, the end of the stream or its cut."""
        headers = {"authorization": f"Bearer {self.user.token}"}
        with contextlib.suppress(httpx.TransportError, TimeoutError):
            async with asyncio.timeout(cut_after), self.user.web.stream("GET", STREAM, headers=headers) as response:
                async for line in response.aiter_lines():
                    if line.startswith("data: ") and json.loads(line[6:])["change"] > self.after:
                        while await self.fetch():
                            pass
                    if self.after >= until:
                        return


async def converse(
    people: tuple[ApiUser, ApiUser], thread: str, messages: int, *, seed: int, streams: bool = False
) -> list[Follower]:
    """Let six clients send messages in a new thread and follow the changes.

    Return the followers once each saw everything. A cut request is sent again under its key until it is answered.
    `streams`: clients fetch only what streams announce.
    """
    with warnings.catch_warnings():
        # A request that is cut while it connects leaves its socket to the garbage collector.
        warnings.simplefilter("ignore", ResourceWarning)
        followers = await _converse(people, thread, messages, seed, streams)
        gc.collect()
    return followers


async def _converse(
    people: tuple[ApiUser, ApiUser], thread: str, messages: int, seed: int, streams: bool
) -> list[Follower]:
    rng = random.Random(seed)
    followers = [Follower(user) for user in people for _ in range(CLIENTS)]
    stop = asyncio.Event()

    async def write(user: ApiUser, client: int) -> None:
        for number in range(messages // (2 * CLIENTS)):
            body = f"{client}-{number}"
            while not await _try_to_send(user, thread, body, rng.random() * 0.02 if rng.random() < 0.3 else None):
                pass

    async def follow(follower: Follower) -> None:
        while streams and follower.after < messages + 1:
            await follower.follow_stream(messages + 1, rng.random() * LONGEST_STREAM_SECONDS)
        while not stop.is_set():
            await follower.fetch()
        while await follower.fetch():
            pass

    following = [asyncio.create_task(follow(follower)) for follower in followers]
    await asyncio.gather(*(write(user, 10 * side + n) for side, user in enumerate(people) for n in range(CLIENTS)))
    stop.set()
    await asyncio.gather(*following)
    return followers


async def _try_to_send(user: ApiUser, thread: str, body: str, cut_after: float | None) -> bool:
    """Send a message under a key of its own. Return whether it was answered."""
    try:
        async with asyncio.timeout(cut_after):
            response = await send(user, thread, body, key=f"key-{body}")
    except (TimeoutError, httpx.TransportError):
        return False
    if response.status_code == 503:
        return False
    assert response.status_code in (200, 201), response.text
    return True


def check_conversation(followers: list[Follower], messages: int, database_url: str) -> None:
    """Assert that all clients saw the same messages in the same order, and that all counters are right."""
    first = followers[0].seen
    assert [number for number, _ in first] == list(range(1, messages + 2))
    assert len({body for _, body in first}) == messages + 1
    assert all(follower.seen == first for follower in followers)
    users = {follower.user.user_id for follower in followers}
    with psycopg.connect(database_url) as conn:
        for user_id in users:
            changes = [
                change
                for (change,) in conn.execute(
                    "SELECT CASE WHEN person_a_id = %(user)s THEN change_a ELSE change_b END FROM messages"
                    " WHERE %(user)s IN (person_a_id, person_b_id) ORDER BY number",
                    {"user": user_id},
                )
            ]
            assert changes == list(range(1, messages + 2))  # gapless, and in the order of the numbers
            row = conn.execute(
                "SELECT i.change, i.unread, m.unread, (SELECT count(*) FROM messages g WHERE g.thread_id = m.thread_id"
                "   AND g.sender_id <> m.user_id AND g.number > m.read_number)"
                "  FROM inboxes i JOIN thread_members m ON m.user_id = i.user_id WHERE i.user_id = %s",
                [user_id],
            ).fetchone()
            assert row is not None
            change, of_inbox, of_thread, counted = row
            assert change == messages + 1
            assert of_inbox == of_thread == counted
