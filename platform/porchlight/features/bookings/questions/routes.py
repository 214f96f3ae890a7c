"""The answers to a guru's questions, for users and for customers with a link."""

from __future__ import annotations

from fastapi import Depends, Request, Response

from porchlight.dependencies import Context, CurrentUser, require_main_host
from porchlight.features.bookings import queries
from porchlight.features.bookings.booking_response import with_guru
from porchlight.features.bookings.questions.actions import change_answers
from porchlight.features.bookings.schemas import BookingResponse, QuestionAnswersPayload
from porchlight.personal_links import CustomerLink, find_customer
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api", tags=["bookings"], route_class=StrictRoute)


@router.put(
    "/bookings/{booking_id}/question-answers",
    operation_id="update_question_answers",
    summary="Change my answers to a guru's questions",
)
async def update_question_answers(
    request: Request, context: Context, user: CurrentUser, booking_id: str, payload: QuestionAnswersPayload
) -> BookingResponse:
    """Replace the answers of a booking or request whose session has not started. The history says so."""
    wanted = parse_id_or_404(booking_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await change_answers(session, user.user_id, wanted, [one.kept() for one in payload.answers])
        data = await queries.booking(session, user.user_id, wanted)
    return await with_guru(request, context, data)


@router.put(
    "/booked/{link}/question-answers",
    operation_id="update_customer_answers",
    summary="Answer a guru's questions with a link",
    dependencies=[Depends(require_main_host)],
)
async def update_customer_answers(
    request: Request, response: Response, context: Context, link: str, payload: QuestionAnswersPayload
) -> BookingResponse:
    """Replace the answers of the session that a guru booked for the bearer of the link, until it starts."""
    response.headers["cache-control"] = "no-store"
    response.headers["referrer-policy"] = "no-referrer"
    booking_id, person_id = await find_customer(context.db, CustomerLink.parse_or_404(link))
    async with unit_of_work(context.db, user_id=person_id) as session:
        await change_answers(session, person_id, booking_id, [one.kept() for one in payload.answers])
        data = await queries.booking(session, person_id, booking_id)
    return await with_guru(request, context, data)
