-- Store scores of the risk classifier by the digests of texts. Does not replace a score.
--
-- Called by: risk, for the listings of a page.
-- SECURITY DEFINER: scores belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.save_risk_scores(digests bytea[], scores real[]) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO risk_scores (digest, score) SELECT * FROM unnest(digests, scores) ORDER BY 1 ON CONFLICT DO NOTHING
$$;
REVOKE ALL ON FUNCTION app.save_risk_scores(bytea[], real[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.save_risk_scores(bytea[], real[]) TO porchlight_app, porchlight_overseer;
