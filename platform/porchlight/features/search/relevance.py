"""Decide which of the found rows answer a search, by the words and the category that they have in common with it.

The meaning of a word alone is near to many others: "babysitter" to pets, "sew" to saws. So a row needs a higher
probability the less of the search is in its texts. rules.py has the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from porchlight.embeddings.named_things import named_things
from porchlight.features.search import rules
from porchlight.features.search.categories import categories_of
from porchlight.features.search.shared_words import content_words, words_in


class FoundItem(NamedTuple):
    """A row of SEARCH. `item`: the id, or the slug of a page; `probability`: that it fits."""

    kind: str
    item: str
    title: str
    summary: str | None
    label: str
    slug: str
    who: str
    handle: str
    photo_id: UUID | None
    photo_url: str
    price_cents: int | None
    terms: list[str] | None
    formats: list[str] | None
    city: str
    cell_lat: int | None
    cell_lon: int | None
    km: float | None
    probability: float
    words: str | None


class SharedEvidence(Enum):
    """The things that a row has in common with a search, the strongest first."""

    ALL_WORDS = "all words"
    SEEN_WORD = "a word that its title or summary has"
    CATEGORY = "a category"
    HIDDEN_WORD = "a word that only its tags, skills or services have"
    MEANING = "meaning alone"


class _Judged(NamedTuple):
    row: FoundItem
    evidence: SharedEvidence


def evidence_of(search: str, row: FoundItem) -> SharedEvidence:
    """Return what a row has in common with a search. A search of common words alone has all its words everywhere."""
    names = named_things()
    words = set(content_words(names.spell(search)))
    seen = words_in(words, names.spell(f"{row.title} {row.summary or ''}"))
    hidden = words_in(words - seen, names.spell(row.words)) if row.words else set()
    if seen | hidden == words:
        return SharedEvidence.ALL_WORDS
    if seen:
        return SharedEvidence.SEEN_WORD
    if not categories_of(search).isdisjoint(categories_of(f"{row.title} {row.words or ''}")):
        return SharedEvidence.CATEGORY
    return SharedEvidence.HIDDEN_WORD if hidden else SharedEvidence.MEANING


def is_other_thing(search: str, row: FoundItem) -> bool:
    """Return whether a row is about another language, instrument, sport or tool than the one that a search names."""
    text = row.title if row.kind == "offer" else f"{row.title} {row.summary or ''} {row.words or ''}"
    return named_things().are_different(search, text)


def answers_and_related(
    words: str, found: Sequence[FoundItem], *, has_meaning: bool = True
) -> tuple[list[FoundItem], list[FoundItem]]:
    """Return the rows of SEARCH that answer these words, and a few weaker ones, each in their order.

    Rows about another thing of the same sort are left out: SEARCH also finds similar spellings. `has_meaning`: the
    model has read the search.
    """
    rows = [_Judged(row, evidence_of(words, row)) for row in found if not is_other_thing(words, row)]
    best = max((row.probability for row, _evidence in rows), default=0.0)
    floor = max(rules.MIN_FIT, rules.MIN_SHARE_OF_BEST * best)
    answers = [one for one in rows if one.row.probability >= _least(one, floor, has_meaning=has_meaning)]
    weaker = [one for one in rows if one not in answers and _may_please(words, one, bool(answers), has_meaning)]
    return [one.row for one in answers], [one.row for one in weaker][: rules.MAX_RELATED]


def _least(one: _Judged, floor: float, *, has_meaning: bool) -> float:
    """Return the probability from which a row is an answer. One with all words is, also below `floor` of the others."""
    kind, evidence = one.row.kind, one.evidence
    if evidence is SharedEvidence.ALL_WORDS:
        return rules.MIN_SHOWN[kind]
    if not has_meaning and evidence is not SharedEvidence.SEEN_WORD:
        return rules.ALIKE_BY_SPELLING
    return max(floor, rules.MIN_SHOWN[kind], rules.MIN_ANSWER[evidence.name][kind])


def _may_please(search: str, one: _Judged, has_answers: bool, has_meaning: bool) -> bool:
    """Return whether a row that does not answer is shown below: a page has a word or a category in common to show.

    Without an answer, a listing may still be a paraphrase of what a long search says. What is near by its spelling
    alone is never shown.
    """
    shares_word = one.evidence in (SharedEvidence.ALL_WORDS, SharedEvidence.SEEN_WORD)
    kind, probability = one.row.kind, one.row.probability
    if not has_meaning:
        return shares_word and probability >= rules.MIN_SHOWN[kind]
    if kind != "offer":
        return (shares_word or one.evidence is SharedEvidence.CATEGORY) and probability >= rules.MIN_SHOWN[kind]
    may_be_paraphrase = not has_answers and len(content_words(search)) >= rules.MIN_PARAPHRASE_WORDS
    return probability >= (rules.MIN_PARAPHRASE if may_be_paraphrase else rules.MIN_SHOWN["offer"])
