"""Why an instant payout is not possible, in words for the guru. The page shows them with any status."""

from __future__ import annotations

from tenants.kit.errors import ProductError


class PayoutRefused(ProductError):
    """An instant payout that was not accepted, with one of the codes of WORDS."""

    status = 409
    code = "payout_refused"
    message = "Stripe could not send this payout. Your money is still in your balance."

    def __init__(self, code: str = code, *, most_cents: int = 0) -> None:
        self.code = _PUBLIC_CODES.get(code, code if code in WORDS else "payout_refused")
        self.status = 422 if code == "amount_too_small" else 409
        super().__init__(words(code, most_cents=most_cents))

    def body(self) -> dict[str, object]:
        """Return the response's JSON with SPEC's `ok`."""
        return {**super().body(), "ok": False}


WORDS = {
    "not_connected_yet": "Please finish setting up your payout method first.",
    "payouts_paused": "Stripe has paused your payouts. Open your Stripe dashboard to see what it needs.",
    "no_instant_method": "Add a debit card in your Stripe dashboard to get paid in minutes.",
    "amount_too_small": "The smallest instant payout is $1.00.",
    "amount_too_large": "You can get up to {most} right now.",
    "payout_in_progress": "A payout is already on its way. You can start another once it shows up below.",
    "balance_negative": "Your next earnings cover a refund first. Instant payouts work again after that.",
    "payout_limit": (
        "You've reached today's instant payout limit. Try again tomorrow, or wait for your regular payout."
    ),
    "first_sale_is_new": ("Instant payouts start a week after your first sale. Your regular payout is not affected."),
    "destination_is_new": (
        "You changed your bank account or card. Instant payouts work again after three days."
        " Your regular payout is not affected."
    ),
    "sign_in_again": "For a payout of this size, please sign out and sign in again first.",
    "price_differs": "Instant payouts are not available right now. Your regular payout is not affected.",
    "amounts_changed": "What you can get has changed since you looked. Please check the amounts and confirm again.",
    "platform_limit": "Instant payouts are used up for today. Your regular payout is not affected.",
    "payout_refused": PayoutRefused.message,
    "key_reused": "This payout was requested with another amount. Reload the page and try again.",
}
# Limits by our own rules share one code; their words differ.
_PUBLIC_CODES = {"first_sale_is_new": "payout_limit", "destination_is_new": "payout_limit"}
# Stripe's codes of refusals that have words of their own.
STRIPE_CODES = {
    "instant_payouts_limit_exceeded": "platform_limit",
    "instant_payouts_unsupported": "no_instant_method",
    "payouts_not_allowed": "payouts_paused",
}


def words(code: str, *, most_cents: int = 0) -> str:
    """Return the sentence for a reason."""
    dollars, cents = divmod(most_cents, 100)
    return WORDS.get(code, PayoutRefused.message).format(most=f"${dollars:,}.{cents:02}")
