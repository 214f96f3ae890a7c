"""From neighbour to guru: the wizard's drafts, what a guru offers, and how a site comes and goes with its owner."""

from __future__ import annotations

from alembic import op

from tenants.rls import fence, shows_on_site
from tenants.roles import APP, OVERSEER, OWNER

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

# `published` is the owner's wish, `status` what holds: staff may suspend on top of it, and what they restore comes
# back as the owner had it.
TABLES = """
ALTER TABLE gurus ADD COLUMN published boolean NOT NULL DEFAULT true;
ALTER TABLE gurus ADD COLUMN photo_url text NOT NULL DEFAULT '';
ALTER TABLE gurus DROP CONSTRAINT ck_gurus_status;
ALTER TABLE gurus ADD CONSTRAINT ck_gurus_status CHECK (status IN ('active', 'suspended', 'unpublished'));
CREATE FUNCTION app.guru_standing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'suspended' THEN
    NEW.status := CASE WHEN NEW.published THEN 'active' ELSE 'unpublished' END;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guru_standing BEFORE INSERT OR UPDATE OF status, published ON gurus
  FOR EACH ROW EXECUTE FUNCTION app.guru_standing();

CREATE TABLE onboardings (
    user_id uuid CONSTRAINT pk_onboardings PRIMARY KEY
        CONSTRAINT fk_onboardings_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    display_name text NOT NULL DEFAULT '',
    photo_url text NOT NULL DEFAULT '',
    city text NOT NULL DEFAULT '',
    zip text NOT NULL DEFAULT '',
    bio text NOT NULL DEFAULT '',
    complete boolean NOT NULL DEFAULT false,
    subdomain text NOT NULL DEFAULT '',
    published jsonb,
    published_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE category_picks (
    user_id uuid NOT NULL CONSTRAINT fk_category_picks_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    category_slug text NOT NULL
        CONSTRAINT fk_category_picks_category_slug REFERENCES skill_categories (slug) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_category_picks PRIMARY KEY (user_id, category_slug)
);

CREATE TABLE guru_categories (
    tenant_id uuid NOT NULL CONSTRAINT fk_guru_categories_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    slug text NOT NULL,
    name text NOT NULL,
    position integer NOT NULL DEFAULT 0,
    needs_documents boolean NOT NULL,
    listed boolean NOT NULL DEFAULT false,
    good_until date,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_guru_categories PRIMARY KEY (tenant_id, slug)
);
"""

# The requirements engine: how each of some categories stands with somebody's documents. `documents` maps each type
# that the category wants to `missing`, `pending`, `approved`, or `void` (sent, but it no longer counts).
# A licence counts for the category it was sent for; insurance also when it was sent for no category in particular.
ENGINE = """
CREATE FUNCTION app.category_standing(wanted uuid, slugs text[]) RETURNS TABLE (
  slug text, name text, place integer, risk_level text, requires_license boolean, requires_gl boolean,
  requires_auto_insurance boolean, notes text, documents jsonb, needed boolean, submitted boolean, approved boolean,
  good_until date)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH standing AS MATERIALIZED (
    SELECT s.category, s.type, s.approved, s.pending, s.good_until FROM app.documents_standing(wanted) s
  ), met AS (
    SELECT c.slug, n.type,
           CASE WHEN bool_or(s.approved) THEN 'approved' WHEN bool_or(s.pending) THEN 'pending'
                WHEN count(s.type) > 0 THEN 'void' ELSE 'missing' END AS state,
           nullif(max(coalesce(s.good_until, 'infinity')) FILTER (WHERE s.approved), 'infinity') AS good_until
      FROM skill_categories c
      JOIN LATERAL (VALUES ('license', c.requires_license, false), ('insurance', c.requires_gl, true),
                           ('auto', c.requires_auto_insurance, true)) AS n (type, required, anywhere) ON n.required
      LEFT JOIN standing s ON s.type = n.type AND (s.category = c.slug OR (n.anywhere AND s.category = ''))
     WHERE c.slug = ANY (slugs)
     GROUP BY c.slug, n.type
  )
  SELECT c.slug, c.name, c.position, c.risk_level, c.requires_license, c.requires_gl, c.requires_auto_insurance,
         c.notes, coalesce(jsonb_object_agg(m.type, m.state) FILTER (WHERE m.type IS NOT NULL), '{}'),
         count(m.type) > 0, coalesce(bool_and(m.state IN ('pending', 'approved')), true),
         coalesce(bool_and(m.state = 'approved'), true), min(m.good_until)
    FROM skill_categories c LEFT JOIN met m ON m.slug = c.slug
   WHERE c.slug = ANY (slugs) AND NOT c.coming_soon
   GROUP BY c.slug
   ORDER BY c.position
$$;

CREATE FUNCTION app.onboarding_steps(wanted uuid)
RETURNS TABLE (profile boolean, categories boolean, requirements boolean, payout boolean)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM onboardings o WHERE o.user_id = wanted AND o.complete),
         count(s.slug) > 0, coalesce(bool_and(s.submitted), false), app.payouts_connected(wanted)
    FROM app.category_standing(wanted, ARRAY(SELECT p.category_slug FROM category_picks p WHERE p.user_id = wanted)) s
$$;
"""

# A guru comes into the world here and nowhere else: for whom the transaction is, once all four steps are done, and
# once in a life. What the site then shows is written by the request itself, within the new guru's fence. (A function
# that sets the tenant puts back what was set: a plain role may not give it a SET clause of this name.)
# Outcomes: made, updated; nobody, not_ready, suspended, refused, taken, kept_back.
PUBLISH = """
CREATE FUNCTION app.publish_guru(new_id uuid, wanted text, OUT outcome text, OUT guru_id uuid, OUT guru_label text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  person uuid := app.uid();
  before text := coalesce(current_setting('app.tenant_id', true), '');
  standing text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || person, 0));
  IF NOT EXISTS (SELECT FROM users u WHERE u.user_id = person AND u.status = 'active') THEN
    outcome := 'nobody';
    RETURN;
  END IF;
  SELECT g.id, g.label, g.status INTO guru_id, guru_label, standing
    FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = person;
  IF standing = 'suspended' THEN
    outcome := 'suspended';
  ELSIF NOT (SELECT s.profile AND s.categories AND s.requirements AND s.payout FROM app.onboarding_steps(person) s) THEN
    outcome := 'not_ready';
  ELSIF guru_id IS NOT NULL THEN
    PERFORM set_config('app.tenant_id', guru_id::text, true);
    UPDATE gurus SET published = true WHERE id = guru_id AND NOT published;
    outcome := 'updated';
  ELSE
    outcome := app.label_outcome(wanted, NULL);
    IF outcome = 'free' THEN
      PERFORM set_config('app.tenant_id', new_id::text, true);
      INSERT INTO gurus (id, label, character, category) VALUES (new_id, wanted, '', 'general');
      INSERT INTO memberships (tenant_id, user_id) VALUES (new_id, person);
      outcome := 'made';
      guru_id := new_id;
      guru_label := wanted;
    END IF;
  END IF;
  PERFORM set_config('app.tenant_id', before, true);
END $$;

-- Whether a label is free for a new guru, or for the one who may have had it before. Others who want it wait.
CREATE FUNCTION app.label_outcome(wanted text, mine uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  IF wanted !~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$' THEN
    RETURN 'refused';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('label ' || wanted, 0));
  IF EXISTS (SELECT FROM gurus g WHERE g.label = wanted) THEN
    RETURN 'taken';
  END IF;
  IF EXISTS (SELECT FROM retired_labels r WHERE r.label = wanted AND r.tenant_id IS DISTINCT FROM mine) THEN
    RETURN 'kept_back';
  END IF;
  RETURN 'free';
END $$;

-- Another label for one's own guru. The old one redirects and is kept back; of those, a guru has `most`.
-- Outcomes: renamed, same; nobody, suspended, changed, refused, taken, kept_back, too_often.
CREATE FUNCTION app.rename_guru(wanted text, most integer, OUT outcome text, OUT guru_id uuid, OUT guru_label text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  person uuid := app.uid();
  before text := coalesce(current_setting('app.tenant_id', true), '');
  former text;
  standing text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || person, 0));
  SELECT m.tenant_id INTO guru_id FROM memberships m WHERE m.user_id = person;
  IF guru_id IS NULL THEN
    outcome := 'nobody';
    RETURN;
  END IF;
  PERFORM set_config('app.tenant_id', guru_id::text, true);
  SELECT g.label INTO former FROM gurus g WHERE g.id = guru_id;
  PERFORM pg_advisory_xact_lock(hashtextextended('label ' || least(former COLLATE "C", wanted COLLATE "C"), 0));
  PERFORM pg_advisory_xact_lock(hashtextextended('label ' || greatest(former COLLATE "C", wanted COLLATE "C"), 0));
  SELECT g.label, g.status INTO guru_label, standing FROM gurus g WHERE g.id = guru_id FOR UPDATE;
  IF standing = 'suspended' THEN
    outcome := 'suspended';
  ELSIF guru_label = wanted THEN
    outcome := 'same';
  ELSIF guru_label <> former THEN
    outcome := 'changed';
  ELSE
    outcome := app.label_outcome(wanted, guru_id);
    IF outcome = 'free' AND most <= (
      SELECT count(*) FROM retired_labels r WHERE r.tenant_id = guru_id AND r.label <> wanted
    ) THEN
      outcome := 'too_often';
    ELSIF outcome = 'free' THEN
      DELETE FROM retired_labels r WHERE r.tenant_id = guru_id AND r.label = wanted;
      UPDATE gurus SET label = wanted WHERE id = guru_id;
      INSERT INTO retired_labels (tenant_id, label) VALUES (guru_id, former);
      outcome := 'renamed';
      guru_label := wanted;
    END IF;
  END IF;
  PERFORM set_config('app.tenant_id', before, true);
END $$;

-- One's own site goes off the air, and comes back by publishing. False when there is none.
CREATE FUNCTION app.unpublish_guru() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  person uuid := app.uid();
  before text := coalesce(current_setting('app.tenant_id', true), '');
  mine uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || person, 0));
  SELECT m.tenant_id INTO mine FROM memberships m WHERE m.user_id = person;
  PERFORM set_config('app.tenant_id', coalesce(mine::text, ''), true);
  UPDATE gurus SET published = false WHERE id = mine AND published;
  PERFORM set_config('app.tenant_id', before, true);
  RETURN mine IS NOT NULL;
END $$;

-- Whether anybody has a label, or had it: what a live check may tell.
CREATE FUNCTION app.label_standing(wanted text[]) RETURNS TABLE (label text, standing text, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.label, 'taken', g.id FROM gurus g WHERE g.label = ANY (wanted)
  UNION ALL
  SELECT r.label, 'kept_back', r.tenant_id FROM retired_labels r WHERE r.label = ANY (wanted)
$$;
"""

# What a guru lists follows their documents: as the guru within the fence when publishing, as the overseer by job.
# The word for what a guru is stays theirs once they chose one that is no category's name.
RELIST = """
CREATE FUNCTION app.relist(wanted uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  mine uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || wanted, 0));
  SELECT g.tenant_id INTO mine FROM app.guru_of(wanted) g;
  IF mine IS NULL THEN
    RETURN false;
  END IF;
  UPDATE guru_categories c
     SET name = s.name, position = s.place, needs_documents = s.needed, listed = s.approved, good_until = s.good_until,
         updated_at = now()
    FROM app.category_standing(wanted, ARRAY(SELECT o.slug FROM guru_categories o WHERE o.tenant_id = mine)) s
   WHERE c.tenant_id = mine AND c.slug = s.slug
     AND (c.name, c.position, c.needs_documents, c.listed, c.good_until)
         IS DISTINCT FROM (s.name, s.place, s.needed, s.approved, s.good_until);
  UPDATE guru_categories c SET listed = false, updated_at = now()
   WHERE c.tenant_id = mine AND c.listed
     AND NOT EXISTS (SELECT FROM skill_categories k WHERE k.slug = c.slug AND NOT k.coming_soon);
  UPDATE gurus g SET category = n.word
    FROM (SELECT coalesce((SELECT lower(c.name) FROM guru_categories c WHERE c.tenant_id = mine AND c.listed
                            ORDER BY c.position LIMIT 1), 'general') AS word) n
   WHERE g.id = mine AND g.category <> n.word
     AND (g.category = 'general' OR g.category IN (SELECT lower(k.name) FROM skill_categories k));
  RETURN true;
END $$;
"""

# With an account its wizard goes, and its guru: the site at once, everything of it by job.
ERASED = """
CREATE FUNCTION app.onboarding_erased() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM category_picks WHERE user_id = NEW.user_id;
  DELETE FROM onboardings WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER onboarding_erased AFTER UPDATE OF status ON users
  FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased') EXECUTE FUNCTION app.onboarding_erased();

CREATE FUNCTION app.owner_erased() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text := coalesce(current_setting('app.tenant_id', true), '');
  mine uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));
  SELECT m.tenant_id INTO mine FROM memberships m WHERE m.user_id = NEW.user_id;
  IF mine IS NOT NULL THEN
    PERFORM app.enqueue('erase_guru', jsonb_build_object('guru_id', mine), NULL);
    PERFORM set_config('app.tenant_id', mine::text, true);
    UPDATE gurus SET published = false WHERE id = mine;
    PERFORM set_config('app.tenant_id', before, true);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER owner_erased AFTER UPDATE OF status ON users
  FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased') EXECUTE FUNCTION app.owner_erased();
"""

# Requests may change what a guru's site says, not whose it is, what it is called or whether it stands.
SHOWN = (
    "character, category, primary_skills, tagline, city, about_markdown, about_html, primary_color, secondary_color,"
    " icon, emoji, seo_title, seo_description, contact_email, photo_url, content_version, updated_at"
)
GRANTS = f"""
REVOKE INSERT, UPDATE, DELETE ON gurus, memberships, retired_labels FROM {APP};
GRANT UPDATE ({SHOWN}) ON gurus TO {APP};
"""

# The functions above run as the owner: it writes within the fence they set, and reads what decides.
FOUNDED = (("gurus", "id"), ("memberships", "tenant_id"), ("retired_labels", "tenant_id"))
READ = ("payout_accounts",)
FUNCTIONS = (
    "app.publish_guru(uuid, text)",
    "app.rename_guru(text, integer)",
    "app.unpublish_guru()",
    "app.label_standing(text[])",
)


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLES)
    run(fence("onboardings", key="user_id", setting="uid", directory=True))
    run(fence("category_picks", key="user_id", setting="uid", directory=True))
    run(fence("guru_categories"))
    run(shows_on_site("guru_categories"))
    for table in READ:
        run(f"CREATE POLICY directory ON {table} FOR SELECT TO {OWNER} USING (true)")
    for table, key in FOUNDED:
        own = f"{key} = app.tid()"
        run(f"CREATE POLICY founding ON {table} TO {OWNER} USING ({own}) WITH CHECK ({own})")
    run(ENGINE)
    run(PUBLISH)
    run(RELIST)
    run(ERASED)
    for function in FUNCTIONS:
        run(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        run(f"GRANT EXECUTE ON FUNCTION {function} TO {APP}")
    run(f"GRANT EXECUTE ON FUNCTION app.label_standing(text[]) TO {OVERSEER}")
    run(GRANTS)


def downgrade() -> None:
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
