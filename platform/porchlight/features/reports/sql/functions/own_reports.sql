-- Return the reports that the current user made, oldest first.
--
-- Called by: profiles, for the account export.
-- SECURITY DEFINER: the app role cannot read reports.
CREATE OR REPLACE FUNCTION app.own_reports()
RETURNS TABLE (id uuid, subject_kind text, subject_name text, subject_title text, reason text, details text,
               status text, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.id, r.subject_kind, r.subject_name, r.subject_title, r.reason, r.details, r.status, r.created_at
    FROM reports r WHERE r.reporter_id = app.user_id() ORDER BY r.id
$$;
REVOKE ALL ON FUNCTION app.own_reports() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_reports() TO porchlight_app, porchlight_overseer;
