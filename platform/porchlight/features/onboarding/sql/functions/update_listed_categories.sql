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
