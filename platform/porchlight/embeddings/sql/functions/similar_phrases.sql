-- Return the phrases in use that are nearest to a text (app.nearest_phrases).
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.similar_phrases(query_words text, query_vector text, most integer,
                                               min_spelling double precision)
RETURNS TABLE (other_id integer, cosine double precision, spelling real, words text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  RETURN QUERY SELECT * FROM app.nearest_phrases(query_words, query_vector, most, min_spelling);
END $$;
REVOKE ALL ON FUNCTION app.similar_phrases(text, text, integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.similar_phrases(text, text, integer, double precision) TO porchlight_app, porchlight_overseer;
