"""Find gurus with their next free times, or to write to, and neighbors who teach the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from porchlight.contracts import profile_photo_url
from porchlight.features.teachers.schemas import GuruTeacher, NeighborTeacher, TeachersData, TeacherService
from porchlight.geo.miles import to_whole_miles
from porchlight.plans.labels import premium_among
from sites.hours.first_starts import COLUMNS, OpenTimes, first_starts, parse_open_times
from sites.hours.session_schedule import MAX_DAYS
from sites.reviews.ratings import UNRATED_SCORE, rating_of
from tenants.db.pool import Database
from tenants.db.rows import Columns
from tenants.kit import clock

MAX_TEACHERS = 12
MAX_CANDIDATES = 40  # gurus who fit; those who can be booked come first
STARTS_SHOWN = 3
MAX_HANDLES = 20
# Of a subject that very many teach. Neighbors are near, so few of each phrase are enough.
MAX_PHRASES = 100
MAX_GURUS_PER_PHRASE, MAX_NEIGHBORS_PER_PHRASE = 200, 20
# Of the gurus, the times are those of the first who take bookings.
_GURUS = f"""
WITH gurus AS MATERIALIZED (
  SELECT * FROM app.teaching_gurus(%(subject)s, %(label)s::text, %(handles)s::text[], %(most)s, %(phrases)s,
                                   %(per_phrase)s, %(unrated)s) WITH ORDINALITY
), times AS MATERIALIZED (
  SELECT * FROM app.teaching_times(ARRAY(SELECT id FROM gurus ORDER BY ordinality), %(service)s::uuid, %(now)s,
                                   %(days)s, %(listed)s)
)
SELECT g.id, g.label, g.name, g.tagline, g.city, g.emoji, g.handle, g.skills, g.histogram, {COLUMNS}
  FROM gurus g LEFT JOIN times t ON t.guru_id = g.id ORDER BY g.ordinality"""
_NEIGHBORS = """
SELECT handle, name, photo_id, photo_url, city, km, listing_id, title, guru_id
  FROM app.teaching_neighbors(%(subject)s, %(most)s, %(phrases)s, %(per_phrase)s)"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The object of a search: a category or skill, one guru by label and maybe one service, or the gurus of angels."""

    category: str = ""
    guru: str | None = None
    service_id: UUID | None = None
    angels: Sequence[str] = ()


async def teachers(db: Database, user_id: UUID, wanted: Wanted, *, shows_ratings: bool) -> TeachersData:
    """Return up to 12 gurus, first those who can be booked, and up to 12 neighbors who teach the category."""
    now = clock.now()
    parameters = {
        "subject": wanted.category, "label": wanted.guru, "handles": list(wanted.angels), "most": MAX_CANDIDATES,
        "service": wanted.service_id, "now": now, "days": MAX_DAYS, "listed": MAX_TEACHERS,
        "phrases": MAX_PHRASES, "per_phrase": MAX_GURUS_PER_PHRASE, "unrated": UNRATED_SCORE,
    }  # fmt: skip
    rows = await db.read(None, _GURUS, parameters, user_id=user_id)
    gurus = dict(_guru(row, now, shows_ratings=shows_ratings) for row in rows)
    by_times = sorted(gurus.items(), key=lambda item: (item[1].service is None, not item[1].starts))
    listed = dict(by_times[:MAX_TEACHERS])
    neighbor_rows: Sequence[Columns] = []
    if wanted.category:
        found = {
            "subject": wanted.category, "most": MAX_TEACHERS + MAX_CANDIDATES, "phrases": MAX_PHRASES,
            "per_phrase": MAX_NEIGHBORS_PER_PHRASE,
        }  # fmt: skip
        neighbor_rows = await db.read(None, _NEIGHBORS, found, user_id=user_id)
    # A neighbor whose guru is listed would be there twice.
    neighbors = [_neighbor(*values) for *values, guru_id in neighbor_rows if guru_id not in listed]
    return await _with_labels(db, list(listed.values()), neighbors[:MAX_TEACHERS])


async def _with_labels(db: Database, gurus: list[GuruTeacher], neighbors: list[NeighborTeacher]) -> TeachersData:
    premium = await premium_among(db, [guru.label for guru in gurus], [neighbor.handle for neighbor in neighbors])
    return TeachersData(
        gurus=[guru.model_copy(update={"premium": guru.label in premium.labels}) for guru in gurus],
        neighbors=[
            neighbor.model_copy(update={"premium": neighbor.handle in premium.handles}) for neighbor in neighbors
        ],
    )


def _guru(columns: Columns, now: datetime, *, shows_ratings: bool) -> tuple[UUID, GuruTeacher]:
    guru_id, label, name, tagline, city, emoji, handle, skills, histogram, *time_columns = columns
    times = parse_open_times(time_columns)
    starts = first_starts(times, now, STARTS_SHOWN) if times else []
    return guru_id, GuruTeacher(
        label=label,
        name=name,
        tagline=tagline,
        city=city,
        emoji=emoji,
        skills=skills,
        handle=handle,
        service=_service(times) if times else None,
        starts=[clock.to_iso8601(start) for start in starts],
        premium=False,
        rating=rating_of(histogram) if shows_ratings else None,
    )


def _service(times: OpenTimes) -> TeacherService:
    return TeacherService(
        id=str(times.service.id),
        name=times.service.name,
        minutes=times.rules.service.minutes,
        price_cents=times.service.price_cents,
        currency=times.service.currency,
        capacity=times.rules.service.capacity,
        place=times.service.place,
        zone=times.rules.calendar.zone,
    )


def _neighbor(
    handle: str,
    name: str,
    photo_id: UUID | None,
    photo_url: str,
    city: str,
    km: float | None,
    listing_id: UUID,
    title: str,
) -> NeighborTeacher:
    return NeighborTeacher(
        handle=handle,
        name=name,
        photo_url=profile_photo_url(photo_id, photo_url),
        city=city,
        miles=to_whole_miles(km),
        listing_id=str(listing_id),
        title=title,
        premium=False,
    )
