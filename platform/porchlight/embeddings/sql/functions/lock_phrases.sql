-- Lock phrases until the end of the transaction, so that no search relates them meanwhile.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.lock_phrases(phrase_ids integer[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  PERFORM FROM phrases p WHERE p.id = ANY (phrase_ids) ORDER BY p.id FOR NO KEY UPDATE;
END $$;
REVOKE ALL ON FUNCTION app.lock_phrases(integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_phrases(integer[]) TO porchlight_app, porchlight_overseer;
