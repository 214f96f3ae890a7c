"""Obfuscated locations of angels and needs."""

from __future__ import annotations

from dataclasses import dataclass

from porchlight.geo.checks import require_place
from porchlight.geo.matching import UNKNOWN
from porchlight.geo.obfuscation import obfuscate
from porchlight.ports import Geocoder
from tenants.kit.errors import ValidationFailed


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The center of a cell in degrees, with its city and region."""

    city: str
    region: str
    latitude: float
    longitude: float


async def coordinates_of(
    geocoder: Geocoder, *, text: str | None, latitude: float | None, longitude: float | None, field: str = "place"
) -> Coordinates:
    """Return the obfuscated location of a point or of a place as typed. Raises ValidationFailed."""
    if latitude is not None and longitude is not None:
        # Obfuscated first, so that the geocoder does not get the exact point.
        cell_lat, cell_lon = obfuscate(latitude, longitude)
        place = await geocoder.reverse(cell_lat, cell_lon)
        if place is None or not (place.city or place.locality):
            raise ValidationFailed(fields={field: UNKNOWN})
    else:
        place = await require_place(geocoder, text or "", field=field)
        cell_lat, cell_lon = obfuscate(place.latitude, place.longitude)
    return Coordinates((place.city or place.locality)[:80], place.subdivision[:80], cell_lat, cell_lon)
