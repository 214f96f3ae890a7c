"""Listings overseen: hidden ones stay hidden, all are counted, and each can be reported."""

from __future__ import annotations

from alembic import op

from tenants.roles import OVERSEER

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

# By person and skill, so that taking a skill out of the profile and putting it back does not show it again.
HIDDEN = """
CREATE TABLE hidden_listings (
    owner_id uuid NOT NULL CONSTRAINT fk_hidden_listings_owner_id REFERENCES users (user_id) ON DELETE CASCADE,
    phrase_id integer NOT NULL CONSTRAINT fk_hidden_listings_phrase_id REFERENCES phrases (id),
    reason text NOT NULL,
    hidden_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_hidden_listings PRIMARY KEY (owner_id, phrase_id)
);
CREATE FUNCTION app.hidden_stays_hidden() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.visible AND EXISTS (
    SELECT FROM hidden_listings h WHERE h.owner_id = NEW.user_id AND h.phrase_id = NEW.phrase_id) THEN
    NEW.visible := false;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER hidden_stays_hidden BEFORE INSERT OR UPDATE ON skill_offers
  FOR EACH ROW EXECUTE FUNCTION app.hidden_stays_hidden();
"""

COUNTED = """
CREATE INDEX ix_skill_offers_created_at ON skill_offers (created_at, id);
CREATE INDEX ix_skill_offers_title_trgm ON skill_offers USING gin (title gin_trgm_ops);
CREATE TRIGGER counted_insert AFTER INSERT ON skill_offers REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION app.counted_insert('listings');
CREATE TRIGGER counted_delete AFTER DELETE ON skill_offers REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION app.counted_delete('listings');
SELECT app.count_up('listings', (SELECT count(*) FROM skill_offers));
"""

REPORTED = """
CREATE OR REPLACE FUNCTION app.reported(kind text, name text)
RETURNS TABLE (subject_id uuid, subject_name text, subject_title text, guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.character, g.id FROM gurus g
   WHERE kind = 'site' AND g.label = name AND g.status = 'active'
  UNION ALL
  SELECT p.id, g.label || '/' || p.slug, p.title, g.id FROM gurus g JOIN posts p ON p.tenant_id = g.id
   WHERE kind = 'post' AND g.label = split_part(name, '/', 1) AND p.slug = split_part(name, '/', 2)
     AND g.status = 'active' AND p.status = 'published' AND p.published_at <= now()
  UNION ALL
  SELECT p.user_id, p.handle, p.display_name, NULL FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE kind = 'profile' AND p.handle = name AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
  {listings}
$$;
"""
LISTINGS = """UNION ALL
  SELECT o.id, o.id::text, o.title, NULL FROM skill_offers o JOIN users u ON u.user_id = o.user_id
   WHERE kind = 'listing' AND u.status = 'active' AND o.visible
     AND o.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(HIDDEN)
    run(COUNTED)
    run(REPORTED.replace("{listings}", LISTINGS))
    run("REVOKE ALL ON FUNCTION app.hidden_stays_hidden() FROM PUBLIC")
    run(f"GRANT SELECT, INSERT, UPDATE, DELETE ON hidden_listings TO {OVERSEER}")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(REPORTED.replace("{listings}", ""))
    for trigger in ("counted_insert", "counted_delete", "hidden_stays_hidden"):
        run(f"DROP TRIGGER {trigger} ON skill_offers")
    run("DROP INDEX ix_skill_offers_created_at; DROP INDEX ix_skill_offers_title_trgm")
    run("DROP FUNCTION app.hidden_stays_hidden()")
    run("DROP TABLE hidden_listings")
