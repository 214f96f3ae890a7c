-- Save the embeddings of phrases in use. `vectors` holds literals, because
-- the type exists only with pgvector.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.save_phrase_vectors(phrase_ids integer[], vectors text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  INSERT INTO phrase_vectors (phrase_id, embedding)
  SELECT s.id, s.literal::vector FROM unnest(phrase_ids, vectors) AS s (id, literal)
  ON CONFLICT (phrase_id) DO UPDATE SET embedding = excluded.embedding;
END $$;
REVOKE ALL ON FUNCTION app.save_phrase_vectors(integer[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.save_phrase_vectors(integer[], text[]) TO porchlight_app, porchlight_overseer;
