"""Cards that are kept for sessions: charged what the person owes, and released once nothing can be owed any more.

A charge is decided with the end of its booking (`draft`); its outcome is that of its write. A card is released by the
job `payments:deliver`, because the last of the bookings that were made together decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.features.bookings import commands
from porchlight.features.bookings.payments.settlement.attempts import MAX_ATTEMPTS, send_again
from porchlight.features.bookings.payments.settlement.checkouts import PaymentRow, confirm, find_group, run
from porchlight.settlement.outbox import create_write
from porchlight.settlement.rules import Lookup, Refusal, Write
from tenants.db.rows import Connection, fetch_all, fetch_value
from tenants.kit import clock
from tenants.kit.logs import log

CHARGE_KIND, RELEASE_KIND, CUSTOMER_KIND = "session_charge", "session_card_release", "session_customer_end"
MAX_GROUPS = 500  # of one run; the next run takes the others

# An hour after the guru can say that the person did not come (`expiry.ATTENDANCE`), so that none of this is too early.
_GIVEN = """
UPDATE payments p SET state = 'released'
 WHERE (p.tenant_id, p.id) IN (
   SELECT k.tenant_id, k.id FROM payments k
     LEFT JOIN bookings b ON b.tenant_id = k.tenant_id AND b.id = k.booking_id
    WHERE k.method_id <> '' AND k.state = 'kept'
      AND coalesce(b.ends_at <= app.now() - interval '49 hours' AND b.status IN ('confirmed', 'completed'),
                   b.id IS NULL)
    ORDER BY k.id LIMIT %s FOR UPDATE OF k SKIP LOCKED)"""
# Of each group of payments whose card will not be charged any more. What was paid shows its card, as receipts do.
_RELEASE = """
WITH over AS (
  SELECT DISTINCT k.group_id, k.method_id FROM payments k
   WHERE k.method_id <> '' AND NOT EXISTS (SELECT FROM payments o WHERE o.group_id = k.group_id
                                              AND o.state IN ('kept', 'charging')) LIMIT %s),
ended AS (
  UPDATE payments p
     SET method_id = '', card_brand = CASE p.state WHEN 'released' THEN '' ELSE p.card_brand END,
         card_last4 = CASE p.state WHEN 'released' THEN '' ELSE p.card_last4 END
    FROM over WHERE p.group_id = over.group_id)
SELECT group_id, method_id FROM over"""
_CUSTOMER = """
WITH known AS (SELECT DISTINCT customer_id FROM payments WHERE group_id = %(group)s AND customer_id <> ''),
forgotten AS (UPDATE payments SET customer_id = '' WHERE group_id = %(group)s)
SELECT customer_id FROM known"""


class _Kept(NamedTuple):
    group_id: UUID
    method_id: str


def release(conn: Connection) -> int:
    """Let go of the cards of sessions that were given, and of all that nothing is owed of. Return their number."""
    conn.execute(_GIVEN, [MAX_GROUPS])
    found = fetch_all(conn, _Kept, _RELEASE, [MAX_GROUPS])
    for one in found:
        path = f"/v1/payment_methods/{one.method_id}/detach"
        create_write(conn, kind=RELEASE_KIND, subject_id=one.group_id, path=path, params={}, tagged=False)
    return len(found)


class SendCharge:
    """A card that is kept is charged what the person owes, while they are away."""

    kind = CHARGE_KIND

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Record and post the charge; return it if the person came after all. The bank may not have paid it."""
        if stripe_object["status"] != "succeeded":
            error = stripe_object.get("last_payment_error") or {}
            self._end(conn, write, error.get("code") or stripe_object["status"])
            return
        charge, payments = stripe_object["latest_charge"], self._payment(conn, write)
        command = commands.ConfirmPayments(
            payments=[one.snapshot for one in payments],
            intent_id=stripe_object["id"],
            charge_id=charge if isinstance(charge, str) else charge["id"],
            card_brand="",  # as it was kept
            card_last4="",
            checked_at=clock.now(),
        )
        confirm(conn, payments, command)

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Record that the bank declined, or wants the person: they can pay it on Stripe's page."""
        log.info("session_charge_refused", payment=str(write.subject_id), code=refusal.code)
        self._end(conn, write, refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Send the charge again, because nothing moved; after the last attempt the person can pay it."""
        if not send_again(conn, write):
            log.error("session_charge_absent", payment=str(write.subject_id))
            self._end(conn, write, "absent")

    def lookup(self, write: Write) -> Lookup:
        """Return the payments of the customer that was made for this card."""
        return Lookup("/v1/payment_intents", {"customer": write.params["customer"]})

    def _end(self, conn: Connection, write: Write, code: str) -> None:
        found = self._payment(conn, write)
        if found:
            payments = [one.snapshot for one in found]
            run(conn, found, commands.EndPayments(payments=payments, state="unpaid", error_code=code))

    @staticmethod
    def _payment(conn: Connection, write: Write) -> list[PaymentRow]:
        group = find_group(conn, UUID(str(write.params["transfer_group"])))
        return [one for one in group if one.id == write.subject_id]


class ReleaseCard:
    """A card is not kept any more. Then its customer at Stripe is deleted, with the email address."""

    kind = RELEASE_KIND

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Delete the customer."""
        self._end_customer(conn, write)

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Delete the customer all the same: a card that Stripe does not know any more is not kept."""
        log.info("session_card_not_detached", group=str(write.subject_id), code=refusal.code)
        self._end_customer(conn, write)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Try again: the outcome does not show in a list."""
        _repeat(conn, write)

    def lookup(self, write: Write) -> Lookup:
        """Return an empty list: the outcome shows at the card itself."""
        return _no_list()

    @staticmethod
    def _end_customer(conn: Connection, write: Write) -> None:
        customer = fetch_value(conn, str, _CUSTOMER, {"group": write.subject_id})
        if customer:
            path = f"/v1/customers/{customer}"
            create_write(
                conn, kind=CUSTOMER_KIND, subject_id=write.subject_id, path=path, params={}, method="DELETE",
                tagged=False,
            )  # fmt: skip


class EndCustomer:
    """The customer that was made for a card is deleted at Stripe."""

    kind = CUSTOMER_KIND

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Do nothing: it is gone."""

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Only log it: Stripe does not know it any more."""
        log.info("session_customer_not_deleted", group=str(write.subject_id), code=refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Try again: the outcome does not show in a list."""
        _repeat(conn, write)

    def lookup(self, write: Write) -> Lookup:
        """Return an empty list: the outcome shows at the customer itself."""
        return _no_list()


def _repeat(conn: Connection, write: Write) -> None:
    if write.attempt < MAX_ATTEMPTS:
        create_write(
            conn, kind=write.kind, subject_id=write.subject_id, path=write.path, params={}, method=write.method,
            tagged=False,
        )  # fmt: skip
    else:
        log.error("session_card_not_released", write=write.kind, group=str(write.subject_id))


def _no_list() -> Lookup:
    return Lookup("/v1/checkout/sessions", {"created": {"gte": 4_000_000_000}})
