"""Reading needs and offers: one's own through the fence, others' as the functions show them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import Uuid, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.angels.models import AngelService
from porchlight.angels.need_models import Need, NeedOffer
from porchlight.angels.queries import photo_url, rating_of
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id

PAGE = 20
PHOTOS = "/api/need-photos/"
_SHOWN = text("SELECT app.need_shown(:need)")
_OPEN = text("SELECT id, shown FROM app.open_needs(:service, :fitting, :before, :most)").bindparams(
    bindparam("before", type_=Uuid)
)
_OFFERS = text("SELECT shown FROM app.offers_of(:need)")
_PHOTO = text("SELECT app.need_photo(:photo)")


def _before(cursor: str | None) -> UUID | None:
    found = parse_id(cursor) if cursor else None
    if cursor and found is None:
        raise ValidationFailed(fields={"cursor": "This link into the list is no longer valid."})
    return found


async def _titles(session: AsyncSession) -> dict[str, str]:
    rows = await session.execute(select(AngelService.id, AngelService.title))
    return {row.id: row.title for row in rows}


def _person(shown: dict[str, Any] | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    return {"handle": shown["handle"], "name": shown["name"] or "A neighbor", "photoURL": photo_url(shown)}


def _moment(stamp: str) -> str:
    """A time of Postgres's JSON as this API tells times: whole seconds in UTC."""
    return stamp[:19] + "Z"


def _need(shown: dict[str, Any], titles: dict[str, str]) -> dict[str, Any]:
    return {
        "id": shown["id"],
        "serviceId": shown["service_id"],
        "serviceTitle": titles.get(shown["service_id"], ""),
        "title": shown["title"],
        "description": shown["description"],
        "wantedFrom": shown["wanted_from"],
        "wantedUntil": shown["wanted_until"],
        "timeNote": shown["time_note"],
        "hours": float(shown["hours"]),
        "budgetCents": shown["budget_cents"],
        "lowCents": shown["low_cents"],
        "highCents": shown["high_cents"],
        "city": shown["city"],
        "region": shown["region"],
        "miles": shown["miles"] if not shown["mine"] else None,
        "status": shown["status"],
        "expiresAt": _moment(shown["expires_at"]),
        "createdAt": _moment(shown["created_at"]),
        "mine": shown["mine"],
        "asksMe": shown["asks_me"],
        "asked": _person(shown["asked"]),
        "neighbour": _person(shown["neighbour"]),
        "offers": shown["offers"],
        "photos": [f"{PHOTOS}{photo}.webp" for photo in shown["photos"]],
        "rating": shown["rating"],
        "review": shown["review"],
    }


async def need(session: AsyncSession, user_id: UUID, need_id: UUID) -> dict[str, Any]:
    """A need the user may see, with what belongs to it for them. Raises NotFound."""
    shown = await session.scalar(_SHOWN, {"need": need_id})
    if shown is None:
        raise NotFound
    titles = await _titles(session)
    own = await session.scalar(select(NeedOffer).where(NeedOffer.user_id == user_id, NeedOffer.need_id == need_id))
    rows = (await session.execute(_OFFERS, {"need": need_id})).all() if shown["mine"] else []
    return {
        "need": _need(shown, titles),
        "offers": [_offer(row[0]) for row in rows],
        "ownOffer": _own_offer(own, shown, titles) if own is not None else None,
    }


def _offer(shown: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": shown["id"],
        "priceCents": shown["price_cents"],
        "message": shown["message"],
        "createdAt": _moment(shown["created_at"]),
        "accepted": shown["accepted"],
        "angel": _person(shown["angel"]),
        "miles": shown["miles"],
        "jobs": shown["jobs"],
        "rating": rating_of(shown["ratings"], shown["rating_sum"]),
        "ratings": shown["ratings"],
    }


def _outcome(offer: NeedOffer, shown: dict[str, Any] | None) -> str:
    if offer.status == "withdrawn":
        return "withdrawn"
    if shown is None or shown["status"] in ("withdrawn", "expired"):
        return "closed"
    if shown["status"] == "open":
        return "open"
    return "accepted" if shown["accepted_offer_id"] == str(offer.id) else "declined"


def _own_offer(offer: NeedOffer, shown: dict[str, Any] | None, titles: dict[str, str]) -> dict[str, Any]:
    return {
        "id": str(offer.id),
        "priceCents": offer.price_cents,
        "message": offer.message,
        "createdAt": offer.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "outcome": _outcome(offer, shown),
        "need": _need(shown, titles) if shown is not None else None,
    }


async def open_needs(session: AsyncSession, *, service: str, fitting: bool, cursor: str | None) -> dict[str, Any]:
    """Others' open needs, the newest first; `fitting`: those that the viewer helps with and that are near enough."""
    asked = {"service": service, "fitting": fitting, "before": _before(cursor), "most": PAGE + 1}
    rows = (await session.execute(_OPEN, asked)).all()
    titles = await _titles(session)
    return {
        "needs": [_need(shown, titles) for _id, shown in rows[:PAGE]],
        "nextCursor": str(rows[PAGE - 1][0]) if len(rows) > PAGE else None,
    }


async def own_needs(session: AsyncSession, user_id: UUID, cursor: str | None) -> dict[str, Any]:
    """One's own needs, the newest first."""
    before = _before(cursor)
    wanted = select(Need.id).where(Need.user_id == user_id).order_by(Need.id.desc()).limit(PAGE + 1)
    ids = (await session.scalars(wanted.where(Need.id < before) if before else wanted)).all()
    titles = await _titles(session)
    found = [await session.scalar(_SHOWN, {"need": need_id}) for need_id in ids[:PAGE]]
    return {
        "needs": [_need(shown, titles) for shown in found if shown is not None],
        "nextCursor": str(ids[PAGE - 1]) if len(ids) > PAGE else None,
    }


async def own_offers(session: AsyncSession, user_id: UUID, cursor: str | None) -> dict[str, Any]:
    """One's own offers, the newest first, with what became of them."""
    before = _before(cursor)
    wanted = select(NeedOffer).where(NeedOffer.user_id == user_id).order_by(NeedOffer.id.desc()).limit(PAGE + 1)
    offers = (await session.scalars(wanted.where(NeedOffer.id < before) if before else wanted)).all()
    titles = await _titles(session)
    shown = [(offer, await session.scalar(_SHOWN, {"need": offer.need_id})) for offer in offers[:PAGE]]
    return {
        "offers": [_own_offer(offer, of, titles) for offer, of in shown],
        "nextCursor": str(offers[PAGE - 1].id) if len(offers) > PAGE else None,
    }


async def photo(session: AsyncSession, photo_id: UUID) -> bytes:
    """A photo of a need the viewer may see. Raises NotFound."""
    body = await session.scalar(_PHOTO, {"photo": photo_id})
    if body is None:
        raise NotFound
    return bytes(body)
