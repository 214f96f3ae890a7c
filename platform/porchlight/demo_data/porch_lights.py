"""Demo data of porch lights: three angels who are free on the evening of the first start."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import psycopg

from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.porch_lights.evening import evening_end
from tenants.kit import clock

_ANGELS = ("theo.barnes@example.com", "bea.thornton@example.com", "june.halvorsen@example.com")
_TURN_ON = """
INSERT INTO porch_lights (user_id, expires_at, city, latitude, longitude, turned_on_at)
SELECT user_id, %s, city, latitude, longitude, %s FROM angels WHERE user_id = %s AND active
 ORDER BY updated_at DESC LIMIT 1
ON CONFLICT (user_id) DO UPDATE SET expires_at = excluded.expires_at"""


def load_all(service_dsn: str) -> int:
    """Turn on the lights of three angels until 10 PM in Denver. Return how many are on."""
    now = clock.now()
    until = evening_end(now, ZoneInfo("America/Denver"))
    with psycopg.connect(service_dsn) as conn:
        return sum(conn.execute(_TURN_ON, [until, now, neighbor_id(email)]).rowcount for email in _ANGELS)
