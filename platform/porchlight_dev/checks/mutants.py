"""List small deliberate faults (mutants) in the functions of Python source, and apply one of them.

A mutant's id is `qualname:kind:ordinal`. It does not hold the module's path, so it survives a move of the function.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the file and the function it is in, and its number among the file's faults."""

    id: str
    path: str
    function: str
    line: int
    index: int


@dataclass(frozen=True, slots=True)
class _Site:
    qualname: str
    kind: str
    line: int
    apply: Callable[[], None]


def _flip_comparison(node: ast.Compare) -> Callable[[], None]:
    def apply() -> None:
        node.ops[0] = OPPOSITES[type(node.ops[0])]()

    return apply


def _swap_boolean(node: ast.BoolOp) -> Callable[[], None]:
    def apply() -> None:
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()

    return apply


def _change_constant(node: ast.Constant) -> Callable[[], None]:
    def apply() -> None:
        value = node.value
        if isinstance(value, bool):
            node.value = not value
        elif isinstance(value, int):
            node.value = value + 1
        elif isinstance(value, str):
            node.value = f"{value}_"

    return apply


def _replace(parent: ast.AST, field: str, position: int | None, replacement: ast.AST) -> Callable[[], None]:
    def apply() -> None:
        if position is None:
            setattr(parent, field, replacement)
        else:
            getattr(parent, field)[position] = replacement

    return apply


def _is_mutable_constant(node: ast.Constant) -> bool:
    value = node.value
    return isinstance(value, bool | int) or (isinstance(value, str) and value != "" and " " not in value)


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if field in {"decorator_list", "annotation", "returns", "format_spec"}:
            continue
        if isinstance(value, ast.AST):
            yield field, None, value
        elif isinstance(value, list):
            for position, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield field, position, item


def _functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{child.name}", child


def _sites_of_module(tree: ast.Module) -> Iterator[_Site]:
    for qualname, function in _functions(tree):
        yield from _sites(function, qualname)


def _sites(node: ast.AST, qualname: str) -> Iterator[_Site]:
    for field, position, child in _children(node):
        line = getattr(child, "lineno", 0)
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # a docstring
        if isinstance(child, ast.arguments | ast.Import | ast.ImportFrom):
            continue
        if isinstance(child, ast.Compare) and len(child.ops) == 1:
            yield _Site(qualname, "comparison", line, _flip_comparison(child))
        elif isinstance(child, ast.BoolOp):
            yield _Site(qualname, "boolean", line, _swap_boolean(child))
        elif isinstance(child, ast.UnaryOp) and isinstance(child.op, ast.Not):
            yield _Site(qualname, "not", line, _replace(node, field, position, child.operand))
        elif isinstance(child, ast.Constant) and _is_mutable_constant(child):
            yield _Site(qualname, "constant", line, _change_constant(child))
        elif isinstance(child, ast.Expr | ast.Raise):
            dropped = ast.copy_location(ast.Pass(), child)
            yield _Site(qualname, "statement", line, _replace(node, field, position, dropped))
        yield from _sites(child, qualname)


def list_mutants(sources: Mapping[str, str], renames: Mapping[str, str]) -> list[Mutant]:
    """Return the mutants of `sources` (path to text). `renames` maps old qualified names to new ones in the ids."""
    counts: Counter[tuple[str, str]] = Counter()
    mutants: list[Mutant] = []
    for path in sorted(sources):
        for index, site in enumerate(_sites_of_module(ast.parse(sources[path]))):
            name = renames.get(site.qualname, site.qualname)
            ordinal = counts[name, site.kind]
            counts[name, site.kind] += 1
            mutants.append(Mutant(f"{name}:{site.kind}:{ordinal}", path, site.qualname, site.line, index))
    return mutants


def apply_mutant(source: str, index: int) -> str:
    """Return the source with its mutant number `index` applied. Comments and layout are lost."""
    tree = ast.parse(source)
    for number, site in enumerate(_sites_of_module(tree)):
        if number == index:
            site.apply()
            return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    raise IndexError(index)


PROBE = """
import io as _probe_io, os as _probe_os
with _probe_io.open({log!r}, "a") as _probe_file:
    _probe_file.write({name!r} + "\\t" + _probe_os.environ.get("PYTEST_CURRENT_TEST", "") + "\\n")
"""


def add_probes(source: str, path: str, log: str) -> str:
    """Return the source with a probe in each function, which appends `path:qualname`, a tab and the test to `log`."""
    tree = ast.parse(source)
    for qualname, function in _functions(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            probe = ast.parse(PROBE.format(log=log, name=f"{path}:{qualname}")).body
            start = 1 if ast.get_docstring(function) is not None else 0
            function.body[start:start] = probe
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def covering_tests(log: str, all_tests: Sequence[str]) -> dict[str, list[str]]:
    """Return for each probed function the tests to run, from the lines that the probes wrote.

    A function that runs in a fixture counts for the whole file, and one that runs at import for `all_tests`.
    """
    tests: defaultdict[str, set[str]] = defaultdict(set)
    for line in log.splitlines():
        function, _, test = line.partition("\t")
        node_id, _, phase = test.rpartition(" ")
        if not node_id:
            tests[function].update(all_tests)
        elif phase == "(call)":
            tests[function].add(node_id.split("[", 1)[0])
        else:
            tests[function].add(node_id.split("::", 1)[0])
    return {function: sorted(names) for function, names in tests.items()}
