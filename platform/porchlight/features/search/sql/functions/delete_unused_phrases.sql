-- Delete those of the phrases that no listing, wish or search entry has; return how many.
--
-- A phrase that a transaction uses right now is locked by it, and stays. The lock taken here makes later transactions
-- wait, and create the phrase again.
--
-- Called by: app.erase_words, and maintenance.
CREATE OR REPLACE FUNCTION app.delete_unused_phrases(phrase_ids integer[]) RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  locked integer[];
  deleted integer;
BEGIN
  SELECT array_agg(l.id) INTO locked
    FROM (SELECT p.id FROM phrases p WHERE p.id = ANY (phrase_ids) ORDER BY p.id FOR UPDATE SKIP LOCKED) l;
  -- A statement of its own: it sees what was committed before the lock was taken.
  DELETE FROM phrases p
   WHERE p.id = ANY (locked)
     AND NOT EXISTS (SELECT FROM skill_offers o WHERE o.phrase_id = p.id)
     AND NOT EXISTS (SELECT FROM skill_wants w WHERE w.phrase_id = p.id)
     AND NOT EXISTS (SELECT FROM hidden_listings h WHERE h.phrase_id = p.id)
     AND NOT EXISTS (SELECT FROM search_entry_phrases s WHERE s.phrase_id = p.id);
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;
REVOKE ALL ON FUNCTION app.delete_unused_phrases(integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delete_unused_phrases(integer[]) TO porchlight_overseer;
