"""Read one hostile calendar file, in a process of its own: `python -m <this module> NAME`.

It prints the seconds it took, the largest memory of its child in MB, and why it was refused or "read". The largest
memory of a process counts what it shared with its parent when it began, and that of the tests is large.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

import tests  # noqa: F401 - before the product
from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.parsing.sandbox import read_busy_periods
from tests.porchlight.busy_sources.calendar_files import reading
from tests.porchlight.busy_sources.hostile_files import HEAVY, REFUSED


def measure_reading(name: str) -> tuple[float, float, str]:
    """Return the seconds that a file took, the largest memory in MB, and why it was refused or "read"."""
    command = [sys.executable, "-m", __name__, name]
    seconds, megabytes, result = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return seconds, megabytes, result


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
