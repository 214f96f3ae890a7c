"""Webhook delivery: events are signed as Stripe signs them and retried until the product accepts them.

There are two endpoints with one URL and two secrets: events of connected accounts go to the Connect endpoint, all
others to the platform's. Signatures use the time of this machine, since the product compares them with its own clock.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from dataclasses import dataclass

import httpx

from porchlight_dev.stripe_fake.events import Events

POLL_INTERVAL_SECONDS = 0.2
MAX_RETRY_DELAY_SECONDS = 60.0
CALL_TIMEOUT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where events go: `url` with the Host header `host`, signed with the secret of their endpoint."""

    url: str
    host: str
    platform_secret: str
    connect_secret: str


def signature(secret: str, body: bytes, at: int) -> str:
    """Return the Stripe-Signature header for `body` at `at` (epoch seconds)."""
    signed = f"{at}.".encode() + body
    return f"t={at},v1={hmac.new(secret.encode(), signed, 'sha256').hexdigest()}"


async def deliver(events: Events, endpoints: Endpoints) -> None:
    """Deliver events, oldest first, until canceled."""
    async with httpx.AsyncClient(timeout=CALL_TIMEOUT_SECONDS, trust_env=False) as client:
        while True:
            due = events.due()
            for delivery, text, account, attempts in due:
                if await _accepted(client, endpoints, text.encode(), account):
                    events.mark_delivered(delivery)
                else:
                    events.schedule_retry(delivery, time.time() + min(2.0**attempts, MAX_RETRY_DELAY_SECONDS))
            if not due:
                await asyncio.sleep(POLL_INTERVAL_SECONDS)


async def _accepted(client: httpx.AsyncClient, endpoints: Endpoints, body: bytes, account: str) -> bool:
    secret = endpoints.connect_secret if account else endpoints.platform_secret
    headers = {
        "host": endpoints.host,
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": signature(secret, body, int(time.time())),
    }
    try:
        return (await client.post(endpoints.url, content=body, headers=headers)).is_success
    except httpx.HTTPError:
        return False
