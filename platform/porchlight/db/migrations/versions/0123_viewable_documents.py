"""Documents that staff can look at."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0123"
down_revision = "0122"
branch_labels = None
depends_on = None

# Documents could be submitted without a file or link, and even be approved. The trigger's job updates their sites.
TABLES = """
ALTER TABLE documents
    DROP CONSTRAINT ck_documents_status,
    ADD CONSTRAINT ck_documents_status CHECK (status IN ('pending', 'approved', 'rejected', 'lapsed', 'incomplete')),
    NO FORCE ROW LEVEL SECURITY;
UPDATE documents SET status = 'incomplete'
 WHERE status IN ('pending', 'approved') AND file_url = '' AND file_id IS NULL;
ALTER TABLE documents
    ADD CONSTRAINT ck_documents_viewable
        CHECK (status IN ('rejected', 'lapsed', 'incomplete') OR file_url <> '' OR file_id IS NOT NULL),
    FORCE ROW LEVEL SECURITY;
"""


def upgrade() -> None:
    """Change the table and mark the documents without a file or link."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
