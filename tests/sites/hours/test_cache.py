"""The cache of free starts."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from sites.hours.cache import FreeStartsCache, FreeStartsKey
from sites.hours.slots import FreeStarts


def cache_key(tenant: int, version: int = 1) -> FreeStartsKey:
    return UUID(int=tenant), UUID(int=0), version, date(2027, 6, 1), 60


def test_cache_returns_entry_of_same_key_only() -> None:
    cache = FreeStartsCache()
    free = FreeStarts((), 1)
    cache.put(cache_key(1), free)
    assert cache.get(cache_key(1)) is free
    assert cache.get(cache_key(2)) is None
    assert cache.get(cache_key(1, version=2)) is None


def test_cache_when_full_removes_least_recently_used() -> None:
    cache = FreeStartsCache(max_entries=2)
    for tenant in (1, 2):
        cache.put(cache_key(tenant), FreeStarts((), tenant))
    cache.get(cache_key(1))
    cache.put(cache_key(3), FreeStarts((), 3))
    assert [cache.get(cache_key(tenant)) is not None for tenant in (1, 2, 3)] == [True, False, True]


def test_cache_put_of_known_key_removes_nothing() -> None:
    cache = FreeStartsCache(max_entries=2)
    for tenant in (1, 2, 2):
        cache.put(cache_key(tenant), FreeStarts((), tenant))
    assert cache.get(cache_key(1)) is not None
