"""The job that geocodes a profile's location and parses its availability. Stores only the obfuscated location."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.features.listings.availability import parse_availability
from porchlight.geo.grid import NOWHERE, cell_of, tile_of
from porchlight.ports import Geocoder

GEOCODE_TASK = "listings:geocode_user"  # a trigger enqueues it when a profile changes
SYNC_PROFILES_TASK = "listings:sync_profiles"  # a migration enqueues it

Connection = psycopg.Connection[Any]

_PROFILE = """
SELECT p.location, p.availability, p.shows_location, w.is_area, w.cell_lat, w.cell_lon FROM profiles p
  LEFT JOIN user_locations w ON w.user_id = p.user_id WHERE p.user_id = %s
"""
_SAVE_LOCATION = """
INSERT INTO user_locations (user_id, city, tile, cell_lat, cell_lon, availability_bits) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (user_id) DO UPDATE SET city = excluded.city, tile = excluded.tile, cell_lat = excluded.cell_lat,
  cell_lon = excluded.cell_lon, availability_bits = excluded.availability_bits, ring_check_due = true,
  updated_at = now()
"""
# A user who hides their location keeps its tile, so search finds them in their region; results do not use the cell.
_COPY_LOCATION = (
    "UPDATE skill_offers SET tile = %s, cell_lat = %s, cell_lon = %s WHERE user_id = %s",
    "UPDATE skill_wants SET tile = %s, cell_lat = %s, cell_lon = %s WHERE user_id = %s",
)


async def geocode_user(dsn: str, user_id: UUID, geocoder: Geocoder) -> None:
    """Update one user's location and availability from the profile. Idempotent."""
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        row = await (await conn.execute(_PROFILE, [user_id])).fetchone()
        if row is None:
            return
        location, availability, shows_location, is_area, cell_lat, cell_lon = row
        city = ""
        if not is_area:
            cell_lat = cell_lon = NOWHERE
        if location.strip():
            places = await geocoder.search(location, 1)
            if places:
                city = f"{places[0].city}, {places[0].subdivision}".removesuffix(", ")
                if not is_area:
                    cell_lat, cell_lon = cell_of(places[0].latitude, places[0].longitude)
        tile = tile_of(cell_lat, cell_lon)
        bits = parse_availability(availability)
        await conn.execute(_SAVE_LOCATION, [user_id, city, tile, cell_lat, cell_lon, bits])
        visible_cell = (cell_lat, cell_lon) if shows_location else (NOWHERE, NOWHERE)
        for statement in _COPY_LOCATION:
            await conn.execute(statement, [tile, *visible_cell, user_id])


_ENQUEUE_MISSING = """
SELECT app.enqueue(%s, jsonb_build_object('user_id', user_id), 'listings:geocode_user:' || user_id)
  FROM user_locations WHERE tile < 0"""


def sync_profiles(dsn: str) -> None:
    """Run the triggers of profiles that are older than their tables of offers and wants, and enqueue geocoding."""
    with psycopg.connect(dsn) as conn:
        conn.execute(
            "UPDATE profiles p SET location = location WHERE NOT EXISTS"
            " (SELECT FROM user_locations w WHERE w.user_id = p.user_id)"
        )
        conn.execute(_ENQUEUE_MISSING, [GEOCODE_TASK])
