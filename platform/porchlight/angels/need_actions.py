"""What neighbours do with their needs, and angels with their offers.

Whatever may happen only once to a need happens under a lock of its own: an offer is never made for, withdrawn from or
accepted on a need that changes at the same moment.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.angels.models import AngelService
from porchlight.angels.need_models import Need, NeedOffer, NeedPhoto
from porchlight.angels.need_schemas import CompletionPayload, NeedOfferPayload, NeedPayload
from porchlight.angels.places import Spot
from porchlight.angels.proposals import fair
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.kit.ids import new_id

OPEN_EACH = 10  # open needs a neighbour may have
OFFERS_A_DAY = 40
PHOTOS = 4
LONGEST = timedelta(days=60)  # from today to the last day a need may wait for
TELL_ANGELS_TASK = "tell_angels_of_need"
TELL_OWNER_TASK = "tell_owner_of_offer"
OUTCOME_TASK = "tell_outcome_of_need"
COUNT_TASK = "count_angel"
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('need ' || :need, 0))")
_ENQUEUE = text("SELECT app.enqueue(:task, CAST(:args AS jsonb), NULL)")
_ASKED = text("SELECT app.angel_by_handle(:handle, :service)")
_OFFERER = text("SELECT app.offerer(:need, :offer)")
_STANDING = text("SELECT app.need_standing(:need)")


class NeedClosed(Conflict):
    """Nothing more can be done with a need."""

    code = "need_closed"
    message = "This need is no longer open."


class OfferMade(Conflict):
    """One offer for each need."""

    code = "offer_made"
    message = "You made an offer for this already. Withdraw it first to make another."


class Enough(Conflict):
    """More than somebody can mean."""

    code = "enough_for_now"


async def _alone(session: AsyncSession, need_id: UUID) -> None:
    await session.execute(_LOCK, {"need": str(need_id)})


async def _enqueue(session: AsyncSession, task: str, **args: str) -> None:
    pairs = ", ".join(f'"{name}": "{value}"' for name, value in args.items())  # ids and names of ours alone
    await session.execute(_ENQUEUE, {"task": task, "args": "{" + pairs + "}"})


async def post_need(
    session: AsyncSession, user_id: UUID, sent: NeedPayload, spot: Spot, *, key: str
) -> tuple[UUID, bool]:
    """Post a need: its id, and whether it was made now (a resend with the same key makes none).

    Raises ValidationFailed, Enough.
    """
    await session.execute(_LOCK, {"need": f"of {user_id}"})
    earlier = await session.scalar(select(Need.id).where(Need.user_id == user_id, Need.idempotency_key == key))
    if earlier is not None:
        return earlier, False
    now = clock.now()
    today = now.date()
    if sent.wanted_until < today - timedelta(days=1):  # it may still be yesterday where they are
        raise ValidationFailed(fields={"wantedUntil": "This day is over."})
    if sent.wanted_until > today + LONGEST:
        raise ValidationFailed(fields={"wantedUntil": "Choose a day within the next 60 days."})
    if await session.scalar(select(AngelService.id).where(AngelService.id == sent.service_id)) is None:
        raise ValidationFailed(fields={"serviceId": "Choose what kind of help it is."})
    asked = None
    if sent.angel is not None:
        asked = await session.scalar(_ASKED, {"handle": sent.angel, "service": sent.service_id})
        if asked is None:
            raise ValidationFailed(fields={"angel": "This angel cannot be asked for that."})
    open_now = select(func.count()).select_from(Need).where(Need.user_id == user_id, Need.status == "open")
    if (await session.scalar(open_now) or 0) >= OPEN_EACH:
        raise Enough(f"You have {OPEN_EACH} open needs. Withdraw one you no longer have first.")
    usual = await fair(session, sent.service_id, spot)
    low, high = usual.total(sent.hours) if usual else (None, None)
    need_id = new_id()
    await session.execute(
        insert(Need).values(
            user_id=user_id,
            id=need_id,
            service_id=sent.service_id,
            title=sent.title,
            description=sent.description,
            asked_user_id=asked,
            wanted_from=sent.wanted_from,
            wanted_until=sent.wanted_until,
            time_note=sent.time_note,
            hours=sent.hours,
            budget_cents=sent.budget_cents,
            low_cents=low,
            high_cents=high,
            city=spot.city,
            region=spot.region,
            latitude=spot.latitude,
            longitude=spot.longitude,
            idempotency_key=key,
            # The last day is over everywhere in the country when it is noon in Greenwich a day later.
            expires_at=datetime.combine(sent.wanted_until + timedelta(days=1), time(12), now.tzinfo),
            created_at=now,
            updated_at=now,
        )
    )
    await _enqueue(session, TELL_ANGELS_TASK, need_id=str(need_id))
    return need_id, True


async def refuse_photo(session: AsyncSession, user_id: UUID, need_id: UUID) -> int:
    """How many photos one's open need has. Raises NotFound, NeedClosed; ValidationFailed when there is no more room."""
    status = await session.scalar(select(Need.status).where(Need.user_id == user_id, Need.id == need_id))
    if status is None:
        raise NotFound
    if status != "open":
        raise NeedClosed
    there = (
        select(func.count()).select_from(NeedPhoto).where(NeedPhoto.user_id == user_id, NeedPhoto.need_id == need_id)
    )
    photos = await session.scalar(there) or 0
    if photos >= PHOTOS:
        raise ValidationFailed(fields={"photo": f"A need has {PHOTOS} photos at most."})
    return photos


async def add_photo(session: AsyncSession, user_id: UUID, need_id: UUID, body: bytes) -> None:
    """Add a photo (WebP, drawn anew by us) to one's open need. Raises as `refuse_photo`."""
    await _alone(session, need_id)
    position = await refuse_photo(session, user_id, need_id)
    await session.execute(
        insert(NeedPhoto).values(user_id=user_id, need_id=need_id, id=new_id(), position=position, body=body)
    )


async def remove_photo(session: AsyncSession, user_id: UUID, need_id: UUID, photo_id: UUID) -> None:
    """Take a photo off one's need; those after it move up. What an angel was chosen for stays as they saw it.

    Raises NotFound, NeedClosed once an offer was accepted.
    """
    await _alone(session, need_id)
    status = await session.scalar(select(Need.status).where(Need.user_id == user_id, Need.id == need_id))
    if status is None:
        raise NotFound
    of_it = (NeedPhoto.user_id == user_id, NeedPhoto.need_id == need_id)
    place = await session.scalar(select(NeedPhoto.position).where(*of_it, NeedPhoto.id == photo_id))
    if place is None:
        raise NotFound
    if status in ("accepted", "done"):
        raise NeedClosed
    await session.execute(delete(NeedPhoto).where(*of_it, NeedPhoto.id == photo_id))
    await session.execute(
        update(NeedPhoto).where(*of_it, NeedPhoto.position > place).values(position=NeedPhoto.position - 1)
    )


async def _change_open(session: AsyncSession, user_id: UUID, need_id: UUID, **values: Any) -> None:
    """Change one's need if it is open. Raises NotFound, NeedClosed."""
    now = clock.now()
    changed = await session.scalar(
        update(Need)
        .where(Need.user_id == user_id, Need.id == need_id, Need.status == "open", Need.expires_at > now)
        .values(**values, updated_at=now)
        .returning(Need.id)
    )
    if changed is None:
        if await session.scalar(select(Need.id).where(Need.user_id == user_id, Need.id == need_id)) is None:
            raise NotFound
        raise NeedClosed


async def withdraw_need(session: AsyncSession, user_id: UUID, need_id: UUID) -> None:
    """Take one's need back; who offered is told. Raises NotFound, NeedClosed."""
    await _alone(session, need_id)
    await _change_open(session, user_id, need_id, status="withdrawn")
    await _enqueue(session, OUTCOME_TASK, need_id=str(need_id))


async def accept_offer(session: AsyncSession, user_id: UUID, need_id: UUID, offer_id: UUID) -> None:
    """Take an offer for one's need: exactly one. Taking the same again changes nothing.

    Raises NotFound for a need that is not theirs or an offer that is not for it, NeedClosed.
    """
    await _alone(session, need_id)
    offerer = await session.scalar(_OFFERER, {"need": need_id, "offer": offer_id})
    if offerer is None:
        raise NotFound
    taken = select(Need.accepted_offer_id).where(Need.user_id == user_id, Need.id == need_id)
    if await session.scalar(taken) == offer_id:
        return
    await _change_open(
        session, user_id, need_id, status="accepted", accepted_offer_id=offer_id, accepted_user_id=offerer
    )
    await _enqueue(session, OUTCOME_TASK, need_id=str(need_id))


async def complete_need(session: AsyncSession, user_id: UUID, need_id: UUID, sent: CompletionPayload) -> None:
    """Say that it is done, and how it went; a rating may follow later, and stays. Raises NotFound, NeedClosed."""
    await _alone(session, need_id)
    need = await session.scalar(select(Need).where(Need.user_id == user_id, Need.id == need_id))
    if need is None:
        raise NotFound
    rated_already = need.status == "done" and need.rating is not None
    if need.status not in ("accepted", "done") or rated_already:
        raise NeedClosed
    await session.execute(
        update(Need)
        .where(Need.user_id == user_id, Need.id == need_id)
        .values(status="done", rating=sent.rating, review=sent.review, updated_at=clock.now())
    )
    await _enqueue(session, COUNT_TASK, user_id=str(need.accepted_user_id), service_id=need.service_id)


async def make_offer(session: AsyncSession, user_id: UUID, need_id: UUID, sent: NeedOfferPayload) -> UUID:
    """Offer to do a need. One that was withdrawn makes room for another.

    Raises NotFound for a need one may not see, NeedClosed, OfferMade, Enough.
    """
    await _alone(session, need_id)
    standing = await session.scalar(_STANDING, {"need": need_id})
    if standing in (None, "asked"):
        raise NotFound
    if standing == "own":
        raise Conflict("This need is your own.")
    if standing != "open":
        raise NeedClosed
    now = clock.now()
    lately = (
        select(func.count())
        .select_from(NeedOffer)
        .where(NeedOffer.user_id == user_id, NeedOffer.created_at > now - timedelta(days=1))
    )
    if (await session.scalar(lately) or 0) >= OFFERS_A_DAY:
        raise Enough("You made many offers today. Please go on tomorrow.")
    await session.execute(
        delete(NeedOffer).where(
            NeedOffer.user_id == user_id, NeedOffer.need_id == need_id, NeedOffer.status == "withdrawn"
        )
    )
    offer_id = new_id()
    made = await session.scalar(
        insert(NeedOffer)
        .values(
            user_id=user_id,
            id=offer_id,
            need_id=need_id,
            price_cents=sent.price_cents,
            message=sent.message,
            created_at=now,
            updated_at=now,
        )
        .on_conflict_do_nothing(index_elements=[NeedOffer.user_id, NeedOffer.need_id])
        .returning(NeedOffer.id)
    )
    if made is None:
        raise OfferMade
    await _enqueue(session, TELL_OWNER_TASK, offer_id=str(offer_id))
    return offer_id


async def withdraw_offer(session: AsyncSession, user_id: UUID, offer_id: UUID) -> UUID:
    """Take one's offer back; the need it was for. Raises NotFound, NeedClosed once the need is decided."""
    need_id = await session.scalar(
        select(NeedOffer.need_id).where(NeedOffer.user_id == user_id, NeedOffer.id == offer_id)
    )
    if need_id is None:
        raise NotFound
    await _alone(session, need_id)
    if await session.scalar(_STANDING, {"need": need_id}) != "open":
        raise NeedClosed
    await session.execute(
        update(NeedOffer)
        .where(NeedOffer.user_id == user_id, NeedOffer.id == offer_id)
        .values(status="withdrawn", updated_at=clock.now())
    )
    return need_id
