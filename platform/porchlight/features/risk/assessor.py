"""The risk engine combined with the decisions of staff (`porchlight.contracts.RiskAssessor`)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache

from porchlight.contracts import RISK_LEVELS, ActivityRisk, OfferRisk, RatedCategory, RiskLevel
from porchlight.features.risk import actions
from porchlight.features.risk.decisions import Decisions, effective_level, phrase_of
from porchlight.features.risk.engine import Assessment, RiskEngine, listing_text
from tenants.db.pool import Database
from tenants.kit.errors import Unavailable
from tenants.kit.logs import log
from tenants.kit.text import normalize_text

MAX_QUEUED_TITLES = 5_000  # titles that are not queued again
MAX_CACHED_OFFERS = 2_000


def _offer_risk(assessment: Assessment) -> OfferRisk:
    return OfferRisk(
        rating=assessment.rating,
        requires_waiver=assessment.requires_waiver,
        reasons=list(assessment.reasons),
        known=assessment.known,
    )


class RiskService:
    """Rates offers and activities, and queues unknown ones for review."""

    def __init__(self, db: Database, categories: Iterable[RatedCategory]) -> None:
        self._db = db
        self._engine = RiskEngine(categories)
        self.decisions = Decisions(db)
        self._queued: OrderedDict[str, None] = OrderedDict()
        # Cached because every search assesses a page of listings.
        self._assess_offer = lru_cache(maxsize=MAX_CACHED_OFFERS)(self._offer_risk)

    def _offer_risk(self, title: str, details: str, decided: RiskLevel | None) -> OfferRisk:
        return _offer_risk(self._engine.assess_offer(title, details, decided))

    async def assess_offer(self, title: str, details: str) -> OfferRisk:
        """Return the present risk of a listing. A decision on a title applies to all listings with that title."""
        # Older reviews hold the title with the details.
        with_details = phrase_of("", listing_text(title, details))
        return self._assess_offer(title, details, await self.decisions.level_of(phrase_of("", title), with_details))

    async def assess_activity(self, category: str, activity: str) -> ActivityRisk:
        """Return the risk of an activity in a category. A decision without a category applies in every category."""
        decided = await self.decisions.level_of(phrase_of(category, activity), phrase_of("", activity))
        assessment = self._engine.assess(category, activity, decided)
        return ActivityRisk(
            **_offer_risk(assessment).model_dump(by_alias=False),
            level=assessment.level,
            requires_contact=assessment.requires_contact,
        )

    def assess_review(self, category: str, activity: str, level: str | None) -> OfferRisk:
        """Return the risk of a queued activity under the decision `level`, or None for no decision."""
        decided = next((effective_level(activity, known) for known in RISK_LEVELS if known == level), None)
        if category:
            return _offer_risk(self._engine.assess(category, activity, decided))
        return self._assess_offer(activity, "", decided)

    async def request_review(self, title: str, details: str) -> None:
        """Queue a title for review if its risk is unknown. Without a database, logs a warning and does nothing."""
        name = normalize_text(title)
        if name in self._queued or (await self.assess_offer(title, details)).known:
            return
        try:
            await actions.queue_for_review(self._db, "", title)
        except Unavailable:
            # The assessment does not need the database. The next view of the listing queues the title.
            log.warning("risk_review_not_queued")
            return
        self._queued[name] = None
        while len(self._queued) > MAX_QUEUED_TITLES:
            self._queued.popitem(last=False)
