"""Erasing the words of invoices that no longer have to be kept."""

from __future__ import annotations

from datetime import timedelta

from tenants.db.rows import Connection
from tenants.kit import clock

# Both sides may have to show an invoice for seven years after the year in which it was issued.
INVOICE_TTL = timedelta(days=8 * 365 + 2)
# Each only where something is left, and only of accounts and gurus that are gone.
_FORGET_BUYERS = """
UPDATE invoices i SET buyer_name = '', buyer_address = '', buyer_tax_id = ''
 WHERE i.issued_on < %s AND i.buyer_name <> ''
   AND NOT EXISTS (SELECT FROM users u WHERE u.user_id = i.person_id AND u.status <> 'erased')"""
_FORGET_SELLERS = """
UPDATE invoices i SET seller_name = '', seller_address = '', seller_tax_id = ''
 WHERE i.issued_on < %s AND i.seller_name <> '' AND NOT EXISTS (SELECT FROM gurus g WHERE g.id = i.tenant_id)"""


def forget_invoices(conn: Connection) -> None:
    """Erase the words of deleted accounts and gurus from invoices after eight years; numbers and amounts stay."""
    before = (clock.now() - INVOICE_TTL).date()
    for statement in (_FORGET_BUYERS, _FORGET_SELLERS):
        conn.execute(statement.encode(), [before])
