"""The lead inbox: read, answer by mail, note, archive, export."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response, status
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console.desk import AtDesk, Desk
from porchlight.console.work_schemas import (
    AnswerPayload,
    DeskLead,
    DeskLeadAnswer,
    Inbox,
    InboxAnswer,
    LeadCountsAnswer,
    LeadMailAnswer,
    LeadNoteAnswer,
    LeadRow,
    LeadStatusPayload,
    NotePayload,
)
from porchlight.parts import IdempotencyKey
from sites.leads import inbox
from sites.leads.answers import AnswerLimits, answer_lead
from sites.leads.models import Lead
from sites.parts import StrictRoute
from tenants.kit import clock
from tenants.kit.ids import known_id

router = APIRouter(prefix="/api/guru", tags=["guru console"], route_class=StrictRoute)

_BEGINNING = 200  # characters of a message in the list


@router.get("/leads", response_model=Inbox, operation_id="desk_leads", summary="My leads")
async def read_leads(
    desk: AtDesk,
    status: Annotated[
        inbox.LeadStatus | None, Query(description="Only those; without it, all that are not archived.")
    ] = None,
    q: Annotated[str, Query(max_length=100, description="Words of name, address, phone or message.")] = "",
    cursor: Annotated[str | None, Query(max_length=64, description="`nextCursor` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=inbox.MOST)] = inbox.PAGE,
) -> Inbox:
    """People who wrote, the newest first, a page at a time."""
    search = "".join(character for character in q if character.isprintable()).strip()
    async with desk.work() as session:
        found, following = await inbox.leads(
            session, desk.tenant_id, status=status, search=search, after=cursor or None, limit=limit
        )
        counts = await inbox.counts(session, desk.tenant_id)
    rows = [LeadRow.model_validate(_row(lead, service, lead.message[:_BEGINNING])) for lead, service in found]
    data = InboxAnswer(leads=rows, counts=LeadCountsAnswer(**counts), next_cursor=following)
    return Inbox(success=True, data=data)


@router.get(
    "/lead-export",
    operation_id="export_leads",
    summary="My leads as CSV",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "The newest 10,000 leads."}},
)
async def read_export(desk: AtDesk) -> Response:
    """The newest leads for a spreadsheet, which takes none of their words for a formula."""
    async with desk.work() as session:
        made = await inbox.export(session, desk.tenant_id)
    headers = {
        "content-disposition": f'attachment; filename="leads-{desk.owned.label}-{clock.now().date()}.csv"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(made, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/leads/{lead_id}", response_model=DeskLead, operation_id="desk_lead", summary="One of my leads")
async def read_lead(desk: AtDesk, lead_id: str) -> DeskLead:
    """A lead with the answers and notes to it. Looking changes nothing; PUT …/status marks it as read."""
    async with desk.work() as session:
        return await _lead(desk, session, known_id(lead_id))


@router.put("/leads/{lead_id}/status", response_model=DeskLead, operation_id="sort_lead", summary="Put a lead away")
async def put_status(desk: AtDesk, lead_id: str, sent: LeadStatusPayload) -> DeskLead:
    """Put a lead where it belongs now."""
    found = known_id(lead_id)
    async with desk.work() as session:
        await inbox.set_status(session, desk.tenant_id, found, sent.status)
        return await _lead(desk, session, found)


@router.post(
    "/leads/{lead_id}/answers",
    response_model=DeskLead,
    status_code=status.HTTP_201_CREATED,
    operation_id="answer_lead",
    summary="Answer a lead by mail",
    responses={200: {"model": DeskLead, "description": "A resend under the same Idempotency-Key."}},
)
async def post_answer(
    response: Response, desk: AtDesk, lead_id: str, key: IdempotencyKey, sent: AnswerPayload
) -> DeskLead:
    """Mail the person who wrote; their reply goes to the guru. Sent again under the same key, it is still one mail."""
    found = known_id(lead_id)
    # Without a key, the same words to the same person are the same mail.
    key = key or "words-" + sha256(f"{found} {sent.body}".encode()).hexdigest()[:40]
    limits = None if desk.parts.settings.limits == "off" else AnswerLimits()
    async with desk.work() as session:
        new = await answer_lead(session, desk.tenant_id, found, sent.body, key=key, limits=limits)
        answered = await _lead(desk, session, found)
    response.status_code = status.HTTP_201_CREATED if new else status.HTTP_200_OK
    return answered


@router.post(
    "/leads/{lead_id}/notes",
    response_model=DeskLead,
    status_code=status.HTTP_201_CREATED,
    operation_id="note_lead",
    summary="Write a note about a lead",
)
async def post_note(desk: AtDesk, lead_id: str, sent: NotePayload) -> DeskLead:
    """Write something down that nobody else sees."""
    found = known_id(lead_id)
    async with desk.work() as session:
        await inbox.write_note(session, desk.tenant_id, found, sent.body)
        return await _lead(desk, session, found)


@router.delete(
    "/leads/{lead_id}/notes/{note_id}", response_model=DeskLead, operation_id="delete_note", summary="Delete a note"
)
async def delete_note(desk: AtDesk, lead_id: str, note_id: str) -> DeskLead:
    """Delete a note."""
    found = known_id(lead_id)
    async with desk.work() as session:
        await inbox.delete_note(session, desk.tenant_id, found, known_id(note_id))
        return await _lead(desk, session, found)


def _row(lead: Lead, service: str, message: str) -> dict[str, str]:
    return {
        "id": str(lead.id),
        "name": lead.name,
        "email": lead.email,
        "service": service,
        "message": message,
        "status": lead.status,
        "createdAt": clock.wire(lead.created_at),
    }


async def _lead(desk: Desk, session: AsyncSession, lead_id: UUID) -> DeskLead:
    found = await inbox.correspondence(session, desk.tenant_id, lead_id)
    lead = found.lead
    answers = [
        LeadMailAnswer(
            id=str(mail.id),
            body=mail.body,
            created_at=clock.wire(mail.created_at),
            sent_at=clock.wire(mail.sent_at) if mail.sent_at else None,
        )
        for mail in found.answers
    ]
    notes = [
        LeadNoteAnswer(id=str(note.id), body=note.body, created_at=clock.wire(note.created_at)) for note in found.notes
    ]
    data = _row(lead, found.service, lead.message) | {"phone": lead.phone, "page": lead.page}
    return DeskLead(success=True, data=DeskLeadAnswer.model_validate({**data, "answers": answers, "notes": notes}))
