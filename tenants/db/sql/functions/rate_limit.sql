-- Return whether a rate limit allows another row in a table: fewer than `max_per_address` rows of the last hour have
-- this address hash, and fewer than `max_in_total` rows exist. With `tenant`, only that tenant's rows count. A NULL
-- limit allows every row. Rows are counted up to the limits, each by an index of its own, so the cost is bounded: a
-- limit in total that no hour reaches counts nothing.
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
    'SELECT (SELECT count(*) FROM (SELECT FROM public.%1$I l WHERE %2$s l.address_hash = $2 AND l.created_at > $3'
    '          LIMIT $4) r) < $4'
    '   AND ($5 >= 1000000000 OR (SELECT count(*) FROM (SELECT FROM public.%1$I l WHERE %2$s l.created_at > $3'
    '          LIMIT $5) r) < $5)',
    source, CASE WHEN tenant IS NULL THEN '' ELSE 'l.tenant_id = $1 AND' END)
  INTO is_open USING tenant, address, at - interval '1 hour', max_per_address, max_in_total;
  RETURN is_open;
END $$;
REVOKE ALL ON FUNCTION app.rate_limit(text, uuid, bytea, timestamptz, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.rate_limit(text, uuid, bytea, timestamptz, bigint, bigint) TO porchlight_app,
    porchlight_overseer;
