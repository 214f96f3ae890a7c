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
