"""Which document about a payment to issue next, decided without a database.

A payment has one invoice that counts: the latest invoice or correction. Its total less its credit notes is what was
billed, and has to be what the guru kept of the payment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from porchlight.features.bookings.payments.invoices.errors import NothingToInvoice, TooManyInvoices

Kind = Literal["invoice", "correction", "credit_note"]
MAX_DOCUMENTS = 20  # of one payment


@dataclass(frozen=True, slots=True)
class Company:
    """Whom an invoice is made out to. `address` may have several lines; `tax_id` may be empty."""

    name: str
    address: str
    tax_id: str


@dataclass(frozen=True, slots=True)
class Issued:
    """A document that was issued. `amount_cents`: the total, or what a credit note returns."""

    id: UUID
    kind: Kind
    company: Company
    amount_cents: int


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document to issue. `corrects_id`: the one that it replaces, or whose amount it returns in part."""

    kind: Kind
    company: Company
    amount_cents: int
    corrects_id: UUID | None = None


def next_document(issued: Sequence[Issued], company: Company, kept_cents: int) -> NewDocument | None:
    """Return the document to issue, or None if what was issued, the oldest first, says all.

    `kept_cents`: what was paid and did not go back. Raises NothingToInvoice if that is nothing and no invoice was
    issued, and TooManyInvoices.
    """
    document = _next(issued, company, kept_cents)
    if document is not None and len(issued) >= MAX_DOCUMENTS:
        raise TooManyInvoices
    return document


def _next(issued: Sequence[Issued], company: Company, kept_cents: int) -> NewDocument | None:
    current = next((one for one in reversed(issued) if one.kind != "credit_note"), None)
    if current is None:
        if kept_cents == 0:
            raise NothingToInvoice
        return NewDocument("invoice", company, kept_cents)
    since = issued[issued.index(current) + 1 :]
    billed = current.amount_cents - sum(one.amount_cents for one in since)
    # Of a payment that went back in full, only the return is left to say.
    if kept_cents and (company != current.company or kept_cents > billed):
        return NewDocument("correction", company, kept_cents, current.id)
    if kept_cents < billed:
        return NewDocument("credit_note", current.company, billed - kept_cents, current.id)
    return None
