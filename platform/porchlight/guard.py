"""The outer wall of the apps: request ids, limits on bodies, one log line and one measurement a request."""

from __future__ import annotations

import asyncio
import re
import time
from functools import lru_cache
from uuid import uuid4

import structlog
from prometheus_client import Counter, Histogram

from porchlight.answers import refusal
from porchlight.logs import access, log
from porchlight.ops import REQUESTS, SECONDS
from tenants.edge import App, Message, Receive, Scope, Send
from tenants.kit.errors import ProductError, Refused, TooLarge

BODY_MOST = 128 * 1024  # bytes, but for uploads
UPLOADS = {  # bytes, by path
    "/api/auth/photo": 8 * 1024 * 1024,
    "/api/guru/images": 8 * 1024 * 1024,
    "/api/onboarding/documents/files": 10 * 1024 * 1024,
}
# The same for paths with ids in them: photos of needs and of listings.
_PHOTOS = re.compile(r"/api/(?:needs|skills/offers)/[0-9a-f-]{36}/photos", re.ASCII | re.IGNORECASE)
PHOTO_MOST = 8 * 1024 * 1024
BODY_SECONDS = 15.0  # how long a body may take to arrive
UPLOAD_SECONDS = 150.0  # the same for an upload, from a phone far from the next mast
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")


_BROKEN = Refused(500, "internal", "Server error. Please try again later.")


class _Slow(Refused):
    def __init__(self) -> None:
        super().__init__(408, "too_slow", "Your message took too long to arrive. Please try again.")


def most_of(path: str, method: str) -> int:
    """How many bytes a body may have."""
    if method == "POST" and _PHOTOS.fullmatch(path):
        return PHOTO_MOST
    return UPLOADS.get(path, BODY_MOST)


class Guard:
    """Wraps an app. A refused body answers 413 or 408 before the app sees the end of it."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = self._request_id(scope)
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id)]
            await send(message)

        structlog.contextvars.bind_contextvars(request=request_id.decode())
        try:
            body = _Body(scope, receive)
            if body.too_large:
                raise TooLarge  # whatever the app would say to it unread
            await self._app(scope, body, answer)
        except (TooLarge, _Slow) as refused:
            await _refuse(scope, receive, answer, refused, status)
        except Exception as broken:
            # Not let through to the server, whose plain words are no answer of ours.
            log.error("unhandled", route=_route(scope), kind=type(broken).__name__, exc_info=broken)
            if status != 0:
                raise  # half an answer is out: only closing the connection says so
            await _refuse(scope, receive, answer, _BROKEN, status)
        finally:
            seconds = time.perf_counter() - started
            route = _route(scope)
            _counter(route, status).inc()
            _timer(route).observe(seconds)
            tenant = scope.get("porchlight.tenant")
            access.add(
                method=scope["method"],
                route=route,
                status=status,
                ms=round(seconds * 1000, 1),
                guru=tenant.label if tenant else None,
                request=request_id.decode(),
            )
            structlog.contextvars.clear_contextvars()

    @staticmethod
    def _request_id(scope: Scope) -> bytes:
        given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
        return given if _REQUEST_ID.fullmatch(given) else uuid4().hex.encode()


class _Body:
    """`receive`, but bounded in bytes and in time. `too_large`: by what is announced."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        most = most_of(scope["path"], scope["method"])
        self._left = most
        self._deadline = time.monotonic() + (BODY_SECONDS if most == BODY_MOST else UPLOAD_SECONDS)
        self._whole = False
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        self.too_large = not announced.isdigit() or int(announced[:20]) > most

    async def __call__(self) -> Message:
        if self._whole:
            return await self._receive()  # waits for the client to go away
        try:
            async with asyncio.timeout(self._deadline - time.monotonic()):
                message = await self._receive()
        except TimeoutError:
            raise _Slow from None
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            self._whole = not message.get("more_body", False)
            if self._left < 0:
                raise TooLarge
        return message


async def _refuse(scope: Scope, receive: Receive, send: Send, error: ProductError, status: int) -> None:
    if status == 0:
        await refusal(error, scope["path"])(scope, receive, send)


# Routes and statuses are few: each pair's counter is looked up once.
@lru_cache(maxsize=2048)
def _counter(route: str, status: int) -> Counter:
    return REQUESTS.labels(route, str(status))


@lru_cache(maxsize=512)
def _timer(route: str) -> Histogram:
    return SECONDS.labels(route)


def _route(scope: Scope) -> str:
    if (named := scope.get("porchlight.route")) is not None:
        return str(named)
    return getattr(scope.get("route"), "path", None) or "(none)"
