-- Return whether another row may be added to a table that visitors can flood: `open`; `unproven`, when `flood_from` rows
-- or more since `since` exist and the sender has not solved a proof of work; or `limited`, when the sender's address
-- or network has used its share of that time. `max_in_total` only bounds the rows that can be added to the database then.
-- With `tenant`, only that tenant's rows count. A NULL limit allows every row. Without a proof no more than `flood_from`
-- rows are read, so a refused request is cheap.
--
-- Called by: app.add_contact_message, app.create_report and, by `flood_limit_sql()` in Python, the creation of leads.
-- SECURITY INVOKER: the caller needs the right to read the table, which has address_hash, network_hash and created_at.
CREATE OR REPLACE FUNCTION app.flood_limit(
  source text, tenant uuid, address bytea, network bytea, since timestamptz, is_proven boolean, max_per_address bigint,
  max_per_network bigint, flood_from bigint, max_in_total bigint
) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  in_total bigint;
  of_address bigint;
  of_network bigint;
BEGIN
  IF max_in_total IS NULL THEN
    RETURN 'open';
  END IF;
  EXECUTE format(
    'SELECT count(*), count(*) FILTER (WHERE r.address_hash = $2), count(*) FILTER (WHERE r.network_hash = $3)'
    ' FROM (SELECT l.address_hash, l.network_hash FROM public.%I l'
    '        WHERE %s l.created_at > $4 LIMIT $5) r',
    source, CASE WHEN tenant IS NULL THEN '' ELSE 'l.tenant_id = $1 AND' END)
  INTO in_total, of_address, of_network
  USING tenant, address, network, since, CASE WHEN is_proven THEN max_in_total ELSE flood_from END;
  RETURN CASE
    WHEN of_address >= max_per_address OR of_network >= max_per_network OR in_total >= max_in_total THEN 'limited'
    WHEN in_total >= flood_from AND NOT is_proven THEN 'unproven'
    ELSE 'open'
  END;
END $$;
REVOKE ALL ON FUNCTION app.flood_limit(text, uuid, bytea, bytea, timestamptz, boolean, bigint, bigint, bigint, bigint)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.flood_limit(text, uuid, bytea, bytea, timestamptz, boolean, bigint, bigint, bigint, bigint)
    TO porchlight_app, porchlight_overseer;
