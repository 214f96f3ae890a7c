-- Return those of the subdomains `wanted` that a guru has (taken) or had before (reserved).
--
-- Called by: onboarding, while a user types a subdomain.
-- SECURITY DEFINER: gurus are behind row level security; the result names only ids.
CREATE OR REPLACE FUNCTION app.label_status(wanted text[]) RETURNS TABLE (label text, status text, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.label, 'taken', g.id FROM gurus g WHERE g.label = ANY (wanted)
  UNION ALL
  SELECT r.label, 'reserved', r.tenant_id FROM retired_labels r WHERE r.label = ANY (wanted)
$$;
REVOKE ALL ON FUNCTION app.label_status(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.label_status(text[]) TO porchlight_app, porchlight_overseer;
