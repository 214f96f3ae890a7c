"""Only the feature that owns a table writes to it (ARCHITECTURE 2). The manifests say which feature owns a table."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import tenants.tenancy.models
from porchlight.registry import FEATURES, metadata

ROOT = Path(__file__).parents[2]
PACKAGES = ("tenants", "sites", "platform/porchlight")
# Demo data, the cleanup of old rows and migrations write to tables of every feature.
EXEMPT_PACKAGES = ("porchlight.demo_data.", "porchlight.worker.", "porchlight.db.migrations.versions.")
# Module and table: why the module may write to a table of another package.
ALLOWED = {
    ("sites.guru_profile.actions", "gurus"): "the guru's profile is a part of the tenant's row",
    ("sites.stats.views", "post_views"): "one statement counts visits and views, so that a view is counted once",
    ("porchlight.features.angels.jobs", "needs"): "the package `needs` is a part of `angels`",
    ("porchlight.features.console.leads.digests", "leads"): "the console marks the leads that wait for its digest",
    ("porchlight.features.console.leads.emails", "lead_replies"): "the console sends the replies that `leads` stores",
    ("porchlight.features.listings.actions", "profiles"): "a profile holds the names of its skills",
    ("porchlight.features.listings.jobs", "profiles"): "runs the triggers that copy skills and places",
    ("porchlight.features.onboarding.publishing", "gurus"): "publishing writes the tenant's texts and theme",
    ("porchlight.features.onboarding.publishing", "guru_categories"): "publishing writes the tenant's categories",
    ("porchlight.features.onboarding.publishing", "services"): "publishing adds the default services",
}
SQL_WRITE = re.compile(r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|COPY)\s+(?:ONLY\s+)?([a-z_]+)")
CALLS = frozenset({"insert", "update", "delete"})


def _models(module: ModuleType) -> Iterator[tuple[str, str]]:
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "__tablename__"):
            yield value.__name__, value.__tablename__


def _owners() -> tuple[dict[str, str], dict[str, str]]:
    """Return the owning package by table, and the table by model class."""
    owners: dict[str, str] = {}
    tables: dict[str, str] = {}
    for module in (tenants.tenancy.models, *(module for feature in FEATURES for module in feature.models)):
        for model, table in _models(module):
            owners[table] = module.__name__.rpartition(".")[0]
            tables[model] = table
    return owners, tables


OWNERS, TABLES = _owners()


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


def _foreign_writes(module: str, source: str) -> set[str]:
    """Return the tables of other packages that a module writes to."""
    if module.startswith(EXEMPT_PACKAGES):
        return set()
    return {table for table in _written_tables(source) if not module.startswith(f"{OWNERS[table]}.")}


def _modules() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("platform.")
            yield module, path.read_text("utf-8")


def test_every_table_has_one_owner() -> None:
    assert set(OWNERS) == set(metadata.tables)


def test_tables_are_written_only_by_their_owner() -> None:
    writes = {(module, table) for module, source in _modules() for table in _foreign_writes(module, source)}
    assert writes - set(ALLOWED) == set(), "call a function of the owning feature, through a protocol in contracts.py"
    assert set(ALLOWED) - writes == set(), "remove the exceptions that no module needs"


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
    assert _foreign_writes("porchlight.features.admin.listings.actions", source) == {"skill_offers"}
    assert _foreign_writes("porchlight.features.listings.actions", source) == set()
