"""What a guru works with beside what the site shows: working copies, pictures, previews, notes and answers to leads."""

from __future__ import annotations

from alembic import op

from tenants.rls import fence

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE post_edits (
    tenant_id uuid NOT NULL CONSTRAINT fk_post_edits_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    post_id uuid NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    working_copy jsonb,
    saved_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_post_edits PRIMARY KEY (tenant_id, post_id),
    CONSTRAINT fk_post_edits_tenant_id_post_id
        FOREIGN KEY (tenant_id, post_id) REFERENCES posts (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE site_images (
    tenant_id uuid NOT NULL CONSTRAINT fk_site_images_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    size integer NOT NULL,
    data bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_site_images PRIMARY KEY (tenant_id, id)
);

CREATE TABLE site_previews (
    tenant_id uuid NOT NULL CONSTRAINT fk_site_previews_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    secret_hash bytea NOT NULL,
    page text NOT NULL,
    changes jsonb NOT NULL,
    framed_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_site_previews PRIMARY KEY (tenant_id, secret_hash)
);

CREATE TABLE lead_notes (
    tenant_id uuid NOT NULL CONSTRAINT fk_lead_notes_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    lead_id uuid NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_lead_notes PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_lead_notes_tenant_id_lead_id
        FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_lead_notes_tenant_id_lead_id ON lead_notes (tenant_id, lead_id);

CREATE TABLE lead_answers (
    tenant_id uuid NOT NULL CONSTRAINT fk_lead_answers_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    lead_id uuid NOT NULL,
    body text NOT NULL,
    idempotency_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    CONSTRAINT pk_lead_answers PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_lead_answers_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_lead_answers_tenant_id_lead_id
        FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_lead_answers_tenant_id_lead_id ON lead_answers (tenant_id, lead_id);
CREATE INDEX ix_lead_answers_tenant_id_created_at ON lead_answers (tenant_id, created_at);
"""

# The owner itself sees no row of a fenced table: the fence is lifted for the one statement, within the transaction.
LEADS = """
ALTER TABLE leads DROP CONSTRAINT ck_leads_status;
ALTER TABLE leads NO FORCE ROW LEVEL SECURITY;
UPDATE leads SET status = 'archived' WHERE status = 'closed';
ALTER TABLE leads FORCE ROW LEVEL SECURITY;
ALTER TABLE leads ADD CONSTRAINT ck_leads_status CHECK (status IN ('new', 'read', 'answered', 'archived'));
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLES)
    run(LEADS)
    for table in ("post_edits", "site_images", "site_previews", "lead_notes", "lead_answers"):
        run(fence(table))


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("DROP TABLE post_edits, site_images, site_previews, lead_notes, lead_answers")
    run(
        "ALTER TABLE leads DROP CONSTRAINT ck_leads_status;"
        "ALTER TABLE leads NO FORCE ROW LEVEL SECURITY;"
        "UPDATE leads SET status = CASE status WHEN 'archived' THEN 'closed' ELSE 'new' END"
        " WHERE status IN ('archived', 'read');"
        "ALTER TABLE leads FORCE ROW LEVEL SECURITY;"
        "ALTER TABLE leads ADD CONSTRAINT ck_leads_status CHECK (status IN ('new', 'answered', 'closed'))"
    )
