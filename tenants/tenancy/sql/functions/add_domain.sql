-- Add a custom domain to a guru, not verified yet. Return 'added', 'exists', 'limit', or 'taken' when another site serves
-- it. Until a domain is verified, others may add it too: the guru who controls its DNS gets it.
-- `most`: the most domains of a guru; NULL for no limit. The first check is after `check_after`.
--
-- Called by: the console and the command line.
-- SECURITY INVOKER: the caller needs the right to write the tenant's domains.
CREATE OR REPLACE FUNCTION app.add_domain(tenant uuid, wanted text, most integer, check_after interval) RETURNS text
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
  INSERT INTO domains (tenant_id, domain, next_check_at) VALUES (tenant, wanted, app.now() + check_after);
  RETURN 'added';
END $$;
REVOKE ALL ON FUNCTION app.add_domain(uuid, text, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_domain(uuid, text, integer, interval) TO porchlight_app, porchlight_overseer;
