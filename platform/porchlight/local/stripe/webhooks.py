"""Events on their way to the product: signed as Stripe signs them, tried again until they arrive."""

from __future__ import annotations

import asyncio
import hmac
import time

import httpx

from porchlight.local.stripe.store import Store

PAUSE = 0.2  # seconds between looks for events that are due
LONGEST_PAUSE = 60.0  # seconds between two attempts at one event
TIMEOUT = 10.0


def signature(secret: str, body: bytes, at: int) -> str:
    """The value of Stripe-Signature for a body."""
    signed = f"{at}.".encode() + body
    return f"t={at},v1={hmac.new(secret.encode(), signed, 'sha256').hexdigest()}"


async def deliver(store: Store, url: str, host: str, secret: str) -> None:
    """Deliver events to `url`, as `host`, for ever."""
    async with httpx.AsyncClient(timeout=TIMEOUT) as client:
        while True:
            for event_id, text, attempts in store.due_events():
                body = text.encode()
                headers = {
                    "host": host,
                    "content-type": "application/json; charset=utf-8",
                    "stripe-signature": signature(secret, body, int(time.time())),
                }
                try:
                    answer = await client.post(url, content=body, headers=headers)
                    arrived = answer.is_success
                except httpx.HTTPError:
                    arrived = False
                if arrived:
                    store.delivered(event_id)
                else:
                    store.not_delivered(event_id, time.time() + min(2.0**attempts, LONGEST_PAUSE))
            await asyncio.sleep(PAUSE)
