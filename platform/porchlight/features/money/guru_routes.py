"""A guru's money: the statement of the ledger, as pages and as a file, and the platform's fee."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, Response

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.features.money import guru_queries
from porchlight.features.money.guru_schemas import (
    GuruFee,
    GuruFeeResponse,
    StatementAccount,
    StatementResponse,
)
from porchlight.money.fees import Fees, fee_cents
from porchlight.plans.entitlements import session_plan
from porchlight.plans.plans import PLANS_BY_SLUG, PlanSlug
from sites.services.limits import MAX_PRICE_CENTS
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.csv_export import csv_download

router = FeatureRouter(prefix="/api/guru", tags=["money"], route_class=StrictRoute)

Account = Annotated[StatementAccount, Query(description="Held for sessions, earned, or in the Stripe balance.")]


@router.get(
    "/statement", response_model=StatementResponse, operation_id="get_guru_statement", summary="Get my statement"
)
async def get_guru_statement(
    console: CurrentConsole,
    account: Account = "stripe",
    cursor: Annotated[str | None, Query(max_length=19, description="`nextCursor` of the previous page.")] = None,
) -> StatementResponse:
    """Return a page of 50 lines of one of the guru's accounts, the newest first."""
    before = guru_queries.parse_line_cursor(cursor)
    async with unit_of_work(console.app_context.db, user_id=await _owner(console)) as session:
        page = await guru_queries.statement_page(session, account, before)
    return StatementResponse.model_validate({"success": True, "data": page})


@router.get(
    "/statement.csv",
    operation_id="export_guru_statement",
    summary="Export my statement as CSV",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "The newest 10,000 lines."}},
)
async def export_guru_statement(console: CurrentConsole, account: Account = "stripe") -> Response:
    """Return the newest lines of one of the guru's accounts as a CSV file without formulas."""
    rows = guru_queries.exported_rows(console.app_context.db, await _owner(console), account)
    name = f"statement-{account}-{console.guru.label}-{clock.now().date()}.csv"
    return await csv_download(name, guru_queries.CSV_HEADER, rows)


@router.get("/fee", response_model=GuruFeeResponse, operation_id="get_guru_fee", summary="Get the fee on my sessions")
async def get_guru_fee(
    console: CurrentConsole, price_cents: Annotated[int, Query(alias="priceCents", ge=0, le=MAX_PRICE_CENTS)] = 0
) -> GuruFeeResponse:
    """Return the platform's fee on a price by the guru's plan."""
    async with console.unit_of_work() as session:
        own = await session_plan(session, of="tenant")
    fees = Fees.of(console.app_context.settings)
    takes_payments = own in fees.basis_points
    plan = own if takes_payments else PlanSlug.SKILL_SHARER
    kept = fee_cents(price_cents, plan, fees)
    fee = GuruFee(
        plan=plan,
        plan_name=PLANS_BY_SLUG[plan].name,
        takes_payments=takes_payments,
        basis_points=fees.basis_points[plan],
        minimum_cents=fees.minimum_cents,
        kept_cents=kept,
        net_cents=price_cents - kept,
    )
    return GuruFeeResponse(success=True, data=fee)


async def _owner(console: ConsoleContext) -> UUID:
    return await guru_queries.owner_of(console.app_context.db, console.tenant_id)
