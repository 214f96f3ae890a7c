"""Queries on skill listings for admins: a searchable list, and one listing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tenants.db.list_search import Search, SearchQueries, begins_with, contains, search_rows
from tenants.db.pool import Database
from tenants.kit import clock, pagination
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404
from tenants.kit.pagination import PAGE_SIZE, ilike_pattern

PHOTO_PATH = "/api/admin/listings/photos/"

_SELECT = """
SELECT o.id, o.created_at, o.title, o.level, o.visible, u.user_id AS owner_id,
       coalesce(p.display_name, '') AS owner_name, coalesce(p.handle, '') AS owner_handle, h.hidden_at"""
_FROM = """
  FROM {offers} o JOIN users u ON u.user_id = o.user_id LEFT JOIN profiles p ON p.user_id = o.user_id
  LEFT JOIN hidden_listings h ON h.owner_id = o.user_id AND h.phrase_id = o.phrase_id"""
# The page is limited before the joins, by the index on `created_at` or from the matches.
_AFTER = "(%(at)s::timestamptz IS NULL OR (o.created_at, o.id) < (%(at)s, %(id)s))"
_PAGE = f"""
page AS MATERIALIZED (
  SELECT o.* FROM {{source}} o WHERE {_AFTER}{{condition}} ORDER BY o.created_at DESC, o.id DESC LIMIT %(limit)s
)"""
_NEWEST = f"(SELECT * FROM skill_offers o WHERE {_AFTER} ORDER BY o.created_at DESC, o.id DESC LIMIT %(recent)s)"
_LIKE = f" AND {contains('o.title')}"
# Few matches are looked up first. With many matches, the list is scanned from the newest.
_MATCHES = f"""
WITH matches AS MATERIALIZED (SELECT id, created_at FROM skill_offers WHERE {{condition}} LIMIT %(many)s + 1)
SELECT CASE WHEN (SELECT count(*) FROM matches) <= %(many)s THEN ARRAY(
  SELECT o.id FROM matches o WHERE {_AFTER} ORDER BY o.created_at DESC, o.id DESC LIMIT %(limit)s) END"""
_PAGE_OF_IDS = "page AS MATERIALIZED (SELECT * FROM skill_offers WHERE id = ANY (%(ids)s))"
_ROWS = _SELECT + _FROM.format(offers="page") + " ORDER BY o.created_at DESC, o.id DESC"
_LIST = "WITH " + _PAGE.format(source="skill_offers", condition="") + _ROWS
# Written as a CASE, which Postgres expects to match half of the rows, so that it uses the index on `created_at`.
_SCAN_CONDITION = f" AND CASE WHEN {contains('o.title')} THEN true END"
_HIDDEN = f"""
WITH page AS MATERIALIZED (
  SELECT o.* FROM hidden_listings h JOIN skill_offers o ON o.user_id = h.owner_id AND o.phrase_id = h.phrase_id
   WHERE (%(at)s::timestamptz IS NULL
          OR (h.hidden_at <= %(at)s AND (h.hidden_at, o.id) < (%(at)s, %(id)s))){{condition}}
   ORDER BY h.hidden_at DESC, o.id DESC LIMIT %(limit)s
){_SELECT}{_FROM.format(offers="page")} ORDER BY h.hidden_at DESC, o.id DESC"""
_LIST_HIDDEN = _HIDDEN.format(condition="")
_SEARCH_HIDDEN = _HIDDEN.format(condition=_LIKE)


def _queries(condition: str) -> SearchQueries:
    """Return the queries with the condition by which the index finds the matches."""
    return SearchQueries(
        recent="WITH " + _PAGE.format(source=_NEWEST, condition=_LIKE) + _ROWS,
        matches=_MATCHES.format(condition=condition),
        rows="WITH " + _PAGE_OF_IDS + _ROWS,
        scan="WITH " + _PAGE.format(source="skill_offers", condition=_SCAN_CONDITION) + _ROWS,
    )


_SEARCH = Search(anywhere=_queries(contains("title")), beginning=_queries(begins_with("title")))
_DETAIL_COLUMNS = """, o.details, o.formats, o.terms, o.price_cents, o.currency, u.status AS owner_status,
       coalesce(h.reason, '') AS hidden_reason,
       (SELECT count(*) FROM reports r WHERE r.subject_kind = 'listing' AND r.subject_id = o.id) AS reports,
       ARRAY(SELECT f.id FROM listing_photos f WHERE f.user_id = o.user_id AND f.offer_id = o.id
              ORDER BY f.position, f.id) AS photos,
       ARRAY(SELECT f.alt FROM listing_photos f WHERE f.user_id = o.user_id AND f.offer_id = o.id
              ORDER BY f.position, f.id) AS alts"""
_BY_ID = "".join((_SELECT, _DETAIL_COLUMNS, _FROM.format(offers="skill_offers"), " WHERE o.id = %(id)s"))


@dataclass(frozen=True, slots=True)
class _Listing:
    id: UUID
    created_at: datetime
    title: str
    level: str
    visible: bool
    owner_id: UUID
    owner_name: str
    owner_handle: str
    hidden_at: datetime | None


@dataclass(frozen=True, slots=True)
class _ListingDetails(_Listing):
    details: str
    formats: list[str]
    terms: str
    price_cents: int | None
    currency: str
    owner_status: str
    hidden_reason: str
    reports: int
    photos: list[UUID]
    alts: list[str]


def _to_listing(listing: _Listing) -> dict[str, Any]:
    return {
        "id": str(listing.id),
        "title": listing.title,
        "level": listing.level,
        "ownerId": str(listing.owner_id),
        "ownerName": listing.owner_name or listing.owner_handle,
        "status": "hidden" if listing.hidden_at else "listed" if listing.visible else "private",
        "createdAt": clock.to_iso8601(listing.created_at),
    }


async def listings(service_db: Database, *, search: str, hidden: bool, after: str | None) -> dict[str, Any]:
    """Return a page of listings, newest first. `search`: a part of the title.

    `hidden`: only hidden listings, those first that were hidden last.
    """
    last_at, last_id = pagination.parse_cursor(after or None)
    params = {"at": last_at, "id": last_id}
    if search.strip() and not hidden:
        rows = await search_rows(service_db, _SEARCH, search, params, _Listing)
    else:
        query = _LIST if not hidden else _SEARCH_HIDDEN if search.strip() else _LIST_HIDDEN
        values = params | {"like": ilike_pattern(search), "limit": PAGE_SIZE + 1}
        rows = await service_db.read(None, query, values, row=_Listing)
    page = rows[:PAGE_SIZE]
    next_cursor = None
    if len(rows) > PAGE_SIZE:
        last_at = page[-1].hidden_at if hidden else page[-1].created_at
        next_cursor = pagination.encode_cursor(last_at, page[-1].id) if last_at else None
    return {"items": [_to_listing(row) for row in page], "nextCursor": next_cursor}


async def listing(service_db: Database, listing_id: str) -> dict[str, Any]:
    """Return a listing with all details. Raises NotFound."""
    rows = await service_db.read(None, _BY_ID, {"id": parse_id_or_404(listing_id)}, row=_ListingDetails)
    if not rows:
        raise NotFound
    (found,) = rows
    photos = zip(found.photos, found.alts, strict=True)
    return _to_listing(found) | {
        "details": found.details,
        "formats": found.formats,
        "terms": found.terms,
        "priceCents": found.price_cents,
        "currency": found.currency,
        "ownerStatus": found.owner_status,
        "hiddenReason": found.hidden_reason,
        "reports": found.reports,
        "photos": [{"path": f"{PHOTO_PATH}{photo}.webp", "alt": alt} for photo, alt in photos],
    }


async def photo(service_db: Database, name: str) -> bytes:
    """Return a photo of any listing, hidden or not. Raises NotFound."""
    photo_id = parse_id_or_404(name.removesuffix(".webp") if name.endswith(".webp") else "")
    body = await service_db.read_value(bytes, None, "SELECT body FROM listing_photos WHERE id = %s", [photo_id])
    if body is None:
        raise NotFound
    return body
