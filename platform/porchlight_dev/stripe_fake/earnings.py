"""Test earnings: a card payment to the platform and a transfer of it to a connected account.

Both carry the metadata `porchlight_test_earnings=1`, so that the product can tell them from sales that it made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from porchlight_dev.stripe_fake import cards, payment_intents, transfers
from porchlight_dev.stripe_fake.context import Call, Context
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.store import Json

METADATA = {"porchlight_test_earnings": "1"}
MAX_CENTS = 99_999_999


def add(ctx: Context, account: str, amount: int, *, pending: bool = False) -> Json:
    """Give a connected account earnings of `amount` cents, at once or (`pending`) in two days; return both objects."""
    if not 1 <= amount <= MAX_CENTS:
        raise StripeRefusal("The amount must be at least one cent and below one million dollars.", param="amount")
    card = cards.find("pm_card_visa" if pending else "pm_card_bypassPending")
    _intent, charge = payment_intents.pay(
        ctx, amount, card, description="Test earnings", metadata=dict(METADATA), on_session=True
    )
    params = {
        "amount": amount,
        "currency": "usd",
        "destination": account,
        "source_transaction": charge["id"],
        "description": "Test earnings",
        "metadata": dict(METADATA),
    }
    transfer = transfers.create(ctx, Call("", {}, params))
    return {"charge": charge, "transfer": transfer}


def control(ctx: Context, values: Mapping[str, Any]) -> Json:
    """Add earnings to `account`; without one, charge the platform alone. `pending` and `card` choose the test card."""
    amount = int(values["amount"])
    if values.get("account"):
        return add(ctx, str(values["account"]), amount, pending=bool(values.get("pending")))
    token = str(values.get("card") or ("pm_card_visa" if values.get("pending") else "pm_card_bypassPending"))
    metadata = {key: str(value) for key, value in (values.get("metadata") or {}).items()}
    intent, charge = payment_intents.pay(ctx, amount, cards.find(token), metadata=metadata, on_session=True)
    return {"charge": charge, "payment_intent": intent}
