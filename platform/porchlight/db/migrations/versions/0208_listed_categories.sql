-- listed categories

-- file: functions/limit_site.sql
-- Hide from visitors the current site's priced services, listed categories and domains that exceed its owner's plan,
-- until they fit again: the newest ones first, and of the categories those that were hidden before. Domains that the
-- operator connected stay. `limits` has the limits of each plan. The caller holds the lock of the plan.
--
-- Called by: porchlight.plans, onboarding and app.apply_plan_limits.
CREATE OR REPLACE FUNCTION app.limit_site(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  own jsonb := limits -> app.tenant_plan();
BEGIN
  UPDATE services s SET over_limit = n.is_over
    FROM (SELECT o.id, o.price_cents > 0
                 AND row_number() OVER (PARTITION BY o.price_cents > 0 ORDER BY o.created_at, o.position, o.id)
                     > (own ->> 'priced_services')::integer AS is_over
            FROM services o WHERE o.tenant_id = app.tenant_id()) n
   WHERE s.tenant_id = app.tenant_id() AND s.id = n.id AND s.over_limit <> n.is_over;
  UPDATE guru_categories c SET over_limit = n.is_over
    FROM (SELECT o.slug, o.listed
                 AND row_number() OVER (PARTITION BY o.listed ORDER BY o.over_limit, o.created_at, o.position, o.slug)
                     > (own ->> 'listed_categories')::integer AS is_over
            FROM guru_categories o WHERE o.tenant_id = app.tenant_id()) n
   WHERE c.tenant_id = app.tenant_id() AND c.slug = n.slug AND c.over_limit <> n.is_over;
  UPDATE domains d SET over_limit = d.proof = 'dns' AND NOT (own ->> 'own_domain')::boolean
   WHERE d.tenant_id = app.tenant_id() AND d.over_limit <> (d.proof = 'dns' AND NOT (own ->> 'own_domain')::boolean);
END $$;

-- file: functions/shown_skills.sql
-- Return which of a guru's skills visitors see: not those that belong to a category whose documents are not approved,
-- and to none that is listed. A skill belongs to a category that has its words among its names.
--
-- Called by: sites (the guru's pages) and search (the index).
CREATE OR REPLACE FUNCTION app.shown_skills(guru_id uuid, skills text[]) RETURNS text[]
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN NOT EXISTS (SELECT FROM guru_categories c
                                WHERE c.tenant_id = guru_id AND c.needs_documents AND NOT c.listed) THEN skills
    ELSE ARRAY(
      SELECT s.skill FROM unnest(skills) WITH ORDINALITY s (skill, place)
        LEFT JOIN LATERAL (
          SELECT bool_or(c.listed) AS listed FROM guru_categories c
           WHERE c.tenant_id = guru_id AND (
             ' ' || app.normalize_text(s.skill) || ' ' LIKE '% ' || app.normalize_text(c.name) || ' %'
             OR EXISTS (SELECT FROM skill_search_terms t WHERE t.category_slug = c.slug
                         AND ' ' || app.normalize_text(s.skill) || ' ' LIKE '% ' || app.normalize_text(t.name) || ' %'))
        ) found ON true
       WHERE coalesce(found.listed, true) ORDER BY s.place) END
$$;
REVOKE ALL ON FUNCTION app.shown_skills(uuid, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.shown_skills(uuid, text[]) TO porchlight_app, porchlight_overseer;

-- file: functions/update_listed_categories.sql
-- Update which categories the current user's site lists, from the user's documents. Returns false without a guru.
-- A category that becomes listed waits for app.limit_site, so that it does not push out one that visitors see already.
-- Also updates the guru's own category, unless the owner chose a word that is no category's name. The function restores
-- the tenant that was set before.
--
-- Called by: onboarding, when a guru publishes and in the job after a document changed.
CREATE OR REPLACE FUNCTION app.update_listed_categories() RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  SELECT g.tenant_id INTO own_guru_id FROM app.own_guru() g;
  IF own_guru_id IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_config('app.tenant_id', own_guru_id::text, true);
  UPDATE guru_categories c
     SET name = s.name, position = s.place, needs_documents = s.needed, listed = s.approved, good_until = s.good_until,
         over_limit = c.over_limit OR (s.approved AND NOT c.listed), updated_at = app.now()
    FROM app.category_status(owner_id, ARRAY(SELECT o.slug FROM guru_categories o WHERE o.tenant_id = own_guru_id)) s
   WHERE c.tenant_id = own_guru_id AND c.slug = s.slug
     AND (c.name, c.position, c.needs_documents, c.listed, c.good_until)
         IS DISTINCT FROM (s.name, s.place, s.needed, s.approved, s.good_until);
  UPDATE guru_categories c SET listed = false, updated_at = app.now()
   WHERE c.tenant_id = own_guru_id AND c.listed
     AND NOT EXISTS (SELECT FROM skill_categories k WHERE k.slug = c.slug AND NOT k.coming_soon);
  UPDATE gurus g SET category = n.word
    FROM (SELECT coalesce((SELECT lower(c.name) FROM guru_categories c WHERE c.tenant_id = own_guru_id AND c.listed
                            ORDER BY c.created_at, c.position LIMIT 1), 'general') AS word) n
   WHERE g.id = own_guru_id AND g.category <> n.word
     AND (g.category = 'general' OR g.category IN (SELECT lower(k.name) FROM skill_categories k));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN true;
END $$;
