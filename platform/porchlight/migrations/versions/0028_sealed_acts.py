"""Every act in the log is sealed with a key that the database never sees."""

from __future__ import annotations

from alembic import op

from tenants.roles import OVERSEER

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

# The chain of hashes shows that an entry was changed alone; a seal is what nobody can make anew who has the database
# but not the key. No foreign key: a seal outlives an entry that was taken out, and tells of it. An entry may have
# several, each by another key, so that keys can be exchanged.
SEALS = """
CREATE TABLE audit_seals (
    id bigint NOT NULL,
    key_name text NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT pk_audit_seals PRIMARY KEY (id, key_name)
);
CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE ON audit_seals FOR EACH ROW EXECUTE FUNCTION app.audit_kept();
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION app.audit_kept();
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(SEALS)
    run(f"GRANT SELECT, INSERT ON audit_seals TO {OVERSEER}")


def downgrade() -> None:
    op.get_bind().exec_driver_sql("DROP TABLE audit_seals")
