"""Texts about disputes: the bank's reason in plain words."""

from __future__ import annotations

from collections.abc import Mapping

# By Stripe's reason (https://docs.stripe.com/disputes/categories).
_REASONS: Mapping[str, str] = {
    "fraudulent": "The cardholder says that they didn't make this payment.",
    "unrecognized": "The cardholder doesn't recognize this payment.",
    "product_not_received": "The cardholder says that the session didn't take place.",
    "product_unacceptable": "The cardholder says that the session wasn't what was promised.",
    "credit_not_processed": "The cardholder says that a refund is due and didn't arrive.",
    "duplicate": "The cardholder says that they were charged twice.",
    "subscription_canceled": "The cardholder says that they had canceled.",
    "customer_initiated": "The cardholder asked their bank to return the payment.",
}


def reason_text(reason: str) -> str:
    """Return the bank's reason in plain words."""
    return _REASONS.get(reason, "The cardholder's bank gave no reason that says more.")
