-- erased is gone

-- file: functions/erase_words.sql
-- Erase the current user's words where rows have no owner: names of their skills, activities they asked about, and
-- reports by or about them. Reports stay, without the words and the reporter, as the record of what staff decided.
--
-- Events of the payment provider lose their text if it names the user's customer or account there.
--
-- Called by: profiles, when the account is deleted, before its listings are.
-- SECURITY DEFINER: the app role cannot touch phrases, risk_reviews and reports.
CREATE OR REPLACE FUNCTION app.erase_words() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  erased uuid := app.user_id();
  phrase_ids integer[];
  titles text[];
  with_details text[];
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
  with_details := ARRAY(SELECT left(app.normalize_text(o.title || '. ' || o.details), 300)
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
                           WHERE left(p.words, 300) = r.activity));
  PERFORM app.delete_unused_phrases(phrase_ids);
  -- Only events that failed or wait have a text. One that waits is processed within minutes, and then has none.
  UPDATE stripe_inbox i SET body = NULL, error = ''
   WHERE i.body IS NOT NULL AND i.state <> 'new'
     AND (i.account <> '' AND i.account IN (SELECT a.account_id FROM payout_accounts a WHERE a.user_id = erased)
          OR EXISTS (SELECT FROM billing_customers b
                      WHERE b.user_id = erased AND position(convert_to(b.customer_id, 'UTF8') IN i.body) > 0));
END $$;
REVOKE ALL ON FUNCTION app.erase_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_words() TO porchlight_app, porchlight_overseer;

-- file: functions/receive_stripe_event.sql
-- Store an event of Stripe once, and start its job in the same statement; return whether it is new. Jobs of the same
-- object run one at a time. An event to be ignored has no job, and its text is not stored.
--
-- Called by: settlement, for each webhook and each event that Stripe could not deliver.
-- SECURITY DEFINER: the app role may add to stripe_inbox through this function and read nothing.
CREATE OR REPLACE FUNCTION app.receive_stripe_event(id text, endpoint text, account text, kind text, object_id text,
                                                    livemode boolean, created timestamptz, body bytea, ignored boolean)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO stripe_inbox (id, endpoint, account, kind, object_id, livemode, created, body, state)
  VALUES (id, endpoint, account, kind, object_id, livemode, created,
          CASE WHEN NOT ignored THEN body END, CASE WHEN ignored THEN 'ignored' ELSE 'new' END)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF NOT ignored THEN
    PERFORM app.enqueue('settlement:process', jsonb_build_object('event_id', id), 'stripe-event:' || id,
                        'stripe:' || object_id);
  END IF;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.receive_stripe_event(text, text, text, text, text, boolean, timestamptz, bytea, boolean)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.receive_stripe_event(text, text, text, text, text, boolean, timestamptz, bytea, boolean)
  TO porchlight_app, porchlight_overseer;

-- file: functions/request_risk_review.sql
-- Add an activity that the risk engine does not know to the queue of staff reviews, or count it once more.
-- The review belongs to the signed-in user until another user asks about the same activity. A request without a user,
-- such as a view of the listing, leaves it as it is.
-- The queue holds at most 10,000 open activities; beyond that the call changes nothing.
--
-- Called by: risk, when an assessment finds no rule.
-- SECURITY DEFINER: the app role may add to risk_reviews through this function and read nothing.
CREATE OR REPLACE FUNCTION app.request_risk_review(new_id uuid, of_category text, of_activity text, of_digest bytea)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE risk_reviews r
     SET occurrences = least(r.occurrences, 1000000) + 1, last_seen_at = app.now(),
         asked_by = CASE WHEN r.asked_by = coalesce(app.user_id(), r.asked_by) THEN r.asked_by END
   WHERE r.digest = of_digest;
  IF NOT FOUND AND (SELECT count(*) FROM (SELECT FROM risk_reviews WHERE level IS NULL LIMIT 10000) open) < 10000 THEN
    INSERT INTO risk_reviews (id, category, activity, digest, asked_by)
    VALUES (new_id, of_category, of_activity, of_digest, app.user_id()) ON CONFLICT (digest) DO NOTHING;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.request_risk_review(uuid, text, text, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_risk_review(uuid, text, text, bytea) TO porchlight_app, porchlight_overseer;
