"""Sessions of all gurus in the admin area, under the flag `booking`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from fastapi import Depends, Query

from porchlight.auth.staff import CurrentStaff, ServiceDatabase, require_admin_flag, run_as_service
from porchlight.features.bookings import admin_actions, admin_queries
from porchlight.features.bookings.admin_queries import SessionFilters, Site
from porchlight.features.bookings.admin_schemas import (
    BookedSessionResponse,
    BookedSessionsResponse,
    StaffCancellationPayload,
)
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(
    prefix="/api/admin/sessions",
    tags=["bookings"],
    route_class=StrictRoute,
    dependencies=[Depends(require_admin_flag("booking"))],
)
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2199, 12, 31)
ListedStatus = Literal["requested", "confirmed", "completed", "missed", "canceled", "declined"]


@router.get(
    "", response_model=BookedSessionsResponse, operation_id="list_booked_sessions", summary="List sessions of all gurus"
)
async def list_booked_sessions(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    search: Annotated[str, Query(max_length=100, description="Part of a service's or a guru's name.")] = "",
    guru: Annotated[str, Query(max_length=63, description="The beginning of a guru's label.")] = "",
    status: Annotated[ListedStatus | None, Query()] = None,
    site: Annotated[Site | None, Query(description="Suspended sites; overdue: for more than 72 hours.")] = None,
    first: Annotated[
        date | None, Query(alias="from", ge=FIRST_DAY, le=LAST_DAY, description="First day, in the guru's zone.")
    ] = None,
    last: Annotated[
        date | None, Query(alias="to", ge=FIRST_DAY, le=LAST_DAY, description="Last day, in the guru's zone.")
    ] = None,
    cursor: Annotated[str | None, Query(max_length=60)] = None,
) -> BookedSessionsResponse:
    """Return the sessions of all gurus, the earliest first, without the persons who booked them."""
    filters = SessionFilters(search.replace("\0", ""), guru.replace("\0", ""), status, site, first, last)
    page = await admin_queries.sessions(service_db, filters, cursor)
    return BookedSessionsResponse.model_validate({"success": True, "data": page})


@router.get(
    "/{booking_id}", response_model=BookedSessionResponse, operation_id="get_booked_session", summary="Get a session"
)
async def get_booked_session(
    service_db: ServiceDatabase, _staff: CurrentStaff, booking_id: str
) -> BookedSessionResponse:
    """Return a session with its history, without names, notes and places."""
    data = await admin_queries.session(service_db, parse_id_or_404(booking_id))
    return BookedSessionResponse.model_validate({"success": True, "data": data})


@router.post(
    "/{booking_id}/cancellation",
    response_model=BookedSessionResponse,
    operation_id="cancel_booked_session",
    summary="Cancel a session for both",
)
async def cancel_booked_session(
    service_db: ServiceDatabase, staff: CurrentStaff, booking_id: str, payload: StaffCancellationPayload
) -> BookedSessionResponse:
    """Cancel a session for the guru and the person, at no cost. Both see the reason.

    409 `booking_changed` if it ended or started in the meantime.
    """
    wanted = parse_id_or_404(booking_id)
    await run_as_service(service_db, admin_actions.cancel_for_both, staff.key_name, wanted, payload.reason)
    data = await admin_queries.session(service_db, wanted)
    return BookedSessionResponse.model_validate({"success": True, "data": data})
