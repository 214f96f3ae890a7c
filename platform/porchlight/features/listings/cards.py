"""The cards of listings (`porchlight.contracts.ListingCards`)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from porchlight.contracts import ListingCard, RiskAssessor
from tenants.db.pool import Database

PHOTO_PATH = "/api/skills/photos/"
_CARDS = """
SELECT o.id, o.title, o.details, f.id AS photo_id, f.alt FROM public_listings o
  LEFT JOIN LATERAL (SELECT p.id, p.alt FROM public_listing_photos p
                      WHERE p.offer_id = o.id ORDER BY p.position, p.id LIMIT 1) f ON true
 WHERE o.id = ANY (%s)"""


def photo_path(photo_id: UUID | str, *, thumbnail: bool = False) -> str:
    """Return the path of a listing's photo or of its thumbnail."""
    return f"{PHOTO_PATH}{photo_id}{'-small' if thumbnail else ''}.webp"


class StoredCards:
    """Reads cards from the database."""

    def __init__(self, db: Database, risk: RiskAssessor) -> None:
        self._db = db
        self._risk = risk

    async def by_offer(self, offer_ids: Sequence[str]) -> dict[str, ListingCard]:
        """Return the cards of the public listings among `offer_ids`, by id."""
        if not offer_ids:
            return {}
        rows = await self._db.read(None, _CARDS, [[UUID(offer_id) for offer_id in offer_ids]])
        risks = await self._risk.assess_listings([(title, details) for _id, title, details, _photo, _alt in rows])
        return {
            str(offer_id): ListingCard(
                photo_path(photo_id, thumbnail=True) if photo_id else "",
                alt or "",
                risk,
            )
            for (offer_id, _title, _details, photo_id, alt), risk in zip(rows, risks, strict=True)
        }
