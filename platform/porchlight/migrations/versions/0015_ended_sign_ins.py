"""Sign-ins that were ended one by one: their ID tokens count no more, whoever renews them."""

from __future__ import annotations

from alembic import op

from tenants.roles import APP, OVERSEER

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

COLUMN = "ALTER TABLE users ADD COLUMN ended_sign_ins timestamptz[] NOT NULL DEFAULT '{}'"

FIND = """
DROP FUNCTION app.find_user(text);
CREATE FUNCTION app.find_user(wanted text)
RETURNS TABLE (user_id uuid, status text, signed_out_at timestamptz, email text, email_verified boolean{more})
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.user_id, u.status, u.signed_out_at, u.email, u.email_verified{also} FROM users u
   WHERE u.firebase_uid = wanted
$$;
REVOKE ALL ON FUNCTION app.find_user(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_user(text) TO {app}, {overseer};
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(COLUMN)
    # The release that still runs names the columns it reads, and does not miss the new one.
    run(FIND.format(more=", ended_sign_ins timestamptz[]", also=", u.ended_sign_ins", app=APP, overseer=OVERSEER))


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(FIND.format(more="", also="", app=APP, overseer=OVERSEER))
    run("ALTER TABLE users DROP COLUMN ended_sign_ins")
