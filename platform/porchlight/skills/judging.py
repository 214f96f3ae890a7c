"""How risky it is to learn what neighbours offer, for features that show it (`porchlight.cards.RiskJudge`)."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache

from porchlight.cards import OfferRisk
from porchlight.logs import log
from porchlight.skills import actions, risk
from tenants.kit.db import Database
from tenants.kit.errors import Unavailable

REMEMBERED = 5_000  # unknown offers that are not put in the queue again and again


@lru_cache(maxsize=2_000)  # a page of hits is judged anew at each search
def _judged(title: str, details: str) -> OfferRisk:
    found = risk.assess_offer(title, details)
    return OfferRisk(
        rating=found.rating, requires_waiver=found.requires_waiver, reasons=list(found.reasons), known=found.known
    )


class OfferJudge:
    """The risk engine, with the queue for what it does not know."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._asked: OrderedDict[tuple[str, str], None] = OrderedDict()

    def of_offer(self, title: str, details: str) -> OfferRisk:
        """The judgement of the lexicon as it is today."""
        return _judged(title, details)

    async def ask(self, title: str, details: str) -> None:
        """Have a person rate it if the engine cannot; a queue that is out of reach holds nobody up."""
        if _judged(title, details).known or (title, details) in self._asked:
            return
        try:
            await actions.queue_for_review(self._db, "", risk.told_of(title, details))
        except Unavailable:
            # The judgement stands without the database; who sees the listing next puts it in the queue.
            log.warning("risk_review_not_queued")
            return
        self._asked[title, details] = None
        while len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)
