-- Return the guru with this name, with what decides the site's main address. A name is a subdomain, one that the guru had
-- before a rename, or a verified custom domain that the plan of its owner includes. Only domains have dots.
-- `domains`: those that serve the site, the first connected one first, as a list of [domain, when its certificate ends as
-- seconds since 1970 or null, whether its DNS records lead here]. tenants/tenancy/main_address.py decides by them.
--
-- Called by: tenancy, for each new host name, the emails of a site, and onboarding, while a user types a subdomain.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_site(wanted text)
RETURNS TABLE (id uuid, label text, status text, main_domain text, domains jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status, g.main_domain,
         (SELECT jsonb_agg(jsonb_build_array(d.domain, extract(epoch FROM d.certificate_until),
                                             d.leads_here OR d.proof = 'operator')
                           ORDER BY d.verified_at, d.created_at, d.domain)
            FROM domains d WHERE d.tenant_id = g.id AND d.verified_at IS NOT NULL AND NOT d.over_limit)
    FROM gurus g
   WHERE g.id = coalesce(
           (SELECT n.id FROM gurus n WHERE n.label = wanted),
           (SELECT r.tenant_id FROM retired_labels r WHERE r.label = wanted),
           (SELECT d.tenant_id FROM domains d
             WHERE d.domain = wanted AND d.verified_at IS NOT NULL AND NOT d.over_limit))
$$;
REVOKE ALL ON FUNCTION app.find_site(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_site(text) TO porchlight_app, porchlight_overseer;
