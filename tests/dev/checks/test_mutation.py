"""The score of deliberate faults."""

from __future__ import annotations

import pytest

from porchlight_dev.checks import mutation
from porchlight_dev.checks.findings import ROOT


def test_score_counts_faults_without_tests_as_unfound() -> None:
    assert mutation.score({"found": 1, "too slow": 36, "survived": 0, "no test": 33, "none collected": 5}) == (2, 5)


@pytest.mark.parametrize(("folder", "names"), [
    (f"platform/{mutation.BOOKINGS}", mutation.SOURCES), ("tests/porchlight/bookings", mutation.TESTS),
])  # fmt: skip
def test_mutation_names_existing_files(folder: str, names: tuple[str, ...]) -> None:
    assert [name for name in names if not (ROOT / folder / name).is_file()] == []
