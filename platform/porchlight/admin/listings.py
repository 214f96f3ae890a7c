"""Skill listings as staff see them: searchable, newest first, and everything about one of them."""

from __future__ import annotations

from typing import Any

from porchlight.lists import MANY, PAGE, likeness
from sites import cursor
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import NotFound
from tenants.kit.ids import known_id

PHOTOS = "/api/admin/listings/photos/"

_SELECT = """
SELECT o.id, o.created_at, o.title, o.level, o.visible, u.user_id, coalesce(p.display_name, ''),
       coalesce(p.handle, ''), h.hidden_at IS NOT NULL"""
_FROM = """
  FROM {offers} o JOIN users u ON u.user_id = o.user_id LEFT JOIN profiles p ON p.user_id = o.user_id
  LEFT JOIN hidden_listings h ON h.owner_id = o.user_id AND h.phrase_id = o.phrase_id"""
# The page is cut before anything is joined: by the index of times, or from what was found first.
_PAGE = """
page AS MATERIALIZED (
  SELECT o.* FROM {source} o
   WHERE (%(at)s::timestamptz IS NULL OR (o.created_at, o.id) < (%(at)s, %(id)s)){and_also}
   ORDER BY o.created_at DESC, o.id DESC LIMIT %(limit)s
)"""
_LIKE = " AND o.title ILIKE %(like)s"
# The few hidden ones, and the few that are called so, are looked up first; what many are called is found on the way.
_HIDDEN = """found AS MATERIALIZED (
  SELECT o.* FROM hidden_listings h JOIN skill_offers o ON o.user_id = h.owner_id AND o.phrase_id = h.phrase_id), """
_FOUND = "found AS MATERIALIZED (SELECT * FROM skill_offers WHERE title ILIKE %(like)s), "
_MANY = """
SELECT count(*) > %(many)s FROM (SELECT FROM skill_offers WHERE title ILIKE %(like)s LIMIT %(many)s + 1) counted"""
_END = _SELECT + _FROM.format(offers="page") + " ORDER BY o.created_at DESC, o.id DESC"
_LISTED = "WITH " + _PAGE.format(source="skill_offers", and_also="") + _END
_SEARCHED = "WITH " + _FOUND + _PAGE.format(source="found", and_also="") + _END
# Disguised as a CASE, of which Postgres expects that every other row has it: it then goes by the index of times.
_ON_THE_WAY = " AND CASE WHEN o.title ILIKE %(like)s THEN true END"
_SOUGHT = "WITH " + _PAGE.format(source="skill_offers", and_also=_ON_THE_WAY) + _END
_KEPT_BACK = "WITH " + _HIDDEN + _PAGE.format(source="found", and_also="") + _END
_KEPT_BACK_SEARCHED = "WITH " + _HIDDEN + _PAGE.format(source="found", and_also=_LIKE) + _END
_PARTICULARS = """, o.details, o.formats, o.terms, o.price_cents, o.currency, u.status, coalesce(h.reason, ''),
       (SELECT count(*) FROM reports r WHERE r.subject_kind = 'listing' AND r.subject_id = o.id),
       ARRAY(SELECT f.id FROM listing_photos f WHERE f.user_id = o.user_id AND f.offer_id = o.id
              ORDER BY f.position, f.id),
       ARRAY(SELECT f.alt FROM listing_photos f WHERE f.user_id = o.user_id AND f.offer_id = o.id
              ORDER BY f.position, f.id)"""
_ONE = "".join((_SELECT, _PARTICULARS, _FROM.format(offers="skill_offers"), " WHERE o.id = %(id)s"))


def _row(found: tuple[Any, ...]) -> dict[str, Any]:
    offer_id, created_at, title, level, visible, owner, name, handle, hidden = found[:9]
    return {
        "id": str(offer_id),
        "title": title,
        "level": level,
        "ownerId": str(owner),
        "ownerName": name or handle,
        "status": "hidden" if hidden else "listed" if visible else "private",
        "createdAt": clock.wire(created_at),
    }


async def listings(overseer: Database, *, search: str, hidden: bool, after: str | None) -> dict[str, Any]:
    """A page of listings, the newest first; `search` is part of the skill's name, `hidden` leaves the rest out."""
    at, last = cursor.after(after or None)
    like = likeness(search)
    query = _KEPT_BACK if hidden else _LISTED
    if search.strip() and hidden:
        query = _KEPT_BACK_SEARCHED
    elif search.strip():
        many = await overseer.read(None, _MANY, {"like": like, "many": MANY})
        query = _SOUGHT if many[0][0] else _SEARCHED
    rows = await overseer.read(None, query, {"at": at, "id": last, "like": like, "limit": PAGE + 1})
    more = len(rows) > PAGE
    end = cursor.encode(rows[PAGE - 1][1], rows[PAGE - 1][0]) if more else None
    return {"items": [_row(row) for row in rows[:PAGE]], "nextCursor": end}


async def listing(overseer: Database, wanted: str) -> dict[str, Any]:
    """Everything about one listing. Raises NotFound."""
    rows = await overseer.read(None, _ONE, {"id": known_id(wanted)})
    if not rows:
        raise NotFound
    details, formats, terms, price, currency, owner_status, reason, reports, photos, alts = rows[0][9:]
    return _row(rows[0]) | {
        "details": details,
        "formats": formats,
        "terms": terms,
        "priceCents": price,
        "currency": currency,
        "ownerStatus": owner_status,
        "hiddenReason": reason,
        "reports": reports,
        "photos": [{"path": f"{PHOTOS}{photo}.webp", "alt": alt} for photo, alt in zip(photos, alts, strict=True)],
    }


async def photo(overseer: Database, name: str) -> bytes:
    """A photo of any listing, whoever may see it. Raises NotFound."""
    wanted = known_id(name.removesuffix(".webp") if name.endswith(".webp") else "")
    rows = await overseer.read(None, "SELECT body FROM listing_photos WHERE id = %s", [wanted])
    if not rows:
        raise NotFound
    return bytes(rows[0][0])
