"""The catalogue and the risk engine on the wire (SPEC 3, 7.2)."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from porchlight.cards import ActivityRisk
from porchlight.skills.catalogue import Difficulty, Level
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload


class SkillAnswer(Answer):
    """One skill. `category` is the category's name, `slug` its slug."""

    name: str
    category: str
    slug: str
    risk_level: Level
    popular: bool


class SessionTemplateAnswer(Answer):
    """A template of a session: minutes, and how many people ("1" or "2–6")."""

    name: str
    duration: int
    participants: str
    difficulty: Difficulty
    ai_coach: bool


class SkillCategoryAnswer(Answer):
    """A category as a card shows it. `riskIndicator` is the warning marker of high and extreme ones."""

    slug: str
    name: str
    icon: str
    keywords: list[str]
    requires_waiver: bool
    risk_level: Level
    risk_indicator: str | None
    popular: bool
    session_templates: list[SessionTemplateAnswer]


class SkillsData(Answer):
    """`total` counts the skills."""

    skills: list[SkillAnswer]
    categories: list[SkillCategoryAnswer]
    total: int


class SkillsAnswer(Answer):
    """GET /api/skills."""

    success: bool
    data: SkillsData


class SuggestionAnswer(Answer):
    """What a person may mean: a skill and the name of its category."""

    name: str
    category: str


class SuggestionsData(Answer):
    """The likeliest first."""

    suggestions: list[SuggestionAnswer]


class SuggestionsAnswer(Answer):
    """GET /api/skills/suggestions/autocomplete."""

    success: bool
    data: SuggestionsData


class RequirementsAnswer(Answer):
    """What a guru must show; named as SPEC 3 names it."""

    model_config = ConfigDict(alias_generator=None, extra="forbid")

    requires_license: bool
    requires_gl: bool
    requires_auto_insurance: bool
    notes: str


class TaxonomyAnswer(Answer):
    """A category as onboarding lists it."""

    slug: str
    name: str
    icon: str
    coming_soon: bool
    risk_level: Level
    risk_indicator: str | None
    requires_waiver: bool
    requirements: RequirementsAnswer


class RiskPayload(Payload):
    """What is to be judged. Either may be blank, not both absent."""

    skill_category: Annotated[str, Field(max_length=120), ONE_LINE]
    activity_description: Annotated[str, Field(max_length=2000), PRINTABLE] = ""


class RiskAnswer(Answer):
    """POST /api/liability/risk."""

    success: bool
    data: ActivityRisk
