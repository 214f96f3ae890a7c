-- Return phrases that wait to be related to others, those in use first.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.pending_phrases(max_phrases integer)
RETURNS TABLE (id integer, words text, in_use boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  RETURN QUERY SELECT p.id, p.words, p.in_use FROM phrases p WHERE p.related_by IS NULL
                ORDER BY p.in_use DESC, p.id LIMIT max_phrases;
END $$;
REVOKE ALL ON FUNCTION app.pending_phrases(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.pending_phrases(integer) TO porchlight_app, porchlight_overseer;
