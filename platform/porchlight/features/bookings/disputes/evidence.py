"""Evidence for the bank about a disputed payment: our facts and the guru's words. Computed without a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from porchlight.emails.session_times import format_day, format_moment, format_period
from porchlight.features.bookings.cancellation_text import format_cancellation
from tenants.kit import money

_ENDED_BY = {"person": "the customer", "guru": "the provider", "staff": "the platform", "system": "a missing answer"}


@dataclass(frozen=True, slots=True)
class PackageSession:
    """A session that was booked with a disputed package, and what its person accepted for canceling it."""

    starts_at: datetime
    ends_at: datetime
    zone: str
    status: str
    ended_by: str
    ended_at: datetime | None
    checked_in_at: datetime | None
    terms: Mapping[str, Any]
    booked_at: datetime


@dataclass(frozen=True, slots=True)
class DisputedPackage:
    """A disputed package, with the sessions that use it, the earliest first. It lasts until the local `last_day`.

    Of the sessions it was bought with, `left` can be booked, and the guru took `taken_back` back.
    """

    name: str
    service_name: str
    guru_name: str
    person_name: str
    granted: int
    left: int
    taken_back: int
    last_day: date
    zone: str
    price_cents: int
    paid_at: datetime
    card: str
    receipt: str
    refunded_cents: int
    sessions: Sequence[PackageSession]


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


_Session = DisputedSession | PackageSession
_InZone = _Session | DisputedPackage


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
    fields = {
        "customer_name": first.person_name,
        "product_description": f"{first.service_name} with {first.guru_name}, booked and paid online.",
        "service_date": ", ".join(_day(one) for one in sessions),
        "cancellation_policy_disclosure": f"The customer accepted these terms when they booked. {_accepted(first)}",
        "refund_policy_disclosure": _terms(first),
        "uncategorized_text": _text(facts_rows(sessions), words, customer_words),
    }
    return {name: value for name, value in fields.items() if value}


def package_rows(package: DisputedPackage) -> list[tuple[str, str]]:
    """Return label and value of each fact about a package that is sent, as the guru reads them before."""
    booked = len(package.sessions)
    counts = [f"{booked} of {package.granted} used or booked", f"{package.left} left"]
    if package.taken_back:
        counts.insert(1, f"{package.taken_back} taken back")
    rows = [
        ("Package", f"{package.name}: {package.granted} sessions of {package.service_name}"),
        ("Bought", format_day(package.paid_at.astimezone(ZoneInfo(package.zone)).date())),
        ("Sessions", f"{', '.join(counts)}."),
        ("Terms", _package_terms(package)),
    ]
    for number, one in enumerate(package.sessions, 1):
        rows.append((f"Session {number}", f"{_when(one)}. {_outcome(one)}"))
    return [*rows, ("Receipt", _receipt(package))]


def package_evidence(package: DisputedPackage, words: str, customer_words: str) -> dict[str, str]:
    """Return the evidence about a package in Stripe's fields. None of its sessions may have been booked."""
    fields = {
        "customer_name": package.person_name,
        "product_description": f"{package.granted} sessions of {package.service_name} with {package.guru_name},"
        " bought together and paid online.",
        "service_date": ", ".join(_day(one) for one in package.sessions)
        or package.paid_at.astimezone(ZoneInfo(package.zone)).date().isoformat(),
        "cancellation_policy_disclosure": _package_cancellation(package),
        "refund_policy_disclosure": _package_terms(package),
        "uncategorized_text": _text(package_rows(package), words, customer_words),
    }
    return {name: value for name, value in fields.items() if value}


def _text(rows: Sequence[tuple[str, str]], words: str, customer_words: str) -> str:
    text = "\n".join(f"{label}: {value}" for label, value in rows)
    if customer_words:
        text += f"\n\nWhat the customer wrote:\n{customer_words}"
    return f"{words}\n\n{text}".strip()


def _package_terms(package: DisputedPackage) -> str:
    return (
        f"It covers sessions until {format_day(package.last_day)}. A session that is canceled in time goes back to the"
        " package. Sessions that are left at its end are not refunded."
    )


def _package_cancellation(package: DisputedPackage) -> str:
    if not package.sessions:
        return ""
    first = package.sessions[0]
    terms = format_cancellation(first.terms, 0, uses_package=True)
    accepted = format_moment(_local(first.booked_at, first))
    return f"The customer accepted these terms when they booked. {terms} Accepted {accepted}."


def _local(moment: datetime, session: _InZone) -> datetime:
    return moment.astimezone(ZoneInfo(session.zone))


def _day(session: _Session) -> str:
    return _local(session.starts_at, session).date().isoformat()


def _when(session: _Session) -> str:
    return format_period(_local(session.starts_at, session), _local(session.ends_at, session))


def _terms(session: DisputedSession) -> str:
    return format_cancellation(session.terms, session.price_cents, uses_package=False)


def _accepted(session: DisputedSession) -> str:
    return f"{_terms(session)} Accepted {format_moment(_local(session.booked_at, session))}."


def _outcome(session: _Session) -> str:
    if session.checked_in_at is not None:
        return f"The customer checked in {format_moment(_local(session.checked_in_at, session))}."
    if session.status == "missed":
        return "The customer did not come."
    if session.ended_at is not None:
        by = _ENDED_BY.get(session.ended_by, "the platform")
        return f"Ended by {by} {format_moment(_local(session.ended_at, session))}."
    return "The session took place." if session.status == "completed" else "Neither side has canceled."


def _receipt(session: DisputedSession | DisputedPackage) -> str:
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
