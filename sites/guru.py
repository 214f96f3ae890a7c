"""The public data of a guru: the columns that every page reads, and their API schema (SPEC 3)."""

from __future__ import annotations

import re
from typing import Any, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from tenants.db.rows import Columns
from tenants.kit.schemas import ResponseModel

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

# A pair of typefaces, for headings and for texts (main-web/shared/build-fonts.mjs).
Typeface = Literal["warm", "clear", "bookish"]
Appearance = Literal["day", "dusk", "device"]  # light pages, dark ones, or as the visitor's device is set

_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_DEFAULT_COLORS = ("#22c55e", "#0ea5e9")  # primary and secondary, in place of an invalid color

# Of FROM_GURU, in the order that `to_response` expects.
COLUMNS = (
    "g.label, g.character, g.category, app.shown_skills(g.id, g.primary_skills), g.tagline, g.city, "
    "g.primary_color, g.secondary_color, g.icon, g.emoji, g.appearance, g.typeface, g.seo_title, "
    "g.seo_description, g.photo_url, "
    "k.shown, k.verified"
)

# The guru's published categories, read once per page: the listed ones that the owner's plan allows;
# the badge (documents are required, and all of them are approved); whether services are shown and can be booked. A guru
# without a single listed category shows no services; a guru who never chose a category does.
CATEGORIES_SQL = """
(SELECT json_agg(json_build_object('slug', c.slug, 'name', c.name, 'verified', c.needs_documents)
                 ORDER BY c.position, c.slug) FILTER (WHERE c.listed AND NOT c.over_limit) AS shown,
        bool_and(c.listed) AND bool_or(c.needs_documents) AS verified, coalesce(bool_or(c.listed), true) AS offers
   FROM guru_categories c WHERE c.tenant_id = %(tenant)s) k"""
OFFERS_SQL = "(SELECT k.offers FROM " + CATEGORIES_SQL + ")"  # noqa: S608 - constants only
FROM_GURU = " FROM gurus g CROSS JOIN " + CATEGORIES_SQL


async def offers_services(session: AsyncSession, tenant_id: UUID) -> bool:
    """Return whether visitors see and book the guru's services."""
    connection = await session.connection()
    return bool((await connection.exec_driver_sql("SELECT " + OFFERS_SQL, {"tenant": tenant_id})).scalar_one())


class ThemeResponse(ResponseModel):
    """Two colors, an icon and an emoji. The rest of the theme is derived from them."""

    primary_color: str
    secondary_color: str
    icon: Icon
    emoji: str


class SiteThemeResponse(ThemeResponse):
    """The theme of a guru's pages: also whether they are light or dark, and their pair of typefaces."""

    appearance: Appearance
    typeface: Typeface


class SeoResponse(ResponseModel):
    """The title and description for search engines."""

    title: str
    description: str


class CategoryResponse(ResponseModel):
    """A category of a guru. `verified`: its documents are approved."""

    slug: str
    name: str
    verified: bool


class GuruResponse(ResponseModel):
    """A guru's public data. `photoUrl` is empty without a photo; `verified` is the badge."""

    subdomain: str
    character: str
    category: str
    primary_skills: list[str]
    tagline: str
    city: str
    photo_url: str
    categories: list[CategoryResponse]
    verified: bool
    theme: SiteThemeResponse
    seo: SeoResponse


def valid_color(stored: str, which: Literal[0, 1]) -> str:
    """Return a stored color, or the default primary (0) or secondary (1) color for an invalid one."""
    return stored if _COLOR.fullmatch(stored) else _DEFAULT_COLORS[which]


def to_response(columns: Columns) -> dict[str, Any]:
    """Convert the values of COLUMNS to the API's form (GuruResponse)."""
    label, character, category, skills, tagline, city, primary, secondary, icon, emoji, *rest = columns
    appearance, typeface, title, description, photo, categories, verified = rest
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
            "primaryColor": valid_color(primary, 0),
            "secondaryColor": valid_color(secondary, 1),
            "icon": icon,
            "emoji": emoji,
            "appearance": appearance,
            "typeface": typeface,
        },
        "seo": {"title": title or character, "description": description or tagline},
    }


def without_badges(guru: dict[str, Any]) -> dict[str, Any]:
    """Return a guru in the API's form that shows no badges."""
    categories = [category | {"verified": False} for category in guru["categories"]]
    return guru | {"verified": False, "categories": categories}
