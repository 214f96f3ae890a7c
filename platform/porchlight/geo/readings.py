"""The ways to read a typed place: which words are the name, and which say where it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porchlight.geo.place_index import PlaceIndex
from porchlight.geo.place_names import (
    NICKNAMES,
    REGIONS_ABROAD,
    country_of,
    county_key,
    is_home,
    key_of,
    name_key,
    state_of,
)
from porchlight.geo.states import STATE_NAMES

_NEIGHBOR_KM = 40.0  # between a part of a city, or a suburb, and the city


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a text: the words of a name, and those of what it is in."""

    name: list[str]
    contexts: tuple[list[str], ...] = ()
    state: str | None = None
    country: str | None = None


def without_home_country(parts: list[list[str]]) -> list[list[str]]:
    """Return the parts without "USA" at the end."""
    *before, last = parts
    if is_home(last):
        return before
    for at in range(1, len(last)):
        if is_home(last[at:]):
            return [*before, last[:at]]
    return parts


def readings(index: PlaceIndex, parts: list[list[str]]) -> Iterator[Reading]:
    """Yield the ways to read the parts, the most literal first."""
    return _of_parts(index, parts) if len(parts) > 1 else _of_words(parts[0])


def _of_words(words: list[str]) -> Iterator[Reading]:
    """Yield the ways to read a text without commas: "Denver Colorado", "Paris France", "Aurora Denver"."""
    cuts = range(1, len(words))
    states = [(at, state) for at in cuts if (state := state_of(words[at:]))]
    if len(words) > 1 and words[-1].upper() in STATE_NAMES:  # "Leon IA" is not Leonia
        yield Reading(words[:-1], (), state_of(words[-1:]))
    yield Reading(words)
    yield from (Reading(words[:at], (), state) for at, state in states)
    yield from (Reading(words[:end], (words[end:at],), state) for at, state in states for end in range(1, at))
    yield from (Reading(words[:at], (words[at:],)) for at in cuts)
    yield from (Reading(words[at:], (), state) for at in cuts if (state := state_of(words[:at])))


def _of_parts(index: PlaceIndex, parts: list[list[str]]) -> Iterator[Reading]:
    """Yield the ways to read parts between commas. Some names have commas themselves."""
    *before, last = parts
    name, *contexts = before
    joined = [word for words in before for word in words]
    if state := state_of(last):
        yield Reading(name, tuple(contexts), state)
        yield Reading(joined, (), state)
    for at in range(1, len(last)):
        if state := state_of(last[at:]):
            yield Reading(name, (*contexts, last[:at]), state)
    if country := country_of(last, index.country_keys):
        yield Reading(name, tuple(contexts), None, country)
        yield Reading(joined, (), None, country)
        yield Reading(joined[: -len(before[-1])], (before[-1],), None, country)
    yield Reading(name, (*contexts, last))
    yield Reading([*joined, *last])
    if not contexts and (state := state_of(name)):  # "CO, Denver"
        yield Reading(last, (), state)


def is_in(index: PlaceIndex, number: int, reading: Reading) -> bool:
    """Tell whether a place is where a reading says."""
    if reading.state is not None and (index.state(number) != reading.state or not index.is_home(number)):
        return False
    if reading.country is not None and index.country(number) != reading.country:
        return False
    return all(_has_context(index, number, words) for words in reading.contexts)


def _has_context(index: PlaceIndex, number: int, words: list[str]) -> bool:
    """Tell whether the words name the place's region, country, county, or a larger town next to it."""
    key, region = key_of(words), index.state(number)
    if key == name_key(region) or REGIONS_ABROAD.get(key) == region:
        return True
    if country_of(words, index.country_keys) == index.country(number):
        return True
    county = index.county(number)
    if county and (key == name_key(county) or county_key(words) == county_key(county.lower().split()) != ""):
        return True
    cities = [city.partition(",")[0] for city in NICKNAMES.get(key, ())]
    point = (index.latitudes[number], index.longitudes[number])
    return any(
        index.populations[town] > index.populations[number] and index.km_between(town, *point) < _NEIGHBOR_KM
        for town_key in (key, *map(name_key, cities))
        for town in index.named(town_key)
    )
