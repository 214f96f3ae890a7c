"""Names of places as people write them: "Ft. Collins CO", "st louis, mo", "Winston Salem", "NYC", "Denver, CO 80202".

Two names are the same place name if their keys are equal. Keys ignore case, accents, apostrophes, spaces, hyphens and
the usual abbreviations.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from porchlight.geo.states import STATE_NAMES, STATE_SHORT_FORMS

_APOSTROPHES: Final = dict.fromkeys(map(ord, "'’‘‛ʻʼʽʾʿ`´′＇ʹˈ"))
# Letters that Unicode does not split into a Latin letter and an accent.
_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ə": "e"}
    | dict.fromkeys("‐‑‒–—−―_", " ")
)
_SEPARATOR: Final = re.compile(r"[,;|/()\[\]\n、،·•]|\s[-‐‑‒–—−]+\s")
_WORD: Final = re.compile(r"[a-z0-9]+")
_ABBREVIATIONS: Final = """
st:saint ste:saint sainte:saint ft:fort mt:mount mtn:mountain mts:mountains mtns:mountains pt:point prt:port
n:north no:north nth:north s:south so:south sth:south e:east w:west ne:northeast nw:northwest se:southeast
sw:southwest hts:heights hgts:heights ht:heights spgs:springs spg:springs spngs:springs sprgs:springs
jct:junction jctn:junction vlg:village vill:village twp:township bch:beach pk:park lk:lake lks:lakes
cyn:canyon ctr:center cntr:center centre:center hls:hills vly:valley vlly:valley is:island isl:island
fls:falls cty:city gdns:gardens gdn:gardens grv:grove crk:creek ck:creek rvr:river rdg:ridge wds:woods
hbr:harbor harbour:harbor lndg:landing mdws:meadows colo:colorado
"""
_FULL_WORDS: Final[dict[str, str]] = dict(pair.split(":") for pair in _ABBREVIATIONS.split())
_COUNTY_WORDS: Final = frozenset({"county", "co", "cnty", "parish", "borough"})
_ARTICLES: Final = (
    ("the",), ("city", "of"), ("town", "of"), ("village", "of"), ("township", "of"), ("borough", "of"),
    ("city", "and", "county", "of"),
)  # fmt: skip
_FIRST_OF_ARTICLE: Final = frozenset(article[0] for article in _ARTICLES)
# Words around a town that do not change which one it is. They count only if no place has them in its name.
_AROUND_TEXT: Final = """
metro metropolitan metroplex area region greater downtown uptown midtown central near nearby around close to in at from
the vicinity suburbs suburb suburban city town of my surrounding outside by inner
"""
AROUND: Final = frozenset(_AROUND_TEXT.split())
# Words that people type instead of a place; some are small towns too.
NO_PLACE: Final = frozenset(
    {
        "home", "none", "online", "remote", "na", "earth", "world", "worldwide", "internet", "virtual", "zoom", "here",
        "everywhere", "anywhere", "nowhere", "somewhere", "unknown", "test", "private", "secret", "various", "other",
    }
)  # fmt: skip
TERRITORIES: Final = frozenset({"PR", "GU", "VI", "AS", "MP"})
_HOME: Final = frozenset({"us", "usa", "unitedstates", "unitedstatesofamerica", "america", "theus", "theusa"})
_COUNTRIES: Final[dict[str, str]] = {
    "uk": "GB", "greatbritain": "GB", "england": "GB", "scotland": "GB", "wales": "GB", "northernireland": "GB",
    "holland": "NL", "uae": "AE", "korea": "KR", "czechia": "CZ", "russia": "RU", "ca": "", "turkiye": "TR",
    "ivorycoast": "CI", "pr": "PR", "vietnam": "VN", "burma": "MM",
}  # fmt: skip
# By province, as people abbreviate them behind a city.
REGIONS_ABROAD: Final[dict[str, str]] = {
    "on": "Ontario", "ont": "Ontario", "qc": "Quebec", "bc": "British Columbia", "ab": "Alberta", "alta": "Alberta",
    "mb": "Manitoba", "sk": "Saskatchewan", "ns": "Nova Scotia", "nb": "New Brunswick",
    "nl": "Newfoundland and Labrador", "pei": "Prince Edward Island", "nsw": "New South Wales",
}  # fmt: skip
# What people call a city; several cities are choices.
NICKNAMES: Final[dict[str, tuple[str, ...]]] = {
    "nyc": ("New York, New York",), "newyorkcity": ("New York, New York",), "bigapple": ("New York, New York",),
    "la": ("Los Angeles, California",), "sf": ("San Francisco, California",), "sanfran": ("San Francisco, California",),
    "sfo": ("San Francisco, California",), "dc": ("Washington, District of Columbia",),
    "washdc": ("Washington, District of Columbia",), "wdc": ("Washington, District of Columbia",),
    "philly": ("Philadelphia, Pennsylvania",), "phila": ("Philadelphia, Pennsylvania",),
    "phl": ("Philadelphia, Pennsylvania",), "vegas": ("Las Vegas, Nevada",),
    "nola": ("New Orleans, Louisiana",), "okc": ("Oklahoma City, Oklahoma",), "slc": ("Salt Lake City, Utah",),
    "saltlake": ("Salt Lake City, Utah",), "pdx": ("Portland, Oregon",), "stl": ("St. Louis, Missouri",),
    "atl": ("Atlanta, Georgia",), "chitown": ("Chicago, Illinois",), "indy": ("Indianapolis, Indiana",),
    "abq": ("Albuquerque, New Mexico",), "jax": ("Jacksonville, Florida",), "phx": ("Phoenix, Arizona",),
    "foco": ("Fort Collins, Colorado",), "cosprings": ("Colorado Springs, Colorado",),
    "mpls": ("Minneapolis, Minnesota",),
    "sanantone": ("San Antonio, Texas",),
    "cincy": ("Cincinnati, Ohio",), "hotlanta": ("Atlanta, Georgia",),
    "cdmx": ("Mexico City, Mexico",), "manhattannyc": ("Manhattan, New York",),
    "kc": ("Kansas City, Missouri", "Kansas City, Kansas"), "kcmo": ("Kansas City, Missouri",),
    "kck": ("Kansas City, Kansas",),
    "twincities": ("Minneapolis, Minnesota", "Saint Paul, Minnesota"),
    "minneapolissaintpaul": ("Minneapolis, Minnesota", "Saint Paul, Minnesota"),
    "raleighdurham": ("Raleigh, North Carolina", "Durham, North Carolina"),
    "29palms": ("Twentynine Palms, California",),
    "bayarea": ("San Francisco, California", "San Jose, California", "Oakland, California"),
    "sfbayarea": ("San Francisco, California", "San Jose, California", "Oakland, California"),
    "sanfranciscobayarea": ("San Francisco, California", "San Jose, California", "Oakland, California"),
    "siliconvalley": ("San Jose, California", "Palo Alto, California"),
    "dfw": ("Dallas, Texas", "Fort Worth, Texas"), "dallasfortworth": ("Dallas, Texas", "Fort Worth, Texas"),
    "tricities": ("Kennewick, Washington", "Kingsport, Tennessee"),
    "quadcities": ("Davenport, Iowa", "Moline, Illinois"),
    "rtp": ("Durham, North Carolina", "Raleigh, North Carolina"),
    "longisland": ("Hempstead, New York", "Brentwood, New York"),
}  # fmt: skip


def words_of(text: str) -> list[str]:
    """Return the words of a text in plain lower-case Latin letters and digits. Single letters in a row are one word."""
    text = text.translate(_APOSTROPHES)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).translate(_APOSTROPHES).casefold().translate(_LETTERS)
        text = text.encode("ascii", "ignore").decode()
    words = _WORD.findall(text.lower().replace("&", " and "))
    if len(words) < 2 or min(map(len, words)) > 1:
        return words
    joined: list[str] = []
    is_run = False
    for word in words:
        is_letter = len(word) == 1 and word.isalpha()
        if is_letter and is_run:
            joined[-1] += word
        else:
            joined.append(word)
        is_run = is_letter
    return joined


def parts_of(text: str) -> list[list[str]]:
    """Return the words of each part of a text: parts are between commas, slashes, parentheses and spaced dashes."""
    text = "".join(" " if unicodedata.category(c) in {"Cc", "Zs"} else c for c in unicodedata.normalize("NFKC", text))
    return [words for part in _SEPARATOR.split(f" {text} ") if (words := words_of(part))]


def key_of(words: list[str]) -> str:
    """Return the key of a name's words, "" without words."""
    if words and words[0] in _FIRST_OF_ARTICLE:
        for article in _ARTICLES:
            if len(words) > len(article) and tuple(words[: len(article)]) == article:
                words = words[len(article) :]
                break
    return "".join(_FULL_WORDS.get(word, word) for word in words)


def name_key(name: str) -> str:
    """Return the key of one place's name."""
    return key_of(words_of(name))


def county_key(words: list[str]) -> str:
    """Return the key of a county without the word County; "" if the words name no county."""
    return key_of(words[:-1]) if len(words) > 1 and words[-1] in _COUNTY_WORDS else ""


@lru_cache(maxsize=1)
def _states() -> dict[str, str]:
    keys = {"".join(words_of(name)): name for name in STATE_NAMES.values()}
    keys |= {name_key(name): name for name in STATE_NAMES.values()}
    keys |= {code.casefold(): name for code, name in STATE_NAMES.items()}
    return keys | {name: STATE_NAMES[code] for name, code in STATE_SHORT_FORMS.items()}


def state_of(words: list[str]) -> str | None:
    """Return the state that the words name or abbreviate, or None."""
    states = _states()
    words = words[2:] if words[:2] == ["state", "of"] else words
    return states.get("".join(words)) or states.get(key_of(words))


def is_home(words: list[str]) -> bool:
    """Tell whether the words name the United States."""
    return "".join(words) in _HOME


def country_of(words: list[str], names: dict[str, str]) -> str | None:
    """Return the code of a country abroad, or None. `names`: the codes by the key of the country's name."""
    key = key_of(words)
    return _COUNTRIES.get(key, names.get(key)) or None


def typing_errors_of(key: str) -> set[str]:
    """Return the keys that may have been meant: one letter is wrong, missing, extra or swapped, or two are doubled."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    splits = [(key[:at], key[at:]) for at in range(len(key) + 1)]
    found = {left + right[1:] for left, right in splits if right}
    found |= {left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1}
    found |= {left + letter + right[1:] for left, right in splits if right for letter in letters}
    found |= {left + letter + right for left, right in splits for letter in letters}
    once = _other_doubles(key)
    found |= once.union(*map(_other_doubles, once)) if once else once
    return found - {key}


def _other_doubles(key: str) -> set[str]:
    """Return the keys with one letter doubled, or one double letter single."""
    return {
        key[:at] + key[at + 1 :] if key[at : at + 1] == key[at + 1 : at + 2] else key[:at] + key[at] + key[at:]
        for at in range(len(key))
    }
