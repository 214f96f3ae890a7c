-- Return the digests of the activities that staff rated, with their levels. The digest does not reveal the text.
--
-- Called by: risk, when a process loads the decisions.
-- SECURITY DEFINER: the app role cannot read risk_reviews.
CREATE OR REPLACE FUNCTION app.risk_decisions() RETURNS TABLE (digest bytea, level text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.digest, r.level FROM risk_reviews r WHERE r.level IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.risk_decisions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.risk_decisions() TO porchlight_app, porchlight_overseer;
