"""Errors of buying and changing a plan."""

from __future__ import annotations

from porchlight.settlement.errors import PaymentsNotSetUp
from tenants.kit.errors import Conflict, ProductError


class AlreadySubscribed(Conflict):
    """The user pays for a plan."""

    code = "already_subscribed"
    message = "You already have a plan. You can change it on your plan page."


class AlreadyGranted(Conflict):
    """The user has the plan, or a larger one, without paying."""

    code = "already_granted"

    def __init__(self, plan_name: str) -> None:
        super().__init__(f"You already have {plan_name} without paying. Nothing was charged.")


class CheckoutRefused(Conflict):
    """Stripe did not open a checkout."""

    code = "checkout_refused"
    message = "Stripe could not open the checkout. Nothing was charged. Please try again."


class NoBillingAccount(Conflict):
    """The user has bought nothing, so Stripe has no page for them."""

    code = "no_billing_account"
    message = "You have no card or invoices yet. They show up here after you choose a plan."


class ChangeProblem(Conflict):
    """The subscription cannot be changed in this way now. `code` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


_PROBLEMS = {
    "no_subscription": "You don't have a plan to change yet. Choose one first.",
    "payment_failed": "Your last payment didn't go through. Update your card first, then change your plan.",
    "change_in_progress": "A change of your plan is already on its way. It shows up here in a moment.",
    "change_pending": "A change of your plan is already planned. Take it back first, then choose another one.",
    "no_change": "That's the plan you already have.",
}
_DECLINED = "Your bank declined the card. Try another card or ask your bank."
_REFUSED = "Stripe could not make this change. Your plan is as it was."


def change_problem(problem: str) -> ProductError:
    """Return the error of a problem that `plan_changes.change_kind` names."""
    if problem == "not_set_up":
        return PaymentsNotSetUp()
    return ChangeProblem(problem, _PROBLEMS[problem])


def change_refused(code: str) -> ProductError:
    """Return the error of a change that Stripe refused with a code."""
    if code in ("card_declined", "expired_card", "authentication_required", "insufficient_funds"):
        return ChangeProblem("card_declined", _DECLINED)
    return ChangeProblem("change_refused", _REFUSED)
