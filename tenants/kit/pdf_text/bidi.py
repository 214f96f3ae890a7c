"""The Unicode Bidirectional Algorithm (UAX #9), without formatting characters.

`pdf_fonts.clean` removes those from a text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_OPENING = {
    "(": ")",
    "[": "]",
    "{": "}",
    "⟨": "⟩",
    "〈": "〉",
    "《": "》",
    "「": "」",
    "『": "』",
    "【": "】",
    "（": "）",
}
_CLOSING = {closing: opening for opening, closing in _OPENING.items()}
_NEUTRALS = frozenset({"B", "S", "WS", "ON"})
_INSIDE_NUMBERS = frozenset({("EN", "ES"), ("EN", "CS"), ("AN", "CS")})
_MAX_OPEN_BRACKETS = 63


def base_level(text: str) -> int:
    """Return 1 for a paragraph whose first letter is written from right to left, else 0 (P2, P3)."""
    return next((int(kind != "L") for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL")), 0)


def resolve_levels(text: str) -> list[int]:
    """Return the level of each character: odd ones are written from right to left."""
    base = base_level(text)
    around = "R" if base else "L"
    kinds = [unicodedata.bidirectional(character) or "L" for character in text]
    # Joiners take no part (X9).
    kept = [index for index, kind in enumerate(kinds) if kind != "BN"]
    resolved = _resolve_weak([kinds[index] for index in kept], around)
    _resolve_brackets([text[index] for index in kept], resolved, around)
    _resolve_neutral(resolved, around)
    levels = [base] * len(text)
    for index, kind in zip(kept, resolved, strict=True):
        levels[index] = base + (kind != around if kind in "LR" else 2 - base)
    for index in range(1, len(text)):
        if kinds[index] == "BN":
            levels[index] = levels[index - 1]
    return levels


def visual_order(levels: Sequence[int]) -> list[int]:
    """Return the indices of a line's parts from left to right (L2). `levels`: those of the parts."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = reversed(order[start:end])
            start = max(end, start + 1)
    return order


def _resolve_weak(kinds: list[str], around: str) -> list[str]:
    """Return the types after the rules W1 to W7: L, R, EN, AN and neutrals."""
    strong = previous = around
    for index, kind in enumerate(kinds):
        if kind == "NSM":
            kind = previous
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            kind = "AN"
        kinds[index] = previous = kind
    for index in range(1, len(kinds) - 1):
        before, kind, after = kinds[index - 1 : index + 2]
        if before == after and (before, kind) in _INSIDE_NUMBERS:
            kinds[index] = before
    _join_terminators(kinds)
    return _resolve_numbers(kinds, around)


def _resolve_numbers(kinds: list[str], around: str) -> list[str]:
    """Replace AL, numbers after left-to-right letters, and signs that are not part of a number (W3, W6, W7)."""
    strong = around
    for index, kind in enumerate(kinds):
        if kind in ("L", "R", "AL"):
            strong = kinds[index] = "L" if kind == "L" else "R"
        elif kind == "EN" and strong == "L":
            kinds[index] = "L"
        elif kind in ("ES", "ET", "CS"):
            kinds[index] = "ON"
    return kinds


def _join_terminators(kinds: list[str]) -> None:
    """Make signs such as $ and % part of the number beside them (W5)."""
    for order in (range(len(kinds)), reversed(range(len(kinds)))):
        previous = ""
        for index in order:
            if kinds[index] == "ET" and previous == "EN":
                kinds[index] = "EN"
            previous = kinds[index]


def _direction(kind: str) -> str:
    """Return the direction that a type gives to neutrals: L, R, or nothing."""
    return {"L": "L", "R": "R", "EN": "R", "AN": "R"}.get(kind, "")


def _resolve_brackets(characters: Sequence[str], kinds: list[str], around: str) -> None:
    """Give both brackets of a pair the direction of what they hold, in the context of what precedes them (N0)."""
    for start, end in _bracket_pairs(characters, kinds):
        inside = {_direction(kind) for kind in kinds[start + 1 : end]} - {""}
        if around in inside:
            kinds[start] = kinds[end] = around
        elif inside:
            before = next(
                (way for way in (_direction(kinds[place]) for place in range(start - 1, -1, -1)) if way), around
            )
            kinds[start] = kinds[end] = before if before in inside else around


def _bracket_pairs(characters: Sequence[str], kinds: Sequence[str]) -> list[tuple[int, int]]:
    opened: list[int] = []
    pairs = []
    for index, character in enumerate(characters):
        if kinds[index] != "ON":
            continue
        if character in _OPENING:
            if len(opened) == _MAX_OPEN_BRACKETS:
                break
            opened.append(index)
        elif character in _CLOSING:
            match = next((n for n in reversed(opened) if characters[n] == _CLOSING[character]), None)
            if match is not None:
                del opened[opened.index(match) :]
                pairs.append((match, index))
    return sorted(pairs)


def _resolve_neutral(kinds: list[str], around: str) -> None:
    """Give neutrals between two parts of one direction that direction, and the paragraph's to others (N1, N2)."""
    start = 0
    before = around
    while start < len(kinds):
        if kinds[start] not in _NEUTRALS:
            before = _direction(kinds[start])
            start += 1
            continue
        end = start
        while end < len(kinds) and kinds[end] in _NEUTRALS:
            end += 1
        after = _direction(kinds[end]) if end < len(kinds) else around
        kinds[start:end] = [before if before == after else around] * (end - start)
        start = end
