"""The risk engine combined with the decisions of staff (`porchlight.contracts.RiskAssessor`)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from uuid import UUID

from porchlight.contracts import RISK_LEVELS, ActivityRisk, OfferRisk, RatedCategory
from porchlight.features.risk import actions
from porchlight.features.risk.decisions import Decisions, effective_level, phrase_of
from porchlight.features.risk.engine import Assessment, RiskEngine, listing_text
from porchlight.features.risk.scores import Classifier, RiskScores
from porchlight.ports import BadWeights
from tenants.db.pool import Database
from tenants.kit.errors import Unavailable
from tenants.kit.logs import log
from tenants.kit.text import normalize_text

MAX_QUEUED_TITLES = 5_000  # titles, each with its owner, that are not queued again
MAX_CACHED = 2_000  # assessments


def _offer_risk(assessment: Assessment) -> OfferRisk:
    return OfferRisk(
        rating=assessment.rating,
        requires_waiver=assessment.requires_waiver,
        reasons=list(assessment.reasons),
        known=assessment.known,
    )


class RiskService:
    """Rates offers and activities, and queues unknown ones for review."""

    def __init__(self, db: Database, categories: Iterable[RatedCategory], classifier: Classifier | None = None) -> None:
        self._db = db
        self._engine = RiskEngine(categories)
        self._scores = RiskScores(db, classifier)
        self.decisions = Decisions(db)
        self._queued: OrderedDict[tuple[str, UUID | None], None] = OrderedDict()
        # Cached because every search assesses a page of listings, and every look at the queue a page of activities.
        self._assess_offer = lru_cache(maxsize=MAX_CACHED)(self._engine.assess_offer)
        self._assess = lru_cache(maxsize=MAX_CACHED)(self._engine.assess)

    async def load(self) -> None:
        """Load the classifier, so that the first request does not wait for it. Logs an error if that fails."""
        try:
            await self._scores.of(["Chess"], stored=False)
        except (Unavailable, BadWeights) as error:
            log.error("risk_classifier_not_loaded", reason=str(error))

    async def assess_offer(self, title: str, details: str) -> OfferRisk:
        """Return the present risk of a draft of a listing. A decision on a title applies to all with that title."""
        return _offer_risk((await self._assess_offers([(title, details)], stored=False))[0])

    async def assess_listings(self, listings: Sequence[tuple[str, str]]) -> list[OfferRisk]:
        """Return the present risks of listings, each a title and details, in order."""
        return [_offer_risk(assessment) for assessment in await self._assess_offers(listings, stored=True)]

    async def _assess_offers(self, offers: Sequence[tuple[str, str]], *, stored: bool) -> list[Assessment]:
        # The details alone say little: "My starter is older than most of my neighbors."
        texts = [listing_text(title, details) for title, details in offers]
        scores = await self._scores.of([*(title for title, _details in offers), *texts], stored=stored)
        assessments: list[Assessment] = []
        for (title, details), text in zip(offers, texts, strict=True):
            with_details = phrase_of("", text)
            decided = await self.decisions.level_of(phrase_of("", title), with_details)
            is_read = await self.decisions.level_of(with_details) is not None  # by staff: they know better
            text_score = None if is_read else scores.get(text)
            assessments.append(self._assess_offer(title, details, decided, scores.get(title), text_score))
        return assessments

    async def assess_activity(self, category: str, activity: str) -> ActivityRisk:
        """Return the risk of an activity in a category. A decision without a category applies in every category."""
        decided = await self.decisions.level_of(phrase_of(category, activity), phrase_of("", activity))
        scores = await self._scores.of([activity], stored=False)
        assessment = self._assess(category, activity, decided, scores.get(activity))
        return ActivityRisk(
            **_offer_risk(assessment).model_dump(by_alias=False),
            level=assessment.level,
            requires_contact=assessment.requires_contact,
        )

    async def assess_reviews(self, reviews: Sequence[tuple[str, str, str | None]]) -> list[OfferRisk]:
        """Return the risks of queued activities, each a category, an activity and the decided level or None."""
        scores = await self._scores.of([activity for _category, activity, _level in reviews], stored=False)
        return [
            _offer_risk(self._assess_review(category, activity, level, scores.get(activity)))
            for category, activity, level in reviews
        ]

    def _assess_review(self, category: str, activity: str, level: str | None, score: float | None) -> Assessment:
        decided = next((effective_level(activity, known) for known in RISK_LEVELS if known == level), None)
        if category:
            return self._assess(category, activity, decided, score)
        return self._assess_offer(activity, "", decided, score)

    async def request_review(self, title: str, details: str, *, owner_id: UUID | None = None) -> None:
        """Queue the title of a listing with unknown risk, with the details if they are the reason.

        Without a database, logs a warning and does nothing.
        """
        is_by_details = (await self.assess_offer(title, "")).known
        name = normalize_text(listing_text(title, details) if is_by_details else title)
        # With a second owner, the review outlives the account of the first.
        if (name, owner_id) in self._queued:
            return
        try:
            await actions.queue_for_review(self._db, "", name, owner_id)
        except Unavailable:
            # The assessment does not need the database. The next view of the listing queues the title.
            log.warning("risk_review_not_queued")
            return
        self._queued |= {(name, owner_id): None, (name, None): None}  # a view of the listing adds nothing
        while len(self._queued) > MAX_QUEUED_TITLES:
            self._queued.popitem(last=False)
