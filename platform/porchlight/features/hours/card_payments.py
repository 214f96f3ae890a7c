"""Whether a service can be paid by card when it is booked."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from porchlight.console_context import ConsoleContext
from porchlight.dependencies import AuthenticatedUser
from porchlight.settlement.card_payments import MIN_PRICE_CENTS, TOO_CHEAP, card_payments, require_ready
from tenants.kit.errors import NotFound, ValidationFailed

_SERVICE = """
SELECT s.price_cents, s.currency, coalesce(b.payment <> 'in_person', false) AS is_paid_by_card
  FROM services s LEFT JOIN booking_settings b ON b.tenant_id = s.tenant_id AND b.service_id = s.id
 WHERE s.tenant_id = app.tenant_id() AND s.id = %s"""
OTHER_CURRENCY = "Cards can be charged in US dollars only. Set the price in dollars, or let people pay in person."


class _Service(NamedTuple):
    price_cents: int
    currency: str
    is_paid_by_card: bool


async def require_card_payments(console: ConsoleContext, user: AuthenticatedUser | None, service_id: UUID) -> None:
    """Raise PlanRequired, ValidationFailed or NotFound unless a service of the guru can be paid by card.

    One that is paid by card already keeps that, so that the guru can save the rest of the form.
    """
    context = console.app_context
    found = await context.db.read(console.tenant_id, _SERVICE, [service_id], row=_Service)
    if not found:
        raise NotFound
    if found[0].currency != "USD":
        raise ValidationFailed(fields={"payment": OTHER_CURRENCY})
    if found[0].price_cents < MIN_PRICE_CENTS:
        raise ValidationFailed(fields={"payment": TOO_CHEAP})
    if found[0].is_paid_by_card:
        return
    owner_id = None if console.is_impersonated or user is None else user.user_id
    require_ready(
        await card_payments(
            context.db, context.settings, console.tenant_id, owner_id, is_set_up=context.stripe is not None
        )
    )
