"""Disputes of paid sessions in the console. An admin who impersonates the guru sees none."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from porchlight.console_context import CurrentConsole
from porchlight.features.bookings.disputes import actions, queries
from porchlight.features.bookings.disputes.schemas import (
    DisputeWordsPayload,
    GuruDisputeResponse,
    GuruDisputesResponse,
)
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Forbidden
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru/disputes", tags=["bookings"], route_class=StrictRoute)


@router.get("", operation_id="list_guru_disputes", summary="List disputes of my sessions")
async def list_guru_disputes(
    console: CurrentConsole, cursor: Annotated[str | None, Query(max_length=36)] = None
) -> GuruDisputesResponse:
    """Return the payments that people's banks dispute, the newest first."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.disputes(session, console.tenant_id, cursor)
    return GuruDisputesResponse(success=True, data=data)


@router.get("/{dispute_id}", operation_id="get_guru_dispute", summary="Get a dispute of my sessions")
async def get_guru_dispute(console: CurrentConsole, dispute_id: str) -> GuruDisputeResponse:
    """Return a dispute with what is sent to the bank."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.dispute_details(session, console.tenant_id, parse_id_or_404(dispute_id))
    return GuruDisputeResponse(success=True, data=data)


@router.put("/{dispute_id}/draft", operation_id="save_dispute_draft", summary="Keep my words about a dispute")
async def save_dispute_draft(
    console: CurrentConsole, dispute_id: str, payload: DisputeWordsPayload
) -> GuruDisputeResponse:
    """Keep the guru's words without sending them. 409 `answer_too_late`, `answer_sent`."""
    if console.is_impersonated:
        raise Forbidden
    wanted = parse_id_or_404(dispute_id)
    async with console.unit_of_work(acting=True) as session:
        await actions.save_draft(
            session, console.tenant_id, wanted, words=payload.words, customer_words=payload.customer_words
        )
        data = await queries.dispute_details(session, console.tenant_id, wanted)
    return GuruDisputeResponse(success=True, data=data)


@router.post("/{dispute_id}/answer", operation_id="send_dispute_answer", summary="Answer a dispute")
async def send_dispute_answer(
    console: CurrentConsole, dispute_id: str, payload: DisputeWordsPayload
) -> GuruDisputeResponse:
    """Send the guru's words and the facts to the bank, which takes one answer. 409 `answer_too_late`, `answer_sent`."""
    if console.is_impersonated:
        raise Forbidden
    wanted = parse_id_or_404(dispute_id)
    async with console.unit_of_work(acting=True) as session:
        await actions.send_answer(
            session, console.tenant_id, wanted, words=payload.words, customer_words=payload.customer_words
        )
        data = await queries.dispute_details(session, console.tenant_id, wanted)
    return GuruDisputeResponse(success=True, data=data)
