"""Products, prices and the portal's settings at Stripe: `porchlight billing sync` creates what is missing.

Each is found again by its lookup key or its metadata, so that the command can be repeated. A price never changes its
amount: a new one takes over the lookup key, and subscriptions keep theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from porchlight.payment_ports import StripeApi
from porchlight.plans.plans import PLANS, Plan
from tenants.db.rows import Connection

PORTAL = "portal"
_MARK = {"porchlight": PORTAL}
# Plans are changed and canceled on our own page, which says what it means for the extras.
_PORTAL_FEATURES = {
    "payment_method_update": {"enabled": True},
    "invoice_history": {"enabled": True},
    "customer_update": {"enabled": False},
    "subscription_cancel": {"enabled": False},
    "subscription_update": {"enabled": False},
}
_SAVE = """
INSERT INTO billing_catalog (key, object_id, cents) VALUES (%s, %s, %s)
ON CONFLICT (key) DO UPDATE SET object_id = excluded.object_id, cents = excluded.cents, synced_at = app.now()"""


class CatalogEntry(NamedTuple):
    """A price by its lookup key, or the portal's settings. `is_new`: it was created now."""

    key: str
    object_id: str
    cents: int | None
    is_new: bool


async def sync_catalog(stripe: StripeApi) -> list[CatalogEntry]:
    """Create what is missing at Stripe. Return all entries. Raises PaymentsOutage, PaymentsRefusal."""
    found = {}
    keys = [f"{plan.slug}-{interval}" for plan, interval, _cents in _prices()]
    async for price in stripe.list_all("/v1/prices", {"lookup_keys": keys, "active": True}):
        found[price["lookup_key"]] = price
    entries = []
    for plan, interval, cents in _prices():
        key = f"{plan.slug}-{interval}"
        entries.append(await _sync_price(stripe, plan, interval, cents, found.get(key), key))
    entries.append(await _sync_portal(stripe))
    return entries


def save_catalog(conn: Connection, entries: list[CatalogEntry]) -> None:
    """Store the entries for the checkout and the portal."""
    for entry in entries:
        conn.execute(_SAVE, [entry.key, entry.object_id, entry.cents])


def _prices() -> list[tuple[Plan, str, int]]:
    paid = [plan for plan in PLANS if plan.price_cents > 0]
    return [
        (plan, interval, cents)
        for plan in paid
        for interval, cents in (("month", plan.price_cents), ("year", plan.yearly_price_cents))
    ]


async def _sync_price(
    stripe: StripeApi, plan: Plan, interval: str, cents: int, price: Mapping[str, Any] | None, key: str
) -> CatalogEntry:
    metadata = {"plan": str(plan.slug)}
    if price is not None and price["unit_amount"] == cents and price["currency"] == "usd":
        if (price.get("metadata") or {}).get("plan") != plan.slug:
            await stripe.post_unrecorded(f"/v1/prices/{price['id']}", {"metadata": metadata})
        return CatalogEntry(key, price["id"], cents, is_new=False)
    created = await stripe.post_unrecorded(
        "/v1/prices",
        {
            "product": await _product(stripe, plan),
            "currency": "usd",
            "unit_amount": cents,
            "recurring": {"interval": interval},
            "lookup_key": key,
            "transfer_lookup_key": True,
            "metadata": metadata,
        },
    )
    return CatalogEntry(key, created["id"], cents, is_new=True)


async def _product(stripe: StripeApi, plan: Plan) -> str:
    async for product in stripe.list_all("/v1/products", {"active": True}):
        if (product.get("metadata") or {}).get("plan") == plan.slug:
            return str(product["id"])
    params = {"name": plan.name, "metadata": {"plan": str(plan.slug)}}
    return str((await stripe.post_unrecorded("/v1/products", params))["id"])


async def _sync_portal(stripe: StripeApi) -> CatalogEntry:
    async for settings in stripe.list_all("/v1/billing_portal/configurations", {"active": True}):
        if (settings.get("metadata") or {}).get("porchlight") == PORTAL:
            return CatalogEntry(PORTAL, settings["id"], None, is_new=False)
    params = {"features": _PORTAL_FEATURES, "metadata": _MARK}
    created = await stripe.post_unrecorded("/v1/billing_portal/configurations", params)
    return CatalogEntry(PORTAL, created["id"], None, is_new=True)
