"""What a guru offers."""

from __future__ import annotations

from fastapi import APIRouter, status
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console.desk import AtDesk, Desk
from porchlight.console.work_schemas import (
    DeskServiceAnswer,
    DeskServices,
    DeskServicesAnswer,
    OrderPayload,
    ServicePayload,
)
from sites.parts import StrictRoute
from sites.services import actions
from sites.services.actions import Offer
from tenants.kit.errors import NotFound
from tenants.kit.ids import known_id, parse_id

router = APIRouter(prefix="/api/guru", tags=["guru console"], route_class=StrictRoute)


@router.get("/services", response_model=DeskServices, operation_id="desk_services", summary="What I offer")
async def read_services(desk: AtDesk) -> DeskServices:
    """Every service in its order."""
    async with desk.work() as session:
        return await _all(desk, session)


@router.post(
    "/services",
    response_model=DeskServices,
    status_code=status.HTTP_201_CREATED,
    operation_id="add_service",
    summary="Offer something more",
)
async def post_service(desk: AtDesk, sent: ServicePayload) -> DeskServices:
    """Add a service at the end of the list."""
    async with desk.work() as session:
        await actions.add_service(session, desk.tenant_id, _offer(sent))
        return await _all(desk, session)


@router.put(
    "/services/{service_id}", response_model=DeskServices, operation_id="change_service", summary="Change a service"
)
async def put_service(desk: AtDesk, service_id: str, sent: ServicePayload) -> DeskServices:
    """Describe a service anew; its place in the list stays."""
    async with desk.work() as session:
        await actions.change_service(session, desk.tenant_id, known_id(service_id), _offer(sent))
        return await _all(desk, session)


@router.delete(
    "/services/{service_id}", response_model=DeskServices, operation_id="delete_service", summary="Delete a service"
)
async def delete_service(desk: AtDesk, service_id: str) -> DeskServices:
    """Offer something no longer. Leads that asked for it stay."""
    async with desk.work() as session:
        await actions.delete_service(session, desk.tenant_id, known_id(service_id))
        return await _all(desk, session)


@router.put(
    "/service-order", response_model=DeskServices, operation_id="order_services", summary="Put services into order"
)
async def put_order(desk: AtDesk, sent: OrderPayload) -> DeskServices:
    """Order the services. 409 when these are not all of them, each once."""
    ids = [found for text in sent.ids if (found := parse_id(text)) is not None]
    if len(ids) != len(sent.ids):
        raise NotFound
    async with desk.work() as session:
        await actions.order_services(session, desk.tenant_id, ids)
        return await _all(desk, session)


def _offer(sent: ServicePayload) -> Offer:
    return Offer(
        name=sent.name,
        description=sent.description,
        price_cents=sent.price_cents,
        duration_minutes=sent.duration_minutes,
        duration_label=sent.duration_label,
        popular=sent.popular,
        features=sent.features,
    )


async def _all(desk: Desk, session: AsyncSession) -> DeskServices:
    found = await actions.own_services(session, desk.tenant_id)
    offers = [
        DeskServiceAnswer(
            id=str(service.id),
            name=service.name,
            description=service.description,
            price_cents=service.price_cents,
            currency=service.currency,
            duration_minutes=service.duration_minutes,
            duration_label=service.duration_label,
            popular=service.popular,
            features=service.features,
        )
        for service in found
    ]
    return DeskServices(success=True, data=DeskServicesAnswer(services=offers))
