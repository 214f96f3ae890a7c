"""Errors about the payment provider that every feature with payments raises."""

from __future__ import annotations

from tenants.kit.errors import ProductError, Unavailable


class PaymentsNotSetUp(ProductError):
    """No payment provider is configured."""

    status = 503
    code = "payments_unavailable"
    message = "Payments are not set up on this site yet."


class PaymentsUnresponsive(Unavailable):
    """The payment provider does not answer. What was asked for is not lost: the next try continues it."""

    code = "payments_away"
    message = "Stripe does not answer at the moment. Please try again in a minute."
