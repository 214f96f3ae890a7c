"""Free time as neighbours write it, as 21 bits: seven days from Monday, each with morning, afternoon and evening."""

from __future__ import annotations

import re

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PARTS = ("morning", "afternoon", "evening")
ALWAYS = (1 << 21) - 1
_SHORT = {day[:3]: number for number, day in enumerate(DAYS)} | {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
_GROUPS = {"weekday": range(5), "workday": range(5), "weekend": range(5, 7), "everyday": range(7), "daily": range(7)}
_PARTS = {
    "morning": (0,), "breakfast": (0,), "noon": (1,), "lunch": (1,), "midday": (1,), "lunchtime": (1,),
    "afternoon": (1,), "evening": (2,), "night": (2,), "dinner": (2,), "daytime": (0, 1),
}  # fmt: skip
_EVENING = re.compile(r"\b(?:after work|(?:after|from) (?:five|six|seven|5|6|7)(?: ?pm)?)\b")
_NEGATIONS = {"not", "no", "never", "except", "without"}
_OPEN = {"anytime", "always", "whenever", "flexible", "any"}


def _days(word: str) -> range | tuple[int, ...] | None:
    single = word.removesuffix("s")
    if single in DAYS:
        return (DAYS.index(single),)
    if word in _SHORT or single in _SHORT:
        return (_SHORT.get(word, _SHORT.get(single, 0)),)
    return _GROUPS.get(single) or _GROUPS.get(word)


def free_bits(text: str) -> int:
    """The times a text speaks of; 0 when it speaks of none. Parts hold for the days named with them.

    "Tuesday and Thursday afternoons" is two afternoons, "Evenings" seven evenings, "Weekends" six parts.
    """
    bits = 0
    for clause in re.split(r"[,;.]|\bplus\b", _EVENING.sub("evenings", text.lower())):
        bits |= _clause(clause)
    return bits


def _clause(clause: str) -> int:
    days: list[int] = []
    parts: list[int] = []
    upto = ranged = False
    words = re.findall(r"[a-z]+|[-–]", clause)
    if _NEGATIONS.intersection(words):
        return 0
    for word in words:
        named = _days(word)
        if named is not None:
            if ranged and days:
                days += range(days[-1] + 1, named[0] + 1)
            days += named
        elif part := _PARTS.get(word.removesuffix("s")):
            # "Mornings until noon" ends where the noon begins.
            parts += () if upto and word.startswith("noon") else part
        upto = word in ("until", "till", "before")
        ranged = word in ("to", "through", "-", "–") or (word == "until" and bool(days))
    if not days and not parts:
        return ALWAYS if _OPEN.intersection(words) and len(words) <= 3 else 0
    return sum(1 << bit for bit in {3 * day + part for day in days or range(7) for part in parts or range(3)})


def shared_times(bits: int) -> list[str]:
    """The times as people say them: "Tuesday afternoon". In the week's order."""
    return [f"{DAYS[at // 3].capitalize()} {PARTS[at % 3]}" for at in range(21) if bits >> at & 1]
