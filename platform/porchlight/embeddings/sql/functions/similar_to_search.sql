-- Return the phrases in use that are nearest to the new phrase of a search (app.nearest_phrases); no row if the phrase is
-- not new, because the embeddings job or another request has related it.
--
-- Called by: embeddings, in the request of a search.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.similar_to_search(phrase integer, query_vector text, most integer,
                                                 min_spelling double precision)
RETURNS TABLE (other_id integer, cosine double precision, spelling real, words text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  query_words text := (SELECT p.words FROM phrases p WHERE p.id = phrase AND p.related_by IS NULL AND NOT p.in_use);
BEGIN
  IF query_words IS NOT NULL THEN
    RETURN QUERY SELECT * FROM app.nearest_phrases(query_words, query_vector, most, min_spelling);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.similar_to_search(integer, text, integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.similar_to_search(integer, text, integer, double precision) TO porchlight_app, porchlight_overseer;
