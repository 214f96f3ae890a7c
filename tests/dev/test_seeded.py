"""The texts of `tests.fixtures.seeded`, of which each worker of a run has its own."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tests.fixtures import seeded

NAMES_OF_TEXTS = ("word", "person_name", "text", "skill_name")
MANY = 300


def _of_worker(monkeypatch: pytest.MonkeyPatch, worker: str, workers: int) -> ModuleType:
    """Return the module as a worker of pytest-xdist loads it."""
    monkeypatch.setenv("PYTEST_XDIST_WORKER", worker)
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", str(workers))
    spec = importlib.util.spec_from_file_location(f"seeded_{worker}", seeded.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", NAMES_OF_TEXTS)
def test_seeded_text_of_another_worker_is_another(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    modules = [_of_worker(monkeypatch, f"gw{number}", 3) for number in range(3)]
    texts = [getattr(module, name)() for module in modules for _ in range(MANY)]
    assert len(set(texts)) == 3 * MANY


@pytest.mark.parametrize("name", NAMES_OF_TEXTS)
def test_seeded_text_is_the_same_in_the_next_run(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    first, next_ = (_of_worker(monkeypatch, "gw1", 2) for _ in range(2))
    assert [getattr(first, name)() for _ in range(MANY)] == [getattr(next_, name)() for _ in range(MANY)]
