"""Skill listings as staff see them: searchable, newest first, and everything about one of them."""

from __future__ import annotations

from typing import Any

from porchlight.lists import PAGE, likeness
from sites import cursor
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import NotFound
from tenants.kit.ids import known_id

_SELECT = """
SELECT o.id, o.created_at, o.title, o.level, o.visible, u.user_id, coalesce(p.display_name, ''),
       coalesce(p.handle, ''), h.hidden_at IS NOT NULL"""
_FROM = """
  FROM {offers} o JOIN users u ON u.user_id = o.user_id LEFT JOIN profiles p ON p.user_id = o.user_id
  LEFT JOIN hidden_listings h ON h.owner_id = o.user_id AND h.phrase_id = o.phrase_id"""
# The page is cut by the index of times before anything is joined; only the few hidden ones are looked up first.
_PAGE = """
WITH page AS MATERIALIZED (
  SELECT o.* FROM skill_offers o
   WHERE (%(at)s::timestamptz IS NULL OR (o.created_at, o.id) < (%(at)s, %(id)s)){and_also}
   ORDER BY o.created_at DESC, o.id DESC LIMIT %(limit)s
)"""
_LIKE = " AND o.title ILIKE %(like)s"
_HIDDEN = (
    " AND o.user_id IN (SELECT owner_id FROM hidden_listings)"
    " AND EXISTS (SELECT FROM hidden_listings h WHERE h.owner_id = o.user_id AND h.phrase_id = o.phrase_id)"
)
_END = _SELECT + _FROM.format(offers="page") + " ORDER BY o.created_at DESC, o.id DESC"
_QUERIES = {
    (searched, hidden): _PAGE.format(and_also=(_LIKE if searched else "") + (_HIDDEN if hidden else "")) + _END
    for searched in (False, True)
    for hidden in (False, True)
}
_PARTICULARS = """, o.details, o.formats, o.terms, o.price_cents, o.currency, u.status, coalesce(h.reason, ''),
       (SELECT count(*) FROM reports r WHERE r.subject_kind = 'listing' AND r.subject_id = o.id)"""
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
    rows = await overseer.read(
        None,
        _QUERIES[bool(search.strip()), hidden],
        {"at": at, "id": last, "like": likeness(search), "limit": PAGE + 1},
    )
    more = len(rows) > PAGE
    end = cursor.encode(rows[PAGE - 1][1], rows[PAGE - 1][0]) if more else None
    return {"items": [_row(row) for row in rows[:PAGE]], "nextCursor": end}


async def listing(overseer: Database, wanted: str) -> dict[str, Any]:
    """Everything about one listing. Raises NotFound."""
    rows = await overseer.read(None, _ONE, {"id": known_id(wanted)})
    if not rows:
        raise NotFound
    details, formats, terms, price, currency, owner_status, reason, reports = rows[0][9:]
    return _row(rows[0]) | {
        "details": details,
        "formats": formats,
        "terms": terms,
        "priceCents": price,
        "currency": currency,
        "ownerStatus": owner_status,
        "hiddenReason": reason,
        "reports": reports,
    }
