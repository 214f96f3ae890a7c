"""The signed-in person's hours: balance, statement, swaps and free help (flag booking)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Response

from porchlight.dependencies import Context, CurrentUser, require_flag, require_main_host
from porchlight.features.exchanges import hours_queries
from porchlight.features.exchanges.hours_schemas import HoursResponse, HoursStatementResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.csv_export import csv_download

router = FeatureRouter(
    prefix="/api/hours",
    tags=["exchanges"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host), Depends(require_flag("booking"))],
)


@router.get("", operation_id="get_own_hours", summary="Get my hours")
async def get_own_hours(context: Context, user: CurrentUser) -> HoursResponse:
    """Return the balance, who owes whom in swaps, and the free help given and received."""
    return HoursResponse(success=True, data=await hours_queries.hours(context.db, user.user_id))


@router.get("/statement", operation_id="get_hours_statement", summary="Get the statement of my hours")
async def get_hours_statement(
    context: Context,
    user: CurrentUser,
    cursor: Annotated[str | None, Query(max_length=19, description="`nextCursor` of the previous page.")] = None,
) -> HoursStatementResponse:
    """Return a page of 50 lines, the newest first."""
    before = hours_queries.parse_line_cursor(cursor)
    return HoursStatementResponse(success=True, data=await hours_queries.statement(context.db, user.user_id, before))


@router.get(
    "/statement.csv",
    operation_id="export_hours_statement",
    summary="Export the statement of my hours as CSV",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "The newest 10,000 lines."}},
)
async def export_hours_statement(context: Context, user: CurrentUser) -> Response:
    """Return the newest lines as a CSV file without formulas."""
    rows = hours_queries.exported_rows(context.db, user.user_id)
    return await csv_download(f"hours-{clock.now().date()}.csv", hours_queries.CSV_HEADER, rows)
