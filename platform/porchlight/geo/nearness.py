"""How much the distance counts, in search and in matches."""

from __future__ import annotations

import math

DISTANCE_WEIGHT = 0.15  # the most that the distance takes away from a score: what fits matters more than what is near
FAR_KM = 40.0  # from here on it takes that

_NEAR_TILES_KM = 25.0  # the tile of a cell and the eight around it reach at least so far
_TILE_HEIGHT_KM = 55.0


def far_tile_rows(km: float) -> int:
    """Return how many rows of tiles, beyond the near ones, a distance reaches to the north and to the south."""
    return math.ceil(km / _TILE_HEIGHT_KM) if km > _NEAR_TILES_KM else 0
