"""The random test order: repeatable from its seed, module by module."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.random_order import shuffled


@pytest.fixture
def items(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Eight tests in each of two modules, one of them with a drill."""
    return list(_items(request.session))


def _items(session: pytest.Session) -> Iterator[pytest.Item]:
    for module in ("test_a.py", "test_b.py"):
        parent = pytest.Module.from_parent(session, path=Path(session.path / module), name=module)
        for number in range(8):
            yield pytest.Function.from_parent(parent, name=f"test_{number}", callobj=lambda: None)


def names(items: list[pytest.Item]) -> list[str]:
    return [item.nodeid for item in items]


def test_shuffled_same_seed_repeats_order(items: list[pytest.Item]) -> None:
    assert names(shuffled(items, 1)) == names(shuffled(items[8:] + items[:8], 1))
    orders = {tuple(names(shuffled(items, seed))) for seed in range(20)}
    assert len(orders) == 2


def test_shuffled_keeps_tests_of_a_module_in_order(items: list[pytest.Item]) -> None:
    first_modules = set()
    for seed in range(20):
        order = [name.split("::")[0] for name in names(shuffled(items, seed))]
        assert len(list(itertools.groupby(order))) == 2, "the tests of a module are not together"
        first_modules.add(order[0])
        assert [name for name in names(shuffled(items, seed)) if name.startswith("test_a")] == names(items[:8])
    assert len(first_modules) == 2


def test_shuffled_subset_keeps_its_order(items: list[pytest.Item]) -> None:
    subset = items[::3]
    chosen = set(names(subset))
    assert names(shuffled(subset, 7)) == [name for name in names(shuffled(items, 7)) if name in chosen]


def test_shuffled_marked_test_is_last_in_module(items: list[pytest.Item]) -> None:
    items[3].add_marker("last")
    for seed in range(5):
        order = shuffled(items, seed)
        assert order.index(items[3]) in (7, 15)


def test_shuffled_drills_stay_in_file_order(items: list[pytest.Item]) -> None:
    drills = items[2:5]
    for item in drills:
        item.add_marker("drill")
    for seed in range(5):
        assert shuffled(items, seed)[-3:] == drills


def test_shuffled_slow_drills_start_first(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker("drill")
    items[11].add_marker("slow")
    assert names(shuffled(items, 1)) == names([items[11], *items[:11], *items[12:]])
