"""The guru's services: list, create, update, delete, reorder."""

from __future__ import annotations

from uuid import UUID

from fastapi import status
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.features.services.schemas import (
    ConsoleService,
    ConsoleServiceList,
    ConsoleServicesResponse,
    ServiceOrderPayload,
    ServicePayload,
)
from porchlight.plans.entitlements import apply_limits, lock_plan, require_quota, session_plan
from porchlight.plans.limits import PlanFeature
from porchlight.plans.schemas import usage
from sites.guru import offers_services
from sites.hours import own_hours
from sites.services import actions
from sites.services.actions import ServiceInput
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id, parse_id_or_404

router = FeatureRouter(prefix="/api/guru", tags=["services"], route_class=StrictRoute)


@router.get(
    "/services",
    response_model=ConsoleServicesResponse,
    operation_id="list_console_services",
    summary="List my services",
)
async def list_services(console: CurrentConsole) -> ConsoleServicesResponse:
    """Return all services in their order."""
    async with console.unit_of_work() as session:
        return await _all_services(console, session)


@router.post(
    "/services",
    response_model=ConsoleServicesResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_service",
    summary="Create a service",
)
async def create_service(console: CurrentConsole, payload: ServicePayload) -> ConsoleServicesResponse:
    """Add a service at the end of the list. 402 for a price beyond the plan's limit."""
    async with console.unit_of_work() as session:
        await _require_room(console, session, payload)
        await actions.create_service(session, console.tenant_id, _service_input(payload))
        return await _all_services(console, session)


@router.put(
    "/services/{service_id}",
    response_model=ConsoleServicesResponse,
    operation_id="update_service",
    summary="Update a service",
)
async def update_service(console: CurrentConsole, service_id: str, payload: ServicePayload) -> ConsoleServicesResponse:
    """Replace a service's fields. Its position in the list stays. 402 for a price beyond the plan's limit."""
    id_ = parse_id_or_404(service_id)
    async with console.unit_of_work() as session:
        await _require_room(console, session, payload, id_)
        await actions.update_service(session, console.tenant_id, id_, _service_input(payload))
        await apply_limits(session, "tenant")
        return await _all_services(console, session)


@router.delete(
    "/services/{service_id}",
    response_model=ConsoleServicesResponse,
    operation_id="delete_service",
    summary="Delete a service",
)
async def delete_service(console: CurrentConsole, service_id: str) -> ConsoleServicesResponse:
    """Delete a service. Leads that asked for it remain."""
    async with console.unit_of_work() as session:
        await lock_plan(session, "tenant")
        await actions.delete_service(session, console.tenant_id, parse_id_or_404(service_id))
        await apply_limits(session, "tenant")
        return await _all_services(console, session)


@router.put(
    "/service-order",
    response_model=ConsoleServicesResponse,
    operation_id="reorder_services",
    summary="Reorder my services",
)
async def reorder_services(console: CurrentConsole, payload: ServiceOrderPayload) -> ConsoleServicesResponse:
    """Set the order of all services. 409 unless `ids` names each service exactly once."""
    ids = [service_id for text in payload.ids if (service_id := parse_id(text)) is not None]
    if len(ids) != len(payload.ids):
        raise NotFound
    async with console.unit_of_work() as session:
        await actions.reorder_services(session, console.tenant_id, ids)
        return await _all_services(console, session)


async def _require_room(
    console: ConsoleContext, session: AsyncSession, payload: ServicePayload, service_id: UUID | None = None
) -> None:
    """Lock the plan. For a service with a price, raise PlanRequired or LimitReached beyond the limit.

    Those beyond the limit cannot be changed, the newest first: an existing one is counted with the older ones.
    """
    if payload.price_cents == 0:
        await lock_plan(session, "tenant")
        return
    count = actions.count_priced_services(console.tenant_id, service_id)
    await require_quota(session, PlanFeature.PRICED_SERVICES, count, of="tenant")


def _service_input(payload: ServicePayload) -> ServiceInput:
    return ServiceInput(
        name=payload.name,
        description=payload.description,
        price_cents=payload.price_cents,
        duration_minutes=payload.duration_minutes,
        duration_label=payload.duration_label,
        popular=payload.popular,
        features=payload.features,
    )


async def _all_services(console: ConsoleContext, session: AsyncSession) -> ConsoleServicesResponse:
    open_ids = await own_hours.open_services(session, console.tenant_id)
    services = [
        ConsoleService(
            id=str(service.id),
            name=service.name,
            description=service.description,
            price_cents=service.price_cents,
            currency=service.currency,
            duration_minutes=service.duration_minutes,
            duration_label=service.duration_label,
            popular=service.popular,
            features=service.features,
            open_for_booking=service.id in open_ids and service.duration_minutes is not None,
            over_limit=service.over_limit,
        )
        for service in await actions.own_services(session, console.tenant_id)
    ]
    priced = sum(service.price_cents > 0 for service in services)
    plan = await session_plan(session, "tenant")
    shown = await offers_services(session, console.tenant_id)
    data = ConsoleServiceList(shown=shown, services=services, priced=usage(plan, PlanFeature.PRICED_SERVICES, priced))
    return ConsoleServicesResponse(success=True, data=data)
