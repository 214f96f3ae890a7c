"""Cache of free starts, one per app."""

from __future__ import annotations

from collections import OrderedDict
from datetime import date
from typing import Final
from uuid import UUID

from sites.hours.slots import FreeStarts

MAX_ENTRIES: Final = 500  # about 20 MB

FreeStartsKey = tuple[UUID, UUID, int, date, int]
"""Tenant id, service id, version of the calendar, first day and number of days."""


class FreeStartsCache:
    """The most recently used results of `free_starts`. Entries of old versions are the first to go."""

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        self._max_entries = max_entries
        self._entries: OrderedDict[FreeStartsKey, FreeStarts] = OrderedDict()

    def get(self, key: FreeStartsKey) -> FreeStarts | None:
        """Return the entry, or None."""
        if key in self._entries:
            self._entries.move_to_end(key)
        return self._entries.get(key)

    def put(self, key: FreeStartsKey, free: FreeStarts) -> None:
        """Store an entry. The least recently used one is removed if the cache is full."""
        self._entries[key] = free
        self._entries.move_to_end(key)
        if len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)
