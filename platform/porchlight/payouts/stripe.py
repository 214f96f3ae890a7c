"""Stripe behind the `Payouts` port: the one file that knows its SDK.

Accounts are made and led through onboarding by the v2 API, as new platforms must; their state is read by the v1 view,
whose fields are SPEC's. Nobody waits for Stripe longer than PATIENCE, and no more than AT_ONCE calls are out at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import stripe

from porchlight.logs import log
from porchlight.ports import BadSignature, PaymentEvent, PaymentsOutage, PaymentsRefusal, PayoutState

AT_ONCE = 8
PATIENCE = 12.0  # seconds for a call with its retry and its turn
TIMEOUT = httpx.Timeout(5.0, connect=2.0)
RETRIES = 1
TOLERANCE = 300  # seconds between the signing of an event and its arrival
COUNTRY = "us"  # where gurus are paid, in dollars (SPEC 9)
# An account that is not ours, no longer ours, or not there at all.
_GONE = ("account_invalid", "resource_missing")


class StripePayouts:
    """Accounts at Stripe, or at whatever answers at `api_base` like it."""

    def __init__(self, secret_key: str, webhook_secret: str, api_base: str = "") -> None:
        self._webhook_secret = webhook_secret
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._http = stripe.HTTPXClient(timeout=TIMEOUT)
        self._client = stripe.StripeClient(
            secret_key,
            http_client=self._http,
            max_network_retries=RETRIES,
            base_addresses={"api": api_base.rstrip("/")} if api_base else None,
        )

    async def open_account(self, *, email: str, key: str) -> str:
        """An Express account: Stripe shows its owner a dashboard, and we answer for fees and losses."""
        async with self._turn():
            account = await self._client.v2.core.accounts.create_async(
                {
                    "contact_email": email,
                    "dashboard": "express",
                    "identity": {"country": COUNTRY},
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
        """How an account stands now; None when it is gone, or no longer lets us act for it."""
        try:
            async with self._turn():
                account = await self._client.v1.accounts.retrieve_async(account_id)
        except stripe.PermissionError:
            return None
        except stripe.InvalidRequestError as fault:
            if fault.code in _GONE:
                return None
            raise PaymentsRefusal(fault.code or "") from fault
        requirements = account.requirements
        return PayoutState(
            charges_enabled=bool(account.charges_enabled),
            payouts_enabled=bool(account.payouts_enabled),
            details_submitted=bool(account.details_submitted),
            currently_due=sorted(requirements.currently_due or []) if requirements else [],
        )

    async def onboarding_url(self, account_id: str, *, return_url: str, refresh_url: str) -> str:
        """A page of Stripe where the owner says who they are."""
        try:
            async with self._turn():
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
        except (stripe.PermissionError, stripe.InvalidRequestError) as fault:
            raise PaymentsRefusal(fault.code or "") from fault
        return link.url

    async def dashboard_url(self, account_id: str) -> str:
        """The Express dashboard."""
        try:
            async with self._turn():
                link = await self._client.v1.accounts.login_links.create_async(account_id)
        except (stripe.PermissionError, stripe.InvalidRequestError) as fault:
            raise PaymentsRefusal(fault.code or "") from fault
        return link.url

    def event(self, body: bytes, signature: str) -> PaymentEvent:
        """The event in a webhook's raw body. Raises BadSignature."""
        try:
            event = self._client.construct_event(body, signature, self._webhook_secret, tolerance=TOLERANCE)
            return PaymentEvent(
                id=str(event.id), kind=str(event.type), account=str(getattr(event, "account", None) or "")
            )
        except (stripe.SignatureVerificationError, ValueError, KeyError, TypeError, AttributeError) as fault:
            raise BadSignature from fault

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close_async()  # type: ignore[no-untyped-call]

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(PATIENCE), self._turns:
                yield
        except (stripe.PermissionError, stripe.InvalidRequestError):
            raise
        except stripe.StripeError as fault:
            # Out, slow, too many calls, or a key that is wrong: nothing a guru could mend.
            log.warning("payments_out", kind=type(fault).__name__, status=fault.http_status, code=fault.code)
            raise PaymentsOutage(type(fault).__name__) from fault
        except TimeoutError as fault:
            log.warning("payments_out", kind="TimeoutError")
            raise PaymentsOutage("TimeoutError") from fault
