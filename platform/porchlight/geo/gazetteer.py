"""An offline gazetteer: names points, and finds places by name and by ZIP code."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from porchlight.geo.matching import match_place
from porchlight.geo.place_index import PlaceIndex, data_file, read_index
from porchlight.geo.place_names import name_key
from porchlight.geo.states import STATE_NAMES
from porchlight.geo.zones import zone_of_zip
from porchlight.ports import Place, PlaceMatch

_MIN_PREFIX_CHARACTERS = 2


class Gazetteer:
    """Names points and finds places by name."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._index: PlaceIndex | None = None

    async def _load(self) -> PlaceIndex:
        if self._index is None:
            self._index = await asyncio.to_thread(read_index, self._path or data_file())
        return self._index

    async def reverse(self, latitude: float, longitude: float) -> Place | None:
        """Return the place at a point in degrees, or None without a place nearby."""
        index = await self._load()
        found = index.number_at(latitude, longitude)
        return index.place(found[0], locality=found[1]) if found else None

    async def search(self, text: str, limit: int) -> list[Place]:
        """Return places whose name starts with `text` ("city" or "city, state"), the largest first."""
        return _places_named(await self._load(), text, limit)

    async def match(self, text: str) -> PlaceMatch:
        """Return what a typed place means (`matching`)."""
        return match_place(await self._load(), text)

    async def zone_finder(self) -> Callable[[float, float], str | None]:
        """Return a function that returns the time zone of a point in degrees: that of the nearest ZIP code, or None."""
        zip_codes = (await self._load()).zip_codes

        def zone_at(latitude: float, longitude: float) -> str | None:
            zip_code = zip_codes.nearest(latitude, longitude)
            return zone_of_zip(zip_code) if zip_code is not None else None

        return zone_at


def _places_named(index: PlaceIndex, text: str, limit: int) -> list[Place]:
    city, comma, state = text.partition(",")
    prefix = name_key(city)
    if len(prefix) < _MIN_PREFIX_CHARACTERS:
        return []
    state_prefix = name_key(STATE_NAMES.get(state.strip().upper(), state))
    places: list[Place] = []
    names: set[tuple[str, int]] = set()
    for number in index.starting(prefix):
        if comma and state_prefix and not name_key(index.state(number)).startswith(state_prefix):
            continue
        name = (index.names[number], index.states[number])
        if name not in names:
            names.add(name)
            places.append(index.place(number))
        if len(places) >= limit:
            break
    return places
