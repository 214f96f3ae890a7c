"""The risk of a guru's service, and the review of it that the guru can ask staff for."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskLevel
from porchlight.features.risk.actions import MAX_OCCURRENCES, MAX_OPEN_REVIEWS
from porchlight.features.risk.decisions import RiskPhrase, phrase_of
from porchlight.features.risk.models import RiskReviewRequest
from tenants.db.counted_limits import lock_count
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id

MAX_OPEN_REQUESTS = 3  # of a guru

_SERVICE = text(
    "SELECT s.name, g.category, b.risk FROM services s JOIN gurus g ON g.id = s.tenant_id"
    " LEFT JOIN booking_settings b ON b.tenant_id = s.tenant_id AND b.service_id = s.id"
    " WHERE s.tenant_id = :tenant AND s.id = :service"
)
_IS_DECIDED = text("SELECT EXISTS (SELECT FROM risk_reviews WHERE digest = :digest AND level IS NOT NULL)")
_QUEUE = text("SELECT app.request_risk_review(:id, :category, :activity, :digest, :max_open, :max_count)")


class ReviewNotNeeded(Conflict):
    """The guru asked already, or staff has reviewed the service."""

    code = "review_not_needed"
    message = "We're already on it, or our team has reviewed this service. Please reload the page."


class RequestLimit(Conflict):
    """The guru has MAX_OPEN_REQUESTS open requests."""

    code = "too_many_reviews"
    message = "We're still looking at 3 of your services. Please wait for an answer first."


class RatedService(NamedTuple):
    """The facts that the rating of a service depends on. `own_rating` is the guru's."""

    name: str
    category: str
    own_rating: RiskLevel | None

    @property
    def phrase(self) -> RiskPhrase:
        """The phrase that represents the service in the queue of reviews."""
        return phrase_of(self.category, self.name)


class ServiceReview(NamedTuple):
    """The latest review that the guru asked for, for the current name of the service. `level`: the answer."""

    sentence: str
    level: RiskLevel | None
    asked_at: datetime
    answered_at: datetime | None


class ReviewState(NamedTuple):
    """A service with its latest review. `can_ask`: neither waits nor was decided by staff."""

    service: RatedService
    review: ServiceReview | None
    can_ask: bool


async def find_service(session: AsyncSession, tenant_id: UUID, service_id: UUID) -> RatedService:
    """Return a service of the guru. Raises NotFound."""
    found = (await session.execute(_SERVICE, {"tenant": tenant_id, "service": service_id})).one_or_none()
    if found is None:
        raise NotFound
    return RatedService(found.name, found.category, found.risk or None)


async def review_state(session: AsyncSession, user_id: UUID | None, tenant_id: UUID, service_id: UUID) -> ReviewState:
    """Return a service of the guru with the latest review that the user asked for. Raises NotFound."""
    service = await find_service(session, tenant_id, service_id)
    if user_id is None:
        return ReviewState(service, None, can_ask=False)
    found = await session.execute(
        select(
            RiskReviewRequest.sentence,
            RiskReviewRequest.level,
            RiskReviewRequest.asked_at,
            RiskReviewRequest.answered_at,
        )
        .where(
            RiskReviewRequest.user_id == user_id,
            RiskReviewRequest.service_id == service_id,
            RiskReviewRequest.digest == service.phrase.digest,
        )
        .order_by(RiskReviewRequest.asked_at.desc())
        .limit(1)
    )
    row = found.one_or_none()
    review = ServiceReview(row.sentence, row.level, row.asked_at, row.answered_at) if row is not None else None
    decided = await session.scalar(_IS_DECIDED, {"digest": service.phrase.digest})
    is_open = review is not None and review.answered_at is None
    return ReviewState(service, review, can_ask=not decided and not is_open)


async def request_service_review(
    session: AsyncSession, user_id: UUID, tenant_id: UUID, service_id: UUID, sentence: str
) -> None:
    """Ask staff to review the risk of a service. Raises NotFound, ReviewNotNeeded and RequestLimit."""
    await lock_count(session, "risk review requests", user_id)
    state = await review_state(session, user_id, tenant_id, service_id)
    if not state.can_ask:
        raise ReviewNotNeeded
    is_open = (RiskReviewRequest.user_id == user_id) & RiskReviewRequest.answered_at.is_(None)
    count = await session.scalar(select(func.count()).select_from(RiskReviewRequest).where(is_open))
    if (count or 0) >= MAX_OPEN_REQUESTS:
        raise RequestLimit
    phrase = state.service.phrase
    await session.execute(
        _QUEUE,
        {
            "id": new_id(),
            "category": phrase.category,
            "activity": phrase.activity,
            "digest": phrase.digest,
            "max_open": MAX_OPEN_REVIEWS,
            "max_count": MAX_OCCURRENCES,
        },
    )
    await session.execute(
        insert(RiskReviewRequest).values(
            user_id=user_id,
            id=new_id(),
            guru_id=tenant_id,
            service_id=service_id,
            digest=phrase.digest,
            service=state.service.name,
            sentence=sentence,
        )
    )
