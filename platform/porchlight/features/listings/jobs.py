"""Jobs of listings: geocode a profile's location and parse its availability. Only the obfuscated location is stored."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.listings.actions import GEOCODE_USER_TASK
from porchlight.features.listings.availability import parse_availability
from porchlight.geo.grid import NOWHERE, cell_of, tile_of
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import Geocoder, Place
from tenants.db.rows import Connection, fetch_value, fetch_values
from tenants.db.tasks import Job, Tasks, UserJob

SYNC_PROFILES_TASK = "listings:sync_profiles"  # an operator or a migration enqueues it

# Runs the triggers of a profile that is older than the tables of offers and wants.
_CREATE_MISSING_ROWS = """
UPDATE profiles p SET location = location
 WHERE p.user_id = %s AND NOT EXISTS (SELECT FROM user_locations l WHERE l.user_id = p.user_id)
"""
_LOCATION = "SELECT location FROM profiles WHERE user_id = %s"
_PROFILE = """
SELECT p.availability, p.shows_location, l.is_area, l.cell_lat, l.cell_lon FROM profiles p
  LEFT JOIN user_locations l ON l.user_id = p.user_id WHERE p.user_id = %s AND p.location = %s FOR SHARE OF p
"""
_SAVE_LOCATION = """
INSERT INTO user_locations (user_id, city, tile, cell_lat, cell_lon, availability_bits) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (user_id) DO UPDATE SET city = excluded.city, tile = excluded.tile, cell_lat = excluded.cell_lat,
  cell_lon = excluded.cell_lon, availability_bits = excluded.availability_bits, ring_check_due = true,
  updated_at = app.now()
"""
# A user who hides their location keeps its tile, so search finds them in their region; results do not use the cell.
_COPY_LOCATION = (
    "UPDATE skill_offers SET tile = %s, cell_lat = %s, cell_lon = %s WHERE user_id = %s",
    "UPDATE skill_wants SET tile = %s, cell_lat = %s, cell_lon = %s WHERE user_id = %s",
)


_WITHOUT_LOCATION = "SELECT user_id FROM app.job_rows(NULL) AS (user_id uuid)"
_BECOME_USER = "SELECT set_config('app.user_id', %s, true)"
_GEOCODE = "SELECT app.enqueue_task(%s, '{}', true)"

TASKS = Tasks("listings")


@TASKS.user_task(GEOCODE_USER_TASK)  # a trigger also enqueues it, when a profile changes
async def geocode(job: UserJob, jobs: JobDependencies) -> None:
    """Update the user's location and availability from the profile."""
    await geocode_user(job, job.user_id, jobs.geocoder)


@TASKS.system_task(SYNC_PROFILES_TASK)
def sync_profiles(job: Job) -> None:
    """Enqueue geocoding for each user without a location."""
    with job.transaction() as conn:
        for user_id in fetch_values(conn, UUID, _WITHOUT_LOCATION):
            conn.execute(_BECOME_USER, [str(user_id)])
            conn.execute(_GEOCODE, [GEOCODE_USER_TASK])


async def geocode_user(job: Job, user_id: UUID, geocoder: Geocoder) -> None:
    """Update the job's user's location and availability from the profile. Idempotent."""
    location = await job.run(_profile_location, user_id)
    if location is None:
        return
    match = await geocoder.match(location)
    await job.run(_save_location, user_id, location, match.place)


def _profile_location(conn: Connection, user_id: UUID) -> str | None:
    conn.execute(_CREATE_MISSING_ROWS, [user_id])
    return fetch_value(conn, str, _LOCATION, [user_id])


def _save_location(conn: Connection, user_id: UUID, location: str, place: Place | None) -> None:
    """Store the place of `location`, unless the profile has another location by now: that enqueued a new job."""
    row = conn.execute(_PROFILE, [user_id, location]).fetchone()
    if row is None:
        return
    availability, shows_location, is_area, cell_lat, cell_lon = row
    if not is_area:
        cell_lat, cell_lon = (NOWHERE, NOWHERE) if place is None else cell_of(place.latitude, place.longitude)
    city = "" if place is None else f"{place.city}, {place.subdivision}".removesuffix(", ")
    tile = tile_of(cell_lat, cell_lon)
    bits = parse_availability(availability)
    conn.execute(_SAVE_LOCATION, [user_id, city, tile, cell_lat, cell_lon, bits])
    visible_cell = (cell_lat, cell_lon) if shows_location else (NOWHERE, NOWHERE)
    for statement in _COPY_LOCATION:
        conn.execute(statement, [tile, *visible_cell, user_id])
