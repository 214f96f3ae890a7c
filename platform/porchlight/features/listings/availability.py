"""Parse availability as users write it into 21 bits: seven days from Monday, each with three parts of the day."""

from __future__ import annotations

import re

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PARTS_OF_DAY = ("morning", "afternoon", "evening")
ALL_TIMES = (1 << 21) - 1
_ABBREVIATIONS = {day[:3]: number for number, day in enumerate(DAYS)} | {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
_GROUPS = {"weekday": range(5), "workday": range(5), "weekend": range(5, 7), "everyday": range(7), "daily": range(7)}
_PARTS = {
    "morning": (0,), "breakfast": (0,), "noon": (1,), "lunch": (1,), "midday": (1,), "lunchtime": (1,),
    "afternoon": (1,), "evening": (2,), "night": (2,), "dinner": (2,), "daytime": (0, 1),
}  # fmt: skip
_EVENING = re.compile(r"\b(?:after work|(?:after|from) (?:five|six|seven|5|6|7)(?: ?pm)?)\b")
_NEGATIONS = {"not", "no", "never", "except", "without"}
_ANY_TIME = {"anytime", "always", "whenever", "flexible", "any"}


def _days(word: str) -> range | tuple[int, ...] | None:
    single = word.removesuffix("s")
    if single in DAYS:
        return (DAYS.index(single),)
    if word in _ABBREVIATIONS or single in _ABBREVIATIONS:
        return (_ABBREVIATIONS.get(word, _ABBREVIATIONS.get(single, 0)),)
    return _GROUPS.get(single) or _GROUPS.get(word)


def parse_availability(text: str) -> int:
    """Return the times that a text names as bits, 0 for none. Parts of the day apply to the days of their clause.

    "Tuesday and Thursday afternoons" is two bits, "Evenings" seven bits, "Weekends" six bits.
    """
    bits = 0
    for clause in re.split(r"[,;.]|\bplus\b", _EVENING.sub("evenings", text.lower())):
        bits |= _parse_clause(clause)
    return bits


def _parse_clause(clause: str) -> int:
    days: list[int] = []
    parts: list[int] = []
    after_until = in_range = False
    words = re.findall(r"[a-z]+|[-–]", clause)
    if _NEGATIONS.intersection(words):
        return 0
    for word in words:
        named_days = _days(word)
        if named_days is not None:
            if in_range and days:
                days += range(days[-1] + 1, named_days[0] + 1)
            days += named_days
        elif part := _PARTS.get(word.removesuffix("s")):
            # "Mornings until noon" excludes the afternoon.
            parts += () if after_until and word.startswith("noon") else part
        after_until = word in ("until", "till", "before")
        in_range = word in ("to", "through", "-", "–") or (word == "until" and bool(days))
    if not days and not parts:
        return ALL_TIMES if _ANY_TIME.intersection(words) and len(words) <= 3 else 0
    return sum(1 << bit for bit in {3 * day + part for day in days or range(7) for part in parts or range(3)})


def format_times(bits: int) -> list[str]:
    """Return the times as text, such as "Tuesday afternoon", in the order of the week."""
    return [f"{DAYS[bit // 3].capitalize()} {PARTS_OF_DAY[bit % 3]}" for bit in range(21) if bits >> bit & 1]
