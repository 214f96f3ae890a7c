"""Let functions, triggers and column defaults read the product's clock, `app.now()`."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0179"
down_revision = "0178"
branch_labels = None
depends_on = None

_STATEMENTS = """
SELECT format('ALTER TABLE %s %s', d.adrelid::regclass, string_agg(format('ALTER %I SET DEFAULT %s', a.attname,
         CASE pg_get_expr(d.adbin, d.adrelid) WHEN 'now()' THEN 'app.now()' ELSE '(app.now())::date' END), ', '))
  FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
  JOIN pg_class c ON c.oid = d.adrelid
 WHERE c.relnamespace = 'public'::regnamespace AND pg_get_expr(d.adbin, d.adrelid) IN ('now()', 'CURRENT_DATE')
 GROUP BY d.adrelid ORDER BY d.adrelid::regclass::text"""


def upgrade() -> None:
    """Replace the functions, then the defaults table by table: each is locked for a moment, and never two at once."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
    statements = op.get_bind().exec_driver_sql(_STATEMENTS.replace("%", "%%")).scalars().all()
    with op.get_context().autocommit_block():
        for statement in statements:
            run_sql(op.get_bind(), statement)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
