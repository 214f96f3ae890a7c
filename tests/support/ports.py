"""Ports for test servers: below 32768, where outgoing sockets never are (DESIGN 13)."""

from __future__ import annotations

import fcntl
import os
import random
import tempfile
from pathlib import Path
from typing import IO

from porchlight.local.processes import port_is_free

FIRST, LAST = 23000, 31999

# Reservations last as long as this process: other test processes see the locks.
_reserved: list[IO[str]] = []


def free_ports(count: int = 1) -> int:
    """The first of `count` consecutive free ports, reserved for this process."""
    folder = Path(tempfile.gettempdir()) / f"porchlight-ports-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    starts = list(range(FIRST, LAST - count, 8))
    random.shuffle(starts)
    for start in starts:
        locks = [(folder / str(port)).open("a") for port in range(start, start + count)]
        try:
            for lock in locks:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            taken = not all(port_is_free(start + step, "0.0.0.0") for step in range(count))  # noqa: S104
        except BlockingIOError:
            taken = True
        if not taken:
            _reserved.extend(locks)
            return start
        for lock in locks:
            lock.close()
    raise RuntimeError(f"no {count} consecutive free ports between {FIRST} and {LAST}")
