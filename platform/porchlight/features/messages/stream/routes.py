"""GET /api/messages/stream: server-sent events that say that there is something to fetch (flag realTimeChat)."""

from __future__ import annotations

import asyncio
from uuid import UUID

from fastapi import Depends, Request, Response

from porchlight.dependencies import Context, CurrentUser, require_flag, require_main_host
from porchlight.features.messages import queries
from porchlight.features.messages.stream.hub import Hub, Stream
from tenants.db.pool import Database
from tenants.http.asgi import Receive, Scope, Send, respond_after
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Unavailable

router = FeatureRouter(
    prefix="/api/messages/stream",
    tags=["messages"],
    route_class=StrictRoute,
    dependencies=[
        Depends(require_main_host),
        Depends(require_flag("messaging")),
        Depends(require_flag("realTimeChat")),
    ],
)

HEARTBEAT_SECONDS = 20.0
MAX_SECONDS = 4 * 60.0  # below the limit of a response in infra/Caddyfile; then the client connects again
HEARTBEATS_BETWEEN_REPAIRS = 3
# `no-transform` keeps proxies from compressing, and so from holding back; the other header is for those that buffer.
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, no-transform"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class ChangeStream(Response):
    """Sends the numbers of an inbox at once and at each change, and a comment as a heartbeat.

    The events follow once the request's middleware has ended (`respond_after`): a stream that is open for minutes
    holds none of it in memory. The server calls `state["on_shutdown"]` of the scope before it waits for open requests.
    """

    def __init__(self, hub: Hub, db: Database, user_id: UUID, inbox: queries.InboxState) -> None:
        super().__init__()
        self._hub, self._db, self._user_id, self._inbox = hub, db, user_id, inbox

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin the response, and leave the events to what follows."""
        stream = self._hub.open(self._user_id, self._inbox.change, self._inbox.unread)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await send(_body(_event(stream)))
        except BaseException:
            self._hub.drop(stream)
            raise
        scope["state"]["on_shutdown"] = stream.close
        respond_after(scope, StreamEvents(self._hub, self._db, stream))


class StreamEvents:
    """The events of an open stream, until the client leaves, the time is over, or the stream is closed."""

    __slots__ = ("_db", "_hub", "_stream")

    def __init__(self, hub: Hub, db: Database, stream: Stream) -> None:
        self._hub, self._db, self._stream = hub, db, stream

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Send the events, and end the response."""
        leaving = asyncio.create_task(_wait_for_leave(receive, self._stream))
        try:
            await self._send_events(self._stream, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self._hub.drop(self._stream)

    async def _send_events(self, stream: Stream, send: Send) -> None:
        ends_at = asyncio.get_running_loop().time() + MAX_SECONDS
        heartbeats = 0
        while not stream.is_closed:
            left = ends_at - asyncio.get_running_loop().time()
            if left <= 0:
                return
            try:
                async with asyncio.timeout(min(HEARTBEAT_SECONDS, left)):
                    await stream.news.wait()
            except TimeoutError:
                heartbeats += 1
                if stream.needs_repair or heartbeats % HEARTBEATS_BETWEEN_REPAIRS == 0:
                    await self._repair(stream)
                if not stream.news.is_set():
                    await send(_body(b":\n\n"))
                    continue
            stream.news.clear()
            if not stream.is_closed:
                await send(_body(_event(stream)))

    async def _repair(self, stream: Stream) -> None:
        """Read the inbox, in case that a notification was lost."""
        stream.needs_repair = False
        try:
            inbox = await queries.inbox(self._db, stream.user_id)
        except Unavailable:
            stream.needs_repair = True
            return
        stream.tell(inbox.change, inbox.unread)


@router.get(
    "",
    operation_id="stream_message_changes",
    summary="Stream changes of my messages",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Server-sent events named `change`."}},
)
async def stream_message_changes(request: Request, context: Context, user: CurrentUser) -> Response:
    """Send an event `change` with `{"change", "unread"}` at once, and again whenever they change.

    Fetch the changes then. A comment every 20 seconds keeps the connection open; it ends after four minutes, and the
    oldest of more than five streams of a person ends at once. Connect again.
    """
    hub: Hub = request.app.state.message_hub
    return ChangeStream(hub, context.db, user.user_id, await queries.inbox(context.db, user.user_id))


async def _wait_for_leave(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.close()


def _event(stream: Stream) -> bytes:
    return b'event: change\ndata: {"change":%d,"unread":%d}\n\n' % (stream.change, stream.unread)


def _body(content: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": content, "more_body": True}
