"""Numbered cells and tiles. Tables store the cell of a location (see `obfuscation`)."""

from __future__ import annotations

import math

from porchlight.geo.obfuscation import CELL_HEIGHT, CELL_WIDTH, obfuscate

NOWHERE = -1
_FIRST_ROW, _FIRST_COLUMN = 4500, 6924  # offsets that make all numbers positive
_CELLS_PER_TILE = (25, 20)  # rows and columns: half a degree each way


def cell_of(latitude: float, longitude: float) -> tuple[int, int]:
    """Return the row and column of the obfuscated cell of a point in degrees."""
    north, east = obfuscate(latitude, longitude)
    return math.floor(north / CELL_HEIGHT) + _FIRST_ROW, math.floor(east / CELL_WIDTH) + _FIRST_COLUMN


def cell_center(cell_lat: int, cell_lon: int) -> tuple[float, float]:
    """Return the center of a cell, in degrees."""
    return (
        round((cell_lat - _FIRST_ROW + 0.5) * CELL_HEIGHT, 4),
        round((cell_lon - _FIRST_COLUMN + 0.5) * CELL_WIDTH, 4),
    )


def tile_of(cell_lat: int, cell_lon: int) -> int:
    """Return the half-degree tile of a cell, or NOWHERE. The numbers of adjacent tiles differ by 1 or 1000."""
    if cell_lat < 0:
        return NOWHERE
    return cell_lat // _CELLS_PER_TILE[0] * 1000 + cell_lon // _CELLS_PER_TILE[1]
