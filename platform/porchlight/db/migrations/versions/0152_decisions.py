"""Keep decisions about documents, domains, payout accounts and users out of requests."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0152"
down_revision = "0151"
branch_labels = None
depends_on = None

TABLES = """
-- Policies, where requests of the previous release name the columns without a decision in them.
CREATE POLICY submitted ON documents AS RESTRICTIVE FOR INSERT TO porchlight_app
    WITH CHECK (status = 'pending' AND reason = '' AND reviewed_at IS NULL);
CREATE POLICY lapsed ON documents AS RESTRICTIVE FOR UPDATE TO porchlight_app
    USING (status = 'approved') WITH CHECK (status = 'lapsed');
REVOKE UPDATE ON documents FROM porchlight_app;
GRANT UPDATE (status) ON documents TO porchlight_app;

CREATE POLICY undecided ON document_events AS RESTRICTIVE FOR INSERT TO porchlight_app
    WITH CHECK (kind IN ('submitted', 'opened', 'reminded', 'lapsed'));
REVOKE UPDATE, DELETE ON document_events FROM porchlight_app;

-- A request creates an account, and replaces one that was disconnected. Its state comes from the payment provider.
CREATE POLICY created ON payout_accounts AS RESTRICTIVE FOR INSERT TO porchlight_app
    WITH CHECK (NOT charges_enabled AND NOT payouts_enabled AND NOT details_submitted AND checked_at IS NULL
        AND destinations = '{}' AND destinations_changed_at IS NULL);
CREATE POLICY replaced ON payout_accounts AS RESTRICTIVE FOR UPDATE TO porchlight_app
    USING (NOT connected)
    WITH CHECK (NOT charges_enabled AND NOT payouts_enabled AND NOT details_submitted AND checked_at IS NULL);

REVOKE INSERT ON domains FROM porchlight_app;
GRANT INSERT (tenant_id, domain, next_check_at) ON domains TO porchlight_app;

-- Only the command line overrides flags.
REVOKE INSERT, UPDATE, DELETE ON guru_flags FROM porchlight_app;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
