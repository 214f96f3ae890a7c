"""The map from old test ids to new ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from porchlight_dev.checks.collect import without_parameters
from porchlight_dev.checks.static_ids import StaticIds, overlaps
from porchlight_dev.checks.test_map import Move, draft, read_moves, unmapped, words_of

CURRENT = ("tests/b.py::test_new", "tests/b.py::test_other")


def _messages(*moves: Move) -> list[str]:
    return [finding.message for finding in unmapped(moves, CURRENT)]


def test_map_with_existing_successors_has_no_finding() -> None:
    assert _messages(Move(2, "tests/a.py::test_old", CURRENT, "")) == []


def test_map_reports_missing_successors() -> None:
    assert _messages(
        Move(2, "a::empty", (), ""),
        Move(3, "a::gone", ("tests/b.py::test_gone",), ""),
        Move(4, "a::removed", ("-",), ""),
        Move(5, "a::explained", ("-",), "the module no longer exists"),
    ) == [
        "a::empty has no successor",
        "tests/b.py::test_gone does not exist",
        "a::removed was removed: say why in the note",
    ]


def test_map_reports_id_listed_twice() -> None:
    messages = _messages(Move(2, "a::x", CURRENT[:1], ""), Move(3, "a::x", CURRENT[:1], ""))
    assert messages == ["a::x is listed 2 times"] * 2


def test_map_file_is_read_with_several_successors(tmp_path: Path) -> None:
    path = tmp_path / "MOVED.csv"
    path.write_text('old_id,new_id,note\na::x,b::y | b::z,split\n"a::v, w",-,gone\n')
    assert read_moves(path) == [Move(2, "a::x", ("b::y", "b::z"), "split"), Move(3, "a::v, w", ("-",), "gone")]


def test_suites_with_common_marks_overlap() -> None:
    fast, browser, slow = (
        ("a", ["pytest", "-m", "not e2e"]),
        ("b", ["pytest", "-m", "e2e"]),
        ("c", ["pytest", "-m", "x"]),
    )
    assert overlaps([fast, browser]) == []
    assert overlaps([fast, browser, slow]) == ["a and c", "b and c"]


def test_suites_of_different_folders_do_not_overlap() -> None:
    assert overlaps([("a", ["pytest", "tests/one"]), ("b", ["pytest", "tests/two"])]) == []
    assert overlaps([("a", ["pytest", "tests/one"]), ("b", ["pytest", "tests/one/test_x.py"])]) == ["a and b"]


def test_static_ids_find_python_tests(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        "async def test_one(): ...\n\n\nclass TestTwo:\n    def test_three(self): ...\n"
    )
    ids = StaticIds(tmp_path)
    assert "test_a.py::test_one" in ids
    assert "test_a.py::TestTwo::test_three" in ids
    assert "test_a.py::test_on" not in ids
    assert "test_b.py::test_one" not in ids


def test_static_ids_find_web_tests(tmp_path: Path) -> None:
    (tmp_path / "a.test.ts").write_text(
        'import { testLists } from "./list-test-helpers";\n'
        'describe("money", () => {\n  it.each([\n    [1, "$1"],\n  ])("formats %d as %s", () => {});\n});\n'
    )
    (tmp_path / "list-test-helpers.ts").write_text('it("shows (some) rows", () => {});\n')
    ids = StaticIds(tmp_path)
    assert "a.test.ts::money > formats 19.5 as $19.50" in ids
    assert "a.test.ts::shows (some) rows" in ids
    assert "a.test.ts::money > parses 1" not in ids


def test_parameters_are_removed_from_id() -> None:
    assert without_parameters("tests/a.py::test_b[x::y-1]") == "tests/a.py::test_b"


def test_draft_finds_same_name_then_similar_source() -> None:
    words = Counter({"client": 3, "leads": 2, "post": 1})
    old = {"tests/a.py::test_same": Counter({"x": 1}), "tests/a.py::test_renamed": words}
    new = {"tests/b.py::test_same": Counter({"y": 1}), "tests/b.py::test_lead_is_stored": words}
    assert [row[:2] for row in draft(old, new)] == [
        ("tests/a.py::test_renamed", "tests/b.py::test_lead_is_stored"),
        ("tests/a.py::test_same", "tests/b.py::test_same"),
    ]


def test_words_of_test_end_at_next_function() -> None:
    source = "def test_one() -> None:\n    assert alpha\n\n\ndef test_two() -> None:\n    assert beta\n"
    assert "beta" not in words_of("tests/a.py::test_one", source)
    assert "alpha" in words_of("tests/a.py::test_one", source)
