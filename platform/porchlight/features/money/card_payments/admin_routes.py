"""Staff's view of every payment by card, and of where all money is."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query

from porchlight.auth.staff import CurrentStaff, ServiceDatabase
from porchlight.dependencies import Context
from porchlight.features.money.admin_routes import no_store
from porchlight.features.money.card_payments import admin_queries
from porchlight.features.money.card_payments.admin_schemas import (
    CardPaymentDetailsResponse,
    CardPaymentFilter,
    CardPaymentsPageResponse,
)
from porchlight.features.money.overview.admin_queries import overview
from porchlight.features.money.overview.admin_schemas import MoneyOverviewResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(
    prefix="/api/admin/money", tags=["admin"], route_class=StrictRoute, dependencies=[Depends(no_store)]
)


@router.get("/overview", operation_id="get_money_overview", summary="Get where all money is")
async def get_money_overview(service_db: ServiceDatabase, _staff: CurrentStaff) -> MoneyOverviewResponse:
    """Return what is held, owed, disputed and on its way, and what moved in the last 30 days."""
    return MoneyOverviewResponse(success=True, data=await overview(service_db))


@router.get("/payments", operation_id="list_card_payments", summary="List payments by card")
async def list_card_payments(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    state: Annotated[CardPaymentFilter | None, Query(description="Without a state: all.")] = None,
    search: Annotated[
        str, Query(max_length=320, description="A whole id, ours or Stripe's, or an email address.")
    ] = "",
    cursor: Annotated[str | None, Query(max_length=36, description="`nextCursor` of the previous page.")] = None,
) -> CardPaymentsPageResponse:
    """List the payments of all people to all gurus, the newest first."""
    page = await admin_queries.payments(service_db, state=state, search=search, cursor=cursor)
    return CardPaymentsPageResponse(success=True, data=page)


@router.get("/payments/{payment_id}", operation_id="get_card_payment", summary="Get a payment by card")
async def get_card_payment(
    context: Context, service_db: ServiceDatabase, _staff: CurrentStaff, payment_id: str
) -> CardPaymentDetailsResponse:
    """Return what happened to a payment, who has how much of it, and its postings."""
    is_live = context.stripe is not None and context.stripe.livemode
    found = await admin_queries.payment(service_db, parse_id_or_404(payment_id), is_live=is_live)
    return CardPaymentDetailsResponse(success=True, data=found)
