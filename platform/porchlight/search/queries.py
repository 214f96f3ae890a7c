"""Finding offers, gurus, posts and help by what people say, spelled or meant."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from porchlight.cards import ListingCard, ListingCards
from porchlight.grid import NOWHERE, cell_of, middle_of
from porchlight.ports import Geocoder
from porchlight.search.schemas import KINDS, WEEKDAYS, CellAnswer, Filters, HitAnswer, SearchData
from tenants.kit.db import Database

VERSION = "search-1"
BY_WORDS = "words-1"
PAGE = 20
MOST = 120  # hits of one search; whoever wants more says more
_KM_A_MILE = 1.609344
FIND = (
    "SELECT * FROM app.search(%s::integer, %s, %s::text[], %s::smallint, %s::smallint, %s::real, %s::bigint, %s::text,"
    " %s::text, %s::integer, %s::timestamptz, %s::integer)"
)


@dataclass(frozen=True, slots=True)
class Here:
    """The coarse cell from which distances count; nowhere known: -1."""

    lat: int = NOWHERE
    lon: int = NOWHERE


async def here_of(geocoder: Geocoder, near: str) -> Here:
    """Where a town is, coarsely."""
    found = await geocoder.search(near, 1) if near.strip() else []
    return Here(*cell_of(found[0].latitude, found[0].longitude)) if found else Here()


def params(phrase: int | None, words: str, filters: Filters, here: Here, since: datetime | None = None) -> list[Any]:
    """What FIND is asked with."""
    within = filters.within_miles * _KM_A_MILE if filters.within_miles and here.lat != NOWHERE else None
    day = WEEKDAYS.index(filters.day) if filters.day else None
    kinds = [filters.kind] if filters.kind else list(KINDS)
    return [
        phrase, words, kinds, here.lat, here.lon, within, filters.max_price_cents, filters.format,
        filters.language.strip() or None, day, since, MOST,
    ]  # fmt: skip


def hit(row: tuple[Any, ...], card: ListingCard | None = None) -> HitAnswer:
    """A row of FIND, with what cards show of it if it is a listing."""
    (kind, item, title, summary, label, slug, who, handle, photo_id, photo_url, cents, terms, formats, city,
     _lat, _lon, km, fit) = row  # fmt: skip
    return HitAnswer(
        kind=kind,
        id=item,
        title=title,
        summary=summary,
        label=label,
        slug=slug,
        who=who,
        handle=handle,
        photo_url=f"/api/photos/{photo_id}" if photo_id else photo_url,
        picture=card.picture if card else "",
        picture_alt=card.picture_alt if card else "",
        risk=card.risk if card else None,
        price_cents=cents,
        terms=terms or [],
        formats=formats or [],
        city=city,
        miles=None if km is None else max(1, round(km / _KM_A_MILE)),
        fit=round(100 * fit),
    )


async def find(db: Database, listings: ListingCards, words: str, filters: Filters, here: Here, skip: int) -> SearchData:
    """What fits a question, from the `skip`th on.

    A request never reads meaning: a question is a phrase, which the worker relates once. Until then (`pending`) it is
    answered by how it is spelled.
    """
    asked = await db.write(None, "SELECT * FROM app.ask_phrase(%s)", [words])
    phrase, related_by = asked[0] if asked else (None, None)
    rows = await db.read(None, FIND, params(phrase, words, filters, here))
    places: Counter[tuple[int, int, str]] = Counter(
        (row[14], row[15], row[13]) for row in rows if row[14] is not None and row[14] >= 0
    )
    cells = [
        CellAnswer(latitude=at[0], longitude=at[1], hits=number, city=city)
        for (lat, lon, city), number in places.most_common(60)
        for at in (middle_of(lat, lon),)
    ]
    last = skip + PAGE
    cards = await listings.of([row[1] for row in rows[skip:last] if row[0] == "offer"])
    return SearchData(
        hits=[hit(row, cards.get(row[1])) for row in rows[skip:last]],
        total=len(rows),
        cells=cells,
        next=str(last) if last < len(rows) else None,
        algorithm=f"{VERSION} ({related_by or BY_WORDS})",
        pending=phrase is not None and related_by is None,
    )
