"""What features show of each other's things, in values: no feature imports another, and `app.py` joins them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ListingCard:
    """What a card shows of a listing beside its words: the path of a small picture and what is to be seen on it."""

    picture: str  # "" without one
    picture_alt: str


class ListingCards(Protocol):
    """Tells what cards show of listings."""

    async def of(self, offers: Sequence[str]) -> dict[str, ListingCard]:
        """By id, of those listings that anybody may see."""
