"""Resolve citations (`SPEC 2.4`, `ARCHITECTURE 5`) to headings in `docs/`; links and paths in comments to files.

Usage: python -m porchlight_dev.checks.citations [--fix]
`--fix` first rewrites `DESIGN n`, the old name of the architecture document, to `ARCHITECTURE n`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, Finding, read_text, report, tracked_files

DOCUMENTS = {"SPEC": "docs/SPEC.md", "ARCHITECTURE": "docs/ARCHITECTURE.md", "MONEY": "docs/MONEY.md"}
# fmt: off
SUFFIXES = (
    ".py", ".md", ".ts", ".tsx", ".js", ".mjs", ".sql", ".css", ".html", ".j2", ".toml", ".yaml", ".yml", ".sh", ".env",
    ".txt", ".json", ".ini", "Caddyfile", "Dockerfile", "Makefile", ".ci/run",
)
# fmt: on
# The documents' own numbers are headings, not citations. The checks name the old style in order to find it.
SKIPPED = ("docs/SPEC.md", "platform/porchlight_dev/checks/", "tests/dev/checks/", "package-lock.json")

HEADING = re.compile(r"^#+ (\d+(?:\.\d+)?)\.? ", re.MULTILINE)
# "SPEC 2.4", "SPEC's 2.4", "SPEC 8.1 and 8.2", "ARCHITECTURE 4-8". A number continues a citation only before
# punctuation: in "SPEC 5 and 2 rows" the 2 counts rows. A section number has at most two digits: "SPEC's 401" is an
# HTTP status.
CITATION = re.compile(
    r"\b(?P<document>SPEC|ARCHITECTURE|MONEY|DESIGN)(?:\.md)?(?:'s|,)?(?: section)? "
    r"(?P<first>\d{1,2}(?:\.\d+)?)(?!\d)"
    r"(?P<more>(?:(?:,| and| or|, and|[-\u2013]) ?\d{1,2}(?:\.\d+)?(?=[),.;:\"*]|$| and| \*/))*)(?!\w)"
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
BARE_DESIGN = re.compile(r"\bDESIGN(?:\.md)\b")
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:|#|/)([^)#\s]+)(?:#[^)]*)?\)")
# A path in a comment, from a folder of the repository on: "infra/Caddyfile.local", "sites/guru.py".
COMMENT = re.compile(r"(?:^|\s)(?:#|--|//|/?\*) (?P<text>.*)")
PATH = re.compile(
    r"(?<![\w./@:-])((?:tenants|sites|platform|porchlight|porchlight_dev|main-web|guru-web|infra|docs|tests)"
    r"(?:/[\w.\[\]-]+)*/[\w.\[\]-]+\.\w{2,})\b(?!/)"
)
# Where such a path may begin. Built files are not in a checkout.
PATH_ROOTS = ("", "platform")
BUILT = re.compile(r"^(?:main-web/dist|guru-web/out)/")


def headings(text: str) -> set[str]:
    """Return the numbers of a document's numbered headings, such as `2` and `2.4`."""
    return set(HEADING.findall(text))


def citations(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, document and section number of each citation in `text`."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in CITATION.finditer(line):
            for section in (match["first"], *NUMBER.findall(match["more"])):
                yield number, match["document"], section


def check_text(path: str, text: str, known: dict[str, set[str]]) -> Iterator[Finding]:
    """Yield a finding for each citation in `text` that has no heading, and for each citation in the old style."""
    for line, document, section in citations(text):
        if document not in known:
            yield Finding(path, line, f"{document} {section}: cite ARCHITECTURE {section} instead")
        elif section not in known[document]:
            yield Finding(path, line, f"{document} {section}: {DOCUMENTS[document]} has no heading {section}")
    for number, line_text in enumerate(text.splitlines(), 1):
        if BARE_DESIGN.search(line_text) and not CITATION.search(line_text):
            yield Finding(path, number, "DESIGN.md: cite docs/ARCHITECTURE.md instead")


def check_links(root: Path, path: str, text: str) -> Iterator[Finding]:
    """Yield a finding for each relative Markdown link whose target does not exist."""
    folder = (root / path).parent
    for number, line in enumerate(text.splitlines(), 1):
        for target in LINK.findall(line):
            if not (folder / target).exists():
                yield Finding(path, number, f"{target}: the link's target does not exist")


def check_paths(root: Path, path: str, text: str) -> Iterator[Finding]:
    """Yield a finding for each path in a comment that no file has."""
    for number, line in enumerate(text.splitlines(), 1):
        comment = COMMENT.search(line)
        for named in PATH.findall(comment["text"]) if comment else ():
            if not BUILT.match(named) and not any((root / base / named).exists() for base in PATH_ROOTS):
                yield Finding(path, number, f"{named}: the comment names a file that does not exist")


def check_repository(root: Path) -> list[Finding]:
    """Return the findings of all files."""
    known = {name: headings(read_text(root, path)) for name, path in DOCUMENTS.items()}
    findings: list[Finding] = []
    for path in tracked_files(root, SUFFIXES):
        if path.startswith(SKIPPED):
            continue
        text = read_text(root, path)
        findings += check_text(path, text, known)
        if path.endswith(".md"):
            findings += check_links(root, path, text)
        elif "/migrations/" not in path:  # they name what there was then
            findings += check_paths(root, path, text)
    return findings


def fix_old_style(root: Path) -> None:
    """Rewrite `DESIGN n` and `DESIGN.md` in every file."""
    for path in tracked_files(root, SUFFIXES):
        if path.startswith(SKIPPED):
            continue
        text = read_text(root, path)
        fixed = re.sub(r"\bDESIGN(?=(?:'s|,)? \d)", "ARCHITECTURE", text)
        fixed = re.sub(r"\bDESIGN\.md\b", "docs/ARCHITECTURE.md", fixed)
        if fixed != text:
            (root / path).write_text(fixed, encoding="utf-8")


def main() -> int:
    """Print the unresolved citations and return the exit code."""
    if "--fix" in sys.argv[1:]:
        fix_old_style(ROOT)
    return report(check_repository(ROOT), "unresolved")


if __name__ == "__main__":
    sys.exit(main())
