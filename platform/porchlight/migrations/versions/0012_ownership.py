"""Whose guru a guru is."""

from __future__ import annotations

from alembic import op

from tenants.rls import fence
from tenants.roles import APP, OVERSEER

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE memberships (
    tenant_id uuid NOT NULL CONSTRAINT fk_memberships_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    user_id uuid NOT NULL CONSTRAINT uq_memberships_user_id UNIQUE
        CONSTRAINT fk_memberships_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    role text NOT NULL DEFAULT 'owner',
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_memberships PRIMARY KEY (tenant_id, user_id),
    CONSTRAINT ck_memberships_role CHECK (role IN ('owner'))
);
"""

# Which guru somebody runs is asked before a tenant is known.
LOOKUP = """
CREATE FUNCTION app.guru_of(owner uuid) RETURNS TABLE (tenant_id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = owner
$$;
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLES)
    run(fence("memberships", directory=True))
    run(LOOKUP)
    run("REVOKE ALL ON FUNCTION app.guru_of(uuid) FROM PUBLIC")
    run(f"GRANT EXECUTE ON FUNCTION app.guru_of(uuid) TO {APP}, {OVERSEER}")
