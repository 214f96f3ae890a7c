"""The skill catalog, read once from `catalog.toml` (SPEC 3). Uses no database and no web framework."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from porchlight.contracts import RatedCategory, RiskLevel
from tenants.kit.text import normalize_text, to_slug

Difficulty = Literal["beginner", "intermediate", "advanced"]

MAX_EXAMPLES = 4  # of a category in onboarding: the first ones of the catalog
WARNING = "⚠️"  # the marker of categories with high or extreme risk (SPEC 3)


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SessionTemplate(_Frozen):
    """A session template. `duration` is in minutes; `participants` is the minimum and the maximum."""

    name: str
    duration: Annotated[int, Field(ge=30, le=240)]  # SPEC 9
    participants: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]
    difficulty: Difficulty
    ai_coach: bool

    @model_validator(mode="after")
    def _check_participants(self) -> SessionTemplate:
        if self.participants[0] > self.participants[1]:
            raise ValueError(f"{self.name}: the minimum of participants is above the maximum")
        return self

    @property
    def participants_text(self) -> str:
        """The number of participants as text: "1" or "2–6"."""
        minimum, maximum = self.participants
        return str(minimum) if minimum == maximum else f"{minimum}–{maximum}"


class Category(_Frozen):
    """A category of skills, with the requirements for gurus who offer it. `icon` is the name of a lucide icon."""

    slug: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    name: str
    icon: str
    risk: RiskLevel
    popular: bool
    coming_soon: bool = False
    keywords: tuple[str, ...]
    requires_license: bool
    requires_gl: bool
    requires_auto_insurance: bool
    notes: str
    session: tuple[SessionTemplate, ...] = ()

    @property
    def skills(self) -> tuple[tuple[str, bool], ...]:
        """The keywords, each with whether it is popular."""
        return tuple((word.lstrip("*"), word.startswith("*")) for word in self.keywords)

    @property
    def requires_waiver(self) -> bool:
        """Whether the risk is high or extreme (SPEC 3)."""
        return self.risk in ("high", "extreme")

    @property
    def requirements(self) -> dict[str, Any]:
        """The requirements that onboarding shows, with SPEC 3's field names."""
        return {
            "requires_license": self.requires_license,
            "requires_gl": self.requires_gl,
            "requires_auto_insurance": self.requires_auto_insurance,
            "notes": self.notes,
        }


class _Catalog(_Frozen):
    category: tuple[Category, ...]


@cache
def all_categories() -> tuple[Category, ...]:
    """Return all categories in the catalog's order; those marked "coming soon" are last."""
    text = files(__package__).joinpath("catalog.toml").read_text("utf-8")
    return _Catalog.model_validate(tomllib.loads(text)).category


@cache
def open_categories() -> tuple[Category, ...]:
    """Return the categories in which gurus can offer skills: SPEC's ten."""
    return tuple(category for category in all_categories() if not category.coming_soon)


@cache
def open_skills() -> tuple[str, ...]:
    """Return the skills of the categories in which gurus can offer some."""
    return tuple(name for category in open_categories() for name, _popular in category.skills)


def rated_categories() -> tuple[RatedCategory, ...]:
    """Return all categories with their risk levels, for the risk engine."""
    return tuple(
        RatedCategory(
            category.slug,
            category.name,
            category.risk,
            (*(name for name, _popular in category.skills), *(session.name for session in category.session)),
        )
        for category in all_categories()
    )


@cache
def _by_slug() -> dict[str, Category]:
    by_name = {to_slug(category.name): category for category in all_categories()}
    return by_name | {category.slug: category for category in all_categories()}


def find_category(text: str) -> Category | None:
    """Return the category whose slug or name is `text`, in any spelling, or None."""
    return _by_slug().get(to_slug(text))


def category_card(category: Category) -> dict[str, Any]:
    """Return a category as the skills page shows it (SPEC 2.8)."""
    return {
        "slug": category.slug,
        "name": category.name,
        "icon": category.icon,
        "keywords": [name for name, _popular in category.skills],
        "requiresWaiver": category.requires_waiver,
        "riskLevel": category.risk,
        "riskIndicator": WARNING if category.requires_waiver else None,
        "popular": category.popular,
        "sessionTemplates": [
            {
                "name": session.name,
                "duration": session.duration,
                "participants": session.participants_text,
                "difficulty": session.difficulty,
                "aiCoach": session.ai_coach,
            }
            for session in category.session
        ],
    }


def list_skills(category: str = "", search: str = "", *, popular: bool = False) -> dict[str, Any]:
    """Return {skills, categories, total} of GET /api/skills. `search` looks in names and keywords (SPEC 5)."""
    selected = open_categories()
    if category.strip():
        requested = find_category(category)
        selected = tuple(one for one in selected if one == requested)
    if popular:
        selected = tuple(one for one in selected if one.popular)
    term = normalize_text(search)
    skills: list[dict[str, Any]] = []
    categories: list[dict[str, Any]] = []
    for one in selected:
        name_matches = term in normalize_text(one.name)
        matches = [
            {"name": name, "category": one.name, "slug": one.slug, "riskLevel": one.risk, "popular": is_popular}
            for name, is_popular in one.skills
            if (name_matches or term in normalize_text(name)) and (is_popular or not popular)
        ]
        if name_matches or matches:
            categories.append(category_card(one))
        skills += matches
    return {"skills": skills, "categories": categories, "total": len(skills)}


def taxonomy() -> list[dict[str, Any]]:
    """Return all categories for onboarding, also those marked "coming soon" (docs/settled-questions.md)."""
    return [
        {
            "slug": one.slug,
            "name": one.name,
            "icon": one.icon,
            "examples": [name for name, _popular in one.skills[:MAX_EXAMPLES]],
            "comingSoon": one.coming_soon,
            "riskLevel": one.risk,
            "riskIndicator": WARNING if one.requires_waiver else None,
            "requiresWaiver": one.requires_waiver,
            "requirements": one.requirements,
        }
        for one in all_categories()
    ]


def web_bundle() -> str:
    """Return the copy of the catalog in the web bundle, as JSON. The web uses it if loading fails (SPEC 8.3)."""
    categories = [category_card(one) for one in open_categories()]
    return json.dumps({"categories": categories}, indent=2, ensure_ascii=False) + "\n"
