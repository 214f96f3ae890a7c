"""Payments of the user's sessions by card: open Stripe's page again, give the time up, and what was paid."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Query, Request, Response

from porchlight.dependencies import Context, CurrentUser, own_origin
from porchlight.features.bookings.booking_response import booking_response
from porchlight.features.bookings.payments import actions, queries
from porchlight.features.bookings.payments.schemas import OrdersResponse
from porchlight.features.bookings.schemas import BookingResponse
from porchlight.settlement.errors import PaymentsNotSetUp
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api", tags=["bookings"], route_class=StrictRoute)


@router.post("/bookings/{booking_id}/payment", operation_id="pay_again", summary="Open the payment page again")
async def pay_again(request: Request, context: Context, user: CurrentUser, booking_id: str) -> BookingResponse:
    """Open another page of Stripe for a held session, if the former one could not be opened.

    Or open one for what is owed of a session that has ended, if the card that was kept could not be charged.

    The answer has its `url`, or the state `opening` while Stripe does not answer.
    """
    if context.stripe is None:
        raise PaymentsNotSetUp
    wanted = parse_id_or_404(booking_id)
    await actions.pay_again(context.db, actions.card_desk(context, user, own_origin(request)), user.user_id, wanted)
    return await booking_response(request, context, user.user_id, wanted)


@router.delete("/bookings/{booking_id}/payment", operation_id="give_up_payment", summary="Give up instead of paying")
async def give_up_payment(request: Request, context: Context, user: CurrentUser, booking_id: str) -> BookingResponse:
    """Give the held time up, with those that are paid together with it. Stripe's page closes."""
    wanted = parse_id_or_404(booking_id)
    await actions.give_up(context.db, user.user_id, wanted)
    return await booking_response(request, context, user.user_id, wanted)


@router.get("/orders", operation_id="list_orders", summary="List my orders")
async def list_orders(
    context: Context, user: CurrentUser, cursor: Annotated[str | None, Query(max_length=100)] = None
) -> OrdersResponse:
    """Return what the user paid by card, the latest first, with what was returned."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return OrdersResponse(success=True, data=await queries.orders(session, user.user_id, cursor))


@router.get(
    "/orders/{order_id}/receipt.pdf",
    operation_id="get_receipt",
    summary="Download the receipt of an order",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}}, "description": "A PDF of one page."}},
)
async def get_receipt(context: Context, user: CurrentUser, order_id: str) -> Response:
    """Return the receipt of a payment, with what was returned."""
    # reportlab takes 8 MB, and few workers draw a receipt
    from porchlight.features.bookings.payments.receipt_pdf import render_receipt

    async with unit_of_work(context.db, user_id=user.user_id) as session:
        found = await queries.receipt(session, user.user_id, parse_id_or_404(order_id))
    headers = {
        "content-disposition": f'attachment; filename="receipt-{found.number}.pdf"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    content = await asyncio.to_thread(render_receipt, found)
    return Response(content, media_type="application/pdf", headers=headers)
