"""Calls of the API of messages, as a person's client makes them."""

from __future__ import annotations

from typing import Any

import httpx

from tenants.kit.ids import new_id
from tests.porchlight.angels.users import ApiUser

THREADS = "/api/messages/threads"


async def write(sender: ApiUser, kind: str, part: str, body: str = "Hello!", **options: Any) -> httpx.Response:
    """Send a first message."""
    payload = {"to": {"kind": kind, "id": part}, "body": body} | options.pop("json", {})
    headers = {"Idempotency-Key": options.pop("key", new_id().hex)}
    return await sender.request("POST", THREADS, json=payload, headers=headers, **options)


async def open_thread(sender: ApiUser, to: ApiUser, body: str = "Hello!") -> str:
    """Write to a public profile and return the id of the thread."""
    response = await write(sender, "profile", to.handle, body)
    assert response.status_code == 201, response.text
    return str(response.json()["data"]["thread"]["id"])


async def send(sender: ApiUser, thread: str, body: str = "Hi", **options: Any) -> httpx.Response:
    """Send a message in a thread."""
    headers = {"Idempotency-Key": options.pop("key", new_id().hex)}
    payload = {"body": body} | options.pop("json", {})
    return await sender.request("POST", f"{THREADS}/{thread}/messages", json=payload, headers=headers)


async def card(user: ApiUser, thread: str) -> Any:
    """Return a thread as the user sees it."""
    return await user.get(f"{THREADS}/{thread}")


async def texts(user: ApiUser, thread: str) -> list[str]:
    """Return the bodies of the newest messages of a thread."""
    data = await user.get(f"{THREADS}/{thread}/messages")
    return [message["body"] for message in data["messages"]]


async def mark_read(user: ApiUser, thread: str, number: int) -> int:
    """Mark a thread as read. Return how many messages are unread in all threads."""
    response = await user.request("PUT", f"{THREADS}/{thread}/read", json={"number": number})
    assert response.status_code == 200, response.text
    return int(response.json()["data"]["unread"])


async def block(user: ApiUser, thread: str) -> None:
    """Block the other person of a thread."""
    assert (await user.request("PUT", f"{THREADS}/{thread}/block")).status_code == 200
