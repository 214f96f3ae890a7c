"""Every INSERT … ON CONFLICT (columns), and the other unique keys in which a concurrent insert could conflict.

PostgreSQL lets an insert wait for a concurrent one only on the named key. If both conflict in a second key as well, the
later one fails with UniqueViolation, now and then. ON CONFLICT DO NOTHING without columns covers all keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg

from tests.fixtures.databases import Database

ROOT = Path(__file__).parents[2]
_SQL = re.compile(r"INSERT INTO (\w+)(?:(?!INSERT INTO).)*?ON CONFLICT \(((?:[^()]|\([^()]*\))*)\)", re.DOTALL)
_SQLALCHEMY = re.compile(
    r"\binsert\((\w+)\)(?:(?!\binsert\().)*?\.on_conflict_do_\w+\(\s*index_elements=\[(.*?)\]", re.DOTALL
)
_TABLE_OF = re.compile(r'^class (\w+)\(.*?^    __tablename__ = "(\w+)"', re.DOTALL | re.MULTILINE)
_UNIQUE_KEYS = """
SELECT t.relname, c.relname, array_agg(pg_get_indexdef(i.indexrelid, n, true) ORDER BY n)
  FROM pg_index i
  JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace
  JOIN pg_class c ON c.oid = i.indexrelid
 CROSS JOIN generate_series(1, i.indnkeyatts) n
 WHERE i.indisunique GROUP BY t.relname, c.relname"""

RANDOM = "random in each insert"
STRIPE = "events of one object wait for each other, by an advisory lock"
# Why concurrent inserts with the same named key do not have the same value in this one.
REASONS = {
    "pk_admin_keys": RANDOM,
    "pk_contact_messages": RANDOM,
    "pk_dev_mailbox": RANDOM,
    "pk_findings": RANDOM,
    "pk_lead_replies": RANDOM,
    "pk_leads": RANDOM,
    "pk_ledger_holds": RANDOM,
    "pk_ledger_transactions": RANDOM,
    "pk_need_offers": RANDOM,
    "pk_notifications": RANDOM,
    "pk_payouts": STRIPE,
    "pk_phrases": "from a sequence",
    "pk_plan_disputes": STRIPE,
    "pk_plan_invoices": STRIPE,
    "pk_profiles": "the row of a user that the same transaction created",
    "pk_push_subscriptions": RANDOM,
    "pk_reports": RANDOM,
    "pk_reviews": RANDOM,
    "pk_risk_reviews": RANDOM,
    "pk_skill_offers": RANDOM,
    "pk_skill_wants": RANDOM,
    "pk_subscriptions": STRIPE,
    "pk_users": RANDOM,
    "uq_admin_keys_key_hash": RANDOM,
    "uq_email_settings_token": RANDOM,
    "uq_lead_addresses_tenant_id_token": RANDOM,
    "uq_ledger_transactions_id_event": RANDOM,
    "uq_ledger_transactions_reverses": "app.post_many posts no reversals",
    "uq_need_offers_id": RANDOM,
    "uq_payouts_account_id_open": STRIPE,
    "uq_payouts_user_id_request_key": STRIPE,
    "uq_skill_categories_name": "`porchlight migrate` alone writes the catalog",
    "uq_skill_offers_id": RANDOM,
    "uq_subscriptions_current": STRIPE,
    "uq_thread_members_reply_token": RANDOM,
}


def upserts() -> Iterator[tuple[str, str, str]]:
    """Yield the file, the table and the columns of each INSERT … ON CONFLICT (columns)."""
    sources = [path for top in ("platform/porchlight", "sites", "tenants") for path in sorted((ROOT / top).rglob("*"))]
    sources = [path for path in sources if path.suffix in (".py", ".sql") and "versions" not in path.parts]
    texts = {path: path.read_text("utf-8") for path in sources if path.name != "schema.sql"}
    tables = {name: table for text in texts.values() for name, table in _TABLE_OF.findall(text)}
    for path, text in texts.items():
        for table, columns in _SQL.findall(text):
            yield path.name, table, columns
        for model, columns in _SQLALCHEMY.findall(text):
            yield path.name, tables[model], re.sub(r"\w+\.|\"", "", columns)


def test_upserts_wait_on_every_key_that_can_conflict(database: Database) -> None:
    keys: dict[str, dict[str, set[str]]] = {}
    with psycopg.connect(database.service_url) as conn:
        for table, key, columns in conn.execute(_UNIQUE_KEYS):
            keys.setdefault(table, {})[key] = set(columns)
    found = list(upserts())
    others = {
        key: f"{file}: {table} ({named})"
        for file, table, named in found
        for key, columns in keys[table].items()
        if columns != set(re.split(r", (?![^(]*\))", named))
    }
    assert len(found) > 40
    assert {key: where for key, where in others.items() if key not in REASONS} == {}
    assert REASONS.keys() <= others.keys()
