"""The needs of a payment by card besides the booking: the guru's plan, the fees, the payer and their return."""

from __future__ import annotations

from dataclasses import dataclass

from porchlight.features.bookings.commands import WantedPayment
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.payments.amounts import is_paid_by_card
from porchlight.money.fees import Fees
from tenants.db.pool import Database

_PLAN = "SELECT app.tenant_plan(false)"


@dataclass(frozen=True, slots=True)
class CardDesk:
    """Where cards are charged. `is_open`: a payment provider is configured. `email` is the payer's."""

    is_open: bool
    fees: Fees
    origin: str
    email: str

    async def wanted_payment(self, db: Database, booking: Booking) -> WantedPayment | None:
        """Return how a hold is paid, or None if it is not paid by card, or its guru's plan takes no cards."""
        if not self.is_open or not is_paid_by_card(booking):
            return None
        if booking.status in ("canceled", "missed"):  # what is owed has its fee, also if the guru's plan has changed
            return self._payment(booking, "")
        plan = await db.read_value(str, booking.tenant_id, _PLAN, ())
        if plan is None or plan not in self.fees.basis_points:
            return None
        return self._payment(booking, plan)

    def _payment(self, booking: Booking, plan: str) -> WantedPayment:
        return WantedPayment(
            plan=plan,
            fees=self.fees,
            title=f"{booking.service_name} with {booking.guru_name}",
            email=self.email,
            return_url=f"{self.origin}/sessions/{booking.id}",
        )
