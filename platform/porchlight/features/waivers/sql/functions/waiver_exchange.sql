-- Return what a waiver is for: a listing, by its id, or a guru's service, by the guru's label and the service's id.
-- NULL if it does not exist or is hidden. A service comes with the guru's own waiver text, unless the guru has none.
-- The function restores the tenant that was set before.
--
-- Called by: waivers.
-- SECURITY DEFINER: listings of other users and services and texts of a guru are behind row level security.
CREATE OR REPLACE FUNCTION app.waiver_exchange(guru_label text, wanted uuid) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru uuid := (SELECT g.id FROM gurus g WHERE g.label = guru_label AND g.status = 'active' AND g.published);
  found_exchange jsonb;
BEGIN
  IF guru_label IS NULL THEN
    RETURN (SELECT jsonb_build_object('teacher_id', o.user_id, 'title', o.title, 'details', o.details)
              FROM skill_offers o JOIN users u ON u.user_id = o.user_id
             WHERE o.id = wanted AND o.visible AND u.status = 'active');
  END IF;
  PERFORM set_config('app.tenant_id', guru::text, true);
  found_exchange := (SELECT jsonb_build_object('guru_id', guru, 'guru_name', g.character, 'title', s.name,
                                               'details', s.description, 'text', t.newest)
                       FROM services s JOIN gurus g ON g.id = s.tenant_id
                       LEFT JOIN LATERAL (
                         SELECT jsonb_build_object('version', w.version, 'body', w.body) AS newest
                           FROM guru_waiver_texts w
                          WHERE w.tenant_id = guru AND w.version = app.waiver_text_version(guru)) t ON true
                      WHERE s.tenant_id = guru AND s.id = wanted);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN found_exchange;
END $$;
REVOKE ALL ON FUNCTION app.waiver_exchange(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_exchange(text, uuid) TO porchlight_app;
