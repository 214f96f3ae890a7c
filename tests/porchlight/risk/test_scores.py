"""Scores of the risk classifier: cached in the process, and stored for listings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import psycopg
import pytest

from porchlight.catalog.catalog import rated_categories
from porchlight.contracts import RiskLevel
from porchlight.features.risk.assessor import RiskService
from porchlight.features.risk.engine import (
    HARMLESS_SCORE,
    HIGH_SCORE,
    PROSE_HARMLESS_SCORE,
    PROSE_HIGH_SCORE,
    RiskEngine,
)
from porchlight.features.risk.scores import MAX_WORDS, RiskScores
from porchlight.ports import BadWeights
from tenants.db.pool import Database as Pools
from tests.fixtures.databases import Database
from tests.porchlight.factories import seed_user

HARMLESS, LIKELY = "tune my ukulele", "get grandpa off the toilet"
ENGINE = RiskEngine(rated_categories())


class _Classifier:
    """Counts its calls. Everything about grandpa is high."""

    def __init__(self, name: str = "test") -> None:
        self.name = name
        self.classified: list[str] = []

    def scores(self, texts: Sequence[str]) -> list[float]:
        self.classified += texts
        return [0.99 if "grandpa" in text else 0.01 for text in texts]


@pytest.fixture(scope="module")
async def pools(database: Database) -> AsyncIterator[Pools]:
    async with Pools(database.app_url) as opened:
        yield opened


async def test_scores_are_classified_once_per_process(pools: Pools) -> None:
    classifier = _Classifier("once")
    scores = RiskScores(pools, classifier)
    for _ in range(2):
        found = await scores.of([HARMLESS, LIKELY, "", "  "], stored=False)
        assert found == {HARMLESS: 0.01, LIKELY: 0.99}
    assert await scores.of(["TUNE my  ukulele"], stored=False) == {"TUNE my  ukulele": 0.01}
    assert classifier.classified == [HARMLESS, LIKELY]


async def test_scores_of_listings_are_stored(pools: Pools, database: Database) -> None:
    await RiskScores(pools, _Classifier("stored")).of([LIKELY], stored=True)
    other_process = _Classifier("stored")
    assert (await RiskScores(pools, other_process).of([LIKELY], stored=True))[LIKELY] == pytest.approx(0.99)
    assert other_process.classified == []
    retrained = _Classifier("retrained")
    await RiskScores(pools, retrained).of([LIKELY], stored=True)
    assert retrained.classified == [LIKELY]
    with psycopg.connect(database.service_url) as conn:
        before = conn.execute("SELECT count(*) FROM risk_scores").fetchone()
        await RiskScores(pools, _Classifier("draft")).of([HARMLESS], stored=False)
        assert conn.execute("SELECT count(*) FROM risk_scores").fetchone() == before


async def test_title_and_details_are_scored_up_to_a_length(pools: Pools) -> None:
    classifier = _Classifier("details")
    service = RiskService(pools, rated_categories(), classifier)
    long = f"{LIKELY} {'and talk ' * MAX_WORDS}"
    plain, by_title, by_details, unscored = await service.assess_listings(
        [("Ukulele", HARMLESS), (LIKELY, HARMLESS), ("Ukulele", LIKELY), ("Ukulele", long)]
    )
    assert [(risk.rating, risk.known) for risk in (plain, by_title, by_details, unscored)] == [
        ("low", True), ("high", False), ("high", False), ("medium", True),
    ]  # fmt: skip
    assert by_details.reasons[0].startswith("We're still reviewing this activity.")
    assert (await service.assess_activity("", LIKELY)).requires_waiver
    assert not (await service.assess_activity("", long)).requires_waiver
    texts = ["Ukulele", LIKELY, f"Ukulele. {HARMLESS}", f"{LIKELY}. {HARMLESS}", f"Ukulele. {LIKELY}"]
    assert sorted(classifier.classified) == sorted(texts)


async def test_staff_review_details_that_raise_the_risk(pools: Pools, database: Database) -> None:
    details = f"{LIKELY} on mondays"
    service = RiskService(pools, rated_categories(), _Classifier("reviewed"))
    with psycopg.connect(database.service_url, autocommit=True) as conn:

        async def decide(activity: str) -> None:
            statement = "UPDATE risk_reviews SET level = 'low', decided_at = app.now() WHERE activity = %s"
            assert conn.execute(statement, [activity]).rowcount == 1
            service.decisions.on_change()

        await service.request_review("Quorvle hour", details)
        await decide("quorvle hour")
        assert (await service.assess_offer("Quorvle hour", details)).requires_waiver, "staff have not seen the details"
        await service.request_review("Quorvle hour", details)
        await decide(f"quorvle hour. {details}")
    assert not (await service.assess_offer("Quorvle hour", details)).requires_waiver


async def test_review_asked_by_two_owners_outlives_one(pools: Pools, database: Database) -> None:
    service = RiskService(pools, rated_categories())
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        owners = [seed_user(conn) for _ in range(2)]
        asked_by = []
        for owner in owners:
            await service.request_review("Zwerble evening", "", owner_id=owner)
            query = "SELECT asked_by FROM risk_reviews WHERE activity = 'zwerble evening'"
            asked_by += conn.execute(query).fetchall()
    assert asked_by == [(owners[0],), (None,)], "it is deleted with the account of `asked_by`"


async def test_offers_without_classifier_are_rated_by_words(pools: Pools) -> None:
    risk = await RiskService(pools, rated_categories()).assess_offer(LIKELY, "")
    assert risk.rating == "medium"


class _BrokenClassifier(_Classifier):
    def scores(self, texts: Sequence[str]) -> list[float]:
        raise BadWeights("another file")


async def test_server_starts_without_its_classifier(pools: Pools) -> None:
    await RiskService(pools, rated_categories(), _BrokenClassifier()).load()


@pytest.mark.parametrize("decided", ["low", "medium", "high"])
def test_decision_replaces_score_of_title(decided: RiskLevel) -> None:
    title = "quorvle with my aunt"
    assert ENGINE.assess_offer(title, "", title_score=0.99).rating == "high"
    assert ENGINE.assess_offer(title, "", decided, 0.99).rating == decided
    assert ENGINE.assess("", title, decided, 0.99).rating == decided


def test_name_of_known_skill_means_what_it_says() -> None:
    assert ENGINE.assess("", "Mending", score=1.0).rating == "low"
    assert ENGINE.assess("", "Moving help", score=1.0).rating == "medium"
    assert ENGINE.assess("", "Quorvling", score=1.0).rating == "high"


def test_high_score_raises_known_activities_late() -> None:
    assert HIGH_SCORE["medium"] < HIGH_SCORE["low"]
    between = (HIGH_SCORE["medium"] + HIGH_SCORE["low"]) / 2
    assert ENGINE.assess("", "Spanish conversation here", score=between).rating == "low"
    assert ENGINE.assess("", "Spanish conversation here", score=0.999).rating == "high"
    assert ENGINE.assess("", "a sourdough loaf", score=between).rating == "high"
    assert ENGINE.assess("", "skydiving", score=0.0).rating == "extreme"


def test_harmless_score_lowers_only_ratings_by_words() -> None:
    talk = "bees in poetry, reading circle"
    assert ENGINE.assess("", talk).rating == "high"
    lowered = ENGINE.assess("", talk, score=0.01)
    assert (lowered.rating, lowered.known) == ("medium", False)
    assert "harmless" in lowered.reasons[0]
    assert ENGINE.assess("", talk, score=HARMLESS_SCORE).rating == "high"
    assert ENGINE.assess("Martial Arts", talk, score=0.01).rating == "high", "by its category"
    assert ENGINE.assess("", talk, "high", 0.01).rating == "high", "staff decided"
    assert ENGINE.assess_offer(talk, "", title_score=0.01).rating == "medium"
    assert ENGINE.assess_offer("Martial Arts", talk, title_score=0.01).rating == "high"
    dangerous = "Logs for the oven we cut with a chainsaw."
    assert ENGINE.assess_offer("Sourdough baking", dangerous, title_score=0.01).rating == "high"
    assert ENGINE.assess_offer(talk, dangerous, title_score=0.01).rating == "high"
    assert ENGINE.assess_offer("Martial Arts", talk, text_score=0.01).rating == "high", "by its title"
    assert ENGINE.assess_offer("Reading circle", talk, text_score=0.01).rating == "medium"
    assert ENGINE.assess_offer("Reading circle", talk, "high", text_score=0.01).rating == "high", "staff decided"


def test_low_score_lowers_extreme_words_of_descriptions() -> None:
    story = "I inherited eleven boxes of letters from my uncle, who dynamited tunnels for the railroad. Help me read."
    between = (HARMLESS_SCORE + PROSE_HARMLESS_SCORE) / 2
    assert ENGINE.assess("", story).rating == "extreme"
    lowered = ENGINE.assess("", story, score=between)
    assert (lowered.rating, lowered.known) == ("medium", False)
    assert ENGINE.assess("", story, score=PROSE_HARMLESS_SCORE).rating == "extreme"
    assert ENGINE.assess_offer("Old letters", story, text_score=between).rating == "medium"
    assert ENGINE.assess_offer("Skydiving", story, text_score=between).rating == "extreme", "by its title"
    assert ENGINE.assess_offer("Old letters", "We dynamite the shed.", text_score=between).rating == "extreme", "short"


def test_descriptions_take_a_score_of_their_own() -> None:
    between = (HIGH_SCORE["medium"] + PROSE_HIGH_SCORE) / 2
    short, prose = "qvorx the blint", "qvorx the blint " * 5
    assert ENGINE.assess("", short, score=between).rating == "high"
    assert ENGINE.assess("", prose, score=between).rating == "medium"
    assert ENGINE.assess("", prose, score=PROSE_HIGH_SCORE).rating == "high"
