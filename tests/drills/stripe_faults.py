"""A Stripe that fails about one of four calls of some operations."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from tests.porchlight.settlement.both_sides import BothSides

POLL_SECONDS = 0.1


class StripeFaults:
    """Lets about one of four calls of each operation fail, until the end of the block.

    `calls` returns the number of calls so far by operation, named as the fake's control API does: a method and a path.
    """

    def __init__(self, sides: BothSides, faults: Sequence[str], calls: Callable[[], Mapping[str, int]]) -> None:
        self._sides = sides
        self._faults = faults
        self._calls = calls
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.added: Counter[str] = Counter()

    def __enter__(self) -> StripeFaults:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._ended.set()
        self._thread.join()
        self._sides.clear_faults()

    def _run(self) -> None:
        while not self._ended.wait(POLL_SECONDS):
            for operation, count in self._calls().items():
                if count >= 3 * self.added[operation]:
                    self._sides.fault(random.choice(self._faults), operation)
                    self.added[operation] += 1
