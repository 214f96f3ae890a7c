"""The meaning of places as people type them."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.geo.matching import EXAMPLE, MAX_CHOICES, UNKNOWN, match_place, refusal
from porchlight.geo.place_index import PlaceIndex, data_file, read_index
from porchlight.geo.place_names import name_key
from porchlight.geo.states import STATE_NAMES

DENVER = "Denver, Colorado"
CLEAR = {
    DENVER: [
        "Denver Colorado", "denver,co", "DENVER  CO.", "Denver, CO,", "Denver, Colorado, USA", "Denver US",
        "Denver (Colorado)", "Denver - Colorado", "Denver/CO", "“Denver”", "Ｄｅｎｖｅｒ，\u3000ＣＯ",
        "Denver\u200b,\u00a0CO", "Denver Colo", "Colorado, Denver", "Denver metro", "Denver metro area", "near Denver",
        "greater Denver area", "downtown Denver, CO", "City of Denver", "80202", "80202-1234", "ZIP 80202", "802021234",
        "Denver, CO 80202", "80202 Denver",
        "Denver CO 80202 USA", "Denver, 80202", "Denver, Colorado, 80202, United States", "Denver 80299",
    ],
    "Boulder, Colorado": ["Boulder CO", "boulder", "Boulder, Colo.", "80302"],
    "New York, New York": ["NYC", "N.Y.C.", "New York", "New York City", "new york ny", "New York, N.Y.", "Nyc, NY"],
    "Los Angeles, California": ["LA", "L.A.", "LA, CA", "Los Angeles Calif."],
    "San Francisco, California": ["SF", "San Fran", "San Francisco"],
    "Washington, District of Columbia": ["DC", "D.C.", "Washington DC", "Washington, D.C.", "Wash DC", "D C"],
    "St. Louis, Missouri": ["St Louis", "St. Louis, MO", "Saint Louis Missouri", "St.Louis", "STL"],
    "Fort Collins, Colorado": ["Ft. Collins", "Ft Collins CO", "fort collins", "FoCo"],
    "Winston-Salem, North Carolina": ["Winston Salem", "Winston–Salem", "Winston Salem, N. Carolina"],
    "Mount Pleasant, South Carolina": ["Mt Pleasant SC", "Mt. Pleasant, So. Carolina"],
    "North Las Vegas, Nevada": ["N. Las Vegas", "No Las Vegas NV"],
    "Coeur d'Alene, Idaho": ["Coeur d’Alene", "Coeur D Alene", "Coeur dʼAlene, Idaho", "CoeurD`Alene"],
    "Cañon City, Colorado": ["Canon City", "CAN\u0303ON CITY CO", "cañon city, colo"],
    "Kā‘anapali, Hawaii": ["Kaanapali", "Ka'anapali, HI", "Ka’anapali HI"],
    "The Bronx, New York": ["Bronx", "the bronx, ny", "Bronx NYC"],
    "Kansas City, Missouri": ["Kansas City MO", "Kansas City, Missouri", "KCMO"],
    "Springfield, Illinois": ["Springfield IL", "Springfield, Sangamon County, Illinois", "Springfield 62701"],
    "Charleston, West Virginia": ["Charleston West Virginia", "Charleston W. Va.", "Charleston, WV"],
    "Aurora, Colorado": ["Aurora CO", "Aurora, Denver", "Aurora Denver"],
    "Leon, Iowa": ["Leon IA"],
    "Portland, Oregon": ["Portland", "Portland OR", "PDX"],
    "Kansas City, Kansas": ["KCK"],
    "Twentynine Palms, California": ["29 Palms CA", "Twentynine Palms"],
    "Paris, Île-de-France, France": ["Paris", "Paris, France", "paris france"],
    "Toronto, Ontario, Canada": ["Toronto", "Toronto ON", "Toronto, Canada"],
    "San Juan, Puerto Rico": ["San Juan PR", "San Juan, Puerto Rico", "00901"],
}  # fmt: skip
UNCLEAR = {
    "Springfield": ["Springfield, Missouri", "Springfield, Massachusetts", "Springfield, Illinois"],
    "Columbus": ["Columbus, Ohio", "Columbus, Georgia"],
    "Athens": ["Athens, Georgia"],
    "St Petersburg": ["St. Petersburg, Florida"],
    "Denver city": [DENVER, "Denver City, Texas"],
    "Denver (Capitol Hill)": [DENVER],
    "Denver and Boulder": [DENVER, "Boulder, Colorado"],
    "Minneapolis-St. Paul": ["Minneapolis, Minnesota", "Saint Paul, Minnesota"],
    "Puerto Rico": ["San Juan, Puerto Rico"],
    "KC": ["Kansas City, Missouri", "Kansas City, Kansas"],
    "Dever, CO": [DENVER],
    "Denv": [DENVER],
    "Bolder Colorado": ["Boulder, Colorado"],
    "Tuczon": ["Tucson, Arizona"],
    "Chatanoga": ["Chattanooga, Tennessee"],
    "Salt Lake Cty UT 84": ["Salt Lake City, Utah"],
    "Colorado": [DENVER, "Colorado Springs, Colorado"],
    "co": [DENVER],
    "Washington": ["Seattle, Washington", "Washington, District of Columbia"],
    "Mexico": ["Mexico City, Mexico"],
    "Boulder County": ["Boulder, Colorado", "Longmont, Colorado"],
    "Boulder County, Colorado": ["Boulder, Colorado"],
    "Orleans Parish": ["New Orleans, Louisiana"],
    "Boston, CO": ["Boston, Massachusetts"],
    "Capitol Hill, Denver": [DENVER],
    "Capitol Hill Denver CO": [DENVER],
    "123 Main St, Denver, CO 80202": [DENVER],
    "12345 Main St Denver": [DENVER],
    "Denver 02139": [DENVER],
    "80299": [DENVER],
    "Minneapolis/St Paul": ["Saint Paul, Minnesota", "Minneapolis, Minnesota"],
}
NOTHING = [
    "home",
    "Online",
    "n/a",
    "none",
    "remote",
    "asdfgh",
    "東京",
    "???",
    "USA",
    "8020",
    "00000",
    "\u200b",
    "x" * 500,
    "12345678901234567890",
    "a b c d e f g h i",
]


@pytest.fixture(scope="module")
def index() -> PlaceIndex:
    return read_index(data_file())


@pytest.mark.parametrize(("label", "text"), [(label, text) for label, texts in CLEAR.items() for text in texts])
def test_match_clear_text_is_place(index: PlaceIndex, label: str, text: str) -> None:
    match = match_place(index, text)
    assert match.place is not None, refusal(match)
    assert (match.place.label, match.choices, match.message) == (label, (), "")


@pytest.mark.parametrize(("text", "labels"), UNCLEAR.items())
def test_match_unclear_text_has_choices(index: PlaceIndex, text: str, labels: list[str]) -> None:
    match = match_place(index, text)
    assert match.place is None
    found = [choice.label for choice in match.choices]
    assert len(found) <= MAX_CHOICES
    assert [label for label in found if label in labels] == labels
    assert labels[0] in refusal(match)


@pytest.mark.parametrize("text", NOTHING)
def test_match_unknown_text_says_what_to_type(index: PlaceIndex, text: str) -> None:
    match = match_place(index, text)
    assert (match.place, match.choices) == (None, ())
    assert EXAMPLE in refusal(match)


@pytest.mark.parametrize("text", ["", "  "])
def test_match_blank_text_has_no_message(index: PlaceIndex, text: str) -> None:
    match = match_place(index, text)
    assert (match.place, match.choices, match.message) == (None, (), "")


def test_match_zip_code_is_where_its_area_is(index: PlaceIndex) -> None:
    city, area = match_place(index, DENVER).place, match_place(index, "Denver, CO 80249").place
    assert city is not None
    assert area is not None
    assert area.city == city.city
    assert area.longitude > city.longitude + 0.1  # 80249 is the east of the city


def test_refusal_names_largest_towns_first(index: PlaceIndex) -> None:
    assert refusal(match_place(index, "Springfield")) == (
        "There is more than one Springfield. Did you mean Springfield, Missouri; Springfield, Massachusetts or"
        " Springfield, Illinois?"
    )
    assert refusal(match_place(index, "Tuczon, AZ")) == "Did you mean Tucson, Arizona?"
    assert refusal(match_place(index, "asdfgh")) == UNKNOWN


def _without_marks(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


_CODES = {name: code for code, name in STATE_NAMES.items()}
_FORMS: list[Callable[[str], str]] = [
    str, str.upper, str.lower, _without_marks, _full_width,
    lambda text: f"  {text}, USA ,", lambda text: text.replace(",", ""), lambda text: text.replace(" ", "  "),
    lambda text: text.replace("-", " ").replace("–", "-"), lambda text: text.replace("Saint ", "St. "),
    lambda text: text.replace("Fort ", "Ft "), lambda text: text.replace("Mount ", "Mt "),
    lambda text: text.replace("North ", "N. ", 1) if text.count("North ") == 1 else text,
    lambda text: text.translate(dict.fromkeys(map(ord, "'‘’ʻ"), "ʼ")),
    lambda text: text.translate(dict.fromkeys(map(ord, "'‘’ʻ"), None)), lambda text: f"{text}.",
]  # fmt: skip


@lru_cache(maxsize=1)
def _home_places() -> list[int]:
    index = read_index(data_file())
    return [number for number in range(len(index.names)) if index.is_home(number)]


@given(data=st.data())
def test_match_finds_place_in_each_written_form(data: st.DataObject) -> None:
    index = read_index(data_file())
    number = data.draw(st.sampled_from(_home_places()))
    write = data.draw(st.sampled_from(_FORMS))
    state = index.state(number)
    label = index.label(number)
    for name in (label, label.removesuffix(state) + _CODES[state]):
        match = match_place(index, write(name))
        assert match.place is not None, (write(name), refusal(match))
        # Two neighbors may have one name in different spellings.
        assert index.km_between(number, match.place.latitude, match.place.longitude) < 30 or match.place.label == label
        assert match.place.subdivision == state


@given(data=st.data())
def test_match_name_alone_is_largest_or_choices(data: st.DataObject) -> None:
    index = read_index(data_file())
    number = data.draw(st.sampled_from(_home_places()))
    match = match_place(index, index.names[number])
    found = [match.place] if match.place else [choice for choice in match.choices if choice.country_code == "US"]
    assert found
    if (place := match.place) is not None and place.country_code == "US":
        meant = min(index.named(name_key(place.city)), key=lambda n: index.label(n) != place.label)
        assert index.populations[number] <= index.populations[meant]


@pytest.mark.sweep
def test_match_finds_each_place_by_its_label(index: PlaceIndex) -> None:
    labels = {index.label(number) for number in _home_places()}
    found = {label: match_place(index, label).place for label in labels}
    other = {label: place.label for label, place in found.items() if place and place.label != label}
    assert [label for label, place in found.items() if place is None] == []
    assert len(other) < 10  # neighbors with one name in different spellings: Saint Marys, St. Marys


@given(st.text(max_size=60) | st.text(string.ascii_letters + string.digits + " ,.-'/()", max_size=60))
def test_match_any_text_is_answered(text: str) -> None:
    match = match_place(read_index(data_file()), text)
    assert match.place is None or match.choices == ()
    assert match.place is not None or bool(match.message or match.choices) == bool(text.strip())
    for choice in match.choices:
        again = match_place(read_index(data_file()), choice.label)
        assert again.place is not None
