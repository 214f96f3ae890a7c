"""Plans."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0143"
down_revision = "0142"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE plan_grants (
    user_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    plan text NOT NULL,
    until timestamptz NOT NULL,
    reason text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_plan_grants PRIMARY KEY (user_id, id),
    CONSTRAINT fk_plan_grants_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_plan_grants_plan CHECK (plan IN ('skill-sharer', 'premium-angel'))
);
-- Existing gurus keep what they have for 60 days. New ones begin with the free plan.
INSERT INTO plan_grants (user_id, plan, until, reason)
SELECT m.user_id, 'skill-sharer', now() + interval '60 days', 'Had a site before plans had limits'
  FROM memberships m;
ALTER TABLE plan_grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_grants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_grants TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_grants FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON plan_grants TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON plan_grants TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_grants TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_grants TO porchlight_overseer;

CREATE TABLE subscriptions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    plan text NOT NULL,
    interval text NOT NULL,
    sub_id text,
    state text NOT NULL DEFAULT 'incomplete',
    period_end timestamptz,
    cancel_at_end boolean NOT NULL DEFAULT false,
    next_plan text,
    past_due_since timestamptz,
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_subscriptions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_subscriptions_sub_id UNIQUE (sub_id),
    CONSTRAINT fk_subscriptions_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_subscriptions_plan CHECK (plan IN ('skill-sharer', 'premium-angel')),
    CONSTRAINT ck_subscriptions_next_plan CHECK (next_plan IN ('skill-sharer', 'premium-angel')),
    CONSTRAINT ck_subscriptions_interval CHECK (interval IN ('month', 'year')),
    CONSTRAINT ck_subscriptions_state
        CHECK (state IN ('incomplete', 'active', 'past_due', 'unpaid', 'canceled', 'gone')),
    CONSTRAINT ck_subscriptions_past_due CHECK (state <> 'past_due' OR past_due_since IS NOT NULL)
);
CREATE UNIQUE INDEX uq_subscriptions_current ON subscriptions (user_id)
    WHERE state IN ('incomplete', 'active', 'past_due');
ALTER TABLE subscriptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE subscriptions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON subscriptions TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON subscriptions FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON subscriptions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON subscriptions TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON subscriptions TO porchlight_overseer;

ALTER TABLE users ADD COLUMN listed_plan text NOT NULL DEFAULT 'community',
    ADD COLUMN plan_check_at timestamptz;
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
UPDATE users u SET listed_plan = g.plan, plan_check_at = g.until FROM plan_grants g WHERE g.user_id = u.user_id;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_users_plan_check_at ON users (plan_check_at) WHERE plan_check_at IS NOT NULL;

ALTER TABLE skill_offers ADD COLUMN over_limit boolean NOT NULL DEFAULT false;
ALTER TABLE listing_photos ADD COLUMN over_limit boolean NOT NULL DEFAULT false;
ALTER TABLE services ADD COLUMN over_limit boolean NOT NULL DEFAULT false;
ALTER TABLE guru_categories ADD COLUMN over_limit boolean NOT NULL DEFAULT false;
ALTER TABLE domains ADD COLUMN over_limit boolean NOT NULL DEFAULT false;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
