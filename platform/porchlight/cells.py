"""Coarse places: where somebody is, told so roughly that nobody can find their door.

A place is kept as the middle of a cell of some two by two kilometres, never as the point it came from. Somebody who
happens to live near the middle of their cell is put into the next one, so that what is kept is never nearer than
AT_LEAST_KM to where they are, however often it is asked for.
"""

from __future__ import annotations

import math

HEIGHT = 0.02  # degrees of latitude: 2.2 km
WIDTH = 0.026  # degrees of longitude: 2.2 km in Colorado
AT_LEAST_KM = 0.4
_KM_A_DEGREE = 111.2


def _middle(value: float, step: float) -> float:
    return (math.floor(value / step) + 0.5) * step


def coarse(latitude: float, longitude: float) -> tuple[float, float]:
    """The middle of the cell that stands for a point; all in degrees."""
    south, west = _middle(latitude, HEIGHT), _middle(longitude, WIDTH)
    up = (latitude - south) * _KM_A_DEGREE
    right = (longitude - west) * _KM_A_DEGREE * math.cos(math.radians(latitude))
    if math.hypot(up, right) < AT_LEAST_KM:
        if abs(up) >= abs(right):
            south += HEIGHT if up >= 0 else -HEIGHT
        else:
            west += WIDTH if right >= 0 else -WIDTH
    return round(max(-89.99, min(89.99, south)), 4), round((west + 180) % 360 - 180, 4)
