"""The risk engine: how risky an activity is, and why (DESIGN 11). Pure: words in, a judgement out.

Four sources speak, and the highest is believed: the catalogue's level of the category, the waiver form's mapping, the
waiver modal's mapping (SPEC 5), and a lexicon of hazards. All of them compare whole words, by stem: "bicycle" is no
"cycl…" and "grammar" no "mma". What nobody knows is medium, and is to be looked at by a person.

What that person decides is a fifth source among the others, not above them: it takes the place of the medium that
stands for "nobody knows", and never lowers what words or a category prove. They were asked because the engine knew
nothing; what a later release learns of the same words, or a listing tells besides, nobody weighed when they decided.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

import snowballstemmer  # type: ignore[import-untyped]

from porchlight.skills import catalogue
from porchlight.skills.catalogue import LEVELS, Level

WaiverLevel = Literal["low", "medium", "high"]

# SPEC 5, "Form risk level" and "Modal risk level"; whatever they do not name is low and says nothing.
FORM: dict[str, Level] = {
    "physical-training": "high",
    "construction": "high",
    "automotive": "high",
    "outdoor-activities": "high",
    "sports": "high",
    "cooking": "medium",
    "arts-crafts": "medium",
    "home-repair": "medium",
    "gardening": "medium",
}
MODAL: dict[str, Level] = {
    **FORM,
    "fitness": "high",
    "martial-arts": "high",
    "woodworking": "medium",
    "electrical": "medium",
}
UNKNOWN: Level = "medium"
REASONS = 4  # sentences shown at most
KNOWN_SHARE = 1 / 3  # of the words that say something: fewer low ones than this, and the activity is not known

_WORD = re.compile(r"[^\W_]+(?:\+\+)?|[.;:!?,()/]")
_BREAKS = frozenset(".;:!?,()/")


@dataclass(frozen=True, slots=True)
class Assessment:
    """`rating` is one of four; `level` is the waiver's, where extreme counts as high. `reasons` are sentences."""

    rating: Level
    reasons: tuple[str, ...]
    known: bool  # False: nobody has rated this yet; it belongs in the queue

    @property
    def level(self) -> WaiverLevel:
        """The level that the waiver speaks of (SPEC 3)."""
        return "high" if self.rating == "extreme" else self.rating

    @property
    def requires_waiver(self) -> bool:
        """High and extreme do (SPEC 3)."""
        return self.level == "high"

    @property
    def requires_contact(self) -> bool:
        """High risk needs an emergency contact (SPEC 5)."""
        return self.level == "high"


@dataclass(frozen=True, slots=True)
class _Entry:
    stems: tuple[str, ...]  # "=form" for a word that stands in this very form only
    level: Level
    reason: str


@dataclass(frozen=True, slots=True)
class _Match:
    start: int
    end: int
    entry: _Entry


@dataclass(frozen=True, slots=True)
class _Lexicon:
    by_first: dict[str, tuple[_Entry, ...]]
    governors: tuple[tuple[str, ...], ...]
    reach: int
    ends: frozenset[str]
    neutral: frozenset[str]


_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of one lower-case word: "welding" and "welded" are both "weld"."""
    return str(_stemmer.stemWord(word))


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared, with the punctuation that parts them."""
    seen = "".join(c for c in text if unicodedata.category(c) != "Cf")  # nothing invisible inside a word
    plain = catalogue.folded(seen).replace("&", " and ")
    plain = re.sub(r"[’'](?:s|re|ve|ll|d|m|t)\b", "", plain)
    return _WORD.findall(plain)


def _forms(entry: str) -> Iterator[tuple[str, ...]]:
    words = entry.split()
    yield tuple(part for word in words for part in _part(word))
    if any("+" in word.strip("+") for word in words):
        yield tuple(stem(word.replace("+", "")) for word in words)


def _part(word: str) -> list[str]:
    if word.startswith("="):
        return [word]
    if word.endswith("++"):
        return [word]
    return [stem(part) for part in word.split("+")]


@cache
def _lexicon() -> _Lexicon:
    text = files(__package__).joinpath("risk_lexicon.toml").read_text("utf-8")
    raw = tomllib.loads(text)
    by_first: dict[str, list[_Entry]] = {}
    for hazard in raw["hazard"]:
        for words in hazard["words"]:
            for stems in _forms(words):
                by_first.setdefault(stems[0], []).append(_Entry(stems, hazard["level"], hazard["reason"]))
    talk = raw["talk"]
    return _Lexicon(
        {first: tuple(entries) for first, entries in by_first.items()},
        tuple(tuple(stem(word) for word in governor.split()) for governor in talk["governors"]),
        int(talk["reach"]),
        frozenset(talk["ends"]),
        frozenset(stem(word) for word in raw["neutral"]["words"]),
    )


def _matches(words: list[str]) -> list[_Match]:
    """What the lexicon finds in `words`; an entry inside a longer one is not heard."""
    lexicon = _lexicon()
    stems = [stem(word) for word in words]
    found: list[_Match] = []
    for start, word in enumerate(words):
        for first in (stems[start], "=" + word):
            for entry in lexicon.by_first.get(first, ()):
                end = start + len(entry.stems)
                if end <= len(words) and all(
                    wanted[1:] == words[start + at] if wanted.startswith("=") else wanted == stems[start + at]
                    for at, wanted in enumerate(entry.stems)
                ):
                    found.append(_Match(start, end, entry))
    return [
        one
        for one in found
        if not any(
            other.start <= one.start and one.end <= other.end and other.end - other.start > one.end - one.start
            for other in found
        )
    ]


def _spoken_of(words: list[str]) -> set[int]:
    """The places of words that are only spoken, written or drawn about."""
    lexicon = _lexicon()
    stems = [stem(word) for word in words]
    places: set[int] = set()
    for start in range(len(words)):
        for governor in lexicon.governors:
            after = start + len(governor)
            if tuple(stems[start:after]) != governor:
                continue
            for at in range(after, min(after + lexicon.reach, len(words))):
                if words[at] in _BREAKS or words[at] in lexicon.ends:
                    break
                places.add(at)
    return places


@dataclass(frozen=True, slots=True)
class _Said:
    level: Level
    reasons: tuple[tuple[Level, str], ...]


def _by_words(text: str) -> _Said | None:
    """What the lexicon says of a text; None when it does not know."""
    words = words_of(text)
    matches = _matches(words)
    if not matches:
        return _by_keyword(text)
    spoken = _spoken_of(words)
    heard = [
        (match, "low" if all(at in spoken for at in range(match.start, match.end)) else match.entry.level)
        for match in matches
    ]
    level: Level = max((level for _match, level in heard), key=LEVELS.index)
    if level == "low":
        neutral = _lexicon().neutral
        covered = {at for match in matches for at in range(match.start, match.end)} | spoken
        telling = [
            at
            for at, word in enumerate(words)
            if at in covered or not (word in _BREAKS or word.isdigit() or stem(word) in neutral)
        ]
        if len(covered.intersection(telling)) < KNOWN_SHARE * len(telling):
            return None
    reasons: dict[str, tuple[Level, str]] = {}
    for match, said in sorted(heard, key=lambda one: -LEVELS.index(one[1])):
        if said != "low" and match.entry.reason not in reasons:
            shown = " ".join(words[match.start : match.end])[:60]
            reasons[match.entry.reason] = (said, f"“{shown}”: {match.entry.reason} ({said} risk).")
    return _Said(level, tuple(reasons.values()))


@cache
def _keywords() -> dict[str, catalogue.Category]:
    return {folded: one for one in catalogue.everything() for folded in map(catalogue.folded, _own_names(one))}


def _own_names(category: catalogue.Category) -> list[str]:
    return [*(name for name, _popular in category.skills), *(session.name for session in category.session)]


def _by_keyword(text: str) -> _Said | None:
    """What the catalogue says of one of its own skills or sessions that the lexicon does not know."""
    category = _keywords().get(catalogue.folded(text))
    if category is None:
        return None
    return _Said(category.risk, ((category.risk, f"{category.name} is rated {category.risk} risk."),))


def _counted(key: str, level: Level) -> str:
    return f"Waivers count {key.replace('-', ' ')} as {level} risk."


def _by_category(category: str) -> _Said | None:
    """What the catalogue and SPEC's two mappings say of a category, the highest of them; None when they do not know."""
    found: list[tuple[Level, str]] = []
    named = catalogue.named(category)
    if named is not None:
        found.append((named.risk, f"The category {named.name} is rated {named.risk} risk."))
    words = tuple(stem(word) for word in words_of(category.replace("-", " ")) if word not in _BREAKS and word != "and")
    form = FORM.get("-".join(category.strip().lower().split()))
    if form is not None:
        found.append((form, _counted("-".join(category.strip().lower().split()), form)))
    for key, level in MODAL.items():
        wanted = tuple(stem(word) for word in key.split("-"))
        if any(words[at : at + len(wanted)] == wanted for at in range(len(words))):
            found.append((level, _counted(key, level)))
    if not found:
        return _by_words(category)
    level = max((level for level, _reason in found), key=LEVELS.index)
    return _Said(level, tuple(dict.fromkeys(one for one in found if one[0] == level)))


def _reviewed(level: Level) -> str:
    return f"Reviewed by our team: {level} risk."


def assess(category: str, activity: str, decided: Level | None = None) -> Assessment:
    """How risky `activity` in `category` is. Either may be blank; of both blank, nothing is known.

    `decided` is what staff decided for it, if they have.
    """
    by_category = _by_category(category)
    by_words = _by_words(activity)
    said = [one for one in (by_words, by_category) if one is not None]
    rating: Level = max((decided or "low", *(one.level for one in said)), key=LEVELS.index)
    known = decided is not None or by_words is not None or (by_category is not None and not activity.strip())
    reasons = [
        reason
        for level, reason in sorted(
            (reason for one in said for reason in one.reasons), key=lambda one: -LEVELS.index(one[0])
        )
        if level != "low"
    ]
    if not known and LEVELS.index(rating) <= LEVELS.index(UNKNOWN):
        rating = UNKNOWN
        unknown = "We do not know this activity yet. It counts as medium risk until someone has looked at it."
        return Assessment(rating, (unknown, *reasons[: REASONS - 1]), known=False)
    if decided == rating:
        reasons.insert(0, _reviewed(decided))
    if not reasons:
        reasons = ["Nothing here points to more than everyday risk."]
    return Assessment(rating, tuple(reasons[:REASONS]), known=True)


def told_of(title: str, details: str) -> str:
    """A listing's words in one text."""
    return f"{title}. {details}" if details.strip() else title


def assess_offer(title: str, details: str, decided: Level | None = None) -> Assessment:
    """How risky it is to learn a skill as its listing tells of it. The name says what it is, as a category would;
    what is told besides can make it riskier, never safer, and words that nobody knows do not make it unknown.

    `decided` is what staff decided for its name, if they have.
    """
    of_name, of_words = assess(title, ""), assess("", told_of(title, details))
    known = [one for one in (of_words, of_name) if one.known]
    if decided is not None:
        known.insert(0, Assessment(decided, (_reviewed(decided),), known=True))
    if not known:
        return of_words
    worst = max(known, key=lambda one: LEVELS.index(one.rating))
    reasons = tuple(dict.fromkeys(reason for one in known if one.rating == worst.rating for reason in one.reasons))
    return Assessment(worst.rating, reasons[:REASONS], known=True)
