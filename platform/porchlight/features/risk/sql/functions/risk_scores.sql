-- Return the stored scores of the risk classifier by the digests of texts.
--
-- Called by: risk, for the listings of a page.
-- SECURITY DEFINER: scores belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.risk_scores(digests bytea[]) RETURNS TABLE (digest bytea, score real)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.digest, s.score FROM risk_scores s WHERE s.digest = ANY (digests)
$$;
REVOKE ALL ON FUNCTION app.risk_scores(bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.risk_scores(bytea[]) TO porchlight_app, porchlight_overseer;
