"""Checks of typed places, for routes and actions. Each refusal says what is wrong and what may have been meant."""

from __future__ import annotations

import re
from typing import Final

from porchlight.geo.matching import refusal
from porchlight.ports import Geocoder, Place, PlaceMatch
from tenants.kit.errors import ValidationFailed

_DIGIT: Final = re.compile(r"\d")
_US_ZIP: Final = re.compile(r"[0-9]{5}(?:-?[0-9]{4})?")
NO_NUMBERS: Final = "Others see your town, so leave out ZIP code and street."


async def require_place(geocoder: Geocoder, text: str, *, field: str) -> Place:
    """Return the place that a text clearly means. Raises ValidationFailed."""
    match = await geocoder.match(text)
    if match.place is None:
        raise ValidationFailed(fields={field: refusal(match)})
    return match.place


async def town_problem(geocoder: Geocoder, text: str) -> str | None:
    """Return what is wrong with a town that others will see, or None: it has to be clear, and no address.

    An empty text is no town and has no problem.
    """
    if not text.strip():
        return None
    match = await geocoder.match(text)
    if _DIGIT.search(text):
        choices = match.choices if match.place is None else (match.place,)
        return refusal(PlaceMatch(None, choices, NO_NUMBERS if choices else f"{NO_NUMBERS} {match.message}"))
    return refusal(match) if match.place is None else None


async def town_and_zip_problem(geocoder: Geocoder, town: str, zip_code: str) -> tuple[str, str] | None:
    """Return the field, `city` or `zip`, and what is wrong with it, or None if both are clear and fit each other.

    The ZIP code tells which one of several towns is meant; the town itself must say so too, because it is shown alone.
    """
    problem = await town_problem(geocoder, town)
    is_known_zip = _US_ZIP.fullmatch(zip_code) and (await geocoder.match(zip_code)).place is not None
    if _DIGIT.search(town) or not is_known_zip:
        return ("city", problem) if problem else None
    alone, both = await geocoder.match(town), await geocoder.match(f"{town}, {zip_code}")
    if alone.place is not None:
        return None if both.place is not None else ("zip", both.message)
    if both.place is not None:
        return "city", refusal(PlaceMatch(None, (both.place,), alone.message))
    return "city", refusal(both)
