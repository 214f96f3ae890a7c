"""Read the user's offers and wants, and public listings."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor, profile_photo_url
from porchlight.features.listings.cards import photo_path
from porchlight.features.listings.models import ListingPhoto, SkillOffer, SkillWant
from porchlight.features.listings.schemas import (
    ListingPhotoResponse,
    OwnSkillsData,
    OwnSkillsResponse,
    PublicListing,
    SkillListingResponse,
    TeacherResponse,
    WantResponse,
    bits_to_days,
)
from porchlight.plans.limits import PlanFeature
from porchlight.plans.plans import PlanSlug
from porchlight.plans.schemas import usage
from tenants.db.pool import Database

_COUNT_EXCHANGE_OFFERS = text("SELECT count(*) FROM skill_offers WHERE user_id = :user AND NOT 'price' = ANY (terms)")
# Built once, because building a statement takes longer than running it.
_OFFERS = select(SkillOffer).where(SkillOffer.user_id == bindparam("user_id")).order_by(SkillOffer.title)
_WANTS = (
    select(SkillWant.id, SkillWant.title, SkillWant.level)
    .where(SkillWant.user_id == bindparam("user_id"))
    .order_by(SkillWant.title)
)
_PHOTOS = (
    select(ListingPhoto.offer_id, ListingPhoto.id, ListingPhoto.alt, ListingPhoto.width, ListingPhoto.height)
    .where(ListingPhoto.user_id == bindparam("user_id"))
    .order_by(ListingPhoto.position, ListingPhoto.id)
)
_PLAN_AND_PLACE = text(
    "SELECT p.plan, l.city, l.is_area FROM (SELECT app.plan_of(app.user_id()) AS plan) p"
    " LEFT JOIN user_locations l ON l.user_id = :user"
)


_LISTING = """
SELECT o.id, o.title, o.level, o.details, o.formats, o.terms, o.price_cents, o.currency, o.radius_km, o.days, o.handle,
       o.name, o.photo_id, o.photo_url, o.bio, o.languages, o.city,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'alt', f.alt, 'width', f.width, 'height', f.height)
                                  ORDER BY f.position, f.id), '[]')
          FROM public_listing_photos f WHERE f.offer_id = o.id) AS photos
  FROM public_listings o WHERE o.id = %s"""


class _ListingRow(NamedTuple):
    id: UUID
    title: str
    level: str | None
    details: str
    formats: list[str]
    terms: list[str]
    price_cents: int | None
    currency: str
    radius_km: int
    days: int
    handle: str
    name: str
    photo_id: UUID | None
    photo_url: str
    bio: str
    languages: list[str]
    city: str
    photos: list[dict[str, Any]]


def _listing_fields(row: dict[str, Any], photos: list[ListingPhotoResponse]) -> dict[str, Any]:
    names = ("title", "level", "details", "formats", "terms", "price_cents", "currency", "radius_km")
    return {name: row[name] for name in names} | {
        "id": str(row["id"]),
        "days": bits_to_days(row["days"]),
        "photos": photos,
    }


def _photo(photo_id: UUID | str, alt: str, width: int, height: int) -> ListingPhotoResponse:
    return ListingPhotoResponse(
        id=str(photo_id),
        path=photo_path(photo_id),
        small_path=photo_path(photo_id, thumbnail=True),
        alt=alt,
        width=width,
        height=height,
    )


async def exchange_offers(session: AsyncSession, user_id: UUID) -> int:
    """Return how many offers without a price the user has (`porchlight.contracts.OfferCounts`)."""
    return int(await session.scalar(_COUNT_EXCHANGE_OFFERS, {"user": user_id}) or 0)


async def _own_photos(session: AsyncSession, user_id: UUID) -> dict[UUID, list[ListingPhotoResponse]]:
    photos: dict[UUID, list[ListingPhotoResponse]] = {}
    for row in await session.execute(_PHOTOS, {"user_id": user_id}):
        photos.setdefault(row.offer_id, []).append(_photo(row.id, row.alt, row.width, row.height))
    return photos


async def own_skills(session: AsyncSession, user_id: UUID, risk: RiskAssessor) -> OwnSkillsData:
    """Return the user's offers and wants, sorted by title."""
    offers = (await session.scalars(_OFFERS, {"user_id": user_id})).all()
    wants = (await session.execute(_WANTS, {"user_id": user_id})).all()
    photos = await _own_photos(session, user_id)
    own = (await session.execute(_PLAN_AND_PLACE, {"user": user_id})).one()
    plan = PlanSlug(own.plan)
    risks = await risk.assess_listings([(offer.title, offer.details) for offer in offers])
    priced = sum("price" in offer.terms for offer in offers)
    return OwnSkillsData(
        offers=[
            SkillListingResponse(
                **_listing_fields(vars(offer), photos.get(offer.id, [])),
                risk=offer_risk,
                over_limit=offer.over_limit,
            )
            for offer, offer_risk in zip(offers, risks, strict=True)
        ],
        wants=[WantResponse(id=str(want.id), title=want.title, level=want.level) for want in wants],
        city=own.city or "",
        by_area=bool(own.is_area),
        exchange_offers=usage(plan, PlanFeature.EXCHANGE_OFFERS, len(offers) - priced),
        priced_offers=usage(plan, PlanFeature.PRICED_OFFERS, priced),
        work_photos=usage(plan, PlanFeature.WORK_PHOTOS, sum(len(of_offer) for of_offer in photos.values())),
    )


async def own_skills_response(session: AsyncSession, user_id: UUID, risk: RiskAssessor) -> OwnSkillsResponse:
    """Return the response of GET /api/skills/mine and of every change to it."""
    return OwnSkillsResponse(success=True, data=await own_skills(session, user_id, risk))


async def public_listing(db: Database, listing_id: UUID, reader: UUID | None = None) -> PublicListing | None:
    """Return a public listing, or None if it does not exist or is hidden from the reader."""
    row = next(iter(await db.read(None, _LISTING, [listing_id], row=_ListingRow, user_id=reader)), None)
    if row is None:
        return None
    teacher = TeacherResponse(
        handle=row.handle,
        name=row.name,
        photo_url=profile_photo_url(row.photo_id, row.photo_url),
        bio=row.bio,
        languages=row.languages,
        city=row.city,
    )
    photos = [_photo(photo["id"], photo["alt"], photo["width"], photo["height"]) for photo in row.photos]
    return PublicListing(**_listing_fields(row._asdict(), photos), teacher=teacher)
