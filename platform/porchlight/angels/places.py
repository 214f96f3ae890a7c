"""Where something is, as coarsely as it is kept."""

from __future__ import annotations

from dataclasses import dataclass

from porchlight.cells import coarse
from porchlight.ports import Geocoder
from tenants.kit.errors import ValidationFailed

_UNKNOWN = "We do not know this place. Try a city and state, such as Denver, Colorado."


@dataclass(frozen=True, slots=True)
class Spot:
    """A coarse place: the middle of its cell in degrees, and the town it is in."""

    city: str
    region: str
    latitude: float
    longitude: float


async def spot_of(
    geocoder: Geocoder, *, text: str | None, latitude: float | None, longitude: float | None, field: str = "place"
) -> Spot:
    """The coarse place of a name ("city, state") or a point. Raises ValidationFailed for what is nowhere."""
    if latitude is not None and longitude is not None:
        # Coarse before anybody else, the geocoder included, gets to know of it.
        up, right = coarse(latitude, longitude)
        found = await geocoder.reverse(up, right)
    else:
        named = await geocoder.search(text or "", 1)
        found = named[0] if named else None
        up, right = coarse(found.latitude, found.longitude) if found else (0.0, 0.0)
    if found is None or not (found.city or found.locality):
        raise ValidationFailed(fields={field: _UNKNOWN})
    return Spot((found.city or found.locality)[:80], found.subdivision[:80], up, right)
