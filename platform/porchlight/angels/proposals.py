"""What a need is probably about, and what it is fairly worth: from words, and from what is asked and paid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Double, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.angels.models import AngelService
from porchlight.angels.places import Spot

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_PRICE = text("SELECT low, high, angels, nearby, jobs FROM app.fair_price(:service, :latitude, :longitude)").bindparams(
    bindparam("latitude", type_=Double), bindparam("longitude", type_=Double)
)


@dataclass(frozen=True, slots=True)
class Guess:
    """The service that some words speak of; `sure` when none other comes near."""

    service_id: str | None
    sure: bool


@dataclass(frozen=True, slots=True)
class Fair:
    """Cents an hour that are usual: what so many angels ask, and what was paid for so many jobs (0: for too few to be
    told); `nearby` when all of it is within 25 miles.
    """

    low: int
    high: int
    angels: int
    nearby: bool
    jobs: int

    def total(self, hours: float) -> tuple[int, int]:
        """The range for a whole job, in whole dollars."""
        return (round(self.low * hours / 100) * 100, round(self.high * hours / 100) * 100)


def stem(word: str) -> str:
    """A word without the endings by which one says the same: fixing, fixed, fixes -> fix."""
    for ending in ("ings", "ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def guess(description: str, keywords: Mapping[str, Sequence[str]]) -> Guess:
    """Which of the services (by id, with their keywords) a description speaks of, by whole words.

    A word that several services share counts for each of them accordingly less; one that is repeated, twice.
    """
    stems = {service: {stem(word) for word in words} for service, words in keywords.items()}
    said = Counter(stem(word) for word in _WORD.findall(description.lower()))
    scores: dict[str, float] = {}
    for word, times in said.items():
        owners = [service for service, known in stems.items() if word in known]
        for service in owners:
            scores[service] = scores.get(service, 0.0) + min(times, 2) / len(owners)
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    if not ranked:
        return Guess(None, False)
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    return Guess(ranked[0][0], ranked[0][1] >= 2 * second)


async def guessed(session: AsyncSession, description: str) -> Guess:
    """The guess over the services there are."""
    rows = (await session.execute(select(AngelService.id, AngelService.keywords))).all()
    return guess(description, {row.id: row.keywords for row in rows})


async def fair(session: AsyncSession, service_id: str, spot: Spot | None) -> Fair | None:
    """What is usually asked and paid for a service near a place; None when nothing is known."""
    where = {
        "service": service_id,
        "latitude": spot.latitude if spot else None,
        "longitude": spot.longitude if spot else None,
    }
    row = (await session.execute(_PRICE, where)).one_or_none()
    return Fair(*row) if row is not None else None
