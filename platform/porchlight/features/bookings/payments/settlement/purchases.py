"""Purchases besides sessions, tips and packages: paid, and over. No booking changes, so the calendar is not locked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.features.bookings.packages.sales import PURPOSE as PACKAGE
from porchlight.features.bookings.payments.settlement import packages
from porchlight.features.bookings.payments.settlement.ledger import post_tip_paid
from tenants.db.rows import Connection, fetch_one

# A tip is the guru's at once; a package is not, before its sessions took place.
_PAID = """
UPDATE payments SET state = 'paid', paid_at = app.now(), checkout_url = '',
       delivered_at = CASE purpose WHEN 'tip' THEN app.now() END,
       intent_id = %(intent)s, charge_id = %(charge)s, card_brand = %(brand)s, card_last4 = %(last4)s,
       checked_at = %(checked_at)s
 WHERE id = %(id)s AND state <> 'paid' RETURNING tenant_id, owner_id, purpose, amount_cents"""
_ENDED = """
UPDATE payments SET state = %s, checkout_url = '', error_code = %s
 WHERE id = %s AND state IN ('opening', 'open')"""
_TELL = """
SELECT app.enqueue('bookings:send_tip_email',
                   jsonb_build_object('tenant_id', %s::uuid, 'payment_id', %s::uuid), NULL)"""


class _PaidPurchase(NamedTuple):
    tenant_id: UUID
    owner_id: UUID
    purpose: str
    amount_cents: int


def confirm(
    conn: Connection, payment_id: UUID, intent_id: str, charge_id: str, card: Mapping[str, Any], checked_at: datetime
) -> None:
    """Record a purchase that arrived, hand a package over, post it and tell people. A second time changes nothing."""
    values = {
        "id": payment_id, "intent": intent_id, "charge": charge_id, "brand": card.get("brand") or "",
        "last4": card.get("last4") or "", "checked_at": checked_at,
    }  # fmt: skip
    paid = fetch_one(conn, _PaidPurchase, _PAID, values)
    if paid is None:
        return
    if paid.purpose == PACKAGE:
        packages.hand_over(conn, payment_id, charge_id)
    else:
        post_tip_paid(conn, payment_id, paid.owner_id, paid.amount_cents, charge_id)
        conn.execute(_TELL, [paid.tenant_id, payment_id])


def end(conn: Connection, payment_id: UUID, state: str, error_code: str = "") -> None:
    """Record that a purchase will not come. The person can begin another one."""
    conn.execute(_ENDED, [state, error_code, payment_id])
