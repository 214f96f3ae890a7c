"""Waivers in the guru's console: the emergency contact of a session's person, and the guru's own text."""

from __future__ import annotations

from fastapi import Request, Response
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.dependencies import IMPERSONATE_HEADER, Context, OptionalUser, OwnGuru
from porchlight.features.waivers.canonical import sha256_hex
from porchlight.features.waivers.guru_texts import newest_text, save_text
from porchlight.features.waivers.schemas import (
    EmergencyContactResponse,
    EmergencyContactsData,
    OwnText,
    OwnTextPayload,
    OwnTextResponse,
    ParticipantContact,
)
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.clock import to_iso8601
from tenants.kit.errors import Conflict, Forbidden, NotFound
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru", tags=["waivers"], route_class=StrictRoute)

_EMERGENCY_CONTACTS = text("SELECT outcome, contacts FROM app.emergency_contacts(:booking)")


class ContactHidden(Forbidden):
    """An admin who impersonates the guru asks for an emergency contact."""

    code = "contact_hidden"
    message = "Only the guru can see emergency contacts."


class ContactClosed(Conflict):
    """The session is too far away, too long ago, or canceled."""

    code = "contact_closed"
    message = "You can see the emergency contact from 24 hours before the session until 24 hours after it."


class TextIsGurus(Forbidden):
    """An admin who impersonates the guru changes the guru's waiver text."""

    code = "text_is_gurus"
    message = "Only the guru can change the waiver text."


@router.get(
    "/bookings/{booking_id}/emergency-contact",
    operation_id="get_emergency_contact",
    summary="Get the emergency contact of a session",
)
async def get_emergency_contact(
    request: Request, response: Response, context: Context, guru: OwnGuru, user: OptionalUser, booking_id: str
) -> EmergencyContactResponse:
    """Return the contacts that participants gave in their waivers. Each view is logged, and the person sees it.

    Raises NotFound, ContactClosed, and ContactHidden for an admin who impersonates the guru.
    """
    wanted = parse_id_or_404(booking_id)
    if user is None or IMPERSONATE_HEADER in request.headers:
        raise ContactHidden
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, tenant_id=guru.tenant_id, user_id=user.user_id, acting=True) as session:
        outcome, contacts = (await session.execute(_EMERGENCY_CONTACTS, {"booking": wanted})).one()
    if outcome == "unknown":
        raise NotFound
    if outcome == "closed":
        raise ContactClosed
    participants = [ParticipantContact.model_validate(contact) for contact in contacts]
    if not participants:
        return EmergencyContactResponse(success=True, data=None)
    first = participants[0].model_dump(exclude={"participant_name"})
    return EmergencyContactResponse(success=True, data=EmergencyContactsData(**first, participants=participants))


@router.get(
    "/waiver-text", response_model=OwnTextResponse, operation_id="get_own_waiver_text", summary="Get my waiver text"
)
async def get_own_waiver_text(console: CurrentConsole) -> OwnTextResponse:
    """Return what the guru adds to the waivers of all services, and the revision that a save must name."""
    async with console.unit_of_work() as session:
        return await _own_text_response(console, session)


@router.put(
    "/waiver-text",
    response_model=OwnTextResponse,
    operation_id="update_own_waiver_text",
    summary="Update my waiver text",
)
async def update_own_waiver_text(console: CurrentConsole, payload: OwnTextPayload) -> OwnTextResponse:
    """Add a version of the text; the next bookings need it. 409 `changed_elsewhere` when `revision` is outdated.

    Raises TextIsGurus for an admin who impersonates the guru.
    """
    if console.is_impersonated:
        raise TextIsGurus
    body = "\n".join(payload.body.splitlines())
    async with console.unit_of_work() as session:
        await save_text(session, console.tenant_id, body, revision=payload.revision)
        return await _own_text_response(console, session)


async def _own_text_response(console: ConsoleContext, session: AsyncSession) -> OwnTextResponse:
    newest = await newest_text(session, console.tenant_id)
    body = newest.body if newest else ""
    data = OwnText(
        revision=newest.version if newest else 0,
        body=body,
        sha256=sha256_hex(body.encode()),
        updated_at=to_iso8601(newest.created_at) if newest else None,
    )
    return OwnTextResponse(success=True, data=data)
