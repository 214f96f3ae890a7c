"""Read matches, suggested skills and swap rings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.contracts import profile_photo_url
from porchlight.features.matches import rules
from porchlight.features.matches.schemas import (
    Detail,
    DirectMatch,
    LocationBonus,
    MatchesData,
    MatchResponse,
    MatchUser,
    ReverseMatch,
    RingMember,
    RingResponse,
    SuggestedSkillResponse,
)
from porchlight.geo.miles import to_whole_miles
from porchlight.geo.nearness import DISTANCE_WEIGHT, FAR_KM
from tenants.db.pool import Database

ALGORITHM_VERSION = "match-2"
DEFAULT_LIMIT, DEFAULT_MIN_SCORE = 10, 5  # SPEC 7.2
MAX_LIMIT = 50  # also how many are read, so that the rest can be counted
MAX_SUGGESTED_SKILLS = 3
_MAX_REASONS_PER_TYPE = 3
MATCHES = """
SELECT user_id, handle, name, photo_id, photo_url, city, km, score, teaches, learns FROM app.own_skill_matches(
  max_results => %(max_results)s, min_score => %(min_score)s::real, best_weight => %(best_weight)s,
  others_rate => %(others_rate)s, learner_weight => %(learner_weight)s, distance_weight => %(distance_weight)s,
  far_km => %(far_km)s, ring_cells => %(ring_cells)s::integer[], ring_nearness => %(ring_nearness)s,
  max_per_block => %(max_per_block)s, max_online => %(max_online)s, max_candidates => %(max_candidates)s,
  spare_likely => %(spare_likely)s, spare_ranked => %(spare_ranked)s, min_reason => %(min_reason)s)"""
SUGGESTED_SKILLS = """
SELECT skill, people FROM app.own_skills_to_offer(
  max_results => %(max_results)s, max_wants => %(max_wants)s, min_probability => %(min_probability)s,
  max_likely => %(max_likely)s)"""
# What related the user's phrases to others; NULL while some of them still wait for the job.
_METHOD = """
SELECT CASE WHEN bool_and(p.related_by IS NOT NULL) THEN max(p.related_by) END FROM phrases p
 WHERE p.id IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = %(user)s
                UNION ALL SELECT w.phrase_id FROM skill_wants w WHERE w.user_id = %(user)s)"""
_RINGS = """
SELECT id, state, availability_bits, members FROM own_swap_rings ORDER BY created_at DESC LIMIT %s"""


class FoundMatch(NamedTuple):
    """A row of MATCHES. `teaches` and `learns`: the skills that fit, best first."""

    user_id: UUID
    handle: str
    name: str
    photo_id: UUID | None
    photo_url: str
    city: str | None
    km: float | None
    score: float
    teaches: list[dict[str, Any]]
    learns: list[dict[str, Any]]

    @property
    def fits_both_ways(self) -> bool:
        """Whether each of the two teaches something that the other wants to learn."""
        return bool(self.teaches and self.learns)


def match_params(limit: int, min_score: float) -> dict[str, Any]:
    """Return the parameters of MATCHES."""
    return {
        "max_results": limit,
        "min_score": min_score,
        "best_weight": rules.BEST_WEIGHT,
        "others_rate": rules.OTHERS_RATE,
        "learner_weight": rules.LEARNER_WEIGHT,
        "distance_weight": DISTANCE_WEIGHT,
        "far_km": FAR_KM,
        "ring_cells": list(rules.RING_CELLS),
        "ring_nearness": list(rules.RING_NEARNESS),
        "max_per_block": rules.MAX_PER_BLOCK,
        "max_online": rules.MAX_ONLINE,
        "max_candidates": rules.MAX_CANDIDATES,
        "spare_likely": rules.SPARE_LIKELY,
        "spare_ranked": rules.SPARE_RANKED,
        "min_reason": rules.MIN_REASON,
    }


def suggestion_params(limit: int = MAX_SUGGESTED_SKILLS) -> dict[str, Any]:
    """Return the parameters of SUGGESTED_SKILLS."""
    return {
        "max_results": limit,
        "max_wants": rules.MAX_WANTS,
        "min_probability": rules.MIN_PROBABILITY,
        "max_likely": rules.MAX_LIKELY_SKILLS,
    }


def _details(teaches: list[dict[str, Any]], learns: list[dict[str, Any]], city: str, is_near: bool) -> list[Detail]:
    direct: list[Detail] = [
        DirectMatch(type="direct_match", teacher_skill=match["skill"]) for match in teaches[:_MAX_REASONS_PER_TYPE]
    ]
    reverse: list[Detail] = [
        ReverseMatch(type="reverse_match", learner_want=match["skill"]) for match in learns[:_MAX_REASONS_PER_TYPE]
    ]
    location: list[Detail] = [LocationBonus(type="location_bonus", city=city)] if is_near and city else []
    # The best of each type comes first, because a card shows two.
    return [*direct[:1], *reverse[:1], *location, *direct[1:], *reverse[1:]]


async def matches(db: Database, user_id: UUID, limit: int, min_score: float, one_way_shown: float) -> MatchesData:
    """Return the users who match best, with the reasons. A user without a skill that fits is no match.

    `one_way_shown`: how many the user's plan shows of those who only teach or only learn. Those who fit both ways are
    always shown.
    """
    rows = await db.read(None, MATCHES, match_params(MAX_LIMIT, min_score), row=FoundMatch, user_id=user_id)
    method = await db.read_value(str, None, _METHOD, {"user": user_id}, user_id=user_id)
    found = [row for row in rows if row.teaches or row.learns]
    shown = rules.shown_by_plan([row.fits_both_ways for row in found], one_way_shown)
    visible = [row for row, is_shown in zip(found, shown, strict=True) if is_shown]
    related_by = method or "words-1"  # phrases that wait for the job match by their words
    return MatchesData(
        matches=[_match(row) for row in visible[:limit]],
        more_matches=len(visible[limit:]),
        more_with_plan=len(found) - len(visible),
        target_user_id=str(user_id),
        algorithm=f"{ALGORITHM_VERSION} ({related_by})",
    )


def _match(row: FoundMatch) -> MatchResponse:
    return MatchResponse(
        user=MatchUser(handle=row.handle, name=row.name, photo_url=profile_photo_url(row.photo_id, row.photo_url)),
        match_score=round(row.score, 1),
        match_details=_details(row.teaches, row.learns, row.city or "", row.km is not None and row.km < FAR_KM),
        miles=to_whole_miles(row.km),
    )


async def suggested_skills(db: Database, user_id: UUID) -> list[SuggestedSkillResponse]:
    """Return the skills that would give the user the most new matches, best first."""
    rows = await db.read(None, SUGGESTED_SKILLS, suggestion_params(), user_id=user_id)
    return [SuggestedSkillResponse(skill=skill, people=people) for skill, people in rows]


async def rings(db: Database, user_id: UUID, format_times: Callable[[int], list[str]]) -> list[RingResponse]:
    """Return the user's proposed and agreed rings."""
    rows = await db.read(None, _RINGS, [rules.MAX_RINGS_SHOWN], user_id=user_id)
    return [
        RingResponse(
            id=str(ring_id),
            state=state,
            times=format_times(availability_bits),
            members=[RingMember(**member) for member in members],
        )
        for ring_id, state, availability_bits, members in rows
    ]
