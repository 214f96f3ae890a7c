"""Find retired identifiers, duplicate class names, repeated test helpers and test names against the rules.

Usage: python -m porchlight_dev.checks.names

A test is named `test_<unit>_<condition>_<result>`, with at most 60 characters and no article or pronoun as the unit.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, Finding, read_text, report, tracked_files

CODE_SUFFIXES = (".py", ".ts", ".tsx", ".js", ".sql")
MAX_TEST_NAME_LENGTH = 60
MIN_TEST_NAME_PARTS = 3
MIN_HELPER_STATEMENTS = 3
PRODUCT_PACKAGES = ("tenants/", "sites/", "platform/")
# The lists of old names, old migrations that only hold what was, and generated files.
SKIPPED = (
    "platform/porchlight_dev/checks/",
    "tests/dev/checks/",
    "platform/porchlight/migrations/",
    "platform/porchlight/db/migrations/",
)
GENERATED = (".gen.ts", "db/schema.sql")

_NAMES = tomllib.loads(Path(__file__).with_name("retired_names.toml").read_text(encoding="utf-8"))
# Old name: its replacement.
RETIRED: dict[str, str] = _NAMES["replacements"]
# Names that are ordinary words too: in a web or SQL file they may be a text on a screen or another name.
ENGLISH_WORDS = frozenset(_NAMES["english_words"])

# Words of RETIRED that are right in the given paths, with the reason.
ALLOWED_RETIRED: dict[tuple[str, str], str] = {}

# Class names that more than one module may define, with the reason.
ALLOWED_DUPLICATES: dict[str, str] = {}

# Test names that break a rule, with the reason.
ALLOWED_TESTS: dict[str, str] = {}

TEST_NAME = re.compile(r"test_(?!(?:a|an|the|what|who|whoever|nobody|somebody|it|there|one)_)[a-z0-9]+(?:_[a-z0-9]+)*$")

# Definitions, found without reading the syntax of the file.
TEST_FUNCTION = re.compile(r"^[ ]*(?:async )?def (test_\w*)", re.MULTILINE)
TOP_LEVEL_CLASS = re.compile(r"^class (\w+)", re.MULTILINE)
TOP_LEVEL_HELPER = re.compile(r"^(?:async )?def (?!test_)(\w+\([^)]*)", re.MULTILINE)


def retired_names(path: str, text: str) -> Iterator[Finding]:
    """Yield a finding for each retired name in the code of a file. Comments and texts are the prose check's."""
    if RETIRED.keys().isdisjoint(WORD.findall(text)):
        return  # most files: reading their syntax takes much longer
    names = _python_names(text) if path.endswith(".py") else _other_names(text, path)
    for line, name in names:
        if name in RETIRED and (path, name) not in ALLOWED_RETIRED:
            yield Finding(path, line, f"{name} is retired: use {RETIRED[name]}")


def _python_names(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each identifier, and of each string that is one snake_case word (an error code)."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING and "_" in token.string:
            yield token.start[0], token.string.strip("\"'")


def _other_names(text: str, path: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each word in the code of a web or SQL file."""
    for number, line in enumerate(text.splitlines(), 1):
        for name in WORD.findall(_without_prose(line, path)):
            if name not in ENGLISH_WORDS:
                yield number, name


WORD = re.compile(r"\b\w+\b")
SENTENCE = re.compile(r"\"[^\"\n]*? [^\"\n]*?\"|'[^'\n]*? [^'\n]*?'|`[^`\n]*? [^`\n]*?`")


def _without_prose(line: str, path: str) -> str:
    """Return the line without its comment and without quoted texts that hold a space."""
    if line.lstrip().startswith(("//", "*", "/*", "--")):
        return ""
    line = SENTENCE.sub('""', line)
    return line.split(" --" if path.endswith(".sql") else " //", 1)[0]


def duplicate_classes(sources: dict[str, str]) -> Iterator[Finding]:
    """Yield a finding for each top-level class whose name another module of the product defines too."""
    defined: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for path in _paths_with_repeated(TOP_LEVEL_CLASS, sources):
        for node in ast.parse(sources[path]).body:
            if isinstance(node, ast.ClassDef):
                defined[node.name].append((path, node.lineno))
    for name, places in defined.items():
        if len(places) > 1 and name not in ALLOWED_DUPLICATES:
            for path, line in places:
                others = ", ".join(other for other, _ in places if other != path)
                yield Finding(path, line, f"class {name} is also defined in {others}")


def repeated_helpers(sources: dict[str, str]) -> Iterator[Finding]:
    """Yield a finding for each test helper with the same name and the same body in more than one file."""
    bodies: defaultdict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for path in _paths_with_repeated(TOP_LEVEL_HELPER, sources):
        for node in ast.parse(sources[path]).body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("test_"):
                continue
            body = [statement for statement in node.body if not _is_docstring(statement)]
            if len(body) >= MIN_HELPER_STATEMENTS:
                dump = "\n".join(ast.dump(statement) for statement in (*body, node.args))
                bodies[node.name, dump].append((path, node.lineno))
    for (name, _), places in bodies.items():
        if len(places) > 1:
            for path, line in places:
                others = ", ".join(other for other, _ in places if other != path)
                yield Finding(path, line, f"helper {name} is repeated in {others}: move it to tests/fixtures")


def _paths_with_repeated(definition: re.Pattern[str], sources: dict[str, str]) -> list[str]:
    """Return the files with a definition whose name and first line another file has too. The others need no parser."""
    paths: defaultdict[str, set[str]] = defaultdict(set)
    for path, source in sources.items():
        for name in definition.findall(source):
            paths[name].add(path)
    return sorted({path for group in paths.values() if len(group) > 1 for path in group})


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def check_test_names(path: str, source: str) -> Iterator[Finding]:
    """Yield a finding for each test whose name is too long or does not follow the pattern."""
    if not any(_name_errors(name) for name in TEST_FUNCTION.findall(source)):
        return
    for node in ast.walk(ast.parse(source)):  # which of them are functions, and not a text
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            for error in _name_errors(node.name):
                yield Finding(path, node.lineno, f"{node.name}: {error}")


def _name_errors(name: str) -> list[str]:
    errors: list[str] = []
    if name in ALLOWED_TESTS:
        return errors
    if len(name) > MAX_TEST_NAME_LENGTH:
        errors.append(f"{len(name)} characters, at most {MAX_TEST_NAME_LENGTH}")
    if not TEST_NAME.match(name) or name.count("_") < MIN_TEST_NAME_PARTS:
        errors.append("use test_<unit>_<condition>_<result>, without an article")
    return errors


def check_repository(root: Path) -> list[Finding]:
    """Return the findings of all files."""
    findings: list[Finding] = []
    product: dict[str, str] = {}
    tests: dict[str, str] = {}
    for path in tracked_files(root, CODE_SUFFIXES):
        if path.startswith(SKIPPED) or path.endswith(GENERATED):
            continue
        text = read_text(root, path)
        findings += retired_names(path, text)
        if path.endswith(".py") and path.startswith(PRODUCT_PACKAGES):
            product[path] = text
        if path.endswith(".py") and path.startswith("tests/"):
            tests[path] = text
            findings += check_test_names(path, text)
    return [*findings, *duplicate_classes(product), *repeated_helpers(tests)]


def main() -> int:
    """Print the findings and return the exit code."""
    return report(check_repository(ROOT), "names against the rules")


if __name__ == "__main__":
    sys.exit(main())
