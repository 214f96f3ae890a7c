-- Replace the relations of a phrase and name the method that computed them. A phrase in use is related in both
-- directions; the phrase of a search is only a want. A phrase that came into use in the meantime keeps waiting.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.save_phrase_relations(phrase integer, is_name boolean, method text, others integer[],
                                                     probabilities double precision[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  DELETE FROM phrase_relations r WHERE r.phrase_id = phrase;
  IF is_name THEN
    DELETE FROM phrase_relations r WHERE r.other_id = phrase;
  END IF;
  INSERT INTO phrase_relations (phrase_id, other_id, probability)
  SELECT phrase, o.id, o.probability FROM unnest(others, probabilities) AS o (id, probability)
   UNION ALL
  SELECT o.id, phrase, o.probability FROM unnest(others, probabilities) AS o (id, probability)
   WHERE is_name AND o.id <> phrase
   ORDER BY 1, 2
  ON CONFLICT (phrase_id, other_id) DO UPDATE SET probability = excluded.probability;
  UPDATE phrases p SET related_by = method WHERE p.id = phrase AND p.in_use = is_name;
END $$;
REVOKE ALL ON FUNCTION app.save_phrase_relations(integer, boolean, text, integer[], double precision[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.save_phrase_relations(integer, boolean, text, integer[], double precision[]) TO porchlight_app, porchlight_overseer;
