"""Skill names with typos: a letter left out, doubled, replaced, or two swapped."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from typing import Any

import psycopg

from porchlight.catalog.catalog import open_categories
from porchlight.catalog.queries import suggestion_statements
from tenants.kit.text import normalize_text


def _add_typo(word: str, rng: random.Random) -> str:
    index = rng.randrange(len(word))
    match rng.randrange(4):
        case 0 if len(word) > 3:
            return word[:index] + word[index + 1 :]
        case 1:
            return word[:index] + rng.choice(string.ascii_lowercase) + word[index:]
        case 2 if index + 1 < len(word):
            return word[:index] + word[index + 1] + word[index] + word[index + 2 :]
        case _:
            return word[:index] + rng.choice(string.ascii_lowercase) + word[index + 1 :]


def skills_with_typos(typos: int, *, each: int = 3, seed: int = 7) -> Iterator[tuple[str, str]]:
    """Yield (skill, typed text) for every skill of the catalog, `each` times. Deterministic."""
    rng = random.Random(seed * 10 + typos)
    for category in open_categories():
        for name, _popular in category.skills:
            for _ in range(each):
                typed = normalize_text(name)
                for _ in range(typos):
                    typed = _add_typo(typed, rng)
                yield name, typed


def suggested_skills(conn: psycopg.Connection[Any], typed: str, limit: int = 10) -> list[tuple[str, str]]:
    """Return the names and categories that are suggested for a normalized text."""
    to_set, to_find = suggestion_statements(typed, limit)
    with conn.transaction():
        conn.execute(*to_set)
        return conn.execute(*to_find).fetchall()


def suggestion_recall(conn: psycopg.Connection[Any], typos: int) -> float:
    """Return the share of skills that are among the ten suggestions for the typed text."""
    hits = total = 0
    for name, typed in skills_with_typos(typos):
        hits += name in {found for found, _category in suggested_skills(conn, normalize_text(typed))}
        total += 1
    return hits / total
