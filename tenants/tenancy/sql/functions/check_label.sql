-- Return whether a subdomain is free, taken, reserved (another guru had it before) or invalid (malformed).
-- `own_guru_id` is the guru that may take back its own former subdomain. Locks the subdomain until the transaction
-- ends.
--
-- Called by: app.publish_guru and app.rename_guru.
CREATE OR REPLACE FUNCTION app.check_label(wanted text, own_guru_id uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  IF wanted !~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$' THEN
    RETURN 'invalid';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('label ' || wanted, 0));
  IF EXISTS (SELECT FROM gurus g WHERE g.label = wanted) THEN
    RETURN 'taken';
  END IF;
  IF EXISTS (SELECT FROM retired_labels r WHERE r.label = wanted AND r.tenant_id IS DISTINCT FROM own_guru_id) THEN
    RETURN 'reserved';
  END IF;
  RETURN 'free';
END $$;
