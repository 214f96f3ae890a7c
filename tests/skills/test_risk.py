"""The risk engine: whole words, the highest of all sources, nothing dangerous called harmless."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.skills import catalogue, risk
from porchlight.skills.catalogue import LEVELS
from porchlight.skills.risk import assess, stem, words_of
from tests.skills.labels import Half, rated


@pytest.mark.parametrize("half", ["tuning", "held-out"])
def test_nothing_high_or_extreme_is_rated_low(half: Half) -> None:
    assert [one.activity for one in rated(half) if one.dangerous] == []


@pytest.mark.parametrize("half", ["tuning", "held-out"])
def test_nine_in_ten_are_rated_as_labelled(half: Half) -> None:
    found = rated(half)
    assert sum(one.exact for one in found) >= 0.9 * len(found)


def test_the_set_is_large_and_its_halves_share_nothing() -> None:
    halves = [{one.activity.casefold() for one in rated(half)} for half in ("tuning", "held-out")]
    assert min(map(len, halves)) >= 150
    assert halves[0].isdisjoint(halves[1])


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
        # The catalogue says high where the modal says medium: the highest is believed (DESIGN 11).
        *[(name, "high") for name in ("Martial Arts", "martial-arts", "Woodworking", "Electrical")],
        # The catalogue says medium, the modal's "fitness" high.
        ("Health & Fitness", "high"),
        *[(name, "low") for name in ("Creative", "Technical", "Language", "Business", "Academic")],
        ("Practical", "medium"),
    ],
)
def test_the_highest_of_catalogue_form_and_modal_is_believed(category: str, level: str) -> None:
    found = assess(category, "")
    assert (found.level, found.known) == (level, True)
    assert found.requires_waiver == found.requires_contact == (level == "high")


@pytest.mark.parametrize("category", ["Language", "Creative", ""])
def test_a_low_category_does_not_cover_up_a_dangerous_activity(category: str) -> None:
    found = assess(category, "Spanish vocabulary while we skydive")
    assert (found.rating, found.level, found.requires_contact) == ("extreme", "high", True)
    assert "skydive" in found.reasons[0]


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
def test_words_that_only_look_dangerous_are_not(text: str) -> None:
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
def test_dangerous_words_are_heard_however_they_are_written(text: str, level: str) -> None:
    assert assess("", text).level == level


@pytest.mark.parametrize(("category", "text"), [("", ""), ("Zorbing", "zorb"), ("Business", "Wakeskating"), ("", "🙂")])
def test_what_nobody_knows_is_medium_and_says_so(category: str, text: str) -> None:
    found = assess(category, text)
    assert (found.rating, found.known, found.requires_waiver) == ("medium", False, False)
    assert "do not know" in found.reasons[0]


def test_a_few_harmless_words_do_not_make_a_strange_activity_harmless() -> None:
    assert not assess("", "Guitar zorbing wakeskating quidditching glorping").known


def test_an_unknown_activity_in_a_risky_category_needs_no_second_look() -> None:
    found = assess("Martial Arts", "Zorb")
    assert (found.level, found.known) == ("high", True)


@pytest.mark.parametrize("category", catalogue.open_categories(), ids=lambda one: one.slug)
def test_the_catalogue_s_own_sessions_are_known_and_never_below_their_category(category: catalogue.Category) -> None:
    for session in category.session:
        found = assess(category.name, session.name)
        assert found.known, session.name
        assert LEVELS.index(found.rating) >= LEVELS.index(category.risk)


# --- whole words, as properties ------------------------------------------------------------------------------------

WORDS = st.text(string.ascii_lowercase, min_size=1, max_size=12)
HAZARDS = sorted(
    stems[0]
    for entries in risk._lexicon().by_first.values()
    for stems, level in ((entry.stems, entry.level) for entry in entries)
    if len(stems) == 1 and level in ("high", "extreme") and stem(stems[0]) == stems[0] and stems[0].isalpha()
)


@given(st.sampled_from(HAZARDS), WORDS, WORDS)
def test_a_hazard_inside_a_longer_word_is_not_heard(hazard: str, before: str, after: str) -> None:
    word = before + hazard + after
    alone = {entry.stems for entry in risk._lexicon().by_first.get(stem(word), ())}
    forms = {"=" + word, stem(word)}
    if forms & set(risk._lexicon().by_first) and any(len(stems) == 1 for stems in alone):
        return  # the longer word is a word of the lexicon itself
    assert assess("", word).rating == "medium"
    assert not assess("", word).known


@given(st.sampled_from(HAZARDS), st.lists(WORDS, max_size=4), st.lists(WORDS, max_size=4))
def test_a_hazard_among_other_words_is_never_rated_low(hazard: str, before: list[str], after: list[str]) -> None:
    # Set apart, so that neither a longer phrase nor "history of …" can take it in.
    text = f"{' '.join(before)}. {hazard}. {' '.join(after)}"
    assert assess("", text).level == "high"


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_is_rated_and_more_said_is_never_less_risk(category: str, activity: str) -> None:
    found = assess(category, activity)
    assert found.rating in LEVELS
    assert found.reasons
    assert all(len(reason) < 200 for reason in found.reasons)
    louder = assess(category, activity + ". Skydiving.")
    assert louder.rating == "extreme"


@given(st.text(max_size=200))
def test_words_are_the_same_whatever_the_case_and_the_spaces(text: str) -> None:
    spaced = "  ".join(text.upper().split())
    assert words_of(spaced) == words_of(" ".join(text.upper().split()))
