"""What features show of each other's things, in values: no feature imports another, and `app.py` joins them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from tenants.kit.schemas import Answer


class OfferRisk(Answer):
    """How risky it is to learn a skill, and why, in sentences; `requiresWaiver`: it is high or extreme (SPEC 3).

    `known` is false for what nobody has rated yet: it counts as medium until a person has looked at it.
    """

    rating: Literal["low", "medium", "high", "extreme"]
    requires_waiver: bool
    reasons: list[str]
    known: bool


class ActivityRisk(OfferRisk):
    """How risky an activity is. `level` is the waiver's, where an extreme `rating` counts as high (SPEC 3, 5)."""

    level: Literal["low", "medium", "high"]
    requires_contact: bool


class RiskJudge(Protocol):
    """Judges what neighbours offer and do. What staff decided counts from then on."""

    async def of_offer(self, title: str, details: str) -> OfferRisk:
        """The judgement of a listing's name and of what it tells."""

    async def of_activity(self, category: str, activity: str) -> ActivityRisk:
        """The judgement of an activity in a category; either may be blank."""

    def of_review(self, category: str, activity: str, level: str | None) -> OfferRisk:
        """What waits for staff, as it is judged with this decision (None: with none)."""

    async def ask(self, title: str, details: str) -> None:
        """Have a person rate what it is called, once, if nobody has yet."""


@dataclass(frozen=True, slots=True)
class ListingCard:
    """What a card shows of a listing beside its words: a small picture's path, what is to be seen on it, its risk."""

    picture: str  # "" without one
    picture_alt: str
    risk: OfferRisk


class ListingCards(Protocol):
    """Tells what cards show of listings."""

    async def of(self, offers: Sequence[str]) -> dict[str, ListingCard]:
        """By id, of those listings that anybody may see."""
