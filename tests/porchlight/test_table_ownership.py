"""Only the feature that owns a table writes to it, and only features above it read it in SQL (docs/ARCHITECTURE.md).

The manifests say which feature owns a table. SQL is that of strings in Python and that of the files in `sql/`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import tenants.tenancy.models
from porchlight.db import FOLDER
from porchlight.registry import FEATURES, metadata
from porchlight_dev.schema_file import owners
from tenants.tenancy.models import Base

ROOT = Path(__file__).parents[2]
PACKAGES = ("tenants", "sites", "platform/porchlight")
# Demo data, the cleanup of old rows and migrations write to tables of every feature.
EXEMPT_PACKAGES = ("porchlight.demo_data.", "porchlight.worker.maintenance", "porchlight.db.migrations.versions.")
# The deletion of an account erases its words in the tables for which their owners declare it.
ERASURE = "porchlight.features.account."
ERASED_TABLES = frozenset[str]().union(*(feature.erased_tables for feature in FEATURES))
# They run as the service role and show a row with what all features know of it, so they stand above all features.
STAFF_QUERIES = ".admin_queries"
# Features whose SQL may read the tables of those in the lines below theirs. Others read each other's by functions.
FEATURE_LAYERS = (
    "account",
    "admin exchanges front_page leads messages money sites users",
    "billing contact matches onboarding porch_lights reports teachers waivers",
    "reviews",
    "bookings documents domains payouts risk search",
    "angels listings",
    "notifications",
    "email_settings profiles",
)
SITE_LAYERS = (
    "stats",
    "hours leads posts previews reports reviews theme guru_profile",
    "services",
    "gallery",
    "images categories",
)
EXCEPTIONS = tomllib.loads((ROOT / "tests/data/foreign-tables.toml").read_text("utf-8"))
CREATE_TABLE = re.compile(r"^\s*CREATE TABLE (?:IF NOT EXISTS )?(\w+)", re.MULTILINE)
SQL_WRITE = re.compile(r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|COPY)\s+(?:ONLY\s+)?([a-z_]+)")
SQL_READ = re.compile(r"\b(?:FROM|JOIN|USING)\s+(?:ONLY\s+)?([a-z_]+)")
SQL_COMMENT = re.compile(r"--.*")
CALLS = frozenset({"insert", "update", "delete"})


def _exceptions(kind: str) -> set[tuple[str, str]]:
    """Return the pairs of the list: module and table of `writes`, two features of `reads`."""
    pairs = [line.partition(" -> ") for lines in EXCEPTIONS[kind].values() for line in lines]
    return {(left, right) for left, _, right in pairs}


# A package inside of a feature, such as that of packages of sessions, is a part of the feature.
_HOMES = {
    module.__name__: min((other.__name__.rpartition(".")[0] for other in feature.models), key=len)
    for feature in FEATURES
    for module in feature.models
}
OWNERS = {table: _HOMES.get(module, module.rpartition(".")[0]) for table, module in owners().items()}
TABLES = {mapper.class_.__name__: str(mapper.local_table) for mapper in Base.registry.mappers}


def _written_tables(source: str) -> set[str]:
    """Return the tables that a module writes to, by SQL or by SQLAlchemy."""
    written: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            written.update(table for table in SQL_WRITE.findall(node.value) if table in OWNERS)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            model = node.func.id  # Model(...) is a row to add
            if model in CALLS and node.args and isinstance(node.args[0], ast.Name):
                model = node.args[0].id
            if model in TABLES:
                written.add(TABLES[model])
    return written


def _read_tables(source: str) -> set[str]:
    """Return the tables that a module reads by SQL."""
    texts = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return {table for text in texts if isinstance(text, str) for table in SQL_READ.findall(text) if table in OWNERS}


def _foreign_writes(module: str, written: set[str]) -> set[str]:
    """Return the tables of other packages among those that a module or a SQL file writes to."""
    if module.startswith(EXEMPT_PACKAGES):
        return set()
    declared = ERASED_TABLES if module.startswith(ERASURE) else frozenset()
    return {table for table in written - declared if not module.startswith(f"{OWNERS[table]}.")}


def _foreign_reads(module: str, read: set[str]) -> set[tuple[str, str]]:
    """Return the features that a module or a SQL file reads from without standing above them, with its own feature."""
    if module.startswith(EXEMPT_PACKAGES):
        return set()
    if module.endswith(STAFF_QUERIES):
        return set()
    reader = _feature(module)
    read_from = {_feature(OWNERS[table]) for table in read}
    return {(reader, owner) for owner in read_from if owner != reader and _layer(reader) <= _layer(owner)}


def _feature(module: str) -> str:
    """Return `porchlight.features.bookings`, `sites.hours` or `porchlight.auth` for a module in it."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[:2] == ["porchlight", "features"] else 2])


def _layer(feature: str) -> tuple[int, int]:
    """Return the height of a feature: that of its package in pyproject.toml, then that among the features there."""
    container, name = feature.rsplit(".", 1)
    lines = {"porchlight.features": FEATURE_LAYERS, "sites": SITE_LAYERS}.get(container, ())
    heights = [height for height, line in enumerate(reversed(lines)) if name in line.split()]
    return _package_layers()[".".join(feature.split(".")[:2])], heights[0] if heights else 0


@cache
def _package_layers() -> dict[str, int]:
    """Return the height of each package, from the import contracts."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = {contract["containers"][0]: contract["layers"] for contract in contracts if "containers" in contract}
    heights: dict[str, int] = {}
    for container in ("tenants", "sites", "porchlight"):
        for layer in reversed(layers[container]):
            for line in reversed(layer.split(":")):  # the left one may import the right one
                height = len(heights)
                heights.update({f"{container}.{package.strip()}": height for package in line.split("|")})
    return heights


def _modules() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("platform.")
            yield module, path.read_text("utf-8")


def _sql_files() -> Iterator[tuple[str, str]]:
    """Yield the name, such as `sites.hours.sql.lock_calendar`, and the SQL of each file of functions or triggers."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("sql/*/*.sql")):
            folder = ".".join(path.relative_to(ROOT).parts[:-2]).removeprefix("platform.")
            yield f"{folder}.{path.stem}", SQL_COMMENT.sub("", path.read_text("utf-8"))


def test_every_table_has_one_owner() -> None:
    files = [(FOLDER / name).read_text("utf-8") for name in ("schema.sql", "vectors.sql")]
    assert sorted(OWNERS) == sorted(table for text in files for table in CREATE_TABLE.findall(text))
    modules = [tenants.tenancy.models, *(module for feature in FEATURES for module in feature.models)]
    listed = [table for module in modules for table in getattr(module, "TABLES", ())]
    assert sorted(listed) == sorted(OWNERS.keys() - metadata.tables.keys()), "a model or the list, not both"


def test_every_erased_table_is_erased_and_of_its_feature() -> None:
    erased = {
        table for name, sql in _sql_files() if name.startswith(ERASURE)
        for table in SQL_WRITE.findall(sql) if table in OWNERS and not OWNERS[table].startswith(ERASURE[:-1])
    }  # fmt: skip
    assert erased == ERASED_TABLES
    for feature in FEATURES:
        homes = {module.__name__.rpartition(".")[0] for module in feature.models}
        assert {OWNERS[table] for table in feature.erased_tables} <= homes, feature.name


def test_tables_are_written_only_by_their_owner() -> None:
    writes = {
        *(
            (module, table) for module, source in _modules()
            for table in _foreign_writes(module, _written_tables(source))
        ),
        *(
            (name, table) for name, sql in _sql_files()
            for table in _foreign_writes(name, set(SQL_WRITE.findall(sql)) & OWNERS.keys())
        ),
    }  # fmt: skip
    allowed = _exceptions("writes")
    assert sorted(writes - allowed) == [], "call a function of the owner, through a protocol in contracts.py"
    assert sorted(allowed - writes) == [], "remove the exceptions that no module needs"


def test_tables_are_read_only_from_above() -> None:
    reads = {
        *(pair for module, source in _modules() for pair in _foreign_reads(module, _read_tables(source))),
        *(
            pair for name, sql in _sql_files()
            for pair in _foreign_reads(name, set(SQL_READ.findall(sql)) & OWNERS.keys())
        ),
    }  # fmt: skip
    allowed = _exceptions("reads")
    assert sorted(reads - allowed) == [], "call a function of the owning feature"
    assert sorted(allowed - reads) == [], "remove the exceptions that no feature needs"


@pytest.mark.parametrize(
    "source",
    [
        'QUERY = "UPDATE skill_offers SET visible = false WHERE id = %s"',
        'conn.execute("""\nINSERT INTO skill_offers (id) VALUES (%s)""")',
        'QUERY = f"DELETE FROM skill_offers WHERE {condition}"',
        "session.execute(update(SkillOffer).values(visible=False))",
        "session.add(SkillOffer(id=1))",
    ],
)
def test_foreign_write_is_detected(source: str) -> None:
    written = _written_tables(source)
    assert _foreign_writes("porchlight.features.matches.actions", written) == {"skill_offers"}
    assert _foreign_writes("porchlight.features.account.actions", written) == set()
    assert _foreign_writes("porchlight.features.listings.actions", written) == set()


def test_foreign_read_is_detected() -> None:
    read = _read_tables('QUERY = "SELECT a.id FROM angels a JOIN skill_offers o ON true JOIN users u ON true"')
    assert read == {"angels", "skill_offers", "users"}
    pair = ("porchlight.features.listings.queries", {"angels"})
    assert _foreign_reads(*pair) == {("porchlight.features.listings", "porchlight.features.angels")}
    assert _foreign_reads("porchlight.features.listings.admin_queries", {"angels"}) == set()
    assert _foreign_reads("porchlight.features.search.queries", read) == set()
    assert _foreign_reads("porchlight.auth.queries", {"profiles"}) == {
        ("porchlight.auth", "porchlight.features.profiles")
    }
