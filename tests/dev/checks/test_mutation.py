"""Mutants: how they are listed, applied, sampled and scored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porchlight_dev.checks.mutants import add_probes, apply_mutant, covering_tests, list_mutants
from porchlight_dev.checks.mutation import MutationError, compare, find_packages, sample, score

SOURCE = '''
LIMIT = 5

def leave(count: int, open: bool = True) -> bool:
    """Return whether one more is allowed."""
    if not open or count >= 5:
        raise ValueError
    return True
'''


def test_mutants_of_function_cover_each_kind() -> None:
    ids = [mutant.id for mutant in list_mutants({"a.py": SOURCE}, {"leave": "create"})]
    assert ids == [
        "create:boolean:0",
        "create:not:0",
        "create:comparison:0",
        "create:constant:0",
        "create:statement:0",
        "create:constant:1",
    ]


@pytest.mark.parametrize(
    ("mutant_id", "changed"),
    [
        ("leave:boolean:0", "not open and count >= 5"),
        ("leave:not:0", "if open or"),
        ("leave:comparison:0", "count < 5"),
        ("leave:constant:0", "count >= 6"),
        ("leave:statement:0", "pass"),
        ("leave:constant:1", "return False"),
    ],
)
def test_mutant_changes_one_place(mutant_id: str, changed: str) -> None:
    (mutant,) = [one for one in list_mutants({"a.py": SOURCE}, {}) if one.id == mutant_id]
    mutated = apply_mutant(SOURCE, mutant.index)
    assert changed in mutated
    assert "LIMIT = 5" in mutated


def test_sample_keeps_mutants_when_code_is_added() -> None:
    before = sample(list_mutants({"a.py": SOURCE}, {}), 3)
    added = SOURCE + "\n\ndef other(x: int) -> bool:\n    return x > 1\n"
    after = sample(list_mutants({"a.py": added}, {}), 3, [mutant.id for mutant in before])
    assert [mutant.id for mutant in after] == [mutant.id for mutant in before]


def test_score_is_share_of_found_mutants() -> None:
    assert score({"a": "killed", "b": "survived", "c": "timeout", "d": "killed"}) == 0.75


def test_compare_reports_lower_score_and_missing_package() -> None:
    old = {"packages": {"rls": {"score": 1.0, "mutants": {"a": "killed"}}, "auth": {"score": 0.5, "mutants": {}}}}
    new = {"packages": {"rls": {"score": 0.0, "mutants": {"a": "survived"}}}}
    assert compare(old, new) == ["rls: 0.000 is lower than 1.000", "auth: not measured"]
    assert compare(old, old) == []


def test_package_without_files_is_an_error(tmp_path: Path) -> None:
    config = {"packages": {"rls": {"sources": ["missing.py"], "tests": ["missing.py"]}}}
    with pytest.raises(MutationError, match="sources"):
        find_packages(tmp_path, config)


def test_probe_records_function_and_current_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "probes.log"
    scope: dict[str, Any] = {}
    exec(compile(add_probes(SOURCE, "a.py", str(log)), "a.py", "exec"), scope)  # noqa: S102
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "tests/a.py::test_b[x y] (call)")
    assert scope["leave"](1)
    assert log.read_text() == "a.py:leave\ttests/a.py::test_b[x y] (call)\n"


def test_covering_tests_widen_for_fixtures_and_imports() -> None:
    log = "a:f\ttests/a.py::test_b[x y] (call)\na:g\ttests/a.py::test_b (setup)\na:h\t\n"
    assert covering_tests(log, ["tests"]) == {"a:f": ["tests/a.py::test_b"], "a:g": ["tests/a.py"], "a:h": ["tests"]}
