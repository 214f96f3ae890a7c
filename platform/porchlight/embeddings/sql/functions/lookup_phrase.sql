-- Return the phrase of a search text and what related it to other phrases.
-- Creates the phrase unless `max_waiting` phrases already wait for the embeddings job, or `max_searched` phrases of
-- searches are stored; then the search uses spelling alone. Maintenance deletes a phrase that was not searched for within a week.
--
-- Called by: search, for each search and each alert.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.lookup_phrase(search_text text, max_waiting integer, max_searched integer)
RETURNS TABLE (phrase_id integer, related_by text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  normalized text := app.normalize_text(search_text);
BEGIN
  RETURN QUERY SELECT p.id, p.related_by FROM phrases p WHERE p.words = normalized;
  IF FOUND THEN
    -- At most once a day, so that searches rarely write.
    UPDATE phrases p SET searched_on = app.now()::date
     WHERE p.words = normalized AND NOT p.in_use AND p.searched_on < app.now()::date;
  ELSIF (SELECT count(*) FROM (SELECT FROM phrases p WHERE p.related_by IS NULL LIMIT max_waiting) waiting) < max_waiting
     AND (SELECT count(*) FROM (SELECT FROM phrases p WHERE NOT p.in_use LIMIT max_searched) searched) < max_searched THEN
    RETURN QUERY SELECT app.get_or_create_phrase(search_text, false), NULL::text;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.lookup_phrase(text, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lookup_phrase(text, integer, integer) TO porchlight_app, porchlight_overseer;
