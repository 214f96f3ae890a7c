"""Reading calendar files in a process of its own, which ends with each reading."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.parsing.busy import Period, SourceReading
from tenants.kit import timeouts

_COMMAND = [sys.executable, "-I", "-m", "porchlight.features.busy_sources.parsing.child"]


def read_busy_periods(files: Sequence[bytes], reading: SourceReading) -> list[Period]:
    """Return when someone is busy by their calendar files. Raise SourceFailed for files that are not read.

    The process is new each time, because libraries remember zones by their names, and files disagree about them. It has
    an empty environment: what a file could make it do, it does without the product's secrets.
    """
    head = {
        "lengths": [len(content) for content in files],
        "zone": reading.zone,
        "after": reading.after.timestamp(),
        "before": reading.before.timestamp(),
        "own_host": reading.own_host,
        "all_day_blocks": reading.all_day_blocks,
        "addresses": sorted(reading.addresses),
    }
    try:
        ended = subprocess.run(
            _COMMAND,
            input=b"".join([json.dumps(head).encode(), b"\n", *files]),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"OPENBLAS_NUM_THREADS": "1"},
            timeout=timeouts.current.calendar_parse_seconds,
            check=False,
        )
        answer: dict[str, Any] = json.loads(ended.stdout) if ended.returncode == 0 else {"refused": "too_large"}
    except (subprocess.TimeoutExpired, ValueError):
        raise SourceFailed("too_large") from None
    if "busy" not in answer:
        raise SourceFailed(answer["refused"])
    return [(datetime.fromtimestamp(start, UTC), datetime.fromtimestamp(end, UTC)) for start, end in answer["busy"]]
