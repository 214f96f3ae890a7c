"""Leaving while publishing: an account that goes waits for its publishing before it takes anything of the wizard."""

from __future__ import annotations

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

# Both hold the person's turn first and rows afterwards: the other way round, each could wait for the other.
ERASED = """
CREATE OR REPLACE FUNCTION app.onboarding_erased() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  {turn}
  DELETE FROM category_picks WHERE user_id = NEW.user_id;
  DELETE FROM onboardings WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
"""
TURN = "PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));"


def upgrade() -> None:
    op.get_bind().exec_driver_sql(ERASED.format(turn=TURN))


def downgrade() -> None:
    op.get_bind().exec_driver_sql(ERASED.format(turn=""))
