"""The meaning of a place as a person typed it. The one module that decides it, without input or output.

A match is a place only if the text is clear: one town by its usual name or nickname, with or without state, country or
ZIP code, or a ZIP code alone. Everything else has choices: a name that several towns have, a state, a county, a typing
error, the start of a name, a part of town, an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from porchlight.geo.place_index import PlaceIndex
from porchlight.geo.place_names import (
    AROUND,
    NICKNAMES,
    NO_PLACE,
    TERRITORIES,
    country_of,
    county_key,
    key_of,
    name_key,
    parts_of,
    state_of,
    typing_errors_of,
)
from porchlight.geo.readings import is_in, readings, without_home_country
from porchlight.ports import Place, PlaceMatch

MAX_CHARACTERS: Final = 200
MAX_CHOICES: Final = 5
EXAMPLE: Final = "Denver, Colorado"
UNKNOWN: Final = f"We couldn't find that place. Try a city and state, such as {EXAMPLE}."
_MAX_WORDS = 12
_CITY_RATIO = 20
_MAX_KEYS = 3  # names of a text for which errors are tried
_MAX_TOWNS_OF_REGION = 3
_MAX_NAMED_CHOICES = 3  # in a sentence
_MIN_PREFIX, _MIN_KEY_WITH_ERRORS, _MAX_KEY_WITH_ERRORS = 3, 4, 30  # characters
_MIN_TOWN_IN_TEXT = 5_000  # people; smaller names are ordinary words ("Center")
_ZIP_REACH_KM = 60.0  # between a town and its ZIP codes
_ZIP = re.compile(r"(\d{5})(?:\d{4})?")
_ZIP_EXTENSION = re.compile(r"\d{4}")
_ZIP_WORDS = frozenset({"zip", "zipcode", "code", "zips", "postal"})


@dataclass(frozen=True, slots=True)
class _Found:
    """The place that names mean, or choices. `is_ambiguous`: the text names all choices alike."""

    place: int | None = None
    choices: tuple[int, ...] = ()
    message: str = ""
    is_ambiguous: bool = False


def match_place(index: PlaceIndex, text: str) -> PlaceMatch:
    """Return what a text means. Never raises."""
    parts = [words[:_MAX_WORDS] for words in parts_of(text[:MAX_CHARACTERS])][:_MAX_WORDS]
    if not parts:
        return PlaceMatch(None, message=UNKNOWN if text.strip() else "")
    rest, zip_code = _without_zip(without_home_country(parts) or parts)
    if zip_code is not None:
        return _match_zip(index, zip_code, _find(index, rest) if rest else None)
    if all(word.isdigit() for words in parts for word in words):
        return PlaceMatch(None, message=f"A ZIP code has five digits. You can also type a town, such as {EXAMPLE}.")
    return _match(index, _find(index, parts))


def refusal(match: PlaceMatch) -> str:
    """Return why a text is no place, in one or two sentences with the first choices."""
    if not match.choices:
        return match.message or UNKNOWN
    *names, last = [choice.label for choice in match.choices[:_MAX_NAMED_CHOICES]]
    return f"{match.message} Did you mean {' or '.join(filter(None, ('; '.join(names), last)))}?".lstrip()


def _match(index: PlaceIndex, found: _Found, point: tuple[float, float] | None = None) -> PlaceMatch:
    if found.place is not None:
        return PlaceMatch(index.place(found.place, point=point))
    choices: dict[str, Place] = {}
    for number in found.choices:
        place = index.place(number)
        choices.setdefault(place.label, place)
        if len(choices) == MAX_CHOICES:
            break
    return PlaceMatch(None, tuple(choices.values()), found.message or ("" if choices else UNKNOWN))


def _without_zip(parts: list[list[str]]) -> tuple[list[list[str]], str | None]:
    """Return the parts without a ZIP code, and it: the last word of a part, or the first word of all."""
    for position in range(len(parts) - 1, -1, -1):
        words = parts[position]
        has_extension = len(words) > 1 and _ZIP_EXTENSION.fullmatch(words[-1]) and _ZIP.fullmatch(words[-2])
        end = len(words) - 1 if has_extension else len(words)
        if zip_code := _ZIP.fullmatch(words[end - 1]):
            before = [word for word in words[: end - 1] if word not in _ZIP_WORDS]
            return [*parts[:position], *([before] if before else []), *parts[position + 1 :]], zip_code[1]
    first, *others = parts[0]
    if (zip_code := _ZIP.fullmatch(first)) is not None:
        return [others, *parts[1:]], zip_code[1]
    return parts, None


def _match_zip(index: PlaceIndex, zip_code: str, found: _Found | None) -> PlaceMatch:
    """Return the match of a ZIP code and of the names beside it, if there are any."""
    point = index.zip_codes.point(zip_code)
    if point is None:
        if found is not None and (found.place is not None or found.choices):
            return _match(index, found)
        nearby = (index.number_at(*other) for other in index.zip_codes.points_nearby(zip_code))
        towns = tuple(index.largest_first(list({near[0] for near in nearby if near})))
        advice = "" if towns else f" Type a town, such as {EXAMPLE}."
        return _match(index, _Found(choices=towns, message=f"We don't know the ZIP code {zip_code}.{advice}"))
    at = index.number_at(*point)
    area = () if at is None else (at[0],)
    if found is None:
        return _match(index, _Found(*area), point)
    names = found.choices if found.is_ambiguous else () if found.place is None else (found.place,)
    nearest = min(names, key=lambda number: index.km_between(number, *point), default=None)
    if nearest is not None and index.km_between(nearest, *point) <= _ZIP_REACH_KM:
        return _match(index, _Found(nearest), point)
    if found.place is not None:
        message = f"The ZIP code {zip_code} isn't in {index.names[found.place]}."
        return _match(index, _Found(choices=(*area, found.place), message=message))
    return _match(index, _Found(choices=(*area, *found.choices), message=found.message))


def _find(index: PlaceIndex, parts: list[list[str]]) -> _Found:
    """Return what names mean: as they are, else without the words around a town, else what they are like."""
    found = _as_written(index, parts)
    if found is None:
        shorter = [rest for words in parts if (rest := [word for word in words if word not in AROUND])]
        found = _as_written(index, shorter) if shorter and shorter != parts else None
    return found or _Found(choices=tuple(dict.fromkeys(_similar(index, without_home_country(parts)))))


def _as_written(index: PlaceIndex, parts: list[list[str]]) -> _Found | None:
    """Return the places that have the name and are where the text says, or a state or country; None without any."""
    parts = without_home_country(parts)
    if not parts:
        return _Found(message=f"That's a whole country. Type a town, such as {EXAMPLE}.")
    if len(parts) == 1 and "".join(parts[0]) in NO_PLACE:
        return _Found(message=UNKNOWN)
    if found := _nicknamed(index, parts):
        return found
    typed = _key_of_parts(parts)
    state = state_of(parts[0]) if len(parts) == 1 else None
    country = country_of(parts[0], index.country_keys) if len(parts) == 1 and state is None else None
    for reading in readings(index, parts):
        numbers = _home_first(index, (n for n in index.named(key_of(reading.name)) if is_in(index, n, reading)))
        if not numbers:
            continue
        if (state and index.state(numbers[0]) != state) or (country and index.country(numbers[0]) != country):
            return _whole_region(index, state, country, named=numbers)
        # A label that was chosen means its place, although another one has the same name.
        labeled = (n for n in numbers if len(parts) > 1 and _key_of_parts(parts_of(index.label(n))) == typed)
        dominant = index.dominant(numbers)
        if reading.state is None and (larger := _larger_without_city(index, reading.name, dominant)) is not None:
            return _Found(choices=(larger, *numbers), is_ambiguous=True)
        if (meant := next(labeled, None) if dominant is None else dominant) is not None:
            return _Found(meant)
        message = f"There is more than one {index.names[numbers[0]]}."
        return _Found(choices=tuple(numbers), message=message, is_ambiguous=True)
    return _whole_region(index, state, country) if state or country else None


def _larger_without_city(index: PlaceIndex, name: list[str], number: int | None) -> int | None:
    """Return Denver for "Denver City", a small town in Texas; None if the town has that name in its own right."""
    if number is None or name[-1] != "city" or len(name) == 1:
        return None
    larger = index.dominant(index.named(key_of(name[:-1])))
    is_meant = larger is not None and index.populations[larger] > _CITY_RATIO * index.populations[number]
    return larger if is_meant else None


def _key_of_parts(parts: list[list[str]]) -> list[str]:
    return [key_of(words) for words in parts]


def _nicknamed(index: PlaceIndex, parts: list[list[str]]) -> _Found | None:
    """Return the cities that people call so ("NYC", "LA, CA", "Nyc NY"), if they are in the state of the text."""
    name, *others = parts
    state = state_of(others[0]) if len(others) == 1 else None
    if not others and key_of(name) not in NICKNAMES:
        cut = next((at for at in range(1, len(name)) if state_of(name[at:])), len(name))
        name, state = name[:cut], state_of(name[cut:])
    cities = [number for label in NICKNAMES.get(key_of(name), ()) if (number := _city(index, label)) is not None]
    if not cities or (others and not state) or any(state and index.state(number) != state for number in cities):
        return None
    return _Found(cities[0]) if len(cities) == 1 else _Found(choices=tuple(cities), is_ambiguous=True)


def _city(index: PlaceIndex, label: str) -> int | None:
    city, _comma, region = label.partition(", ")
    named = index.named(name_key(city))
    return next((number for number in named if region in (index.state(number), index.country_name(number))), None)


def _whole_region(index: PlaceIndex, state: str | None, country: str | None, named: Sequence[int] = ()) -> _Found:
    """Return the largest towns of a state or country, and the towns that have its name."""
    largest = index.towns_of_state(state) if state else index.towns_of_country(country or "")
    kind = "state" if state else "territory" if country in TERRITORIES else "country"
    name = state or index.country_names.get(country or "", "")
    choices = (*largest[:1], *named[:1], *largest[1:_MAX_TOWNS_OF_REGION], *named[1:])
    return _Found(choices=choices, message=f"{name} is a whole {kind}. Type a town in it.")


def _similar(index: PlaceIndex, parts: list[list[str]]) -> Iterator[int]:
    """Yield what a text may mean: a county, the town around a part of it, the name elsewhere, errors, a start."""
    ways = list(readings(index, parts))
    state = next((reading.state for reading in ways if reading.state), None)
    yield from _towns_of_county(index, parts[0], state)
    for start in range(1, len(parts)):
        is_region = state_of(parts[start]) or country_of(parts[start], index.country_keys)
        if not is_region and (found := _as_written(index, parts[start:])):
            yield from found.choices if found.place is None else (found.place,)
    names = [reading.name for reading in ways if reading.state or reading.country] or [parts[0]]
    keys = list(dict.fromkeys(key_of(name) for name in names if len("".join(name)) > 1))[:_MAX_KEYS]
    same = [number for key in keys for number in index.named(key)]
    similar = {*same, *(number for key in keys for number in _misspelled(index, key))}
    in_state = [number for number in similar if state and index.is_home(number) and index.state(number) == state]
    yield from _home_first(index, in_state)
    yield from _home_first(index, same if in_state or same else similar)
    yield from _towns_in_text(index, parts, state)


def _misspelled(index: PlaceIndex, key: str) -> Iterator[int]:
    if len(key) >= _MIN_PREFIX:
        yield from index.starting(key)
    if _MIN_KEY_WITH_ERRORS <= len(key) <= _MAX_KEY_WITH_ERRORS:
        for correct in typing_errors_of(key):
            yield from index.named(correct)


def _towns_of_county(index: PlaceIndex, words: list[str], state: str | None) -> list[int]:
    for at in range(len(words), 1, -1):  # "Boulder County", "Boulder County Colorado"
        if towns := index.towns_of_county(county_key(words[:at]), state):
            return towns
    return []


def _towns_in_text(index: PlaceIndex, parts: list[list[str]], state: str | None) -> list[int]:
    """Return the towns at home that are among the words of an address or of a part of town: the longest names."""
    found: list[int] = []
    for words in parts:
        for length in range(len(words), 0, -1):
            starts = range(len(words) - length + 1)
            named = [number for start in starts for number in index.named(key_of(words[start : start + length]))]
            towns = [n for n in named if index.is_home(n) and index.populations[n] >= _MIN_TOWN_IN_TEXT]
            if towns:
                found += towns
                break
    in_state = [number for number in found if index.state(number) == state]
    return index.largest_first(in_state or found)


def _home_first(index: PlaceIndex, numbers: Iterable[int]) -> list[int]:
    """Return the places in the United States, then the others, the largest first."""
    return sorted(dict.fromkeys(numbers), key=lambda number: (not index.is_home(number), -index.populations[number]))
