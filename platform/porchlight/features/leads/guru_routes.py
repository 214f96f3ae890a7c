"""The lead inbox: list, read, reply by email, take notes, archive, export."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated
from uuid import UUID

from fastapi import Query, Response, status
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.dependencies import IdempotencyKey
from porchlight.features.leads.schemas import (
    ConsoleLead,
    ConsoleLeadNote,
    ConsoleLeadReply,
    ConsoleLeadResponse,
    LeadCounts,
    LeadNotePayload,
    LeadPage,
    LeadReplyPayload,
    LeadRow,
    LeadsResponse,
    LeadStatusPayload,
)
from sites.leads import actions, queries
from sites.leads.models import Lead, LeadStatus
from sites.leads.schemas import LEAD_DETAILS
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.csv_export import csv_download
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import ONE_LINE

router = FeatureRouter(prefix="/api/guru", tags=["leads"], route_class=StrictRoute)

MAX_LISTED_MESSAGE_LENGTH = 200


@router.get("/leads", response_model=LeadsResponse, operation_id="list_console_leads", summary="List my leads")
async def list_leads(
    console: CurrentConsole,
    status: Annotated[
        LeadStatus | None,
        Query(description="Only leads with this status; without it, all leads that are not archived."),
    ] = None,
    q: Annotated[str, Query(max_length=100, description="Part of name, email, message or a detail."), ONE_LINE] = "",
    cursor: Annotated[str | None, Query(max_length=64, description="`nextCursor` of the previous page.")] = None,
    limit: Annotated[int, Query(ge=1, le=queries.MAX_PAGE_SIZE)] = queries.PAGE_SIZE,
) -> LeadsResponse:
    """Return a page of leads, newest first, and the number of leads by status."""
    search = q.strip()
    async with console.unit_of_work() as session:
        leads, next_cursor = await queries.leads(
            session, console.tenant_id, status=status, search=search, cursor=cursor or None, limit=limit
        )
        counts = await queries.status_counts(session, console.tenant_id)
    rows = [
        LeadRow.model_validate(_lead_row(lead, service, lead.message[:MAX_LISTED_MESSAGE_LENGTH]))
        for lead, service in leads
    ]
    data = LeadPage(leads=rows, counts=LeadCounts(**counts), next_cursor=next_cursor)
    return LeadsResponse(success=True, data=data)


@router.get(
    "/lead-export",
    operation_id="export_leads",
    summary="Export my leads as CSV",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "The newest 10,000 leads."}},
)
async def export_leads(console: CurrentConsole) -> Response:
    """Return the newest leads as a CSV file without formulas."""
    rows = queries.exported_rows(console.app_context.db, console.tenant_id)
    return await csv_download(f"leads-{console.guru.label}-{clock.now().date()}.csv", queries.CSV_HEADER, rows)


@router.get(
    "/leads/{lead_id}", response_model=ConsoleLeadResponse, operation_id="get_console_lead", summary="Get a lead"
)
async def get_lead(console: CurrentConsole, lead_id: str) -> ConsoleLeadResponse:
    """Return a lead with its replies and notes. Its status does not change; PUT …/status marks it as read."""
    async with console.unit_of_work() as session:
        return await _lead_response(console, session, parse_id_or_404(lead_id))


@router.put(
    "/leads/{lead_id}/status",
    response_model=ConsoleLeadResponse,
    operation_id="update_lead_status",
    summary="Update lead status",
)
async def update_lead_status(console: CurrentConsole, lead_id: str, payload: LeadStatusPayload) -> ConsoleLeadResponse:
    """Set a lead's status."""
    lead_uuid = parse_id_or_404(lead_id)
    async with console.unit_of_work() as session:
        await actions.update_lead_status(session, console.tenant_id, lead_uuid, payload.status)
        return await _lead_response(console, session, lead_uuid)


@router.post(
    "/leads/{lead_id}/answers",
    response_model=ConsoleLeadResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="reply_to_lead",
    summary="Reply to a lead by email",
    responses={200: {"model": ConsoleLeadResponse, "description": "A resend under the same Idempotency-Key."}},
)
async def reply_to_lead(
    response: Response, console: CurrentConsole, lead_id: str, key: IdempotencyKey, payload: LeadReplyPayload
) -> ConsoleLeadResponse:
    """Email a reply to the visitor; the visitor's answer goes to the guru. A resend sends no second email."""
    lead_uuid = parse_id_or_404(lead_id)
    # Without a key, the same text for the same lead counts as a resend.
    key = key or "words-" + sha256(f"{lead_uuid} {payload.body}".encode()).hexdigest()[:40]
    limits = None if console.app_context.settings.limits == "off" else actions.ReplyLimits()
    async with console.unit_of_work() as session:
        created = await actions.reply_to_lead(
            session, console.tenant_id, lead_uuid, payload.body, key=key, limits=limits
        )
        lead_response = await _lead_response(console, session, lead_uuid)
    response.status_code = status.HTTP_201_CREATED if created else status.HTTP_200_OK
    return lead_response


@router.post(
    "/leads/{lead_id}/notes",
    response_model=ConsoleLeadResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_lead_note",
    summary="Add a note to a lead",
)
async def create_lead_note(console: CurrentConsole, lead_id: str, payload: LeadNotePayload) -> ConsoleLeadResponse:
    """Add a private note, which the visitor does not see."""
    lead_uuid = parse_id_or_404(lead_id)
    async with console.unit_of_work() as session:
        await actions.create_note(session, console.tenant_id, lead_uuid, payload.body)
        return await _lead_response(console, session, lead_uuid)


@router.delete(
    "/leads/{lead_id}/notes/{note_id}",
    response_model=ConsoleLeadResponse,
    operation_id="delete_lead_note",
    summary="Delete a note",
)
async def delete_lead_note(console: CurrentConsole, lead_id: str, note_id: str) -> ConsoleLeadResponse:
    """Delete a note."""
    lead_uuid = parse_id_or_404(lead_id)
    async with console.unit_of_work() as session:
        await actions.delete_note(session, console.tenant_id, lead_uuid, parse_id_or_404(note_id))
        return await _lead_response(console, session, lead_uuid)


def _lead_row(lead: Lead, service: str, message: str) -> dict[str, str]:
    return {
        "id": str(lead.id),
        "name": lead.name,
        "email": lead.email,
        "service": service,
        "message": message,
        "status": lead.status,
        "createdAt": clock.to_iso8601(lead.created_at),
    }


async def _lead_response(console: ConsoleContext, session: AsyncSession, lead_id: UUID) -> ConsoleLeadResponse:
    thread = await queries.lead_thread(session, console.tenant_id, lead_id)
    lead = thread.lead
    replies = [
        ConsoleLeadReply(
            id=str(reply.id),
            body=reply.body,
            created_at=clock.to_iso8601(reply.created_at),
            sent_at=clock.to_iso8601(reply.sent_at) if reply.sent_at else None,
        )
        for reply in thread.replies
    ]
    notes = [
        ConsoleLeadNote(id=str(note.id), body=note.body, created_at=clock.to_iso8601(note.created_at))
        for note in thread.notes
    ]
    details = {name: getattr(lead, name) for name in LEAD_DETAILS}
    data = _lead_row(lead, thread.service, lead.message) | details
    data |= {"page": lead.page, "addressState": thread.address_state}
    return ConsoleLeadResponse(
        success=True, data=ConsoleLead.model_validate({**data, "answers": replies, "notes": notes})
    )
