"""A reverse-geocoding service by URL: anything that answers SPEC's fields (SPEC 7.2)."""

from __future__ import annotations

from typing import Any

import httpx
import orjson

from porchlight.ports import Geocoder, Place
from tenants.kit.errors import Unavailable

TIMEOUT = 2.5  # seconds in all; a page waits no longer for a name
_MOST = 100_000  # bytes of an answer
_REMEMBERED = 2000


class GeocodingService:
    """Asks the service for points. Names are looked up in the gazetteer: SPEC's service knows points only."""

    def __init__(self, url: str, gazetteer: Geocoder) -> None:
        self._url = url
        self._gazetteer = gazetteer
        self._client: httpx.AsyncClient | None = None
        self._known: dict[tuple[float, float], Place | None] = {}

    async def reverse(self, latitude: float, longitude: float) -> Place | None:
        """The place at a point in degrees, rounded to some 100 m: nobody else needs to know more."""
        point = (round(latitude, 3), round(longitude, 3))
        if point in self._known:
            return self._known[point]
        self._client = self._client or httpx.AsyncClient(timeout=TIMEOUT, follow_redirects=False)
        try:
            # Merged, not replaced: the operator's URL may carry a key.
            url = httpx.URL(self._url).copy_merge_params({"latitude": point[0], "longitude": point[1]})
            answer = await self._client.get(url)
            body = orjson.loads(answer.content) if len(answer.content) <= _MOST else None
        except (httpx.HTTPError, orjson.JSONDecodeError) as fault:
            raise Unavailable(retry_after=5) from fault
        if answer.status_code != httpx.codes.OK or not isinstance(body, dict):
            raise Unavailable(retry_after=5)
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[point] = place = _place(body, *point)
        return place

    async def search(self, text: str, limit: int) -> list[Place]:
        """Places by name, from the gazetteer."""
        return await self._gazetteer.search(text, limit)


def _place(body: dict[str, Any], latitude: float, longitude: float) -> Place | None:
    def words(name: str) -> str:
        value = body.get(name)
        return value.strip()[:200] if isinstance(value, str) else ""

    place = Place(
        city=words("city"),
        locality=words("locality"),
        subdivision=words("principalSubdivision"),
        country_code=words("countryCode"),
        latitude=latitude,
        longitude=longitude,
    )
    return place if place.city or place.locality or place.subdivision else None
