-- Return the custom domains that serve a guru's site, the first connected one first, as a list of
-- [domain, when its certificate ends as seconds since 1970 or null, whether its DNS records lead here].
-- Which of them is the site's main address, tenants/tenancy/main_address.py decides.
--
-- Called by: app.find_label and app.find_domain.
-- SECURITY INVOKER: these run as the owner, who sees the domains of all gurus.
CREATE OR REPLACE FUNCTION app.served_domains(tenant uuid) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT jsonb_agg(jsonb_build_array(d.domain, extract(epoch FROM d.certificate_until),
                                     d.leads_here OR d.proof = 'operator')
                   ORDER BY d.verified_at, d.created_at, d.domain)
    FROM domains d WHERE d.tenant_id = tenant AND d.verified_at IS NOT NULL AND NOT d.over_limit
$$;
REVOKE ALL ON FUNCTION app.served_domains(uuid) FROM PUBLIC;
