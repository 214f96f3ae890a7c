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

# Of FROM_GURU; `shape` takes them in this order.
COLUMNS = (
    "g.label, g.character, g.category, g.primary_skills, g.tagline, g.city, "
    "g.primary_color, g.secondary_color, g.icon, g.emoji, g.seo_title, g.seo_description, g.photo_url, "
    "k.shown, k.verified"
)
WIDTH = 15

# What they published, read once for all that a page wants of it: what they may list; the badge (documents were asked
# for, and every one of them is approved); whether their services are on offer. A guru all of whose categories are held
# back offers nothing yet; one who never chose any is not asked.
CATEGORIES_SQL = """
(SELECT json_agg(json_build_object('slug', c.slug, 'name', c.name, 'verified', c.needs_documents)
                 ORDER BY c.position, c.slug) FILTER (WHERE c.listed) AS shown,
        bool_and(c.listed) AND bool_or(c.needs_documents) AS verified, coalesce(bool_or(c.listed), true) AS offers
   FROM guru_categories c WHERE c.tenant_id = %(tenant)s) k"""
FROM_GURU = " FROM gurus g CROSS JOIN " + CATEGORIES_SQL


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


class CategoryAnswer(Answer):
    """A kind of thing a guru offers. `verified`: we have seen the documents it wants."""

    slug: str
    name: str
    verified: bool


class GuruAnswer(Answer):
    """A guru's public face. `photoUrl` is empty without a photo; `verified` is the badge."""

    subdomain: str
    character: str
    category: str
    primary_skills: list[str]
    tagline: str
    city: str
    photo_url: str
    categories: list[CategoryAnswer]
    verified: bool
    theme: ThemeAnswer
    seo: SeoAnswer


def shown_colour(stored: str, which: Literal[0, 1]) -> str:
    """A stored colour, primary (0) or secondary (1), or ours in the place of one that is none."""
    return stored if _COLOUR.fullmatch(stored) else (_PRIMARY, _SECONDARY)[which]


def shape(row: Sequence[Any]) -> dict[str, Any]:
    """The wire shape (GuruAnswer) of a row that begins with COLUMNS."""
    label, character, category, skills, tagline, city, primary, secondary, icon, emoji, *rest = row[:WIDTH]
    title, description, photo, categories, verified = rest
    return {
        "subdomain": label,
        "character": character,
        "category": category,
        "primarySkills": skills,
        "tagline": tagline,
        "city": city,
        "photoUrl": photo,
        "categories": categories or [],
        "verified": bool(verified),
        "theme": {
            "primaryColor": shown_colour(primary, 0),
            "secondaryColor": shown_colour(secondary, 1),
            "icon": icon,
            "emoji": emoji,
        },
        "seo": {"title": title or character, "description": description or tagline},
    }
