-- Save the relations of the new phrase of a search and name the method that computed them. Return whether it was new:
-- a phrase that the embeddings job or another request relates at the same time is left to them.
--
-- Called by: embeddings, in the request of a search.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.save_search_relations(phrase integer, method text, others integer[],
                                                     probabilities double precision[]) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM phrases p WHERE p.id = phrase AND p.related_by IS NULL AND NOT p.in_use FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM phrase_relations r WHERE r.phrase_id = phrase;
  INSERT INTO phrase_relations (phrase_id, other_id, probability)
  SELECT phrase, o.id, o.probability FROM unnest(others, probabilities) AS o (id, probability)
    JOIN phrases p ON p.id = o.id AND (p.in_use OR p.id = phrase)
   ORDER BY 2
  ON CONFLICT DO NOTHING;
  UPDATE phrases p SET related_by = method WHERE p.id = phrase;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.save_search_relations(integer, text, integer[], double precision[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.save_search_relations(integer, text, integer[], double precision[]) TO porchlight_app, porchlight_overseer;
