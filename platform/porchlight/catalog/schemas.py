"""Response bodies of the skill catalog (SPEC 3, 7.2)."""

from __future__ import annotations

from pydantic import ConfigDict

from porchlight.catalog.catalog import Difficulty
from porchlight.contracts import RiskLevel
from tenants.kit.schemas import ResponseModel


class CatalogSkill(ResponseModel):
    """A skill. `category` is the name of the category, `slug` its slug."""

    name: str
    category: str
    slug: str
    risk_level: RiskLevel
    popular: bool


class SessionTemplateResponse(ResponseModel):
    """A session template: its minutes and its number of participants ("1" or "2–6")."""

    name: str
    duration: int
    participants: str
    difficulty: Difficulty
    ai_coach: bool


class SkillCategoryResponse(ResponseModel):
    """A category as its card shows it. `riskIndicator` is the warning marker of high and extreme risk."""

    slug: str
    name: str
    icon: str
    keywords: list[str]
    requires_waiver: bool
    risk_level: RiskLevel
    risk_indicator: str | None
    popular: bool
    session_templates: list[SessionTemplateResponse]


class SkillsData(ResponseModel):
    """The skills and their categories. `total` is the number of skills."""

    skills: list[CatalogSkill]
    categories: list[SkillCategoryResponse]
    total: int


class CatalogSkillsResponse(ResponseModel):
    """GET /api/skills."""

    success: bool
    data: SkillsData


class SuggestionResponse(ResponseModel):
    """A suggested skill and the name of its category."""

    name: str
    category: str


class SuggestionsData(ResponseModel):
    """The suggestions, best first."""

    suggestions: list[SuggestionResponse]


class SuggestionsResponse(ResponseModel):
    """GET /api/skills/suggestions/autocomplete."""

    success: bool
    data: SuggestionsData


class RequirementsResponse(ResponseModel):
    """The requirements for gurus of a category, with SPEC 3's field names."""

    model_config = ConfigDict(alias_generator=None, extra="forbid")

    requires_license: bool
    requires_gl: bool
    requires_auto_insurance: bool
    notes: str


class TaxonomyResponse(ResponseModel):
    """A category as onboarding lists it, with `examples` of its skills."""

    slug: str
    name: str
    icon: str
    examples: list[str]
    coming_soon: bool
    risk_level: RiskLevel
    risk_indicator: str | None
    requires_waiver: bool
    requirements: RequirementsResponse
