"""Obfuscated locations: precise enough for distances, too coarse to find a home.

A location is stored as the center of a cell of about two by two kilometers, never as the exact point. A point near the
center of its cell is moved to the next cell, so the stored location is always at least MIN_OFFSET_KM away from the
point. The result is the same for every request.
"""

from __future__ import annotations

import math

CELL_HEIGHT = 0.02  # degrees of latitude: 2.2 km
CELL_WIDTH = 0.026  # degrees of longitude: 2.2 km in Colorado
MIN_OFFSET_KM = 0.4
_KM_PER_DEGREE = 111.2


def _center(value: float, step: float) -> float:
    return (math.floor(value / step) + 0.5) * step


def obfuscate(latitude: float, longitude: float) -> tuple[float, float]:
    """Return the center of the cell that represents a point, in degrees."""
    center_lat, center_lon = _center(latitude, CELL_HEIGHT), _center(longitude, CELL_WIDTH)
    north_km = (latitude - center_lat) * _KM_PER_DEGREE
    east_km = (longitude - center_lon) * _KM_PER_DEGREE * math.cos(math.radians(latitude))
    if math.hypot(north_km, east_km) < MIN_OFFSET_KM:
        if abs(north_km) >= abs(east_km):
            center_lat += CELL_HEIGHT if north_km >= 0 else -CELL_HEIGHT
        else:
            center_lon += CELL_WIDTH if east_km >= 0 else -CELL_WIDTH
    return round(max(-89.99, min(89.99, center_lat)), 4), round((center_lon + 180) % 360 - 180, 4)
