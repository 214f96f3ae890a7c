"""A need without a rating may be anything; one with a rating is done."""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def _rated(rule: str) -> None:
    run = op.get_bind().exec_driver_sql
    run("ALTER TABLE needs DROP CONSTRAINT ck_needs_rating")
    run(f"ALTER TABLE needs ADD CONSTRAINT ck_needs_rating CHECK ({rule})")


def upgrade() -> None:
    _rated("rating IS NULL OR (rating BETWEEN 1 AND 5 AND status = 'done')")


def downgrade() -> None:
    _rated("rating BETWEEN 1 AND 5 AND status = 'done'")
