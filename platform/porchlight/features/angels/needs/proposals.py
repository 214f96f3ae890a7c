"""Guess the service that a need is about, and compute its fair price."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Double, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.angels import rules
from porchlight.features.angels.locations import Coordinates
from porchlight.features.angels.models import AngelService

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_FAIR_PRICE = text("""
SELECT low, high, angels, nearby, jobs FROM app.fair_price(
  service => :service, near_latitude => :latitude, near_longitude => :longitude, near_miles => :near_miles,
  min_near => :min_near, low_quartile => :low_quartile, high_quartile => :high_quartile,
  quartile_deviations => :quartile_deviations, years => :years, max_jobs => :max_jobs, min_rate => :min_rate,
  max_rate => :max_rate)""").bindparams(bindparam("latitude", type_=Double), bindparam("longitude", type_=Double))


@dataclass(frozen=True, slots=True)
class ServiceGuess:
    """The service that a description is about, or None. `sure`: no other service scores more than half."""

    service_id: str | None
    sure: bool


@dataclass(frozen=True, slots=True)
class FairPrice:
    """The usual cents per hour. `angels`: how many angels' rates count. `jobs`: how many paid jobs count, 0 if too few.

    `nearby`: all of them are within 25 miles.
    """

    low: int
    high: int
    angels: int
    nearby: bool
    jobs: int

    def total(self, hours: float) -> tuple[int, int]:
        """Return the range for a whole job in cents, rounded to dollars."""
        return (round(self.low * hours / 100) * 100, round(self.high * hours / 100) * 100)


def stem(word: str) -> str:
    """Return a word without its English ending: "fix" for fixing, fixed and fixes."""
    for ending in ("ings", "ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def guess_service(description: str, keywords: Mapping[str, Sequence[str]]) -> ServiceGuess:
    """Return the service whose keywords match a description best. `keywords` are by service id.

    A word that several services share counts for each of them in part. A repeated word counts twice.
    """
    stems = {service: {stem(word) for word in words} for service, words in keywords.items()}
    counts = Counter(stem(word) for word in _WORD.findall(description.lower()))
    scores: dict[str, float] = {}
    for word, count in counts.items():
        matches = [service for service, known in stems.items() if word in known]
        for service in matches:
            scores[service] = scores.get(service, 0.0) + min(count, 2) / len(matches)
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    if not ranked:
        return ServiceGuess(None, False)
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    return ServiceGuess(ranked[0][0], ranked[0][1] >= 2 * second)


async def service_guess(session: AsyncSession, description: str) -> ServiceGuess:
    """Return the guess among all services."""
    rows = (await session.execute(select(AngelService.id, AngelService.keywords))).all()
    return guess_service(description, {row.id: row.keywords for row in rows})


async def fair_price(session: AsyncSession, service_id: str, location: Coordinates | None) -> FairPrice | None:
    """Return the usual price of a service near a location, or None without data."""
    params = {
        "service": service_id,
        "latitude": location.latitude if location else None,
        "longitude": location.longitude if location else None,
    } | rules.FAIR_PRICE_PARAMS
    row = (await session.execute(_FAIR_PRICE, params)).one_or_none()
    return FairPrice(*row) if row is not None else None
