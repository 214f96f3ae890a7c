"""Accounts: when a session was last seen, addresses about to change, farewells."""

from __future__ import annotations

from alembic import op

from tenants.roles import APP, OVERSEER

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TABLES = f"""
ALTER TABLE sessions ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE users ADD COLUMN email_change_asked_at timestamptz;
CREATE INDEX ix_users_email_change_asked_at ON users (email_change_asked_at)
    WHERE email_change_asked_at IS NOT NULL;

CREATE TABLE farewells (
    id uuid CONSTRAINT pk_farewells PRIMARY KEY,
    recipient text NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, DELETE ON farewells TO {OVERSEER};
"""

# The address is needed once more after it was erased. It waits here for its mail, and goes with it.
FAREWELL = """
CREATE FUNCTION app.say_farewell(new_id uuid, task text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO farewells (id, recipient, name)
  SELECT new_id, u.email, coalesce(p.display_name, '') FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.user_id = app.uid() AND u.email <> '';
  IF FOUND THEN
    PERFORM app.enqueue(task, jsonb_build_object('farewell_id', new_id), NULL);
  END IF;
END $$;
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLES)
    run(FAREWELL)
    run("REVOKE ALL ON FUNCTION app.say_farewell(uuid, text) FROM PUBLIC")
    run(f"GRANT EXECUTE ON FUNCTION app.say_farewell(uuid, text) TO {APP}")


def downgrade() -> None:
    op.get_bind().exec_driver_sql(
        "DROP FUNCTION app.say_farewell(uuid, text); DROP TABLE farewells;"
        "ALTER TABLE users DROP COLUMN email_change_asked_at; ALTER TABLE sessions DROP COLUMN last_seen_at"
    )
