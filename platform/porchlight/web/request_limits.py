"""ASGI middleware: request ids, body limits, and one log line and one metric per request."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from functools import lru_cache
from uuid import uuid4

import structlog
from prometheus_client import Counter, Histogram

from porchlight.web.exception_handlers import error_response
from porchlight.web.health import REQUESTS, SECONDS
from tenants.http.asgi import ASGIApp, Message, Receive, Scope, Send
from tenants.kit import timeouts
from tenants.kit.errors import ApiError, ProductError, TooLarge
from tenants.kit.logs import access_log, log
from tenants.tenancy.current import host_tenant

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")


_INTERNAL_ERROR = ApiError(500, "internal", "Server error. Please try again later.")


_TOO_SLOW = 408


class RequestTimeout(ApiError):
    """The body did not arrive in time."""

    def __init__(self) -> None:
        super().__init__(_TOO_SLOW, "too_slow", "Your message took too long to arrive. Please try again.")


class RequestLimitsMiddleware:
    """Bounds request bodies in size (413) and time (408), before the app has read them to the end.

    `max_body_bytes` returns the size limit of a path and method, in bytes; `default_max_bytes` is the limit of requests
    that are not uploads. These arrive within `body_seconds`; an upload has more time, if it never stalls that long.
    """

    def __init__(
        self, app: ASGIApp, max_body_bytes: Callable[[str, str], int], default_max_bytes: int, body_seconds: float
    ) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes
        self._default_max_bytes = default_max_bytes
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with a request id and a bounded body, and log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = self._request_id(scope)
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id)]
                if status == _TOO_SLOW:  # the rest of the body is not waited for
                    message["headers"].append((b"connection", b"close"))
            await send(message)

        structlog.contextvars.bind_contextvars(request=request_id.decode())
        try:
            max_bytes = self._max_body_bytes(scope["path"], scope["method"])
            is_upload = max_bytes != self._default_max_bytes
            seconds = timeouts.current.upload_seconds if is_upload else self._body_seconds
            body = _BoundedBody(scope, receive, max_bytes, seconds, self._body_seconds)
            if body.too_large:
                raise TooLarge  # before the app can respond without reading the body
            await self._app(scope, body, send_with_id)
        except (TooLarge, RequestTimeout) as error:
            await _send_error(scope, receive, send_with_id, error, status)
        except Exception as error:
            # Respond here: the server's own error response is plain text.
            log.error("unhandled_error", route=_route(scope), error=type(error).__name__, exc_info=error)
            if status != 0:
                raise  # the response has started, so only closing the connection can report the failure
            await _send_error(scope, receive, send_with_id, _INTERNAL_ERROR, status)
        finally:
            seconds = time.perf_counter() - started
            route = _route(scope)
            _counter(route, status).inc()
            _timer(route).observe(seconds)
            tenant = host_tenant(scope)
            access_log.add(
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
        requested = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
        return requested if _REQUEST_ID.fullmatch(requested) else uuid4().hex.encode()


class _BoundedBody:
    """`receive` with a limit in bytes, in time, and in the time that it may stall.

    `too_large`: the announced length is over the limit.
    """

    def __init__(
        self, scope: Scope, receive: Receive, max_bytes: int, timeout_seconds: float, stall_seconds: float
    ) -> None:
        self._receive = receive
        self._bytes_left = max_bytes
        self._deadline = time.monotonic() + timeout_seconds
        self._stall_seconds = stall_seconds
        self._complete = False
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        self.too_large = not announced.isdigit() or int(announced[:20]) > max_bytes

    async def __call__(self) -> Message:
        if self._complete:
            return await self._receive()  # waits for the client's disconnect
        try:
            async with asyncio.timeout(min(self._stall_seconds, self._deadline - time.monotonic())):
                message = await self._receive()
        except TimeoutError:
            raise RequestTimeout from None
        if message["type"] == "http.request":
            self._bytes_left -= len(message.get("body", b""))
            self._complete = not message.get("more_body", False)
            if self._bytes_left < 0:
                raise TooLarge
        return message


async def _send_error(scope: Scope, receive: Receive, send: Send, error: ProductError, status: int) -> None:
    if status == 0:
        await error_response(error, scope["path"])(scope, receive, send)


# There are few pairs of route and status, so each counter is looked up once.
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
