"""Request and response bodies of matches and swap rings (SPEC 3, 7.2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from tenants.kit.schemas import Payload, ResponseModel


class DirectMatch(ResponseModel):
    """The other user teaches a skill that I want."""

    type: Literal["direct_match"]
    teacher_skill: str


class ReverseMatch(ResponseModel):
    """The other user wants a skill that I teach."""

    type: Literal["reverse_match"]
    learner_want: str


class LocationBonus(ResponseModel):
    """The other user is nearby."""

    type: Literal["location_bonus"]
    city: str


Detail = Annotated[DirectMatch | ReverseMatch | LocationBonus, Field(discriminator="type")]


class MatchUser(ResponseModel):
    """The matching user. `name` may be ""."""

    handle: str
    name: str
    photo_url: str = Field(alias="photoURL")


class MatchResponse(ResponseModel):
    """A match. `matchScore` is a percentage: 85 of 100 matches with a score of at least 80 are true matches.

    `matchDetails`: the reasons, best first, at least one of them a skill; without one of them the score would be lower.
    `miles` is approximate, and null if the user hides their location.
    """

    user: MatchUser
    match_score: float
    match_details: list[Detail]
    miles: int | None


class MatchesData(ResponseModel):
    """The matches. `algorithm` names the version and the method that relates skills.

    `moreMatches`: how many more a higher limit returns. `moreWithPlan`: how many more a plan would show.
    """

    matches: list[MatchResponse]
    more_matches: int
    more_with_plan: int
    target_user_id: str
    algorithm: str


class MatchesResponse(ResponseModel):
    """GET /api/skills/matches/{userId}."""

    success: bool
    data: MatchesData


class SuggestedSkillResponse(ResponseModel):
    """A skill to offer. `people` is the number of new matches."""

    skill: str
    people: int


class SuggestedSkillsData(ResponseModel):
    """The skills, best first."""

    skills: list[SuggestedSkillResponse]


class SuggestedSkillsResponse(ResponseModel):
    """GET /api/skills/openings."""

    success: bool
    data: SuggestedSkillsData


RingAnswer = Literal["accepted", "declined"]


class RingMember(ResponseModel):
    """A member of a ring. Teaches the next member; the last one teaches the first.

    `handle` is null and `name` the first name for a profile that is private.
    """

    handle: str | None
    name: str
    teaches: str
    answer: RingAnswer | None
    you: bool


class RingResponse(ResponseModel):
    """A swap ring. `times`: the times that all three members share."""

    id: str
    state: Literal["proposed", "agreed"]
    times: list[str]
    members: list[RingMember]


class RingsData(ResponseModel):
    """The rings, newest first."""

    rings: list[RingResponse]


class RingsResponse(ResponseModel):
    """GET /api/skills/rings and POST /api/skills/rings/{ringId}."""

    success: bool
    data: RingsData


class RingPayload(Payload):
    """The user's answer to a ring."""

    answer: RingAnswer
