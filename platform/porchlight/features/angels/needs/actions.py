"""Write needs and their offers.

Actions that must happen at most once per need hold an advisory lock on it, so an offer cannot be created, withdrawn or
accepted while the need changes.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.angels.locations import Coordinates
from porchlight.features.angels.models import AngelService
from porchlight.features.angels.needs.models import Need, NeedOffer, NeedPhoto
from porchlight.features.angels.needs.proposals import fair_price
from porchlight.features.angels.needs.schemas import CompletionPayload, NeedOfferPayload, NeedPayload
from tenants.db.counted_limits import lock_count
from tenants.db.jobs import enqueue
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.kit.ids import new_id

MAX_OPEN_NEEDS = 10  # per user
MAX_OFFERS_PER_DAY = 40  # per user
MAX_OFFERS_PER_NEED = 3  # of one user, withdrawn ones included: each is an email to the owner
MAX_PHOTOS = 4
MAX_DAYS_AHEAD = timedelta(days=60)  # from today to the last day of a need
NOTIFY_ANGELS_TASK = "angels:notify_angels"
NOTIFY_OWNER_TASK = "angels:notify_owner"
NOTIFY_RESULT_TASK = "angels:notify_result"
UPDATE_COUNTERS_TASK = "angels:update_counters"
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('need ' || :need, 0))")
_ANGEL_BY_HANDLE = text("""
SELECT p.user_id FROM public_profiles p JOIN angel_listings l ON l.angel_id = p.user_id
 WHERE p.handle = :handle AND l.service_id = :service AND p.user_id <> :user""")
_OFFER_OWNER = text("SELECT user_id FROM received_offers WHERE need_id = :need AND id = :offer")
_NEED_STATUS = text("SELECT app.need_status(:need)")


class NeedClosed(Conflict):
    """The need is no longer open."""

    code = "need_closed"
    message = "This need is no longer open."


class OfferExists(Conflict):
    """The user has an offer for the need."""

    code = "offer_made"
    message = "You've already made an offer. Withdraw it before making another."


class OffersUsed(Conflict):
    """The user made and withdrew offers for the need too often."""

    code = "offers_used"
    message = f"You've made {MAX_OFFERS_PER_NEED} offers for this request already, so you can't make another one."


class QuotaExceeded(Conflict):
    """The user has too many open needs, or too many offers today."""

    code = "quota_exceeded"


async def _lock_need(session: AsyncSession, need_id: UUID) -> None:
    await session.execute(_LOCK, {"need": str(need_id)})


async def create_need(
    session: AsyncSession, user_id: UUID, payload: NeedPayload, location: Coordinates, *, key: str
) -> tuple[UUID, bool]:
    """Create a need and return its id, and whether it is new. A retry with the same key creates no second need.

    Raises ValidationFailed, QuotaExceeded.
    """
    await session.execute(_LOCK, {"need": f"of {user_id}"})
    existing = await session.scalar(select(Need.id).where(Need.user_id == user_id, Need.idempotency_key == key))
    if existing is not None:
        return existing, False
    now = clock.now()
    today = now.date()
    if payload.wanted_until < today - timedelta(days=1):  # it may still be yesterday in the user's time zone
        raise ValidationFailed(fields={"wantedUntil": "Pick a future date."})
    if payload.wanted_until > today + MAX_DAYS_AHEAD:
        raise ValidationFailed(fields={"wantedUntil": "Choose a date within the next 60 days."})
    if await session.scalar(select(AngelService.id).where(AngelService.id == payload.service_id)) is None:
        raise ValidationFailed(fields={"serviceId": "Choose the kind of help you need."})
    requested_angel = None
    if payload.angel is not None:
        handle = {"handle": payload.angel, "service": payload.service_id, "user": user_id}
        requested_angel = await session.scalar(_ANGEL_BY_HANDLE, handle)
        if requested_angel is None:
            raise ValidationFailed(fields={"angel": "This angel doesn't offer that."})
    await lock_count(session, "needs", user_id)
    open_needs = select(func.count()).select_from(Need).where(Need.user_id == user_id, Need.status == "open")
    if (await session.scalar(open_needs) or 0) >= MAX_OPEN_NEEDS:
        raise QuotaExceeded(f"You have {MAX_OPEN_NEEDS} open needs. Withdraw one before posting another.")
    price = await fair_price(session, payload.service_id, location)
    low, high = price.total(payload.hours) if price else (None, None)
    need_id = new_id()
    await session.execute(
        insert(Need).values(
            user_id=user_id,
            id=need_id,
            service_id=payload.service_id,
            title=payload.title,
            description=payload.description,
            asked_user_id=requested_angel,
            wanted_from=payload.wanted_from,
            wanted_until=payload.wanted_until,
            time_note=payload.time_note,
            hours=payload.hours,
            budget_cents=payload.budget_cents,
            low_cents=low,
            high_cents=high,
            city=location.city,
            region=location.region,
            latitude=location.latitude,
            longitude=location.longitude,
            idempotency_key=key,
            # At noon UTC of the next day, the last day is over in all time zones of the country.
            expires_at=datetime.combine(payload.wanted_until + timedelta(days=1), time(12), now.tzinfo),
            created_at=now,
            updated_at=now,
        )
    )
    await enqueue(session, NOTIFY_ANGELS_TASK, need_id=str(need_id))
    return need_id, True


async def check_photo_limit(session: AsyncSession, user_id: UUID, need_id: UUID) -> int:
    """Return the number of photos of the user's open need. Raises NotFound, NeedClosed, ValidationFailed."""
    status = await session.scalar(select(Need.status).where(Need.user_id == user_id, Need.id == need_id))
    if status is None:
        raise NotFound
    if status != "open":
        raise NeedClosed
    await lock_count(session, "need photos", need_id)
    count = (
        select(func.count()).select_from(NeedPhoto).where(NeedPhoto.user_id == user_id, NeedPhoto.need_id == need_id)
    )
    photos = await session.scalar(count) or 0
    if photos >= MAX_PHOTOS:
        raise ValidationFailed(fields={"photo": f"A need can have up to {MAX_PHOTOS} photos."})
    return photos


async def add_photo(session: AsyncSession, user_id: UUID, need_id: UUID, body: bytes) -> None:
    """Add a re-encoded photo (WebP) to the user's open need. Raises the errors of `check_photo_limit`."""
    await _lock_need(session, need_id)
    position = await check_photo_limit(session, user_id, need_id)
    await session.execute(
        insert(NeedPhoto).values(user_id=user_id, need_id=need_id, id=new_id(), position=position, body=body)
    )


async def delete_photo(session: AsyncSession, user_id: UUID, need_id: UUID, photo_id: UUID) -> None:
    """Delete a photo of the user's need and close the gap in the positions.

    Raises NotFound, and NeedClosed after an offer was accepted: the angel agreed to the need with its photos.
    """
    await _lock_need(session, need_id)
    status = await session.scalar(select(Need.status).where(Need.user_id == user_id, Need.id == need_id))
    if status is None:
        raise NotFound
    of_need = (NeedPhoto.user_id == user_id, NeedPhoto.need_id == need_id)
    position = await session.scalar(select(NeedPhoto.position).where(*of_need, NeedPhoto.id == photo_id))
    if position is None:
        raise NotFound
    if status in ("accepted", "done"):
        raise NeedClosed
    await session.execute(delete(NeedPhoto).where(*of_need, NeedPhoto.id == photo_id))
    await session.execute(
        update(NeedPhoto).where(*of_need, NeedPhoto.position > position).values(position=NeedPhoto.position - 1)
    )


async def _update_open_need(session: AsyncSession, user_id: UUID, need_id: UUID, **values: Any) -> None:
    """Update the user's need if it is open. Raises NotFound, NeedClosed."""
    now = clock.now()
    updated = await session.scalar(
        update(Need)
        .where(Need.user_id == user_id, Need.id == need_id, Need.status == "open", Need.expires_at > now)
        .values(**values, updated_at=now)
        .returning(Need.id)
    )
    if updated is None:
        if await session.scalar(select(Need.id).where(Need.user_id == user_id, Need.id == need_id)) is None:
            raise NotFound
        raise NeedClosed


async def withdraw_need(session: AsyncSession, user_id: UUID, need_id: UUID) -> None:
    """Withdraw the user's need and notify the authors of offers. Raises NotFound, NeedClosed."""
    await _lock_need(session, need_id)
    await _update_open_need(session, user_id, need_id, status="withdrawn")
    await enqueue(session, NOTIFY_RESULT_TASK, need_id=str(need_id))


async def accept_offer(session: AsyncSession, user_id: UUID, need_id: UUID, offer_id: UUID) -> None:
    """Accept one offer for the user's need. Accepting the same offer again has no effect.

    Raises NotFound for another user's need or an offer for another need, and NeedClosed.
    """
    await _lock_need(session, need_id)
    offer_owner = await session.scalar(_OFFER_OWNER, {"need": need_id, "offer": offer_id})
    if offer_owner is None:
        raise NotFound
    accepted = select(Need.accepted_offer_id).where(Need.user_id == user_id, Need.id == need_id)
    if await session.scalar(accepted) == offer_id:
        return
    await _update_open_need(
        session, user_id, need_id, status="accepted", accepted_offer_id=offer_id, accepted_user_id=offer_owner
    )
    await enqueue(session, NOTIFY_RESULT_TASK, need_id=str(need_id))


async def complete_need(session: AsyncSession, user_id: UUID, need_id: UUID, payload: CompletionPayload) -> None:
    """Complete the user's need, with an optional rating. A later call can add the rating once.

    Raises NotFound, NeedClosed.
    """
    await _lock_need(session, need_id)
    need = await session.scalar(select(Need).where(Need.user_id == user_id, Need.id == need_id))
    if need is None:
        raise NotFound
    is_rated = need.status == "done" and need.rating is not None
    if need.status not in ("accepted", "done") or is_rated:
        raise NeedClosed
    await session.execute(
        update(Need)
        .where(Need.user_id == user_id, Need.id == need_id)
        .values(status="done", rating=payload.rating, review=payload.review, updated_at=clock.now())
    )
    await enqueue(session, UPDATE_COUNTERS_TASK, need_id=str(need_id))


async def create_offer(session: AsyncSession, user_id: UUID, need_id: UUID, payload: NeedOfferPayload) -> UUID:
    """Create an offer for a need. Replaces a withdrawn one, up to MAX_OFFERS_PER_NEED offers.

    Raises NotFound for a need that the user may not see, NeedClosed, OfferExists, OffersUsed, QuotaExceeded.
    """
    await _lock_need(session, need_id)
    status = await session.scalar(_NEED_STATUS, {"need": need_id})
    if status in (None, "asked"):
        raise NotFound
    if status == "own":
        raise Conflict("You can't make an offer on your own need.")
    if status != "open":
        raise NeedClosed
    now = clock.now()
    await lock_count(session, "need offers", user_id)
    recent = select(func.sum(NeedOffer.attempts)).where(
        NeedOffer.user_id == user_id, NeedOffer.created_at > now - timedelta(days=1)
    )
    if (await session.scalar(recent) or 0) >= MAX_OFFERS_PER_DAY:
        raise QuotaExceeded("You've reached today's limit for offers. Please try again tomorrow.")
    withdrawn = await session.scalar(
        delete(NeedOffer)
        .where(NeedOffer.user_id == user_id, NeedOffer.need_id == need_id, NeedOffer.status == "withdrawn")
        .returning(NeedOffer.attempts)
    )
    attempts = (withdrawn or 0) + 1
    if attempts > MAX_OFFERS_PER_NEED:
        raise OffersUsed
    offer_id = new_id()
    created = await session.scalar(
        insert(NeedOffer)
        .values(
            user_id=user_id,
            id=offer_id,
            need_id=need_id,
            price_cents=payload.price_cents,
            message=payload.message,
            attempts=attempts,
            created_at=now,
            updated_at=now,
        )
        .on_conflict_do_nothing(index_elements=[NeedOffer.user_id, NeedOffer.need_id])
        .returning(NeedOffer.id)
    )
    if created is None:
        raise OfferExists
    await enqueue(session, NOTIFY_OWNER_TASK, offer_id=str(offer_id))
    return offer_id


async def delete_offer(session: AsyncSession, user_id: UUID, offer_id: UUID) -> UUID:
    """Withdraw the user's offer and return the id of its need. Raises NotFound, and NeedClosed after a decision."""
    need_id = await session.scalar(
        select(NeedOffer.need_id).where(NeedOffer.user_id == user_id, NeedOffer.id == offer_id)
    )
    if need_id is None:
        raise NotFound
    await _lock_need(session, need_id)
    if await session.scalar(_NEED_STATUS, {"need": need_id}) != "open":
        raise NeedClosed
    await session.execute(
        update(NeedOffer)
        .where(NeedOffer.user_id == user_id, NeedOffer.id == offer_id)
        .values(status="withdrawn", updated_at=clock.now())
    )
    return need_id
