"""The lexicon of hazards (`lexicon.toml`): finds its entries in a text, by whole words and by stem."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import snowballstemmer  # type: ignore[import-untyped]

from porchlight.contracts import RiskLevel
from tenants.kit.text import normalize_text

_WORD = re.compile(r"[^\W_]+(?:\+\+)?|[.;:!?,()/]")
PUNCTUATION = frozenset(".;:!?,()/")


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """Consecutive words with their risk level. `stems` holds stems, or "=word" for an exact form."""

    stems: tuple[str, ...]
    level: RiskLevel
    reason: str


@dataclass(frozen=True, slots=True)
class LexiconMatch:
    """An entry that a text contains at the word positions `start` (inclusive) to `end` (exclusive)."""

    start: int
    end: int
    entry: LexiconEntry

    @property
    def positions(self) -> range:
        """The positions of the words."""
        return range(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The parsed `lexicon.toml`.

    `by_first`: the entries, by their first stem. `governors`: phrases such as "history of"; the `reach` words after one
    are topics and not activities, but a word of `ends` stops earlier. `neutral`: stems that do not affect the risk.
    """

    by_first: dict[str, tuple[LexiconEntry, ...]]
    governors: tuple[tuple[str, ...], ...]
    reach: int
    ends: frozenset[str]
    neutral: frozenset[str]


_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word: "weld" for "welding" and "welded"."""
    return str(_stemmer.stemWord(word))


def tokenize(text: str) -> list[str]:
    """Return the normalized words and punctuation marks of a text."""
    visible = "".join(c for c in text if unicodedata.category(c) != "Cf")  # drops zero-width characters within words
    normalized = normalize_text(visible).replace("&", " and ")
    normalized = re.sub(r"[’'](?:s|re|ve|ll|d|m|t)\b", "", normalized)
    return _WORD.findall(normalized)


def _stem_variants(phrase: str) -> Iterator[tuple[str, ...]]:
    words = phrase.split()
    yield tuple(part for word in words for part in _stems(word))
    if any("+" in word.strip("+") for word in words):
        yield tuple(stem(word.replace("+", "")) for word in words)


def _stems(word: str) -> list[str]:
    if word.startswith("=") or word.endswith("++"):
        return [word]
    return [stem(part) for part in word.split("+")]


@cache
def load_lexicon() -> Lexicon:
    """Read and parse `lexicon.toml`."""
    data = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text("utf-8"))
    by_first: dict[str, list[LexiconEntry]] = {}
    for hazard in data["hazard"]:
        for phrase in hazard["words"]:
            for stems in _stem_variants(phrase):
                by_first.setdefault(stems[0], []).append(LexiconEntry(stems, hazard["level"], hazard["reason"]))
    talk = data["talk"]
    return Lexicon(
        {first: tuple(entries) for first, entries in by_first.items()},
        tuple(tuple(stem(word) for word in governor.split()) for governor in talk["governors"]),
        int(talk["reach"]),
        frozenset(talk["ends"]),
        frozenset(stem(word) for word in data["neutral"]["words"]),
    )


def find_matches(words: list[str]) -> list[LexiconMatch]:
    """Return the entries in `words`, without entries that lie inside a longer one."""
    lexicon = load_lexicon()
    stems = [stem(word) for word in words]
    matches: list[LexiconMatch] = []
    for start, word in enumerate(words):
        for first in (stems[start], "=" + word):
            for entry in lexicon.by_first.get(first, ()):
                end = start + len(entry.stems)
                if end <= len(words) and all(
                    expected[1:] == words[start + offset]
                    if expected.startswith("=")
                    else expected == stems[start + offset]
                    for offset, expected in enumerate(entry.stems)
                ):
                    matches.append(LexiconMatch(start, end, entry))
    return [
        match
        for match in matches
        if not any(
            other.start <= match.start and match.end <= other.end and other.end - other.start > match.end - match.start
            for other in matches
        )
    ]


def topic_positions(words: list[str]) -> set[int]:
    """Return the positions of words that name a topic ("history of archery"), not an activity."""
    lexicon = load_lexicon()
    stems = [stem(word) for word in words]
    positions: set[int] = set()
    for start in range(len(words)):
        for governor in lexicon.governors:
            after = start + len(governor)
            if tuple(stems[start:after]) != governor:
                continue
            for position in range(after, min(after + lexicon.reach, len(words))):
                if words[position] in PUNCTUATION or words[position] in lexicon.ends:
                    break
                positions.add(position)
    return positions
