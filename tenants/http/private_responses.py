"""Responses to people whom a request names are not stored, unless a route says how."""

from __future__ import annotations

from tenants.http.asgi import ASGIApp, Message, Receive, Scope, Send

_CREDENTIALS = frozenset({b"authorization", b"cookie"})
_STATED = frozenset({b"cache-control", b"etag"})
_NO_STORE = (b"cache-control", b"no-store")


class PrivateResponses:
    """Adds `Cache-Control: no-store` to responses to requests with credentials.

    A browser keeps what has no such header at will, and the next person at that computer can go back to it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and complete the headers of its response."""
        if scope["type"] != "http" or _CREDENTIALS.isdisjoint(name for name, _ in scope["headers"]):
            await self._app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                if _STATED.isdisjoint(name.lower() for name, _ in headers):
                    message = {**message, "headers": [*headers, _NO_STORE]}
            await send(message)

        await self._app(scope, receive, complete)
