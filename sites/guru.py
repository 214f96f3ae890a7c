"""A guru as their site shows them: the columns every page reads, and their shape on the wire (SPEC 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from tenants.kit.schemas import Answer

Icon = Literal[
    "utensils",
    "music",
    "laptop",
    "leaf",
    "camera",
    "hammer",
    "dumbbell",
    "languages",
    "palette",
    "book",
    "heart",
    "star",
]

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_PRIMARY, _SECONDARY = "#22c55e", "#0ea5e9"  # in the place of a colour that is none

# Selected as `g`; `shape` takes them in this order.
COLUMNS = (
    "g.label, g.character, g.category, g.primary_skills, g.tagline, g.city, "
    "g.primary_color, g.secondary_color, g.icon, g.emoji, g.seo_title, g.seo_description"
)
WIDTH = 12


class ThemeAnswer(Answer):
    """Two colours, an icon and an emoji; everything else of the look is derived from them."""

    primary_color: str
    secondary_color: str
    icon: Icon
    emoji: str


class SeoAnswer(Answer):
    """What search engines show."""

    title: str
    description: str


class GuruAnswer(Answer):
    """A guru's public face."""

    subdomain: str
    character: str
    category: str
    primary_skills: list[str]
    tagline: str
    city: str
    theme: ThemeAnswer
    seo: SeoAnswer


def shape(row: Sequence[Any]) -> dict[str, Any]:
    """The wire shape (GuruAnswer) of a row that begins with COLUMNS."""
    label, character, category, skills, tagline, city, primary, secondary, icon, emoji, title, description = row[:WIDTH]
    primary = primary if _COLOUR.fullmatch(primary) else _PRIMARY
    secondary = secondary if _COLOUR.fullmatch(secondary) else _SECONDARY
    return {
        "subdomain": label,
        "character": character,
        "category": category,
        "primarySkills": skills,
        "tagline": tagline,
        "city": city,
        "theme": {"primaryColor": primary, "secondaryColor": secondary, "icon": icon, "emoji": emoji},
        "seo": {"title": title or character, "description": description or tagline},
    }
