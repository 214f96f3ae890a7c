"""The fake Stripe as one application: its API, pages, control API, clock and webhook delivery."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette

from porchlight_dev.stripe_fake import (
    accounts,
    balances,
    charges,
    checkout,
    checkout_sessions,
    customer_api,
    disputes,
    event_api,
    external_accounts,
    payment_intent_api,
    payment_intents,
    payment_methods,
    payouts,
    portal,
    products,
    refunds,
    renewals,
    schedules,
    setup_intents,
    subscription_api,
    subscription_schedules,
    subscriptions,
    transfers,
)
from porchlight_dev.stripe_fake.api import Api
from porchlight_dev.stripe_fake.checkout_pages import CheckoutPages
from porchlight_dev.stripe_fake.clock import Clock
from porchlight_dev.stripe_fake.context import Context
from porchlight_dev.stripe_fake.control import Control
from porchlight_dev.stripe_fake.dashboard import ExpressDashboard
from porchlight_dev.stripe_fake.events import Events
from porchlight_dev.stripe_fake.pages import Pages
from porchlight_dev.stripe_fake.portal_pages import PortalPages
from porchlight_dev.stripe_fake.pricing_table import PricingTable
from porchlight_dev.stripe_fake.store import Store
from porchlight_dev.stripe_fake.webhooks import Endpoints, deliver

TICK_SECONDS = 0.25
OPERATIONS = (
    *external_accounts.OPERATIONS,
    *accounts.OPERATIONS,
    *balances.OPERATIONS,
    *schedules.OPERATIONS,
    *charges.OPERATIONS,
    *payment_intent_api.OPERATIONS,
    *setup_intents.OPERATIONS,
    *refunds.OPERATIONS,
    *disputes.OPERATIONS,
    *transfers.OPERATIONS,
    *payouts.OPERATIONS,
    *products.OPERATIONS,
    *customer_api.OPERATIONS,
    *payment_methods.OPERATIONS,
    *checkout.OPERATIONS,
    *subscription_api.OPERATIONS,
    *subscription_schedules.OPERATIONS,
    *portal.OPERATIONS,
    *event_api.OPERATIONS,
)


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of the platform's account."""

    secret: str
    publishable: str = ""
    pricing_table: str = ""


def context(store: Store, url: str, keys: Keys) -> Context:
    """Return the context of a store, with the handlers of all timers."""
    clock = Clock(store)
    ctx = Context(store, clock, Events(store, clock), url, keys.publishable, keys.pricing_table)
    clock.handlers |= {
        "balance_available": lambda account: balances.emit_available(ctx, account),
        "payout_schedule": lambda account: payouts.on_schedule(ctx, account),
        "payout_submit": lambda payout: payouts.on_submit(ctx, payout),
        "payout_arrive": lambda payout: payouts.on_arrive(ctx, payout),
        "checkout_expire": lambda session: checkout_sessions.on_expiry(ctx, session),
        "intent_expire": lambda intent: payment_intents.on_expiry(ctx, intent),
        "refund_pending": lambda refund: refunds.succeed(ctx, refund),
        "refund_fails": lambda refund: refunds.fail(ctx, refund),
        "subscription_period": lambda subscription: renewals.renew(ctx, subscription),
        "subscription_incomplete": lambda subscription: subscriptions.expire_incomplete(ctx, subscription),
        "pending_update": lambda subscription: subscriptions.expire_pending_update(ctx, subscription),
        "invoice_finalize": lambda invoice: subscriptions.finalize_due(ctx, invoice),
        "invoice_retry": lambda invoice: subscriptions.retry(ctx, invoice),
    }
    return ctx


async def _tick(clock: Clock) -> None:
    while True:
        try:
            clock.run_due()
        except Exception:
            logging.getLogger(__name__).exception("A timer failed and is tried again.")
        await asyncio.sleep(TICK_SECONDS)


def app(state: Path, url: str, keys: Keys, endpoints: Endpoints) -> Starlette:
    """Return the application, with its data in the folder `state`."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    store = Store(state / "stripe.sqlite3")
    ctx = context(store, url, keys)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(deliver(ctx.events, endpoints)), asyncio.create_task(_tick(ctx.clock))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            store.close()

    routes = [
        *Control(ctx).routes(),
        *Pages(ctx).routes(),
        *ExpressDashboard(ctx).routes(),
        *CheckoutPages(ctx).routes(),
        *PortalPages(ctx).routes(),
        *PricingTable(ctx).routes(),
        *Api(ctx, keys.secret, OPERATIONS).routes(),
    ]
    return Starlette(routes=routes, lifespan=lifespan)
