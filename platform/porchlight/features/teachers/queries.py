"""Find gurus with their next free times, or to write to, and neighbors who teach the same."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Text, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

from porchlight.contracts import profile_photo_url
from porchlight.features.teachers.schemas import GuruTeacher, NeighborTeacher, TeachersData, TeacherService
from porchlight.plans.labels import premium_among
from sites.hours import queries as hours
from sites.hours.cache import FreeStartsCache
from sites.hours.slots import MAX_DAYS, Start
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound

MAX_TEACHERS = 12
MAX_CANDIDATES = 40  # gurus who fit; those who can be booked come first
STARTS_SHOWN = 3
MAX_HANDLES = 20
_KM_PER_MILE = 1.609344
_GURUS = text("SELECT * FROM app.teaching_gurus(:subject, :label, :handles, :most)").bindparams(
    bindparam("label", type_=Text), bindparam("handles", type_=ARRAY(Text))
)
_NEIGHBORS = text("SELECT * FROM app.teaching_neighbors(:subject, :most)")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The object of a search: a category or skill, one guru by label and maybe one service, or the gurus of angels."""

    category: str = ""
    guru: str | None = None
    service_id: UUID | None = None
    angels: Sequence[str] = ()


async def teachers(
    db: Database,
    cache: FreeStartsCache,
    user_id: UUID,
    wanted: Wanted,
    *,
    takes_bookings: Callable[[UUID], Awaitable[bool]],
) -> TeachersData:
    """Return up to 12 gurus, first those who can be booked, and up to 12 neighbors who teach the category.

    `takes_bookings` tells for a guru's id whether the flag booking is on.
    """
    parameters = {
        "subject": wanted.category, "label": wanted.guru, "handles": list(wanted.angels), "most": MAX_CANDIDATES
    }  # fmt: skip
    neighbor_rows: Sequence[Any] = []
    async with unit_of_work(db, user_id=user_id) as session:
        guru_rows = (await session.execute(_GURUS, parameters)).all()
        if wanted.category:
            found = {"subject": wanted.category, "most": MAX_TEACHERS + MAX_CANDIDATES}
            neighbor_rows = (await session.execute(_NEIGHBORS, found)).all()
    gurus: dict[UUID, GuruTeacher] = {}
    bookable = 0
    for row in guru_rows:
        if bookable == MAX_TEACHERS:
            break
        gurus[row.id] = _guru(row)
        services = await hours.open_services(db, row.id, service_id=wanted.service_id, limit=1)
        if not services or not await takes_bookings(row.id):
            continue
        with contextlib.suppress(NotFound):  # the guru closed the service meanwhile
            times = await hours.service_times(db, cache, row.id, services[0].id, None, MAX_DAYS)
            gurus[row.id] = _guru(row, services[0], times)
            bookable += 1
    by_times = sorted(gurus.items(), key=lambda item: (item[1].service is None, not item[1].starts))
    listed = dict(by_times[:MAX_TEACHERS])
    # A neighbor whose guru is listed would be there twice.
    neighbors = [_neighbor(row) for row in neighbor_rows if row.guru_id not in listed]
    return await _with_labels(db, list(listed.values()), neighbors[:MAX_TEACHERS])


async def _with_labels(db: Database, gurus: list[GuruTeacher], neighbors: list[NeighborTeacher]) -> TeachersData:
    premium = await premium_among(db, [guru.label for guru in gurus], [neighbor.handle for neighbor in neighbors])
    return TeachersData(
        gurus=[guru.model_copy(update={"premium": guru.label in premium.labels}) for guru in gurus],
        neighbors=[
            neighbor.model_copy(update={"premium": neighbor.handle in premium.handles}) for neighbor in neighbors
        ],
    )


def _guru(row: Any, service: hours.OpenService | None = None, times: hours.ServiceTimes | None = None) -> GuruTeacher:
    starts = first_per_day(times.starts, ZoneInfo(times.rules.calendar.zone)) if times else []
    return GuruTeacher(
        label=row.label,
        name=row.name,
        tagline=row.tagline,
        city=row.city,
        emoji=row.emoji,
        skills=row.skills,
        handle=row.handle,
        service=_service(service, times) if service and times else None,
        starts=[clock.to_iso8601(start.starts_at) for start in starts],
        premium=False,
    )


def _service(service: hours.OpenService, times: hours.ServiceTimes) -> TeacherService:
    return TeacherService(
        id=str(service.id),
        name=service.name,
        minutes=times.rules.service.minutes,
        price_cents=service.price_cents,
        currency=service.currency,
        capacity=times.rules.service.capacity,
        place=service.place,
        zone=times.rules.calendar.zone,
    )


def first_per_day(starts: Sequence[Start], zone: ZoneInfo) -> list[Start]:
    """Return the first start of each local day, for the first STARTS_SHOWN days that have one."""
    firsts: dict[Any, Start] = {}
    for start in starts:
        firsts.setdefault(start.starts_at.astimezone(zone).date(), start)
        if len(firsts) > STARTS_SHOWN:
            break
    return list(firsts.values())[:STARTS_SHOWN]


def _neighbor(row: Any) -> NeighborTeacher:
    return NeighborTeacher(
        handle=row.handle,
        name=row.name,
        photo_url=profile_photo_url(row.photo_id, row.photo_url),
        city=row.city,
        miles=None if row.km is None else max(1, round(row.km / _KM_PER_MILE)),
        listing_id=str(row.listing_id),
        title=row.title,
        premium=False,
    )
