"""The process that reads calendar files: `python -m porchlight.features.busy_sources.parsing.child`.

It gets one JSON line about the reading, with the length of each file, then the files. It answers with one JSON line. It
limits its own memory and processor time, opens no connection, and sees none of the product's settings.
"""

from __future__ import annotations

import json
import resource
import sys
import zoneinfo
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

MAX_MEMORY_BYTES = 512 * 1024 * 1024
MAX_CPU_SECONDS = 5


def main() -> None:
    """Read the files of the standard input, and write when they are busy."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    zoneinfo.reset_tzpath(to=())  # the pinned package, as `tenants.kit.zones`
    head = json.loads(sys.stdin.buffer.readline())
    files = [sys.stdin.buffer.read(length) for length in head["lengths"]]
    sys.stdout.write(json.dumps(_answer(head, files)))


def _answer(head: Mapping[str, Any], files: list[bytes]) -> dict[str, Any]:
    # Imported under the limits: the libraries are a part of what a file may cost.
    from porchlight.features.busy_sources.parsing.busy import SourceReading, busy_periods
    from porchlight.features.busy_sources.parsing.content_lines import FileRefused

    reading = SourceReading(
        zone=head["zone"],
        after=datetime.fromtimestamp(head["after"], UTC),
        before=datetime.fromtimestamp(head["before"], UTC),
        own_host=head["own_host"],
        all_day_blocks=head["all_day_blocks"],
        addresses=frozenset(head["addresses"]),
    )
    try:
        periods = busy_periods(files, reading)
    except FileRefused as refused:
        return {"refused": str(refused)}
    except (MemoryError, RecursionError):
        return {"refused": "too_large"}
    return {"busy": [(start.timestamp(), end.timestamp()) for start, end in periods]}


if __name__ == "__main__":
    main()
