"""Accounts at Stripe, behind the `Payouts` port.

Accounts are created and onboarded by the v2 API, which Stripe requires of new platforms; their state is read by the v1
API, whose fields are SPEC's. A call takes at most `stripe_call_seconds`; MAX_CONCURRENT_CALLS run at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import stripe

from porchlight.payment_ports import PaymentsOutage, PaymentsRefusal, PayoutState
from tenants.kit import timeouts
from tenants.kit.logs import log

MAX_CONCURRENT_CALLS = 8
MAX_RETRIES = 1
PAYOUT_COUNTRY = "us"  # where gurus are paid, in dollars (SPEC 9)
# Codes of an account that is unknown or no longer connected to the platform.
_UNAVAILABLE_ACCOUNT_CODES = ("account_invalid", "resource_missing")


class StripePayouts:
    """Accounts at Stripe, or at the compatible server at `api_base`."""

    def __init__(self, secret_key: str, api_base: str = "") -> None:
        self._call_slots = asyncio.Semaphore(MAX_CONCURRENT_CALLS)
        timeout = httpx.Timeout(timeouts.current.stripe_read_seconds, connect=timeouts.current.stripe_connect_seconds)
        self._http = stripe.HTTPXClient(timeout=timeout)
        self._client = stripe.StripeClient(
            secret_key,
            http_client=self._http,
            max_network_retries=MAX_RETRIES,
            base_addresses={"api": api_base.rstrip("/")} if api_base else None,
        )

    async def open_account(self, *, email: str, key: str) -> str:
        """Create an Express account: its owner gets a dashboard, and the platform pays fees and losses."""
        async with self._call():
            account = await self._client.v2.core.accounts.create_async(
                {
                    "contact_email": email,
                    "dashboard": "express",
                    "identity": {"country": PAYOUT_COUNTRY},
                    "configuration": {
                        "merchant": {"capabilities": {"card_payments": {"requested": True}}},
                        "recipient": {"capabilities": {"stripe_balance": {"stripe_transfers": {"requested": True}}}},
                    },
                    "defaults": {
                        "currency": "usd",
                        "responsibilities": {"fees_collector": "application", "losses_collector": "application"},
                    },
                },
                {"idempotency_key": key},
            )
        return account.id

    async def state(self, account_id: str) -> PayoutState | None:
        """Fetch an account's state. Return None if it was deleted or disconnected."""
        try:
            async with self._call():
                account = await self._client.v1.accounts.retrieve_async(account_id)
        except stripe.PermissionError:
            return None
        except stripe.InvalidRequestError as error:
            if error.code in _UNAVAILABLE_ACCOUNT_CODES:
                return None
            raise PaymentsRefusal(error.code or "") from error
        return PayoutState.of(account.to_dict())

    async def onboarding_url(self, account_id: str, *, return_url: str, refresh_url: str) -> str:
        """Create a single-use URL of Stripe's onboarding page."""
        try:
            async with self._call():
                link = await self._client.v2.core.account_links.create_async(
                    {
                        "account": account_id,
                        "use_case": {
                            "type": "account_onboarding",
                            "account_onboarding": {
                                "return_url": return_url,
                                "refresh_url": refresh_url,
                            },
                        },
                    }
                )
        except (stripe.PermissionError, stripe.InvalidRequestError) as error:
            raise PaymentsRefusal(error.code or "") from error
        return link.url

    async def dashboard_url(self, account_id: str) -> str:
        """Create a single-use URL of the Express dashboard."""
        try:
            async with self._call():
                link = await self._client.v1.accounts.login_links.create_async(account_id)
        except (stripe.PermissionError, stripe.InvalidRequestError) as error:
            raise PaymentsRefusal(error.code or "") from error
        return link.url

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close_async()  # type: ignore[no-untyped-call]

    @asynccontextmanager
    async def _call(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(timeouts.current.stripe_call_seconds), self._call_slots:
                yield
        except (stripe.PermissionError, stripe.InvalidRequestError):
            raise
        except stripe.StripeError as error:
            # An outage, a rate limit or a wrong API key: nothing that a guru could fix.
            log.warning("payments_unavailable", error=type(error).__name__, status=error.http_status, code=error.code)
            raise PaymentsOutage(type(error).__name__) from error
        except TimeoutError as error:
            log.warning("payments_unavailable", error="TimeoutError")
            raise PaymentsOutage("TimeoutError") from error
