"""Whether a result has a word of the search, in any of its forms and with a typo.

Stems are too coarse here: those of "organ" and "organize", and of "past" and "paste", are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from tenants.kit.text import normalize_text

_WORD = re.compile(r"[^\W_]+(?:[#+]+)?")
# Scripts without spaces between words, like app.unspaced_grams. Normalized Hangul is in the letters of its syllables.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_ENDINGS = ("ings", "ing", "ers", "er", "ed")  # of verbs; the base may end in e or double its last letter
_MIN_LETTERS_WITH_TYPO, _MIN_LETTERS_WITH_TWO_TYPOS = 5, 9
_COMMON = frozenset({
    *("a", "about", "all", "an", "and", "any", "at", "can", "class", "classes", "course", "courses", "do", "for"),
    *("from", "get", "help", "hour", "hours", "how", "i", "in", "is", "it", "learn", "learning", "lesson", "lessons"),
    *("me", "my", "near", "need", "of", "on", "one", "or", "our", "please", "some", "someone", "teach", "teacher"),
    *("teachers", "teaching", "that", "the", "this", "to", "tutor", "tutoring", "tutors", "us", "want", "we", "what"),
    *("who", "with", "you", "your"),
})  # fmt: skip
_MAX_WORDS, _MAX_SEARCH_WORDS = 400, 12  # compared


def content_words(search: str) -> list[str]:
    """Return the words of a search that name something: without "learn to", "class", "near me" and the like."""
    return [word for word in _words(search) if word not in _COMMON][:_MAX_SEARCH_WORDS]


def words_in(words: Iterable[str], text: str) -> set[str]:
    """Return those of the words that a text has."""
    others = _words(text)
    normalized = normalize_text(text)
    return {
        word
        for word in words
        if (word in normalized if _UNSPACED.search(word) else any(_are_same(word, other) for other in others))
    }


def share_a_word(search: str, text: str) -> bool:
    """Return whether a text has a word of the search; always for a search of common words alone."""
    words = content_words(search)
    return not words or bool(words_in(words, text))


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(_WORD.findall(normalize_text(text).replace("'", ""))))[:_MAX_WORDS]


def _are_same(one: str, other: str) -> bool:
    if one == other or not _bases(one).isdisjoint(_bases(other)):
        return True
    shorter = min(len(one), len(other))
    allowed = (shorter >= _MIN_LETTERS_WITH_TYPO) + (shorter >= _MIN_LETTERS_WITH_TWO_TYPOS)
    # Most words differ in more letters than edits can change, which is faster to see.
    return allowed > 0 and len(set(one) ^ set(other)) <= 2 * allowed and _edits(one, other) <= allowed


@lru_cache(maxsize=20_000)
def _bases(word: str) -> frozenset[str]:
    """Return what a word may be a form of, and itself: "baking" is one of "bake"."""
    bases = {word}
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        bases |= {word[:-1]} | ({word[:-2]} if word.endswith("es") else set())
        if word.endswith("ies"):
            bases.add(word[:-3] + "y")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + 3:
            base = word.removesuffix(ending)
            bases |= {base, base + "e"} | ({base[:-1]} if base[-1] == base[-2] else set())
            break
    return frozenset(bases)


def _edits(one: str, other: str) -> int:
    """Return how many letters to insert, delete, replace or swap with the next make one word the other."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, other_letter in enumerate(other, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != other_letter))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == other_letter:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, last = last, current
    return last[-1]
