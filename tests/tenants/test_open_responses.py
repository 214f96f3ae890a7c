"""Responses that go on after their middleware has ended."""

from __future__ import annotations

from typing import Any

from tenants.http.asgi import Message, Receive, Scope, Send, respond_after, run_with_rest


async def receive() -> Message:
    return {"type": "http.disconnect"}


async def test_rest_of_response_follows_the_middleware() -> None:
    happened: list[str] = []

    async def send(message: Message) -> None:
        happened.append(message["type"])

    async def rest(receive: Receive, send: Send) -> None:
        happened.append((await receive())["type"])
        await send({"type": "http.response.body"})

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start"})
        respond_after(scope, rest)

    async def middleware(scope: Scope, receive: Receive, send: Send) -> None:
        await inner({**scope}, receive, send)
        happened.append("ended")

    scope: dict[str, Any] = {"type": "http"}
    await run_with_rest(middleware, scope, receive, send)
    await run_with_rest(middleware, scope, receive, send)
    assert happened == ["http.response.start", "ended", "http.disconnect", "http.response.body"] * 2
