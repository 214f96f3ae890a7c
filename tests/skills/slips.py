"""Skills typed with slips of the finger: a letter left out, doubled, wrong, or two swapped."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from typing import Any

import psycopg

from porchlight.skills.catalogue import folded, open_categories


def _slip(word: str, dice: random.Random) -> str:
    at = dice.randrange(len(word))
    match dice.randrange(4):
        case 0 if len(word) > 3:
            return word[:at] + word[at + 1 :]
        case 1:
            return word[:at] + dice.choice(string.ascii_lowercase) + word[at:]
        case 2 if at + 1 < len(word):
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case _:
            return word[:at] + dice.choice(string.ascii_lowercase) + word[at + 1 :]


def typed_with_slips(slips: int, *, each: int = 3, seed: int = 7) -> Iterator[tuple[str, str]]:
    """(skill, what was typed) for every skill of the catalogue, `each` times. Repeatable."""
    dice = random.Random(seed * 10 + slips)
    for category in open_categories():
        for name, _popular in category.skills:
            for _ in range(each):
                typed = folded(name)
                for _ in range(slips):
                    typed = _slip(typed, dice)
                yield name, typed


def recall(conn: psycopg.Connection[Any], slips: int) -> float:
    """The share of skills that are among the ten suggestions for what was typed."""
    hits = total = 0
    for name, typed in typed_with_slips(slips):
        found = conn.execute("SELECT name FROM app.suggest_skills(%s, 10)", [folded(typed)]).fetchall()
        hits += (name,) in found
        total += 1
    return hits / total
