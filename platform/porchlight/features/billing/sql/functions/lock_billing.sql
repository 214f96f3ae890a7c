-- Let other changes of the billing of a user wait until the transaction ends.
--
-- Called by: the functions and rules of billing, before they read what they decide on.
CREATE OR REPLACE FUNCTION app.lock_billing(wanted uuid) RETURNS void
LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('billing ' || wanted, 0))
$$;
