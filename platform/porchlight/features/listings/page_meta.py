"""The meta tags of a listing's page, for search engines and link previews, which run no scripts."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from porchlight.features.listings import photos, queries
from porchlight.features.listings.schemas import PublicListing
from porchlight.web.first_texts import FirstPicture, FirstTexts
from porchlight.web.page_meta import Head, photo_properties, preview_tags
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.ids import parse_id

PREFIX = "/listings/"
MAX_SUMMARY_CHARACTERS = 155  # as in main-web's page
_TERMS = {"price": "paid", "swap": "skill swap", "hours": "time credits", "free": "free"}


def _terms(listing: PublicListing) -> str:
    dollars = (listing.price_cents or 0) / 100
    price = f"${dollars:.0f}/hr" if dollars.is_integer() else f"${dollars:.2f}/hr"
    words = ", ".join(price if term == "price" and dollars else _TERMS[term] for term in listing.terms)
    return words[:1].upper() + words[1:]


def _json_ld(listing: PublicListing, summary: str, origin: str, url: str, *, has_profiles: bool) -> dict[str, Any]:
    teacher = listing.teacher
    provider = {"@type": "Person", "name": teacher.name}
    if has_profiles:
        provider["url"] = f"{origin}/u/{teacher.handle}"
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Service",
        "name": listing.title,
        "description": summary,
        "url": url,
        "provider": provider,
    }
    if listing.photos:
        data["image"] = [
            {"@type": "ImageObject", "url": origin + photo.path, "width": photo.width, "height": photo.height}
            | ({"caption": photo.alt} if photo.alt else {})
            for photo in listing.photos
        ]
    if teacher.city:
        data["areaServed"] = {"@type": "City", "name": teacher.city}
    if listing.price_cents is not None:
        data["offers"] = {
            "@type": "Offer",
            "price": f"{listing.price_cents / 100:.2f}",
            "priceCurrency": listing.currency,
        }
    elif "free" in listing.terms:
        data["offers"] = {"@type": "Offer", "price": "0", "priceCurrency": listing.currency}
    return data


def _image(listing: PublicListing, origin: str) -> dict[str, str | int] | None:
    """Return the picture of link previews: the listing's first photo, or None."""
    if not listing.photos:
        return None
    first = listing.photos[0]
    return photo_properties(origin, PREFIX + listing.id, first.width, first.height, first.alt or listing.title)


def head(listing: PublicListing, origin: str, *, has_profiles: bool) -> Head:
    """Return title, description and meta tags of a listing, with the same text as main-web's listing page.

    `has_profiles`: whether the teacher has a public page to link to (flag `userProfiles`).
    """
    teacher = listing.teacher
    where = f" in {teacher.city}" if teacher.city else ""
    summary = f"{teacher.name} teaches {listing.title}{where}. {_terms(listing)}. {listing.details}".strip()
    summary = summary[:MAX_SUMMARY_CHARACTERS]
    title = f"{listing.title}{where} with {teacher.name} · Porchlight"
    path = f"{PREFIX}{listing.id}"
    data = _json_ld(listing, summary, origin, origin + path, has_profiles=has_profiles)
    json_ld = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    tags = preview_tags(origin, path, title, summary, _image(listing, origin))
    more = f'{tags}<script type="application/ld+json">{json_ld}</script>'
    return Head(title, summary, more, first=_first_texts(listing))


def _first_texts(listing: PublicListing) -> FirstTexts:
    """Return what main-web's page shows of a listing, too, when it has the data."""
    details = listing.details or f"{listing.teacher.name} hasn't added a description yet. Just ask."
    if not listing.photos:
        return FirstTexts(listing.title, details)
    photo = listing.photos[0]
    return FirstTexts(listing.title, details, FirstPicture(photo.path, photo.width, photo.height))


async def listing_head(db: Database, path: str, origin: str, *, has_profiles: bool) -> Head | None:
    """Return the head of the page at `path`, or None without a public listing."""
    listing_id = parse_id(path.removeprefix(PREFIX).rstrip("/"))
    listing = await queries.public_listing(db, listing_id) if listing_id else None
    if listing is None:
        return None
    found = head(listing, origin, has_profiles=has_profiles)
    if not listing.photos:
        return found
    return replace(found, photo=partial(_photo, db, UUID(listing.photos[0].id)))


async def _photo(db: Database, photo_id: UUID) -> bytes:
    async with unit_of_work(db) as session:
        return await photos.photo(session, photo_id, thumbnail=False)
