-- main address

-- file: functions/find_domain.sql
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

-- file: functions/find_label.sql
-- Return the guru of a subdomain, or of one that the guru had before a rename, with what decides the site's main
-- address.
--
-- Called by: tenancy, for each new host name, and the emails of a site.
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

-- file: functions/served_domains.sql
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

-- file: triggers/notify_host_changed.sql
-- Notify every process that a host of a guru changed. The argument is the column that holds the host.
-- Payload on the channel porchlight_tenants: the tenant's id and the host. A check of a domain that changes nothing for
-- visitors sends no notification.
--
-- Fires on: domains, retired_labels.
CREATE OR REPLACE FUNCTION app.notify_host_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP = 'UPDATE'
     AND to_jsonb(NEW) - '{checked_at,next_check_at,outcome,found,failing_since}'::text[]
       = to_jsonb(OLD) - '{checked_at,next_check_at,outcome,found,failing_since}'::text[] THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify('porchlight_tenants', r.tenant_id || ' ' || (to_jsonb(r) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_domain_changed
    AFTER INSERT OR UPDATE OF domain, verified_at, over_limit, proof, leads_here, certificate_until OR DELETE
    ON domains FOR EACH ROW EXECUTE FUNCTION app.notify_host_changed('domain');
CREATE OR REPLACE TRIGGER notify_retired_label_changed AFTER INSERT OR UPDATE OR DELETE ON retired_labels
    FOR EACH ROW EXECUTE FUNCTION app.notify_host_changed('label');
