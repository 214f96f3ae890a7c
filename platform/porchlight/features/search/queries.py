"""Search offers, gurus, posts and services by words and by meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.contracts import ListingCard, ListingCards, profile_photo_url
from porchlight.embeddings.probability import SAME_WORDS, SPELLING_WEIGHT
from porchlight.embeddings.rules import LOOKUP_PHRASE, lookup_params
from porchlight.features.search import rules
from porchlight.features.search.categories import nearest_category
from porchlight.features.search.next_start_queries import next_starts
from porchlight.features.search.relevance import FoundItem, answers_and_related
from porchlight.features.search.schemas import (
    KINDS,
    WEEKDAYS,
    Filters,
    MapCell,
    NearestCategory,
    NextStart,
    SearchData,
    SearchHit,
)
from porchlight.features.search.shared_words import content_words
from porchlight.geo.grid import NOWHERE, cell_center, cell_of
from porchlight.geo.miles import KM_PER_MILE, to_whole_miles
from porchlight.geo.nearness import DISTANCE_WEIGHT, FAR_KM, far_tile_rows
from porchlight.geo.schemas import match_response
from porchlight.plans.labels import premium_among
from porchlight.ports import Geocoder, PlaceMatch, QueryRelations
from tenants.db.pool import Database
from tenants.kit.text import normalize_text

ALGORITHM_VERSION = "search-2"
WORDS_METHOD = "words-1"
FOUND = """app.search(
    query_phrase_id => %(phrase_id)s::integer, search_text => %(words)s, kinds => %(kinds)s::text[],
    here_lat => %(here_lat)s::smallint, here_lon => %(here_lon)s::smallint, within => %(within)s::real,
    far_tile_rows => %(far_tile_rows)s::integer, max_price_cents => %(max_price_cents)s::bigint,
    format => %(format)s::text, language => %(language)s::text, weekday => %(weekday)s::integer,
    since => %(since)s::timestamptz, max_results => %(max_results)s, max_ranked => %(max_ranked)s,
    max_near => %(max_near)s, max_far => %(max_far)s, max_phrases => %(max_phrases)s, min_phrases => %(min_phrases)s,
    min_share => %(min_share)s, edits_by_length => %(edits_by_length)s::integer[], short_length => %(short_length)s,
    typo_spelling => %(typo_spelling)s, min_spelling => %(min_spelling)s, alike_spelling => %(alike_spelling)s,
    part_weight => %(part_weight)s, inside_weight => %(inside_weight)s, inside_bonus => %(inside_bonus)s,
    spelling_weight => %(spelling_weight)s, same_probability => %(same_probability)s,
    distance_weight => %(distance_weight)s, far_km => %(far_km)s, last_share => %(last_share)s,
    max_summary => %(max_summary)s)"""
SEARCH = f"""
SELECT s.*, CASE WHEN s.kind <> 'offer' THEN (
         SELECT left(string_agg(w.words, ' ' ORDER BY w.weight DESC), %(max_words_length)s)
           FROM public_page_words w WHERE w.kind = s.kind AND w.item = s.item) END AS words
  FROM {FOUND} s"""
# All parameters of SEARCH that are the same for each search.
_NUMBERS = {
    "max_results": rules.MAX_HITS,
    "max_ranked": rules.MAX_RANKED,
    "max_near": rules.MAX_NEAR_LISTINGS,
    "max_far": rules.MAX_FAR_LISTINGS,
    "max_phrases": rules.MAX_PHRASES,
    "min_phrases": rules.MIN_PHRASES,
    "min_share": rules.MIN_SHARE_OF_BEST_PHRASE,
    "edits_by_length": list(rules.EDITS_BY_LENGTH),
    "short_length": rules.SHORT_LENGTH,
    "typo_spelling": rules.TYPO_SPELLING,
    "min_spelling": rules.MIN_SPELLING,
    "alike_spelling": rules.ALIKE_SPELLING,
    "part_weight": rules.PART_WEIGHT,
    "inside_weight": rules.INSIDE_WEIGHT,
    "inside_bonus": rules.INSIDE_BONUS,
    "spelling_weight": SPELLING_WEIGHT,
    "same_probability": SAME_WORDS,
    "distance_weight": DISTANCE_WEIGHT,
    "far_km": FAR_KM,
    "last_share": rules.LAST_SHARE,
    "max_summary": rules.MAX_SUMMARY_CHARACTERS,
    "max_words_length": rules.MAX_PAGE_WORDS_CHARACTERS,
}


def is_by_meaning(related_by: str | None) -> bool:
    """Whether a model related the phrase of a search, as app.search reads it."""
    return "+" in (related_by or "")


@dataclass(frozen=True, slots=True)
class SearchOrigin:
    """The cell from which distances count, or NOWHERE."""

    lat: int = NOWHERE
    lon: int = NOWHERE


@dataclass(frozen=True, slots=True)
class NearMatch:
    """The meaning of the filter `near`, None without one, and the cell from which distances count."""

    match: PlaceMatch | None = None
    origin: SearchOrigin = SearchOrigin()

    def allows(self, filters: Filters) -> bool:
        """Whether the filters can be applied: a distance needs a place that is known."""
        return filters.within_miles is None or self.match is None or self.match.place is not None


async def match_near(geocoder: Geocoder, near: str) -> NearMatch:
    """Return what the filter `near` means."""
    if not near.strip():
        return NearMatch()
    match = await geocoder.match(near)
    place = match.place
    return NearMatch(match, SearchOrigin(*cell_of(place.latitude, place.longitude)) if place else SearchOrigin())


def search_params(
    phrase_id: int | None, words: str, filters: Filters, origin: SearchOrigin, since: datetime | None = None
) -> dict[str, Any]:
    """Return the parameters of SEARCH."""
    within_km = filters.within_miles * KM_PER_MILE if filters.within_miles and origin.lat != NOWHERE else None
    return _NUMBERS | {
        "phrase_id": phrase_id,
        "words": words,
        "kinds": [filters.kind] if filters.kind else list(KINDS),
        "here_lat": origin.lat,
        "here_lon": origin.lon,
        "within": within_km,
        "far_tile_rows": None if within_km is None or filters.format == "online" else far_tile_rows(within_km),
        "max_price_cents": filters.max_price_cents,
        "format": filters.format,
        "language": filters.language.strip() or None,
        "weekday": WEEKDAYS.index(filters.day) if filters.day else None,
        "since": since,
    }


@dataclass(frozen=True, slots=True)
class HitExtras:
    """The facts of a page of results beside a row: the card of a listing, the cell on the map, the next free time."""

    card: ListingCard | None = None
    cell: int | None = None
    next_start: NextStart | None = None
    premium: bool = False
    related: bool = False


_NO_EXTRAS = HitExtras()


def search_hit(row: FoundItem, extras: HitExtras = _NO_EXTRAS) -> SearchHit:
    """Return a row of SEARCH as a hit."""
    card = extras.card
    return SearchHit(
        kind=row.kind,
        id=row.item,
        title=row.title,
        summary=row.summary,
        label=row.label,
        slug=row.slug,
        who=row.who,
        handle=row.handle,
        photo_url=profile_photo_url(row.photo_id, row.photo_url),
        picture=card.picture if card else "",
        picture_alt=card.picture_alt if card else "",
        risk=card.risk if card else None,
        price_cents=row.price_cents,
        terms=row.terms or [],
        formats=row.formats or [],
        city=row.city,
        miles=to_whole_miles(row.km),
        fit=round(100 * row.probability),
        premium=extras.premium,
        related=extras.related,
        cell=extras.cell,
        next_start=extras.next_start,
    )


_Spot = tuple[int, int, str]


def _spot(row: FoundItem) -> _Spot | None:
    """Return the cell of a row and its city, None without a location."""
    if row.cell_lat is None or row.cell_lon is None or row.cell_lat < 0:
        return None
    return row.cell_lat, row.cell_lon, row.city


def _map_cells(rows: Sequence[FoundItem]) -> dict[_Spot, MapCell]:
    """Return the cells with most of the rows."""
    hits = Counter(spot for row in rows if (spot := _spot(row)) is not None)
    cells: dict[_Spot, MapCell] = {}
    for (lat, lon, city), count in hits.most_common(rules.MAX_MAP_CELLS):
        latitude, longitude = cell_center(lat, lon)
        cells[lat, lon, city] = MapCell(latitude=latitude, longitude=longitude, hits=count, city=city)
    return cells


async def _page_hits(
    db: Database,
    listings: ListingCards,
    rows: Sequence[FoundItem],
    cells: Mapping[_Spot, MapCell],
    answers: set[str],
    *,
    shows_times: bool,
) -> list[SearchHit]:
    """Return the rows of a page as hits. `answers`: the items that answer the search. `shows_times`: free times."""
    cards = await listings.by_offer([row.item for row in rows if row.kind == "offer"])
    premium = await premium_among(db, [row.label for row in rows], [row.handle for row in rows])
    starts = await next_starts(db, [UUID(row.item) for row in rows if row.kind == "guru"]) if shows_times else {}
    places = {spot: place for place, spot in enumerate(cells)}
    return [
        search_hit(
            row,
            HitExtras(
                card=cards.get(row.item),
                # A neighbor who shows no city is on the map, but not by name.
                cell=places.get(spot) if row.city and (spot := _spot(row)) else None,
                next_start=starts.get(UUID(row.item)) if row.kind == "guru" else None,
                premium=row.handle in premium.handles or row.label in premium.labels,
                related=row.item not in answers,
            ),
        )
        for row in rows
    ]


def _nearest_category(words: str) -> NearestCategory | None:
    category = nearest_category(words)
    return NearestCategory(slug=category.slug, name=category.name) if category else None


async def search(
    db: Database,
    listings: ListingCards,
    relations: QueryRelations,
    words: str,
    filters: Filters,
    near: NearMatch,
    offset: int,
    reader: UUID | None = None,
    *,
    shows_times: bool = True,
) -> SearchData:
    """Return a page of results from `offset` on; none if the distance is from a place that is not known.

    A query is a phrase that is embedded once, by its first request. While the model is busy or not installed, the
    worker does it; until then (`pending`), the results are by spelling only.
    """
    lookup = await db.write(None, LOOKUP_PHRASE, lookup_params(words))
    phrase_id, related_by = lookup[0] if lookup else (None, None)
    if phrase_id is not None and related_by is None:
        related_by = await relations.relate(phrase_id, normalize_text(words))
    can_answer = near.allows(filters)
    params = search_params(phrase_id, words, filters, near.origin)
    has_meaning = is_by_meaning(related_by)
    found = await db.read(None, SEARCH, params, row=FoundItem, user_id=reader) if can_answer else []
    answers, related = answers_and_related(words, found, has_meaning=has_meaning)
    core = " ".join(content_words(words))
    if can_answer and not answers and not has_meaning and core and core != normalize_text(words):
        # The spelling of "learn to sew" is far from "sewing", that of "sew" is near.
        found = await db.read(None, SEARCH, params | {"words": core}, row=FoundItem, user_id=reader)
        answers, related = answers_and_related(words, found, has_meaning=has_meaning)
    rows = answers + related
    cells = _map_cells(rows)
    end = offset + rules.PAGE_SIZE
    return SearchData(
        hits=await _page_hits(
            db, listings, rows[offset:end], cells, {row.item for row in answers}, shows_times=shows_times
        ),
        total=len(answers),
        may_have_more=len(found) >= rules.MAX_HITS,
        cells=list(cells.values()),
        next=str(end) if end < len(rows) else None,
        algorithm=f"{ALGORITHM_VERSION} ({related_by or WORDS_METHOD})",
        pending=can_answer and phrase_id is not None and related_by is None,
        place=match_response(near.match) if near.match else None,
        category=None if answers else _nearest_category(words),
    )
