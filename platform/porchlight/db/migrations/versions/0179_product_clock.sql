-- The product's clock, app.now(), instead of now().

-- file: functions/now.sql
-- Return the time by which the product's rules decide: the start of the transaction, or hours or days later where the
-- setting porchlight.clock_offset (an interval) says so. Tests set it for their database; production never has it.
--
-- The planner replaces a call by its expression, so that it costs what now() costs and indexes serve comparisons with
-- it. PostgreSQL's own clock remains for what others schedule (the queue's tables) and for measured durations.
--
-- Called by: functions, triggers, column defaults and statements, in place of now().
CREATE OR REPLACE FUNCTION app.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN now() + coalesce(nullif(current_setting('porchlight.clock_offset', true), '')::interval, '0');

-- file: functions/add_contact_message.sql
-- Store a contact message and start its job, within the shares of the sender's address and network, and in a flood with a
-- proof of work. Outcomes: created; same (sent before with this key); other (the key was used for another message);
-- unproven and limited (see app.flood_limit).
--
-- Called by: contact.
-- SECURITY DEFINER: the app role may add to contact_messages through this function and read nothing.
CREATE OR REPLACE FUNCTION app.add_contact_message(
  new_id uuid, name text, email text, subject text, message text, address_hash bytea, network_hash bytea, key text,
  new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer, flood_from integer,
  max_in_total integer
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  outcome text;
BEGIN
  SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  IF NOT FOUND THEN
    outcome := app.flood_limit('contact_messages', NULL, address_hash, network_hash, app.now(), is_proven, max_per_address,
                               max_per_network, flood_from, max_in_total);
    IF outcome <> 'open' THEN
      RETURN outcome;
    END IF;
    INSERT INTO contact_messages (id, name, email, subject, message, address_hash, network_hash, idempotency_key, digest)
    VALUES (new_id, name, email, subject, message, address_hash, network_hash, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      PERFORM app.enqueue('contact:notify_staff', jsonb_build_object('message_id', new_id), NULL);
      RETURN 'created';
    END IF;
    SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  END IF;
  RETURN CASE WHEN earlier_digest = new_digest THEN 'same' ELSE 'other' END;
END $$;
REVOKE ALL ON FUNCTION app.add_contact_message(uuid, text, text, text, text, bytea, bytea, text, bytea, boolean, integer,
    integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_contact_message(uuid, text, text, text, text, bytea, bytea, text, bytea, boolean, integer,
    integer, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/add_domain.sql
-- Add a custom domain to a guru, not verified yet. Return 'added', 'exists', 'limit', or 'taken' when another site serves
-- it. Until a domain is verified, others may add it too: the guru who controls its DNS gets it.
-- `most`: the most domains of a guru; NULL for no limit.
--
-- Called by: the console and the command line.
-- SECURITY INVOKER: the caller needs the right to write the tenant's domains.
CREATE OR REPLACE FUNCTION app.add_domain(tenant uuid, wanted text, most integer) RETURNS text
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
  INSERT INTO domains (tenant_id, domain, next_check_at) VALUES (tenant, wanted, app.now() + interval '5 minutes');
  RETURN 'added';
END $$;
REVOKE ALL ON FUNCTION app.add_domain(uuid, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_domain(uuid, text, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/angel_answer_minutes.sql
-- Return the minutes in which an angel usually makes an offer: the median over the last 90 days, from the email about the
-- need to the first offer. NULL for fewer than 5 answers, or if the angel left more needs without an answer, that were
-- addressed to them by name and are older than a day, than they answered.
--
-- Called by: app.angels_for and app.angel_answer_time. The same numbers are in porchlight/worker/guru_facts.py.
-- SECURITY DEFINER: needs, notices and offers of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_answer_minutes(angel_id uuid) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN count(*) >= 5 AND count(*) >= (
                SELECT count(*) FROM needs n
                 WHERE n.asked_user_id = angel_id AND n.status IN ('open', 'expired')
                   AND n.created_at BETWEEN app.now() - interval '90 days' AND app.now() - interval '1 day'
                   AND NOT EXISTS (SELECT FROM need_offers o WHERE o.user_id = angel_id AND o.need_id = n.id))
              THEN greatest(1, ceil(percentile_cont(0.5) WITHIN GROUP (
                     ORDER BY extract(epoch FROM o.created_at - t.sent_at)) / 60))::integer END
    FROM need_offers o JOIN need_notices t ON t.user_id = o.user_id AND t.need_id = o.need_id
   WHERE o.user_id = angel_id AND o.created_at > app.now() - interval '90 days'
$$;
REVOKE ALL ON FUNCTION app.angel_answer_minutes(uuid) FROM PUBLIC;

-- file: functions/angels_to_notify.sql
-- Return the angels who should get an email about the running job's need and have not: the nearest first, then the best
-- rated. All emails about the need count towards max_emails.
--
-- These are active angels of the service who live near enough, help on one of the need's days, have a verified address
-- and are under their daily limit. An angel who was asked by name is notified at any distance and on any day.
--
-- Called by: angels, in the job angels:notify_angels.
-- SECURITY DEFINER: angels and their notices are behind row level security. The need comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.angels_to_notify(max_emails integer) RETURNS SETOF uuid
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
                   AND EXISTS (SELECT FROM generate_series(n.wanted_from, least(n.wanted_until, n.wanted_from + 6),
                                                           interval '1 day') d
                                WHERE extract(isodow FROM d)::smallint = ANY (a.days))
                   AND (SELECT count(*) FROM need_notices t
                         WHERE t.user_id = a.user_id AND t.sent_at > app.now() - interval '1 day') < a.mails_a_day END
     AND NOT EXISTS (SELECT FROM need_notices t WHERE t.user_id = a.user_id AND t.need_id = n.id)
   ORDER BY app.miles(a.latitude, a.longitude, n.latitude, n.longitude), app.angel_score(a.ratings, a.rating_sum) DESC
   LIMIT greatest(0, max_emails - sent);
END $$;
REVOKE ALL ON FUNCTION app.angels_to_notify(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_to_notify(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/book_hold.sql
-- Book a hold for the current user, or ask the guru for its time if they decide, and return the outcome and the booking.
-- The emails are queued with it. Locks the calendar.
--
-- `seen_policy` is the digest of the terms that the user saw, in hex. `expected_rules` is the version of the rules by
-- which the caller found whether the session needs a waiver, and `accepted_waiver` the user's. Outcomes: booked (also
-- for the same request sent again); conflict (the key is of another request); stale (look again: the rules changed);
-- hold_expired, policy_changed, waiver_required, already_booked, limited.
--
-- Called by: bookings.
CREATE OR REPLACE FUNCTION app.book_hold(
  token_hash bytea, seen_policy text, expected_rules bigint, needs_waiver boolean, accepted_waiver uuid,
  name text, other_names text[], message text, key text, request_digest bytea,
  OUT outcome text, OUT booking bookings)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  person uuid := app.user_id();
  rules bigint := (app.lock_calendar()).rules_version;
  held bookings;
BEGIN
  SELECT * INTO booking FROM bookings b WHERE b.person_id = person AND b.idempotency_key = key;
  IF FOUND THEN
    outcome := CASE WHEN booking.digest = request_digest THEN 'booked' ELSE 'conflict' END;
    RETURN;
  END IF;
  SELECT * INTO held FROM app.find_hold(token_hash) h WHERE h.status = 'held' AND h.expires_at > app.now();
  outcome := CASE
    WHEN held.id IS NULL OR person IS NULL THEN 'hold_expired'
    WHEN encode(held.terms_digest, 'hex') <> seen_policy THEN 'policy_changed'
    WHEN rules <> expected_rules THEN 'stale'
    WHEN needs_waiver AND NOT EXISTS (
           SELECT FROM waivers w
            WHERE w.user_id = person AND w.id = accepted_waiver AND w.ended_at IS NULL AND w.expires_at > app.now())
    THEN 'waiver_required'
    ELSE (SELECT c.outcome FROM app.claim_hold(token_hash) c) END;
  IF outcome <> 'claimed' THEN
    RETURN;
  END IF;
  SELECT * INTO booking
    FROM app.confirm_holds(ARRAY[held.id], accepted_waiver, name, other_names, message, key, request_digest);
  outcome := 'booked';
END $$;

-- file: functions/booking_event.sql
-- Return what a change of a booking is called in its history: the new status, or what happened to its time. A proposal
-- of the guru that ends without a change of the session expired, was withdrawn by the guru, or lapsed: the person
-- accepted it, but the time was taken.
--
-- Called by: the triggers that write the history of bookings and queue their emails.
CREATE OR REPLACE FUNCTION app.booking_event(before bookings, changed bookings) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp
RETURN CASE
  WHEN changed.status IS DISTINCT FROM before.status THEN changed.status
  WHEN changed.starts_at IS DISTINCT FROM before.starts_at THEN 'moved'
  WHEN changed.proposals > before.proposals THEN 'proposed'
  WHEN before.proposed_until <= app.now() THEN 'proposal_expired'
  WHEN app.acting_tenant_id() = changed.tenant_id THEN 'proposal_withdrawn'
  ELSE 'proposal_lapsed' END;

-- file: functions/can_see_need.sql
-- Return whether the current user may see a need: its owner, the angel it is addressed to, an angel who made an
-- offer, and every user while it is open and addressed to no one in particular.
--
-- Called by: app.visible_need and app.need_photo.
-- SECURITY DEFINER: it reads offers behind row level security.
CREATE OR REPLACE FUNCTION app.can_see_need(n needs) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.user_id() IS NOT NULL AND (
         n.user_id = app.user_id() OR n.asked_user_id = app.user_id()
         OR (n.status = 'open' AND n.expires_at > app.now() AND n.asked_user_id IS NULL)
         OR EXISTS (SELECT FROM need_offers o WHERE o.user_id = app.user_id() AND o.need_id = n.id))
$$;
REVOKE ALL ON FUNCTION app.can_see_need(needs) FROM PUBLIC;

-- file: functions/claim_hold.sql
-- Give a visitor's hold to the current user. Outcomes: claimed (also when it is theirs already), hold_expired,
-- already_booked, limited. The caller holds the lock of the calendar.
--
-- Called by: bookings and app.book_hold, for a user who has signed in and books what they held as a visitor.
-- SECURITY DEFINER: the user is no party of the booking yet. The token is the permission.
CREATE OR REPLACE FUNCTION app.claim_hold(token_hash bytea, OUT outcome text, OUT booking_id uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  is_visitors boolean;
BEGIN
  IF person IS NULL THEN
    outcome := 'hold_expired';
    RETURN;
  END IF;
  SELECT b.id, b.person_id IS NULL INTO booking_id, is_visitors FROM bookings b
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'held' AND b.expires_at > app.now()
     AND (b.person_id IS NULL OR b.person_id = person);
  IF booking_id IS NULL THEN
    outcome := 'hold_expired';
  ELSIF is_visitors AND (SELECT count(*) >= 2 FROM bookings b
          WHERE b.person_id = person AND b.tenant_id = tenant AND b.status = 'held' AND b.expires_at > app.now()
            AND b.id <> booking_id AND b.address_hash IS NOT NULL) THEN
    outcome := 'limited';
  ELSE
    IF is_visitors THEN
      UPDATE bookings b SET person_id = person WHERE b.tenant_id = tenant AND b.id = booking_id;
      UPDATE booking_events e SET person_id = person
       WHERE e.tenant_id = tenant AND e.booking_id = claim_hold.booking_id;
    END IF;
    outcome := 'claimed';
  END IF;
EXCEPTION WHEN unique_violation THEN
  outcome := 'already_booked';
END $$;
REVOKE ALL ON FUNCTION app.claim_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.claim_hold(bytea) TO porchlight_app;

-- file: functions/confirm_holds.sql
-- Book holds of the current user, or ask the guru for their times if they decide, and return the bookings that could be
-- confirmed. Several are a series, which has the id of its first booking; that one gets the idempotency key. The emails
-- are queued with them. The calendar is locked.
--
-- Called by: bookings and app.book_hold.
CREATE OR REPLACE FUNCTION app.confirm_holds(
  ids uuid[], accepted_waiver uuid, name text, other_names text[], message text, key text, request_digest bytea)
RETURNS SETOF bookings
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  UPDATE bookings b
     SET status = CASE b.approval WHEN 'request' THEN 'requested' ELSE 'confirmed' END,
         -- A guru has a day to answer a request, but not until later than two hours before the start.
         expires_at = CASE b.approval WHEN 'request' THEN
           greatest(least(app.now() + interval '24 hours', b.starts_at - interval '2 hours'), app.now()) END,
         confirmed_at = CASE b.approval WHEN 'request' THEN NULL ELSE app.now() END,
         waiver_level = coalesce(w.level, ''), waiver_id = w.id, waiver_until = w.expires_at,
         person_name = confirm_holds.name, participants = other_names, note = message,
         series_id = CASE WHEN cardinality(ids) > 1 THEN ids[1] END,
         idempotency_key = CASE WHEN b.id = ids[1] THEN confirm_holds.key ELSE b.id::text END, digest = request_digest
    FROM (VALUES (accepted_waiver)) accepted (id)
    LEFT JOIN waivers w ON w.id = accepted.id AND w.user_id = app.user_id()
   WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.status = 'held' AND b.expires_at > app.now()
  RETURNING b.*
$$;

-- file: functions/create_report.sql
-- Store a report about a site, post, profile or listing, within the limits per sender address and in total per hour.
-- Outcomes: created; same (sent before with this key); other (the key was used for another report); limited; unknown
-- (the subject does not exist, is hidden or is not published).
--
-- `reporter`: the current user, or NULL for a visitor.
--
-- Called by: reports.
-- SECURITY DEFINER: the app role may add to reports through this function and read nothing.
CREATE OR REPLACE FUNCTION app.create_report(
  new_id uuid, kind text, name text, reason text, details text, reporter uuid, address bytea, key text,
  new_digest bytea, max_per_address integer, max_in_total integer
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  subject record;
BEGIN
  SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  IF NOT FOUND THEN
    SELECT * INTO subject FROM app.report_subject(kind, name);
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'unknown';
      RETURN;
    END IF;
    IF NOT app.rate_limit('reports', NULL, address, app.now(), max_per_address, max_in_total) THEN
      RETURN QUERY SELECT 'limited';
      RETURN;
    END IF;
    INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, details,
                         reporter_id, address_hash, idempotency_key, digest)
    VALUES (new_id, kind, subject.subject_id, subject.subject_name, subject.subject_title, subject.guru_id, reason,
            details, CASE WHEN reporter = app.user_id() THEN reporter END, address, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      RETURN QUERY SELECT 'created';
      RETURN;
    END IF;
    SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  END IF;
  RETURN QUERY SELECT CASE WHEN earlier_digest = new_digest THEN 'same' ELSE 'other' END;
END $$;
REVOKE ALL ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, text, bytea, integer, integer) FROM
    PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, text, bytea, integer, integer) TO
    porchlight_app, porchlight_overseer;

-- file: functions/decide_adjustment.sql
-- Approve or reject an adjustment that waits, and return its state, or NULL for an unknown id. One that was decided
-- keeps its state. An approval posts it; it needs the valid admin key of a named person who did not request it.
--
-- Called by: money.adjustments.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.decide_adjustment(adjustment uuid, holder text, approve boolean)
RETURNS text LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found_one adjustments;
BEGIN
  SELECT a.* INTO found_one FROM adjustments a WHERE a.id = adjustment FOR UPDATE;
  IF found_one.state IS DISTINCT FROM 'requested' THEN
    RETURN found_one.state;
  END IF;
  IF NOT approve THEN
    UPDATE adjustments a SET state = 'rejected', decided_by = holder, decided_at = app.now() WHERE a.id = adjustment;
    RETURN 'rejected';
  END IF;
  IF lower(holder) = lower(found_one.requested_by) OR NOT EXISTS (
    SELECT FROM admin_keys k WHERE lower(k.name) = lower(holder) AND k.revoked_at IS NULL
  ) THEN
    RAISE check_violation USING CONSTRAINT = 'ck_adjustments_second_holder',
      MESSAGE = 'an adjustment above $100 needs a second holder of a key';
  END IF;
  UPDATE adjustments a SET decided_by = holder, decided_at = app.now() WHERE a.id = adjustment;
  PERFORM app.post_adjustment(adjustment);
  RETURN 'posted';
END $$;
REVOKE ALL ON FUNCTION app.decide_adjustment(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.decide_adjustment(uuid, text, boolean) TO porchlight_overseer;

-- file: functions/documents_status.sql
-- Return one row per category and document type that the current user, who is `wanted`, ever sent: whether one is
-- approved and valid on `today`, whether one waits for review, and the last day of the best one (NULL: no end). Days
-- are UTC. The category '' means that the document was sent for no category in particular.
--
-- Called by: app.category_status.
-- SECURITY DEFINER: a guru's published site depends on documents of its owner, whose rows the tenant's connection
-- cannot see.
CREATE OR REPLACE FUNCTION app.documents_status(wanted uuid, today date DEFAULT (app.now() AT TIME ZONE 'UTC')::date)
RETURNS TABLE (category text, type text, approved boolean, pending boolean, good_until date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.category, d.type,
         bool_or(d.status = 'approved' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         bool_or(d.status = 'pending' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         nullif(max(coalesce(d.expires_on, 'infinity')) FILTER (WHERE d.status = 'approved'), 'infinity')
    FROM documents d WHERE d.user_id = wanted AND wanted = app.user_id() GROUP BY d.category, d.type
$$;
REVOKE ALL ON FUNCTION app.documents_status(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.documents_status(uuid, date) TO porchlight_app, porchlight_overseer;

-- file: functions/due_plan_notices.sql
-- Return the reminders of failed payments that are due: the first on the day of the failure, then after 5 and 12 days.
-- Of several that were missed, only the last one is due.
--
-- Called by: billing, in the job billing:send_reminders.
-- SECURITY DEFINER: it reads the subscriptions of all users.
CREATE OR REPLACE FUNCTION app.due_plan_notices()
RETURNS TABLE (user_id uuid, subscription_id uuid, past_due_since timestamptz, day integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM app.running_job('billing:send_reminders');
  RETURN QUERY
  SELECT s.user_id, s.id, s.past_due_since, max(d.day)
    FROM subscriptions s CROSS JOIN (VALUES (0), (5), (12)) d (day)
   WHERE s.state = 'past_due' AND s.past_due_since + make_interval(days => d.day) <= app.now()
     AND s.past_due_since + interval '14 days' > app.now()
   GROUP BY s.user_id, s.id, s.past_due_since
  HAVING NOT EXISTS (SELECT FROM plan_notices n WHERE n.user_id = s.user_id AND n.subscription_id = s.id
                       AND n.past_due_since = s.past_due_since AND n.day >= max(d.day));
END $$;
REVOKE ALL ON FUNCTION app.due_plan_notices() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_plan_notices() TO porchlight_app, porchlight_overseer;

-- file: functions/due_plans.sql
-- Return the users whose plan may have ended: those whose time to check has come.
--
-- Called by: plans, in the job plans:apply_due_plans.
-- SECURITY DEFINER: it reads the accounts of all users.
CREATE OR REPLACE FUNCTION app.due_plans(max_users integer) RETURNS TABLE (user_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('plans:apply_due_plans');
  RETURN QUERY SELECT u.user_id FROM users u WHERE u.plan_check_at <= app.now() ORDER BY u.plan_check_at LIMIT max_users;
END $$;
REVOKE ALL ON FUNCTION app.due_plans(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_plans(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/emergency_contact.sql
-- Return the emergency contact of a session's person for the guru, and log the view in contact_views. The outcome is
-- found, none (the waiver has no contact, or it was erased), closed (not from 24 hours before the session to 24 hours
-- after it) or unknown. The function restores the user that was set before.
--
-- Called by: waivers, in a unit of work that acts for the guru.
-- SECURITY DEFINER: waivers are isolated by user. The tenant is the one that the transaction acts for.
CREATE OR REPLACE FUNCTION app.emergency_contact(wanted uuid, OUT outcome text, OUT contact jsonb)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  viewer uuid := app.user_id();
  booked bookings;
BEGIN
  SELECT * INTO booked FROM bookings b
   WHERE b.tenant_id = app.acting_tenant_id() AND b.id = wanted AND b.status NOT IN ('held', 'expired');
  IF booked.id IS NULL OR viewer IS NULL THEN
    outcome := 'unknown';
    RETURN;
  END IF;
  IF booked.status NOT IN ('confirmed', 'missed', 'completed')
     OR app.now() NOT BETWEEN booked.starts_at - interval '24 hours' AND booked.ends_at + interval '24 hours' THEN
    outcome := 'closed';
    RETURN;
  END IF;
  PERFORM set_config('app.user_id', booked.person_id::text, true);
  contact := (SELECT w.erasable #> '{emergencyContact,value}' FROM waivers w
               WHERE w.user_id = booked.person_id AND w.id = booked.waiver_id);
  PERFORM set_config('app.user_id', viewer::text, true);
  outcome := CASE WHEN contact IS NULL THEN 'none' ELSE 'found' END;
  IF contact IS NOT NULL THEN
    INSERT INTO contact_views (tenant_id, id, booking_id, person_id, viewed_by)
    VALUES (booked.tenant_id, gen_random_uuid(), booked.id, booked.person_id, viewer);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.emergency_contact(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.emergency_contact(uuid) TO porchlight_app;

-- file: functions/enqueue.sql
-- Add a job to the queue and return its id. The tenant and the user of the transaction are added to the arguments that
-- do not name them. Returns NULL when a job with the same queueing lock already waits. Of the jobs with the same `lock`
-- one runs at a time, in their order. It starts at `start_at` at the earliest; the queue compares that with now(), the
-- machine's clock. Without a queueing lock the plain insert is cheaper.
--
-- Called by: the service role, app.enqueue_task, and the functions and triggers that start a job. The app role may not
-- call it: its arguments decide whose rows a job works on.
-- SECURITY DEFINER: only procrastinate's worker may touch the schema jobs.
CREATE OR REPLACE FUNCTION app.enqueue(task text, args jsonb, queueing_lock text, lock text DEFAULT NULL,
                                       start_at timestamptz DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = jobs, pg_temp AS $$
DECLARE
  all_args jsonb := jsonb_build_object('tenant_id', app.tenant_id(), 'user_id', app.user_id()) || args;
  machine_start_at timestamptz := start_at - (app.now() - now());
  new_job_id bigint;
BEGIN
  IF queueing_lock IS NULL THEN
    INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, scheduled_at)
    VALUES ('default', task, enqueue.lock, all_args, machine_start_at) RETURNING id INTO new_job_id;
  ELSE
    INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock, lock, args, scheduled_at)
    VALUES ('default', task, enqueue.queueing_lock, enqueue.lock, all_args, machine_start_at)
    ON CONFLICT DO NOTHING RETURNING id INTO new_job_id;
  END IF;
  RETURN new_job_id;
END $$;
REVOKE ALL ON FUNCTION app.enqueue(text, jsonb, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue(text, jsonb, text, text, timestamptz) TO porchlight_overseer;

-- file: functions/erase_bookings.sql
-- End what the current user has open with the transaction's guru, and erase the user's personal data from their
-- bookings there. A late cancellation is owed as by the terms, unless the guru asked to move the session. Bookings
-- stay, without names and texts, as the guru's records.
--
-- Called by: the trigger on_user_deleted_bookings, for each guru.
-- SECURITY DEFINER: the app role cannot change the history of bookings and the waitlist.
CREATE OR REPLACE FUNCTION app.erase_bookings() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b
     SET status = CASE b.status WHEN 'held' THEN 'expired' ELSE 'canceled' END, expires_at = NULL, ended_by = 'person',
         ended_at = app.now(), sequence = b.sequence + 1,
         owed_cents = CASE
           WHEN b.status = 'confirmed'
                AND app.now() >= b.starts_at - make_interval(mins => (b.terms ->> 'free_until_minutes')::integer)
                AND coalesce(b.proposed_until <= app.now(), true)
           THEN ceil(b.price_cents * (b.terms ->> 'late_percent')::numeric / 100) ELSE 0 END
   WHERE b.tenant_id = tenant AND b.person_id = person
     AND (b.status IN ('held', 'requested') OR b.status = 'confirmed' AND b.starts_at > app.now());
  UPDATE bookings b
     SET person_name = '', participants = '{}', note = '', address_hash = NULL,
         reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
   WHERE b.tenant_id = tenant AND b.person_id = person;
  UPDATE booking_events e SET details = e.details - 'reason'
   WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
  DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
END $$;
REVOKE ALL ON FUNCTION app.erase_bookings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_bookings() TO porchlight_app, porchlight_overseer;

-- file: functions/expire_bookings.sql
-- End the holds and requests of the transaction's tenant whose time has passed, and return how many. Their seats become
-- free, or are offered to those who wait. Proposals without an answer end too, and their sessions stay as they are. The
-- caller holds the lock of the calendar. A constraint cannot do this, because time passes without a statement.
--
-- Called by: app.hold_seat, app.move_booking, app.join_waitlist, and bookings, in the job bookings:expire.
CREATE OR REPLACE FUNCTION app.expire_bookings() RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  ended integer;
BEGIN
  UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = app.now(), ended_by = 'system'
   WHERE b.tenant_id = app.tenant_id() AND b.expires_at <= app.now();
  GET DIAGNOSTICS ended = ROW_COUNT;
  UPDATE bookings b SET proposed_start = NULL, proposed_until = NULL, proposed_reason = ''
   WHERE b.tenant_id = app.tenant_id() AND b.proposed_until <= app.now();
  -- Seats that became free while the site was suspended have not been offered.
  PERFORM app.offer_seats(a.id) FROM appointments a
   WHERE a.tenant_id = app.tenant_id() AND a.live AND a.waiting > 0 AND a.taken < a.capacity;
  RETURN ended;
END $$;

-- file: functions/fair_price.sql
-- Return a fair price range per hour for a service: what angels ask (app.fair_rates) and what was paid.
-- Paid prices count only from at least three angels and three customers, each angel once, and only as mean and spread,
-- in whole dollars. It reads the newest 2,000 jobs of the last year, and only those within 25 miles if they suffice.
--
-- Called by: angels, when a need is described.
-- SECURITY DEFINER: it reads the accepted offers of all users and returns only a range.
CREATE OR REPLACE FUNCTION app.fair_price(service text, near_latitude double precision, near_longitude double precision)
RETURNS TABLE (low integer, high integer, angels integer, nearby boolean, jobs integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH asked AS (
    SELECT r.low, r.high, r.angels, r.nearby FROM app.fair_rates(service, near_latitude, near_longitude) r
  ), recent AS MATERIALIZED (
    SELECT n.user_id, n.accepted_user_id, n.accepted_offer_id, n.hours,
           coalesce(app.miles(near_latitude, near_longitude, n.latitude, n.longitude) <= 25, false) AS near
      FROM needs n
     WHERE n.service_id = service AND n.status IN ('accepted', 'done') AND n.created_at > app.now() - interval '1 year'
     ORDER BY n.id DESC LIMIT 2000
  ), paid AS MATERIALIZED (
    SELECT r.user_id, r.accepted_user_id, r.near, (o.price_cents / r.hours)::double precision AS rate
      FROM recent r JOIN need_offers o ON o.user_id = r.accepted_user_id AND o.id = r.accepted_offer_id
     WHERE o.price_cents / r.hours BETWEEN 100 AND 50000
  ), near_paid AS (
    SELECT p.* FROM paid p CROSS JOIN (
      SELECT count(DISTINCT accepted_user_id) >= 3 AND count(DISTINCT user_id) >= 3 AS enough FROM paid WHERE near) c
     WHERE p.near OR NOT c.enough
  ), paid_summary AS (
    SELECT avg(a.rate) AS mean, stddev_samp(a.rate) AS spread, count(*) AS angels, sum(a.jobs) AS jobs,
           bool_and(a.near) AS near
      FROM (SELECT accepted_user_id, avg(rate) AS rate, count(*) AS jobs, bool_and(near) AS near
              FROM near_paid GROUP BY accepted_user_id) a
    HAVING count(*) >= 3 AND (SELECT count(DISTINCT user_id) FROM near_paid) >= 3
  ), weighed AS (
    SELECT coalesce(a.angels, 0) AS asking, a.low AS asked_low, a.high AS asked_high, a.nearby AS asked_near, t.*,
           greatest(100, t.mean - 0.6745 * t.spread) AS paid_low, t.mean + 0.6745 * t.spread AS paid_high
      FROM asked a FULL JOIN paid_summary t ON true
  )
  SELECT CASE WHEN w.angels IS NULL THEN w.asked_low ELSE 100 * round(
           (coalesce(w.asking * w.asked_low, 0) + w.angels * w.paid_low) / (w.asking + w.angels) / 100)::integer END,
         CASE WHEN w.angels IS NULL THEN w.asked_high ELSE 100 * round(
           (coalesce(w.asking * w.asked_high, 0) + w.angels * w.paid_high) / (w.asking + w.angels) / 100)::integer END,
         w.asking, coalesce(w.asked_near, true) AND coalesce(w.near, true), coalesce(w.jobs, 0)::integer
    FROM weighed w
$$;
REVOKE ALL ON FUNCTION app.fair_price(text, double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.fair_price(text, double precision, double precision) TO porchlight_app,
    porchlight_overseer;

-- file: functions/find_domain_session.sql
-- Return the session behind a cookie of a custom domain.
-- A session that was opened under a previous guru of the domain does not count.
-- The columns are those of app.find_session.
--
-- Called by: auth, for each request with such a cookie.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_domain_session(wanted bytea, at_domain text)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz, guru_id uuid, guru_label text,
               guru_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at,
         g.id, g.label, g.status
    FROM domain_sessions v
    JOIN sessions s ON s.user_id = v.user_id AND s.id = v.session_id
    JOIN users u ON u.user_id = v.user_id
    JOIN domains d ON d.domain = v.domain
    LEFT JOIN memberships m ON m.user_id = s.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
   WHERE v.secret_hash = wanted AND v.domain = at_domain AND d.verified_at <= v.created_at
     AND s.expires_at > app.now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_domain_session(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_domain_session(bytea, text) TO porchlight_app, porchlight_overseer;

-- file: functions/find_pass.sql
-- Return the login handoff with this secret, browser and domain, if it is younger than `max_age`.
--
-- Called by: auth, when a visitor arrives on a custom domain.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_pass(wanted bytea, browser bytea, at_domain text, max_age interval)
RETURNS TABLE (user_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.user_id, p.id FROM domain_sessions p
   WHERE p.pass_hash = wanted AND p.browser_hash = browser AND p.domain = at_domain AND p.created_at > app.now() - max_age
$$;
REVOKE ALL ON FUNCTION app.find_pass(bytea, bytea, text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_pass(bytea, bytea, text, interval) TO porchlight_app, porchlight_overseer;

-- file: functions/find_session.sql
-- Return the session behind a cookie, unless it expired, its account is inactive or all sessions were signed out.
-- `guru_id`, `guru_label` and `guru_status` are of the guru that the user owns, or NULL, so that a console call needs no
-- second round trip.
--
-- Called by: auth, for each request with a session cookie.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_session(wanted bytea)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz, guru_id uuid, guru_label text,
               guru_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at,
         g.id, g.label, g.status
    FROM sessions s JOIN users u ON u.user_id = s.user_id
    LEFT JOIN memberships m ON m.user_id = s.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
   WHERE s.secret_hash = wanted AND s.expires_at > app.now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_session(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_session(bytea) TO porchlight_app, porchlight_overseer;

-- file: functions/front_page.sql
-- Return the newest active gurus, those with recent posts first, and the newest published posts.
--
-- Called by: front_page.
-- SECURITY DEFINER: it reads posts across all tenants and returns only public fields.
CREATE OR REPLACE FUNCTION app.front_page(max_gurus integer, max_posts integer) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH newest AS MATERIALIZED (
    SELECT id, label, character, category, tagline, primary_color, secondary_color, icon, emoji
      FROM gurus WHERE status = 'active' ORDER BY created_at DESC LIMIT 3 * max_gurus
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
REVOKE ALL ON FUNCTION app.front_page(integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.front_page(integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/get_or_create_appointment.sql
-- Return the live session of a service at a start with `seats` free seats; create it if the guru is free then. The
-- exclusion constraint and the counter of seats decide. The caller holds the lock of the calendar.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not.
-- Outcomes: found; stale (compute again: the rules changed, or holds expired); slot_gone, slot_taken, session_full.
--
-- Called by: app.hold_seat and app.move_booking.
CREATE OR REPLACE FUNCTION app.get_or_create_appointment(
  new_appointment_id uuid, wanted_service uuid, wanted_start timestamptz, seats integer, expected_rules bigint,
  OUT outcome text, OUT appointment_id uuid)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  calendar calendars;
  settings booking_settings;
  minutes integer;
  wanted_end timestamptz;
  appointment appointments;
BEGIN
  SELECT * INTO calendar FROM calendars c WHERE c.tenant_id = tenant;
  SELECT * INTO settings FROM booking_settings s WHERE s.tenant_id = tenant AND s.service_id = wanted_service AND s.open;
  SELECT s.duration_minutes INTO minutes FROM services s JOIN gurus g ON g.id = s.tenant_id AND g.status = 'active'
   WHERE s.tenant_id = tenant AND s.id = wanted_service AND NOT s.over_limit;
  IF calendar.tenant_id IS NULL OR settings.service_id IS NULL OR minutes IS NULL OR wanted_start <= app.now() THEN
    outcome := 'slot_gone';
    RETURN;
  ELSIF calendar.rules_version <> expected_rules THEN
    outcome := 'stale';
    RETURN;
  END IF;
  SELECT * INTO appointment FROM appointments a
   WHERE a.tenant_id = tenant AND a.live AND a.service_id = wanted_service AND a.starts_at = wanted_start;
  IF appointment.id IS NOT NULL THEN
    outcome := 'found';
    appointment_id := appointment.id;
    IF appointment.taken + seats > appointment.capacity OR appointment.waiting > 0 THEN
      outcome := 'session_full';
    END IF;
  ELSIF settings.starts = 'fixed' THEN
    outcome := 'slot_gone';
  ELSIF seats > settings.capacity THEN
    outcome := 'session_full';
  ELSIF calendar.day_max <= (
      SELECT count(*) FROM appointments a
       WHERE a.tenant_id = tenant AND a.live AND a.kind = 'session'
         AND a.starts_at >= date_trunc('day', wanted_start, calendar.zone)
         AND a.starts_at < (date_trunc('day', wanted_start AT TIME ZONE calendar.zone) + interval '1 day')
                           AT TIME ZONE calendar.zone) THEN
    outcome := 'slot_taken';
  ELSE
    wanted_end := wanted_start + make_interval(mins => minutes);
    INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, blocked, capacity)
    VALUES (tenant, new_appointment_id, wanted_service, wanted_start, wanted_end, calendar.zone,
            tstzrange(wanted_start - make_interval(mins => settings.setup_minutes),
                      wanted_end + make_interval(mins => settings.cleanup_minutes)), settings.capacity);
    outcome := 'found';
    appointment_id := new_appointment_id;
  END IF;
EXCEPTION WHEN exclusion_violation THEN
  outcome := 'slot_taken';
END $$;

-- file: functions/group_contact_message.sql
-- Leave the running job's message to the next digest if its hour had `max_emails` messages before it. Return whether it
-- was. The digest job starts a minute after the hour, and there is one for each hour: a message that is grouped at the end
-- of the hour is in it.
--
-- Called by: contact, in the job contact:notify_staff.
-- SECURITY DEFINER: the app role may add messages and read nothing. The message's id comes from the job.
CREATE OR REPLACE FUNCTION app.group_contact_message(max_emails integer) RETURNS boolean
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
                      NULL, next_hour + interval '1 minute');
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.group_contact_message(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.group_contact_message(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/hold_seat.sql
-- Keep `seats` seats of a service at a start for ten minutes, for the current user or for a visitor, and return the
-- outcome. One transaction with the lock of the calendar; the exclusion constraint and the counter of seats decide.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not. Outcomes:
-- held (also for the same token again, if its hold has expired for a new one); stale (compute again: the rules changed,
-- or holds expired); slot_gone, slot_taken, session_full, already_booked, party_too_large; limited (too many holds of
-- this address, of this user or of visitors on this day).
--
-- Called by: bookings.
-- SECURITY DEFINER: a visitor is no party of a booking. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.hold_seat(
  new_id uuid, new_appointment_id uuid, wanted_service uuid, wanted_start timestamptz, seats integer, token_hash bytea,
  address bytea, expected_rules bigint, max_of_visitors integer,
  OUT outcome text, OUT held_until timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  calendar calendars;
  day_start timestamptz;
  day_end timestamptz;
  appointment uuid;
BEGIN
  IF seats > (SELECT s.party_max FROM booking_settings s
               WHERE s.tenant_id = tenant AND s.service_id = wanted_service AND s.open) THEN
    outcome := 'party_too_large';
    RETURN;
  END IF;
  -- Without the lock, so that many people who want a start that is gone do not wait for each other.
  IF NOT EXISTS (SELECT FROM bookings b WHERE b.tenant_id = tenant AND b.expires_at <= app.now())
     AND NOT EXISTS (SELECT FROM bookings b WHERE b.tenant_id = tenant AND b.hold_hash = token_hash) THEN
    SELECT CASE WHEN a.service_id IS DISTINCT FROM wanted_service OR a.starts_at <> wanted_start THEN 'slot_taken'
                WHEN a.taken + seats > a.capacity OR a.waiting > 0 THEN 'session_full' END INTO outcome
      FROM appointments a WHERE a.tenant_id = tenant AND a.live AND a.blocked @> wanted_start;
    outcome := coalesce(outcome, CASE WHEN expected_rules = -1 THEN 'slot_gone' END);
    IF outcome IS NOT NULL THEN
      RETURN;
    END IF;
  END IF;
  calendar := app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT 'held', b.expires_at INTO outcome, held_until FROM bookings b
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'held';
  IF outcome = 'held' THEN  -- the same request, sent again
    RETURN;
  END IF;
  UPDATE bookings b SET hold_hash = NULL
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'expired';
  day_start := date_trunc('day', wanted_start AT TIME ZONE calendar.zone) AT TIME ZONE calendar.zone;
  day_end := (date_trunc('day', wanted_start AT TIME ZONE calendar.zone) + interval '1 day') AT TIME ZONE calendar.zone;
  IF calendar.rules_version = expected_rules AND (CASE WHEN person IS NULL THEN
       (SELECT count(*) >= 10 OR count(*) FILTER (WHERE b.status = 'held') >= 3 FROM bookings b
         WHERE b.tenant_id = tenant AND b.address_hash = address AND b.created_at > app.now() - interval '1 hour')
       OR (SELECT count(*) >= max_of_visitors FROM bookings b
            WHERE b.tenant_id = tenant AND b.person_id IS NULL AND b.status = 'held'
              AND b.starts_at >= day_start AND b.starts_at < day_end)
     ELSE
       (SELECT count(*) FILTER (WHERE b.status = 'held' AND b.address_hash IS NOT NULL) >= 2  -- without offers
               OR count(*) FILTER (WHERE b.status = 'requested') >= 3
          FROM bookings b WHERE b.person_id = person AND b.tenant_id = tenant AND b.expires_at IS NOT NULL)
     END) THEN
    outcome := 'limited';
    RETURN;
  END IF;
  SELECT f.outcome, f.appointment_id INTO outcome, appointment
    FROM app.get_or_create_appointment(new_appointment_id, wanted_service, wanted_start, seats, expected_rules) f;
  IF outcome <> 'found' THEN
    RETURN;
  END IF;
  held_until := app.now() + interval '10 minutes';
  outcome := CASE WHEN app.create_hold(new_id, appointment, person, seats, token_hash, address, held_until)
                  THEN 'held' ELSE 'already_booked' END;
END $$;
REVOKE ALL ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer)
    TO porchlight_app;

-- file: functions/instant_standing.sql
-- Return whether the current user can take an instant payout by our own rules, and what it depends on. `reason` is the
-- code of the first rule against it, or empty; Stripe's balance decides the rest. `left_cents`: what today's limits
-- leave, of the user and of the platform. Days are US Central, as at Stripe.
--
-- `limits` has the settings daily_count, daily_cents, platform_daily_cents, first_sale_days and change_hours.
--
-- Called by: payouts and app.request_payout.
-- SECURITY DEFINER: the ledger, and the sum of today's payouts of all users. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.instant_standing(limits jsonb, OUT account_id text, OUT reason text,
                                                OUT left_cents bigint, OUT ledger_cents bigint, OUT held bigint,
                                                OUT debt bigint, OUT destinations text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  owner uuid := app.user_id();
  account payout_accounts;
  stripe bigint;
  today timestamptz := date_trunc('day', app.now() AT TIME ZONE 'America/Chicago') AT TIME ZONE 'America/Chicago';
  own record;
  all_cents bigint;
  first_sale timestamptz;
BEGIN
  SELECT a.* INTO account FROM payout_accounts a WHERE a.user_id = owner;
  SELECT b.held, b.debt, b.stripe INTO held, debt, stripe FROM app.own_ledger_balances() b;
  SELECT coalesce(sum(b.credits - b.debits - b.reserved), 0) INTO ledger_cents
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
   WHERE a.user_id = owner AND a.kind = 'guru_stripe';
  SELECT count(*) AS payouts, coalesce(sum(p.amount), 0) AS cents INTO own FROM payouts p
   WHERE p.user_id = owner AND p.method = 'instant' AND NOT p.automatic AND p.created_at >= today
     AND p.state NOT IN ('failed', 'canceled');
  SELECT coalesce(sum(p.amount), 0) INTO all_cents FROM payouts p
   WHERE p.method = 'instant' AND NOT p.automatic AND p.created_at >= today AND p.state NOT IN ('failed', 'canceled');
  SELECT t.at INTO first_sale
    FROM ledger_accounts a JOIN ledger_transfers l ON l.credit_account = a.id
    JOIN ledger_transactions t ON t.id = l.transaction_id
   WHERE a.user_id = owner AND a.kind IN ('guru_held', 'guru_payable') AND t.event <> 'test_earnings'
   ORDER BY t.at LIMIT 1;
  account_id := CASE WHEN account.connected THEN account.account_id END;
  destinations := account.destinations;
  left_cents := greatest(least((limits ->> 'daily_cents')::bigint - own.cents,
                               (limits ->> 'platform_daily_cents')::bigint - all_cents), 0);
  reason := CASE
    WHEN NOT coalesce(account.connected AND account.details_submitted, false) THEN 'not_connected_yet'
    WHEN NOT account.payouts_enabled THEN 'payouts_paused'
    WHEN debt > 0 OR stripe < 0 THEN 'balance_negative'
    WHEN EXISTS (SELECT FROM payouts p WHERE p.account_id = account.account_id AND NOT p.automatic
                    AND p.state IN ('requested', 'sent')) THEN 'payout_in_progress'
    WHEN first_sale > app.now() - make_interval(days => (limits ->> 'first_sale_days')::integer) THEN 'first_sale_is_new'
    WHEN account.destinations_changed_at > app.now() - make_interval(hours => (limits ->> 'change_hours')::integer)
      THEN 'destination_is_new'
    WHEN own.payouts >= (limits ->> 'daily_count')::integer OR own.cents >= (limits ->> 'daily_cents')::bigint
      THEN 'payout_limit'
    WHEN all_cents >= (limits ->> 'platform_daily_cents')::bigint THEN 'platform_limit'
    ELSE '' END;
END $$;
REVOKE ALL ON FUNCTION app.instant_standing(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.instant_standing(jsonb) TO porchlight_app;

-- file: functions/join_waitlist.sql
-- Add the current user to the waitlist of a full session, and return the outcome. Someone who waits already keeps their
-- place. Outcomes: joined; session_has_spots, slot_gone, slot_taken (a session for one party), party_too_large,
-- already_booked; waitlist_full; limited (the user waits for 20 sessions). Locks the calendar.
--
-- Called by: bookings.
-- SECURITY DEFINER: the app role may only read the waitlist. The tenant and the user are those of the transaction.
CREATE OR REPLACE FUNCTION app.join_waitlist(
  wanted_service uuid, wanted_start timestamptz, seats integer, OUT outcome text, OUT appointment_id uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  settings booking_settings;
  session appointments;
BEGIN
  PERFORM app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT * INTO settings FROM booking_settings t WHERE t.tenant_id = tenant AND t.service_id = wanted_service AND t.open;
  SELECT a.* INTO session FROM appointments a JOIN gurus g ON g.id = a.tenant_id AND g.status = 'active'
   WHERE a.tenant_id = tenant AND a.live AND a.service_id = settings.service_id AND a.starts_at = wanted_start
     AND a.starts_at > app.now() + interval '15 minutes';
  appointment_id := session.id;
  IF person IS NULL OR session.id IS NULL THEN
    outcome := 'slot_gone';
  ELSIF EXISTS (SELECT FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = session.id
                                         AND w.person_id = person AND w.status IN ('waiting', 'offered')) THEN
    outcome := 'joined';
  ELSIF EXISTS (SELECT FROM bookings b WHERE b.tenant_id = tenant AND b.appointment_id = session.id
                                         AND b.person_id = person AND b.status IN ('held', 'requested', 'confirmed')) THEN
    outcome := 'already_booked';
  ELSIF session.capacity = 1 THEN
    outcome := 'slot_taken';
  ELSIF seats > least(settings.party_max, session.capacity) THEN
    outcome := 'party_too_large';
  ELSIF session.waiting = 0 AND session.taken + seats <= session.capacity THEN
    outcome := 'session_has_spots';
  ELSIF session.waiting >= 100 THEN
    outcome := 'waitlist_full';
  ELSIF (SELECT count(*) >= 20 FROM waitlist w
          WHERE w.person_id = person AND w.status IN ('waiting', 'offered') AND w.starts_at > app.now()) THEN
    outcome := 'limited';
  ELSE
    INSERT INTO waitlist (tenant_id, appointment_id, number, person_id, party, guru_label, guru_name, service_id,
                          service_name, starts_at, ends_at, zone)
    SELECT tenant, session.id,
           (SELECT coalesce(max(w.number), 0) + 1 FROM waitlist w
             WHERE w.tenant_id = tenant AND w.appointment_id = session.id),
           person, seats, g.label, g.character, s.id, s.name, session.starts_at, session.ends_at, c.zone
      FROM gurus g JOIN services s ON s.tenant_id = g.id AND s.id = wanted_service
      JOIN calendars c ON c.tenant_id = g.id
     WHERE g.id = tenant;
    -- A seat may be free that is too little for those before.
    PERFORM app.offer_seats(session.id);
    outcome := 'joined';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.join_waitlist(uuid, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.join_waitlist(uuid, timestamptz, integer) TO porchlight_app;

-- file: functions/leave_waitlist.sql
-- Take the current user off the waitlist of a session, and release what was offered to them. Locks the calendar.
--
-- Called by: bookings.
-- SECURITY DEFINER: the app role may only read the waitlist. The tenant and the user are those of the transaction.
CREATE OR REPLACE FUNCTION app.leave_waitlist(left_appointment uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  was_offered boolean;
BEGIN
  PERFORM app.lock_calendar();
  SELECT w.status = 'offered' INTO was_offered FROM waitlist w
   WHERE w.tenant_id = app.tenant_id() AND w.appointment_id = left_appointment AND w.person_id = app.user_id()
     AND w.status IN ('waiting', 'offered');
  UPDATE waitlist w SET status = 'left'
   WHERE w.tenant_id = app.tenant_id() AND w.appointment_id = left_appointment AND w.person_id = app.user_id()
     AND w.status IN ('waiting', 'offered');
  IF was_offered THEN
    UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = app.now(), ended_by = 'person'
     WHERE b.tenant_id = app.tenant_id() AND b.appointment_id = left_appointment AND b.person_id = app.user_id()
       AND b.status = 'held';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.leave_waitlist(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.leave_waitlist(uuid) TO porchlight_app;

-- file: functions/ledger_expire.sql
-- Release the holds whose time is over, and return their number. Holds that another transaction is ending are left to it.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_expire() RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  due record;
  expired integer := 0;
BEGIN
  FOR due IN SELECT h.subject_kind, h.subject_id FROM ledger_holds h WHERE h.state = 'held' AND h.expires_at <= app.now()
              ORDER BY h.account_id, h.id FOR UPDATE SKIP LOCKED
  LOOP
    PERFORM app.ledger_release(due.subject_kind, due.subject_id, 'expired');
    expired := expired + 1;
  END LOOP;
  RETURN expired;
END $$;
REVOKE ALL ON FUNCTION app.ledger_expire() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_expire() TO porchlight_overseer;

-- file: functions/ledger_release.sql
-- End the hold of a subject as posted, voided or expired, and return its id. Ending it the same way again changes
-- nothing; another end, or a subject without a hold, raises ledger_conflict.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_release(subject_kind text, subject_id text, state text)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  ended ledger_holds;
BEGIN
  UPDATE ledger_holds h SET state = ledger_release.state, ended_at = app.now()
   WHERE h.subject_kind = ledger_release.subject_kind AND h.subject_id = ledger_release.subject_id AND h.state = 'held'
  RETURNING h.* INTO ended;
  IF FOUND THEN
    UPDATE ledger_balances b SET reserved = b.reserved - ended.amount WHERE b.account_id = ended.account_id;
    RETURN ended.id;
  END IF;
  SELECT h.* INTO ended FROM ledger_holds h
   WHERE h.subject_kind = ledger_release.subject_kind AND h.subject_id = ledger_release.subject_id;
  IF ended.state IS DISTINCT FROM ledger_release.state THEN
    RAISE unique_violation USING CONSTRAINT = 'ledger_conflict',
      MESSAGE = format('the hold of %s %s: %s', ledger_release.subject_kind, ledger_release.subject_id,
                       coalesce(ended.state, 'there is none'));
  END IF;
  RETURN ended.id;
END $$;
REVOKE ALL ON FUNCTION app.ledger_release(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_release(text, text, text) TO porchlight_overseer;

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
    UPDATE phrases p SET searched_on = app.now()::date
     WHERE p.words = normalized AND NOT p.in_use AND p.searched_on < app.now()::date;
  ELSIF (SELECT count(*) FROM (SELECT FROM phrases p WHERE p.related_by IS NULL LIMIT 500) waiting) < 500
     AND (SELECT count(*) FROM (SELECT FROM phrases p WHERE NOT p.in_use LIMIT 50000) searched) < 50000 THEN
    RETURN QUERY SELECT app.get_or_create_phrase(search_text, false), NULL::text;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.lookup_phrase(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lookup_phrase(text) TO porchlight_app, porchlight_overseer;

-- file: functions/move_booking.sql
-- Move a confirmed booking of the current user, or of the guru who acts, to another start of its service, and return
-- the outcome. Price and terms stay. The old seats become free only with the new ones. A session without other bookings
-- does not block the time that its booking moves to, so it ends first. With `is_counted`, it is one of the moves that
-- the terms allow.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not.
-- Outcomes: moved; booking_changed; already_booked; those of app.get_or_create_appointment.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.move_booking(
  moved_id uuid, new_appointment_id uuid, wanted_start timestamptz, expected_rules bigint, is_counted boolean,
  OUT outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  booking bookings;
  appointment uuid;
BEGIN
  PERFORM app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT * INTO booking FROM bookings b
   WHERE b.tenant_id = tenant AND b.id = moved_id AND b.status = 'confirmed' AND b.starts_at > app.now()
     AND (b.person_id = app.user_id() OR b.tenant_id = app.acting_tenant_id());
  IF booking.id IS NULL THEN
    outcome := 'booking_changed';
    RETURN;
  END IF;
  BEGIN
    UPDATE appointments a SET live = false
     WHERE a.tenant_id = tenant AND a.id = booking.appointment_id AND a.taken = booking.party AND NOT a.fixed
       AND a.waiting = 0;
    SELECT f.outcome, f.appointment_id INTO outcome, appointment
      FROM app.get_or_create_appointment(
        new_appointment_id, booking.service_id, wanted_start, booking.party, expected_rules) f;
    IF outcome <> 'found' THEN
      RAISE EXCEPTION 'the booking stays at its time';  -- undo the end of its session
    END IF;
    UPDATE bookings b
       SET appointment_id = a.id, starts_at = a.starts_at, ends_at = a.ends_at, sequence = b.sequence + 1,
           moves = b.moves + is_counted::integer
      FROM appointments a
     WHERE b.tenant_id = tenant AND b.id = moved_id AND a.tenant_id = tenant AND a.id = appointment;
    outcome := 'moved';
  EXCEPTION
    WHEN raise_exception THEN
      NULL;
    WHEN unique_violation THEN
      outcome := 'already_booked';
  END;
END $$;
REVOKE ALL ON FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean) TO porchlight_app;

-- file: functions/need_status.sql
-- Return the state of a need for a user who wants to make an offer: open, asked (addressed to another angel), own,
-- closed, or NULL when there is no such need.
--
-- Called by: angels, before an offer is stored.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.need_status(need uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN n.user_id = app.user_id() THEN 'own'
              WHEN n.asked_user_id <> app.user_id() THEN 'asked'
              WHEN n.status = 'open' AND n.expires_at > app.now() THEN 'open'
              ELSE 'closed' END
    FROM needs n JOIN users u ON u.user_id = n.user_id WHERE n.id = need AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.need_status(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.need_status(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/offer_seats.sql
-- Offer the free seats of a session to those who wait for it: each time to the first whose party fits. An offer is a
-- hold for two hours, but not later than an hour before the start, and at least 15 minutes. An email tells the person.
-- The caller holds the lock of the calendar.
--
-- Called by: the trigger on appointments, app.join_waitlist and app.expire_bookings.
-- SECURITY DEFINER: those who wait are other users. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.offer_seats(offered_appointment uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  session appointments;
  entry waitlist;
  offer_id uuid;
  offered_until timestamptz;
BEGIN
  LOOP
    SELECT a.* INTO session
      FROM appointments a
      JOIN gurus g ON g.id = a.tenant_id AND g.status = 'active'
      JOIN booking_settings t ON t.tenant_id = a.tenant_id AND t.service_id = a.service_id AND t.open
     WHERE a.tenant_id = tenant AND a.id = offered_appointment;
    offered_until := greatest(least(app.now() + interval '2 hours', session.starts_at - interval '1 hour'),
                              app.now() + interval '15 minutes');
    SELECT * INTO entry FROM waitlist w
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.status = 'waiting'
       AND w.party <= session.capacity - session.taken AND offered_until <= session.starts_at
     ORDER BY w.number LIMIT 1;
    EXIT WHEN entry.number IS NULL;
    offer_id := gen_random_uuid();
    UPDATE waitlist w
       SET status = CASE WHEN app.create_hold(offer_id, session.id, entry.person_id, entry.party, NULL, NULL,
                                              offered_until) THEN 'offered' ELSE 'taken' END
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.number = entry.number;
    PERFORM app.queue_booking_emails(b, 'spot_free', ARRAY['person']) FROM bookings b
      WHERE b.tenant_id = tenant AND b.id = offer_id;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION app.offer_seats(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offer_seats(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/open_needs.sql
-- Return one page of the open needs, newest first. `only_matching` keeps those that match the user's own
-- angel services.
--
-- Called by: angels, for the list of needs.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.open_needs(service text, only_matching boolean, before uuid, max_rows integer)
RETURNS TABLE (id uuid, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT n.id, app.need_card(n) FROM needs n
   WHERE n.status = 'open' AND n.expires_at > app.now() AND n.user_id <> app.user_id()
     AND (n.asked_user_id IS NULL OR n.asked_user_id = app.user_id())
     AND (service = '' OR n.service_id = service) AND (before IS NULL OR n.id < before)
     AND (NOT only_matching OR n.asked_user_id = app.user_id() OR EXISTS (
           SELECT FROM angels a WHERE a.user_id = app.user_id() AND a.service_id = n.service_id AND a.active
              AND app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles))
   ORDER BY n.id DESC LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.open_needs(text, boolean, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_needs(text, boolean, uuid, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/open_offer.sql
-- Give the hold that was offered to the current user a token, by which they book it, and return until when it is
-- theirs. Returns null if there is none any more. Locks the calendar.
--
-- Called by: bookings, when someone from the waitlist wants to book.
-- SECURITY DEFINER: the app role cannot change the token of a booking. The tenant and the user are those of the
-- transaction.
CREATE OR REPLACE FUNCTION app.open_offer(offered_appointment uuid, token_hash bytea) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  held_until timestamptz;
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b SET hold_hash = token_hash
    FROM waitlist w
   WHERE b.tenant_id = app.tenant_id() AND b.appointment_id = offered_appointment AND b.person_id = app.user_id()
     AND b.status = 'held' AND b.expires_at > app.now()
     AND w.tenant_id = b.tenant_id AND w.appointment_id = b.appointment_id AND w.person_id = b.person_id
     AND w.status = 'offered'
  RETURNING b.expires_at INTO held_until;
  RETURN held_until;
END $$;
REVOKE ALL ON FUNCTION app.open_offer(uuid, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_offer(uuid, bytea) TO porchlight_app;

-- file: functions/owners_of_expired_needs.sql
-- Return the users with an open need whose last day is over.
--
-- Called by: angels, in the job angels:expire_needs.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.owners_of_expired_needs() RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('angels:expire_needs');
  RETURN QUERY SELECT DISTINCT n.user_id FROM needs n WHERE n.status = 'open' AND n.expires_at <= app.now();
END $$;
REVOKE ALL ON FUNCTION app.owners_of_expired_needs() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.owners_of_expired_needs() TO porchlight_app, porchlight_overseer;

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
    SELECT s.plan, CASE s.state WHEN 'past_due' THEN s.past_due_since + interval '14 days'
                                WHEN 'canceled' THEN coalesce(s.past_due_since, s.period_end) + interval '14 days' END,
           'subscription'
      FROM subscriptions s WHERE s.user_id = wanted AND s.state IN ('active', 'past_due', 'canceled')
       AND (s.state <> 'canceled' OR coalesce(s.past_due_since, s.period_end) IS NOT NULL)) r
   WHERE r.until IS NULL OR r.until > app.now()
   ORDER BY r.plan = 'premium-angel' DESC, r.until DESC NULLS FIRST
$$;
REVOKE ALL ON FUNCTION app.plan_rights(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_rights(uuid) TO porchlight_overseer;

-- file: functions/porch_lights.sql
-- Return the porch lights that are on, the newest first: of neighbors by handle and gurus by label (both empty: of all),
-- and in a box of south, west, north and east in degrees (NULL: everywhere).
--
-- Called by: porch_lights.
-- SECURITY DEFINER: it reads the lights of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.porch_lights(
  handles text[], labels text[], box double precision[], max_rows integer)
RETURNS TABLE (expires_at timestamptz, city text, latitude double precision, longitude double precision, card jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF handles || labels = '{}' THEN
    -- In the order of ix_porch_lights_turned_on_at: no more cards are made than lights are returned.
    RETURN QUERY
      SELECT l.expires_at, l.city, l.latitude, l.longitude, c.card
        FROM porch_lights l CROSS JOIN LATERAL (SELECT app.helper_card(l.user_id) AS card OFFSET 0) c
       WHERE l.expires_at > app.now() AND c.card IS NOT NULL
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4])
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  ELSE
    RETURN QUERY
      SELECT l.expires_at, l.city, l.latitude, l.longitude, c.card
        FROM (SELECT p.user_id FROM profiles p WHERE p.handle = ANY (handles) AND p.is_public
               UNION
              SELECT m.user_id FROM gurus g JOIN memberships m ON m.tenant_id = g.id WHERE g.label = ANY (labels)) w
        JOIN porch_lights l ON l.user_id = w.user_id
       CROSS JOIN LATERAL (SELECT app.helper_card(l.user_id) AS card OFFSET 0) c
       WHERE l.expires_at > app.now() AND c.card IS NOT NULL
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4])
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) TO porchlight_app,
    porchlight_overseer;

-- file: functions/queue_booking_emails.sql
-- Queue the emails about a change of a booking to the given sides (person, guru), and the job that sends them. An email
-- that was queued before is not queued again. Bookings of a series that change together have one email to each side,
-- unless it cancels them: a calendar file can cancel one event only. The function restores the tenant that was set
-- before.
--
-- Called by: the trigger add_booking_emails, and functions that offer a free seat.
-- SECURITY DEFINER: the app role cannot add rows to the table.
CREATE OR REPLACE FUNCTION app.queue_booking_emails(b bookings, email_kind text, sides text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', b.tenant_id::text, true);
  IF b.series_id IS NOT NULL AND email_kind <> 'canceled' AND EXISTS (
       SELECT FROM booking_emails e JOIN bookings o ON o.tenant_id = e.tenant_id AND o.id = e.booking_id
        WHERE o.tenant_id = b.tenant_id AND o.person_id = b.person_id AND o.series_id = b.series_id AND o.id <> b.id
          AND e.kind = email_kind AND e.created_at = app.now()) THEN  -- of this transaction
    PERFORM set_config('app.tenant_id', previous_tenant, true);
    RETURN;
  END IF;
  -- The job below sends them at once. If it is lost, another one is queued a minute later.
  INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
  SELECT b.tenant_id, b.id, email_kind, s.side, b.sequence, b.person_id, app.now() + interval '1 minute'
    FROM unnest(sides) AS s (side) ON CONFLICT DO NOTHING;
  PERFORM app.enqueue('bookings:send_emails', jsonb_build_object('booking_id', b.id), NULL);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
END $$;
REVOKE ALL ON FUNCTION app.queue_booking_emails(bookings, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_booking_emails(bookings, text, text[]) TO porchlight_overseer;

-- file: functions/queue_lead_digest.sql
-- Start the job that emails the leads that wait for a digest, a minute after this hour. A guru has one such job an hour.
-- The hour is part of its queueing lock and the minute passes before it starts, so a lead that is grouped at the end of
-- the hour is in the digest.
--
-- Called by: leads, in the job leads:notify_guru.
-- SECURITY DEFINER: the app role may not call app.enqueue. The guru comes from the job.
CREATE OR REPLACE FUNCTION app.queue_lead_digest() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('leads:notify_guru');
  next_hour timestamptz := date_trunc('hour', app.now()) + interval '1 hour';
BEGIN
  PERFORM app.enqueue('leads:send_digest', jsonb_build_object('tenant_id', args ->> 'tenant_id'),
                      format('leads:send_digest:%s:%s', args ->> 'tenant_id', extract(epoch FROM next_hour)::bigint),
                      NULL, next_hour + interval '1 minute');
END $$;
REVOKE ALL ON FUNCTION app.queue_lead_digest() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_lead_digest() TO porchlight_app, porchlight_overseer;

-- file: functions/release_hold.sql
-- Give up a hold, so that its time is free at once. Returns false if it is no hold any more. Locks the calendar.
--
-- Called by: bookings.
-- SECURITY DEFINER: a visitor is no party of a booking. The token is the permission.
CREATE OR REPLACE FUNCTION app.release_hold(token_hash bytea) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = app.now(), ended_by = 'person'
   WHERE b.tenant_id = app.tenant_id() AND b.hold_hash = token_hash AND b.status = 'held'
     AND (b.person_id IS NULL OR b.person_id = app.user_id());
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION app.release_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.release_hold(bytea) TO porchlight_app;

-- file: functions/report_subject.sql
-- Return the subject of a report, if it is public: a site, a post (label/slug), a profile (handle) or a listing (id);
-- or a question (id), which only its two neighbors know.
--
-- Called by: app.create_report.
-- SECURITY DEFINER: it reads the rows of all tenants and users.
CREATE OR REPLACE FUNCTION app.report_subject(kind text, name text)
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
  SELECT q.id, q.id::text, left(p.display_name || ' asked: ' || q.body, 500), NULL
    FROM questions q JOIN profiles p ON p.user_id = q.user_id
   WHERE kind = 'question'
     AND q.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
$$;
REVOKE ALL ON FUNCTION app.report_subject(text, text) FROM PUBLIC;

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
     SET occurrences = least(r.occurrences, 1000000) + 1, last_seen_at = app.now(),
         asked_by = CASE WHEN r.asked_by = app.user_id() THEN r.asked_by END
   WHERE r.digest = of_digest;
  IF NOT FOUND AND (SELECT count(*) FROM (SELECT FROM risk_reviews WHERE level IS NULL LIMIT 10000) open) < 10000 THEN
    INSERT INTO risk_reviews (id, category, activity, digest, asked_by)
    VALUES (new_id, of_category, of_activity, of_digest, app.user_id()) ON CONFLICT (digest) DO NOTHING;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.request_risk_review(uuid, text, text, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_risk_review(uuid, text, text, bytea) TO porchlight_app, porchlight_overseer;

-- file: functions/start_domain_check.sql
-- Record that a guru checks a domain now. Return whether that is allowed: fewer than `most` checks within the last hour.
--
-- Called by: the console.
-- SECURITY INVOKER: the caller needs the right to write the tenant's checks.
CREATE OR REPLACE FUNCTION app.start_domain_check(tenant uuid, most integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('domains ' || tenant, 0));
  IF (SELECT count(*) FROM domain_checks c
       WHERE c.tenant_id = tenant AND c.created_at > app.now() - interval '1 hour') >= most THEN
    RETURN false;
  END IF;
  INSERT INTO domain_checks (tenant_id, id) VALUES (tenant, gen_random_uuid());
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.start_domain_check(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.start_domain_check(uuid, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/start_plan_checkout.sql
-- Start the current user's purchase of a plan, or return the open one of the same plan: however many tabs ask, there is
-- one. An open checkout of another plan, or with another page to return to, ends first. `problem`: not_set_up,
-- already_subscribed.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role may not write checkouts or create writes.
CREATE OR REPLACE FUNCTION app.start_plan_checkout(wanted_plan text, wanted_interval text, return_url text,
                                                   OUT id uuid, OUT problem text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  former plan_checkouts;
BEGIN
  PERFORM app.lock_billing(app.user_id());
  problem := CASE
    WHEN NOT EXISTS (SELECT FROM billing_catalog p WHERE p.key = wanted_plan || '-' || wanted_interval) THEN 'not_set_up'
    WHEN EXISTS (SELECT FROM subscriptions s
                  WHERE s.user_id = app.user_id() AND s.state IN ('incomplete', 'active', 'past_due'))
      THEN 'already_subscribed' END;
  IF problem IS NOT NULL THEN
    RETURN;
  END IF;
  SELECT c.* INTO former FROM plan_checkouts c WHERE c.user_id = app.user_id() AND c.state IN ('waiting', 'open');
  IF former.plan = wanted_plan AND former.interval = wanted_interval
     AND former.return_url = start_plan_checkout.return_url AND coalesce(former.expires_at > app.now(), true) THEN
    id := former.id;
    -- The write of the customer may have ended without one.
    IF former.state = 'waiting' THEN
      PERFORM app.own_billing_customer();
    END IF;
    RETURN;
  END IF;
  IF former.id IS NOT NULL THEN
    UPDATE plan_checkouts c SET state = 'replaced' WHERE c.user_id = former.user_id AND c.id = former.id;
    IF former.session_id IS NOT NULL AND former.expires_at > app.now() THEN
      PERFORM app.create_stripe_write('plan_checkout_end', former.id, '', 'POST',
        '/v1/checkout/sessions/' || former.session_id || '/expire', '{}', false);
    END IF;
  END IF;
  id := gen_random_uuid();
  INSERT INTO plan_checkouts (user_id, id, plan, interval, return_url)
  VALUES (app.user_id(), id, wanted_plan, wanted_interval, start_plan_checkout.return_url);
  IF app.own_billing_customer() IS NOT NULL THEN
    PERFORM app.send_plan_checkout(id);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.start_plan_checkout(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.start_plan_checkout(text, text, text) TO porchlight_app, porchlight_overseer;

-- file: functions/start_swap_ring_check.sql
-- Expire proposed swap rings that are older than `ttl_days`, and return users around whom to look for new ones: their
-- skills, location or availability changed.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: rings and locations of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.start_swap_ring_check(max_users integer, ttl_days integer) RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  UPDATE swap_rings SET state = 'expired'
   WHERE state = 'proposed' AND created_at < app.now() - ttl_days * interval '1 day';
  RETURN QUERY SELECT l.user_id FROM user_locations l
                WHERE l.ring_check_due AND l.availability_bits <> 0 AND l.tile >= 0
                ORDER BY l.updated_at LIMIT max_users;
END $$;
REVOKE ALL ON FUNCTION app.start_swap_ring_check(integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.start_swap_ring_check(integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/update_listed_categories.sql
-- Update which categories the current user's site lists, from the user's documents. Returns false without a guru.
-- Also updates the guru's own category, unless the owner chose a word that is no category's name. The function restores
-- the tenant that was set before.
--
-- Called by: onboarding, when a guru publishes and in the job after a document changed.
CREATE OR REPLACE FUNCTION app.update_listed_categories() RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  SELECT g.tenant_id INTO own_guru_id FROM app.own_guru() g;
  IF own_guru_id IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_config('app.tenant_id', own_guru_id::text, true);
  UPDATE guru_categories c
     SET name = s.name, position = s.place, needs_documents = s.needed, listed = s.approved, good_until = s.good_until,
         updated_at = app.now()
    FROM app.category_status(owner_id, ARRAY(SELECT o.slug FROM guru_categories o WHERE o.tenant_id = own_guru_id)) s
   WHERE c.tenant_id = own_guru_id AND c.slug = s.slug
     AND (c.name, c.position, c.needs_documents, c.listed, c.good_until)
         IS DISTINCT FROM (s.name, s.place, s.needed, s.approved, s.good_until);
  UPDATE guru_categories c SET listed = false, updated_at = app.now()
   WHERE c.tenant_id = own_guru_id AND c.listed
     AND NOT EXISTS (SELECT FROM skill_categories k WHERE k.slug = c.slug AND NOT k.coming_soon);
  UPDATE gurus g SET category = n.word
    FROM (SELECT coalesce((SELECT lower(c.name) FROM guru_categories c WHERE c.tenant_id = own_guru_id AND c.listed
                            ORDER BY c.created_at, c.position LIMIT 1), 'general') AS word) n
   WHERE g.id = own_guru_id AND g.category <> n.word
     AND (g.category = 'general' OR g.category IN (SELECT lower(k.name) FROM skill_categories k));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN true;
END $$;

-- file: triggers/audit.sql
-- Keep the audit log a chain of hashes to which rows can only be added.
--
-- Each entry gets the next number without a gap, the time of the statement, and a hash that covers the previous entry: changing,
-- inserting or removing an old entry breaks the chain from there on. The lock on audit_head serializes entries.
-- SECURITY DEFINER: every role that writes the log must move audit_head, and no role may write that table.
--
-- Fires on: audit_log, audit_seals.
CREATE OR REPLACE FUNCTION app.audit_append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  head audit_head;
BEGIN
  SELECT * INTO head FROM audit_head FOR UPDATE;
  NEW.id := head.id + 1;
  NEW.at := clock_timestamp() + (app.now() - now());
  NEW.previous := head.hash;
  NEW.hash := app.audit_hash(NEW);
  UPDATE audit_head SET id = NEW.id, hash = NEW.hash;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER audit_append BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION app.audit_append();

-- The chain starts with this row.
INSERT INTO audit_head (id, hash) VALUES (0, '') ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION app.audit_forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log only grows';
END $$;

CREATE OR REPLACE TRIGGER audit_forbid_change BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION app.audit_forbid_change();
CREATE OR REPLACE TRIGGER audit_forbid_truncate BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION app.audit_forbid_change();
CREATE OR REPLACE TRIGGER audit_forbid_change BEFORE UPDATE OR DELETE ON audit_seals
    FOR EACH ROW EXECUTE FUNCTION app.audit_forbid_change();
CREATE OR REPLACE TRIGGER audit_forbid_truncate BEFORE TRUNCATE ON audit_seals
    FOR EACH STATEMENT EXECUTE FUNCTION app.audit_forbid_change();

-- file: triggers/booking_emails.sql
-- Queue the emails about each change of a booking, in the transaction of the change, so that no change is without them.
--
-- Fires on: bookings.
-- SECURITY DEFINER: the app role may not queue these emails itself.
CREATE OR REPLACE FUNCTION app.add_booking_emails() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  event text := app.booking_event(OLD, NEW);
  kind text := CASE
    WHEN event = 'moved' AND OLD.proposed_start = NEW.starts_at AND NEW.moves = OLD.moves THEN 'move_accepted'
    WHEN OLD.status = 'confirmed' AND NEW.status = 'confirmed' THEN event
    WHEN event = 'canceled' AND NEW.ended_by = 'person' AND OLD.proposed_until > app.now() THEN 'move_declined'
    WHEN OLD.status = 'held' AND NEW.status = 'requested' THEN 'requested'
    WHEN OLD.status = 'held' AND NEW.status = 'confirmed' THEN 'booked'
    WHEN OLD.status = 'requested' AND NEW.status = 'confirmed' THEN 'accepted'
    WHEN OLD.status = 'requested' AND NEW.status = 'declined' THEN 'declined'
    WHEN OLD.status = 'requested' AND NEW.status = 'expired' THEN 'expired'
    WHEN OLD.status = 'requested' AND NEW.status = 'canceled' THEN 'withdrawn'
    WHEN OLD.status = 'confirmed' AND NEW.status = 'canceled' THEN 'canceled'
  END;
BEGIN
  IF kind LIKE 'propos%' THEN
    NEW.sequence := NEW.proposals;  -- in the key of the email: a proposal does not change the session
  END IF;
  IF kind IS NOT NULL THEN
    PERFORM app.queue_booking_emails(NEW, kind, CASE
      WHEN kind IN ('declined', 'expired', 'proposed', 'proposal_withdrawn') THEN ARRAY['person']
      WHEN kind IN ('withdrawn', 'proposal_expired', 'proposal_lapsed') THEN ARRAY['guru']
      ELSE ARRAY['person', 'guru'] END);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_emails AFTER UPDATE OF status, starts_at, proposed_start ON bookings
    FOR EACH ROW WHEN (NEW.person_id IS NOT NULL
                       AND (OLD.status, OLD.starts_at, OLD.proposed_start, OLD.proposals)
                       IS DISTINCT FROM (NEW.status, NEW.starts_at, NEW.proposed_start, NEW.proposals))
    EXECUTE FUNCTION app.add_booking_emails();

-- file: triggers/booking_waivers.sql
-- Keep the waiver of each open booking up to date: when its person accepts a waiver or one ends, the booking gets the
-- waiver that covers its level and is valid longest; only another signed one replaces a signed one. Without one,
-- `waiver_until` is in the past. A later text of the guru is for new bookings, so it does not matter here. The function
-- restores the tenant and the user that were set before.
--
-- Fires on: waivers. Locks the calendar, so that a booking that is made meanwhile sees the change or is changed.
-- SECURITY DEFINER: neither party may write these columns.
CREATE OR REPLACE FUNCTION app.update_booking_waivers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  levels text[] := ARRAY['low', 'medium', 'high', 'extreme'];
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  previous_user text := coalesce(current_setting('app.user_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.guru_id::text, true), set_config('app.user_id', NEW.user_id::text, true);
  PERFORM app.lock_calendar();
  UPDATE bookings b SET (waiver_id, waiver_until) = (
    SELECT coalesce(best.id, b.waiver_id), coalesce(best.expires_at, least(b.waiver_until, app.now()))
      FROM (SELECT) one LEFT JOIN LATERAL (
        SELECT w.id, w.expires_at FROM waivers w
         WHERE w.user_id = NEW.user_id AND w.guru_id = NEW.guru_id AND w.ended_at IS NULL AND w.expires_at > app.now()
           AND split_part(w.exchange_id, '/', 2) = b.service_id::text
           AND array_position(levels, w.level) >= array_position(levels, b.waiver_level)
           AND (w.signed OR NOT EXISTS (SELECT FROM waivers used WHERE used.user_id = NEW.user_id
                                         AND used.id = b.waiver_id AND used.signed))
         ORDER BY w.expires_at DESC LIMIT 1) best ON true)
   WHERE b.tenant_id = NEW.guru_id AND b.person_id = NEW.user_id AND b.waiver_level <> ''
     AND b.status IN ('requested', 'confirmed') AND b.ends_at > app.now()
     AND split_part(NEW.exchange_id, '/', 2) = b.service_id::text;
  PERFORM set_config('app.tenant_id', previous_tenant, true), set_config('app.user_id', previous_user, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER update_booking_waivers_insert AFTER INSERT ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL) EXECUTE FUNCTION app.update_booking_waivers();
CREATE OR REPLACE TRIGGER update_booking_waivers_update AFTER UPDATE OF ended_at ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
    EXECUTE FUNCTION app.update_booking_waivers();

-- file: triggers/bump_content_version.sql
-- Give a guru's site a new content version when its own row changes.
--
-- Fires on: gurus.
CREATE OR REPLACE FUNCTION app.bump_content_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.content_version = OLD.content_version THEN
    NEW.content_version := OLD.content_version + 1;
    NEW.updated_at := app.now();
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER bump_content_version BEFORE UPDATE ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.bump_content_version();

-- file: triggers/daily_counters.sql
-- Count each day's leads and sign-ups (UTC) for the admin overview. A count of the rows would scan every tenant's.
-- SECURITY DEFINER: no role may write the table.
--
-- Fires on: leads, users. The argument is the counter's name.
CREATE OR REPLACE FUNCTION app.count_day() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO daily_counters AS t (name, day, slot, value)
  SELECT TG_ARGV[0], (app.now() AT TIME ZONE 'UTC')::date, mod(pg_backend_pid(), 16), count(*) FROM new_rows
  HAVING count(*) > 0
  ON CONFLICT (name, day, slot) DO UPDATE SET value = t.value + excluded.value;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.count_day() FROM PUBLIC;

CREATE OR REPLACE TRIGGER count_day AFTER INSERT ON leads
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_day('leads');
CREATE OR REPLACE TRIGGER count_day AFTER INSERT ON users
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_day('sign_ups');

-- file: triggers/guru_status.sql
-- Set a guru's status from `published`, the owner's choice, unless staff suspended the site.
-- When staff lift the suspension, the site is as the owner left it. `suspended_at` is when the suspension began, and
-- `suspension_reason` is for the owner.
--
-- Fires on: gurus.
CREATE OR REPLACE FUNCTION app.guru_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'suspended' THEN
    NEW.status := CASE WHEN NEW.published THEN 'active' ELSE 'unpublished' END;
  END IF;
  NEW.suspended_at := CASE WHEN NEW.status = 'suspended' THEN coalesce(NEW.suspended_at, app.now()) END;
  NEW.suspension_reason := CASE WHEN NEW.status = 'suspended' THEN NEW.suspension_reason ELSE '' END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER guru_status BEFORE INSERT OR UPDATE OF status, published ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.guru_status();

-- file: triggers/on_user_deleted_billing.sql
-- End what an account buys when it is deleted: its customer at Stripe is deleted, and with it the card and every live
-- subscription, without another charge. Invoices and amounts stay, email addresses in former writes do not.
-- SECURITY DEFINER: the app role may not create writes.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_billing() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.lock_billing(NEW.user_id);
  PERFORM app.create_stripe_write('plan_checkout_end', c.id, '', 'POST',
            '/v1/checkout/sessions/' || c.session_id || '/expire', '{}', false)
    FROM plan_checkouts c WHERE c.user_id = NEW.user_id AND c.state = 'open' AND c.expires_at > app.now();
  UPDATE plan_checkouts SET state = 'replaced' WHERE user_id = NEW.user_id AND state IN ('waiting', 'open');
  PERFORM app.create_stripe_write('billing_customer_end', b.request_id, '', 'DELETE', '/v1/customers/' || b.customer_id,
                                  '{}', false)
    FROM billing_customers b WHERE b.user_id = NEW.user_id AND b.customer_id IS NOT NULL;
  UPDATE stripe_outbox o SET params = o.params - 'email' FROM billing_customers b
   WHERE b.user_id = NEW.user_id AND o.state IN ('done', 'refused', 'absent')
     AND (o.kind = 'billing_customer' AND o.subject_id = b.request_id
          OR o.kind = 'billing_customer_email' AND o.path = '/v1/customers/' || b.customer_id);
  UPDATE billing_customers SET card_brand = '', card_last4 = '' WHERE user_id = NEW.user_id;
  UPDATE subscriptions SET card_brand = '', card_last4 = '' WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_billing() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_billing AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_billing();

-- file: triggers/waitlist_offers.sql
-- Keep the number of those who wait for each session; offer the seats that become free; and settle an offer when its
-- hold is booked or ends. A session that ends takes no one from its waitlist. If the guru canceled it, an email tells
-- everyone who waited or had an offer.
--
-- Fires on: waitlist, appointments, bookings. The transaction holds the lock of the calendar.
-- SECURITY DEFINER: the app role may only read the waitlist. The functions restore the tenant that was set before.
CREATE OR REPLACE FUNCTION app.count_waiting() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'waiting' THEN
    UPDATE appointments a SET waiting = a.waiting - 1 WHERE a.tenant_id = OLD.tenant_id AND a.id = OLD.appointment_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'waiting' THEN
    UPDATE appointments a SET waiting = a.waiting + 1 WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_waiting AFTER INSERT OR DELETE OR UPDATE OF status ON waitlist
    FOR EACH ROW EXECUTE FUNCTION app.count_waiting();

CREATE OR REPLACE FUNCTION app.offer_freed_seats() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  notified integer;
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  IF NEW.capacity - NEW.taken > OLD.capacity - OLD.taken THEN
    PERFORM app.offer_seats(NEW.id);
  END IF;
  IF NOT (SELECT a.live FROM appointments a WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.id) THEN
    -- A session that ends with its last booking has neither taken seats nor a fixed start: it was not canceled.
    WITH ended AS (
      UPDATE waitlist w SET status = 'lapsed'
       WHERE w.tenant_id = NEW.tenant_id AND w.appointment_id = NEW.id AND w.status IN ('waiting', 'offered')
      RETURNING w.number)
    SELECT count(app.enqueue('bookings:send_waitlist_canceled',
                             jsonb_build_object('appointment_id', NEW.id, 'number', e.number), NULL))
      FROM ended e WHERE NEW.starts_at > app.now() AND (NEW.taken > 0 OR NEW.fixed) INTO notified;
  END IF;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER offer_freed_seats AFTER UPDATE OF taken, capacity, live ON appointments
    FOR EACH ROW WHEN (OLD.live AND (NOT NEW.live OR NEW.waiting > 0
                                     AND NEW.capacity - NEW.taken > OLD.capacity - OLD.taken))
    EXECUTE FUNCTION app.offer_freed_seats();

CREATE OR REPLACE FUNCTION app.settle_offer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  UPDATE waitlist w SET status = CASE WHEN NEW.status IN ('requested', 'confirmed') THEN 'taken' ELSE 'lapsed' END
   WHERE w.tenant_id = NEW.tenant_id AND w.appointment_id = NEW.appointment_id AND w.person_id = NEW.person_id
     AND (w.status = 'offered' OR w.status = 'waiting' AND NEW.status IN ('requested', 'confirmed'));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER settle_offer AFTER UPDATE OF status ON bookings
    FOR EACH ROW WHEN (OLD.status = 'held' AND NEW.status <> 'held' AND NEW.person_id IS NOT NULL)
    EXECUTE FUNCTION app.settle_offer();
