-- named numbers

-- file: functions/add_domain.sql
-- Add a custom domain to a guru, not verified yet. Return 'added', 'exists', 'limit', or 'taken' when another site serves
-- it. Until a domain is verified, others may add it too: the guru who controls its DNS gets it.
-- `most`: the most domains of a guru; NULL for no limit. The first check is after `check_after`.
--
-- Called by: the console and the command line.
-- SECURITY INVOKER: the caller needs the right to write the tenant's domains.
CREATE OR REPLACE FUNCTION app.add_domain(tenant uuid, wanted text, most integer, check_after interval) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('domains ' || tenant, 0));
  IF EXISTS (SELECT FROM domains d WHERE d.tenant_id = tenant AND d.domain = wanted) THEN
    RETURN 'exists';
  END IF;
  IF EXISTS (SELECT FROM app.find_domain(wanted)) THEN
    RETURN 'taken';
  END IF;
  IF (SELECT count(*) FROM domains d WHERE d.tenant_id = tenant) >= most THEN
    RETURN 'limit';
  END IF;
  INSERT INTO domains (tenant_id, domain, next_check_at) VALUES (tenant, wanted, app.now() + check_after);
  RETURN 'added';
END $$;
REVOKE ALL ON FUNCTION app.add_domain(uuid, text, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_domain(uuid, text, integer, interval) TO porchlight_app, porchlight_overseer;

-- file: functions/angel_answer_minutes.sql
-- Return the minutes in which an angel usually makes an offer: the median over the last `days`, from the email about the
-- need to the first offer. NULL for fewer than `min_answers`, or if the angel left more needs without an answer, that were
-- addressed to them by name and are older than `open_after`, than they answered.
--
-- Called by: app.angels_for and app.angel_answer_time.
-- SECURITY DEFINER: needs, notices and offers of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_answer_minutes(
  angel_id uuid, days integer, min_answers integer, open_after interval) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN count(*) >= min_answers AND count(*) >= (
                SELECT count(*) FROM needs n
                 WHERE n.asked_user_id = angel_id AND n.status IN ('open', 'expired')
                   AND n.created_at BETWEEN app.now() - days * interval '1 day' AND app.now() - open_after
                   AND NOT EXISTS (SELECT FROM need_offers o WHERE o.user_id = angel_id AND o.need_id = n.id))
              THEN greatest(1, ceil(percentile_cont(0.5) WITHIN GROUP (
                     ORDER BY extract(epoch FROM o.created_at - t.sent_at)) / 60))::integer END
    FROM need_offers o JOIN need_notices t ON t.user_id = o.user_id AND t.need_id = o.need_id
   WHERE o.user_id = angel_id AND o.created_at > app.now() - days * interval '1 day'
$$;
REVOKE ALL ON FUNCTION app.angel_answer_minutes(uuid, integer, integer, interval) FROM PUBLIC;

-- file: functions/angel_answer_time.sql
-- Return the minutes in which a user with a public profile usually answers as an angel. NULL if it is not known
-- (app.angel_answer_minutes).
--
-- Called by: angels, for the public profile.
-- SECURITY DEFINER: profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_answer_time(
  wanted text, days integer, min_answers integer, open_after interval) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.angel_answer_minutes(p.user_id, days, min_answers, open_after) FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND EXISTS (SELECT FROM angels a WHERE a.user_id = p.user_id AND a.active)
$$;
REVOKE ALL ON FUNCTION app.angel_answer_time(text, integer, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_answer_time(text, integer, integer, interval) TO porchlight_app, porchlight_overseer;

-- file: functions/angel_stats.sql
-- Return the number of angels, their rates and their ratings per service and city, for the service cards: at most
-- `most`, those with most angels first.
--
-- Called by: angels, for the list of services.
-- SECURITY DEFINER: it reads the angels of all users and returns only sums.
CREATE OR REPLACE FUNCTION app.angel_stats(most integer)
RETURNS TABLE (service_id text, city text, angels integer, rate_sum bigint, ratings bigint, rating_sum bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.service_id, c.city, sum(c.angels)::integer, sum(c.rate_sum)::bigint, sum(c.ratings)::bigint,
         sum(c.rating_sum)::bigint
    FROM angel_cells c GROUP BY c.service_id, c.city ORDER BY sum(c.angels) DESC, c.city LIMIT most
$$;
REVOKE ALL ON FUNCTION app.angel_stats(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_stats(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/angels_for.sql
-- Return one page of the active angels for a service, nearest first, then best rated, then Premium Angels, each with
-- the newest review that has words.
-- Pages continue after (after_miles, after_score, after_handle). The returned handle begins with 0 for a Premium Angel
-- and with 1 otherwise, so that it sorts like the list.
--
-- Without a location, the list is in the order of an index. Near a location, angel_cells says how far the page reaches,
-- and the best of each cell within are read.
--
-- Called by: angels, for the page of a service.
-- SECURITY DEFINER: it reads the angels of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.angels_for(
  service text, in_city text, near_latitude double precision, near_longitude double precision,
  after_miles integer, after_score double precision, after_handle text, max_rows integer, answer_days integer,
  min_answers integer, open_after interval)
RETURNS TABLE (handle text, miles integer, score double precision, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH cells AS (
    SELECT c.latitude, c.longitude, c.miles, c.angels FROM (
      SELECT n.latitude, n.longitude, app.miles(near_latitude, near_longitude, n.latitude, n.longitude) AS miles,
             n.angels
        FROM angel_cells n WHERE near_latitude IS NOT NULL AND n.service_id = service
         AND (in_city = '' OR lower(n.city) = in_city)) c
     WHERE after_handle IS NULL OR c.miles >= after_miles
  ), reached AS MATERIALIZED (
    SELECT DISTINCT r.latitude, r.longitude, r.miles FROM (
      SELECT c.*, sum(c.angels) FILTER (WHERE after_handle IS NULL OR c.miles > after_miles)
                    OVER (ORDER BY c.miles RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS nearer
        FROM cells c) r
     WHERE coalesce(r.nearer, 0) < max_rows
  ), page AS MATERIALIZED (
    (SELECT l.angel_id, 0 AS miles, l.rank, l.place FROM angel_listings l
      WHERE near_latitude IS NULL AND in_city = '' AND l.service_id = service
        AND (after_handle IS NULL OR (l.rank, l.place) > (-after_score, after_handle))
      ORDER BY l.rank, l.place LIMIT max_rows)
     UNION ALL
    (SELECT l.angel_id, 0, l.rank, l.place FROM angel_listings l
      WHERE near_latitude IS NULL AND in_city <> '' AND l.service_id = service AND lower(l.city) = in_city
        AND (after_handle IS NULL OR (l.rank, l.place) > (-after_score, after_handle))
      ORDER BY l.rank, l.place LIMIT max_rows)
     UNION ALL
    (SELECT n.angel_id, r.miles, n.rank, n.place FROM reached r CROSS JOIN LATERAL (
       SELECT l.angel_id, l.rank, l.place FROM angel_listings l
        WHERE l.service_id = service AND l.latitude = r.latitude AND l.longitude = r.longitude
          AND (in_city = '' OR lower(l.city) = in_city)
          AND (after_handle IS NULL OR (r.miles, l.rank, l.place) > (after_miles, -after_score, after_handle))
        ORDER BY l.rank, l.place LIMIT max_rows) n
      ORDER BY r.miles, n.rank, n.place LIMIT max_rows)
  )
  SELECT f.place, f.miles, -f.rank, jsonb_build_object(
           'handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id, 'photo_url', p.photo_url,
           'about', a.about, 'rate_cents', a.rate_cents, 'days', a.days, 'radius_miles', a.radius_miles,
           'city', a.city, 'region', a.region, 'jobs', a.jobs, 'ratings', a.ratings, 'rating_sum', a.rating_sum,
           'answer_minutes', app.angel_answer_minutes(a.user_id, answer_days, min_answers, open_after),
           'review', (SELECT app.review_card(n) FROM needs n
                       WHERE n.accepted_user_id = a.user_id AND n.service_id = service AND n.status = 'done'
                         AND n.rating IS NOT NULL AND n.review <> ''
                       ORDER BY n.updated_at DESC, n.id DESC LIMIT 1),
           'mine', a.user_id = app.user_id(), 'premium', f.place < '1')
    FROM page f JOIN angels a ON a.user_id = f.angel_id AND a.service_id = service
    JOIN profiles p ON p.user_id = f.angel_id
   ORDER BY f.miles, f.rank, f.place LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision, text,
    integer, integer, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision,
    text, integer, integer, integer, interval) TO porchlight_app, porchlight_overseer;

-- file: functions/angels_to_notify.sql
-- Return the angels who should get an email about the running job's need and have not: the nearest first, then the best
-- rated. All emails about the need count towards max_emails.
--
-- These are active angels of the service who live near enough, help on one of the need's days, have a verified address
-- and are under their limit of emails in `mail_period`. An angel who was asked by name is notified at any distance and on any day.
--
-- Called by: angels, in the job angels:notify_angels.
-- SECURITY DEFINER: angels and their notices are behind row level security. The need comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.angels_to_notify(max_emails integer, mail_period interval) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_angels');
  sent bigint := (SELECT count(*) FROM need_notices t WHERE t.need_id = (args ->> 'need_id')::uuid);
BEGIN
  RETURN QUERY
  SELECT a.user_id FROM needs n JOIN angels a ON a.service_id = n.service_id JOIN users u ON u.user_id = a.user_id
   WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid
     AND n.status = 'open' AND n.expires_at > app.now() AND a.active AND a.user_id <> n.user_id
     AND u.status = 'active' AND u.email <> '' AND u.email_verified
     AND CASE WHEN n.asked_user_id IS NOT NULL THEN a.user_id = n.asked_user_id
              ELSE app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles
                   AND EXISTS (SELECT FROM generate_series(0, n.wanted_until - n.wanted_from) later
                                WHERE extract(isodow FROM n.wanted_from + later)::smallint = ANY (a.days))
                   AND (SELECT count(*) FROM need_notices t
                         WHERE t.user_id = a.user_id AND t.sent_at > app.now() - mail_period) < a.mails_a_day END
     AND NOT EXISTS (SELECT FROM need_notices t WHERE t.user_id = a.user_id AND t.need_id = n.id)
     AND (n.asked_user_id IS NOT NULL
          OR NOT EXISTS (SELECT FROM email_settings e WHERE e.user_id = a.user_id AND e.kind = 'needs' AND NOT e.is_on))
   ORDER BY app.miles(a.latitude, a.longitude, n.latitude, n.longitude), app.angel_score(a.ratings, a.rating_sum) DESC
   LIMIT greatest(0, max_emails - sent);
END $$;
REVOKE ALL ON FUNCTION app.angels_to_notify(integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_to_notify(integer, interval) TO porchlight_app, porchlight_overseer;

-- file: functions/create_report.sql
-- Store a report about a site, post, profile or listing, within the shares of the sender's address and network, and in a
-- flood with a proof of work. Outcomes: created; same (sent before with this key); other (the key was used for another
-- report); unproven and limited (see app.flood_limit); unknown (the subject does not exist, is hidden or is not
-- published).
--
-- `reporter`: the current user, or NULL for a visitor. Without `flood_from` only the address has a limit; without
-- `max_per_address` there is none.
--
-- Called by: reports.
-- SECURITY DEFINER: the app role may add to reports through this function and read nothing.
CREATE OR REPLACE FUNCTION app.create_report(
  new_id uuid, kind text, name text, reason text, details text, reporter uuid, address bytea,
  network bytea, key text, new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer,
  flood_from integer, max_in_total integer, max_title integer
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  subject record;
  allowed text;
BEGIN
  SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  IF NOT FOUND THEN
    SELECT * INTO subject FROM app.report_subject(kind, name, max_title);
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'unknown';
      RETURN;
    END IF;
    IF flood_from IS NOT NULL THEN
      allowed := app.flood_limit('reports', NULL, address, network, app.now(), is_proven, max_per_address,
                                 max_per_network, flood_from, max_in_total);
    ELSIF NOT app.rate_limit('reports', NULL, address, app.now(), max_per_address, max_in_total) THEN
      allowed := 'limited';
    END IF;
    IF allowed <> 'open' THEN
      RETURN QUERY SELECT allowed;
      RETURN;
    END IF;
    INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, details,
                         reporter_id, address_hash, network_hash, idempotency_key, digest)
    VALUES (new_id, kind, subject.subject_id, subject.subject_name, subject.subject_title, subject.guru_id, reason,
            details, CASE WHEN reporter = app.user_id() THEN reporter END, address, network, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      RETURN QUERY SELECT 'created';
      RETURN;
    END IF;
    SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  END IF;
  RETURN QUERY SELECT CASE WHEN earlier_digest = new_digest THEN 'same' ELSE 'other' END;
END $$;
REVOKE ALL ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean,
    integer, integer, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean,
    integer, integer, integer, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/due_documents.sql
-- Return the approved documents of all users that have expired by `today`, or whose owners get a reminder, on each of
-- `reminder_days` before. `days` is the reminder's number, or 0 for a document that has expired.
-- A document with a successor of the same type and category needs no reminder. After an outage only the latest due
-- reminder is returned, so that no email says "30 days" about
-- tomorrow.
--
-- Called by: documents, in the job documents:process_expiry.
-- SECURITY DEFINER: documents of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.due_documents(today date, reminder_days integer[])
RETURNS TABLE (user_id uuid, document_id uuid, days integer, has_successor boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('documents:process_expiry');
  RETURN QUERY
  SELECT d.user_id, d.id, n.days, s.has_successor
    FROM documents d
   CROSS JOIN LATERAL (
     SELECT CASE WHEN d.expires_on < today THEN 0
                 ELSE (SELECT min(r.day) FROM unnest(reminder_days) r (day) WHERE d.expires_on - today <= r.day)
            END AS days) n
   CROSS JOIN LATERAL (
     SELECT EXISTS (SELECT FROM documents o
                     WHERE o.user_id = d.user_id AND o.id <> d.id AND o.type = d.type AND o.category = d.category
                       AND o.status IN ('approved', 'pending')
                       AND (o.expires_on IS NULL OR o.expires_on > d.expires_on)) AS has_successor) s
   WHERE d.status = 'approved' AND d.expires_on <= today + (SELECT max(r.day) FROM unnest(reminder_days) r (day))
     AND (n.days = 0 OR NOT s.has_successor
          AND NOT EXISTS (SELECT FROM document_reminders r
                           WHERE r.user_id = d.user_id AND r.document_id = d.id AND r.days <= n.days))
   ORDER BY d.user_id;
END $$;
REVOKE ALL ON FUNCTION app.due_documents(date, integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_documents(date, integer[]) TO porchlight_app, porchlight_overseer;

-- file: functions/due_plan_notices.sql
-- Return the reminders of failed payments that are due: on each of `notice_days` after the failure, until
-- `grace_days` have passed. Of several that were missed, only the last one is due.
--
-- Called by: billing, in the job billing:send_reminders.
-- SECURITY DEFINER: it reads the subscriptions of all users.
CREATE OR REPLACE FUNCTION app.due_plan_notices(notice_days integer[], grace_days integer)
RETURNS TABLE (user_id uuid, subscription_id uuid, past_due_since timestamptz, day integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM app.running_job('billing:send_reminders');
  RETURN QUERY
  SELECT s.user_id, s.id, s.past_due_since, max(d.day)
    FROM subscriptions s CROSS JOIN unnest(notice_days) d (day)
   WHERE s.state = 'past_due' AND s.past_due_since + make_interval(days => d.day) <= app.now()
     AND s.past_due_since + grace_days * interval '1 day' > app.now()
   GROUP BY s.user_id, s.id, s.past_due_since
  HAVING NOT EXISTS (SELECT FROM plan_notices n WHERE n.user_id = s.user_id AND n.subscription_id = s.id
                       AND n.past_due_since = s.past_due_since AND n.day >= max(d.day));
END $$;
REVOKE ALL ON FUNCTION app.due_plan_notices(integer[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_plan_notices(integer[], integer) TO porchlight_app, porchlight_overseer;

-- file: functions/emergency_contacts.sql
-- Return the emergency contacts of a session's participants for the guru, each with the participant's name, and log the
-- view in contact_views. The outcome is found, none (no waiver has a contact, or they were erased), closed (not from 24
-- hours before the session to 24 hours after it) or unknown. The function restores the user that was set before.
--
-- Called by: waivers, in a unit of work that acts for the guru.
-- SECURITY DEFINER: waivers are isolated by user. The tenant is the one that the transaction acts for.
CREATE OR REPLACE FUNCTION app.emergency_contacts(wanted uuid, OUT outcome text, OUT contacts jsonb)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  viewer uuid := app.user_id();
  booked bookings;
  participant record;
  contact jsonb;
  open_for CONSTANT interval := interval '24 hours';  -- no parameter, because it keeps the contact from the guru
BEGIN
  SELECT * INTO booked FROM bookings b
   WHERE b.tenant_id = app.acting_tenant_id() AND b.id = wanted AND b.status NOT IN ('held', 'expired');
  IF booked.id IS NULL OR viewer IS NULL THEN
    outcome := 'unknown';
    RETURN;
  END IF;
  IF booked.status NOT IN ('confirmed', 'missed', 'completed')
     OR app.now() NOT BETWEEN booked.starts_at - open_for AND booked.ends_at + open_for THEN
    outcome := 'closed';
    RETURN;
  END IF;
  contacts := '[]';
  FOR participant IN
    SELECT p.name, p.signer_id, p.waiver_id FROM participants p
     WHERE p.tenant_id = booked.tenant_id AND p.booking_id = booked.id ORDER BY p.number
  LOOP
    PERFORM set_config('app.user_id', participant.signer_id::text, true);
    contact := (SELECT w.erasable #> '{emergencyContact,value}' FROM waivers w
                 WHERE w.user_id = participant.signer_id AND w.id = participant.waiver_id);
    IF contact IS NOT NULL THEN
      contacts := contacts || jsonb_build_array(contact || jsonb_build_object('participantName', participant.name));
    END IF;
  END LOOP;
  IF contacts = '[]' THEN  -- a booking from before participants had their own waivers
    PERFORM set_config('app.user_id', booked.person_id::text, true);
    contact := (SELECT w.erasable #> '{emergencyContact,value}' FROM waivers w
                 WHERE w.user_id = booked.person_id AND w.id = booked.waiver_id);
    contacts := CASE WHEN contact IS NULL THEN contacts
                  ELSE jsonb_build_array(contact || jsonb_build_object('participantName', booked.person_name)) END;
  END IF;
  PERFORM set_config('app.user_id', viewer::text, true);
  outcome := CASE WHEN contacts = '[]' THEN 'none' ELSE 'found' END;
  IF outcome = 'found' THEN
    INSERT INTO contact_views (tenant_id, id, booking_id, person_id, viewed_by)
    VALUES (booked.tenant_id, gen_random_uuid(), booked.id, booked.person_id, viewer);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.emergency_contacts(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.emergency_contacts(uuid) TO porchlight_app;

-- file: functions/erase_audit_words.sql
-- Remove the words of people from up to `max_entries` audit log entries of older releases. Return the hash of the new content of
-- each by its id, which the caller records in the log, or NULL if there are none. Their own hashes stay, so that the chain
-- and the signatures stay valid. An entry that was changed in another way stays, for verification to find.
--
-- Called by: audit, in a maintenance job.
-- SECURITY DEFINER: no role may change the log, and the trigger audit_forbid_change allows its owner this change only.
CREATE OR REPLACE FUNCTION app.erase_audit_words(max_entries integer) RETURNS jsonb
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH written AS (
    SELECT e.id FROM audit_log e
     WHERE e.action IN ('report.resolve', 'risk.decide', 'listing.hide', 'listing.show', 'money.adjustment_request')
       AND e.details <> app.details_without_words(e)
       AND e.hash = app.audit_hash(e)
     ORDER BY e.id LIMIT max_entries
  ), erased AS (
    UPDATE audit_log e SET details = app.details_without_words(e) FROM written WHERE e.id = written.id
    RETURNING e.id, encode(app.audit_hash(e), 'hex') AS hash
  )
  SELECT jsonb_object_agg(erased.id, erased.hash) FROM erased
$$;
REVOKE ALL ON FUNCTION app.erase_audit_words(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_audit_words(integer) TO porchlight_overseer;

-- file: functions/erase_words.sql
-- Erase the current user's words where rows have no owner: names of their skills, activities they asked about, and
-- reports by or about them. Reports stay, without the words and the reporter, as the record of what staff decided.
--
-- `max_activity`: the length of an activity in the reviews of risk.
--
-- Events of the payment provider lose their text if it names the user's customer or account there.
--
-- Called by: profiles, when the account is deleted, before its listings are.
-- SECURITY DEFINER: the app role cannot touch phrases, risk_reviews and reports.
CREATE OR REPLACE FUNCTION app.erase_words(max_activity integer) RETURNS void
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

-- file: functions/fair_price.sql
-- Return a fair price range per hour for a service: what angels ask (app.fair_rates) and what was paid.
-- Paid prices count only from at least three angels and three customers, each angel once, and only as mean and spread
-- (`quartile_deviations` of it to each side), in whole dollars. That keeps what one of them paid private, so it is no
-- parameter. It reads the newest `max_jobs` of the last `years` with a rate between `min_rate` and `max_rate`, and only
-- those within `near_miles` if they suffice.
--
-- Called by: angels, when a need is described.
-- SECURITY DEFINER: it reads the accepted offers of all users and returns only a range.
CREATE OR REPLACE FUNCTION app.fair_price(
  service text, near_latitude double precision, near_longitude double precision, near_miles integer, min_near integer,
  low_quartile double precision, high_quartile double precision, quartile_deviations double precision, years integer,
  max_jobs integer, min_rate integer, max_rate integer)
RETURNS TABLE (low integer, high integer, angels integer, nearby boolean, jobs integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH privacy AS (
    SELECT 3 AS min_people
  ), asked AS (
    SELECT r.low, r.high, r.angels, r.nearby FROM app.fair_rates(
             service, near_latitude, near_longitude, near_miles, min_near, low_quartile, high_quartile) r
  ), recent AS MATERIALIZED (
    SELECT n.user_id, n.accepted_user_id, n.accepted_offer_id, n.hours,
           coalesce(app.miles(near_latitude, near_longitude, n.latitude, n.longitude) <= near_miles, false) AS near
      FROM needs n
     WHERE n.service_id = service AND n.status IN ('accepted', 'done') AND n.created_at > app.now() - years * interval '1 year'
     ORDER BY n.id DESC LIMIT max_jobs
  ), paid AS MATERIALIZED (
    SELECT r.user_id, r.accepted_user_id, r.near, (o.price_cents / r.hours)::double precision AS rate
      FROM recent r JOIN need_offers o ON o.user_id = r.accepted_user_id AND o.id = r.accepted_offer_id
     WHERE o.price_cents / r.hours BETWEEN min_rate AND max_rate
  ), near_paid AS (
    SELECT p.* FROM paid p CROSS JOIN (
      SELECT least(count(DISTINCT accepted_user_id), count(DISTINCT user_id)) >= (SELECT min_people FROM privacy) AS enough
        FROM paid WHERE near) c
     WHERE p.near OR NOT c.enough
  ), paid_summary AS (
    SELECT avg(a.rate) AS mean, stddev_samp(a.rate) AS spread, count(*) AS angels, sum(a.jobs) AS jobs,
           bool_and(a.near) AS near
      FROM (SELECT accepted_user_id, avg(rate) AS rate, count(*) AS jobs, bool_and(near) AS near
              FROM near_paid GROUP BY accepted_user_id) a
    HAVING least(count(*), (SELECT count(DISTINCT user_id) FROM near_paid)) >= (SELECT min_people FROM privacy)
  ), weighed AS (
    SELECT coalesce(a.angels, 0) AS asking, a.low AS asked_low, a.high AS asked_high, a.nearby AS asked_near, t.*,
           greatest(min_rate, t.mean - quartile_deviations * t.spread) AS paid_low,
           t.mean + quartile_deviations * t.spread AS paid_high
      FROM asked a FULL JOIN paid_summary t ON true
  )
  SELECT CASE WHEN w.angels IS NULL THEN w.asked_low ELSE 100 * round(
           (coalesce(w.asking * w.asked_low, 0) + w.angels * w.paid_low) / (w.asking + w.angels) / 100)::integer END,
         CASE WHEN w.angels IS NULL THEN w.asked_high ELSE 100 * round(
           (coalesce(w.asking * w.asked_high, 0) + w.angels * w.paid_high) / (w.asking + w.angels) / 100)::integer END,
         w.asking, coalesce(w.asked_near, true) AND coalesce(w.near, true), coalesce(w.jobs, 0)::integer
    FROM weighed w
$$;
REVOKE ALL ON FUNCTION app.fair_price(text, double precision, double precision, integer, integer, double precision, double precision,
  double precision, integer, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.fair_price(text, double precision, double precision, integer, integer, double precision, double precision,
  double precision, integer, integer, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/fair_rates.sql
-- Return what angels within `near_miles` ask per hour, from `low_quartile` to `high_quartile`, or all angels when fewer
-- than `min_near` are near.
--
-- Called by: app.fair_price and the demo data.
-- SECURITY DEFINER: it reads the angels of all users and returns only quartiles.
CREATE OR REPLACE FUNCTION app.fair_rates(service text, near_latitude double precision, near_longitude double precision,
                                          near_miles integer, min_near integer, low_quartile double precision,
                                          high_quartile double precision)
RETURNS TABLE (low integer, high integer, angels integer, nearby boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH asked AS (
    SELECT a.rate_cents, app.miles(near_latitude, near_longitude, a.latitude, a.longitude) <= near_miles AS near
      FROM angels a JOIN users u ON u.user_id = a.user_id
     WHERE a.service_id = service AND a.active AND u.status = 'active'
  ), chosen AS (
    SELECT rate_cents, near FROM asked WHERE near OR (SELECT count(*) FROM asked WHERE near) < min_near
  )
  SELECT percentile_disc(low_quartile) WITHIN GROUP (ORDER BY rate_cents),
         percentile_disc(high_quartile) WITHIN GROUP (ORDER BY rate_cents),
         count(*)::integer, coalesce(bool_and(near), false)
    FROM chosen HAVING count(*) > 0
$$;
REVOKE ALL ON FUNCTION app.fair_rates(text, double precision, double precision, integer, integer, double precision,
  double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.fair_rates(text, double precision, double precision, integer, integer, double precision,
  double precision) TO porchlight_app, porchlight_overseer;

-- file: functions/front_page.sql
-- Return the newest active gurus, those with recent posts first, and the newest published posts: of the `max_read` newest
-- gurus.
--
-- Called by: front_page.
-- SECURITY DEFINER: it reads posts across all tenants and returns only public fields.
CREATE OR REPLACE FUNCTION app.front_page(max_gurus integer, max_posts integer, max_read integer) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH newest AS MATERIALIZED (
    SELECT id, label, character, category, tagline, primary_color, secondary_color, icon, emoji
      FROM gurus WHERE status = 'active' ORDER BY created_at DESC LIMIT max_read
  ), latest AS MATERIALIZED (
    SELECT n.*, p.slug, p.title, p.excerpt, p.words, p.published_at
      FROM newest n LEFT JOIN LATERAL (
        SELECT p.slug, p.title, p.excerpt, p.words, p.published_at FROM posts p
         WHERE p.tenant_id = n.id AND p.status = 'published' AND p.published_at <= app.now()
         ORDER BY p.published_at DESC, p.id DESC LIMIT 1) p ON true
  )
  SELECT jsonb_build_object(
    'gurus', (SELECT coalesce(jsonb_agg(to_jsonb(g) - '{id,slug,title,excerpt,words,published_at}'::text[]
                                        ORDER BY g.published_at DESC NULLS LAST), '[]')
                FROM (SELECT * FROM latest ORDER BY published_at DESC NULLS LAST LIMIT max_gurus) g),
    'posts', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'label', t.label, 'character', t.character, 'slug', t.slug, 'title', t.title,
                       'excerpt', t.excerpt, 'words', t.words,
                       'published_at', to_char(t.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
                     ORDER BY t.published_at DESC), '[]')
                FROM (SELECT * FROM latest WHERE slug IS NOT NULL ORDER BY published_at DESC LIMIT max_posts) t))
$$;
REVOKE ALL ON FUNCTION app.front_page(integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.front_page(integer, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/group_contact_message.sql
-- Leave the running job's message to the next digest if its hour had `max_emails` messages before it. Return whether it
-- was. The digest job starts `delay` after the hour, and there is one for each hour: a message that is grouped at the end
-- of the hour is in it.
--
-- Called by: contact, in the job contact:notify_staff.
-- SECURITY DEFINER: the app role may add messages and read nothing. The message's id comes from the job.
CREATE OR REPLACE FUNCTION app.group_contact_message(max_emails integer, delay interval) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('contact:notify_staff');
  next_hour timestamptz := date_trunc('hour', app.now()) + interval '1 hour';
BEGIN
  UPDATE contact_messages m SET awaits_digest = true
   WHERE m.id = (args ->> 'message_id')::uuid
     AND (SELECT count(*) FROM (SELECT FROM contact_messages e
                                 WHERE e.created_at BETWEEN date_trunc('hour', m.created_at) AND m.created_at
                                   AND (e.created_at, e.id) < (m.created_at, m.id) LIMIT max_emails) earlier) = max_emails;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM app.enqueue('contact:send_digest', '{}', format('contact:send_digest:%s', extract(epoch FROM next_hour)::bigint),
                      NULL, next_hour + delay);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.group_contact_message(integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.group_contact_message(integer, interval) TO porchlight_app, porchlight_overseer;

-- file: functions/offers_of.sql
-- Return the first `most` open offers on the current user's own need, with the public fields of the angels who made them.
--
-- Called by: angels, for the page of a need.
-- SECURITY DEFINER: offers of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.offers_of(need uuid, most integer) RETURNS TABLE (id uuid, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, jsonb_build_object(
           'id', o.id, 'price_cents', o.price_cents, 'message', o.message, 'created_at', o.created_at,
           'accepted', o.id IS NOT DISTINCT FROM n.accepted_offer_id, 'angel', app.public_user(o.user_id),
           'miles', (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
                       FROM angels a WHERE a.user_id = o.user_id),
           'jobs', coalesce((SELECT sum(a.jobs) FROM angels a WHERE a.user_id = o.user_id), 0),
           'ratings', coalesce((SELECT sum(a.ratings) FROM angels a WHERE a.user_id = o.user_id), 0),
           'rating_sum', coalesce((SELECT sum(a.rating_sum) FROM angels a WHERE a.user_id = o.user_id), 0))
    FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
   WHERE n.id = need AND n.user_id = app.user_id() AND o.status = 'open' AND u.status = 'active'
   ORDER BY o.id LIMIT most
$$;
REVOKE ALL ON FUNCTION app.offers_of(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offers_of(uuid, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/plan_rights.sql
-- Return the paid plans that a user has now, the best first, each until when and from where (grant or subscription).
-- `until` is NULL for a subscription that renews. A subscription keeps its plan for 14 days of grace: from the first
-- failed charge, or else from the end of the paid period after a cancellation.
--
-- Called by: app.plan_of and app.own_plan_rights.
-- SECURITY DEFINER: lists label the neighbors with a plan, and a site follows the plan of its owner.
CREATE OR REPLACE FUNCTION app.plan_rights(wanted uuid) RETURNS TABLE (plan text, until timestamptz, source text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.plan, r.until, r.source FROM (
    SELECT g.plan, g.until, 'grant' AS source FROM plan_grants g WHERE g.user_id = wanted
     UNION ALL
    SELECT s.plan, CASE s.state WHEN 'past_due' THEN s.past_due_since
                                WHEN 'canceled' THEN coalesce(s.past_due_since, s.period_end) END + interval '14 days',
           'subscription'
      FROM subscriptions s WHERE s.user_id = wanted AND s.state IN ('active', 'past_due', 'canceled')
       AND (s.state <> 'canceled' OR coalesce(s.past_due_since, s.period_end) IS NOT NULL)) r
   WHERE r.until IS NULL OR r.until > app.now()
   ORDER BY r.plan = 'premium-angel' DESC, r.until DESC NULLS FIRST
$$;
REVOKE ALL ON FUNCTION app.plan_rights(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_rights(uuid) TO porchlight_overseer;

-- file: functions/queue_lead_digest.sql
-- Start the job that emails the leads that wait for a digest, `delay` after this hour. A guru has one such job an hour.
-- The hour is part of its queueing lock and the delay passes before it starts, so a lead that is grouped at the end of
-- the hour is in the digest.
--
-- Called by: leads, in the job leads:notify_guru.
-- SECURITY DEFINER: the app role may not call app.enqueue. The guru comes from the job.
CREATE OR REPLACE FUNCTION app.queue_lead_digest(delay interval) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('leads:notify_guru');
  next_hour timestamptz := date_trunc('hour', app.now()) + interval '1 hour';
BEGIN
  PERFORM app.enqueue('leads:send_digest', jsonb_build_object('tenant_id', args ->> 'tenant_id'),
                      format('leads:send_digest:%s:%s', args ->> 'tenant_id', extract(epoch FROM next_hour)::bigint),
                      NULL, next_hour + delay);
END $$;
REVOKE ALL ON FUNCTION app.queue_lead_digest(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_lead_digest(interval) TO porchlight_app, porchlight_overseer;

-- file: functions/report_subject.sql
-- Return the subject of a report, if it is public: a site, a post (label/slug), a profile (handle) or a listing (id);
-- or a question (id), which only its two neighbors know. The title has at most `max_title` characters.
--
-- Called by: app.create_report.
-- SECURITY DEFINER: it reads the rows of all tenants and users.
CREATE OR REPLACE FUNCTION app.report_subject(kind text, name text, max_title integer)
RETURNS TABLE (subject_id uuid, subject_name text, subject_title text, guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.character, g.id FROM gurus g
   WHERE kind = 'site' AND g.label = name AND g.status = 'active'
  UNION ALL
  SELECT p.id, g.label || '/' || p.slug, p.title, g.id FROM gurus g JOIN posts p ON p.tenant_id = g.id
   WHERE kind = 'post' AND g.label = split_part(name, '/', 1) AND p.slug = split_part(name, '/', 2)
     AND g.status = 'active' AND p.status = 'published' AND p.published_at <= app.now()
  UNION ALL
  SELECT p.user_id, p.handle, p.display_name, NULL FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE kind = 'profile' AND p.handle = name AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
  UNION ALL
  SELECT o.id, o.id::text, o.title, NULL FROM skill_offers o JOIN users u ON u.user_id = o.user_id
   WHERE kind = 'listing' AND u.status = 'active' AND o.visible
     AND o.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
  UNION ALL
  SELECT q.id, q.id::text, left(p.display_name || ' asked: ' || q.body, max_title), NULL
    FROM questions q JOIN profiles p ON p.user_id = q.user_id
   WHERE kind = 'question'
     AND q.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
$$;
REVOKE ALL ON FUNCTION app.report_subject(text, text, integer) FROM PUBLIC;

-- file: functions/request_risk_review.sql
-- Add an activity that the risk engine does not know to the queue of staff reviews, or count it once more.
-- The review belongs to the signed-in user until another user asks about the same activity. A request without a user,
-- such as a view of the listing, leaves it as it is.
-- The queue holds at most `max_open` activities; beyond that the call changes nothing. It counts up to `max_count`.
--
-- Called by: risk, when an assessment finds no rule.
-- SECURITY DEFINER: the app role may add to risk_reviews through this function and read nothing.
CREATE OR REPLACE FUNCTION app.request_risk_review(new_id uuid, of_category text, of_activity text, of_digest bytea,
                                                   max_open integer, max_count integer) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE risk_reviews r
     SET occurrences = least(r.occurrences + 1, max_count), last_seen_at = app.now(),
         asked_by = CASE WHEN r.asked_by = coalesce(app.user_id(), r.asked_by) THEN r.asked_by END
   WHERE r.digest = of_digest;
  IF NOT FOUND AND (SELECT count(*) FROM (SELECT FROM risk_reviews WHERE level IS NULL LIMIT max_open) open) < max_open THEN
    INSERT INTO risk_reviews (id, category, activity, digest, asked_by)
    VALUES (new_id, of_category, of_activity, of_digest, app.user_id()) ON CONFLICT (digest) DO NOTHING;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.request_risk_review(uuid, text, text, bytea, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_risk_review(uuid, text, text, bytea, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/start_domain_check.sql
-- Record that a guru checks a domain now. Return whether that is allowed: fewer than `most` checks within
-- the last `period`.
--
-- Called by: the console.
-- SECURITY INVOKER: the caller needs the right to write the tenant's checks.
CREATE OR REPLACE FUNCTION app.start_domain_check(tenant uuid, most integer, period interval) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('domains ' || tenant, 0));
  IF (SELECT count(*) FROM domain_checks c
       WHERE c.tenant_id = tenant AND c.created_at > app.now() - period) >= most THEN
    RETURN false;
  END IF;
  INSERT INTO domain_checks (tenant_id, id) VALUES (tenant, gen_random_uuid());
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.start_domain_check(uuid, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.start_domain_check(uuid, integer, interval) TO porchlight_app, porchlight_overseer;
