-- Return the guru of a subdomain, or of one that the guru had before a rename, with what decides the site's main
-- address.
--
-- Called by: tenancy, for each new host name, the emails of a site, and onboarding, while a user types a subdomain.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_label(wanted text)
RETURNS TABLE (id uuid, label text, status text, main_domain text, domains jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.id, f.label, f.status, f.main_domain, app.served_domains(f.id)
    FROM (SELECT g.id, g.label, g.status, g.main_domain FROM gurus g WHERE g.label = wanted
          UNION ALL
          SELECT g.id, g.label, g.status, g.main_domain
            FROM retired_labels r JOIN gurus g ON g.id = r.tenant_id WHERE r.label = wanted
          LIMIT 1) f
$$;
REVOKE ALL ON FUNCTION app.find_label(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_label(text) TO porchlight_app, porchlight_overseer;
