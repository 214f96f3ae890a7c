-- Erase the current user's words where rows have no owner: names of their skills, activities they asked about, and
-- reports by or about them. Reports stay, without the words and the reporter, as the record of what staff decided.
--
-- `max_activity`: the length of an activity in the reviews of risk.
--
-- Events of the payment provider lose their text if it names the user's customer or account there.
--
-- Called by: account, when it is deleted, before the rows of the features are.
-- SECURITY DEFINER: the app role cannot touch phrases, risk_reviews and reports.
CREATE OR REPLACE FUNCTION app.erase_words(max_activity integer) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  erased uuid := app.user_id();
  phrase_ids integer[];
  titles text[];
  with_details text[];
BEGIN
  UPDATE reports r SET evidence = NULL, subject_title = ''
   WHERE r.subject_kind = 'thread'
     AND r.subject_id IN (SELECT t.id FROM threads t WHERE erased IN (t.person_a_id, t.person_b_id));
  UPDATE reports SET reporter_id = NULL, details = '' WHERE reporter_id = erased;
  UPDATE reports r SET subject_name = '', subject_title = ''
   WHERE (r.subject_kind = 'profile' AND r.subject_id = erased)
      OR (r.subject_kind = 'listing'
          AND r.subject_id IN (SELECT o.id FROM skill_offers o WHERE o.user_id = erased))
      OR (r.subject_kind = 'review'
          AND r.subject_id IN (SELECT w.id FROM reviews w WHERE w.person_id = erased))
      OR r.guru_id IN (SELECT m.tenant_id FROM memberships m WHERE m.user_id = erased);
  SELECT array_agg(o.phrase_id), array_agg(left(app.normalize_text(o.title), max_activity)) INTO phrase_ids, titles
    FROM skill_offers o WHERE o.user_id = erased;
  with_details := ARRAY(SELECT left(app.normalize_text(o.title || '. ' || o.details), max_activity)
                          FROM skill_offers o WHERE o.user_id = erased AND o.details <> '');
  phrase_ids := phrase_ids || ARRAY(SELECT w.phrase_id FROM skill_wants w WHERE w.user_id = erased)
                           || ARRAY(SELECT h.phrase_id FROM hidden_listings h WHERE h.owner_id = erased);
  DELETE FROM skill_offers o WHERE o.user_id = erased;
  DELETE FROM skill_wants w WHERE w.user_id = erased;
  DELETE FROM hidden_listings h WHERE h.owner_id = erased;
  DELETE FROM risk_reviews r
   WHERE r.asked_by = erased
      OR (r.category = '' AND r.activity = ANY (with_details))
      OR (r.category = '' AND r.activity = ANY (titles)
          AND NOT EXISTS (SELECT FROM skill_offers o JOIN phrases p ON p.id = o.phrase_id
                           WHERE left(p.words, max_activity) = r.activity));
  PERFORM app.delete_unused_phrases(phrase_ids);
  -- Only events that failed or wait have a text. One that waits is processed within minutes, and then has none.
  UPDATE stripe_inbox i SET body = NULL, error = ''
   WHERE i.body IS NOT NULL AND i.state <> 'new'
     AND (i.account <> '' AND i.account IN (SELECT a.account_id FROM payout_accounts a WHERE a.user_id = erased)
          OR EXISTS (SELECT FROM billing_customers b
                      WHERE b.user_id = erased AND position(convert_to(b.customer_id, 'UTF8') IN i.body) > 0));
END $$;
REVOKE ALL ON FUNCTION app.erase_words(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_words(integer) TO porchlight_app, porchlight_overseer;
