"""Who fits whom, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from porchlight.matches.schemas import (
    Detail,
    DirectMatch,
    LocationBonus,
    MatchAnswer,
    MatchesData,
    MatchUser,
    OpeningAnswer,
    ReverseMatch,
    RingAnswer,
    RingMember,
)
from tenants.kit.db import Database

VERSION = "match-1"
LIMIT, MIN_SCORE = 10, 5  # SPEC 7.2
MOST = 50
OPENINGS = 3
NEAR_KM = 40.0  # from here on a place adds nothing
_KM_A_MILE = 1.609344
_REASONS = 3  # of a kind


def _details(teaches: list[dict[str, Any]], learns: list[dict[str, Any]], city: str, near: bool) -> list[Detail]:
    direct: list[Detail] = [DirectMatch(type="direct_match", teacher_skill=one["skill"]) for one in teaches[:_REASONS]]
    reverse: list[Detail] = [ReverseMatch(type="reverse_match", learner_want=one["skill"]) for one in learns[:_REASONS]]
    place: list[Detail] = [LocationBonus(type="location_bonus", city=city)] if near and city else []
    # The best of each kind stands in front: a card shows two.
    return [*direct[:1], *reverse[:1], *place, *direct[1:], *reverse[1:]]


async def matches(db: Database, user_id: UUID, limit: int, min_score: float) -> MatchesData:
    """The neighbours who fit best."""
    rows = await db.read(
        None, "SELECT * FROM app.skill_matches(%s, %s::integer, %s::real)", [user_id, limit, min_score]
    )
    method = await db.read(None, "SELECT app.match_method(%s)", [user_id])
    found: list[MatchAnswer] = []
    for _id, handle, name, photo_id, photo_url, city, km, score, teaches, learns in rows:
        photo = f"/api/photos/{photo_id}" if photo_id else photo_url
        found.append(
            MatchAnswer(
                user=MatchUser(handle=handle, name=name, photo_url=photo),
                match_score=round(score, 1),
                match_details=_details(teaches, learns, city or "", km is not None and km < NEAR_KM),
                miles=None if km is None else max(1, round(km / _KM_A_MILE)),
            )
        )
    read_by = method[0][0] or "words-1"  # what still waits for the job is matched by its words
    return MatchesData(matches=found, target_user_id=str(user_id), algorithm=f"{VERSION} ({read_by})")


async def openings(db: Database, user_id: UUID) -> list[OpeningAnswer]:
    """The skills to offer that would make most new matches."""
    rows = await db.read(None, "SELECT * FROM app.skill_to_offer(%s, %s::integer)", [user_id, OPENINGS])
    return [OpeningAnswer(skill=skill, people=people) for skill, people in rows]


async def rings(db: Database, user_id: UUID, times: Callable[[int], list[str]]) -> list[RingAnswer]:
    """The swap rings one is asked about or part of."""
    rows = await db.read(None, "SELECT * FROM app.swap_rings_of(%s)", [user_id])
    return [
        RingAnswer(
            id=str(ring_id), state=state, times=times(free), members=[RingMember(**member) for member in members]
        )
        for ring_id, state, free, _at, members in rows
    ]
