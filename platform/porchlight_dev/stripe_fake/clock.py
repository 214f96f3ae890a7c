"""The clock of the fake Stripe: the product's time plus an offset, and timers for what happens later.

`advance` runs the timers in the order of their time, each at its own time, so that 14 months pass in a second.
"""

from __future__ import annotations

from collections.abc import Callable

from porchlight_dev.stripe_fake.store import Store
from tenants.kit import clock

MINUTE = 60
HOUR = 3600
DAY = 86_400


class Clock:
    """The time at the fake Stripe, in epoch seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._offset = int(store.setting("clock_offset", "0"))
        self._moment: int | None = None
        self.handlers: dict[str, Callable[[str], object]] = {}

    def now(self) -> int:
        """Return the current time, or the time of the timer that runs."""
        return self._moment if self._moment is not None else int(clock.now().timestamp()) + self._offset

    def set_timer(self, due: int, kind: str, object_id: str) -> None:
        """Call the handler of `kind` with `object_id` at `due`."""
        self._store.db.execute("INSERT INTO timers (due, kind, object) VALUES (?, ?, ?)", [due, kind, object_id])

    def cancel_timers(self, kind: str, object_id: str) -> None:
        """Remove the timers of a kind for an object."""
        self._store.db.execute("DELETE FROM timers WHERE kind = ? AND object = ?", [kind, object_id])

    def cancel_timers_until(self, due: int, kind: str, object_id: str) -> None:
        """Remove the timers of a kind for an object that are due by `due`."""
        query = "DELETE FROM timers WHERE kind = ? AND object = ? AND due <= ?"
        self._store.db.execute(query, [kind, object_id, due])

    def has_timer(self, due: int, kind: str, object_id: str) -> bool:
        """Return whether a timer of a kind for an object is due by `due`."""
        query = "SELECT 1 FROM timers WHERE kind = ? AND object = ? AND due <= ? LIMIT 1"
        return self._store.db.execute(query, [kind, object_id, due]).fetchone() is not None

    def advance(self, seconds: int) -> int:
        """Move the clock forward and run what becomes due; return the new time."""
        target = self.now() + seconds
        self.run_due(target)
        self._offset += seconds
        self._store.put_setting("clock_offset", str(self._offset))
        return self.now()

    def run_due(self, until: int | None = None) -> int:
        """Run the timers that are due until then (default: now), each in one transaction; return their number."""
        until = self.now() if until is None else until
        count = 0
        query = "SELECT seq, due, kind, object FROM timers WHERE due <= ? ORDER BY due, seq LIMIT 1"
        while row := self._store.db.execute(query, [until]).fetchone():
            seq, due, kind, object_id = row
            self._moment = max(int(due), self.now() if self._moment is None else self._moment)
            try:
                with self._store.transaction():
                    self._store.db.execute("DELETE FROM timers WHERE seq = ?", [seq])
                    self.handlers[kind](object_id)
            finally:
                self._moment = None
            count += 1
        return count
