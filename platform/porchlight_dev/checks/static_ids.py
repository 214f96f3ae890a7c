"""Read the ids of tests from their sources, without importing or running them."""

from __future__ import annotations

import ast
import itertools
import json
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path

# The first argument of describe(), it() and test(), also after .each(…) or .skip.
WEB_TITLE = re.compile(r"""(?:\b(?:describe|it|test)|\))\(\s*("(?:[^"\\\n]|\\.)*")\s*,""")
PLACEHOLDER = re.compile(r"%[sdifjoOpc#]|\\\$[\w.]+")
HELPER_IMPORT = re.compile(r"""from "(\.[^"]*test-helpers)";""")


class StaticIds:
    """The ids of the tests below `root`; `in` tells whether one exists.

    A parametrized web test exists when its title fits the template: `formats %d as %s`.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names = cache(self._read_names)

    def __contains__(self, test_id: object) -> bool:
        path, _, name = str(test_id).partition("::")
        return self._names(path).fullmatch(name) is not None

    def _read_names(self, path: str) -> re.Pattern[str]:
        file = self._root / path
        if not file.is_file():
            return re.compile(r"(?!)")
        if file.suffix == ".py":
            names = python_names(file.read_text(encoding="utf-8"))
            return re.compile("|".join(map(re.escape, names)) or r"(?!)")
        source = file.read_text(encoding="utf-8")
        sources = [source, *(_helper(file.parent / name) for name in HELPER_IMPORT.findall(source))]
        return title_pattern(sources)


def _helper(stem: Path) -> str:
    files = [stem.with_name(stem.name + suffix) for suffix in (".ts", ".tsx")]
    return "".join(file.read_text(encoding="utf-8") for file in files if file.is_file())


def python_names(source: str) -> list[str]:
    """Return the names of the test functions of a module: `test_a`, `TestB::test_c`."""
    body = ast.parse(source).body
    classes = [node for node in body if isinstance(node, ast.ClassDef) and node.name.startswith("Test")]
    return _functions(body) + [f"{node.name}::{name}" for node in classes for name in _functions(node.body)]


def _functions(body: Iterable[ast.stmt]) -> list[str]:
    return [
        node.name
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]


def title_pattern(sources: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for the full names of a file's web tests: `suite > test`."""
    titles = {title for source in sources for literal in WEB_TITLE.findall(source) for title in _titles(literal)}
    one = "|".join(sorted(titles)) or r"(?!)"
    return re.compile(rf"(?:{one})(?: > (?:{one}))*", re.DOTALL)


def _titles(literal: str) -> list[str]:
    try:
        title = json.loads(literal)
    except ValueError:  # An escape of JavaScript that JSON has not.
        return []
    return [PLACEHOLDER.sub(".*", re.escape(title))]


def overlaps(suites: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return the pairs of pytest runs that select a common test, whatever its marks are.

    `suites` are names and command lines. Runs overlap when a set of marks satisfies both expressions and the folders
    of one contain those of the other.
    """
    found: list[str] = []
    for (left, left_argv), (right, right_argv) in itertools.combinations(suites, 2):
        marks = [_expression(left_argv), _expression(right_argv)]
        names = sorted({name for text in marks for name in re.findall(r"\b(?!and\b|or\b|not\b)\w+", text)})
        sets = itertools.chain.from_iterable(itertools.combinations(names, size) for size in range(len(names) + 1))
        if _share_paths(left_argv, right_argv) and any(
            all(_selects(text, marked) for text in marks) for marked in sets
        ):
            found.append(f"{left} and {right}")
    return found


def _expression(argv: Sequence[str]) -> str:
    return argv[argv.index("-m") + 1] if "-m" in argv else ""


def _selects(expression: str, marks: Iterable[str]) -> bool:
    given = set(marks)
    return not expression or _is_true(ast.parse(expression, mode="eval").body, given)


def _is_true(node: ast.expr, given: Collection[str]) -> bool:
    """Evaluate a marker expression of pytest, such as `(e2e or tls) and not drill`."""
    match node:
        case ast.Name(name):
            return name in given
        case ast.UnaryOp(ast.Not(), operand):
            return not _is_true(operand, given)
        case ast.BoolOp(ast.And(), values):
            return all(_is_true(value, given) for value in values)
        case ast.BoolOp(ast.Or(), values):
            return any(_is_true(value, given) for value in values)
    raise ValueError(f"not a marker expression: {ast.unparse(node)}")


def _share_paths(left: Sequence[str], right: Sequence[str]) -> bool:
    folders = [[word for word in argv[1:] if word.startswith("tests/")] for argv in (left, right)]
    if not all(folders):
        return True
    return any(one.startswith(other) or other.startswith(one) for one in folders[0] for other in folders[1])
