"""Users as Stripe's customers."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from tenants.db.rows import Connection, fetch_value

_USER = "SELECT user_id FROM billing_customers WHERE customer_id = %s"
_LOCK = "SELECT app.lock_billing(%s)"
_SAVE_ID = """
UPDATE billing_customers SET customer_id = %s WHERE request_id = %s AND customer_id IS NULL RETURNING user_id"""
_FORGET = """
UPDATE billing_customers SET customer_id = NULL, request_id = gen_random_uuid(), card_brand = '', card_last4 = ''
 WHERE customer_id = %s"""
_SAVE_CARD = """
UPDATE billing_customers SET card_brand = %s, card_last4 = %s, checked_at = %s
 WHERE customer_id = %s AND (checked_at IS NULL OR checked_at < %s)"""


def user_of(conn: Connection, customer_id: str) -> UUID | None:
    """Return the user of a customer and lock the user's billing; None for a customer that is not ours."""
    user_id = fetch_value(conn, UUID, _USER, [customer_id]) if customer_id else None
    if user_id is not None:
        conn.execute(_LOCK, [user_id])
    return user_id


def save_customer_id(conn: Connection, request_id: UUID, customer_id: str) -> UUID | None:
    """Store the id of a created customer. Return its user."""
    user_id = fetch_value(conn, UUID, _SAVE_ID, [customer_id, request_id])
    if user_id is not None:
        conn.execute(_LOCK, [user_id])
    return user_id


def forget_customer(conn: Connection, customer_id: str) -> None:
    """Forget a customer that is gone at Stripe: the next purchase creates another one."""
    conn.execute(_FORGET, [customer_id])


def save_card(conn: Connection, customer_id: str, card: tuple[str, str], checked_at: datetime) -> None:
    """Store the card that Stripe charges by default."""
    conn.execute(_SAVE_CARD, [*card, checked_at, customer_id, checked_at])
