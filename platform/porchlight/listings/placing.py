"""The job that reads a profile's place and free time, so that neighbours are found nearby (never their exact place)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.grid import NOWHERE, cell_of, tile_of
from porchlight.listings.availability import free_bits
from porchlight.ports import Geocoder

PLACE_TASK = "place_neighbor"  # enqueued by the database when a profile changes
FOLLOW_TASK = "follow_profiles"  # enqueued by the migration where there are profiles already

Connection = psycopg.Connection[Any]

_PROFILE = """
SELECT p.location, p.availability, p.shows_location, w.by_area, w.cell_lat, w.cell_lon FROM profiles p
  LEFT JOIN whereabouts w ON w.user_id = p.user_id WHERE p.user_id = %s
"""
_PLACE = """
INSERT INTO whereabouts (user_id, city, tile, cell_lat, cell_lon, free) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (user_id) DO UPDATE SET city = excluded.city, tile = excluded.tile, cell_lat = excluded.cell_lat,
  cell_lon = excluded.cell_lon, free = excluded.free, ring_due = true, updated_at = now()
"""
# Who hides their place is found in their part of the country still, but no answer depends on their cell.
_COPY = (
    "UPDATE skill_offers SET tile = %s, cell_lat = %s, cell_lon = %s WHERE user_id = %s",
    "UPDATE skill_wants SET tile = %s, cell_lat = %s, cell_lon = %s WHERE user_id = %s",
)


async def place_neighbour(dsn: str, user_id: UUID, geocoder: Geocoder) -> None:
    """Read one profile. Run again, it changes nothing."""
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        row = await (await conn.execute(_PROFILE, [user_id])).fetchone()
        if row is None:
            return
        location, availability, shown, by_area, cell_lat, cell_lon = row
        city = ""
        if not by_area:
            cell_lat = cell_lon = NOWHERE
        if location.strip():
            found = await geocoder.search(location, 1)
            if found:
                city = f"{found[0].city}, {found[0].subdivision}".removesuffix(", ")
                if not by_area:
                    cell_lat, cell_lon = cell_of(found[0].latitude, found[0].longitude)
        tile = tile_of(cell_lat, cell_lon)
        await conn.execute(_PLACE, [user_id, city, tile, cell_lat, cell_lon, free_bits(availability)])
        seen = (cell_lat, cell_lon) if shown else (NOWHERE, NOWHERE)
        for copy in _COPY:
            await conn.execute(copy, [tile, *seen, user_id])


def follow_profiles(dsn: str) -> None:
    """Let the offers and wants of profiles that were there before follow them."""
    with psycopg.connect(dsn) as conn:
        conn.execute(
            "UPDATE profiles p SET location = location WHERE NOT EXISTS"
            " (SELECT FROM whereabouts w WHERE w.user_id = p.user_id)"
        )
        conn.execute(
            "SELECT app.enqueue(%s, jsonb_build_object('user_id', user_id), 'place:' || user_id) FROM whereabouts"
            " WHERE tile < 0",
            [PLACE_TASK],
        )
