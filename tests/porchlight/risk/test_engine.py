"""The risk engine: matches whole words, takes the highest of all sources, never rates a dangerous activity low."""

from __future__ import annotations

import string
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.catalog import catalog
from porchlight.contracts import RISK_LEVELS
from porchlight.features.risk.lexicon import load_lexicon, stem, tokenize
from tests.porchlight.risk.labeled_activities import ENGINE, ActivitySet, labeled_activities, rate_activities

assess = ENGINE.assess


@pytest.mark.parametrize("half", ["tuning", "held-out"])
def test_dangerous_activities_are_never_rated_low(half: ActivitySet) -> None:
    assert [one.activity for one in rate_activities(half) if one.dangerous] == []


def test_reasons_speak_of_no_lower_level() -> None:
    # The category is rated medium, the activity high.
    found = assess("culinary", "knife throwing")
    assert found.rating in ("high", "extreme")
    assert not [reason for reason in found.reasons if "medium risk" in reason or "low risk" in reason]
    for category in catalog.rated_categories():
        for _, _, activity in labeled_activities("tuning")[::10]:
            rated = assess(category.slug, activity)
            others = [level for level in RISK_LEVELS if level != rated.rating]
            assert not rated.known or not [r for r in rated.reasons for level in others if f"rated {level} risk" in r]


@pytest.mark.parametrize("half", ["tuning", "held-out"])
def test_nine_in_ten_ratings_match_labels(half: ActivitySet) -> None:
    assessment = rate_activities(half)
    assert sum(one.exact for one in assessment) >= 0.9 * len(assessment)


def test_labeled_set_is_large_and_halves_are_disjoint() -> None:
    sets: tuple[ActivitySet, ...] = ("tuning", "held-out")
    halves = [{activity.casefold() for _label, _category, activity in labeled_activities(half)} for half in sets]
    assert min(map(len, halves)) >= 150
    assert halves[0].isdisjoint(halves[1])


def test_measured_activities_are_not_in_training_set() -> None:
    lines = (files("porchlight.embeddings.training") / "activities.tsv").read_text("utf-8").splitlines()
    trained = {line.partition("\t")[2].casefold() for line in lines}
    assert len(trained) > 10_000
    halves: tuple[ActivitySet, ...] = ("plain-seen", "plain-unseen", "held-out", "descriptions")
    measured = [activity for half in halves for _label, _category, activity in labeled_activities(half)]
    assert [activity for activity in measured if activity.casefold() in trained] == []


@pytest.mark.parametrize(
    ("category", "level"),
    [
        # SPEC 5, form risk level.
        *[(name, "high") for name in ("physical-training", "construction", "automotive", "outdoor-activities")],
        ("sports", "high"),
        *[(name, "medium") for name in ("cooking", "arts-crafts", "home-repair", "gardening")],
        # SPEC 5, modal risk level: lower-cased, spaces as hyphens.
        ("Outdoor Activities", "high"),
        ("Fitness", "high"),
        ("Arts Crafts", "medium"),
        # The catalog says high where the modal says medium: the highest applies (docs/settled-questions.md).
        *[(name, "high") for name in ("Martial Arts", "martial-arts", "Woodworking", "Electrical")],
        # The catalog says medium, the modal's "fitness" high.
        ("Health & Fitness", "high"),
        *[(name, "low") for name in ("Creative", "Technical", "Language", "Business", "Academic")],
        ("Practical", "medium"),
    ],
)
def test_category_risk_is_highest_of_all_sources(category: str, level: str) -> None:
    assessment = assess(category, "")
    assert (assessment.level, assessment.known) == (level, True)
    assert assessment.requires_waiver == assessment.requires_contact == (level == "high")


@pytest.mark.parametrize("category", ["Language", "Creative", ""])
def test_low_category_does_not_lower_dangerous_activity(category: str) -> None:
    assessment = assess(category, "Spanish vocabulary while we skydive")
    assert (assessment.rating, assessment.level, assessment.requires_contact) == ("extreme", "high", True)
    assert "skydive" in assessment.reasons[0]


@pytest.mark.parametrize(
    "text",
    [
        "Grammar",
        "Spanish conversation in Boulder",
        "Alternative history reading",
        "Quantum mechanics tutoring",
        "Constructive feedback on your essay",
        "Electric piano lessons",
        "Generate leads for your business",
        "Homework rescue",
        "Job hunting",
        "Climbing the career ladder",
        "Product photo shoot",
        "Surfing the web",
        "A coding bootcamp",
        "History of martial arts films",
        "Drum machine beats",
        "Origami cranes",
        "Friday poetry night",
    ],
)
def test_harmless_words_that_look_dangerous_are_low(text: str) -> None:
    assert assess("", text).level == "low"


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Drawing blood", "high"),
        ("Drawing horses, then riding them", "high"),
        ("History of archery and then target shooting", "high"),
        ("Piano (and a little skydiving)", "high"),
        ("Sky-diving", "high"),
        ("sky diving", "high"),
        ("sky\u200bdiving", "high"),
        ("ＳＫＹＤＩＶＩＮＧ", "high"),
        ("Chain saw", "high"),
        ("welded, welding, weld", "high"),
        ("bicycle", "medium"),
    ],
)
def test_dangerous_words_match_in_all_spellings(text: str, level: str) -> None:
    assert assess("", text).level == level


@pytest.mark.parametrize(("category", "text"), [("", ""), ("Zorbing", "zorb"), ("Business", "Wakeskating"), ("", "🙂")])
def test_unknown_activity_is_medium_with_reason(category: str, text: str) -> None:
    assessment = assess(category, text)
    assert (assessment.rating, assessment.known, assessment.requires_waiver) == ("medium", False, False)
    assert "don't know" in assessment.reasons[0]


def test_mostly_unknown_words_stay_unknown() -> None:
    assert not assess("", "Guitar zorbing wakeskating quidditching glorping").known


def test_unknown_activity_in_high_category_is_known() -> None:
    assessment = assess("Martial Arts", "Zorb")
    assert (assessment.level, assessment.known) == ("high", True)


@pytest.mark.parametrize("category", catalog.open_categories(), ids=lambda one: one.slug)
def test_catalog_sessions_are_known_and_rated_as_category(category: catalog.Category) -> None:
    for session in category.session:
        assessment = assess(category.name, session.name)
        assert assessment.known, session.name
        assert RISK_LEVELS.index(assessment.rating) >= RISK_LEVELS.index(category.risk)


# --- whole words, as properties ------------------------------------------------------------------------------------

WORDS = st.text(string.ascii_lowercase, min_size=1, max_size=12)
HAZARDS = sorted(
    stems[0]
    for entries in load_lexicon().by_first.values()
    for stems, level in ((entry.stems, entry.level) for entry in entries)
    if len(stems) == 1 and level in ("high", "extreme") and stem(stems[0]) == stems[0] and stems[0].isalpha()
)


@given(st.sampled_from(HAZARDS), WORDS, WORDS)
def test_hazard_inside_longer_word_does_not_match(hazard: str, before: str, after: str) -> None:
    word = before + hazard + after
    entries = {entry.stems for entry in load_lexicon().by_first.get(stem(word), ())}
    forms = {"=" + word, stem(word)}
    if forms & set(load_lexicon().by_first) and any(len(stems) == 1 for stems in entries):
        return  # the longer word has an entry itself
    assert assess("", word).rating == "medium"
    assert not assess("", word).known


@given(st.sampled_from(HAZARDS), st.lists(WORDS, max_size=4), st.lists(WORDS, max_size=4))
def test_hazard_among_other_words_is_high(hazard: str, before: list[str], after: list[str]) -> None:
    # In a sentence of its own, so that neither a longer entry nor "history of …" applies.
    text = f"{' '.join(before)}. {hazard}. {' '.join(after)}"
    assert assess("", text).level == "high"


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_is_rated_and_added_hazard_raises_it(category: str, activity: str) -> None:
    assessment = assess(category, activity)
    assert assessment.rating in RISK_LEVELS
    assert assessment.reasons
    assert all(len(reason) < 200 for reason in assessment.reasons)
    with_hazard = assess(category, activity + ". Skydiving.")
    assert with_hazard.rating == "extreme"


@given(st.text(max_size=200))
def test_tokens_ignore_repeated_spaces(text: str) -> None:
    spaced = "  ".join(text.upper().split())
    assert tokenize(spaced) == tokenize(" ".join(text.upper().split()))


@pytest.mark.parametrize(
    "title", ["Acoustic and electric guitar", "Electric piano for beginners", "Sports photography", "Electric bass"]
)
def test_word_within_a_harmless_name_raises_no_offer(title: str) -> None:
    assert ENGINE.assess_offer(title, "").rating == "low"


@pytest.mark.parametrize("title", ["Electric guitar building", "Electrical repairs", "Guitar and electrical work"])
def test_other_words_still_raise_an_offer(title: str) -> None:
    assert ENGINE.assess_offer(title, "").requires_waiver
