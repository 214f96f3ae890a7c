"""List the repository's files and print findings."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One problem in one file. `line` starts at 1; 0 means the whole file."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def write_line(text: str) -> None:
    """Print one line to standard output."""
    sys.stdout.write(text + "\n")


def tracked_files(root: Path, suffixes: Iterable[str]) -> list[str]:
    """Return the paths of the files in `root` that Git tracks or would track, with one of `suffixes`, sorted."""
    listing = subprocess.run(
        ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        check=True,
        capture_output=True,
    ).stdout.decode()
    wanted = tuple(suffixes)
    return sorted({path for path in listing.split("\0") if path.endswith(wanted) and (root / path).is_file()})


def read_text(root: Path, path: str) -> str:
    """Return the text of a file. Bytes that are not UTF-8 are replaced."""
    return (root / path).read_text(encoding="utf-8", errors="replace")


def report(findings: Iterable[Finding], noun: str) -> int:
    """Print the findings and their number. Return 1 when there is at least one, else 0."""
    ordered = sorted(set(findings))
    for finding in ordered:
        write_line(str(finding))
    write_line(f"{len(ordered)} {noun}")
    return 1 if ordered else 0
