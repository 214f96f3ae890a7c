"""How risky things are, for who shows or asks it (`porchlight.cards.RiskJudge`): the engine with staff's decisions."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache

from porchlight.cards import ActivityRisk, OfferRisk
from porchlight.logs import log
from porchlight.skills import actions, risk
from porchlight.skills.catalogue import LEVELS, Level, folded
from porchlight.skills.decisions import Decisions, counted, phrase_of
from tenants.kit.db import Database
from tenants.kit.errors import Unavailable

REMEMBERED = 5_000  # unknown offers that are not put in the queue again and again


def _told(found: risk.Assessment) -> OfferRisk:
    return OfferRisk(
        rating=found.rating, requires_waiver=found.requires_waiver, reasons=list(found.reasons), known=found.known
    )


@lru_cache(maxsize=2_000)  # a page of hits is judged anew at each search
def _of_offer(title: str, details: str, decided: Level | None) -> OfferRisk:
    return _told(risk.assess_offer(title, details, decided))


class Judge:
    """The risk engine, what staff decided, and the queue for what neither knows."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.decisions = Decisions(db)
        self._asked: OrderedDict[str, None] = OrderedDict()

    async def of_offer(self, title: str, details: str) -> OfferRisk:
        """The judgement as it is today. A decision on a name counts for all listings that are called so."""
        whole = phrase_of("", risk.told_of(title, details))  # what waited in the queue before names alone did
        return _of_offer(title, details, await self.decisions.on(phrase_of("", title), whole))

    async def of_activity(self, category: str, activity: str) -> ActivityRisk:
        """The same of an activity in a category. A decision on the activity alone counts in every category."""
        decided = await self.decisions.on(phrase_of(category, activity), phrase_of("", activity))
        found = risk.assess(category, activity, decided)
        return ActivityRisk(
            **_told(found).model_dump(by_alias=False), level=found.level, requires_contact=found.requires_contact
        )

    def of_review(self, category: str, activity: str, level: str | None) -> OfferRisk:
        """What waits in the queue, as it is judged with this decision, or with none."""
        decided = next((counted(activity, known) for known in LEVELS if known == level), None)
        return _told(risk.assess(category, activity, decided)) if category else _of_offer(activity, "", decided)

    async def ask(self, title: str, details: str) -> None:
        """Have a person rate what it is called if nobody knows it; a queue that is out of reach holds nobody up."""
        name = folded(title)
        if name in self._asked or (await self.of_offer(title, details)).known:
            return
        try:
            await actions.queue_for_review(self._db, "", title)
        except Unavailable:
            # The judgement stands without the database; who sees the listing next puts it in the queue.
            log.warning("risk_review_not_queued")
            return
        self._asked[name] = None
        while len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)
