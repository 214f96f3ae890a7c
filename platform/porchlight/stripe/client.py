"""Stripe behind the `StripeApi` port: writes of the outbox, reads, and events.

The SDK never repeats a write: the outbox does, with the same key and the same parameters. A call takes at most
`stripe_call_seconds`, and MAX_CONCURRENT_CALLS run at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx
import stripe
from stripe import StripeResponse

from porchlight.payment_ports import (
    Later,
    PaymentsOutage,
    PaymentsRefusal,
    ProviderEvent,
    Refusal,
    Sent,
    Unclear,
    Write,
)
from porchlight.stripe.events import EventReader
from tenants.kit import timeouts
from tenants.kit.logs import log

MAX_CONCURRENT_CALLS = 16
PAGE_SIZE = 100
MAX_MESSAGE_CHARACTERS = 500
_MISSING_CODES = ("resource_missing", "account_invalid")
# Nothing was sent: the connection was never made.
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class StripeClient:
    """Stripe, or the compatible server at `api_base`. The webhook secrets are comma lists."""

    def __init__(
        self, secret_key: str, webhook_secrets: str = "", connect_webhook_secrets: str = "", api_base: str = ""
    ) -> None:
        self._livemode = secret_key.startswith(("sk_live_", "rk_live_"))
        self._events = EventReader(webhook_secrets, connect_webhook_secrets)
        self._slots = asyncio.Semaphore(MAX_CONCURRENT_CALLS)
        timeout = httpx.Timeout(timeouts.current.stripe_call_seconds, connect=timeouts.current.stripe_connect_seconds)
        self._http = stripe.HTTPXClient(timeout=timeout)
        self._client = stripe.StripeClient(
            secret_key,
            http_client=self._http,
            max_network_retries=0,
            base_addresses={"api": api_base.rstrip("/")} if api_base else None,
        )

    @property
    def livemode(self) -> bool:
        """Return whether the key moves real money."""
        return self._livemode

    @property
    def api_version(self) -> str:
        """Return the version of the API that the SDK was made for."""
        return str(stripe.api_version)

    async def send(self, write: Write) -> Sent | Later | Refusal | Unclear:
        """Send a write with the key of its row, and classify the outcome (MONEY 4)."""
        options: dict[str, Any] = {"idempotency_key": f"pl-{write.id}", "stripe_version": write.api_version}
        if write.account:
            options["stripe_account"] = write.account
        async with self._slots:  # a write waits before it is sent, and not while its time runs
            try:
                async with asyncio.timeout(timeouts.current.stripe_call_seconds):
                    response = await self._request(write.method, write.path, {**write.params, **options})
            except stripe.StripeError as error:
                outcome = classify(error)
                log.warning("stripe_write_not_done", write=str(write.id), kind=write.kind, outcome=repr(outcome))
                return outcome
            except TimeoutError:
                return Unclear("timeout")
        try:
            return Sent(_data(response))
        except PaymentsOutage:
            return Unclear("unreadable")

    async def fetch(
        self, path: str, account: str = "", params: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any] | None:
        """Return an object, or None if it does not exist. Raises PaymentsOutage, PaymentsRefusal."""
        options = {"stripe_account": account} if account else {}
        try:
            data = await self._call("get", path, {**(params or {}), **options})
        except stripe.PermissionError:
            return None  # an account that is unknown or no longer connected
        except stripe.InvalidRequestError as error:
            if error.code in _MISSING_CODES or error.http_status == httpx.codes.NOT_FOUND:
                return None
            raise PaymentsRefusal(error.code or "") from error
        return None if data.get("deleted") is True else data

    async def post_unrecorded(self, path: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answer of a POST that changes nothing to be recorded. Raises PaymentsOutage, PaymentsRefusal."""
        try:
            return await self._call("post", path, params)
        except (stripe.InvalidRequestError, stripe.PermissionError) as error:
            raise PaymentsRefusal(error.code or "") from error

    async def list_all(
        self, path: str, params: Mapping[str, Any] | None = None, account: str = ""
    ) -> AsyncIterator[Mapping[str, Any]]:
        """Yield every object of a list, newest first. Raises PaymentsOutage, PaymentsRefusal."""
        page: dict[str, Any] = {"limit": PAGE_SIZE, **(params or {})}
        while True:
            answer = await self.fetch(path, account, page)
            if answer is None:
                return
            for listed in answer["data"]:
                yield listed
            if not answer.get("has_more") or not answer["data"]:
                return
            page["starting_after"] = answer["data"][-1]["id"]

    def event(self, body: bytes, signature: str) -> ProviderEvent:
        """Return the event in the raw body of a webhook. Raises BadSignature."""
        return self._events.event(body, signature)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close_async()  # type: ignore[no-untyped-call]

    async def _call(self, method: str, path: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            async with asyncio.timeout(timeouts.current.stripe_call_seconds), self._slots:
                response = await self._request(method, path, params)
        except (stripe.InvalidRequestError, stripe.PermissionError):
            raise
        except stripe.StripeError as error:
            log.warning("stripe_call_failed", path=path, error=type(error).__name__, status=error.http_status)
            raise PaymentsOutage(type(error).__name__) from error
        except TimeoutError as error:
            log.warning("stripe_call_failed", path=path, error="TimeoutError")
            raise PaymentsOutage("TimeoutError") from error
        return _data(response)

    async def _request(self, method: str, path: str, params: Mapping[str, Any]) -> StripeResponse:
        response: StripeResponse = await self._client.raw_request_async(method.lower(), path, **params)
        return response


def _data(response: StripeResponse) -> Mapping[str, Any]:
    data: object = response.data
    if not isinstance(data, dict):
        raise PaymentsOutage("the response is no object")
    return data


def classify(error: stripe.StripeError) -> Later | Refusal | Unclear:
    """Return what an error says about a write: not taken now, refused, or nothing (MONEY 4)."""
    status = error.http_status
    if status is None:
        if isinstance(error.__cause__, _NOT_SENT):
            return Later("not_connected")
        return Unclear(type(error.__cause__ or error).__name__)
    if status in (httpx.codes.CONFLICT, httpx.codes.TOO_MANY_REQUESTS) or isinstance(error, stripe.RateLimitError):
        return Later(error.code or str(status))
    if isinstance(error, stripe.IdempotencyError):
        return Unclear("key_of_other_request", lookup=True)  # our key, once sent with other parameters
    if 400 <= status < 500:
        message = error.user_message or str(error)
        return Refusal(error.code or type(error).__name__, message[:MAX_MESSAGE_CHARACTERS])
    replayed = str((error.headers or {}).get("idempotent-replayed", "")).lower() == "true"
    return Unclear(str(status), lookup=replayed)
