"""Check that every test of the old tree has a successor, and that no suite runs a test of another one.

Usage:
    python -m porchlight_dev.checks.test_map                    check tests/MOVED.csv against the sources of the tests
    python -m porchlight_dev.checks.test_map --collect          check it against the tests that the runners list
    python -m porchlight_dev.checks.test_map --record FILE      write the ids of this checkout's tests, one per line
    python -m porchlight_dev.checks.test_map --draft FILE --base COMMIT
                                                                write tests/MOVED.csv for the recorded ids in FILE
    option --collected FILE                                     use recorded ids in place of a new collection

The sources are read in two seconds. They show whether a parametrized web test's title fits, not whether its row exists.

An id is `tests/leads/test_x.py::test_y` without parameters, or `main-web/src/x.test.ts::suite > test`.
`tests/MOVED.csv` has the columns old_id, new_id and note. Several new ids are separated by ` | `. A test whose subject
no longer exists has the new id `-` and a note that says why.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from porchlight_dev.checks.collect import all_ids
from porchlight_dev.checks.findings import ROOT, Finding, write_line
from porchlight_dev.checks.static_ids import StaticIds, overlaps
from porchlight_dev.checks.tasks import SUITES

MOVED = "tests/MOVED.csv"
SEPARATOR = " | "
REMOVED = "-"
MIN_SIMILARITY = 0.5
WORD = re.compile(r"[A-Za-z]{3,}|\d+")


@dataclass(frozen=True, slots=True)
class Move:
    """One row of the map, with its line number."""

    line: int
    old_id: str
    new_ids: tuple[str, ...]
    note: str


def read_moves(path: Path) -> list[Move]:
    """Read the map. The first line holds the column names."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return [
            Move(
                rows.line_num,
                row["old_id"].strip(),
                tuple(part.strip() for part in (row["new_id"] or "").split(SEPARATOR.strip()) if part.strip()),
                (row.get("note") or "").strip(),
            )
            for row in rows
        ]


def unmapped(moves: Sequence[Move], known: Container[str]) -> list[Finding]:
    """Return a finding for each old test without a successor in `known`, and for each one listed twice."""
    times = Counter(move.old_id for move in moves)
    findings: list[Finding] = []
    for move in moves:
        if times[move.old_id] > 1:
            findings.append(Finding(MOVED, move.line, f"{move.old_id} is listed {times[move.old_id]} times"))
        if not move.new_ids:
            findings.append(Finding(MOVED, move.line, f"{move.old_id} has no successor"))
        elif move.new_ids == (REMOVED,):
            if not move.note:
                findings.append(Finding(MOVED, move.line, f"{move.old_id} was removed: say why in the note"))
        else:
            missing = [new_id for new_id in move.new_ids if new_id not in known]
            findings += [Finding(MOVED, move.line, f"{new_id} does not exist") for new_id in missing]
    return findings


def similarity(left: Counter[str], right: Counter[str]) -> float:
    """Return how much of two bags of words is shared, between 0 and 1."""
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 0.0


def draft(
    old: dict[str, Counter[str]], new: dict[str, Counter[str]], *, name_weight: float = 0.1
) -> list[tuple[str, str, str]]:
    """Return rows old_id, new_id, note: the same id, the only test with the same name, or the most similar test.

    `old` and `new` map ids to the words of the tests' sources. A test found by similarity carries the figure in its
    note, so that a reviewer can read the weak ones first.
    """
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for new_id in new:
        by_name[new_id.rsplit("::", 1)[1]].append(new_id)
    rows: list[tuple[str, str, str]] = []
    for old_id, words in sorted(old.items()):
        namesakes = by_name[old_id.rsplit("::", 1)[1]]
        if old_id in new:
            rows.append((old_id, old_id, ""))
        elif len(namesakes) == 1:
            rows.append((old_id, namesakes[0], ""))
        else:
            bonus = Counter(WORD.findall(old_id))
            scored = [
                (similarity(words, candidate) + name_weight * similarity(bonus, Counter(WORD.findall(new_id))), new_id)
                for new_id, candidate in new.items()
                if new_id.endswith(".py") == old_id.endswith(".py")
            ]
            score, best = max(scored, default=(0.0, ""))
            found = score >= MIN_SIMILARITY
            rows.append((old_id, best if found else "", f"similarity {score:.2f}: {best}" if best else "no candidate"))
    return rows


def words_of(test_id: str, source: str) -> Counter[str]:
    """Return the words of one test's source. `source` is the whole file's text."""
    name = test_id.rsplit("::", 1)[1].rsplit(" > ", 1)[-1]
    python = ".py::" in test_id
    start = re.search(rf"def {re.escape(name)}\b", source) if python else None
    begin = start.start() if start else source.find(name)
    if begin < 0:
        return Counter(WORD.findall(name))
    end = (
        re.search(r"\n(?:async def|def|class|@)\b", source[begin + 1 :])
        if python
        else re.search(r"\n\s*(?:it|test)\(", source[begin + 1 :])
    )
    return Counter(WORD.findall(source[begin : begin + 1 + end.start()] if end else source[begin:]))


def sources_at(root: Path, ids: Iterable[str], commit: str = "") -> dict[str, Counter[str]]:
    """Return the words of each test, from the files of `commit` or of the working tree."""
    texts: dict[str, str] = {}
    words: dict[str, Counter[str]] = {}
    for test_id in ids:
        path = test_id.split("::", 1)[0]
        if path not in texts:
            if commit:
                shown = subprocess.run(
                    ["git", "-C", str(root), "show", f"{commit}:{path}"], capture_output=True, check=True
                )
                texts[path] = shown.stdout.decode()
            else:
                texts[path] = (root / path).read_text(encoding="utf-8")
        words[test_id] = words_of(test_id, texts[path])
    return words


def write_draft(root: Path, recorded: Path, base: str, current: Sequence[str]) -> int:
    """Write `tests/MOVED.csv` for the recorded ids. Return the number of rows without a successor."""
    rows = draft(sources_at(root, _lines(recorded), base), sources_at(root, current))
    with (root / MOVED).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("old_id", "new_id", "note"))
        writer.writerows(rows)
    return sum(not new_id for _, new_id, _ in rows)


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main() -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="test_map", description="Check the map from old test ids to new ones.")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the ids of all tests, one per line")
    parser.add_argument("--draft", type=Path, metavar="FILE", help="write tests/MOVED.csv for the recorded ids")
    parser.add_argument("--base", default="", metavar="COMMIT", help="the commit that the recorded ids are from")
    parser.add_argument("--collected", type=Path, metavar="FILE", help="recorded ids of the current tests")
    parser.add_argument("--collect", action="store_true", help="list the tests with their runners (a minute)")
    options = parser.parse_args()
    if options.record:
        options.record.write_text("\n".join(ids := current_ids(options.collected)) + "\n", encoding="utf-8")
        write_line(f"{len(ids)} tests recorded in {options.record}")
        return 0
    if options.draft:
        missing = write_draft(ROOT, options.draft, options.base, current_ids(options.collected))
        write_line(f"{missing} tests without a successor in {MOVED}")
        return 0
    if not (ROOT / MOVED).exists():
        write_line(f"{MOVED} does not exist: write it with --draft")
        return 1
    return check(current_ids(options.collected) if options.collect or options.collected else None)


def current_ids(collected: Path | None) -> list[str]:
    """Return the recorded ids in `collected`, or those that the runners list."""
    return _lines(collected) if collected else all_ids(ROOT)


def check(ids: Sequence[str] | None) -> int:
    """Check the map against `ids`, or against the sources. Return the exit code."""
    findings = unmapped(read_moves(ROOT / MOVED), StaticIds(ROOT) if ids is None else frozenset(ids))
    for finding in findings:
        write_line(str(finding))
    runs = [(task.name, task.argv) for task in SUITES if Path(task.argv[0]).name == "pytest"]
    twice = overlaps(runs)
    for pair in twice:
        write_line(f"{pair} run the same tests")
    write_line(f"{len(findings)} unmapped, {len(twice)} run twice")
    return 1 if findings or twice else 0


if __name__ == "__main__":
    sys.exit(main())
