"""A guru's statement of a year, for taxes: totals by month, and files."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated

from fastapi import Query, Response

from porchlight.console_context import CurrentConsole
from porchlight.features.money.guru_queries import owner_of
from porchlight.features.money.year_statement import queries
from porchlight.features.money.year_statement.schemas import YearStatementData, YearStatementResponse, YearTotals
from porchlight.features.money.year_statement.totals import Totals
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.csv_export import csv_download

router = FeatureRouter(prefix="/api/guru", tags=["money"], route_class=StrictRoute)

MIN_YEAR, MAX_YEAR = 2020, 2999  # years around them are the ones that PostgreSQL, Python and zones agree on
Year = Annotated[int, Query(ge=MIN_YEAR, le=MAX_YEAR, description="The year, in the zone of the guru's calendar.")]


@router.get("/year-statement", operation_id="get_year_statement", summary="Get my statement of a year")
async def get_year_statement(
    console: CurrentConsole,
    year: Annotated[
        int | None, Query(ge=MIN_YEAR, le=MAX_YEAR, description="Without one: the newest year with money.")
    ] = None,
) -> YearStatementResponse:
    """Return what people paid, what went from it and what was earned, by month, on a cash basis."""
    db = console.app_context.db
    owner, zone = await owner_of(db, console.tenant_id), await queries.zone_of(db, console.tenant_id)
    years = await queries.years(db, owner, zone)
    found = await queries.statement(db, owner, year or (years[0] if years else queries.current_year(zone)), zone)
    data = YearStatementData(
        year=found.year,
        years=years,
        zone=zone,
        months=[_totals(one) for one in found.months],
        total=_totals(found.total),
    )
    return YearStatementResponse(success=True, data=data)


@router.get(
    "/year-statement.csv",
    operation_id="export_year_statement",
    summary="Export my year as CSV",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "Each transaction of the year, the oldest first."}},
)
async def export_year_statement(console: CurrentConsole, year: Year) -> Response:
    """Return each transaction that changed the guru's money in a year, as a CSV file without formulas."""
    db = console.app_context.db
    owner, zone = await owner_of(db, console.tenant_id), await queries.zone_of(db, console.tenant_id)
    pages = queries.csv_pages(db, console.tenant_id, owner, year, zone, acting=not console.is_impersonated)
    return await csv_download(f"year-{year}-{console.guru.label}.csv", (f"Date ({zone})", *queries.CSV_COLUMNS), pages)


@router.get(
    "/year-statement.pdf",
    operation_id="get_year_statement_pdf",
    summary="Download my year as PDF",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}}, "description": "A PDF of one page."}},
)
async def get_year_statement_pdf(console: CurrentConsole, year: Year) -> Response:
    """Return the totals of a year as a PDF."""
    # reportlab takes 8 MB, and few workers draw a statement
    from porchlight.features.money.year_statement.pdf import render_year_statement

    db = console.app_context.db
    owner, zone = await owner_of(db, console.tenant_id), await queries.zone_of(db, console.tenant_id)
    found = await queries.statement(db, owner, year, zone)
    content = await asyncio.to_thread(render_year_statement, found, await queries.guru_name(db, console.tenant_id))
    headers = {
        "content-disposition": f'attachment; filename="year-{year}-{console.guru.label}.pdf"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(content, media_type="application/pdf", headers=headers)


def _totals(totals: Totals) -> YearTotals:
    return YearTotals(**asdict(totals), earned=totals.earned)
