"""Why a busy source could not be read, in words for the guru."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Failure = Literal[
    "address", "not_public", "unreachable", "denied", "not_found", "answer", "too_large", "not_a_calendar",
    "too_frequent", "too_many_events", "no_calendars",
]  # fmt: skip
FAILURES: tuple[Failure, ...] = get_args(Failure)

SENTENCES: Mapping[Failure, str] = {
    "address": "This is not an address of a calendar. It starts with https:// or webcal://.",
    "not_public": "This address is not on the public internet. Please use the one that your calendar's provider shows.",
    "unreachable": "The calendar's server did not answer. Please check the address, or try again later.",
    "denied": "The calendar's server refused the user name or the password. Most providers need an app password.",
    "not_found": "There is no calendar at this address any more. Please copy the address again.",
    "answer": "The calendar's server gave an answer that we can't use. Please check the address.",
    "too_large": "This calendar is too large to read. Please connect one with fewer old events.",
    "not_a_calendar": "What is at this address is not a calendar. Please copy the address in iCal format.",
    "too_frequent": "An event in this calendar repeats every minute. Please remove it, and connect the calendar again.",
    "too_many_events": "This calendar has more than 20,000 events in the next year. Please connect a smaller one.",
    "no_calendars": "We found no calendars in this account.",
}


class SourceFailed(Exception):
    """A busy source cannot be read. The message names no part of its address."""

    def __init__(self, failure: str) -> None:
        super().__init__(failure)
        self.failure: Failure = next((known for known in FAILURES if known == failure), "answer")
