"""Read needs and offers: the user's own rows under row-level security, other users' rows by views and SQL functions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Uuid, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.angels.models import AngelService
from porchlight.features.angels.needs.models import Need, NeedOffer
from porchlight.features.angels.queries import average_rating, photo_url
from porchlight.features.angels.rules import MAX_OFFERS_SHOWN
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id

PAGE_SIZE = 20
PHOTO_PATH = "/api/need-photos/"
_NEED_COLUMNS = (
    "n.id, n.service_id, n.title, n.description, n.wanted_from, n.wanted_until, n.time_note, n.hours, n.budget_cents,"
    " n.low_cents, n.high_cents, n.city, n.region, n.status, n.expires_at, n.created_at, n.rating, n.review,"
    " n.accepted_offer_id, n.asks_me, n.mine, n.asked, n.neighbor, n.miles, n.offers, n.photos"
)
_VISIBLE_NEEDS = text(f"SELECT {_NEED_COLUMNS} FROM visible_needs n WHERE n.id = ANY (CAST(:needs AS uuid[]))")
_OPEN_NEEDS = text(
    f"SELECT {_NEED_COLUMNS} FROM visible_needs n"
    " WHERE n.id = ANY (ARRAY(SELECT app.open_needs(:service, :fitting, :before, :most))) ORDER BY n.id DESC"
).bindparams(bindparam("before", type_=Uuid))
_OFFERS_OF_NEED = text("SELECT card FROM received_offers WHERE need_id = :need ORDER BY id LIMIT :most")
_PHOTO = text("SELECT body FROM visible_need_photos WHERE id = :photo")
# Statements are built once, because that takes longer than the query.
_TITLES = select(AngelService.id, AngelService.title)
_OWN_NEEDS = select(Need.id).where(Need.user_id == bindparam("user")).order_by(Need.id.desc()).limit(PAGE_SIZE + 1)
_OWN_NEEDS_BEFORE = _OWN_NEEDS.where(Need.id < bindparam("before"))
_OWN_OFFER_COLUMNS = select(
    NeedOffer.id, NeedOffer.need_id, NeedOffer.price_cents, NeedOffer.message, NeedOffer.status, NeedOffer.created_at
).where(NeedOffer.user_id == bindparam("user"))
_OWN_OFFERS = _OWN_OFFER_COLUMNS.order_by(NeedOffer.id.desc()).limit(PAGE_SIZE + 1)
_OWN_OFFERS_BEFORE = _OWN_OFFERS.where(NeedOffer.id < bindparam("before"))
_OWN_OFFER_OF_NEED = _OWN_OFFER_COLUMNS.where(NeedOffer.need_id == bindparam("need"))


_OwnOffer = Row[UUID, UUID, int, str, str, datetime]  # the columns of _OWN_OFFER_COLUMNS


def _decode_cursor(cursor: str | None) -> UUID | None:
    before = parse_id(cursor) if cursor else None
    if cursor and before is None:
        raise ValidationFailed(fields={"cursor": "This link to the list is no longer valid."})
    return before


async def _titles(session: AsyncSession) -> dict[str, str]:
    return dict((await session.execute(_TITLES)).all())


def _person(user: dict[str, Any] | None) -> dict[str, Any] | None:
    if user is None:
        return None
    return {"handle": user["handle"], "name": user["name"] or "A neighbor", "photoURL": photo_url(user)}


def _timestamp(value: str) -> str:
    """Return a timestamp from Postgres's JSON in the API's format: whole seconds in UTC."""
    return value[:19] + "Z"


def _need(row: Row[Any], titles: dict[str, str]) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "serviceId": row.service_id,
        "serviceTitle": titles.get(row.service_id, ""),
        "title": row.title,
        "description": row.description,
        "wantedFrom": row.wanted_from.isoformat(),
        "wantedUntil": row.wanted_until.isoformat(),
        "timeNote": row.time_note,
        "hours": float(row.hours),
        "budgetCents": row.budget_cents,
        "lowCents": row.low_cents,
        "highCents": row.high_cents,
        "city": row.city,
        "region": row.region,
        "miles": row.miles if not row.mine else None,
        "status": row.status,
        "expiresAt": clock.to_iso8601(row.expires_at),
        "createdAt": clock.to_iso8601(row.created_at),
        "mine": row.mine,
        "asksMe": row.asks_me,
        "asked": _person(row.asked),
        "neighbour": _person(row.neighbor),
        "offers": row.offers,
        "photos": [f"{PHOTO_PATH}{photo}.webp" for photo in row.photos],
        "rating": row.rating,
        "review": row.review,
    }


async def need(session: AsyncSession, user_id: UUID, need_id: UUID) -> dict[str, Any]:
    """Return a need that the user may see, with its offers: all for the owner, otherwise only the user's own.

    Raises NotFound.
    """
    row = (await _visible_needs(session, [need_id])).get(need_id)
    if row is None:
        raise NotFound
    titles = await _titles(session)
    own = (await session.execute(_OWN_OFFER_OF_NEED, {"user": user_id, "need": need_id})).one_or_none()
    offers = (
        (await session.execute(_OFFERS_OF_NEED, {"need": need_id, "most": MAX_OFFERS_SHOWN})).scalars().all()
        if row.mine
        else []
    )
    return {
        "need": _need(row, titles),
        "offers": [_offer(offer) for offer in offers],
        "ownOffer": _own_offer(own, row, titles) if own is not None else None,
    }


def _offer(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": row["id"],
        "priceCents": row["price_cents"],
        "message": row["message"],
        "createdAt": _timestamp(row["created_at"]),
        "accepted": row["accepted"],
        "angel": _person(row["angel"]),
        "miles": row["miles"],
        "jobs": row["jobs"],
        "rating": average_rating(row["ratings"], row["rating_sum"]),
        "ratings": row["ratings"],
    }


def _outcome(offer: _OwnOffer, need_row: Row[Any] | None) -> str:
    if offer.status == "withdrawn":
        return "withdrawn"
    if need_row is None or need_row.status in ("withdrawn", "expired"):
        return "closed"
    if need_row.status == "open":
        return "open"
    return "accepted" if need_row.accepted_offer_id == offer.id else "declined"


def _own_offer(offer: _OwnOffer, need_row: Row[Any] | None, titles: dict[str, str]) -> dict[str, Any]:
    return {
        "id": str(offer.id),
        "priceCents": offer.price_cents,
        "message": offer.message,
        "createdAt": offer.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "outcome": _outcome(offer, need_row),
        "need": _need(need_row, titles) if need_row is not None else None,
    }


async def open_needs(session: AsyncSession, *, service: str, fitting: bool, cursor: str | None) -> dict[str, Any]:
    """Return other users' open needs, newest first. `fitting`: only of the user's services and within their radius."""
    params = {"service": service, "fitting": fitting, "before": _decode_cursor(cursor), "most": PAGE_SIZE + 1}
    rows = (await session.execute(_OPEN_NEEDS, params)).all()
    titles = await _titles(session)
    return {
        "needs": [_need(row, titles) for row in rows[:PAGE_SIZE]],
        "nextCursor": str(rows[PAGE_SIZE - 1].id) if len(rows) > PAGE_SIZE else None,
    }


async def _visible_needs(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    """Return those of the needs that the user may see, by their ids, in one statement."""
    return {row.id: row for row in await session.execute(_VISIBLE_NEEDS, {"needs": list(ids)})}


async def own_needs(session: AsyncSession, user_id: UUID, cursor: str | None) -> dict[str, Any]:
    """Return the user's needs, newest first."""
    before = _decode_cursor(cursor)
    statement = _OWN_NEEDS_BEFORE if before else _OWN_NEEDS
    ids = (await session.scalars(statement, {"user": user_id, "before": before})).all()
    titles = await _titles(session)
    needs = await _visible_needs(session, ids[:PAGE_SIZE])
    return {
        "needs": [_need(row, titles) for need_id in ids[:PAGE_SIZE] if (row := needs.get(need_id)) is not None],
        "nextCursor": str(ids[PAGE_SIZE - 1]) if len(ids) > PAGE_SIZE else None,
    }


async def own_offers(session: AsyncSession, user_id: UUID, cursor: str | None) -> dict[str, Any]:
    """Return the user's offers with their outcomes, newest first."""
    before = _decode_cursor(cursor)
    statement = _OWN_OFFERS_BEFORE if before else _OWN_OFFERS
    offers = (await session.execute(statement, {"user": user_id, "before": before})).all()
    titles = await _titles(session)
    needs = await _visible_needs(session, [offer.need_id for offer in offers[:PAGE_SIZE]])
    return {
        "offers": [_own_offer(offer, needs.get(offer.need_id), titles) for offer in offers[:PAGE_SIZE]],
        "nextCursor": str(offers[PAGE_SIZE - 1].id) if len(offers) > PAGE_SIZE else None,
    }


async def photo(session: AsyncSession, photo_id: UUID) -> bytes:
    """Return the photo of a need that the user may see. Raises NotFound."""
    body = await session.scalar(_PHOTO, {"photo": photo_id})
    if body is None:
        raise NotFound
    return bytes(body)
