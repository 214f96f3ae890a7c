"""Write the data file of ZIP codes from the US Census Bureau's gazetteer of ZIP Code Tabulation Areas.

`python -m porchlight_dev.zip_codes 2025_Gaz_zcta_national.txt`. The Bureau publishes the file each year, in the public
domain: a header, then GEOID … INTPTLAT INTPTLONG between tabs.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterable
from pathlib import Path

from porchlight.geo.zip_codes import DATA_FILE


def data_lines(rows: Iterable[str]) -> list[str]:
    """Return the lines of the data file for the lines of a gazetteer, by ZIP code."""
    header, *areas = (row.split("\t") for row in rows if row.strip())
    names = [name.strip() for name in header]
    zip_code, latitude, longitude = (names.index(name) for name in ("GEOID", "INTPTLAT", "INTPTLONG"))
    return sorted(f"{area[zip_code]} {float(area[latitude]):.2f} {float(area[longitude]):.2f}\n" for area in areas)


def main() -> None:
    """Read the file named on the command line and write the data file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gazetteer", type=Path)
    with parser.parse_args().gazetteer.open(encoding="utf-8") as rows:
        DATA_FILE.write_bytes(lzma.compress("".join(data_lines(rows)).encode("ascii"), preset=9))


if __name__ == "__main__":
    main()
