"""Staff decide how risky an activity is that the engine does not know, and every worker hears of it."""

from __future__ import annotations

from alembic import op

from tenants.roles import APP, OVERSEER

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

# A level that somebody set by hand before there was a screen for it has no better time than when it was last seen.
COLUMNS = """
ALTER TABLE risk_reviews
    ADD COLUMN note text NOT NULL DEFAULT '',
    ADD COLUMN decided_by text NOT NULL DEFAULT '',
    ADD COLUMN decided_at timestamptz;
UPDATE risk_reviews SET decided_at = last_seen_at WHERE level IS NOT NULL;
ALTER TABLE risk_reviews ADD CONSTRAINT ck_risk_reviews_decided CHECK ((level IS NULL) = (decided_at IS NULL));
CREATE INDEX ix_risk_reviews_waiting ON risk_reviews (seen DESC, id) WHERE level IS NULL;
CREATE INDEX ix_risk_reviews_decided ON risk_reviews (decided_at, id) WHERE level IS NOT NULL;
"""

# Requests learn what was decided, but not on which words: the digest tells them only to who has the words already.
DECISIONS = f"""
CREATE FUNCTION app.risk_decisions() RETURNS TABLE (digest bytea, level text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.digest, r.level FROM risk_reviews r WHERE r.level IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.risk_decisions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.risk_decisions() TO {APP}, {OVERSEER};
"""

# On the channel that every worker listens to, under an id that is no tenant's: `skills.decisions` knows it.
TOLD = """
CREATE FUNCTION app.risk_decided() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('porchlight_tenants', '00000000-0000-7000-8000-000000000011');
  RETURN NULL;
END $$;
CREATE TRIGGER risk_decided AFTER UPDATE OF level ON risk_reviews
    FOR EACH ROW WHEN (OLD.level IS DISTINCT FROM NEW.level) EXECUTE FUNCTION app.risk_decided();
CREATE TRIGGER risk_forgotten AFTER DELETE ON risk_reviews
    FOR EACH ROW WHEN (OLD.level IS NOT NULL) EXECUTE FUNCTION app.risk_decided();
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(COLUMNS)
    run(DECISIONS)
    run(TOLD)


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("DROP TRIGGER risk_forgotten ON risk_reviews")
    run("DROP TRIGGER risk_decided ON risk_reviews")
    run("DROP FUNCTION app.risk_decided()")
    run("DROP FUNCTION app.risk_decisions()")
    run("DROP INDEX ix_risk_reviews_decided, ix_risk_reviews_waiting")
    run("ALTER TABLE risk_reviews DROP CONSTRAINT ck_risk_reviews_decided")
    run("ALTER TABLE risk_reviews DROP COLUMN decided_at, DROP COLUMN decided_by, DROP COLUMN note")
