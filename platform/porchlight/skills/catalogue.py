"""The catalogue of skills, read once from `catalogue.toml` (SPEC 3). Pure: no database, no web."""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Level = Literal["low", "medium", "high", "extreme"]
Difficulty = Literal["beginner", "intermediate", "advanced"]

LEVELS: tuple[Level, ...] = ("low", "medium", "high", "extreme")
WARNING = "⚠️"  # the marker of categories rated high or extreme (SPEC 3)


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Session(_Frozen):
    """A template of a session: `duration` in minutes, `participants` from the fewest to the most."""

    name: str
    duration: Annotated[int, Field(ge=30, le=240)]  # SPEC 9
    participants: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]
    difficulty: Difficulty
    ai_coach: bool

    @model_validator(mode="after")
    def _few_to_many(self) -> Session:
        if self.participants[0] > self.participants[1]:
            raise ValueError(f"{self.name}: participants run from few to many")
        return self

    @property
    def participants_shown(self) -> str:
        """ "1" or "2–6"."""
        fewest, most = self.participants
        return str(fewest) if fewest == most else f"{fewest}–{most}"


class Category(_Frozen):
    """A category of skills, with what a guru must show to offer it."""

    slug: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    name: str
    icon: str  # lucide's name
    risk: Level
    popular: bool
    coming_soon: bool = False
    keywords: tuple[str, ...]
    requires_license: bool
    requires_gl: bool
    requires_auto_insurance: bool
    notes: str
    session: tuple[Session, ...] = ()

    @property
    def skills(self) -> tuple[tuple[str, bool], ...]:
        """Each keyword, and whether it is a popular one."""
        return tuple((word.lstrip("*"), word.startswith("*")) for word in self.keywords)

    @property
    def requires_waiver(self) -> bool:
        """High and extreme do (SPEC 3)."""
        return self.risk in ("high", "extreme")

    @property
    def requirements(self) -> dict[str, Any]:
        """What onboarding asks for, named as SPEC 3 names it."""
        return {
            "requires_license": self.requires_license,
            "requires_gl": self.requires_gl,
            "requires_auto_insurance": self.requires_auto_insurance,
            "notes": self.notes,
        }


class _Catalogue(_Frozen):
    category: tuple[Category, ...]


@cache
def everything() -> tuple[Category, ...]:
    """All categories in the catalogue's order, the announced ones last."""
    text = files(__package__).joinpath("catalogue.toml").read_text("utf-8")
    return _Catalogue.model_validate(tomllib.loads(text)).category


@cache
def open_categories() -> tuple[Category, ...]:
    """The categories in which skills can be offered: SPEC's ten."""
    return tuple(category for category in everything() if not category.coming_soon)


def folded(text: str) -> str:
    """Text as it is compared: no accents, one case, single spaces."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(plain.casefold().split())


def _key(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", folded(text).replace("&", " ")).strip("-")


@cache
def _by_key() -> dict[str, Category]:
    found = {_key(category.name): category for category in everything()}
    return found | {category.slug: category for category in everything()}


def named(text: str) -> Category | None:
    """The category that `text` names by slug or by name, however it is written, or None."""
    return _by_key().get(_key(text))


def card(category: Category) -> dict[str, Any]:
    """A category as the skills page shows it (SPEC 2.8)."""
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
                "participants": session.participants_shown,
                "difficulty": session.difficulty,
                "aiCoach": session.ai_coach,
            }
            for session in category.session
        ],
    }


def listed(category: str = "", search: str = "", *, popular: bool = False) -> dict[str, Any]:
    """{skills, categories, total} of GET /api/skills. `search` is looked for in names and keywords (SPEC 5)."""
    chosen = open_categories()
    if category.strip():
        wanted = named(category)
        chosen = tuple(one for one in chosen if one == wanted)
    if popular:
        chosen = tuple(one for one in chosen if one.popular)
    sought = folded(search)
    skills: list[dict[str, Any]] = []
    categories: list[dict[str, Any]] = []
    for one in chosen:
        whole = sought in folded(one.name)
        found = [
            {"name": name, "category": one.name, "slug": one.slug, "riskLevel": one.risk, "popular": liked}
            for name, liked in one.skills
            if (whole or sought in folded(name)) and (liked or not popular)
        ]
        if whole or found:
            categories.append(card(one))
        skills += found
    return {"skills": skills, "categories": categories, "total": len(skills)}


def taxonomy() -> list[dict[str, Any]]:
    """Every category for onboarding, the announced ones among them (DESIGN 11)."""
    return [
        {
            "slug": one.slug,
            "name": one.name,
            "icon": one.icon,
            "comingSoon": one.coming_soon,
            "riskLevel": one.risk,
            "riskIndicator": WARNING if one.requires_waiver else None,
            "requiresWaiver": one.requires_waiver,
            "requirements": one.requirements,
        }
        for one in everything()
    ]


def bundle() -> str:
    """The copy that the web carries for when loading fails (SPEC 8.3): a JSON text."""
    return json.dumps({"categories": [card(one) for one in open_categories()]}, indent=2, ensure_ascii=False) + "\n"
