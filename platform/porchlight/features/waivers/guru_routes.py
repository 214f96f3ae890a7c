"""Waivers in the guru's console: the emergency contact of a session's person."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy import text

from porchlight.dependencies import IMPERSONATE_HEADER, Context, OptionalUser, OwnGuru
from porchlight.features.waivers.schemas import EmergencyContactData, EmergencyContactResponse
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import StrictRoute
from tenants.kit.errors import Conflict, Forbidden, NotFound
from tenants.kit.ids import parse_id_or_404

router = APIRouter(prefix="/api/guru", tags=["waivers"], route_class=StrictRoute)

_EMERGENCY_CONTACT = text("SELECT outcome, contact FROM app.emergency_contact(:booking)")


class ContactHidden(Forbidden):
    """An admin who impersonates the guru asks for an emergency contact."""

    code = "contact_hidden"
    message = "Only the guru can see emergency contacts."


class ContactClosed(Conflict):
    """The session is too far away, too long ago, or canceled."""

    code = "contact_closed"
    message = "You can see the emergency contact from 24 hours before the session until 24 hours after it."


@router.get(
    "/bookings/{booking_id}/emergency-contact",
    operation_id="get_emergency_contact",
    summary="Get the emergency contact of a session",
)
async def get_emergency_contact(
    request: Request, response: Response, context: Context, guru: OwnGuru, user: OptionalUser, booking_id: str
) -> EmergencyContactResponse:
    """Return the contact that the person gave in their waiver, or null. Each view is logged, and the person sees it.

    Raises NotFound, ContactClosed, and ContactHidden for an admin who impersonates the guru.
    """
    wanted = parse_id_or_404(booking_id)
    if user is None or IMPERSONATE_HEADER in request.headers:
        raise ContactHidden
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, tenant_id=guru.tenant_id, user_id=user.user_id, acting=True) as session:
        outcome, contact = (await session.execute(_EMERGENCY_CONTACT, {"booking": wanted})).one()
    if outcome == "unknown":
        raise NotFound
    if outcome == "closed":
        raise ContactClosed
    data = EmergencyContactData.model_validate(contact) if contact else None
    return EmergencyContactResponse(success=True, data=data)
