-- Return the guru of a verified custom domain that the plan of its owner includes, with what decides the site's main
-- address.
--
-- Called by: tenancy, for each new host name.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_domain(wanted text)
RETURNS TABLE (id uuid, label text, status text, main_domain text, domains jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status, g.main_domain, app.served_domains(g.id)
    FROM domains d JOIN gurus g ON g.id = d.tenant_id
   WHERE d.domain = wanted AND d.verified_at IS NOT NULL AND NOT d.over_limit
$$;
REVOKE ALL ON FUNCTION app.find_domain(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_domain(text) TO porchlight_app, porchlight_overseer;
