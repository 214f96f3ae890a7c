"""The content of a receipt. `receipt_pdf` draws it, and is imported when it is needed: its libraries are large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Receipt:
    """The content of a receipt. `refunds`: the day and the amount in cents of each refund that was not returned.

    `what`: a sentence on what was paid, "" for the price.
    """

    number: str
    paid_on: date
    payer: str
    guru: str
    service: str
    card: str
    amount_cents: int
    refunds: Sequence[tuple[date, int]] = ()
    purpose: str = "session"
    what: str = ""
