"""Questions."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0127"
down_revision = "0126"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE questions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    recipient_id uuid NOT NULL,
    body text NOT NULL,
    idempotency_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_questions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_questions_id UNIQUE (id),
    CONSTRAINT uq_questions_user_id_idempotency_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT fk_questions_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_questions_recipient_id FOREIGN KEY (recipient_id) REFERENCES users (user_id) ON DELETE CASCADE
);
CREATE INDEX ix_questions_user_id_created_at ON questions (user_id, created_at);
CREATE INDEX ix_questions_recipient_id ON questions (recipient_id);
ALTER TABLE questions ENABLE ROW LEVEL SECURITY;
ALTER TABLE questions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON questions TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON questions FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON questions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON questions TO porchlight_app, porchlight_overseer;
ALTER TABLE reports DROP CONSTRAINT ck_reports_subject_kind,
    ADD CONSTRAINT ck_reports_subject_kind
        CHECK (subject_kind IN ('site', 'post', 'profile', 'listing', 'question')) NOT VALID;
ALTER TABLE reports VALIDATE CONSTRAINT ck_reports_subject_kind;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
