"""Coarse cells by number, as tables keep them for distances and for what is near (see `cells`)."""

from __future__ import annotations

import math

from porchlight import cells

NOWHERE = -1
_SOUTH, _WEST = 4500, 6924  # so that no number is negative
_CELLS_A_TILE = (25, 20)  # of latitude and longitude: half a degree each way


def cell_of(latitude: float, longitude: float) -> tuple[int, int]:
    """The numbers of the coarse cell that stands for a point in degrees."""
    middle = cells.coarse(latitude, longitude)
    return math.floor(middle[0] / cells.HEIGHT) + _SOUTH, math.floor(middle[1] / cells.WIDTH) + _WEST


def middle_of(cell_lat: int, cell_lon: int) -> tuple[float, float]:
    """The middle of a cell, in degrees."""
    return round((cell_lat - _SOUTH + 0.5) * cells.HEIGHT, 4), round((cell_lon - _WEST + 0.5) * cells.WIDTH, 4)


def tile_of(cell_lat: int, cell_lon: int) -> int:
    """The half degree a cell lies in; -1 for nowhere. Neighbouring tiles differ by 1 and by 1000."""
    if cell_lat < 0:
        return NOWHERE
    return cell_lat // _CELLS_A_TILE[0] * 1000 + cell_lon // _CELLS_A_TILE[1]
