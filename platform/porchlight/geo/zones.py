"""The time zone of a ZIP code: that of most people in the area of its first three digits.

A proposal, which its guru can change: a few areas lie in two zones. Zones that have had the same rules since 2007 are
not told apart.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

_TEXT: Final = """
005 America/New_York
006 America/Puerto_Rico
010 America/New_York
324 America/Chicago
326 America/New_York
350 America/Chicago
373 America/New_York
375 America/Chicago
376 America/New_York
380 America/Chicago
398 America/New_York
420 America/Chicago
425 America/New_York
463 America/Chicago
465 America/New_York
476 America/Chicago
478 America/New_York
500 America/Chicago
577 America/Denver
580 America/Chicago
586 America/Denver
587 America/Chicago
590 America/Denver
600 America/Chicago
693 America/Denver
700 America/Chicago
798 America/Denver
835 America/Los_Angeles
836 America/Denver
838 America/Los_Angeles
840 America/Denver
850 America/Phoenix
865 America/Denver
889 America/Los_Angeles
967 Pacific/Honolulu
969 Pacific/Guam
970 America/Los_Angeles
979 America/Denver
980 America/Los_Angeles
995 America/Anchorage
"""
_FIRST, _ZONES = zip(*(line.split() for line in _TEXT.strip().splitlines()), strict=True)


def zone_of_zip(zip_code: str) -> str | None:
    """Return the IANA zone of a ZIP code in the United States, or None if it has no area."""
    position = bisect_right(_FIRST, zip_code[:3])
    is_area = zip_code[:3].isascii() and zip_code[:3].isdigit() and len(zip_code) >= 5
    return _ZONES[position - 1] if is_area and position else None
