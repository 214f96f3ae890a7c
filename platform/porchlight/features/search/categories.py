"""Which categories of the catalog a text is about, by the names of their skills."""

from __future__ import annotations

from functools import lru_cache

from porchlight.catalog.catalog import Category, all_categories, open_categories
from porchlight.features.search.shared_words import content_words, words_in


@lru_cache(maxsize=1)
def _skills() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the words of each name of a category and of a skill, with the category's slug."""
    return tuple(
        (category.slug, frozenset(words))
        for category in all_categories()
        for name in (category.name, *(skill for skill, _popular in category.skills))
        if (words := content_words(name))
    )


@lru_cache(maxsize=4000)
def categories_of(text: str) -> frozenset[str]:
    """Return the slugs of the categories of which a text has a whole name, or the whole name of a skill."""
    found = words_in({word for _slug, words in _skills() for word in words}, text)
    return frozenset(slug for slug, words in _skills() if words <= found)


def nearest_category(search: str) -> Category | None:
    """Return the open category that has most words of a search in one of its names, None without such a word.

    Of equal ones, the category with the shortest such name: "resume help" is nearer to "resume writing" than to
    nothing, and "repair" to "bike repair".
    """
    wanted = content_words(search)
    best: tuple[int, int] | None = None
    nearest: Category | None = None
    for category in open_categories():
        for name in (category.name, *(skill for skill, _popular in category.skills)):
            shared = len(words_in(wanted, name))
            rank = (shared, -len(name))
            if shared and (best is None or rank > best):
                best, nearest = rank, category
    return nearest
