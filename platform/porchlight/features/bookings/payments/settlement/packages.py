"""Packages that were bought: handed over when they are paid, and earned session by session.

The calendar of the guru is locked before the package, its payment before the ledger. Each package has a transaction of
its own, so that no calendar is locked for long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
from psycopg.types.json import Jsonb

from porchlight.features.bookings.facts import PaymentSnapshot
from porchlight.features.bookings.packages.sales import SESSION_PURPOSE, SoldPackage, UsedShare, used_share
from porchlight.features.bookings.payments.settlement.ledger import post_package_sold, post_package_used
from tenants.db.rows import Connection, fetch_all, fetch_one
from tenants.kit import clock
from tenants.kit.ids import new_id
from tenants.kit.logs import log
from tenants.kit.zones import day_bounds

MAX_PACKAGES = 500  # of one run; the next run takes the others

_BOUGHT = """
SELECT p.tenant_id, p.person_id, p.amount_cents, p.package, coalesce(c.zone, 'UTC') AS zone
  FROM payments p LEFT JOIN calendars c ON c.tenant_id = p.tenant_id WHERE p.id = %s"""
_HAND_OVER = """
INSERT INTO package_grants (tenant_id, id, package_id, person_id, person_name, guru_label, guru_name, service_id,
                            service_name, name, granted, left_over, expires_at, zone, payment_id, idempotency_key,
                            digest)
SELECT g.id, %(id)s, (SELECT k.id FROM packages k WHERE k.tenant_id = g.id AND k.id = %(package)s), %(person)s,
       %(person_name)s, g.label, g.character, %(service)s, %(service_name)s, %(name)s, %(sessions)s, %(sessions)s,
       %(expires_at)s, %(zone)s, %(payment)s, %(payment)s::text, ''
  FROM gurus g WHERE g.id = %(tenant)s"""
_HISTORY = """
INSERT INTO package_events (tenant_id, grant_id, number, person_id, event, details)
VALUES (%(tenant)s, %(id)s, 1, %(person)s, 'bought', %(details)s)"""
_TELL = """
SELECT app.enqueue('bookings:send_package_email',
                   jsonb_build_object('tenant_id', %(tenant)s::uuid, 'grant_id', %(id)s::uuid, 'number', 1), NULL),
       app.enqueue('bookings:send_package_sold_email',
                   jsonb_build_object('tenant_id', %(tenant)s::uuid, 'payment_id', %(payment)s::uuid), NULL)"""
# Whether a refund `r` failed and was not sent again since: then its money waits for staff.
_IS_WAITING = """
EXISTS (SELECT FROM refunds r
         WHERE r.tenant_id = p.tenant_id AND r.payment_id = p.id AND r.state = 'failed'
           AND NOT EXISTS (SELECT FROM refunds a WHERE a.tenant_id = r.tenant_id
                              AND a.again_of = coalesce(r.again_of, r.id) AND a.state <> 'failed'))"""
_TOOK_PLACE = "b.status NOT IN ('held', 'requested', 'confirmed') AND b.ends_at <= app.now() - interval '24 hours'"
# Bookings that use a package, whose share of its price was not taken yet.
_UNPAID_USES = """
  FROM bookings b
 WHERE b.tenant_id = g.tenant_id AND b.package_grant_id = g.id AND b.package_sessions > 0
   AND NOT EXISTS (SELECT FROM payments u WHERE u.tenant_id = b.tenant_id AND u.booking_id = b.id
                      AND u.purpose = 'package_session')"""
_DUE = f"""
SELECT p.tenant_id, p.id
  FROM payments p JOIN package_grants g ON g.tenant_id = p.tenant_id AND g.payment_id = p.id
 WHERE p.purpose = 'package' AND p.state = 'paid' AND p.delivered_at IS NULL AND NOT p.disputed
   AND (EXISTS (SELECT {_UNPAID_USES} AND {_TOOK_PLACE})
        OR NOT {_IS_WAITING}
           AND (g.expires_at <= app.now() - interval '24 hours' AND NOT EXISTS (SELECT {_UNPAID_USES})
                OR p.amount_cents - p.refunded_cents - p.disputed_cents - p.used_cents <= 0))
 ORDER BY p.id LIMIT %s"""  # noqa: S608 - constants only
_LOCK_CALENDAR = "SELECT FROM app.lock_calendar()"
_LOCKED = f"""
SELECT p.tenant_id, p.id, p.person_id, p.owner_id, p.group_id, p.number, p.state, p.amount_cents, p.fee_bps,
       p.fee_minimum_cents, p.refunded_cents, p.disputed_cents, p.used_cents, p.disputed, p.package, g.id AS grant_id,
       g.granted, g.settled, g.expires_at <= app.now() - interval '24 hours' AS is_over, {_IS_WAITING} AS is_waiting
  FROM payments p JOIN package_grants g ON g.tenant_id = p.tenant_id AND g.payment_id = p.id
 WHERE p.id = %s AND p.delivered_at IS NULL FOR UPDATE OF p"""  # noqa: S608 - constants only
_USES = f"""
SELECT b.id, b.package_sessions AS sessions, {_TOOK_PLACE} AS took_place
  FROM package_grants g CROSS JOIN LATERAL (SELECT b.* {_UNPAID_USES}) b
 WHERE g.tenant_id = %s AND g.id = %s ORDER BY b.ends_at, b.id"""  # noqa: S608 - constants only
_TAKE = """
INSERT INTO payments (tenant_id, id, booking_id, person_id, owner_id, group_id, purpose, number, amount_cents, currency,
                      fee_cents, fee_bps, fee_minimum_cents, state, intent_id, charge_id, card_brand, card_last4,
                      expires_at, paid_at, delivered_at)
SELECT p.tenant_id, %(id)s, %(booking)s, p.person_id, p.owner_id, p.group_id, %(purpose)s, 1, %(cents)s, p.currency,
       %(fee)s, p.fee_bps, p.fee_minimum_cents, 'paid', p.intent_id, p.charge_id, p.card_brand, p.card_last4,
       p.expires_at, app.now(), app.now()
  FROM payments p WHERE p.tenant_id = %(tenant)s AND p.id = %(payment)s"""
_SETTLE = "UPDATE package_grants SET settled = %s WHERE tenant_id = %s AND id = %s"
_USED = """
UPDATE payments SET used_cents = used_cents + %s, delivered_at = CASE WHEN %s THEN app.now() END
 WHERE tenant_id = %s AND id = %s"""


# In the history, and by email. `dispute`: the bank's decision is the reason, not the guru's.
_TAKE_BACK = """
WITH lost AS (
  SELECT g.tenant_id, g.id, g.person_id, g.left_over
    FROM package_grants g JOIN payments p ON p.tenant_id = g.tenant_id AND p.id = g.payment_id
   WHERE g.payment_id = ANY (%s) AND g.left_over > 0 AND p.disputed_cents > 0),
taken AS (
  UPDATE package_grants g SET taken_back = g.taken_back + g.left_over, left_over = 0
    FROM lost l WHERE g.tenant_id = l.tenant_id AND g.id = l.id),
told AS (
  INSERT INTO package_events (tenant_id, grant_id, number, person_id, event, details)
  SELECT l.tenant_id, l.id,
         (SELECT count(*) + 1 FROM package_events e WHERE e.tenant_id = l.tenant_id AND e.grant_id = l.id),
         l.person_id, 'taken_back',
         jsonb_build_object('sessions', l.left_over, 'dispute', true, 'reason',
                            'Your bank returned the price of this package to you.')
    FROM lost l RETURNING tenant_id, grant_id, number)
SELECT app.enqueue('bookings:send_package_email',
                   jsonb_build_object('tenant_id', t.tenant_id, 'grant_id', t.grant_id, 'number', t.number), NULL)
  FROM told t"""


class _Bought(NamedTuple):
    tenant_id: UUID
    person_id: UUID
    amount_cents: int
    package: dict[str, Any]
    zone: str


class _DuePackage(NamedTuple):
    tenant_id: UUID
    id: UUID


class _Locked(NamedTuple):
    tenant_id: UUID
    id: UUID
    person_id: UUID
    owner_id: UUID
    group_id: UUID
    number: int
    state: str
    amount_cents: int
    fee_bps: int
    fee_minimum_cents: int
    refunded_cents: int
    disputed_cents: int
    used_cents: int
    disputed: bool
    package: dict[str, Any]
    grant_id: UUID
    granted: int
    settled: int
    is_over: bool
    is_waiting: bool

    @property
    def snapshot(self) -> PaymentSnapshot:
        """Return the payment as decisions know it."""
        return PaymentSnapshot(
            id=self.id, booking_id=None, group_id=self.group_id, number=self.number, state=self.state,
            amount_cents=self.amount_cents, fee_cents=0, fee_bps=self.fee_bps,
            fee_minimum_cents=self.fee_minimum_cents, refunded_cents=self.refunded_cents,
            disputed_cents=self.disputed_cents, used_cents=self.used_cents, purpose="package",
        )  # fmt: skip


class _Use(NamedTuple):
    id: UUID
    sessions: int
    took_place: bool


def hand_over(conn: Connection, payment_id: UUID, charge_id: str) -> None:
    """Give a package that was paid to the person, post it, and tell both sides.

    It covers sessions up to the end of its last day in the calendar's zone, counted from now.
    """
    bought = fetch_one(conn, _Bought, _BOUGHT, [payment_id])
    if bought is None:
        raise LookupError(f"there is no payment {payment_id}")
    terms, zone = SoldPackage.of(bought.package), ZoneInfo(bought.zone)
    last_day = clock.now().astimezone(zone).date() + timedelta(days=terms.days)
    expires_at = day_bounds(zone, last_day)[1]
    values = {
        "id": new_id(), "tenant": bought.tenant_id, "package": terms.package_id, "person": bought.person_id,
        "person_name": terms.person_name, "service": terms.service_id, "service_name": terms.service_name,
        "name": terms.name, "sessions": terms.sessions, "expires_at": expires_at, "zone": bought.zone,
        "payment": payment_id,
        "details": Jsonb({"sessions": terms.sessions, "cents": bought.amount_cents, "until": expires_at.isoformat()}),
    }  # fmt: skip
    conn.execute(_HAND_OVER, values)
    conn.execute(_HISTORY, values)
    conn.execute(_TELL, values)
    post_package_sold(conn, payment_id, bought.person_id, bought.amount_cents, charge_id)


def take_back_lost(conn: Connection, payment_ids: Sequence[UUID]) -> None:
    """Take back what is left of packages whose price a bank has returned. Sessions that are booked stay."""
    conn.execute(_TAKE_BACK, [list(payment_ids)])


def earn(conn: Connection) -> int:
    """Make what the sessions of packages cost the guru's a day after their end, and what was left when one has ended.

    Commits after each package, and leaves one whose calendar is locked to the next run. Return the number of packages.
    """
    due = fetch_all(conn, _DuePackage, _DUE, [MAX_PACKAGES])
    conn.commit()
    for one in due:
        try:
            with conn.transaction():
                conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(one.tenant_id)])
                conn.execute(_LOCK_CALENDAR)
                package = fetch_one(conn, _Locked, _LOCKED, [one.id])
                if package is not None and not package.disputed:
                    _settle(conn, package)
        except (psycopg.errors.LockNotAvailable, psycopg.errors.QueryCanceled):  # the next run tries again
            log.warning("calendar_locked", tenant=str(one.tenant_id))
    return len(due)


def _settle(conn: Connection, package: _Locked) -> None:
    """Take the shares of the sessions that took place, and of those that were left if the package is over."""
    payment, settled = package.snapshot, package.settled
    terms = SoldPackage.of(package.package)
    uses = fetch_all(conn, _Use, _USES, [package.tenant_id, package.grant_id])
    takes: list[tuple[UUID | None, int]] = [(one.id, one.sessions) for one in uses if one.took_place]
    if package.is_over and not package.is_waiting and all(one.took_place for one in uses):
        takes.append((None, package.granted))
    used_before = payment.used_cents
    for booking_id, sessions in takes:
        more = min(sessions, package.granted - settled)
        share = used_share(payment, terms.fee_cents, sessions=package.granted, settled=settled, more=more)
        settled += more
        if share.cents:
            _take(conn, package, booking_id, share)
            payment = replace(payment, used_cents=payment.used_cents + share.cents)
    conn.execute(_SETTLE, [settled, package.tenant_id, package.grant_id])
    is_closed = not package.is_waiting and (payment.kept_cents == 0 or settled == package.granted)
    conn.execute(_USED, [payment.used_cents - used_before, is_closed, package.tenant_id, package.id])


def _take(conn: Connection, package: _Locked, booking_id: UUID | None, share: UsedShare) -> None:
    """Move the share of a session from the package's payment into one of its own."""
    values = {
        "id": new_id(), "tenant": package.tenant_id, "payment": package.id, "booking": booking_id,
        "purpose": SESSION_PURPOSE, "cents": share.cents, "fee": share.fee_cents,
    }  # fmt: skip
    conn.execute(_TAKE, values)
    post_package_used(conn, package.id, booking_id, package.person_id, package.owner_id, share)
