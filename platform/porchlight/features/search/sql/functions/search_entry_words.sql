-- Return the words that found pages are indexed by: skills, titles, tags and services, as one text per page,
-- at most `max_length` characters of those that matter most.
--
-- Called by: search, for results whose title and summary have no word of the search.
-- SECURITY DEFINER: the tables hold public words of all gurus, and the app role cannot touch them.
CREATE OR REPLACE FUNCTION app.search_entry_words(kinds text[], items text[], max_length integer)
RETURNS TABLE (item text, words text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT e.item, left(string_agg(p.words, ' ' ORDER BY s.weight DESC), max_length)
    FROM unnest(kinds, items) e (kind, item)
    JOIN search_entry_phrases s ON s.kind = e.kind AND s.item = e.item
    JOIN phrases p ON p.id = s.phrase_id
   GROUP BY e.item
$$;
REVOKE ALL ON FUNCTION app.search_entry_words(text[], text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.search_entry_words(text[], text[], integer) TO porchlight_app, porchlight_overseer;
