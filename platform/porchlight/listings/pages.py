"""The head of a listing's page, for search engines and link previews, which run no scripts."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from porchlight.listings import queries
from porchlight.listings.schemas import PublicListing
from porchlight.pages import Head
from tenants.kit.db import Database
from tenants.kit.ids import parse_id

PREFIX = "/listings/"
_SUMMARY = 155  # characters, as main-web's page says it
_TERMS = {"price": "for a price", "swap": "in a swap", "hours": "for hours", "free": "for free"}


def _terms(listing: PublicListing) -> str:
    dollars = (listing.price_cents or 0) / 100
    price = f"${dollars:.0f}/hr" if dollars.is_integer() else f"${dollars:.2f}/hr"
    words = ", ".join(price if term == "price" and dollars else _TERMS[term] for term in listing.terms)
    return words[:1].upper() + words[1:]


def _json_ld(listing: PublicListing, summary: str, origin: str, url: str) -> dict[str, Any]:
    teacher = listing.teacher
    told: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Service",
        "name": listing.title,
        "description": summary,
        "url": url,
        "provider": {"@type": "Person", "name": teacher.name, "url": f"{origin}/u/{teacher.handle}"},
    }
    if listing.photos:
        told["image"] = [
            {"@type": "ImageObject", "url": origin + one.path, "width": one.width, "height": one.height}
            | ({"caption": one.alt} if one.alt else {})
            for one in listing.photos
        ]
    if teacher.city:
        told["areaServed"] = {"@type": "City", "name": teacher.city}
    if listing.price_cents is not None:
        told["offers"] = {
            "@type": "Offer",
            "price": f"{listing.price_cents / 100:.2f}",
            "priceCurrency": listing.currency,
        }
    elif "free" in listing.terms:
        told["offers"] = {"@type": "Offer", "price": "0", "priceCurrency": listing.currency}
    return told


def _pictures(listing: PublicListing, origin: str) -> str:
    """What link previews show: the listing's first photo, or no picture."""
    if not listing.photos:
        return '<meta name="twitter:card" content="summary" />'
    first = listing.photos[0]
    told = {"": origin + first.path, ":type": "image/webp", ":width": first.width, ":height": first.height}
    told[":alt"] = first.alt or listing.title
    more = "".join(f'<meta property="og:image{of}" content="{escape(str(value))}" />' for of, value in told.items())
    return more + '<meta name="twitter:card" content="summary_large_image" />'


def head(listing: PublicListing, origin: str) -> Head:
    """Title, description and what else is said of a listing, in the words of main-web's listing page."""
    teacher = listing.teacher
    where = f" in {teacher.city}" if teacher.city else ""
    summary = f"{teacher.name} teaches {listing.title}{where}. {_terms(listing)}. {listing.details}".strip()[:_SUMMARY]
    title = f"{listing.title}{where} with {teacher.name} · Porchlight"
    url = f"{origin}{PREFIX}{listing.id}"
    island = json.dumps(_json_ld(listing, summary, origin, url), ensure_ascii=False).replace("<", "\\u003c")
    more = (
        f'<link rel="canonical" href="{escape(url)}" />'
        f'<meta property="og:url" content="{escape(url)}" />'
        f'<meta property="og:title" content="{escape(title)}" />'
        f'<meta property="og:description" content="{escape(summary)}" />'
        f"{_pictures(listing, origin)}"
        f'<script type="application/ld+json">{island}</script>'
    )
    return Head(title, summary, more)


async def listing_head(db: Database, path: str, origin: str) -> Head | None:
    """The head of the page at `path`; None when there is no such listing, or its neighbour hides it."""
    wanted = parse_id(path.removeprefix(PREFIX).rstrip("/"))
    found = await queries.public_listing(db, wanted) if wanted else None
    return head(found, origin) if found else None
