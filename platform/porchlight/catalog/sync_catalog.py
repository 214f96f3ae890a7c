"""Update the catalog's tables from `catalog.toml`. `porchlight migrate` calls this as the owner role."""

from __future__ import annotations

from porchlight.catalog.catalog import Category, all_categories
from tenants.db.rows import Connection
from tenants.kit.text import normalize_text

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
_SEARCH_TERM = """
INSERT INTO skill_search_terms (category_slug, name, term, term_length, popular) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (category_slug, name, term) DO UPDATE SET popular = excluded.popular
"""


def search_terms(name: str) -> list[str]:
    """Return the normalized name and its tails: "thai" also finds "muay thai"."""
    words = normalize_text(name).replace("(", "").replace(")", "").split()
    return list(dict.fromkeys(" ".join(words[at:]) for at in range(len(words)) if words[at] not in ("and", "&")))


def _rows(category: Category) -> list[tuple[str, str, str, int, bool]]:
    skills = [(category.name, category.popular), *category.skills]
    return [(category.slug, name, term, len(term), popular) for name, popular in skills for term in search_terms(name)]


def sync_catalog(conn: Connection) -> None:
    """Make the tables match the catalog. A category that is no longer in the catalog is kept."""
    categories = all_categories()
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
        cursor.executemany(_SEARCH_TERM, rows)
        cursor.execute(
            "DELETE FROM skill_search_terms WHERE NOT (category_slug || chr(1) || name || chr(1) || term) = ANY (%s)",
            [[f"{slug}\x01{name}\x01{term}" for slug, name, term, _term_length, _popular in rows]],
        )
