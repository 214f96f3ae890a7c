"""The hub of a worker: it tells the open streams of a person that their inbox changed, whichever worker changed it.

A notification carries the new numbers of the inbox, so that no stream holds a connection of the database or reads it.
It is sent after the commit, on a connection of the pool, and collects what changes within a few milliseconds: a
NOTIFY in the transaction of a delivery would make all commits of the database take turns. The numbers are only a hint.
What changed, a client asks the API (`list_message_changes`), and a heartbeat repairs a notification that was lost.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from uuid import UUID

import psycopg

from porchlight.dependencies import Flags
from porchlight.features.messages.delivery.actions import Wake
from porchlight.features.messages.stream.channel import CHANNEL, notification
from tenants.db.pool import Database
from tenants.kit import timeouts
from tenants.kit.errors import Unavailable
from tenants.kit.ids import parse_id
from tenants.kit.logs import log

MAX_STREAMS = 5  # of a person: the oldest is closed
COLLECT_SECONDS = 0.025
CHECK_SECONDS = 5.0  # of the listening connection
RETRY_DELAY_SECONDS = 0.5  # while Postgres is down
MAX_WAKES = 100  # of a notification, which PostgreSQL limits to 8,000 bytes
_NOTIFY = "SELECT pg_notify(%(channel)s, %(payload)s)"


class Stream:
    """An open stream: the last known numbers of its person's inbox, and whether they are news.

    `needs_repair`: a notification may have been lost, so the next heartbeat reads the inbox.
    """

    __slots__ = ("change", "is_closed", "needs_repair", "news", "unread", "user_id")

    def __init__(self, user_id: UUID, change: int, unread: int) -> None:
        self.user_id = user_id
        self.change = change
        self.unread = unread
        self.news = asyncio.Event()
        self.is_closed = False
        self.needs_repair = False

    def tell(self, change: int, unread: int) -> None:
        """Note newer numbers. Notifications of two workers can arrive in another order than the changes."""
        if change > self.change:
            self.change, self.unread = change, unread
            self.news.set()

    def close(self) -> None:
        """End the stream at its next step, which is now."""
        self.is_closed = True
        self.news.set()


class Hub:
    """The open streams of this worker by person, and the notifications between the workers."""

    def __init__(self, db: Database, flags: Flags, listen_dsn: str) -> None:
        self._db = db
        self._listen_dsn = listen_dsn  # not through a pooler, which would lose the LISTEN
        self._flags = flags
        self._streams: dict[UUID, list[Stream]] = {}
        self._has_streams = asyncio.Event()
        self._waiting: dict[UUID, Wake] = {}
        self._sender: asyncio.Task[None] | None = None
        self.listening = asyncio.Event()

    @property
    def count(self) -> int:
        """Return the number of open streams."""
        return sum(map(len, self._streams.values()))

    def open(self, user_id: UUID, change: int, unread: int) -> Stream:
        """Return a new stream of a person. The oldest one over their limit is closed."""
        stream = Stream(user_id, change, unread)
        streams = self._streams.setdefault(user_id, [])
        streams.append(stream)
        if len(streams) > MAX_STREAMS:
            streams.pop(0).close()
        # What changes until the connection listens is found by the first heartbeat.
        stream.needs_repair = not self.listening.is_set()
        self._has_streams.set()
        return stream

    def drop(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        streams = self._streams.get(stream.user_id, [])
        with contextlib.suppress(ValueError):
            streams.remove(stream)
        if not streams:
            self._streams.pop(stream.user_id, None)
        if not self._streams:
            self._has_streams.clear()

    def close(self) -> None:
        """End all streams: the process stops."""
        for streams in list(self._streams.values()):
            for stream in list(streams):
                stream.close()

    async def announce(self, wakes: Iterable[Wake]) -> None:
        """Let the streams of people know of committed changes, here at once and in other workers soon."""
        wakes = list(wakes)
        if not wakes or not await self._flags.on("realTimeChat"):
            return
        for wake in wakes:
            self._tell(wake.user_id, wake.change, wake.unread)
            known = self._waiting.get(wake.user_id)
            if known is None or known.change < wake.change:
                self._waiting[wake.user_id] = wake
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send())

    async def run(self) -> None:
        """Listen for changes in other workers, while there are streams, until canceled."""
        while True:
            await self._has_streams.wait()
            try:
                await self._listen()
            except (psycopg.Error, OSError, TimeoutError) as error:
                log.warning("message_listener_lost", error=type(error).__name__)
            finally:
                self.listening.clear()
                for stream in self._all():
                    stream.needs_repair = True
            if self._streams:
                await asyncio.sleep(RETRY_DELAY_SECONDS)

    async def _listen(self) -> None:
        conn = await psycopg.AsyncConnection.connect(
            self._listen_dsn,
            autocommit=True,
            connect_timeout=timeouts.current.connect_seconds,
            application_name="porchlight-messages",
        )
        async with conn:
            await conn.execute(f"LISTEN {CHANNEL}")
            self.listening.set()
            while self._streams:
                async for notification in conn.notifies(timeout=CHECK_SECONDS):
                    self._receive(notification.payload)
                async with asyncio.timeout(CHECK_SECONDS):
                    await conn.execute("SELECT 1")

    def _receive(self, payload: str) -> None:
        for part in payload.split(" "):
            person, _, numbers = part.partition(":")
            change, _, unread = numbers.partition(":")
            user_id = parse_id(person)
            if user_id is None or not change.isdigit() or not unread.isdigit():
                log.warning("message_notification_malformed")
                return
            self._tell(user_id, int(change), int(unread))

    def _tell(self, user_id: UUID, change: int, unread: int) -> None:
        for stream in self._streams.get(user_id, ()):
            stream.tell(change, unread)

    def _all(self) -> list[Stream]:
        return [stream for streams in self._streams.values() for stream in streams]

    async def _send(self) -> None:
        """Send what waits, a few milliseconds later, until nothing does."""
        await asyncio.sleep(COLLECT_SECONDS)
        while self._waiting:
            wakes = [self._waiting.pop(user_id) for user_id in list(self._waiting)[:MAX_WAKES]]
            try:
                await self._db.write(None, _NOTIFY, {"channel": CHANNEL, "payload": notification(wakes)})
            except Unavailable:
                log.warning("message_notification_lost", people=len(wakes))  # heartbeats repair it
