"""Resolve citations (`SPEC 2.4`, `MONEY 5`) to headings in `docs/`, and links and paths in texts to files.

Usage: python -m porchlight_dev.checks.citations

SPEC and MONEY have numbered sections. Other documents are cited by their path, such as `docs/tenancy.md`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, Finding, read_text, report, tracked_files
from porchlight_dev.checks.prose import docstrings

DOCUMENTS = {"SPEC": "docs/SPEC.md", "MONEY": "docs/MONEY.md"}
# fmt: off
SUFFIXES = (
    ".py", ".md", ".ts", ".tsx", ".js", ".mjs", ".sql", ".css", ".html", ".j2", ".toml", ".yaml", ".yml", ".sh", ".env",
    ".txt", ".json", ".ini", "Caddyfile", "Dockerfile", "Makefile", ".ci/run",
)
# fmt: on
# The documents' own numbers are headings, not citations. The checks name citations in order to find them.
SKIPPED = ("docs/SPEC.md", "platform/porchlight_dev/checks/", "tests/dev/checks/", "package-lock.json")

HEADING = re.compile(r"^#+ (\d+(?:\.\d+)?)\.? ", re.MULTILINE)
# "SPEC 2.4", "SPEC's 2.4", "SPEC 8.1 and 8.2", "MONEY 4-8". A number continues a citation only before
# punctuation: in "SPEC 5 and 2 rows" the 2 counts rows. A section number has at most two digits: "SPEC's 401" is an
# HTTP status.
CITATION = re.compile(
    r"\b(?P<document>SPEC|MONEY|ARCHITECTURE)(?:\.md)?(?:'s|,)?(?: section)? "
    r"(?P<first>\d{1,2}(?:\.\d+)?)(?!\d)"
    r"(?P<more>(?:(?:,| and| or|, and|[-\u2013]) ?\d{1,2}(?:\.\d+)?(?=[),.;:\"*]|$| and| \*/))*)(?!\w)"
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
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
INLINE_CODE = re.compile(r"`([^`]+)`")
# Documents that name files of an example, of an earlier state, or of a folder that they describe.
UNCHECKED_PATHS = ("docs/recipes/", "docs/decisions/", "CHANGELOG.md")


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
    """Yield a finding for each citation in `text` that has no heading, or of a document without numbers."""
    for line, document, section in citations(text):
        if document not in known:
            yield Finding(path, line, f"{document} {section}: cite the page instead, such as docs/tenancy.md")
        elif section not in known[document]:
            yield Finding(path, line, f"{document} {section}: {DOCUMENTS[document]} has no heading {section}")


def check_links(root: Path, path: str, text: str) -> Iterator[Finding]:
    """Yield a finding for each relative Markdown link whose target does not exist."""
    folder = (root / path).parent
    for number, line in enumerate(text.splitlines(), 1):
        for target in LINK.findall(line):
            if not (folder / target).exists():
                yield Finding(path, number, f"{target}: the link's target does not exist")


def check_paths(root: Path, path: str, text: str) -> Iterator[Finding]:
    """Yield a finding for each path that no file has, in a comment, a docstring or the inline code of a document."""
    for number, line in _prose(path, text):
        for named in PATH.findall(line):
            if not BUILT.match(named) and not any((root / base / named).exists() for base in PATH_ROOTS):
                yield Finding(path, number, f"{named}: no file has this path")


def _prose(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield line number and text of comments, docstrings and inline code that may name files."""
    if path.endswith(".md"):
        for number, line in enumerate(text.splitlines(), 1):
            for code in INLINE_CODE.findall(line):
                yield number, code
        return
    for number, line in enumerate(text.splitlines(), 1):
        if (comment := COMMENT.search(line)) is not None:
            yield number, comment["text"]
    if path.endswith(".py") and PATH.search(text):
        for constant in docstrings(ast.parse(text)):
            for offset, line in enumerate(str(constant.value).splitlines()):
                yield constant.lineno + offset, line


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
        if "/migrations/" not in path and not path.startswith(UNCHECKED_PATHS):  # migrations name what there was then
            findings += check_paths(root, path, text)
    return findings


def main() -> int:
    """Print the unresolved citations and return the exit code."""
    return report(check_repository(ROOT), "unresolved")


if __name__ == "__main__":
    sys.exit(main())
