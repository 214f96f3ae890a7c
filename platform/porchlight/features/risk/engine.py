"""The risk engine: rates the risk of an activity and gives the reasons (docs/risk.md). Uses no database.

The rating is the highest of four sources: the catalog's level of the category, the waiver form's mapping, the waiver
modal's mapping (SPEC 5), and a lexicon of hazards. All of them compare whole words by stem, so "bicycle" does not match
"cycl…" and "grammar" does not match "mma". An unknown activity is medium until staff reviews it.

The classifier's score adds the meaning. A high score makes an activity high, also one whose words the lexicon takes for
something milder. A very low one ("bees in poetry") makes an activity that is high by its words alone medium, and a low
one a description that is high or extreme by its words alone. Staff reviews all of these.

The decision of a review is the last source. It replaces the rating of the words that staff read and that of the
classifier, except extreme words, and never lowers the rating of a category or of details: staff decided without them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from porchlight.contracts import RISK_LEVELS, RatedCategory, RiskLevel
from porchlight.features.risk.lexicon import (
    PUNCTUATION,
    LexiconMatch,
    find_matches,
    load_lexicon,
    stem,
    tokenize,
    topic_positions,
)
from tenants.kit.text import normalize_text, to_slug

WaiverLevel = Literal["low", "medium", "high"]

# SPEC 5, "Form risk level" and "Modal risk level". A category that they do not name is low, which has no effect here.
FORM_LEVELS: dict[str, RiskLevel] = {
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
MODAL_LEVELS: dict[str, RiskLevel] = {
    **FORM_LEVELS,
    "fitness": "high",
    "martial-arts": "high",
    "woodworking": "medium",
    "electrical": "medium",
}
UNKNOWN_LEVEL: RiskLevel = "medium"
MAX_REASONS = 4
# An activity is high from this score of the classifier on. One that the other sources rate low is usually talked about,
# planned or played, so it takes a higher score.
HIGH_SCORE: dict[RiskLevel, float] = {"low": 0.8, "medium": 0.5}
MIN_WORDS_RAISED = 3  # fewer words that the lexicon knows are the name of a skill, and mean what it says
HARMLESS_SCORE = 0.1
# A description names dangers in passing ("my uncle, who dynamited tunnels"), so its meaning counts for more.
MIN_PROSE_WORDS = 15
PROSE_HIGH_SCORE = 0.8
PROSE_HARMLESS_SCORE = 0.2
# An activity with only low matches is known if they cover this share of its meaningful words.
MIN_KNOWN_SHARE = 1 / 3
MAX_QUOTE_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Assessment:
    """The rating of an activity, with reasons as sentences. `known` false: it needs a review by staff.

    `by_words`: the rating comes from the lexicon alone.
    """

    rating: RiskLevel
    reasons: tuple[str, ...]
    known: bool
    by_words: bool = False

    @property
    def level(self) -> WaiverLevel:
        """The waiver's level, where extreme counts as high (SPEC 3)."""
        return "high" if self.rating == "extreme" else self.rating

    @property
    def requires_waiver(self) -> bool:
        """Whether the risk is high or extreme (SPEC 3)."""
        return self.level == "high"

    @property
    def requires_contact(self) -> bool:
        """Whether the waiver needs an emergency contact: at high risk (SPEC 5)."""
        return self.level == "high"


@dataclass(frozen=True, slots=True)
class _SourceRating:
    """The rating of one source. Each reason has the level that it gives. `by_words`: the source is the lexicon."""

    level: RiskLevel
    reasons: tuple[tuple[RiskLevel, str], ...]
    by_words: bool = False

    @property
    def is_replaceable(self) -> bool:
        """Whether a decision of staff replaces it: staff read the words, and no one mistake is fatal."""
        return self.by_words and self.level != "extreme"


def _mapping_reason(key: str, level: RiskLevel) -> str:
    return f"{key.replace('-', ' ').capitalize()} is {level} risk by our waiver rules."


def _category_reason(category: RatedCategory) -> str:
    return f"{category.name} is a {category.risk}-risk category."


def _words_reason(match: LexiconMatch, words: list[str]) -> str:
    """Return the reason for a match. A medium one is a tip, without the word that it comes from."""
    reason = match.entry.reason
    if match.entry.level == "medium":
        return f"{reason[0].upper()}{reason[1:]}."
    return f"“{' '.join(words[match.start : match.end])[:MAX_QUOTE_CHARACTERS]}”: {reason}."


_LIKELY_REASON = "We're still reviewing this activity. Until then it needs a waiver."
_HARMLESS_REASON = "This sounds harmless. Our team is taking a look."
_UNKNOWN_REASON = "We don't know this activity yet. Our team is taking a look."


def _lowered(assessment: Assessment) -> Assessment:
    return Assessment("medium", (_HARMLESS_REASON, *assessment.reasons)[:MAX_REASONS], known=False)


def _apply_score(assessment: Assessment, score: float | None, text: str, *, is_prose: bool = False) -> Assessment:
    """Return the assessment of a text after the classifier's score."""
    if score is None:
        return assessment
    words = len(text.split())
    is_long = words >= MIN_PROSE_WORDS
    # The score of words that the model does not know is 0, which says nothing: "Krav Maga".
    can_lower = score > 0 and assessment.by_words and (is_long or assessment.rating == "high")
    if can_lower and assessment.requires_waiver and score < (PROSE_HARMLESS_SCORE if is_long else HARMLESS_SCORE):
        return _lowered(assessment)
    minimum = HIGH_SCORE.get(assessment.rating)
    is_prose = is_prose or is_long
    is_name = assessment.known and words < MIN_WORDS_RAISED and not is_prose
    if minimum is None or is_name or score < (PROSE_HIGH_SCORE if is_prose else minimum):
        return assessment
    reasons = assessment.reasons if assessment.known and assessment.rating != "low" else ()
    return Assessment("high", (_LIKELY_REASON, *reasons)[:MAX_REASONS], known=False)


def _named_otherwise(words: list[str]) -> set[int]:
    """Return the positions of words that are part of the name of something harmless: "electric guitar"."""
    matches = [match for match in find_matches(words) if match.entry.level == "low"]
    return {position for match in matches if len(match.positions) > 1 for position in match.positions}


def _decision_reason(level: RiskLevel) -> str:
    return f"Reviewed by our team: {level} risk."


def listing_text(title: str, details: str) -> str:
    """Return the title and the details of a listing as one text."""
    return f"{title}. {details}" if details.strip() else title


class RiskEngine:
    """Rates activities and listings, given the categories of the skill catalog."""

    def __init__(self, categories: Iterable[RatedCategory]) -> None:
        categories = tuple(categories)
        self._by_slug = {to_slug(category.name): category for category in categories}
        self._by_slug |= {category.slug: category for category in categories}
        self._by_activity = {
            normalize_text(activity): category for category in categories for activity in category.activities
        }

    def assess(
        self, category: str, activity: str, decided: RiskLevel | None = None, score: float | None = None
    ) -> Assessment:
        """Rate `activity` in `category`. Either may be blank; with both blank, the result is unknown.

        `decided` is the decision of staff on the activity, `score` the classifier's score of it, if any.
        """
        assessment = self._assess(category, activity, decided)
        return assessment if decided else _apply_score(assessment, score, activity)

    def _assess(self, category: str, activity: str, decided: RiskLevel | None) -> Assessment:
        by_category = self._rate_category(category)
        by_words = self._rate_words(activity)
        if decided is not None and by_words is not None and by_words.is_replaceable:
            by_words = None
        ratings = [rating for rating in (by_words, by_category) if rating is not None]
        level: RiskLevel = max((decided or "low", *(rating.level for rating in ratings)), key=RISK_LEVELS.index)
        known = decided is not None or by_words is not None or (by_category is not None and not activity.strip())
        graded_reasons = sorted(
            (reason for rating in ratings for reason in rating.reasons),
            key=lambda reason: -RISK_LEVELS.index(reason[0]),
        )
        if not known and RISK_LEVELS.index(level) <= RISK_LEVELS.index(UNKNOWN_LEVEL):
            others = [text for reason_level, text in graded_reasons if reason_level != "low"]
            return Assessment(UNKNOWN_LEVEL, (_UNKNOWN_REASON, *others[: MAX_REASONS - 1]), known=False)
        # A reason for a lower level would contradict the rating.
        reasons = [text for reason_level, text in graded_reasons if reason_level == level != "low"]
        if decided == level:
            reasons.insert(0, _decision_reason(decided))
        if not reasons:
            reasons = ["We don't see any special risks."]
        from_lexicon = decided is None and all(rating.by_words for rating in ratings if rating.level == level)
        return Assessment(level, tuple(reasons[:MAX_REASONS]), known=True, by_words=from_lexicon)

    def assess_offer(
        self,
        title: str,
        details: str,
        decided: RiskLevel | None = None,
        title_score: float | None = None,
        text_score: float | None = None,
    ) -> Assessment:
        """Rate a listing. The title counts like a category; the details can raise the rating but not lower it.

        Unknown words in the details do not make the listing unknown. `decided` is the decision of staff on the title.
        `title_score` and `text_score` are the classifier's scores of the title and of `listing_text`. The first changes
        the rating of the title only, the second that of the details: a harmless title is no reason to lower what the
        details say, and a decision on the title none to ignore them.
        """
        by_words = self._assess_offer(title, details, decided)
        if decided in ("high", "extreme"):
            return by_words
        parts: list[tuple[Assessment, Assessment]] = []  # by words, and with the score
        if decided is None:
            of_title = self._assess_offer(title, "", None)
            parts.append((of_title, _apply_score(of_title, title_score, title)))
        if details.strip():
            of_details = self._assess("", details, None)
            parts.append((of_details, _apply_score(of_details, text_score, details, is_prose=True)))
        high = next((scored for _by_words, scored in parts if scored.requires_waiver), None)
        if high is not None:
            return by_words if by_words.requires_waiver else high
        if by_words.requires_waiver and any(words.requires_waiver for words, _scored in parts):
            return _lowered(by_words)
        return by_words

    def _assess_offer(self, title: str, details: str, decided: RiskLevel | None) -> Assessment:
        by_title = self._assess(title, "", None)
        by_text = self._assess("", listing_text(title, details), None)
        if decided is not None and by_title.by_words and by_title.rating != "extreme":
            # Staff read the title, but not the details.
            by_title = by_text = self._assess("", details, None)
        known = [assessment for assessment in (by_text, by_title) if assessment.known]
        if decided is not None:
            known.insert(0, Assessment(decided, (_decision_reason(decided),), known=True))
        if not known:
            return by_text
        level = max(known, key=lambda assessment: RISK_LEVELS.index(assessment.rating)).rating
        highest = [assessment for assessment in known if assessment.rating == level]
        reasons = dict.fromkeys(reason for assessment in highest for reason in assessment.reasons)
        by_words = all(assessment.by_words for assessment in highest)
        return Assessment(level, tuple(reasons)[:MAX_REASONS], known=True, by_words=by_words)

    def _rate_category(self, category: str) -> _SourceRating | None:
        """Return the highest rating of a category by the catalog and SPEC's two mappings, or else by its words."""
        reasons: list[tuple[RiskLevel, str]] = []
        known = self._by_slug.get(to_slug(category))
        if known is not None:
            reasons.append((known.risk, _category_reason(known)))
        key = "-".join(category.strip().lower().split())
        if (form_level := FORM_LEVELS.get(key)) is not None:
            reasons.append((form_level, _mapping_reason(key, form_level)))
        words = [word for word in tokenize(category.replace("-", " ")) if word not in PUNCTUATION and word != "and"]
        stems = tuple(stem(word) for word in words)
        named = _named_otherwise(words)
        for key, level in MODAL_LEVELS.items():
            expected = tuple(stem(word) for word in key.split("-"))
            if any(
                stems[start : start + len(expected)] == expected
                and not named.issuperset(range(start, start + len(expected)))
                for start in range(len(stems))
            ):
                reasons.append((level, _mapping_reason(key, level)))
        if not reasons:
            return self._rate_words(category)
        highest = max((level for level, _text in reasons), key=RISK_LEVELS.index)
        return _SourceRating(highest, tuple(dict.fromkeys(reason for reason in reasons if reason[0] == highest)))

    def _rate_words(self, text: str) -> _SourceRating | None:
        """Return the rating of a text by the lexicon, or else by the catalog's activities; None if both lack it."""
        words = tokenize(text)
        matches = find_matches(words)
        if not matches:
            return self._rate_catalog_activity(text)
        topics = topic_positions(words)
        graded: list[tuple[RiskLevel, int]] = [
            ("low" if topics.issuperset(match.positions) else match.entry.level, index)
            for index, match in enumerate(matches)
        ]
        level: RiskLevel = max((level for level, _index in graded), key=RISK_LEVELS.index)
        if level == "low":
            neutral = load_lexicon().neutral
            covered = {position for match in matches for position in match.positions} | topics
            meaningful = [
                position
                for position, word in enumerate(words)
                if position in covered or not (word in PUNCTUATION or word.isdigit() or stem(word) in neutral)
            ]
            if len(covered.intersection(meaningful)) < MIN_KNOWN_SHARE * len(meaningful):
                return None
        reasons: dict[str, tuple[RiskLevel, str]] = {}
        for match_level, index in sorted(graded, key=lambda grade: -RISK_LEVELS.index(grade[0])):
            match = matches[index]
            if match_level != "low" and match.entry.reason not in reasons:
                reasons[match.entry.reason] = (match_level, _words_reason(match, words))
        return _SourceRating(level, tuple(reasons.values()), by_words=True)

    def _rate_catalog_activity(self, text: str) -> _SourceRating | None:
        """Return the rating of a skill or session of the catalog, or None."""
        category = self._by_activity.get(normalize_text(text))
        if category is None:
            return None
        return _SourceRating(category.risk, ((category.risk, _category_reason(category)),))
