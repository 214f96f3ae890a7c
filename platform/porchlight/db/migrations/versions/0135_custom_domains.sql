-- custom domains

-- file: functions/add_domain.sql
-- Add a custom domain to a guru, not verified yet. Return 'added', 'exists', 'limit', or 'taken' when another site serves
-- it. Until a domain is verified, others may add it too: the guru who controls its DNS gets it.
-- `most`: the most domains of a guru; NULL for no limit.
--
-- Called by: the console and the command line.
-- SECURITY INVOKER: the caller needs the right to write the tenant's domains.
CREATE OR REPLACE FUNCTION app.add_domain(tenant uuid, wanted text, most integer) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('domains ' || tenant, 0));
  IF EXISTS (SELECT FROM domains d WHERE d.tenant_id = tenant AND d.domain = wanted) THEN
    RETURN 'exists';
  END IF;
  IF EXISTS (SELECT FROM app.find_domain(wanted)) THEN
    RETURN 'taken';
  END IF;
  IF (SELECT count(*) FROM domains d WHERE d.tenant_id = tenant) >= most THEN
    RETURN 'limit';
  END IF;
  INSERT INTO domains (tenant_id, domain, next_check_at) VALUES (tenant, wanted, now() + interval '5 minutes');
  RETURN 'added';
END $$;
REVOKE ALL ON FUNCTION app.add_domain(uuid, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_domain(uuid, text, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/start_domain_check.sql
-- Record that a guru checks a domain now. Return whether that is allowed: fewer than `most` checks within the last hour.
--
-- Called by: the console.
-- SECURITY INVOKER: the caller needs the right to write the tenant's checks.
CREATE OR REPLACE FUNCTION app.start_domain_check(tenant uuid, most integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('domains ' || tenant, 0));
  IF (SELECT count(*) FROM domain_checks c
       WHERE c.tenant_id = tenant AND c.created_at > now() - interval '1 hour') >= most THEN
    RETURN false;
  END IF;
  INSERT INTO domain_checks (tenant_id, id) VALUES (tenant, gen_random_uuid());
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.start_domain_check(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.start_domain_check(uuid, integer) TO porchlight_app, porchlight_overseer;

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
  PERFORM pg_notify('porchlight_tenants', r.tenant_id || ' ' || (to_jsonb(r) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_domain_changed AFTER INSERT OR UPDATE OF domain, verified_at OR DELETE ON domains
    FOR EACH ROW EXECUTE FUNCTION app.notify_host_changed('domain');
CREATE OR REPLACE TRIGGER notify_retired_label_changed AFTER INSERT OR UPDATE OR DELETE ON retired_labels
    FOR EACH ROW EXECUTE FUNCTION app.notify_host_changed('label');
