"""The location of ZIP codes: the centers of the areas that the US Census Bureau draws around them.

The data are the Bureau's gazetteer of ZIP Code Tabulation Areas of 2021, a work of the United States Government in the
public domain, in degrees with two decimals. ZIP codes of post office boxes and of single buildings have no area.
`python -m porchlight_dev.zip_codes FILE` writes the data file from a later edition.
"""

from __future__ import annotations

import lzma
import math
from array import array
from bisect import bisect_left
from pathlib import Path
from typing import Final

DATA_FILE: Final = Path(__file__).with_name("zip_codes.txt.xz")  # lines "80202 39.75 -105.00", by ZIP code
ZIP_LENGTH: Final = 5
_AREA_SIZE: Final = 100  # ZIP codes with the same first three digits: one sorting center


class ZipCodes:
    """The areas of ZIP codes in columns: 400 kB of memory."""

    def __init__(self, path: Path = DATA_FILE) -> None:
        self.numbers = array("I")
        self._latitudes = array("f")
        self._longitudes = array("f")
        with lzma.open(path, "rt", encoding="ascii") as lines:
            for line in lines:
                number, latitude, longitude = line.split()
                self.numbers.append(int(number))
                self._latitudes.append(float(latitude))
                self._longitudes.append(float(longitude))

    def point(self, zip_code: str) -> tuple[float, float] | None:
        """Return the latitude and longitude of a ZIP code in degrees, or None without an area."""
        number = int(zip_code)
        position = bisect_left(self.numbers, number)
        if position == len(self.numbers) or self.numbers[position] != number:
            return None
        return self._point_at(position)

    def points_nearby(self, zip_code: str) -> list[tuple[float, float]]:
        """Return the points of the ZIP codes with the same first three digits, the closest number first."""
        number = int(zip_code)
        start = number - number % _AREA_SIZE
        first, end = bisect_left(self.numbers, start), bisect_left(self.numbers, start + _AREA_SIZE)
        positions = sorted(range(first, end), key=lambda position: abs(self.numbers[position] - number))
        return [self._point_at(position) for position in positions]

    def nearest(self, latitude: float, longitude: float) -> str | None:
        """Return the ZIP code whose center is nearest to a point in degrees, or None if that is over a degree away."""
        east = math.cos(math.radians(latitude))
        best, found = 1.0, None
        for position, north in enumerate(self._latitudes):
            if abs(north - latitude) < best:
                distance = math.hypot(north - latitude, (self._longitudes[position] - longitude) * east)
                if distance < best:
                    best, found = distance, position
        return None if found is None else f"{self.numbers[found]:05}"

    def _point_at(self, position: int) -> tuple[float, float]:
        return round(self._latitudes[position], 4), round(self._longitudes[position], 4)
