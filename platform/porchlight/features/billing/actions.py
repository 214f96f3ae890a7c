"""Buy and change a plan. Each decision and its write at Stripe are one transaction; the worker sends the write."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID

from sqlalchemy import Row, text

from porchlight.features.billing import queries
from porchlight.features.billing.errors import (
    AlreadyGranted,
    AlreadySubscribed,
    CheckoutRefused,
    NoBillingAccount,
    change_problem,
    change_refused,
)
from porchlight.features.billing.plan_changes import CHANGE_FACTS, KINDS, ChangeFacts, change_kind
from porchlight.features.billing.schemas import ChangePreview, ChangeResult, NextCharge, PricingTableSession
from porchlight.payment_ports import PaymentsOutage, PaymentsRefusal, StripeApi
from porchlight.plans.plans import PLANS_BY_SLUG, PlanSlug
from porchlight.plans.subscriptions import GRACE
from porchlight.settlement.errors import PaymentsNotSetUp, PaymentsUnresponsive
from porchlight.settlement.waiting import wait_until_settled
from tenants.db.pipeline import Statement
from tenants.db.pool import Database
from tenants.db.rows import Columns
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock, timeouts

RETURN_PARAM = "checkout"  # of the page that Stripe leads back to

# A grant that ends soon, such as the grace after a change to a smaller plan, does not stop anyone from buying.
_GRANTED = text(
    "SELECT plan FROM app.plan_rights(app.user_id())"
    " WHERE source = 'grant' AND (until IS NULL OR until > app.now() + :soon) LIMIT 1"
)
_START = text("SELECT id, problem FROM app.start_plan_checkout(:plan, :interval, :return_url)")
_CHECKOUT = "SELECT state, url FROM plan_checkouts WHERE user_id = %s AND id = %s"
_CUSTOMER = text("SELECT app.own_billing_customer()")
_KNOWN_CUSTOMER = "SELECT customer_id FROM billing_customers WHERE user_id = %s"
_PORTAL = text("SELECT app.billing_object('portal')")
_LOCK = "SELECT app.lock_billing(app.user_id())"
_CHANGE = "SELECT app.request_plan_change(%(kind)s, %(plan)s, %(interval)s, %(prorated_at)s)"
_CHANGED = "SELECT state, payment_url, error_code FROM plan_changes WHERE user_id = %s AND id = %s"


class _HasState(Protocol):
    @property
    def state(self) -> str: ...


S = TypeVar("S", bound=_HasState)


class _Checkout(NamedTuple):
    state: str
    url: str | None


class _Change(NamedTuple):
    state: str
    payment_url: str
    error_code: str


def return_url(origin: str, path: str) -> str:
    """Return the address to come back to, to which the result is added as `checkout=…`."""
    parts = urlsplit(path)
    query = urlencode([pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] != RETURN_PARAM])
    return f"{origin}{parts.path or '/'}?{query}{'&' if query else ''}"


async def start_checkout(db: Database, user_id: UUID, plan: PlanSlug, interval: str, back: str) -> str:
    """Return the URL of Stripe's Checkout: the open one, or a new one.

    Raises AlreadyGranted, AlreadySubscribed, CheckoutRefused, PaymentsNotSetUp without prices, PaymentsUnresponsive.
    """
    async with unit_of_work(db, user_id=user_id) as session:
        granted = await session.scalar(_GRANTED, {"soon": GRACE})
        if granted in (plan, PlanSlug.PREMIUM_ANGEL):
            raise AlreadyGranted(PLANS_BY_SLUG[PlanSlug(granted)].name)
        values = {"plan": plan, "interval": interval, "return_url": back}
        checkout_id, problem = (await session.execute(_START, values)).one()
    if problem == "already_subscribed":
        raise AlreadySubscribed
    if problem is not None:
        raise PaymentsNotSetUp
    state, url = await _settled(db, user_id, _CHECKOUT, _Checkout, checkout_id, "waiting")
    if state == "waiting":
        raise PaymentsUnresponsive(retry_after=30)
    if state != "open":
        raise CheckoutRefused
    return str(url)


async def portal_url(db: Database, stripe: StripeApi, user_id: UUID, back: str) -> str:
    """Return a page of Stripe's portal: cards and invoices. Raises NoBillingAccount, PaymentsUnresponsive."""
    customer_id = await _known_customer(db, user_id)
    if customer_id is None:
        raise NoBillingAccount
    async with unit_of_work(db, user_id=user_id) as session:
        settings = await session.scalar(_PORTAL)
    params: dict[str, Any] = {"customer": customer_id, "return_url": back.rstrip("?&")}
    if settings:
        params["configuration"] = settings
    return str((await _ask(stripe, "/v1/billing_portal/sessions", params))["url"])


async def pricing_table_session(db: Database, stripe: StripeApi, user_id: UUID) -> PricingTableSession:
    """Return a session in which the pricing table buys for the user.

    The table sells every plan, so it is not for a user who was granted one. Raises AlreadyGranted, AlreadySubscribed,
    PaymentsUnresponsive.
    """
    async with unit_of_work(db, user_id=user_id) as session:
        subscription = await queries.own_subscription(session)
        if subscription is not None and subscription.state in ("incomplete", "active", "past_due"):
            raise AlreadySubscribed
        if granted := await session.scalar(_GRANTED, {"soon": GRACE}):
            raise AlreadyGranted(PLANS_BY_SLUG[PlanSlug(granted)].name)
        if await session.scalar(_PORTAL) is None:  # `porchlight billing sync` did not run
            raise PaymentsNotSetUp
        await session.execute(_CUSTOMER)
    deadline = time.monotonic() + timeouts.current.billing_response_seconds
    customer_id = await wait_until_settled(lambda: _known_customer(db, user_id), lambda found: found is None, deadline)
    if customer_id is None:
        raise PaymentsUnresponsive(retry_after=30)
    params = {"customer": customer_id, "components": {"pricing_table": {"enabled": True}}}
    try:
        async with asyncio.timeout(deadline - time.monotonic()):
            answer = await _ask(stripe, "/v1/customer_sessions", params)
    except TimeoutError as error:
        raise PaymentsUnresponsive(retry_after=30) from error
    return PricingTableSession(client_secret=str(answer["client_secret"]), client_reference_id=str(user_id))


async def invoice_url(db: Database, stripe: StripeApi, user_id: UUID, invoice_id: UUID | None) -> str | None:
    """Return the current address of one of the user's invoices as a file, or None. Raises PaymentsUnresponsive.

    The addresses expire, so they are not stored.
    """
    async with unit_of_work(db, user_id=user_id) as session:
        in_id = await queries.invoice_at_stripe(session, invoice_id)
    if in_id is None:
        return None
    try:
        invoice = await stripe.fetch(f"/v1/invoices/{in_id}")
    except (PaymentsOutage, PaymentsRefusal) as error:
        raise PaymentsUnresponsive(retry_after=30) from error
    return (invoice.get("invoice_pdf") or invoice.get("hosted_invoice_url")) if invoice is not None else None


async def preview_change(
    db: Database, stripe: StripeApi, user_id: UUID, plan: PlanSlug, interval: str
) -> ChangePreview:
    """Return what a change would do and cost, without changing anything. Raises ChangeProblem, PaymentsUnresponsive."""
    async with unit_of_work(db, user_id=user_id) as session:
        kind = change_kind(await queries.change_facts(session, plan, interval), plan, interval)
        current = await queries.own_subscription(session)
        values = await queries.preview_values(session, plan, interval)
    if kind not in KINDS or current is None:
        raise change_problem(kind)
    end = datetime.fromisoformat(current.period_end)
    grace = clock.to_iso8601(end + GRACE)
    cents = queries.price_cents(plan, interval)
    if kind == "upgrade":
        if values is None:
            raise PaymentsNotSetUp
        return await _preview_upgrade(stripe, values, plan, interval, is_same_interval=interval == current.interval)
    return ChangePreview(
        kind=kind,
        plan=plan,
        interval=interval,
        due_now_cents=None,
        prorated_at=None,
        effective_at=None if kind == "keep" else current.period_end,
        next_charge=None if kind == "cancel" else NextCharge(cents=cents, at=current.period_end),
        grace_until=grace if kind == "cancel" or (kind == "downgrade" and plan != current.plan) else None,
    )


async def _preview_upgrade(
    stripe: StripeApi, values: Row[Any], plan: PlanSlug, interval: str, *, is_same_interval: bool
) -> ChangePreview:
    now = clock.now().replace(microsecond=0)
    details: dict[str, Any] = {
        "items": [{"id": values.item_id, "price": values.price_id}],
        "proration_behavior": "always_invoice",
    }
    if is_same_interval:
        details["proration_date"] = int(now.timestamp())
    params = {"customer": values.customer_id, "subscription": values.sub_id, "subscription_details": details}
    invoice = await _ask(stripe, "/v1/invoices/create_preview", params)
    renewal = max(line["period"]["end"] for line in invoice["lines"]["data"])
    return ChangePreview(
        kind="upgrade",
        plan=plan,
        interval=interval,
        due_now_cents=invoice["amount_due"],
        prorated_at=clock.to_iso8601(now),
        effective_at=None,
        next_charge=NextCharge(
            cents=queries.price_cents(plan, interval),
            at=clock.to_iso8601(datetime.fromtimestamp(renewal, now.tzinfo)),
        ),
        grace_until=None,
    )


async def change_plan(
    db: Database, user_id: UUID, plan: PlanSlug, interval: str, prorated_at: datetime | None
) -> ChangeResult:
    """Change, cancel or keep the user's plan. Raises ChangeProblem."""
    if prorated_at is not None and not timedelta(0) <= clock.now() - prorated_at <= timedelta(hours=1):
        prorated_at = None  # an old preview: Stripe computes the charge for now
    wanted = {"plan": plan.value, "interval": interval}

    def change(rows: Sequence[Columns]) -> Statement:
        facts = next((ChangeFacts(*columns) for columns in rows), None)
        kind = change_kind(facts, plan, interval)
        if facts is None or kind not in KINDS:
            raise change_problem(kind)
        to = {"plan": facts.plan, "interval": facts.interval} if kind == "cancel" else wanted
        return _CHANGE, {**to, "kind": kind, "prorated_at": prorated_at}

    ((change_id,),) = await db.decide(None, (_LOCK, ()), (CHANGE_FACTS, wanted), change, user_id=user_id)
    state, payment_url, error_code = await _settled(db, user_id, _CHANGED, _Change, change_id, "requested")
    if state == "refused":
        raise change_refused(error_code)
    return ChangeResult(state=state, payment_url=payment_url or None)


async def _settled(db: Database, user_id: UUID, query: str, row: type[S], row_id: UUID, open_state: str) -> S:
    """Return a row once its write at Stripe has ended, or at the timeout."""

    async def read() -> S:
        (found,) = await db.read(None, query, [user_id, row_id], row=row, user_id=user_id)
        return found

    return await wait_until_settled(
        read, lambda found: found.state == open_state, time.monotonic() + timeouts.current.billing_response_seconds
    )


async def _known_customer(db: Database, user_id: UUID) -> str | None:
    return await db.read_value(str, None, _KNOWN_CUSTOMER, [user_id], user_id=user_id)


async def _ask(stripe: StripeApi, path: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return await stripe.post_unrecorded(path, params)
    except (PaymentsOutage, PaymentsRefusal) as error:
        raise PaymentsUnresponsive(retry_after=30) from error
