-- Return the phrases in use that are nearest to a text: some by meaning and `most` by spelling, with the cosine of
-- the embeddings, the share of common trigrams (at least `min_spelling`), and the words. Without a vector, by spelling
-- only, and the cosine is NULL.
--
-- The vector is a literal of pgvector. A subquery casts it, so that this is done once and not per row.
--
-- By meaning, 40 are read: the index of vectors finds no more, and is only used with a limit that the planner knows.
--
-- Called by: embeddings, in the job embeddings:relate_phrases, and app.similar_to_search.
-- SECURITY INVOKER: the app role may not call it, and cannot read phrases.
CREATE OR REPLACE FUNCTION app.nearest_phrases(query_words text, query_vector text, most integer,
                                               min_spelling double precision)
RETURNS TABLE (other_id integer, cosine double precision, spelling real, words text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', min_spelling::text, true);
  IF query_vector IS NULL THEN
    RETURN QUERY
    SELECT p.id, NULL::double precision, similarity(p.words, query_words), p.words FROM phrases p
     WHERE p.words % query_words AND p.in_use ORDER BY 3 DESC LIMIT most;
  ELSE
    RETURN QUERY
    SELECT n.phrase_id, 1 - n.distance, similarity(p.words, query_words), p.words
      FROM (SELECT v.phrase_id, v.embedding <=> (SELECT query_vector::vector) AS distance FROM phrase_vectors v
             ORDER BY distance LIMIT 40) n
      JOIN phrases p ON p.id = n.phrase_id
     UNION
    SELECT p.id, 1 - (v.embedding <=> (SELECT query_vector::vector)), similarity(p.words, query_words), p.words
      FROM (SELECT s.id, s.words FROM phrases s WHERE s.words % query_words AND s.in_use
             ORDER BY similarity(s.words, query_words) DESC LIMIT most) p
      JOIN phrase_vectors v ON v.phrase_id = p.id;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.nearest_phrases(text, text, integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.nearest_phrases(text, text, integer, double precision) TO porchlight_overseer;
