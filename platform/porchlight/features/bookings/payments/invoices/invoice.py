"""The content of an invoice. `pdf` draws it, and is imported when it is needed: its libraries are large."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal


def invoice_number(year: int, number: int) -> str:
    """Return how people write the number of an invoice: 2026-0007."""
    return f"{year}-{number:04d}"


@dataclass(frozen=True, slots=True)
class Party:
    """A side of an invoice. `address` may have several lines."""

    name: str
    address: str
    tax_id: str


@dataclass(frozen=True, slots=True)
class InvoiceText:
    """The content of a document. `corrects`: the number of the one that it names, "" for an invoice."""

    number: str
    kind: Literal["invoice", "correction", "credit_note"]
    corrects: str
    issued_on: date
    paid_on: date
    session_on: date | None
    seller: Party
    buyer: Party
    service: str
    amount_cents: int
