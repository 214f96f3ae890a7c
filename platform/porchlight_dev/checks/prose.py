"""Find words and phrases that the project does not use, in comments, docstrings, documents, templates and web texts.

Usage: python -m porchlight_dev.checks.prose

Python: docstrings, comments and string literals outside of tests. Markdown and templates: every line. Web and SQL
files: every line, because a name made of one of these words is as unwelcome as a sentence. Texts that SPEC defines are
exempt, and so is the content that demo gurus wrote.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, Finding, read_text, report, tracked_files

SUFFIXES = (
    ".py",
    ".md",
    ".ts",
    ".tsx",
    ".js",
    ".css",
    ".j2",
    ".html",
    ".sql",
    ".toml",
    ".yaml",
    ".yml",
    "Caddyfile",
    "Makefile",
)
SKIPPED = (
    "docs/SPEC.md",  # the specification is verbatim
    "docs/glossary.md",  # names the words it replaces
    "package-lock.json",
    "platform/porchlight_dev/checks/",  # holds the lists themselves
    "tests/dev/checks/",
    "platform/porchlight/seeds/",  # what demo gurus and neighbors say
    "platform/porchlight/demo_data/",
    "tests/skills/data/",  # what neighbors type
    "tests/data/",
    "tests/porchlight/risk/data/",
    "platform/porchlight/features/risk/lexicon.toml",
)
GENERATED = (".gen.ts", "schema.sql")

CODE, TEXT = "code", "text"


@dataclass(frozen=True, slots=True)
class Rule:
    """A phrase to avoid. `scope` CODE: only comments and docstrings, because texts for people may need the word."""

    pattern: re.Pattern[str]
    instead: str
    scope: str = TEXT


def _phrase(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w/-])(?:{pattern})(?![\w-])", re.IGNORECASE)


_RULES = tomllib.loads(Path(__file__).with_name("prose_rules.toml").read_text(encoding="utf-8"))["rule"]
RULES = tuple(
    Rule(_phrase(rule["pattern"]), rule["instead"], CODE if rule.get("code_only") else TEXT) for rule in _RULES
)
# All rules at once. Most files and lines have none of the phrases: one search shows it.
ANY_PHRASE = _phrase("|".join(rule["pattern"] for rule in _RULES))
# "What a caller gets." and "Nobody may …" hide the subject. A question may begin with these words.
_HIDDEN = r"(?:What|Who|Whoever|Nobody|Somebody|Nothing|It|There)\b"
HIDDEN_SUBJECT = re.compile(rf"{_HIDDEN}[^.?]*(?:\.|$)")
# Finds each string that may be such a docstring, without reading the syntax of the file.
MAYBE_HIDDEN_SUBJECT = re.compile(rf"""^\s*r?["']+{_HIDDEN}""", re.MULTILINE)
# Between two parts of one string, a phrase may go on.
PARTS_OF_STRING = re.compile(r"""["']\s*\n\s*[rf]?["']""")

# Texts of SPEC that hold a word of the list, and names that others own. Each has its reason.
EXEMPT = (
    "wolf at the door",  # demo phrase in risk tests
    "next door",
    "patient data",  # medical
    "POLICY overseer",  # the name of a policy in the schema
    "porchlight_overseer",  # the role's name is stable, docs/operations.md
    "overseer_url",  # a key of demo.json, docs/operations.md
    "--patience",  # an option of git diff
    "or `nobody`",  # an account of Linux
    "code fence",  # Markdown's term
    "fenced code",
)

PYTHON_SUFFIX = ".py"


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of prose and where it starts. `kind` is CODE for comments and docstrings, TEXT for the rest."""

    line: int
    text: str
    kind: str
    is_docstring: bool = False


def python_passages(source: str, *, with_strings: bool) -> Iterator[Passage]:
    """Yield the comments and docstrings of Python source, and its string literals `with_strings`."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Passage(token.start[0], token.string.lstrip("# "), CODE)
    tree = ast.parse(source)
    texts = list(docstrings(tree))
    for constant in texts:
        yield Passage(constant.lineno, str(constant.value), CODE, is_docstring=True)
    if with_strings:
        documented = {id(constant) for constant in texts}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
                if " " not in node.value:
                    continue  # a name, not a text
                yield Passage(node.lineno, node.value, TEXT)


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the strings that are statements: docstrings, and texts below an attribute."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value


def line_passages(text: str, path: str) -> Iterator[Passage]:
    """Yield the lines of a file that is not Python. Comments count as CODE, other lines as TEXT."""
    in_block = False
    prose_file = path.endswith(".md")
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        opens = stripped.startswith(("/*", "{/*"))
        comment = in_block or opens or stripped.startswith(("//", "--", "#"))
        if opens or in_block:
            in_block = "*/" not in stripped
        yield Passage(number, line, CODE if comment or prose_file else TEXT)


def check_passage(path: str, passage: Passage) -> Iterator[Finding]:
    """Yield a finding for each phrase of `RULES` in the passage."""
    for offset, line in enumerate(passage.text.splitlines() or [""]):
        plain = line
        for exempt in EXEMPT:
            plain = plain.replace(exempt, "")
        for rule in RULES if ANY_PHRASE.search(plain) else ():
            if rule.scope == CODE and passage.kind != CODE:
                continue
            for match in rule.pattern.finditer(plain):
                yield Finding(path, passage.line + offset, f'"{match.group()}": write {rule.instead}')
    hidden = HIDDEN_SUBJECT.match(passage.text) if passage.is_docstring else None
    if hidden is not None:
        first = passage.text.split(maxsplit=1)[0]
        yield Finding(path, passage.line, f'docstring starts with "{first}": start with a verb or a noun phrase')


def check_text(path: str, text: str) -> Iterator[Finding]:
    """Yield the findings of one file."""
    is_python = path.endswith(PYTHON_SUFFIX)
    if not ANY_PHRASE.search(PARTS_OF_STRING.sub("", text) if is_python else text) and not (
        is_python and MAYBE_HIDDEN_SUBJECT.search(text)
    ):
        return
    if is_python:
        passages = python_passages(text, with_strings=not path.startswith("tests/"))
    else:
        passages = line_passages(text, path)
    for passage in passages:
        yield from check_passage(path, passage)


def check_repository(root: Path) -> list[Finding]:
    """Return the findings of all files."""
    findings: list[Finding] = []
    for path in tracked_files(root, SUFFIXES):
        if path.startswith(SKIPPED) or path.endswith(GENERATED):
            continue
        findings += check_text(path, read_text(root, path))
    return findings


def main() -> int:
    """Print the findings and return the exit code."""
    return report(check_repository(ROOT), "words or phrases to replace")


if __name__ == "__main__":
    sys.exit(main())
