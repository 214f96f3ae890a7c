"""The guru's clients in the console. An admin who impersonates the guru sees no client and no note."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from porchlight.console_context import CurrentConsole
from porchlight.features.bookings.guru.clients import actions, queries
from porchlight.features.bookings.guru.clients.schemas import (
    ClientBookingListResponse,
    ClientListResponse,
    ClientNotePayload,
    ClientNoteResponse,
    ClientResponse,
)
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Forbidden
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import ONE_LINE

router = FeatureRouter(prefix="/api/guru/clients", tags=["bookings"], route_class=StrictRoute)


@router.get("", operation_id="list_clients", summary="List my clients")
async def list_clients(
    console: CurrentConsole,
    show: Annotated[
        queries.Show, Query(description="All, those not seen for 60 days, or those new this month.")
    ] = "all",
    q: Annotated[str, Query(max_length=100, description="A part of the name."), ONE_LINE] = "",
    cursor: Annotated[str | None, Query(max_length=60)] = None,
) -> ClientListResponse:
    """Return those who booked with the guru or for whom the guru booked, those with the latest session first."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.clients(session, console.tenant_id, show=show, search=q.strip(), cursor=cursor)
    return ClientListResponse(success=True, data=data)


@router.get("/{client_id}", operation_id="get_client", summary="Get a client")
async def get_client(console: CurrentConsole, client_id: str) -> ClientResponse:
    """Return a client with the guru's note."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.client(session, console.tenant_id, parse_id_or_404(client_id))
    return ClientResponse(success=True, data=data)


@router.get("/{client_id}/bookings", operation_id="list_client_bookings", summary="List the sessions of a client")
async def list_client_bookings(
    console: CurrentConsole, client_id: str, cursor: Annotated[str | None, Query(max_length=60)] = None
) -> ClientBookingListResponse:
    """Return what a client booked and asked for, the latest session first."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.history(session, console.tenant_id, parse_id_or_404(client_id), cursor)
    return ClientBookingListResponse(success=True, data=data)


@router.put("/{client_id}/note", operation_id="save_client_note", summary="Save my note about a client")
async def save_client_note(console: CurrentConsole, client_id: str, payload: ClientNotePayload) -> ClientNoteResponse:
    """Replace the private note. 409 `note_changed` if it is not the one that the guru saw."""
    if console.is_impersonated:
        raise Forbidden
    async with console.unit_of_work(acting=True) as session:
        data = await actions.save_note(
            session, console.tenant_id, parse_id_or_404(client_id), body=payload.body.strip(), digest=payload.digest
        )
    return ClientNoteResponse(success=True, data=data)
