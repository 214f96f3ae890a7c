"""Add the reviews of a service's risk that gurus ask for."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TABLES = """
-- Reviews of a service's risk that gurus asked for. service: its name at that time. digest: of the activity.
-- level: the rating with which staff answered.
CREATE TABLE risk_review_requests (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    guru_id uuid NOT NULL,
    service_id uuid NOT NULL,
    digest bytea NOT NULL,
    service text NOT NULL,
    sentence text NOT NULL,
    level text,
    asked_at timestamptz NOT NULL DEFAULT app.now(),
    answered_at timestamptz,
    CONSTRAINT pk_risk_review_requests PRIMARY KEY (user_id, id),
    CONSTRAINT fk_risk_review_requests_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_risk_review_requests_guru_id_service_id FOREIGN KEY (guru_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_risk_review_requests_answered CHECK ((level IS NULL) = (answered_at IS NULL)),
    CONSTRAINT ck_risk_review_requests_level CHECK (level IN ('low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_risk_review_requests_sentence CHECK (char_length(sentence) BETWEEN 1 AND 300)
);
CREATE INDEX ix_risk_review_requests_digest ON risk_review_requests (digest);
CREATE INDEX ix_risk_review_requests_guru_id_service_id ON risk_review_requests (guru_id, service_id);
CREATE UNIQUE INDEX uq_risk_review_requests_open ON risk_review_requests (user_id, service_id, digest)
    WHERE answered_at IS NULL;
ALTER TABLE risk_review_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE risk_review_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON risk_review_requests TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON risk_review_requests TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON risk_review_requests TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON risk_review_requests TO porchlight_overseer;
"""


def upgrade() -> None:
    """Add the table."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
