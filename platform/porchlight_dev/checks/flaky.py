"""The history of flaky tests on this machine: a test that is flaky twice in two weeks is red until someone fixes it.

Usage:
    python -m porchlight_dev.checks.flaky              list the history
    python -m porchlight_dev.checks.flaky --clear ID   forget a test, after a fix of the product

A changed test file has no history: each entry carries the hash of the file.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, write_line

WINDOW = dt.timedelta(days=14)
MAX_TIMES = 1
CLEAR_COMMAND = ".venv/bin/python -m porchlight_dev.checks.flaky --clear"


def history_path() -> Path:
    """Return the path of the history in the user's cache folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "porchlight" / "flaky.jsonl"


@dataclass(frozen=True, slots=True)
class Entry:
    """One time that a test failed and then passed. `at` is in ISO format, in UTC."""

    id: str
    suite: str
    at: str
    file_hash: str

    def is_current(self, now: dt.datetime, root: Path) -> bool:
        """Return whether it counts: it is recent, and the test's file is the same."""
        return now - dt.datetime.fromisoformat(self.at) < WINDOW and self.file_hash == hash_of(root, self.id)


def hash_of(root: Path, test_id: str) -> str:
    """Return the hash of the test's file, or "" if it does not exist."""
    path = root / test_id.partition("::")[0]
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


class FlakyHistory:
    """The entries that count. Others leave the file when it is written."""

    def __init__(self, path: Path | None = None, *, root: Path = ROOT, now: dt.datetime | None = None) -> None:
        self._path = path or history_path()
        self._root = root
        self._now = now or dt.datetime.now(dt.UTC)

    def entries(self) -> list[Entry]:
        """Return the entries that count. Lines that are no entry are left out."""
        if not self._path.is_file():
            return []
        found: list[Entry] = []
        for line in self._path.read_text(encoding="utf-8").splitlines():
            try:
                entry = Entry(**json.loads(line))
            except (TypeError, ValueError):
                continue
            if entry.is_current(self._now, self._root):
                found.append(entry)
        return found

    def add(self, suite: str, test_ids: Iterable[str]) -> None:
        """Record flaky tests of a suite."""
        at = self._now.isoformat(timespec="seconds")
        self._write([*self.entries(), *(Entry(name, suite, at, hash_of(self._root, name)) for name in test_ids)])

    def repeated(self, suites: Iterable[str]) -> list[str]:
        """Return the tests of these suites that were flaky more than once."""
        wanted = set(suites)
        times = Counter(entry.id for entry in self.entries() if entry.suite in wanted)
        return sorted(test_id for test_id, count in times.items() if count > MAX_TIMES)

    def clear(self, test_id: str) -> int:
        """Forget a test. Return how many entries it had."""
        entries = self.entries()
        kept = [entry for entry in entries if entry.id != test_id]
        self._write(kept)
        return len(entries) - len(kept)

    def _write(self, entries: Iterable[Entry]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(f".{os.getpid()}.new")
        fresh.write_text("".join(json.dumps(asdict(entry)) + "\n" for entry in entries), encoding="utf-8")
        fresh.replace(self._path)


def main() -> int:
    """List the history, or forget a test; return the exit code."""
    parser = argparse.ArgumentParser(prog="flaky", description="The tests that failed and then passed.")
    parser.add_argument("--clear", metavar="ID", help="forget a test after a fix")
    options = parser.parse_args()
    history = FlakyHistory()
    if options.clear:
        count = history.clear(options.clear)
        write_line(f"{count} entries of {options.clear} removed")
        return 0 if count else 1
    for entry in history.entries():
        write_line(f"{entry.at} {entry.suite}: {entry.id}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
