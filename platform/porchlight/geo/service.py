"""A client of a reverse-geocoding service that returns SPEC's fields (SPEC 7.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import orjson

from porchlight.ports import Geocoder, Place, PlaceMatch
from tenants.kit import timeouts
from tenants.kit.errors import Unavailable

MAX_RESPONSE_BYTES = 100_000
MAX_CACHED_POINTS = 2000


class GeocodingService:
    """Names points with the service and searches names in the gazetteer: SPEC's service has no search."""

    def __init__(self, url: str, gazetteer: Geocoder) -> None:
        self._url = url
        self._gazetteer = gazetteer
        self._client: httpx.AsyncClient | None = None
        self._cache: dict[tuple[float, float], Place | None] = {}

    async def reverse(self, latitude: float, longitude: float) -> Place | None:
        """Return the place at a point in degrees. Rounds the point to about 100 m for privacy. Raises Unavailable."""
        point = (round(latitude, 3), round(longitude, 3))
        if point in self._cache:
            return self._cache[point]
        self._client = self._client or httpx.AsyncClient(
            timeout=timeouts.current.geocoder_seconds, follow_redirects=False
        )
        try:
            # Merges the parameters, because the operator's URL may contain a key.
            url = httpx.URL(self._url).copy_merge_params({"latitude": point[0], "longitude": point[1]})
            response = await self._client.get(url)
            body = orjson.loads(response.content) if len(response.content) <= MAX_RESPONSE_BYTES else None
        except (httpx.HTTPError, orjson.JSONDecodeError) as error:
            raise Unavailable(retry_after=5) from error
        if response.status_code != httpx.codes.OK or not isinstance(body, dict):
            raise Unavailable(retry_after=5)
        if len(self._cache) >= MAX_CACHED_POINTS:
            self._cache.clear()
        self._cache[point] = place = _place(body, *point)
        return place

    async def search(self, text: str, limit: int) -> list[Place]:
        """Return places by name, from the gazetteer."""
        return await self._gazetteer.search(text, limit)

    async def match(self, text: str) -> PlaceMatch:
        """Return what a typed place means, from the gazetteer."""
        return await self._gazetteer.match(text)

    async def zone_finder(self) -> Callable[[float, float], str | None]:
        """Return a function that returns the time zone of a point, by the gazetteer."""
        return await self._gazetteer.zone_finder()


def _place(body: dict[str, Any], latitude: float, longitude: float) -> Place | None:
    def text(name: str) -> str:
        value = body.get(name)
        return value.strip()[:200] if isinstance(value, str) else ""

    place = Place(
        city=text("city"),
        locality=text("locality"),
        subdivision=text("principalSubdivision"),
        country_code=text("countryCode"),
        latitude=latitude,
        longitude=longitude,
    )
    return place if place.city or place.locality or place.subdivision else None
