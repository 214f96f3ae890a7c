"""Reading all payments by card for staff: a list by state and by ids, and everything about one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.features.money.card_payments.admin_schemas import (
    CardPaymentDetails,
    CardPaymentFilter,
    CardPaymentPage,
    CardPaymentRow,
    CardPaymentState,
    PaymentPosting,
    PaymentStep,
    PostedLeg,
    StripeLink,
)
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id
from tenants.kit.pagination import PAGE_SIZE, parse_id_cursor, plain_search

DASHBOARD = "https://dashboard.stripe.com"
# A refund that failed, and was not sent again since.
_HAS_FAILED = """f.state = 'failed' AND NOT EXISTS (
         SELECT FROM refunds a
          WHERE a.tenant_id = f.tenant_id AND a.again_of = coalesce(f.again_of, f.id) AND a.state <> 'failed')"""
_SELECT = f"""
SELECT p.id, p.tenant_id, p.booking_id, p.group_id, p.mode, p.state, p.amount_cents, p.refunded_cents, p.fee_cents,
       p.fee_returned_cents, p.disputed_cents, p.disputed_fee_cents, p.disputed, p.purpose, p.transfer_state,
       p.transferred_cents, p.created_at, p.paid_at, p.delivered_at,
       p.checkout_id, p.intent_id, p.charge_id, p.transfer_id, p.card_brand, p.card_last4, p.error_code,
       EXISTS (SELECT FROM refunds f WHERE f.payment_id = p.id AND {_HAS_FAILED}) AS has_failed_refund,
       coalesce(u.email, '') AS person, coalesce(g.label, b.guru_label, p.package ->> 'guru_label', '') AS guru_label,
       coalesce(b.service_name, p.package ->> 'name', '') AS service_name, p.used_cents
  FROM payments p
  LEFT JOIN users u ON u.user_id = p.person_id
  LEFT JOIN gurus g ON g.id = p.tenant_id
  LEFT JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id"""
# Each condition has an index of its rows, so that a rare state among very many payments is found at once.
_STATES: Mapping[CardPaymentFilter, str] = MappingProxyType(
    {
        "paid": "p.state = 'paid'",
        "open": "p.state IN ('opening', 'open', 'charging')",
        "refunded": "p.refunded_cents > 0",
        "disputed": "p.disputed",
        "stuck": "p.id IN (SELECT s.id FROM payments s WHERE s.transfer_state = 'stuck'"
        f" UNION SELECT f.payment_id FROM refunds f WHERE {_HAS_FAILED})",
    }
)
# What the ids at Stripe begin with.
_STRIPE_IDS: Mapping[str, str] = MappingProxyType(
    {
        "cs_": "p.checkout_id = %(search)s",
        "pi_": "p.intent_id = %(search)s",
        "ch_": "p.charge_id = %(search)s",
        "py_": "p.charge_id = %(search)s",
        "tr_": "p.transfer_id = %(search)s",
        "re_": "p.id IN (SELECT r.payment_id FROM refunds r WHERE r.refund_id = %(search)s)",
        "pyr_": "p.id IN (SELECT r.payment_id FROM refunds r WHERE r.refund_id = %(search)s)",
    }
)
_OF_ID = "(p.id = %(search)s::uuid OR p.group_id = %(search)s::uuid OR p.booking_id = %(search)s::uuid)"
_OF_PERSON = "p.person_id IN (SELECT o.user_id FROM users o WHERE lower(o.email) = lower(%(search)s))"
_TITLES: Mapping[str, str] = MappingProxyType(
    {"session": "{}", "tip": "Tip for {}", "package": "Package: {}", "package_session": "From a package: {}"}
)
_MODES: Mapping[str, str] = MappingProxyType({"full": "", "deposit": "deposit", "hold": "card to keep"})
_REFUNDS = """
SELECT r.id, r.amount_cents, r.reason, r.state, r.refund_id, r.error_code, r.created_at FROM refunds r
 WHERE r.tenant_id = %s AND r.payment_id = %s ORDER BY r.created_at, r.id"""
# A group that was paid together has one charge, so that its postings are those of the payment's own subjects. A dispute
# is one of the whole group.
_POSTINGS = """
SELECT t.id, t.event, t.at, l.debit_kind AS debit, l.credit_kind AS credit, l.amount AS cents
  FROM (SELECT t.id, t.event, t.at FROM ledger_transactions t
          JOIN unnest(%(kinds)s::text[], %(ids)s::text[]) AS s (kind, id)
            ON t.subject_kind = s.kind AND t.subject_id = s.id
        UNION
        SELECT t.id, t.event, t.at FROM session_disputes d
          JOIN ledger_transactions t ON t.subject_kind = 'dispute' AND t.subject_id = d.dp_id
         WHERE d.group_id = %(group)s) t
  JOIN ledger_transfers l ON l.transaction_id = t.id
 ORDER BY t.at, t.id, l.n LIMIT 500"""


class _Payment(NamedTuple):
    id: UUID
    tenant_id: UUID
    booking_id: UUID | None
    group_id: UUID
    mode: str
    state: str
    amount_cents: int
    refunded_cents: int
    fee_cents: int
    fee_returned_cents: int
    disputed_cents: int
    disputed_fee_cents: int
    disputed: bool
    purpose: str
    transfer_state: str
    transferred_cents: int
    created_at: datetime
    paid_at: datetime | None
    delivered_at: datetime | None
    checkout_id: str
    intent_id: str
    charge_id: str
    transfer_id: str
    card_brand: str
    card_last4: str
    error_code: str
    has_failed_refund: bool
    person: str
    guru_label: str
    service_name: str
    used_cents: int


class _ListedRefund(NamedTuple):
    id: UUID
    amount_cents: int
    reason: str
    state: str
    refund_id: str
    error_code: str
    created_at: datetime


class _Leg(NamedTuple):
    id: UUID
    event: str
    at: datetime
    debit: str
    credit: str
    cents: int


async def payments(
    service_db: Database, *, state: CardPaymentFilter | None, search: str, cursor: str | None
) -> CardPaymentPage:
    """Return a page of payments, the newest first. `search`: a whole id, of Stripe or ours, or an email address."""
    wanted = plain_search(search)
    conditions = [_STATES[state]] if state else []
    if wanted:
        found = _search_condition(wanted)
        if found is None:
            return CardPaymentPage(items=[], next_cursor=None)
        conditions.append(found)
    before = parse_id_cursor(cursor)
    if before is not None:
        conditions.append("p.id < %(before)s")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    params = {"search": wanted, "before": before, "limit": PAGE_SIZE + 1}
    query = f"{_SELECT}{where} ORDER BY p.id DESC LIMIT %(limit)s"
    rows = await service_db.read(None, query, params, row=_Payment)
    page = rows[:PAGE_SIZE]
    return CardPaymentPage(
        items=[_to_row(one) for one in page], next_cursor=str(page[-1].id) if len(rows) > PAGE_SIZE else None
    )


def _search_condition(search: str) -> str | None:
    """Return the condition of what the text can be a name of, or None."""
    if "@" in search:
        return _OF_PERSON
    if parse_id(search) is not None:
        return _OF_ID
    return next((condition for start, condition in _STRIPE_IDS.items() if search.startswith(start)), None)


async def payment(service_db: Database, payment_id: UUID, *, is_live: bool) -> CardPaymentDetails:
    """Return everything about a payment. `is_live`: the objects are not of Stripe's test mode. Raises NotFound."""
    rows = await service_db.read(None, f"{_SELECT} WHERE p.id = %s", [payment_id], row=_Payment)
    if not rows:
        raise NotFound
    (one,) = rows
    refunds = await service_db.read(None, _REFUNDS, [one.tenant_id, one.id], row=_ListedRefund)
    subjects = [("payment", str(one.id)), ("transfer", one.transfer_id)]
    if one.purpose in ("session", "package_session") and one.booking_id and one.state == "paid":
        subjects.append(("booking", str(one.booking_id)))
    subjects += [("refund", str(refund.id)) for refund in refunds]
    params = {"kinds": [kind for kind, _ in subjects], "ids": [id_ for _, id_ in subjects], "group": one.group_id}
    legs = await service_db.read(None, _POSTINGS, params, row=_Leg)
    kept = one.amount_cents - one.refunded_cents - one.disputed_cents - one.used_cents if one.state == "paid" else 0
    fee = one.fee_cents - one.fee_returned_cents - one.disputed_fee_cents if one.state == "paid" else 0
    return CardPaymentDetails(
        payment=_to_row(one),
        group_id=str(one.group_id),
        card=" ".join(filter(None, [one.card_brand.capitalize(), one.card_last4])),
        fee_kept_cents=fee,
        share_cents=max(kept - fee, 0),
        transferred_cents=one.transferred_cents,
        refundable_cents=0 if one.disputed or one.purpose == "package" else max(kept, 0),
        error_code=one.error_code,
        steps=_steps(one, refunds, legs),
        postings=_postings(legs),
        stripe=_links(one, refunds, is_live=is_live),
    )


def state_of(one: _Payment) -> CardPaymentState:
    """Return the state of a payment in one word, the one that staff have to act on first."""
    if one.state in ("opening", "open", "charging"):
        return "open"
    if one.state == "kept":
        return "kept"
    if one.state == "unpaid":
        return "unpaid"
    if one.state != "paid":
        return "ended"
    if one.transfer_state == "stuck" or one.has_failed_refund:
        return "stuck"
    if one.disputed:
        return "disputed"
    if one.refunded_cents == one.amount_cents:
        return "refunded"
    return "partly_refunded" if one.refunded_cents else "paid"


def _only_kept(one: _Payment) -> bool:
    """Return whether the amount is only the most that a kept card could have been charged."""
    return one.mode == "hold" and one.state in ("kept", "released")


def _to_row(one: _Payment) -> CardPaymentRow:
    return CardPaymentRow(
        id=str(one.id),
        booking_id=str(one.booking_id) if one.booking_id else None,
        state=state_of(one),
        person=one.person,
        guru_label=one.guru_label,
        service_name=_TITLES[one.purpose].format(one.service_name or "sessions that were left"),
        amount_cents=0 if _only_kept(one) else one.amount_cents,
        refunded_cents=one.refunded_cents,
        fee_cents=0 if _only_kept(one) else one.fee_cents,
        created_at=clock.to_iso8601(one.created_at),
    )


def _steps(one: _Payment, refunds: Sequence[_ListedRefund], legs: Sequence[_Leg]) -> list[PaymentStep]:
    """Return what happened to a payment, in order."""
    found: list[tuple[datetime, str, int, str]] = [
        (one.created_at, "began", 0 if one.mode == "hold" else one.amount_cents, _MODES[one.mode])
    ]
    if one.paid_at:
        found.append((one.paid_at, "paid", one.amount_cents, ""))
    found += [
        (each.created_at, "refund", each.amount_cents, each.error_code or f"{each.reason}, {each.state}")
        for each in refunds
    ]
    if one.delivered_at:
        found.append((one.delivered_at, "delivered", 0, ""))
    posted = {"transferred": "transferred", "dispute_opened": "disputed"}
    for event, kind in posted.items():
        of_event = [leg for leg in legs if leg.event == event]
        if of_event:
            found.append((of_event[0].at, kind, sum(leg.cents for leg in of_event), ""))
    found.sort(key=lambda step: step[0])
    return [
        PaymentStep.model_validate({"kind": kind, "at": clock.to_iso8601(at), "cents": cents, "note": note})
        for at, kind, cents, note in found
    ]


def _postings(legs: Sequence[_Leg]) -> list[PaymentPosting]:
    found: dict[UUID, PaymentPosting] = {}
    for leg in legs:
        posting = found.setdefault(
            leg.id, PaymentPosting(id=str(leg.id), event=leg.event, at=clock.to_iso8601(leg.at), legs=[])
        )
        posting.legs.append(PostedLeg(debit=leg.debit, credit=leg.credit, cents=leg.cents))
    return list(found.values())


def _links(one: _Payment, refunds: Sequence[_ListedRefund], *, is_live: bool) -> list[StripeLink]:
    base = DASHBOARD if is_live else f"{DASHBOARD}/test"
    pages: list[tuple[str, Any]] = [
        (one.checkout_id, ""), (one.intent_id, f"{base}/payments/{one.intent_id}"), (one.charge_id, ""),
        *((refund.refund_id, "") for refund in refunds),
        (one.transfer_id, f"{base}/connect/transfers/{one.transfer_id}"),
    ]  # fmt: skip
    return [StripeLink(id=id_, url=url) for id_, url in pages if id_]
