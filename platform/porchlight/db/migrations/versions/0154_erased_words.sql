-- erased words

-- file: functions/delete_unused_phrases.sql
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

-- file: functions/erase_words.sql
-- Erase the current user's words where rows have no owner: names of their skills, activities they asked about, and
-- reports by or about them. Reports stay, without the words and the reporter, as the record of what staff decided.
--
-- Called by: profiles, when the account is deleted, before its listings are.
-- SECURITY DEFINER: the app role cannot touch phrases, risk_reviews and reports.
CREATE OR REPLACE FUNCTION app.erase_words() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  erased uuid := app.user_id();
  phrase_ids integer[];
  titles text[];
BEGIN
  UPDATE reports SET reporter_id = NULL, details = '' WHERE reporter_id = erased;
  UPDATE reports r SET subject_name = '', subject_title = ''
   WHERE (r.subject_kind = 'profile' AND r.subject_id = erased)
      OR (r.subject_kind = 'listing'
          AND r.subject_id IN (SELECT o.id FROM skill_offers o WHERE o.user_id = erased))
      OR (r.subject_kind = 'question'
          AND r.subject_id IN (SELECT q.id FROM questions q WHERE q.user_id = erased))
      OR r.guru_id IN (SELECT m.tenant_id FROM memberships m WHERE m.user_id = erased);
  SELECT array_agg(o.phrase_id), array_agg(left(app.normalize_text(o.title), 300)) INTO phrase_ids, titles
    FROM skill_offers o WHERE o.user_id = erased;
  phrase_ids := phrase_ids || ARRAY(SELECT w.phrase_id FROM skill_wants w WHERE w.user_id = erased)
                           || ARRAY(SELECT h.phrase_id FROM hidden_listings h WHERE h.owner_id = erased);
  DELETE FROM skill_offers o WHERE o.user_id = erased;
  DELETE FROM skill_wants w WHERE w.user_id = erased;
  DELETE FROM hidden_listings h WHERE h.owner_id = erased;
  DELETE FROM risk_reviews r
   WHERE r.asked_by = erased
      OR (r.category = '' AND r.activity = ANY (titles)
          AND NOT EXISTS (SELECT FROM skill_offers o JOIN phrases p ON p.id = o.phrase_id
                           WHERE left(p.words, 300) = r.activity));
  PERFORM app.delete_unused_phrases(phrase_ids);
END $$;
REVOKE ALL ON FUNCTION app.erase_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_words() TO porchlight_app, porchlight_overseer;

-- file: functions/get_or_create_phrase.sql
-- Return the id of a phrase, and create it if it is new. `is_name` marks a phrase that is the name of a listing.
-- A new phrase is related to others by spelling until the embeddings job has computed its meaning.
--
-- Called by: app.lookup_phrase, the profile trigger and the search indexer.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.get_or_create_phrase(phrase_text text, is_name boolean) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  normalized text := app.normalize_text(phrase_text);
  found_id integer;
  was_used boolean;
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
    SELECT p.id, CASE WHEN p.id = found_id THEN 0.97
                      ELSE least(0.9, 0.9 * (similarity(p.words, normalized) - 0.2) / 0.8) END AS probability
      FROM phrases p WHERE p.words % normalized AND (p.in_use OR p.id = found_id)
     ORDER BY similarity(p.words, normalized) DESC LIMIT 40
  )
  INSERT INTO phrase_relations (phrase_id, other_id, probability)
  SELECT found_id, id, probability FROM near UNION SELECT id, found_id, probability FROM near WHERE is_name
  ON CONFLICT DO NOTHING;
  INSERT INTO phrase_relations (phrase_id, other_id, probability) VALUES (found_id, found_id, 0.97)
  ON CONFLICT DO NOTHING;
  PERFORM app.enqueue('embeddings:relate_phrases', '{}'::jsonb, 'embeddings:relate_phrases');
  RETURN found_id;
END $$;
REVOKE ALL ON FUNCTION app.get_or_create_phrase(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.get_or_create_phrase(text, boolean) TO porchlight_app, porchlight_overseer;

-- file: functions/lookup_phrase.sql
-- Return the phrase of a search text and what related it to other phrases.
-- Creates the phrase unless 500 phrases already wait for the embeddings job, or 50,000 phrases of searches are stored;
-- then the search uses spelling alone. Maintenance deletes a phrase that was not searched for within a week.
--
-- Called by: search, for each search and each alert.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.lookup_phrase(search_text text) RETURNS TABLE (phrase_id integer, related_by text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  normalized text := app.normalize_text(search_text);
BEGIN
  RETURN QUERY SELECT p.id, p.related_by FROM phrases p WHERE p.words = normalized;
  IF FOUND THEN
    -- At most once a day, so that searches rarely write.
    UPDATE phrases p SET searched_on = current_date
     WHERE p.words = normalized AND NOT p.in_use AND p.searched_on < current_date;
  ELSIF (SELECT count(*) FROM (SELECT FROM phrases p WHERE p.related_by IS NULL LIMIT 500) waiting) < 500
     AND (SELECT count(*) FROM (SELECT FROM phrases p WHERE NOT p.in_use LIMIT 50000) searched) < 50000 THEN
    RETURN QUERY SELECT app.get_or_create_phrase(search_text, false), NULL::text;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.lookup_phrase(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lookup_phrase(text) TO porchlight_app, porchlight_overseer;

-- file: functions/own_reports.sql
-- Return the reports that the current user made, oldest first.
--
-- Called by: profiles, for the account export.
-- SECURITY DEFINER: the app role cannot read reports.
CREATE OR REPLACE FUNCTION app.own_reports()
RETURNS TABLE (id uuid, subject_kind text, subject_name text, subject_title text, reason text, details text,
               status text, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.id, r.subject_kind, r.subject_name, r.subject_title, r.reason, r.details, r.status, r.created_at
    FROM reports r WHERE r.reporter_id = app.user_id() ORDER BY r.id
$$;
REVOKE ALL ON FUNCTION app.own_reports() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_reports() TO porchlight_app, porchlight_overseer;

-- file: functions/request_risk_review.sql
-- Add an activity that the risk engine does not know to the queue of staff reviews, or count it once more.
-- The review belongs to the signed-in user until someone else asks about the same activity.
-- The queue holds at most 10,000 open activities; beyond that the call changes nothing.
--
-- Called by: risk, when an assessment finds no rule.
-- SECURITY DEFINER: the app role may add to risk_reviews through this function and read nothing.
CREATE OR REPLACE FUNCTION app.request_risk_review(new_id uuid, of_category text, of_activity text, of_digest bytea)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE risk_reviews r
     SET occurrences = least(r.occurrences, 1000000) + 1, last_seen_at = now(),
         asked_by = CASE WHEN r.asked_by = app.user_id() THEN r.asked_by END
   WHERE r.digest = of_digest;
  IF NOT FOUND AND (SELECT count(*) FROM (SELECT FROM risk_reviews WHERE level IS NULL LIMIT 10000) open) < 10000 THEN
    INSERT INTO risk_reviews (id, category, activity, digest, asked_by)
    VALUES (new_id, of_category, of_activity, of_digest, app.user_id()) ON CONFLICT (digest) DO NOTHING;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.request_risk_review(uuid, text, text, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_risk_review(uuid, text, text, bytea) TO porchlight_app, porchlight_overseer;
