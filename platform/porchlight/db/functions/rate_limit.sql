-- Return whether a rate limit allows another row in a table: fewer than `max_per_address` rows of the last hour have
-- this address hash, and fewer than `max_in_total` rows exist. With `tenant`, only that tenant's rows count. A NULL
-- limit allows every row. Rows are counted up to the limit, so the cost is bounded.
--
-- Called by: app.create_report.
-- SECURITY INVOKER: the caller needs the right to read the table. The table has address_hash and created_at.
CREATE OR REPLACE FUNCTION app.rate_limit(
  source text, tenant uuid, address bytea, at timestamptz, max_per_address bigint, max_in_total bigint
) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  is_open boolean;
BEGIN
  IF max_in_total IS NULL THEN
    RETURN true;
  END IF;
  EXECUTE format(
    'SELECT count(*) FILTER (WHERE r.address_hash = $2) < $4 AND count(*) < $5'
    ' FROM (SELECT l.address_hash FROM public.%I l WHERE %s l.created_at > $3 - interval ''1 hour'' LIMIT $5) r',
    source, CASE WHEN tenant IS NULL THEN '' ELSE 'l.tenant_id = $1 AND' END)
  INTO is_open USING tenant, address, at, max_per_address, max_in_total;
  RETURN is_open;
END $$;
REVOKE ALL ON FUNCTION app.rate_limit(text, uuid, bytea, timestamptz, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.rate_limit(text, uuid, bytea, timestamptz, bigint, bigint) TO porchlight_app,
    porchlight_overseer;
