"""Evidence for the bank about a disputed payment: our facts and the guru's words. Computed without a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from porchlight.emails.session_times import format_moment, format_period
from porchlight.features.bookings.cancellation_text import format_cancellation
from tenants.kit import money

_ENDED_BY = {"person": "the customer", "guru": "the provider", "staff": "the platform", "system": "a missing answer"}


@dataclass(frozen=True, slots=True)
class DisputedSession:
    """A session of a disputed payment. Cents are of its payment; `paid_at` is when it was paid."""

    service_name: str
    guru_name: str
    person_name: str
    starts_at: datetime
    ends_at: datetime
    zone: str
    status: str
    ended_by: str
    ended_at: datetime | None
    checked_in_at: datetime | None
    terms: Mapping[str, Any]
    price_cents: int
    booked_at: datetime
    paid_at: datetime
    card: str
    receipt: str
    refunded_cents: int


def facts_rows(sessions: Sequence[DisputedSession]) -> list[tuple[str, str]]:
    """Return label and value of each fact that is sent, as the guru reads them before."""
    rows: list[tuple[str, str]] = []
    for one in sessions:
        number = f" {len(rows) // len(_FACTS) + 1}" if len(sessions) > 1 else ""
        rows.extend((f"{label}{number}", fact(one)) for label, fact in _FACTS)
    return rows


def evidence_of(sessions: Sequence[DisputedSession], words: str, customer_words: str) -> dict[str, str]:
    """Return the evidence in Stripe's fields (https://docs.stripe.com/api/disputes/evidence_object)."""
    first = sessions[0]
    text = "\n".join(f"{label}: {value}" for label, value in facts_rows(sessions))
    if customer_words:
        text += f"\n\nWhat the customer wrote:\n{customer_words}"
    fields = {
        "customer_name": first.person_name,
        "product_description": f"{first.service_name} with {first.guru_name}, booked and paid online.",
        "service_date": ", ".join(_day(one) for one in sessions),
        "cancellation_policy_disclosure": f"The customer accepted these terms when they booked. {_accepted(first)}",
        "refund_policy_disclosure": _terms(first),
        "uncategorized_text": f"{words}\n\n{text}".strip(),
    }
    return {name: value for name, value in fields.items() if value}


def _local(moment: datetime, session: DisputedSession) -> datetime:
    return moment.astimezone(ZoneInfo(session.zone))


def _day(session: DisputedSession) -> str:
    return _local(session.starts_at, session).date().isoformat()


def _when(session: DisputedSession) -> str:
    return format_period(_local(session.starts_at, session), _local(session.ends_at, session))


def _terms(session: DisputedSession) -> str:
    return format_cancellation(session.terms, session.price_cents, uses_package=False)


def _accepted(session: DisputedSession) -> str:
    return f"{_terms(session)} Accepted {format_moment(_local(session.booked_at, session))}."


def _outcome(session: DisputedSession) -> str:
    if session.checked_in_at is not None:
        return f"The customer checked in {format_moment(_local(session.checked_in_at, session))}."
    if session.status == "missed":
        return "The customer did not come."
    if session.ended_at is not None:
        by = _ENDED_BY.get(session.ended_by, "the platform")
        return f"Ended by {by} {format_moment(_local(session.ended_at, session))}."
    return "The session took place." if session.status == "completed" else "Neither side has canceled."


def _receipt(session: DisputedSession) -> str:
    paid = format_moment(_local(session.paid_at, session))
    refunded = f" {money.format_cents(session.refunded_cents)} refunded." if session.refunded_cents else ""
    return f"{session.receipt}: {money.format_cents(session.price_cents)} paid {paid}, {session.card}.{refunded}"


_FACTS = (
    ("Service", lambda one: one.service_name),
    ("Date", _when),
    ("Terms", _accepted),
    ("Session", _outcome),
    ("Receipt", _receipt),
)
