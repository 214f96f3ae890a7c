"""Test cards and what they do (https://docs.stripe.com/testing#cards)."""

from __future__ import annotations

from dataclasses import dataclass

from porchlight_dev.stripe_fake.context import blank
from porchlight_dev.stripe_fake.store import Json


@dataclass(frozen=True, slots=True)
class TestCard:
    """A test card.

    `decline` refuses every payment; `attaches` still lets a customer store it. `authentication` says when the bank asks
    its holder: `always`, `setup` (on pages, and later only if it was not stored there) or `request` (if the call asks
    for 3D Secure). `refund` is `pending` or `fails`.
    """

    number: str
    token: str
    words: str
    decline: str = ""
    attaches: bool = True
    authentication: str = ""
    dispute: bool = False
    bypass_pending: bool = False
    refund: str = ""
    brand: str = "visa"
    funding: str = "credit"

    @property
    def last4(self) -> str:
        """Return the last four digits."""
        return self.number[-4:]

    def asks(self, requested: str = "automatic") -> bool:
        """Return whether the bank asks the holder on a page, where a call may request 3D Secure."""
        return self.authentication in ("always", "setup") or (
            self.authentication == "request" and requested != "automatic"
        )

    def asks_later(self, method: Json | None) -> bool:
        """Return whether the bank wants the holder, who is away, for a payment by a stored card."""
        confirmed = bool(method and method.get("_authenticated"))
        return self.authentication == "always" or (self.authentication == "setup" and not confirmed)


CARDS = (
    TestCard("4242424242424242", "pm_card_visa", "pays"),
    TestCard("5555555555554444", "pm_card_mastercard", "pays", brand="mastercard"),
    TestCard("4000056655665556", "pm_card_visa_debit", "pays, debit", funding="debit"),
    TestCard("4000000000000002", "pm_card_visa_chargeDeclined", "is declined", "generic_decline", attaches=False),
    TestCard(
        "4000000000009995",
        "pm_card_visa_chargeDeclinedInsufficientFunds",
        "has insufficient funds",
        "insufficient_funds",
        attaches=False,
    ),
    TestCard("4000000000000341", "pm_card_chargeCustomerFail", "can be stored, then is declined", "generic_decline"),
    TestCard("4000000000000259", "pm_card_createDispute", "pays, then disputes", dispute=True),
    TestCard("4000000000000077", "pm_card_bypassPending", "pays, available at once", bypass_pending=True),
    TestCard("4000000000007726", "pm_card_pendingRefund", "pays, refunds are pending", refund="pending"),
    TestCard("4000000000005126", "pm_card_refundFail", "pays, refunds fail later", refund="fails"),
    TestCard("4000002500003155", "pm_card_authenticationRequiredOnSetup", "asks for 3D Secure", authentication="setup"),
    TestCard(
        "4000002760003184",
        "pm_card_authenticationRequired",
        "asks for 3D Secure, also when stored",
        authentication="always",
    ),
    TestCard(
        "4000000000003055",
        "pm_card_threeDSecureOptional",
        "asks for 3D Secure on request",
        authentication="request",
    ),
)
BY_NUMBER = {card.number: card for card in CARDS}
BY_TOKEN = {card.token: card for card in CARDS}
DECLINE_WORDS = {
    "generic_decline": "Your card was declined.",
    "insufficient_funds": "Your card has insufficient funds.",
    "authentication_required": "Your card was declined. This transaction requires authentication.",
    "test_mode_live_card": (
        "Your card was declined. Your request was in test mode, but used a non test card."
        " For a list of valid test cards, visit: https://stripe.com/docs/testing."
    ),
}
NO_ADDRESS = blank("city country line1 line2 postal_code state")
UNKNOWN = TestCard("0000000000000000", "", "is no test card", "test_mode_live_card", attaches=False)


def find(number_or_token: str) -> TestCard:
    """Return a test card by its number or by the id of its payment method."""
    plain = number_or_token.replace(" ", "").replace("-", "")
    return BY_NUMBER.get(plain) or BY_TOKEN.get(plain) or UNKNOWN


def billing(email: str | None, name: str | None = None) -> Json:
    """Return the `billing_details` hash of a card whose holder entered no address."""
    return {"address": dict(NO_ADDRESS), "email": email, "name": name, **blank("phone tax_id")}


def details(card: TestCard, exp_month: int, exp_year: int) -> Json:
    """Return the `card` hash of a payment method."""
    return {
        "brand": card.brand,
        "checks": {"address_line1_check": None, "address_postal_code_check": None, "cvc_check": "pass"},
        "country": "US",
        "display_brand": card.brand,
        "exp_month": exp_month,
        "exp_year": exp_year,
        "fingerprint": f"fp{card.number}",
        "funding": card.funding,
        "last4": card.last4,
        "networks": {"available": [card.brand], "preferred": None},
        "three_d_secure_usage": {"supported": True},
        **blank("generated_from regulated_status wallet"),
    }
