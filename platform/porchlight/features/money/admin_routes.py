"""Routes of the money pages of staff: does Stripe match, what is stuck, and corrections."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Response, status

from porchlight.auth.staff import CurrentStaff, ServiceDatabase, run_as_service
from porchlight.features.money import admin_actions, admin_queries
from porchlight.features.money.admin_schemas import (
    AdjustmentPayload,
    AdjustmentResponse,
    AdjustmentsResponse,
    AdjustmentState,
    DecisionPayload,
    DisputesResponse,
    EventState,
    ExplanationPayload,
    FindingState,
    MoneyFindingResponse,
    MoneyFindingsResponse,
    MoneySummaryResponse,
    ReconciliationsResponse,
    StripeEventResponse,
    StripeEventsResponse,
    StripeWritesResponse,
    WriteState,
)
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404


async def no_store(response: Response) -> None:
    """Keep a response out of caches."""
    response.headers["cache-control"] = "no-store"


router = FeatureRouter(
    prefix="/api/admin/money", tags=["admin"], route_class=StrictRoute, dependencies=[Depends(no_store)]
)

Cursor = Annotated[str | None, Query(max_length=36, description="`nextCursor` of the previous page.")]
EventId = Annotated[str, Path(max_length=255)]


@router.get("", response_model=MoneySummaryResponse, operation_id="get_money_summary", summary="Get state of the books")
async def get_money_summary(service_db: ServiceDatabase, _staff: CurrentStaff) -> MoneySummaryResponse:
    """Return whether the ledger matches Stripe, and what waits for staff."""
    summary = await admin_queries.summary(service_db)
    return MoneySummaryResponse(success=True, data=summary)


@router.get(
    "/findings", response_model=MoneyFindingsResponse, operation_id="list_money_findings", summary="List findings"
)
async def list_money_findings(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    state: Annotated[FindingState, Query(description="Open ones, explained ones, or ones that are gone.")] = "open",
    cursor: Cursor = None,
) -> MoneyFindingsResponse:
    """List the differences between the ledger and Stripe, the newest first."""
    page = await admin_queries.findings(service_db, state=state, cursor=cursor)
    return MoneyFindingsResponse.model_validate({"success": True, "data": page})


@router.put(
    "/findings/{finding_id}/explanation",
    response_model=MoneyFindingResponse,
    operation_id="explain_money_finding",
    summary="Explain finding",
)
async def explain_money_finding(
    service_db: ServiceDatabase, staff: CurrentStaff, finding_id: str, payload: ExplanationPayload
) -> MoneyFindingResponse:
    """Close a finding with a note. 409 if another admin explained it in the meantime."""
    parsed_id = parse_id_or_404(finding_id)
    await run_as_service(service_db, admin_actions.explain_finding, staff.key_name, parsed_id, payload.note)
    finding = await admin_queries.finding(service_db, parsed_id)
    return MoneyFindingResponse.model_validate({"success": True, "data": finding})


@router.get("/outbox", response_model=StripeWritesResponse, operation_id="list_stripe_writes", summary="List writes")
async def list_stripe_writes(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    state: Annotated[WriteState | None, Query(description="Without a state: all that have no outcome.")] = None,
    cursor: Cursor = None,
) -> StripeWritesResponse:
    """List the changes at Stripe that were decided, the newest first."""
    page = await admin_queries.writes(service_db, state=state, cursor=cursor)
    return StripeWritesResponse.model_validate({"success": True, "data": page})


@router.get("/events", response_model=StripeEventsResponse, operation_id="list_stripe_events", summary="List events")
async def list_stripe_events(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    state: Annotated[EventState, Query(description="Failed, waiting, done or ignored events.")] = "failed",
    cursor: Annotated[str | None, Query(max_length=255, description="`nextCursor` of the previous page.")] = None,
) -> StripeEventsResponse:
    """List the events of Stripe, the newest first."""
    page = await admin_queries.events(service_db, state=state, cursor=cursor)
    return StripeEventsResponse.model_validate({"success": True, "data": page})


@router.post(
    "/events/{event_id}/retries",
    response_model=StripeEventResponse,
    operation_id="retry_stripe_event",
    summary="Run event again",
)
async def retry_stripe_event(
    service_db: ServiceDatabase, staff: CurrentStaff, event_id: EventId
) -> StripeEventResponse:
    """Process a failed event again. 404 if it did not fail."""
    await run_as_service(service_db, admin_actions.run_event_again, staff.key_name, event_id)
    event = await admin_queries.event(service_db, event_id)
    return StripeEventResponse.model_validate({"success": True, "data": event})


@router.get("/disputes", response_model=DisputesResponse, operation_id="list_disputes", summary="List disputes")
async def list_disputes(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    state: Annotated[Literal["open", "decided"], Query(description="Open or decided ones.")] = "open",
    cursor: Cursor = None,
) -> DisputesResponse:
    """List the payments for plans and sessions that users' banks dispute, the newest first."""
    page = await admin_queries.disputes(service_db, is_open=state == "open", cursor=cursor)
    return DisputesResponse.model_validate({"success": True, "data": page})


@router.get(
    "/reconciliations",
    response_model=ReconciliationsResponse,
    operation_id="list_reconciliations",
    summary="List reconciliations",
)
async def list_reconciliations(
    service_db: ServiceDatabase, _staff: CurrentStaff, cursor: Cursor = None
) -> ReconciliationsResponse:
    """List the comparisons with Stripe, the newest first."""
    page = await admin_queries.reconciliations(service_db, cursor=cursor)
    return ReconciliationsResponse.model_validate({"success": True, "data": page})


@router.get(
    "/adjustments", response_model=AdjustmentsResponse, operation_id="list_adjustments", summary="List adjustments"
)
async def list_adjustments(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    state: Annotated[AdjustmentState, Query(description="Waiting, posted or rejected ones.")] = "requested",
    cursor: Cursor = None,
) -> AdjustmentsResponse:
    """List the corrections of staff, the newest first."""
    page = await admin_queries.adjustments(service_db, state=state, cursor=cursor)
    return AdjustmentsResponse.model_validate({"success": True, "data": page})


@router.post(
    "/adjustments",
    response_model=AdjustmentResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_adjustment",
    summary="Request adjustment",
)
async def create_adjustment(
    service_db: ServiceDatabase, staff: CurrentStaff, payload: AdjustmentPayload
) -> AdjustmentResponse:
    """Request a correction. Up to $100 a day, of the key's holder and for the person, it is posted at once.

    Otherwise another named key holder has to approve it. 409 `named_key_required` for a shared key.
    """
    adjustment_id = await run_as_service(service_db, admin_actions.create_adjustment, staff, payload)
    adjustment = await admin_queries.adjustment(service_db, adjustment_id)
    return AdjustmentResponse.model_validate({"success": True, "data": adjustment})


@router.put(
    "/adjustments/{adjustment_id}/decision",
    response_model=AdjustmentResponse,
    operation_id="decide_adjustment",
    summary="Decide adjustment",
)
async def decide_adjustment(
    service_db: ServiceDatabase, staff: CurrentStaff, adjustment_id: str, payload: DecisionPayload
) -> AdjustmentResponse:
    """Approve or reject a correction. 409 `approval_required` unless a second named key holder approves it."""
    parsed_id = parse_id_or_404(adjustment_id)
    await run_as_service(service_db, admin_actions.decide_adjustment, staff, parsed_id, approve=payload.approve)
    adjustment = await admin_queries.adjustment(service_db, parsed_id)
    return AdjustmentResponse.model_validate({"success": True, "data": adjustment})
