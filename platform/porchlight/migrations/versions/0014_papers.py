"""Documents of gurus with their files, reviews and reminders; accounts at the payment provider."""

from __future__ import annotations

from alembic import op

from tenants.rls import fence
from tenants.roles import APP, OVERSEER

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE document_files (
    user_id uuid NOT NULL CONSTRAINT fk_document_files_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    id uuid NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    size bigint NOT NULL DEFAULT 0,
    sha256 bytea,
    stored_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_document_files PRIMARY KEY (user_id, id),
    CONSTRAINT ck_document_files_kind CHECK (kind IN ('application/pdf', 'image/jpeg', 'image/png'))
);
CREATE INDEX ix_document_files_created_at ON document_files (created_at);

CREATE TABLE documents (
    user_id uuid NOT NULL CONSTRAINT fk_documents_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    id uuid NOT NULL,
    type text NOT NULL,
    category text NOT NULL DEFAULT '',
    provider text NOT NULL DEFAULT '',
    number text NOT NULL DEFAULT '',
    issued_on date,
    expires_on date,
    file_url text NOT NULL DEFAULT '',
    file_id uuid,
    status text NOT NULL DEFAULT 'pending',
    reason text NOT NULL DEFAULT '',
    reviewed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_documents PRIMARY KEY (user_id, id),
    CONSTRAINT uq_documents_user_id_file_id UNIQUE (user_id, file_id),
    CONSTRAINT fk_documents_user_id_file_id FOREIGN KEY (user_id, file_id) REFERENCES document_files (user_id, id),
    CONSTRAINT ck_documents_type CHECK (type IN ('license', 'insurance', 'auto', 'cert', 'id')),
    CONSTRAINT ck_documents_status CHECK (status IN ('pending', 'approved', 'rejected', 'lapsed')),
    CONSTRAINT ck_documents_file CHECK (file_url = '' OR file_id IS NULL),
    CONSTRAINT ck_documents_file_url CHECK (file_url = '' OR file_url ~ '^https://'),
    CONSTRAINT ck_documents_dates CHECK (issued_on <= expires_on)
);
-- Staff look at what waits, the oldest first; sweeps look for what ends on a day.
CREATE INDEX ix_documents_pending ON documents (id) WHERE status = 'pending';
CREATE INDEX ix_documents_approved ON documents (expires_on) WHERE status = 'approved';

CREATE TABLE document_events (
    user_id uuid NOT NULL,
    document_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    actor text NOT NULL,
    note text NOT NULL DEFAULT '',
    at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_document_events PRIMARY KEY (user_id, document_id, id),
    CONSTRAINT fk_document_events_user_id_document_id FOREIGN KEY (user_id, document_id)
        REFERENCES documents (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_document_events_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_document_events_kind
        CHECK (kind IN ('submitted', 'opened', 'approved', 'rejected', 'reminded', 'lapsed'))
);

CREATE TABLE document_reminders (
    user_id uuid NOT NULL,
    document_id uuid NOT NULL,
    days integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_document_reminders PRIMARY KEY (user_id, document_id, days),
    CONSTRAINT fk_document_reminders_user_id_document_id FOREIGN KEY (user_id, document_id)
        REFERENCES documents (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_document_reminders_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);

CREATE TABLE payout_accounts (
    user_id uuid CONSTRAINT pk_payout_accounts PRIMARY KEY
        CONSTRAINT fk_payout_accounts_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    account_id text NOT NULL CONSTRAINT uq_payout_accounts_account_id UNIQUE,
    connected boolean NOT NULL DEFAULT true,
    charges_enabled boolean NOT NULL DEFAULT false,
    payouts_enabled boolean NOT NULL DEFAULT false,
    details_submitted boolean NOT NULL DEFAULT false,
    currently_due text[] NOT NULL DEFAULT '{}',
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE payment_events (
    id text CONSTRAINT pk_payment_events PRIMARY KEY,
    kind text NOT NULL,
    account_id text NOT NULL DEFAULT '',
    received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_payment_events_received_at ON payment_events (received_at);
"""

# How somebody's documents stand, a row for each category and type they ever sent: whether one counts today (approved,
# and good through `today`), whether one waits for review, and until when the best one counts (NULL: without an end).
# Category '' is a document of no category in particular. Days are UTC's.
STANDING = """
CREATE FUNCTION app.documents_standing(wanted uuid, today date DEFAULT (now() AT TIME ZONE 'UTC')::date)
RETURNS TABLE (category text, type text, approved boolean, pending boolean, good_until date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.category, d.type,
         bool_or(d.status = 'approved' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         bool_or(d.status = 'pending' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         nullif(max(coalesce(d.expires_on, 'infinity')) FILTER (WHERE d.status = 'approved'), 'infinity')
    FROM documents d WHERE d.user_id = wanted GROUP BY d.category, d.type
$$;

CREATE FUNCTION app.payouts_connected(wanted uuid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM payout_accounts p WHERE p.user_id = wanted
                    AND p.connected AND p.charges_enabled AND p.payouts_enabled AND p.details_submitted)
$$;
"""

# Whoever changes how a document stands, in whatever way, has what depends on it looked at again: what is listed on the
# guru's site, and the badge. The job carries the user; two that wait for one user are one.
CHANGES = """
CREATE FUNCTION app.documents_changed() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  r documents := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM app.enqueue('documents_changed', jsonb_build_object('user_id', r.user_id), 'documents_changed:' || r.user_id);
  RETURN NULL;
END $$;
CREATE TRIGGER documents_changed AFTER INSERT OR DELETE OR UPDATE OF status ON documents
  FOR EACH ROW EXECUTE FUNCTION app.documents_changed();

-- A file whose row goes is thrown away by job, under the name only its row knew.
CREATE FUNCTION app.document_file_gone() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.enqueue('discard_document_file', jsonb_build_object('key', OLD.key), NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER document_file_gone AFTER DELETE ON document_files
  FOR EACH ROW EXECUTE FUNCTION app.document_file_gone();

-- With an account its documents go, and what we know of its payouts.
CREATE FUNCTION app.papers_erased() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM documents WHERE user_id = NEW.user_id;
  DELETE FROM document_files WHERE user_id = NEW.user_id;
  DELETE FROM payout_accounts WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER papers_erased AFTER UPDATE OF status ON users
  FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased') EXECUTE FUNCTION app.papers_erased();
"""

# An event of the payment provider is kept once, and its job with it. Requests have no other way to the table.
EVENTS = """
CREATE FUNCTION app.keep_payment_event(event_id text, event_kind text, event_account text, task text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO payment_events (id, kind, account_id) VALUES (event_id, event_kind, event_account) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF task <> '' THEN
    PERFORM app.enqueue(task, jsonb_build_object('account_id', event_account, 'event_id', event_id), NULL);
  END IF;
  RETURN true;
END $$;
"""

DEFINERS = ("app.documents_standing(uuid, date)", "app.keep_payment_event(text, text, text, text)")


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLES)
    run(fence("documents", key="user_id", setting="uid", directory=True))
    for table in ("document_files", "document_events", "document_reminders", "payout_accounts"):
        run(fence(table, key="user_id", setting="uid"))
    run(STANDING)
    run(CHANGES)
    run(EVENTS)
    for function in DEFINERS:
        run(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        run(f"GRANT EXECUTE ON FUNCTION {function} TO {APP}, {OVERSEER}")
    run(f"GRANT SELECT, INSERT, DELETE ON payment_events TO {OVERSEER}")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("DROP TRIGGER papers_erased ON users")
    for function in (*DEFINERS, "app.payouts_connected(uuid)"):
        run(f"DROP FUNCTION {function}")
    run(
        "DROP TABLE document_reminders, document_events, documents, document_files, payout_accounts, payment_events;"
        "DROP FUNCTION app.documents_changed(); DROP FUNCTION app.document_file_gone();"
        "DROP FUNCTION app.papers_erased()"
    )
