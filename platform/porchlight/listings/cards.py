"""What a card shows of a listing, wherever it was found."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from porchlight.cards import ListingCard, RiskJudge
from tenants.kit.db import Database

PHOTOS = "/api/skills/photos/"


def photo_path(photo_id: UUID | str, *, little: bool = False) -> str:
    """Where a photo of a listing is; `little` for cards."""
    return f"{PHOTOS}{photo_id}{'-small' if little else ''}.webp"


class StoredCards:
    """Reads them from the database (`porchlight.cards`)."""

    def __init__(self, db: Database, judge: RiskJudge) -> None:
        self._db = db
        self._judge = judge

    async def of(self, offers: Sequence[str]) -> dict[str, ListingCard]:
        """By id, of the listings that anybody may see."""
        if not offers:
            return {}
        rows = await self._db.read(None, "SELECT * FROM app.listing_cards(%s::uuid[])", [list(offers)])
        return {
            str(offer_id): ListingCard(
                photo_path(photo, little=True) if photo else "", alt or "", await self._judge.of_offer(title, details)
            )
            for offer_id, title, details, photo, alt in rows
        }
