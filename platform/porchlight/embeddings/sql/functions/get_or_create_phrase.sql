-- Return the id of a phrase, and create it if it is new. `is_name` marks a phrase that is the name of a listing.
-- A new phrase is related to others by spelling until the embeddings job has computed its meaning. The numbers of that
-- are those of porchlight.embeddings.probability: a trigger calls this function, and has no parameters.
--
-- Called by: app.lookup_phrase, the profile trigger and the search indexer.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.get_or_create_phrase(phrase_text text, is_name boolean) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  normalized text := app.normalize_text(phrase_text);
  found_id integer;
  was_used boolean;
  same_words CONSTANT double precision := 0.97;
  spelling_weight CONSTANT double precision := 0.9;
  min_similarity CONSTANT double precision := 0.2;
  most CONSTANT integer := 40;
BEGIN
  -- The lock keeps app.delete_unused_phrases away until the caller has stored its row.
  SELECT p.id, p.in_use INTO found_id, was_used FROM phrases p WHERE p.words = normalized FOR KEY SHARE;
  IF FOUND AND (was_used OR NOT is_name) THEN
    RETURN found_id;
  END IF;
  IF found_id IS NULL THEN
    INSERT INTO phrases (words, in_use) VALUES (normalized, is_name)
    ON CONFLICT (words) DO UPDATE SET in_use = phrases.in_use OR excluded.in_use
    RETURNING id INTO found_id;
  ELSE
    UPDATE phrases SET in_use = true, related_by = NULL WHERE id = found_id;
  END IF;
  PERFORM set_config('pg_trgm.similarity_threshold', '0.4', true);
  WITH near AS (
    SELECT p.id, CASE WHEN p.id = found_id THEN same_words
                      ELSE spelling_weight * (similarity(p.words, normalized) - min_similarity) / (1 - min_similarity)
                 END AS probability
      FROM phrases p WHERE p.words % normalized AND (p.in_use OR p.id = found_id)
     ORDER BY similarity(p.words, normalized) DESC LIMIT most
  )
  INSERT INTO phrase_relations (phrase_id, other_id, probability)
  SELECT found_id, id, probability FROM near UNION SELECT id, found_id, probability FROM near WHERE is_name
  ON CONFLICT DO NOTHING;
  INSERT INTO phrase_relations (phrase_id, other_id, probability) VALUES (found_id, found_id, same_words)
  ON CONFLICT DO NOTHING;
  PERFORM app.enqueue('embeddings:relate_phrases', '{}'::jsonb, 'embeddings:relate_phrases');
  RETURN found_id;
END $$;
REVOKE ALL ON FUNCTION app.get_or_create_phrase(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.get_or_create_phrase(text, boolean) TO porchlight_app, porchlight_overseer;
