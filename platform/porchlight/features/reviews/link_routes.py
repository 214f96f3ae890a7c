"""The reviews of a customer without an account, with the link from their email. The link is the permission.

The rules are those for an account: the customer's id takes the place of the user. The guru chose the address of the
link, so who is signed in as that guru is refused, and all reviews without an account count as one (`score.py`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, NamedTuple
from uuid import UUID

from fastapi import Depends, Request, Response

from porchlight.dependencies import AppContext, Context, OptionalUser, require_main_host
from porchlight.features.reviews import actions, queries
from porchlight.features.reviews.errors import OwnSite
from porchlight.features.reviews.schemas import (
    ReplyPayload,
    SessionReviewPayload,
    SessionReviews,
    SessionReviewsResponse,
)
from porchlight.personal_links import CustomerLink, find_customer
from tenants.db.rate_limit import hash_address
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound

router = FeatureRouter(
    prefix="/api/booked/{link}/review",
    tags=["reviews"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host)],
)

FLAG = "reviews"


class _Customer(NamedTuple):
    """The bearer of a link. `is_guru`: who is signed in owns the site."""

    tenant_id: UUID
    booking_id: UUID
    person_id: UUID
    is_guru: bool


async def _customer(response: Response, context: Context, user: OptionalUser, link: str) -> _Customer:
    """Return the bearer of a link. Raises NotFound, also for a guru without reviews, and BookingClaimed."""
    response.headers["cache-control"] = "no-store"
    response.headers["referrer-policy"] = "no-referrer"
    parsed = CustomerLink.parse_or_404(link)
    booking_id, person_id = await find_customer(context.db, parsed)
    if not await context.flags.on(FLAG, parsed.tenant_id):
        raise NotFound
    owned = user.owned_guru.tenant_id if user and user.owned_guru else None
    return _Customer(parsed.tenant_id, booking_id, person_id, owned == parsed.tenant_id)


Customer = Annotated[_Customer, Depends(_customer)]


@router.get("", operation_id="get_customer_reviews", summary="Get the reviews of a link's session")
async def get_customer_reviews(context: Context, customer: Customer) -> SessionReviewsResponse:
    """Return the review of the bearer, and the guru's once it is revealed. 409 `booking_claimed`: sign in for it."""
    return await _reviews(context, customer)


@router.put("", operation_id="write_customer_review", summary="Review the session of a link")
async def write_customer_review(
    request: Request, context: Context, customer: Customer, payload: SessionReviewPayload
) -> SessionReviewsResponse:
    """Write the review of a session, or change it while it is hidden. A resend changes nothing.

    409 `review_closed` before the end, 14 days after it, and once it is revealed; 409 `own_site` for the guru.
    """
    _require_other(customer)
    host = request.client.host if request.client else ""
    address = hash_address(context.settings.address_secret, host, purpose="reviews")
    async with unit_of_work(context.db, tenant_id=customer.tenant_id, user_id=customer.person_id) as session:
        review = actions.written(payload, address)
        await actions.write_review(session, customer.tenant_id, customer.booking_id, "person", review)
    return await _reviews(context, customer)


@router.put("/reply", operation_id="reply_as_customer", summary="Reply to the guru's review with a link")
async def reply_as_customer(context: Context, customer: Customer, payload: ReplyPayload) -> SessionReviewsResponse:
    """Write the reply to the guru's review of the customer, or replace it."""
    _require_other(customer)
    async with unit_of_work(context.db, tenant_id=customer.tenant_id, user_id=customer.person_id) as session:
        await actions.reply_to_guru(session, customer.person_id, customer.booking_id, payload.body)
    return await _reviews(context, customer)


def _require_other(customer: _Customer) -> None:
    if customer.is_guru:
        raise OwnSite


async def _reviews(context: AppContext, customer: _Customer) -> SessionReviewsResponse:
    async with unit_of_work(context.db, tenant_id=customer.tenant_id, user_id=customer.person_id) as session:
        facts = await actions.facts_of(session, customer.tenant_id, customer.booking_id, "person")
        found: SessionReviews = await queries.session_reviews(
            session, customer.tenant_id, customer.booking_id, "person", replace(facts, is_own_site=customer.is_guru)
        )
    return SessionReviewsResponse(success=True, data=found)
