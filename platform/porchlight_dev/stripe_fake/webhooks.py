"""Webhook delivery: events are signed as Stripe signs them and retried until the product accepts them."""

from __future__ import annotations

import asyncio
import hmac
import time

import httpx

from porchlight_dev.stripe_fake.store import Store

POLL_INTERVAL_SECONDS = 0.2
MAX_RETRY_DELAY_SECONDS = 60.0
CALL_TIMEOUT_SECONDS = 10.0


def signature(secret: str, body: bytes, at: int) -> str:
    """Return the Stripe-Signature header for `body` at `at` (epoch seconds)."""
    signed = f"{at}.".encode() + body
    return f"t={at},v1={hmac.new(secret.encode(), signed, 'sha256').hexdigest()}"


async def deliver(store: Store, url: str, host: str, secret: str) -> None:
    """Deliver events to `url` with the Host header `host`, until canceled."""
    async with httpx.AsyncClient(timeout=CALL_TIMEOUT_SECONDS) as client:
        while True:
            for event_id, text, attempts in store.due_events():
                body = text.encode()
                headers = {
                    "host": host,
                    "content-type": "application/json; charset=utf-8",
                    "stripe-signature": signature(secret, body, int(time.time())),
                }
                try:
                    response = await client.post(url, content=body, headers=headers)
                    accepted = response.is_success
                except httpx.HTTPError:
                    accepted = False
                if accepted:
                    store.mark_delivered(event_id)
                else:
                    store.schedule_retry(event_id, time.time() + min(2.0**attempts, MAX_RETRY_DELAY_SECONDS))
            await asyncio.sleep(POLL_INTERVAL_SECONDS)
