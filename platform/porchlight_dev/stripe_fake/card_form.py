"""The card form of the hosted pages."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass

from porchlight_dev.stripe_fake import cards
from porchlight_dev.stripe_fake.cards import TestCard

_EXPIRY = re.compile(r"(\d{1,2})\s*/\s*(\d{2}|20\d{2})")


@dataclass(frozen=True, slots=True)
class CardEntry:
    """A filled card form: its card, expiry, and what is wrong by field."""

    card: TestCard
    exp: tuple[int, int]
    email: str
    name: str
    errors: dict[str, str]


def read(form: Mapping[str, object], now: int, *, email: str | None = None, card: bool = True) -> CardEntry:
    """Read a submitted form. `email` is the address that the page already knows; without `card` it has no card."""
    values = {name: str(form.get(name, "")).strip()[:200] for name in ("number", "expiry", "cvc", "name", "email")}
    errors = {}
    address = email or values["email"]
    if "@" not in address:
        errors["email"] = "Enter an email address."
    if not card:
        return CardEntry(cards.UNKNOWN, (0, 0), address, values["name"], errors)
    plain = values["number"].replace(" ", "").replace("-", "")
    if not re.fullmatch(r"\d{12,19}", plain):
        errors["number"] = "Your card number is incomplete."
    match = _EXPIRY.fullmatch(values["expiry"])
    exp = (int(match[1]), 2000 + int(match[2]) % 100) if match else (0, 0)
    today = datetime.datetime.fromtimestamp(now, datetime.UTC)
    if not 1 <= exp[0] <= 12:
        errors["expiry"] = "Your card's expiration date is incomplete."
    elif (exp[1], exp[0]) < (today.year, today.month):
        errors["expiry"] = "Your card's expiration year is in the past."
    if not re.fullmatch(r"\d{3,4}", values["cvc"]):
        errors["cvc"] = "Your card's security code is incomplete."
    return CardEntry(cards.find(plain), exp, address, values["name"], errors)


def hints() -> list[tuple[str, str]]:
    """Return the test cards and what they do, for the page."""
    shown = [card for card in cards.CARDS if card.brand == "visa"]
    return [(" ".join(re.findall(r"\d{4}", card.number)), card.words) for card in shown]
