-- Save the embeddings of phrases in use: `vectors` has those of `vector_ids`, as literals, because the type exists only with
-- pgvector. All phrases `phrase_ids` are locked until the end of the transaction, so that no search relates them meanwhile.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.save_phrase_vectors(phrase_ids integer[], vector_ids integer[], vectors text[])
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  PERFORM FROM phrases p WHERE p.id = ANY (phrase_ids) ORDER BY p.id FOR NO KEY UPDATE;
  IF cardinality(vector_ids) > 0 THEN
    INSERT INTO phrase_vectors (phrase_id, embedding)
    SELECT s.id, s.literal::vector FROM unnest(vector_ids, vectors) AS s (id, literal)
    ON CONFLICT (phrase_id) DO UPDATE SET embedding = excluded.embedding;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.save_phrase_vectors(integer[], integer[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.save_phrase_vectors(integer[], integer[], text[]) TO porchlight_app, porchlight_overseer;
