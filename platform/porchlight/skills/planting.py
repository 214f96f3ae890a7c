"""Brings the catalogue's tables in line with `catalogue.toml`; run by `porchlight migrate`, as the owner role."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.skills.catalogue import Category, everything, folded

_CATEGORY = """
INSERT INTO skill_categories (slug, name, position, risk_level, popular, coming_soon,
                              requires_license, requires_gl, requires_auto_insurance, notes)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (slug) DO UPDATE SET
  name = excluded.name, position = excluded.position, risk_level = excluded.risk_level, popular = excluded.popular,
  coming_soon = excluded.coming_soon, requires_license = excluded.requires_license,
  requires_gl = excluded.requires_gl, requires_auto_insurance = excluded.requires_auto_insurance,
  notes = excluded.notes
"""
_NEEDLE = """
INSERT INTO skill_needles (category_slug, name, needle, letters, popular) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (category_slug, name, needle) DO UPDATE SET popular = excluded.popular
"""


def needles(name: str) -> list[str]:
    """The folded name, and its tail from each further word: "muay thai" is found by "th" as well."""
    words = folded(name).replace("(", "").replace(")", "").split()
    return list(dict.fromkeys(" ".join(words[at:]) for at in range(len(words)) if words[at] not in ("and", "&")))


def _rows(category: Category) -> list[tuple[Any, ...]]:
    skills = [(category.name, category.popular), *category.skills]
    return [(category.slug, name, needle, len(needle), popular) for name, popular in skills for needle in needles(name)]


def plant(conn: psycopg.Connection[Any]) -> None:
    """Make the tables say what the catalogue says. A category that is gone from it stays while something names it."""
    categories = everything()
    rows = [row for category in categories if not category.coming_soon for row in _rows(category)]
    with conn.transaction(), conn.cursor() as cursor:
        cursor.executemany(
            _CATEGORY,
            [
                (
                    one.slug,
                    one.name,
                    position,
                    one.risk,
                    one.popular,
                    one.coming_soon,
                    one.requires_license,
                    one.requires_gl,
                    one.requires_auto_insurance,
                    one.notes,
                )
                for position, one in enumerate(categories)
            ],
        )
        cursor.executemany(_NEEDLE, rows)
        cursor.execute(
            "DELETE FROM skill_needles WHERE NOT (category_slug || chr(1) || name || chr(1) || needle) = ANY (%s)",
            [[f"{slug}\x01{name}\x01{needle}" for slug, name, needle, _letters, _popular in rows]],
        )
