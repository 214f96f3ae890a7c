"""Read one hostile calendar file: `python -m tests.drills.hostile_reading NAME`. A process per file has one child.

Prints the seconds it took, the largest memory of the child in MB, and why it was refused or "read".
"""

from __future__ import annotations

import json
import resource
import sys
import time

import tests  # noqa: F401 - before the product
from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.parsing.sandbox import read_busy_periods
from tests.porchlight.busy_sources.calendar_files import reading
from tests.porchlight.busy_sources.hostile_files import HEAVY, REFUSED


def main() -> None:
    """Read the file that the command names."""
    name = sys.argv[1]
    content = (REFUSED.get(name) or HEAVY[name])()
    began = time.monotonic()
    try:
        read_busy_periods([content], reading())
        result = "read"
    except SourceFailed as failed:
        result = failed.failure
    taken = time.monotonic() - began
    print(json.dumps([taken, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, result]))


if __name__ == "__main__":
    main()
