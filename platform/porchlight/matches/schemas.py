"""Matches and swap rings on the wire (SPEC 3, 7.2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from tenants.kit.schemas import Answer, Payload


class DirectMatch(Answer):
    """They teach what I want."""

    type: Literal["direct_match"]
    teacher_skill: str


class ReverseMatch(Answer):
    """They want what I teach."""

    type: Literal["reverse_match"]
    learner_want: str


class LocationBonus(Answer):
    """They are nearby."""

    type: Literal["location_bonus"]
    city: str


Detail = Annotated[DirectMatch | ReverseMatch | LocationBonus, Field(discriminator="type")]


class MatchUser(Answer):
    """Who it is. `name` is "" when they gave none."""

    handle: str
    name: str
    photo_url: str = Field(alias="photoURL")


class MatchAnswer(Answer):
    """A neighbour who fits. `matchScore` is a percentage: of those at 80 and more, 85 in 100 truly fit.

    `matchDetails`: the reasons, the weightiest first; without any of them the score is lower. `miles`: about how far,
    null when they do not show where they are.
    """

    user: MatchUser
    match_score: float
    match_details: list[Detail]
    miles: int | None


class MatchesData(Answer):
    """`algorithm` names the version and what read the meaning of skills."""

    matches: list[MatchAnswer]
    target_user_id: str
    algorithm: str


class MatchesAnswer(Answer):
    """GET /api/skills/matches/{userId}."""

    success: bool
    data: MatchesData


class OpeningAnswer(Answer):
    """A skill to offer, and how many neighbours who are no match yet would be one."""

    skill: str
    people: int


class OpeningsData(Answer):
    """The one that opens most comes first."""

    skills: list[OpeningAnswer]


class OpeningsAnswer(Answer):
    """GET /api/skills/openings."""

    success: bool
    data: OpeningsData


Said = Literal["accepted", "declined"]


class RingMember(Answer):
    """One of the three: teaches whoever comes next, the last one the first."""

    handle: str
    name: str
    teaches: str
    answer: Said | None
    you: bool


class RingAnswer(Answer):
    """A swap ring. `times`: when all three are free."""

    id: str
    state: Literal["proposed", "agreed"]
    times: list[str]
    members: list[RingMember]


class RingsData(Answer):
    """The newest first."""

    rings: list[RingAnswer]


class RingsAnswer(Answer):
    """GET /api/skills/rings and the answer to an answer."""

    success: bool
    data: RingsData


class RingPayload(Payload):
    """My answer to a ring."""

    answer: Said
