-- file: schema.sql
-- The tables of the database by feature, with their indexes, policies and grants. `make schema` writes this file
-- from the migrations; the comments are written by hand and stay. A change of a table is a migration first.
-- Functions are in functions/, triggers in triggers/, the tables of the job queue in jobs.sql.

-- The superuser installs the other extensions when it creates the database (tenants/db/roles.py).
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
CREATE SCHEMA app;
GRANT USAGE ON SCHEMA app TO porchlight_app, porchlight_overseer;


-- file: functions/angel_by_handle.sql
-- Return the user id of an active angel with a public profile, by handle and service. Excludes the caller.
--
-- Called by: angels, when a need is addressed to one angel.
-- SECURITY DEFINER: angels and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_by_handle(wanted text, service text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.user_id FROM profiles p JOIN angels a ON a.user_id = p.user_id JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND a.service_id = service AND a.active AND u.status = 'active'
     AND a.user_id <> app.user_id()
$$;
REVOKE ALL ON FUNCTION app.angel_by_handle(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_by_handle(text, text) TO porchlight_app, porchlight_overseer;

-- file: functions/angel_counters.sql
-- Count the completed needs and the ratings of the angel who completed the running job's need, for its service.
--
-- Called by: angels, in the job angels:update_counters.
-- SECURITY DEFINER: the angel's needs are rows of many owners, behind row level security. The need comes from the job
-- and must be of the job's user.
CREATE OR REPLACE FUNCTION app.angel_counters()
RETURNS TABLE (user_id uuid, service_id text, jobs integer, ratings integer, rating_sum integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:update_counters');
BEGIN
  RETURN QUERY
  SELECT d.accepted_user_id, d.service_id, count(*)::integer, count(d.rating)::integer,
         coalesce(sum(d.rating), 0)::integer
    FROM needs n JOIN needs d ON d.accepted_user_id = n.accepted_user_id AND d.service_id = n.service_id
   WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid AND d.status = 'done'
   GROUP BY d.accepted_user_id, d.service_id;
END $$;
REVOKE ALL ON FUNCTION app.angel_counters() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_counters() TO porchlight_app, porchlight_overseer;

-- file: functions/angel_score.sql
-- Return the average rating of an angel, pulled toward 4.5 by three imaginary ratings.
--
-- Called by: app.angels_for and the emails about new needs.
CREATE OR REPLACE FUNCTION app.angel_score(ratings integer, rating_sum integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (rating_sum + 3 * 4.5) / (ratings + 3);

-- file: functions/angel_stats.sql
-- Return the number of angels, their rates and their ratings per service and city, for the service cards.
--
-- Called by: angels, for the list of services.
-- SECURITY DEFINER: it reads the angels of all users and returns only sums.
CREATE OR REPLACE FUNCTION app.angel_stats()
RETURNS TABLE (service_id text, city text, angels integer, rate_sum bigint, ratings bigint, rating_sum bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.service_id, a.city, count(*)::integer, sum(a.rate_cents), sum(a.ratings), sum(a.rating_sum)
    FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
   WHERE a.active AND p.is_public AND u.status = 'active'
   GROUP BY a.service_id, a.city ORDER BY count(*) DESC, a.city LIMIT 1000
$$;
REVOKE ALL ON FUNCTION app.angel_stats() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_stats() TO porchlight_app, porchlight_overseer;

-- file: functions/angels_for.sql
-- Return one page of the active angels for a service, nearest first, then best rated.
-- Pages continue after (after_miles, after_score, after_handle).
--
-- Called by: angels, for the page of a service.
-- SECURITY DEFINER: it reads the angels of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.angels_for(
  service text, in_city text, near_latitude double precision, near_longitude double precision,
  after_miles integer, after_score double precision, after_handle text, max_rows integer)
RETURNS TABLE (handle text, miles integer, score double precision, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.handle, f.miles, f.score, jsonb_build_object(
           'handle', f.handle, 'name', f.display_name, 'photo_id', f.photo_id, 'photo_url', f.photo_url,
           'about', f.about, 'rate_cents', f.rate_cents, 'days', f.days, 'radius_miles', f.radius_miles,
           'city', f.city, 'region', f.region, 'jobs', f.jobs, 'ratings', f.ratings, 'rating_sum', f.rating_sum,
           'mine', f.user_id = app.user_id())
    FROM (SELECT a.*, p.handle, p.display_name, p.photo_id, p.photo_url,
                 app.angel_score(a.ratings, a.rating_sum) AS score,
                 CASE WHEN near_latitude IS NULL THEN 0
                      ELSE app.miles(near_latitude, near_longitude, a.latitude, a.longitude) END AS miles
            FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
           WHERE a.service_id = service AND a.active AND p.is_public AND u.status = 'active'
             AND (in_city = '' OR lower(a.city) = in_city)) f
   WHERE after_handle IS NULL OR (f.miles, -f.score, f.handle) > (after_miles, -after_score, after_handle)
   ORDER BY f.miles, -f.score, f.handle LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision, text,
    integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision,
    text, integer) TO porchlight_app, porchlight_overseer;

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
     AND n.status = 'open' AND n.expires_at > now() AND a.active AND a.user_id <> n.user_id
     AND u.status = 'active' AND u.email <> '' AND u.email_verified
     AND CASE WHEN n.asked_user_id IS NOT NULL THEN a.user_id = n.asked_user_id
              ELSE app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles
                   AND EXISTS (SELECT FROM generate_series(n.wanted_from, least(n.wanted_until, n.wanted_from + 6),
                                                           interval '1 day') d
                                WHERE extract(isodow FROM d)::smallint = ANY (a.days))
                   AND (SELECT count(*) FROM need_notices t
                         WHERE t.user_id = a.user_id AND t.sent_at > now() - interval '1 day') < a.mails_a_day END
     AND NOT EXISTS (SELECT FROM need_notices t WHERE t.user_id = a.user_id AND t.need_id = n.id)
   ORDER BY app.miles(a.latitude, a.longitude, n.latitude, n.longitude), app.angel_score(a.ratings, a.rating_sum) DESC
   LIMIT greatest(0, max_emails - sent);
END $$;
REVOKE ALL ON FUNCTION app.angels_to_notify(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_to_notify(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/category_status.sql
-- Return how each of the categories `slugs` meets its document requirements for the user `wanted`.
-- `documents` maps each required type to missing, pending, approved or void (sent, but no longer valid).
-- A license counts for the category it was sent for; insurance also counts when it was sent without a category.
--
-- Called by: onboarding, app.onboarding_steps and app.update_listed_categories.
CREATE OR REPLACE FUNCTION app.category_status(wanted uuid, slugs text[]) RETURNS TABLE (
  slug text, name text, place integer, risk_level text, requires_license boolean, requires_gl boolean,
  requires_auto_insurance boolean, notes text, documents jsonb, needed boolean, submitted boolean, approved boolean,
  good_until date)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH sent AS MATERIALIZED (
    SELECT s.category, s.type, s.approved, s.pending, s.good_until FROM app.documents_status(wanted) s
  ), met AS (
    SELECT c.slug, n.type,
           CASE WHEN bool_or(s.approved) THEN 'approved' WHEN bool_or(s.pending) THEN 'pending'
                WHEN count(s.type) > 0 THEN 'void' ELSE 'missing' END AS state,
           nullif(max(coalesce(s.good_until, 'infinity')) FILTER (WHERE s.approved), 'infinity') AS good_until
      FROM skill_categories c
      JOIN LATERAL (VALUES ('license', c.requires_license, false), ('insurance', c.requires_gl, true),
                           ('auto', c.requires_auto_insurance, true)) AS n (type, required, anywhere) ON n.required
      LEFT JOIN sent s ON s.type = n.type AND (s.category = c.slug OR (n.anywhere AND s.category = ''))
     WHERE c.slug = ANY (slugs)
     GROUP BY c.slug, n.type
  )
  SELECT c.slug, c.name, c.position, c.risk_level, c.requires_license, c.requires_gl, c.requires_auto_insurance,
         c.notes, coalesce(jsonb_object_agg(m.type, m.state) FILTER (WHERE m.type IS NOT NULL), '{}'),
         count(m.type) > 0, coalesce(bool_and(m.state IN ('pending', 'approved')), true),
         coalesce(bool_and(m.state = 'approved'), true), min(m.good_until)
    FROM skill_categories c LEFT JOIN met m ON m.slug = c.slug
   WHERE c.slug = ANY (slugs) AND NOT c.coming_soon
   GROUP BY c.slug
   ORDER BY c.position
$$;

-- file: functions/cell_km.sql
-- Return the distance in kilometers between the centers of two grid cells.
--
-- Called by: app.search, app.skill_matches and the search for swap rings.
CREATE OR REPLACE FUNCTION app.cell_km(a_lat smallint, a_lon smallint, b_lat smallint, b_lon smallint)
RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sqrt((2.224 * (a_lat - b_lat)) ^ 2 + (2.891 * cos(radians(a_lat * 0.02 - 90)) * (a_lon - b_lon)) ^ 2)
$$;

-- file: functions/check_label.sql
-- Return whether a subdomain is free, taken, reserved (another guru had it before) or invalid (malformed).
-- `own_guru_id` is the guru that may take back its own former subdomain. Locks the subdomain until the transaction
-- ends.
--
-- Called by: app.publish_guru and app.rename_guru.
CREATE OR REPLACE FUNCTION app.check_label(wanted text, own_guru_id uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  IF wanted !~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$' THEN
    RETURN 'invalid';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('label ' || wanted, 0));
  IF EXISTS (SELECT FROM gurus g WHERE g.label = wanted) THEN
    RETURN 'taken';
  END IF;
  IF EXISTS (SELECT FROM retired_labels r WHERE r.label = wanted AND r.tenant_id IS DISTINCT FROM own_guru_id) THEN
    RETURN 'reserved';
  END IF;
  RETURN 'free';
END $$;

-- file: functions/contact_message.sql
-- Return the message that the running job emails to the staff.
--
-- Called by: contact, in the job contact:notify_staff.
-- SECURITY DEFINER: the app role may add messages and read nothing. The message's id comes from the job.
CREATE OR REPLACE FUNCTION app.contact_message()
RETURNS TABLE (id uuid, name text, email text, subject text, message text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('contact:notify_staff');
BEGIN
  RETURN QUERY SELECT m.id, m.name, m.email, m.subject, m.message FROM contact_messages m
                WHERE m.id = (args ->> 'message_id')::uuid;
END $$;
REVOKE ALL ON FUNCTION app.contact_message() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.contact_message() TO porchlight_app, porchlight_overseer;

-- file: functions/counter_add.sql
-- Add to a counter. Each counter has 16 rows, so that concurrent transactions seldom wait for each other.
--
-- Called by: the counter triggers.
-- SECURITY DEFINER: every role that inserts counted rows must be able to count, and no role may write the table.
CREATE OR REPLACE FUNCTION app.counter_add(counter text, amount bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO counters AS t (name, slot, value) SELECT counter, mod(pg_backend_pid(), 16), amount
  WHERE amount <> 0
  ON CONFLICT (name, slot) DO UPDATE SET value = t.value + excluded.value
$$;
REVOKE ALL ON FUNCTION app.counter_add(text, bigint) FROM PUBLIC;

-- file: functions/counter_value.sql
-- Return the value of a counter.
--
-- Called by: operators, at the SQL prompt.
CREATE OR REPLACE FUNCTION app.counter_value(counter text) RETURNS bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(sum(value), 0)::bigint FROM counters WHERE name = counter
$$;

-- file: functions/create_contact_message.sql
-- Store a contact message and start its job, within the limits per sender address and in total per hour.
-- Outcomes: created; same (sent before with this key); other (the key was used for another message); limited.
--
-- Called by: contact.
-- SECURITY DEFINER: the app role may add to contact_messages through this function and read nothing.
CREATE OR REPLACE FUNCTION app.create_contact_message(
  new_id uuid, name text, email text, subject text, message text, address_hash bytea, key text, new_digest bytea,
  max_per_address integer, max_in_total integer
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
BEGIN
  SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  IF NOT FOUND THEN
    IF NOT app.rate_limit('contact_messages', NULL, address_hash, now(), max_per_address, max_in_total) THEN
      RETURN QUERY SELECT 'limited';
      RETURN;
    END IF;
    INSERT INTO contact_messages (id, name, email, subject, message, address_hash, idempotency_key, digest)
    VALUES (new_id, name, email, subject, message, address_hash, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      PERFORM app.enqueue('contact:notify_staff', jsonb_build_object('message_id', new_id), NULL);
      RETURN QUERY SELECT 'created';
      RETURN;
    END IF;
    SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  END IF;
  RETURN QUERY SELECT CASE WHEN earlier_digest = new_digest THEN 'same' ELSE 'other' END;
END $$;
REVOKE ALL ON FUNCTION app.create_contact_message(uuid, text, text, text, text, bytea, text, bytea, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_contact_message(uuid, text, text, text, text, bytea, text, bytea, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/create_payment_event.sql
-- Store an event of the payment provider once. If it changes an account, start the job that syncs it, as its owner.
-- Returns false when the event was stored before. An account that is not stored yet is synced by its owner's next look
-- at the connection.
--
-- Called by: payouts, for each webhook.
-- SECURITY DEFINER: the app role may add to payment_events through this function and read nothing.
CREATE OR REPLACE FUNCTION app.create_payment_event(event_id text, event_kind text, event_account text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid;
BEGIN
  INSERT INTO payment_events (id, kind, account_id) VALUES (event_id, event_kind, event_account) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF event_kind IN ('account.updated', 'account.application.deauthorized') THEN
    SELECT a.user_id INTO owner_id FROM payout_accounts a WHERE a.account_id = event_account;
    IF owner_id IS NOT NULL THEN
      PERFORM app.enqueue(
        'payouts:sync_account',
        jsonb_build_object('user_id', owner_id, 'account_id', event_account, 'event_id', event_id), NULL);
    END IF;
  END IF;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.create_payment_event(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_payment_event(text, text, text) TO porchlight_app, porchlight_overseer;

-- file: functions/create_report.sql
-- Store a report about a site, post, profile or listing, within the limits per sender address and in total per hour.
-- Outcomes: created; same (sent before with this key); other (the key was used for another report); limited; unknown
-- (the subject does not exist, is hidden or is not published).
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
    IF NOT app.rate_limit('reports', NULL, address, now(), max_per_address, max_in_total) THEN
      RETURN QUERY SELECT 'limited';
      RETURN;
    END IF;
    INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, details,
                         reporter_id, address_hash, idempotency_key, digest)
    VALUES (new_id, kind, subject.subject_id, subject.subject_name, subject.subject_title, subject.guru_id, reason,
            details, reporter, address, key, new_digest)
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

-- file: functions/create_swap_ring.sql
-- Propose a swap ring to its three members and start the job that informs them. `members` and the skills that they
-- teach are in the order of the ring. Returns false if the same ring was proposed before.
-- The function restores the user that was set before.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table. The owner role may add only
-- the membership of the user that is set.
CREATE OR REPLACE FUNCTION app.create_swap_ring(new_ring_id uuid, members_digest bytea, shared_bits integer,
                                                members uuid[], skills text[]) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  INSERT INTO swap_rings (id, digest, availability_bits) VALUES (new_ring_id, members_digest, shared_bits)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  FOR number IN 1..3 LOOP
    PERFORM set_config('app.user_id', members[number]::text, true);
    INSERT INTO swap_ring_members (user_id, ring_id, place, teaches)
    VALUES (members[number], new_ring_id, number - 1, skills[number]);
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
  PERFORM app.enqueue('matches:notify_members', jsonb_build_object('ring_id', new_ring_id), NULL);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.create_swap_ring(uuid, bytea, integer, uuid[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_swap_ring(uuid, bytea, integer, uuid[], text[]) TO porchlight_app, porchlight_overseer;

-- file: functions/delete_guru.sql
-- Delete the guru of the running job with all its data, if its owner deleted their account. Safe to repeat.
--
-- Called by: onboarding, in the job onboarding:delete_guru.
-- SECURITY DEFINER: the app role cannot delete gurus, jobs and emails. The tenant comes from the job.
CREATE OR REPLACE FUNCTION app.delete_guru() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('onboarding:delete_guru');
  guru_id uuid := (args ->> 'tenant_id')::uuid;
BEGIN
  IF EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
              WHERE m.tenant_id = guru_id AND u.status <> 'erased') THEN
    RETURN false;
  END IF;
  RETURN app.delete_guru_data(guru_id);
END $$;
REVOKE ALL ON FUNCTION app.delete_guru() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delete_guru() TO porchlight_app, porchlight_overseer;

-- file: functions/delete_guru_data.sql
-- Delete a guru and all its data, jobs and emails included. The job that runs the function stays in the queue, so that
-- the worker can mark it as done. Returns false when the guru does not exist or row level security hides it.
--
-- Called by: the guru's lifecycle (service role) and app.delete_guru.
CREATE OR REPLACE FUNCTION app.delete_guru_data(guru_id uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, jobs, pg_temp AS $$
DECLARE
  running_job_id bigint := nullif(current_setting('app.job_id', true), '')::bigint;
BEGIN
  -- The lock blocks writes of the guru's rows until the transaction ends: their foreign key waits for it.
  PERFORM FROM gurus g WHERE g.id = guru_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM procrastinate_events e USING procrastinate_jobs j
   WHERE j.id = e.job_id AND j.args ->> 'tenant_id' = guru_id::text AND j.id IS DISTINCT FROM running_job_id;
  DELETE FROM procrastinate_jobs j
   WHERE j.args ->> 'tenant_id' = guru_id::text AND j.id IS DISTINCT FROM running_job_id;
  DELETE FROM dev_mailbox m WHERE m.tenant_id = guru_id;
  DELETE FROM gurus g WHERE g.id = guru_id;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.delete_guru_data(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delete_guru_data(uuid) TO porchlight_overseer;

-- file: functions/delete_pending_account_email.sql
-- Delete the address of a deleted account after the running job sent the last email to it.
--
-- Called by: profiles, in the job profiles:send_account_deleted.
-- SECURITY DEFINER: the app role cannot touch the table of these addresses. The row's id comes from the job.
CREATE OR REPLACE FUNCTION app.delete_pending_account_email() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('profiles:send_account_deleted');
BEGIN
  DELETE FROM pending_account_emails p WHERE p.id = (args ->> 'pending_email_id')::uuid;
END $$;
REVOKE ALL ON FUNCTION app.delete_pending_account_email() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delete_pending_account_email() TO porchlight_app, porchlight_overseer;

-- file: functions/documents_status.sql
-- Return one row per category and document type that the user `wanted` ever sent: whether one is approved and
-- valid on `today`, whether one waits for review, and the last day of the best one (NULL: no end). Days are UTC.
-- The category '' means that the document was sent for no category in particular.
--
-- Called by: app.category_status.
-- SECURITY DEFINER: a guru's published site depends on documents of its owner, whose rows the tenant's connection
-- cannot see.
CREATE OR REPLACE FUNCTION app.documents_status(wanted uuid, today date DEFAULT (now() AT TIME ZONE 'UTC')::date)
RETURNS TABLE (category text, type text, approved boolean, pending boolean, good_until date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.category, d.type,
         bool_or(d.status = 'approved' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         bool_or(d.status = 'pending' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         nullif(max(coalesce(d.expires_on, 'infinity')) FILTER (WHERE d.status = 'approved'), 'infinity')
    FROM documents d WHERE d.user_id = wanted GROUP BY d.category, d.type
$$;
REVOKE ALL ON FUNCTION app.documents_status(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.documents_status(uuid, date) TO porchlight_app, porchlight_overseer;

-- file: functions/due_documents.sql
-- Return the approved documents of all users that have expired by `today`, or whose owners get a reminder: 30, 7 and 1
-- days before. `days` is the reminder's number, or 0 for a document that has expired.
-- A document with a successor of the same type and category needs no reminder. After an outage only the latest due
-- reminder is returned, so that no email says "30 days" about tomorrow.
--
-- Called by: documents, in the job documents:process_expiry.
-- SECURITY DEFINER: documents of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.due_documents(today date)
RETURNS TABLE (user_id uuid, document_id uuid, days integer, has_successor boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('documents:process_expiry');
  RETURN QUERY
  SELECT d.user_id, d.id, n.days, s.has_successor
    FROM documents d
   CROSS JOIN LATERAL (
     SELECT CASE WHEN d.expires_on < today THEN 0 WHEN d.expires_on - today <= 1 THEN 1
                 WHEN d.expires_on - today <= 7 THEN 7 ELSE 30 END AS days) n
   CROSS JOIN LATERAL (
     SELECT EXISTS (SELECT FROM documents o
                     WHERE o.user_id = d.user_id AND o.id <> d.id AND o.type = d.type AND o.category = d.category
                       AND o.status IN ('approved', 'pending')
                       AND (o.expires_on IS NULL OR o.expires_on > d.expires_on)) AS has_successor) s
   WHERE d.status = 'approved' AND d.expires_on <= today + 30
     AND (n.days = 0 OR NOT s.has_successor
          AND NOT EXISTS (SELECT FROM document_reminders r
                           WHERE r.user_id = d.user_id AND r.document_id = d.id AND r.days <= n.days))
   ORDER BY d.user_id;
END $$;
REVOKE ALL ON FUNCTION app.due_documents(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_documents(date) TO porchlight_app, porchlight_overseer;

-- file: functions/enqueue.sql
-- Add a job to the queue and return its id. The tenant and the user of the transaction are added to the arguments that
-- do not name them. Returns NULL when a job with the same queueing lock already waits. Without a lock the plain insert
-- is cheaper.
--
-- Called by: the service role, app.enqueue_task, and the functions and triggers that start a job. The app role may not
-- call it: its arguments decide whose rows a job works on.
-- SECURITY DEFINER: only procrastinate's worker may touch the schema jobs.
CREATE OR REPLACE FUNCTION app.enqueue(task text, args jsonb, queueing_lock text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = jobs, pg_temp AS $$
DECLARE
  all_args jsonb := jsonb_build_object('tenant_id', app.tenant_id(), 'user_id', app.user_id()) || args;
  new_job_id bigint;
BEGIN
  IF queueing_lock IS NULL THEN
    INSERT INTO procrastinate_jobs (queue_name, task_name, args)
    VALUES ('default', task, all_args) RETURNING id INTO new_job_id;
  ELSE
    INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock, args)
    VALUES ('default', task, enqueue.queueing_lock, all_args) ON CONFLICT DO NOTHING RETURNING id INTO new_job_id;
  END IF;
  RETURN new_job_id;
END $$;
REVOKE ALL ON FUNCTION app.enqueue(text, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue(text, jsonb, text) TO porchlight_overseer;

-- file: functions/enqueue_document_email.sql
-- Start the job that emails the current user about a document: `days` before it expires, or with 0 that it has expired.
--
-- Called by: documents, in the job documents:process_expiry.
-- SECURITY DEFINER: the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_document_email(document_id uuid, days integer) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('documents:process_expiry');
  IF days = 0 THEN
    PERFORM app.enqueue('documents:notify_expired', jsonb_build_object('document_id', document_id), NULL);
  ELSE
    PERFORM app.enqueue('documents:send_expiry_reminder',
                        jsonb_build_object('document_id', document_id, 'days', days), NULL);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.enqueue_document_email(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_document_email(uuid, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/enqueue_missing_locations.sql
-- Start the job that finds a user's location for each user without one.
--
-- Called by: listings, in the job listings:sync_profiles.
-- SECURITY DEFINER: profiles of other users are behind row level security, and the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_missing_locations() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('listings:sync_profiles');
  PERFORM app.enqueue('listings:geocode_user', jsonb_build_object('user_id', p.user_id),
                      'listings:geocode_user:' || p.user_id)
     FROM profiles p LEFT JOIN user_locations l ON l.user_id = p.user_id WHERE l.user_id IS NULL OR l.tile < 0;
END $$;
REVOKE ALL ON FUNCTION app.enqueue_missing_locations() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_missing_locations() TO porchlight_app, porchlight_overseer;

-- file: functions/enqueue_task.sql
-- Add a job of the transaction's tenant or user to the queue and return its id. The arguments cannot name another one.
-- With `once`, of the jobs that wait for the same tenant or user there is at most one of this task; then it may return
-- NULL. Any other task, and a transaction without the tenant or user that the task needs, is an error.
--
-- Called by: `enqueue()` in Python, in the transaction of a request.
-- SECURITY DEFINER: the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_task(task text, args jsonb, once boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = app, pg_temp AS $$
DECLARE
  subject_id uuid := CASE
    WHEN task IN ('leads:notify_guru', 'leads:send_reply') THEN app.tenant_id()
    WHEN task IN ('angels:notify_angels', 'angels:notify_owner', 'angels:notify_result', 'angels:update_counters',
                  'auth:delete_identity', 'auth:revoke_tokens', 'listings:geocode_user', 'profiles:send_welcome')
      THEN app.user_id()
  END;
BEGIN
  IF subject_id IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = format('this transaction may not enqueue %s', task);
  END IF;
  RETURN app.enqueue(task, args - ARRAY['tenant_id', 'user_id'], CASE WHEN once THEN task || ':' || subject_id END);
END $$;
REVOKE ALL ON FUNCTION app.enqueue_task(text, jsonb, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_task(text, jsonb, boolean) TO porchlight_app, porchlight_overseer;

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
     WHERE n.service_id = service AND n.status IN ('accepted', 'done') AND n.created_at > now() - interval '1 year'
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

-- file: functions/fair_rates.sql
-- Return the middle half of what angels within 25 miles ask per hour, or of all angels when fewer than three are near.
--
-- Called by: app.fair_price and the demo data.
-- SECURITY DEFINER: it reads the angels of all users and returns only quartiles.
CREATE OR REPLACE FUNCTION app.fair_rates(service text, near_latitude double precision, near_longitude double precision)
RETURNS TABLE (low integer, high integer, angels integer, nearby boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH asked AS (
    SELECT a.rate_cents, app.miles(near_latitude, near_longitude, a.latitude, a.longitude) <= 25 AS near
      FROM angels a JOIN users u ON u.user_id = a.user_id
     WHERE a.service_id = service AND a.active AND u.status = 'active'
  ), chosen AS (
    SELECT rate_cents, near FROM asked WHERE near OR (SELECT count(*) FROM asked WHERE near) < 3
  )
  SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY rate_cents),
         percentile_disc(0.75) WITHIN GROUP (ORDER BY rate_cents),
         count(*)::integer, coalesce(bool_and(near), false)
    FROM chosen HAVING count(*) > 0
$$;
REVOKE ALL ON FUNCTION app.fair_rates(text, double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.fair_rates(text, double precision, double precision) TO porchlight_app,
    porchlight_overseer;

-- file: functions/find_domain.sql
-- Return the guru of a verified custom domain.
--
-- Called by: tenancy, for each new host name.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_domain(wanted text) RETURNS TABLE (id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM domains d JOIN gurus g ON g.id = d.tenant_id
   WHERE d.domain = wanted AND d.verified_at IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.find_domain(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_domain(text) TO porchlight_app, porchlight_overseer;

-- file: functions/find_domain_session.sql
-- Return the session behind a cookie of a custom domain.
-- A session that was opened under a previous guru of the domain does not count.
--
-- Called by: auth, for each request with such a cookie.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_domain_session(wanted bytea, at_domain text)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at
    FROM domain_sessions v
    JOIN sessions s ON s.user_id = v.user_id AND s.id = v.session_id
    JOIN users u ON u.user_id = v.user_id
    JOIN domains d ON d.domain = v.domain
   WHERE v.secret_hash = wanted AND v.domain = at_domain AND d.verified_at <= v.created_at
     AND s.expires_at > now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_domain_session(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_domain_session(bytea, text) TO porchlight_app, porchlight_overseer;

-- file: functions/find_label.sql
-- Return the guru of a subdomain, or of one that the guru had before a rename.
--
-- Called by: tenancy, for each new host name.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_label(wanted text) RETURNS TABLE (id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM gurus g WHERE g.label = wanted
  UNION ALL
  SELECT g.id, g.label, g.status FROM retired_labels r JOIN gurus g ON g.id = r.tenant_id WHERE r.label = wanted
  LIMIT 1
$$;
REVOKE ALL ON FUNCTION app.find_label(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_label(text) TO porchlight_app, porchlight_overseer;

-- file: functions/find_pass.sql
-- Return the login handoff with this secret, browser and domain, if it is younger than `max_age`.
--
-- Called by: auth, when a visitor arrives on a custom domain.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_pass(wanted bytea, browser bytea, at_domain text, max_age interval)
RETURNS TABLE (user_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.user_id, p.id FROM domain_sessions p
   WHERE p.pass_hash = wanted AND p.browser_hash = browser AND p.domain = at_domain AND p.created_at > now() - max_age
$$;
REVOKE ALL ON FUNCTION app.find_pass(bytea, bytea, text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_pass(bytea, bytea, text, interval) TO porchlight_app, porchlight_overseer;

-- file: functions/find_session.sql
-- Return the session behind a cookie, unless it expired, its account is inactive or all sessions were signed out.
--
-- Called by: auth, for each request with a session cookie.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_session(wanted bytea)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at
    FROM sessions s JOIN users u ON u.user_id = s.user_id
   WHERE s.secret_hash = wanted AND s.expires_at > now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_session(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_session(bytea) TO porchlight_app, porchlight_overseer;

-- file: functions/find_user.sql
-- Return the account of an identity provider's user id.
--
-- Called by: auth, for each request with an ID token.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_user(wanted text)
RETURNS TABLE (user_id uuid, status text, signed_out_at timestamptz, email text, email_verified boolean,
               ended_sign_ins timestamptz[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.user_id, u.status, u.signed_out_at, u.email, u.email_verified, u.ended_sign_ins FROM users u
   WHERE u.firebase_uid = wanted
$$;
REVOKE ALL ON FUNCTION app.find_user(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_user(text) TO porchlight_app, porchlight_overseer;

-- file: functions/finish_swap_ring_check.sql
-- Note that the rings around these users are found.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: locations of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.finish_swap_ring_check(user_ids uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  PERFORM app.set_ring_check_due(ARRAY(SELECT u.id FROM unnest(user_ids) AS u (id) ORDER BY u.id), false);
END $$;
REVOKE ALL ON FUNCTION app.finish_swap_ring_check(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.finish_swap_ring_check(uuid[]) TO porchlight_app, porchlight_overseer;

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
         WHERE p.tenant_id = n.id AND p.status = 'published' AND p.published_at <= now()
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
  SELECT p.id, p.in_use INTO found_id, was_used FROM phrases p WHERE p.words = normalized;
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

-- file: functions/guru_of.sql
-- Return the guru that a user owns.
--
-- Called by: onboarding, console and app.update_listed_categories.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.guru_of(owner uuid) RETURNS TABLE (tenant_id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = owner
$$;
REVOKE ALL ON FUNCTION app.guru_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.guru_of(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/label_status.sql
-- Return those of the subdomains `wanted` that a guru has (taken) or had before (reserved).
--
-- Called by: onboarding, while a user types a subdomain.
-- SECURITY DEFINER: gurus are behind row level security; the result names only ids.
CREATE OR REPLACE FUNCTION app.label_status(wanted text[]) RETURNS TABLE (label text, status text, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.label, 'taken', g.id FROM gurus g WHERE g.label = ANY (wanted)
  UNION ALL
  SELECT r.label, 'reserved', r.tenant_id FROM retired_labels r WHERE r.label = ANY (wanted)
$$;
REVOKE ALL ON FUNCTION app.label_status(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.label_status(text[]) TO porchlight_app, porchlight_overseer;

-- file: functions/listing_cards.sql
-- Return the text and the first photo of each visible listing among `wanted`.
--
-- Called by: listings, for search results and matches.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.listing_cards(wanted uuid[])
RETURNS TABLE (id uuid, title text, details text, photo_id uuid, alt text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, o.title, o.details, first.id, first.alt
    FROM unnest(wanted) asked (id) JOIN skill_offers o ON o.id = asked.id
    LEFT JOIN LATERAL (SELECT p.id, p.alt FROM listing_photos p WHERE p.user_id = o.user_id AND p.offer_id = o.id
                        ORDER BY p.position, p.id LIMIT 1) first ON true
   WHERE o.visible
$$;
REVOKE ALL ON FUNCTION app.listing_cards(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.listing_cards(uuid[]) TO porchlight_app, porchlight_overseer;

-- file: functions/listing_photo.sql
-- Return a listing's photo, or its thumbnail. `visible` is false when only the owner may see it.
--
-- Called by: listings, for each photo.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.listing_photo(wanted uuid, want_thumbnail boolean)
RETURNS TABLE (body bytea, visible boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN want_thumbnail THEN f.thumbnail ELSE f.body END, f.visible
    FROM (SELECT p.*, o.visible AND u.status = 'active' AS visible FROM listing_photos p
            JOIN skill_offers o ON o.user_id = p.user_id AND o.id = p.offer_id
            JOIN users u ON u.user_id = p.user_id WHERE p.id = wanted) f
   WHERE f.visible OR f.user_id = app.user_id()
$$;
REVOKE ALL ON FUNCTION app.listing_photo(uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.listing_photo(uuid, boolean) TO porchlight_app, porchlight_overseer;

-- file: functions/lock_swap_ring.sql
-- Lock a swap ring of the user `me` until the transaction ends and return its state.
--
-- Called by: matches, before a member accepts or declines.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.lock_swap_ring(me uuid, wanted uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.state FROM swap_rings r
   WHERE r.id = wanted AND EXISTS (SELECT FROM swap_ring_members m WHERE m.ring_id = r.id AND m.user_id = me)
     FOR UPDATE OF r
$$;
REVOKE ALL ON FUNCTION app.lock_swap_ring(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_swap_ring(uuid, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/lookup_phrase.sql
-- Return the phrase of a search text and what related it to other phrases.
-- Creates the phrase unless 500 phrases already wait for the embeddings job; then the search uses spelling alone.
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
  IF NOT FOUND
     AND (SELECT count(*) FROM (SELECT FROM phrases p WHERE p.related_by IS NULL LIMIT 500) waiting) < 500 THEN
    RETURN QUERY SELECT app.get_or_create_phrase(search_text, false), NULL::text;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.lookup_phrase(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lookup_phrase(text) TO porchlight_app, porchlight_overseer;

-- file: functions/match_method.sql
-- Return what related the phrases of the user `me` to others, or NULL while some of them still wait for the job.
--
-- Called by: matches.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.match_method(me uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN bool_and(p.related_by IS NOT NULL) THEN max(p.related_by) END FROM phrases p
   WHERE p.id IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me
                  UNION ALL SELECT w.phrase_id FROM skill_wants w WHERE w.user_id = me)
$$;
REVOKE ALL ON FUNCTION app.match_method(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.match_method(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/miles.sql
-- Return the distance between two coordinates in whole miles, at least 1.
--
-- Called by: the functions about angels and needs, and their emails.
CREATE OR REPLACE FUNCTION app.miles(a double precision, b double precision, c double precision, d double precision)
RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN greatest(1, round(7917.5 * asin(least(1, sqrt(
  sin(radians(c - a) / 2) ^ 2 + cos(radians(a)) * cos(radians(c)) * sin(radians(d - b) / 2) ^ 2))))::integer);

-- file: functions/need_offer_owner.sql
-- Return the user who made an open offer on the current user's own need.
--
-- Called by: angels, when an offer is accepted.
-- SECURITY DEFINER: offers of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.need_offer_owner(need uuid, offer uuid) RETURNS uuid
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.user_id FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
   WHERE n.id = need AND n.user_id = app.user_id() AND o.id = offer AND o.status = 'open' AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.need_offer_owner(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.need_offer_owner(uuid, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/need_photo.sql
-- Return a photo of a need that the current user may see.
--
-- Called by: angels, for each photo.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.need_photo(wanted uuid) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.body FROM need_photos p JOIN needs n ON n.user_id = p.user_id AND n.id = p.need_id
   WHERE p.id = wanted AND app.can_see_need(n)
$$;
REVOKE ALL ON FUNCTION app.need_photo(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.need_photo(uuid) TO porchlight_app, porchlight_overseer;

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
              WHEN n.status = 'open' AND n.expires_at > now() THEN 'open'
              ELSE 'closed' END
    FROM needs n JOIN users u ON u.user_id = n.user_id WHERE n.id = need AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.need_status(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.need_status(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/normalize_text.sql
-- Return a text in the form in which phrases are compared: lowercase, without accents, single spaces, 120 characters.
--
-- Called by: app.get_or_create_phrase, app.lookup_phrase, app.search, listings and admin.
CREATE OR REPLACE FUNCTION app.normalize_text(input text) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT left(btrim(regexp_replace(lower(unaccent(input)), '[[:space:]]+', ' ', 'g')), 120)
$$;

-- file: functions/offer_to_notify.sql
-- Return the running job's offer, with the email address of the need's owner, while it can be accepted.
--
-- Called by: angels, in the job angels:notify_owner.
-- SECURITY DEFINER: the need and its owner are behind row level security. The offer comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.offer_to_notify()
RETURNS TABLE (email text, need_id uuid, title text, price_cents integer, message text, angel text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_owner');
BEGIN
  RETURN QUERY
  SELECT u.email, n.id, n.title, o.price_cents, o.message, p.display_name
    FROM need_offers o JOIN needs n ON n.id = o.need_id JOIN users u ON u.user_id = n.user_id
    JOIN profiles p ON p.user_id = o.user_id
   WHERE o.user_id = (args ->> 'user_id')::uuid AND o.id = (args ->> 'offer_id')::uuid
     AND o.status = 'open' AND n.status = 'open' AND u.status = 'active' AND u.email <> '';
END $$;
REVOKE ALL ON FUNCTION app.offer_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offer_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/offers_of.sql
-- Return the open offers on the current user's own need, with the public fields of the angels who made them.
--
-- Called by: angels, for the page of a need.
-- SECURITY DEFINER: offers of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.offers_of(need uuid) RETURNS TABLE (id uuid, card jsonb)
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
   ORDER BY o.id LIMIT 100
$$;
REVOKE ALL ON FUNCTION app.offers_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offers_of(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/offers_to_notify.sql
-- Return the offers whose authors get an email about the result of the running job's need, in order of their creation.
--
-- Called by: angels, in the job angels:notify_result.
-- SECURITY DEFINER: offers and their authors are behind row level security. The need comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.offers_to_notify()
RETURNS TABLE (offer_id uuid, email text, angel text, price_cents integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_result');
BEGIN
  RETURN QUERY
  SELECT o.id, u.email, p.display_name, o.price_cents
    FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
    JOIN profiles p ON p.user_id = o.user_id
   WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid
     AND o.status = 'open' AND u.status = 'active' AND u.email <> '' ORDER BY o.id;
END $$;
REVOKE ALL ON FUNCTION app.offers_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offers_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/onboarding_steps.sql
-- Return which of the four onboarding steps a user has completed.
--
-- Called by: onboarding and app.publish_guru.
CREATE OR REPLACE FUNCTION app.onboarding_steps(wanted uuid)
RETURNS TABLE (profile boolean, categories boolean, requirements boolean, payout boolean)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM onboardings o WHERE o.user_id = wanted AND o.complete),
         count(s.slug) > 0, coalesce(bool_and(s.submitted), false), app.payouts_connected(wanted)
    FROM app.category_status(wanted, ARRAY(SELECT p.category_slug FROM category_picks p WHERE p.user_id = wanted)) s
$$;

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
   WHERE n.status = 'open' AND n.expires_at > now() AND n.user_id <> app.user_id()
     AND (n.asked_user_id IS NULL OR n.asked_user_id = app.user_id())
     AND (service = '' OR n.service_id = service) AND (before IS NULL OR n.id < before)
     AND (NOT only_matching OR n.asked_user_id = app.user_id() OR EXISTS (
           SELECT FROM angels a WHERE a.user_id = app.user_id() AND a.service_id = n.service_id AND a.active
              AND app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles))
   ORDER BY n.id DESC LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.open_needs(text, boolean, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_needs(text, boolean, uuid, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/owners_of_expired_needs.sql
-- Return the users with an open need whose last day is over.
--
-- Called by: angels, in the job angels:expire_needs.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.owners_of_expired_needs() RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('angels:expire_needs');
  RETURN QUERY SELECT DISTINCT n.user_id FROM needs n WHERE n.status = 'open' AND n.expires_at <= now();
END $$;
REVOKE ALL ON FUNCTION app.owners_of_expired_needs() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.owners_of_expired_needs() TO porchlight_app, porchlight_overseer;

-- file: functions/payouts_connected.sql
-- Return whether a user's payout account is connected and ready for charges and payouts.
--
-- Called by: payouts and app.onboarding_steps.
CREATE OR REPLACE FUNCTION app.payouts_connected(wanted uuid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM payout_accounts p WHERE p.user_id = wanted
                    AND p.connected AND p.charges_enabled AND p.payouts_enabled AND p.details_submitted)
$$;

-- file: functions/pending_account_email.sql
-- Return the address and the name of the deleted account that the running job sends the last email to.
--
-- Called by: profiles, in the job profiles:send_account_deleted.
-- SECURITY DEFINER: the app role cannot touch the table of these addresses. The row's id comes from the job.
CREATE OR REPLACE FUNCTION app.pending_account_email() RETURNS TABLE (id uuid, recipient text, name text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('profiles:send_account_deleted');
BEGIN
  RETURN QUERY SELECT p.id, p.recipient, p.name FROM pending_account_emails p
                WHERE p.id = (args ->> 'pending_email_id')::uuid;
END $$;
REVOKE ALL ON FUNCTION app.pending_account_email() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.pending_account_email() TO porchlight_app, porchlight_overseer;

-- file: functions/pending_email_changes.sql
-- Return the accounts with a request to change the email address, and since when.
--
-- Called by: auth, in the job auth:sync_emails.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.pending_email_changes()
RETURNS TABLE (user_id uuid, firebase_uid text, requested_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('auth:sync_emails');
  RETURN QUERY SELECT u.user_id, u.firebase_uid, u.email_change_asked_at FROM users u
                WHERE u.email_change_asked_at IS NOT NULL AND u.status = 'active';
END $$;
REVOKE ALL ON FUNCTION app.pending_email_changes() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.pending_email_changes() TO porchlight_app, porchlight_overseer;

-- file: functions/pending_phrases.sql
-- Return phrases that wait to be related to others, those in use first.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.pending_phrases(max_phrases integer)
RETURNS TABLE (id integer, words text, in_use boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  RETURN QUERY SELECT p.id, p.words, p.in_use FROM phrases p WHERE p.related_by IS NULL
                ORDER BY p.in_use DESC, p.id LIMIT max_phrases;
END $$;
REVOKE ALL ON FUNCTION app.pending_phrases(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.pending_phrases(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/photo.sql
-- Return a profile photo by its id.
--
-- Called by: profiles, for each photo.
-- SECURITY DEFINER: a photo is public to everyone who has its id, and its row is behind row level security.
CREATE OR REPLACE FUNCTION app.photo(wanted uuid) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT body FROM profile_photos WHERE id = wanted
$$;
REVOKE ALL ON FUNCTION app.photo(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.photo(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/public_profile.sql
-- Return the public profile of a handle, without the fields that its owner hides.
--
-- Called by: profiles.
-- SECURITY DEFINER: profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.public_profile(wanted text) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'handle', p.handle, 'display_name', p.display_name, 'bio', p.bio,
           'photo_id', p.photo_id, 'photo_url', p.photo_url, 'languages', p.languages, 'created_at', p.created_at,
           'location', CASE WHEN p.shows_location THEN p.location ELSE '' END,
           'skills_offered', CASE WHEN p.shows_skills THEN p.skills_offered ELSE '[]' END,
           'skills_wanted', CASE WHEN p.shows_skills THEN p.skills_wanted ELSE '[]' END,
           'availability', CASE WHEN p.shows_availability THEN p.availability ELSE '' END)
    FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.public_profile(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.public_profile(text) TO porchlight_app, porchlight_overseer;

-- file: functions/public_user.sql
-- Return what others may see of a user: the public profile, or only the first name when the profile is private.
--
-- Called by: angels, app.need_card and app.offers_of.
-- SECURITY DEFINER: profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.public_user(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN p.is_public AND p.registered_at IS NOT NULL
           THEN jsonb_build_object('handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id,
                                   'photo_url', p.photo_url)
           ELSE jsonb_build_object('handle', NULL, 'name', p.first_name, 'photo_id', NULL, 'photo_url', '') END
    FROM profiles p JOIN users u ON u.user_id = p.user_id WHERE p.user_id = wanted AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.public_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.public_user(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/publish_guru.sql
-- Create the guru of the current user once all four onboarding steps are done, or put its site online again.
-- The caller then writes the site's content as the new tenant. The function restores the tenant that was set before.
-- Outcomes: created, updated; no_user, not_ready, suspended, invalid, taken, reserved.
--
-- Called by: onboarding.
-- SECURITY DEFINER: the app role cannot insert into gurus and memberships.
CREATE OR REPLACE FUNCTION app.publish_guru(new_id uuid, wanted text,
                                            OUT outcome text, OUT guru_id uuid, OUT guru_label text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  current_status text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  IF NOT EXISTS (SELECT FROM users u WHERE u.user_id = owner_id AND u.status = 'active') THEN
    outcome := 'no_user';
    RETURN;
  END IF;
  SELECT g.id, g.label, g.status INTO guru_id, guru_label, current_status
    FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = owner_id;
  IF current_status = 'suspended' THEN
    outcome := 'suspended';
  ELSIF NOT (
    SELECT s.profile AND s.categories AND s.requirements AND s.payout FROM app.onboarding_steps(owner_id) s
  ) THEN
    outcome := 'not_ready';
  ELSIF guru_id IS NOT NULL THEN
    PERFORM set_config('app.tenant_id', guru_id::text, true);
    UPDATE gurus SET published = true WHERE id = guru_id AND NOT published;
    outcome := 'updated';
  ELSE
    outcome := app.check_label(wanted, NULL);
    IF outcome = 'free' THEN
      PERFORM set_config('app.tenant_id', new_id::text, true);
      INSERT INTO gurus (id, label, character, category) VALUES (new_id, wanted, '', 'general');
      INSERT INTO memberships (tenant_id, user_id) VALUES (new_id, owner_id);
      outcome := 'created';
      guru_id := new_id;
      guru_label := wanted;
    END IF;
  END IF;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
END $$;
REVOKE ALL ON FUNCTION app.publish_guru(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.publish_guru(uuid, text) TO porchlight_app;

-- file: functions/queue_account_deleted_email.sql
-- Store the current user's email address for the last email after the account is deleted, and start that job.
--
-- Called by: profiles, when an account is deleted.
-- SECURITY DEFINER: the app role cannot touch the table of these addresses.
CREATE OR REPLACE FUNCTION app.queue_account_deleted_email(new_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO pending_account_emails (id, recipient, name)
  SELECT new_id, u.email, coalesce(p.display_name, '') FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.user_id = app.user_id() AND u.email <> '';
  IF FOUND THEN
    PERFORM app.enqueue('profiles:send_account_deleted', jsonb_build_object('pending_email_id', new_id), NULL);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.queue_account_deleted_email(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_account_deleted_email(uuid) TO porchlight_app;

-- file: functions/rate_limit.sql
-- Return whether a rate limit allows another row in a table: fewer than `max_per_address` rows of the last hour have
-- this address hash, and fewer than `max_in_total` rows exist. With `tenant`, only that tenant's rows count. A NULL
-- limit allows every row. Rows are counted up to the limit, so the cost is bounded.
--
-- Called by: app.create_contact_message, app.create_report and, by `rate_limit_sql()` in Python, the creation of leads.
-- SECURITY INVOKER: the caller needs the right to read the table. The table has address_hash and created_at.
CREATE OR REPLACE FUNCTION app.rate_limit(
  source text, tenant uuid, address bytea, at timestamptz, max_per_address bigint, max_in_total bigint
) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  is_open boolean;
BEGIN
  IF max_in_total IS NULL THEN
    RETURN true;
  END IF;
  EXECUTE format(
    'SELECT count(*) FILTER (WHERE r.address_hash = $2) < $4 AND count(*) < $5'
    ' FROM (SELECT l.address_hash FROM public.%I l WHERE %s l.created_at > $3 - interval ''1 hour'' LIMIT $5) r',
    source, CASE WHEN tenant IS NULL THEN '' ELSE 'l.tenant_id = $1 AND' END)
  INTO is_open USING tenant, address, at, max_per_address, max_in_total;
  RETURN is_open;
END $$;
REVOKE ALL ON FUNCTION app.rate_limit(text, uuid, bytea, timestamptz, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.rate_limit(text, uuid, bytea, timestamptz, bigint, bigint) TO porchlight_app,
    porchlight_overseer;

-- file: functions/rename_guru.sql
-- Give the current user's guru another subdomain. The former one redirects; a guru keeps at most
-- `max_former_labels` of them.
-- Outcomes: renamed, same; no_guru, suspended, changed, invalid, taken, reserved, too_often.
--
-- Called by: onboarding.
-- SECURITY DEFINER: the app role cannot change a guru's label.
CREATE OR REPLACE FUNCTION app.rename_guru(wanted text, max_former_labels integer,
                                            OUT outcome text, OUT guru_id uuid, OUT guru_label text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  former_label text;
  current_status text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  SELECT m.tenant_id INTO guru_id FROM memberships m WHERE m.user_id = owner_id;
  IF guru_id IS NULL THEN
    outcome := 'no_guru';
    RETURN;
  END IF;
  PERFORM set_config('app.tenant_id', guru_id::text, true);
  SELECT g.label INTO former_label FROM gurus g WHERE g.id = guru_id;
  PERFORM pg_advisory_xact_lock(hashtextextended(
    'label ' || least(former_label COLLATE "C", wanted COLLATE "C"), 0));
  PERFORM pg_advisory_xact_lock(hashtextextended(
    'label ' || greatest(former_label COLLATE "C", wanted COLLATE "C"), 0));
  SELECT g.label, g.status INTO guru_label, current_status FROM gurus g WHERE g.id = guru_id FOR UPDATE;
  IF current_status = 'suspended' THEN
    outcome := 'suspended';
  ELSIF guru_label = wanted THEN
    outcome := 'same';
  ELSIF guru_label <> former_label THEN
    outcome := 'changed';
  ELSE
    outcome := app.check_label(wanted, guru_id);
    IF outcome = 'free' AND max_former_labels <= (
      SELECT count(*) FROM retired_labels r WHERE r.tenant_id = guru_id AND r.label <> wanted
    ) THEN
      outcome := 'too_often';
    ELSIF outcome = 'free' THEN
      DELETE FROM retired_labels r WHERE r.tenant_id = guru_id AND r.label = wanted;
      UPDATE gurus SET label = wanted WHERE id = guru_id;
      INSERT INTO retired_labels (tenant_id, label) VALUES (guru_id, former_label);
      outcome := 'renamed';
      guru_label := wanted;
    END IF;
  END IF;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
END $$;
REVOKE ALL ON FUNCTION app.rename_guru(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.rename_guru(text, integer) TO porchlight_app;

-- file: functions/report_subject.sql
-- Return the subject of a report, if it is public: a site, a post (label/slug), a profile (handle) or a listing (id).
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
     AND g.status = 'active' AND p.status = 'published' AND p.published_at <= now()
  UNION ALL
  SELECT p.user_id, p.handle, p.display_name, NULL FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE kind = 'profile' AND p.handle = name AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
  UNION ALL
  SELECT o.id, o.id::text, o.title, NULL FROM skill_offers o JOIN users u ON u.user_id = o.user_id
   WHERE kind = 'listing' AND u.status = 'active' AND o.visible
     AND o.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
$$;
REVOKE ALL ON FUNCTION app.report_subject(text, text) FROM PUBLIC;

-- file: functions/request_ring_checks.sql
-- Let the job that finds swap rings check the users who offer or want these phrases: new relations can complete a ring.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: offers, wants and locations of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.request_ring_checks(phrase_ids integer[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  PERFORM app.set_ring_check_due(ARRAY(
    SELECT l.user_id FROM user_locations l WHERE NOT l.ring_check_due AND l.user_id IN (
      SELECT o.user_id FROM skill_offers o WHERE o.phrase_id = ANY (phrase_ids)
       UNION SELECT w.user_id FROM skill_wants w WHERE w.phrase_id = ANY (phrase_ids))
     ORDER BY l.user_id), true);
END $$;
REVOKE ALL ON FUNCTION app.request_ring_checks(integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_ring_checks(integer[]) TO porchlight_app, porchlight_overseer;

-- file: functions/request_risk_review.sql
-- Add an activity that the risk engine does not know to the queue of staff reviews, or count it once more.
-- The queue holds at most 10,000 open activities; beyond that the call changes nothing.
--
-- Called by: risk, when an assessment finds no rule.
-- SECURITY DEFINER: the app role may add to risk_reviews through this function and read nothing.
CREATE OR REPLACE FUNCTION app.request_risk_review(new_id uuid, of_category text, of_activity text, of_digest bytea)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE risk_reviews SET occurrences = least(occurrences, 1000000) + 1, last_seen_at = now() WHERE digest = of_digest;
  IF NOT FOUND AND (SELECT count(*) FROM (SELECT FROM risk_reviews WHERE level IS NULL LIMIT 10000) open) < 10000 THEN
    INSERT INTO risk_reviews (id, category, activity, digest)
    VALUES (new_id, of_category, of_activity, of_digest) ON CONFLICT (digest) DO NOTHING;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.request_risk_review(uuid, text, text, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_risk_review(uuid, text, text, bytea) TO porchlight_app, porchlight_overseer;

-- file: functions/risk_decisions.sql
-- Return the digests of the activities that staff rated, with their levels. The digest does not reveal the text.
--
-- Called by: risk, when a process loads the decisions.
-- SECURITY DEFINER: the app role cannot read risk_reviews.
CREATE OR REPLACE FUNCTION app.risk_decisions() RETURNS TABLE (digest bytea, level text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.digest, r.level FROM risk_reviews r WHERE r.level IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.risk_decisions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.risk_decisions() TO porchlight_app, porchlight_overseer;

-- file: functions/running_job.sql
-- Return the arguments of the transaction's running job, which must be of the given task; anything else is an error.
--
-- Called by: the functions that read rows of other users for a job. They take the ids from here and not from their
-- caller, so the app role can read through them only what a job that was enqueued for it may read.
-- SECURITY DEFINER: only procrastinate's worker may touch the schema jobs.
CREATE OR REPLACE FUNCTION app.running_job(task text) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = jobs, pg_temp AS $$
DECLARE
  args jsonb := (SELECT j.args FROM procrastinate_jobs j
                  WHERE j.id = nullif(current_setting('app.job_id', true), '')::bigint
                    AND j.task_name = running_job.task AND j.status = 'doing');
BEGIN
  IF args IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = format('this transaction is not of a running job %s', task);
  END IF;
  RETURN args;
END $$;
REVOKE ALL ON FUNCTION app.running_job(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.running_job(text) TO porchlight_overseer;

-- file: functions/save_phrase_relations.sql
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

-- file: functions/save_phrase_vectors.sql
-- Save the embeddings of phrases in use. `vectors` holds literals, because
-- the type exists only with pgvector.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.save_phrase_vectors(phrase_ids integer[], vectors text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  INSERT INTO phrase_vectors (phrase_id, embedding)
  SELECT s.id, s.literal::vector FROM unnest(phrase_ids, vectors) AS s (id, literal)
  ON CONFLICT (phrase_id) DO UPDATE SET embedding = excluded.embedding;
END $$;
REVOKE ALL ON FUNCTION app.save_phrase_vectors(integer[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.save_phrase_vectors(integer[], text[]) TO porchlight_app, porchlight_overseer;

-- file: functions/saved_searches_to_check.sql
-- Return saved searches of active users, those checked longest ago first, with what an email about new results needs.
--
-- Called by: search, in the job search:send_alerts.
-- SECURITY DEFINER: saved searches of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.saved_searches_to_check(max_searches integer)
RETURNS TABLE (user_id uuid, id uuid, words text, filters jsonb, seen_at timestamptz,
               email text, name text, handle text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('search:send_alerts');
  RETURN QUERY SELECT s.user_id, s.id, s.words, s.filters, s.seen_at, u.email, p.display_name, p.handle
                 FROM saved_searches s JOIN users u ON u.user_id = s.user_id AND u.status = 'active'
                 JOIN profiles p ON p.user_id = s.user_id
                ORDER BY s.seen_at LIMIT max_searches;
END $$;
REVOKE ALL ON FUNCTION app.saved_searches_to_check(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.saved_searches_to_check(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/schema_version.sql
-- Return the newest migration of this database.
--
-- Called by: /readyz and `porchlight doctor`.
-- SECURITY DEFINER: the app role cannot read alembic_version.
CREATE OR REPLACE FUNCTION app.schema_version() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT max(version_num) FROM alembic_version
$$;
REVOKE ALL ON FUNCTION app.schema_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.schema_version() TO porchlight_app, porchlight_overseer;

-- file: functions/search.sql
-- Return the best results for a search text among listings (kind offer), gurus, posts and angel services.
--
-- 1. Phrases with a similar spelling, from 0.7 on when the meaning of the text is known, otherwise from 0.45 on; below
--    that only phrases within a few typos. A swap of two letters counts as two edits.
-- 2. Phrases with a related meaning (phrase_relations), as soon as the embeddings job has read the text.
-- 3. Listings with these phrases: a bounded number per phrase, near tiles first, filtered before they are counted. A
--    tile is half a degree wide, so the tiles around the user reach at least 25 km; `within` adds rows of tiles of 55
-- km.
-- 4. Pages of gurus, posts and angel services with these phrases.
--
-- The score is the probability that the result fits, reduced by up to 15 percent with the distance (0 to 40 km).
--
-- Called by: search, for each search and each alert.
-- SECURITY DEFINER: it reads the public listings of all users, and tables that the app role cannot touch.
CREATE OR REPLACE FUNCTION app.search(query_phrase_id integer, search_text text, kinds text[], here_lat smallint,
                                      here_lon smallint, within real, max_price_cents bigint, format text,
                                      language text, weekday integer, since timestamptz, max_results integer)
RETURNS TABLE (kind text, item text, title text, summary text, label text, slug text, who text, handle text,
               photo_id uuid, photo_url text, price_cents bigint, terms text[], formats text[], city text,
               cell_lat smallint, cell_lon smallint, km real, probability real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  normalized text := app.normalize_text(search_text);
  text_length integer := length(normalized);
  max_edits integer := CASE WHEN text_length < 4 THEN 0 WHEN text_length < 7 THEN 2
                            WHEN text_length < 10 THEN 3 ELSE 4 END;
  has_meaning boolean := EXISTS (SELECT FROM phrases p WHERE p.id = query_phrase_id AND p.related_by LIKE '%+%');
  tile integer := CASE WHEN here_lat >= 0 THEN here_lat / 25 * 1000 + here_lon / 20 END;
  rows integer := CASE WHEN within IS NULL OR format = 'online' THEN 1000
                       WHEN within > 25 THEN ceil(within / 55)::integer ELSE 0 END;
  threshold real;
  spelled_ids integer[];
  spelling_score real[];
BEGIN
  FOREACH threshold IN ARRAY
    CASE WHEN has_meaning THEN '{0.7}' WHEN text_length <= 10 THEN '{0.2}' ELSE '{0.45,0.2}' END::real[]
  LOOP
    PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
    PERFORM set_config('pg_trgm.word_similarity_threshold', (threshold / 0.95)::text, true);
    SELECT array_agg(s.id), array_agg(s.spelling_score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, p.words, CASE WHEN p.words = normalized THEN 1.0
               ELSE greatest(similarity(p.words, normalized), 0.95 * word_similarity(normalized, p.words))
             END::real AS spelling_score
        FROM phrases p WHERE p.in_use AND (p.words % normalized OR normalized <% p.words) ORDER BY 3 DESC LIMIT 40) s
     WHERE s.spelling_score >= 0.45
        OR least(levenshtein_less_equal(normalized, s.words, max_edits),
                 levenshtein_less_equal(normalized, left(s.words, text_length), max_edits)) <= max_edits;
    EXIT WHEN spelled_ids IS NOT NULL;
  END LOOP;
  RETURN QUERY
  WITH related AS MATERIALIZED (
    SELECT n.other_id, max(n.probability)::real AS probability FROM (
      SELECT r.other_id, r.probability FROM phrase_relations r JOIN phrases p ON p.id = r.other_id AND p.in_use
       WHERE r.phrase_id = query_phrase_id AND has_meaning
      UNION ALL
      SELECT s.id, CASE WHEN s.spelling_score = 1.0 THEN 0.97 WHEN has_meaning THEN 3.0 * (s.spelling_score - 0.7)
                        ELSE 0.9 * s.spelling_score END
        FROM unnest(spelled_ids, spelling_score) s (id, spelling_score)) n
     WHERE n.probability > 0 GROUP BY 1 ORDER BY 2 DESC LIMIT 40
  ), likely AS (
    SELECT * FROM related m WHERE m.probability >= 0.35 * (SELECT max(best.probability) FROM related best)
     UNION (SELECT * FROM related m WHERE has_meaning ORDER BY m.probability DESC LIMIT 10)
  ), offers AS (
    SELECT o.*, m.probability AS phrase_probability FROM likely m CROSS JOIN LATERAL (
      (SELECT o.* FROM (SELECT tile + 1000 * a + b AS near_tile FROM generate_series(-1, 1) a, generate_series(-1, 1) b
                         WHERE tile IS NOT NULL ORDER BY abs(a) + abs(b)) t
         JOIN skill_offers o ON o.tile = t.near_tile
        WHERE o.phrase_id = m.other_id AND o.visible AND (format IS NULL OR format = ANY (o.formats))
          AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
          AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
          AND (since IS NULL OR o.created_at > since)
          AND (within IS NULL OR format = 'online'
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within))
          AND (language IS NULL OR EXISTS (
                 SELECT FROM profiles p CROSS JOIN unnest(p.languages) l
                  WHERE p.user_id = o.user_id AND app.normalize_text(l) = app.normalize_text(language))) LIMIT 60)
      UNION ALL
      (SELECT o.* FROM (
         SELECT -2 AS above, 2147483647 AS below WHERE tile IS NULL
          UNION ALL SELECT g.above, g.below FROM (VALUES
            (tile - 999, tile - 1), (tile + 1, tile + 999), (tile + 1001, tile + 1000 * (rows + 1)),
            (tile - 1000 * (rows + 1), tile - 1001)
          ) g (above, below) WHERE tile IS NOT NULL AND rows > 0) gap
         CROSS JOIN LATERAL (SELECT o.* FROM skill_offers o
                              WHERE o.phrase_id = m.other_id AND o.visible AND o.tile > gap.above
                                AND o.tile < gap.below AND (format IS NULL OR format = ANY (o.formats))
          AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
          AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
          AND (since IS NULL OR o.created_at > since)
          AND (within IS NULL OR format = 'online'
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within))
          AND (language IS NULL OR EXISTS (
                 SELECT FROM profiles p CROSS JOIN unnest(p.languages) l
                  WHERE p.user_id = o.user_id AND app.normalize_text(l) = app.normalize_text(language)))
                              LIMIT 40) o LIMIT 40)) o
     WHERE 'offer' = ANY (kinds)
  ), candidates AS (
    SELECT 'offer' AS kind, o.id::text AS item, o.title, o.details AS summary, '' AS label, '' AS slug,
           o.user_id, o.price_cents::bigint, o.terms, o.formats, NULL::text AS city, o.cell_lat, o.cell_lon,
           o.phrase_probability AS probability FROM offers o
    UNION ALL
    SELECT e.kind, e.item, e.title, e.summary, e.label, e.slug, NULL, e.price_cents, NULL, NULL, e.city,
           e.cell_lat, e.cell_lon, max(m.probability * s.weight)::real
      FROM likely m JOIN search_entry_phrases s ON s.phrase_id = m.other_id
      JOIN search_entries e ON e.kind = s.kind AND e.item = s.item
     WHERE e.kind = ANY (kinds) AND format IS NULL AND weekday IS NULL AND language IS NULL
       AND (max_price_cents IS NULL OR e.price_cents <= max_price_cents) AND (since IS NULL OR e.indexed_at > since)
     GROUP BY e.kind, e.item
  ), with_distance AS (
    SELECT f.*, CASE WHEN f.cell_lat >= 0 AND here_lat >= 0
                     THEN app.cell_km(f.cell_lat, f.cell_lon, here_lat, here_lon) END AS km FROM candidates f
  ), in_reach AS (
    SELECT * FROM with_distance p
     WHERE within IS NULL OR p.km <= within OR (format = 'online' AND 'online' = ANY (p.formats))
     ORDER BY p.probability * (0.85 + 0.15 * greatest(0, 1 - coalesce(p.km, 40) / 40.0)) DESC, p.item
     LIMIT max_results * 2
  )
  SELECT n.kind, n.item, n.title, left(n.summary, 240), n.label, n.slug, coalesce(p.display_name, ''),
         coalesce(p.handle, ''), p.photo_id, coalesce(p.photo_url, ''), n.price_cents, n.terms, n.formats,
         coalesce(n.city, CASE WHEN p.shows_location THEN w.city END, ''), n.cell_lat, n.cell_lon, n.km::real,
         n.probability::real
    FROM in_reach n LEFT JOIN profiles p ON p.user_id = n.user_id LEFT JOIN users u ON u.user_id = n.user_id
    LEFT JOIN user_locations w ON w.user_id = n.user_id
   WHERE n.user_id IS NULL OR u.status = 'active'
   ORDER BY n.probability * (0.85 + 0.15 * greatest(0, 1 - coalesce(n.km, 40) / 40.0)) DESC, n.item LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, bigint, text, text, integer,
    timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, bigint, text, text, integer,
    timestamptz, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/set_ring_check_due.sql
-- Set whether the job that finds swap rings checks these users. The function restores the user that was set before.
--
-- Called by: app.request_ring_checks and app.finish_swap_ring_check.
-- The owner role may write only the row of the user that is set.
CREATE OR REPLACE FUNCTION app.set_ring_check_due(user_ids uuid[], is_due boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  owner_id uuid;
BEGIN
  FOREACH owner_id IN ARRAY user_ids LOOP
    PERFORM set_config('app.user_id', owner_id::text, true);
    UPDATE user_locations SET ring_check_due = is_due WHERE user_id = owner_id AND ring_check_due <> is_due;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
END $$;
REVOKE ALL ON FUNCTION app.set_ring_check_due(uuid[], boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.set_ring_check_due(uuid[], boolean) TO porchlight_overseer;

-- file: functions/settle_swap_ring.sql
-- Set the state of a swap ring from the answers of its members and start the job that informs them.
-- One refusal declines the ring; three acceptances agree on it.
--
-- Called by: matches, after an answer.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.settle_swap_ring(wanted uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_state text;
BEGIN
  SELECT CASE WHEN bool_or(m.answer = 'declined') THEN 'declined'
              WHEN count(*) FILTER (WHERE m.answer = 'accepted') = 3 THEN 'agreed' ELSE 'proposed' END
    INTO now_state FROM swap_ring_members m WHERE m.ring_id = wanted;
  UPDATE swap_rings SET state = now_state WHERE id = wanted AND state = 'proposed' AND state <> now_state;
  IF FOUND THEN
    PERFORM app.enqueue('matches:notify_members', jsonb_build_object('ring_id', wanted), NULL);
  END IF;
  RETURN now_state;
END $$;
REVOKE ALL ON FUNCTION app.settle_swap_ring(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.settle_swap_ring(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/similar_phrases.sql
-- Return the phrases in use that are nearest to a text: up to 40 by meaning and 40 by spelling, with the cosine of the
-- embeddings and the share of common trigrams. Without a vector, by spelling only, and the cosine is NULL.
--
-- The vector is a literal of pgvector. A subquery casts it, so that this is done once and not per row.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.similar_phrases(query_words text, query_vector text)
RETURNS TABLE (other_id integer, cosine double precision, spelling real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  PERFORM set_config('pg_trgm.similarity_threshold', '0.3', true);
  IF query_vector IS NULL THEN
    RETURN QUERY
    SELECT p.id, NULL::double precision, similarity(p.words, query_words) FROM phrases p
     WHERE p.words % query_words AND p.in_use ORDER BY 3 DESC LIMIT 40;
  ELSE
    RETURN QUERY
    SELECT n.phrase_id, 1 - n.distance, similarity(p.words, query_words)
      FROM (SELECT v.phrase_id, v.embedding <=> (SELECT query_vector::vector) AS distance FROM phrase_vectors v
             ORDER BY distance LIMIT 40) n
      JOIN phrases p ON p.id = n.phrase_id
     UNION
    SELECT p.id, 1 - (v.embedding <=> (SELECT query_vector::vector)), similarity(p.words, query_words)
      FROM (SELECT s.id, s.words FROM phrases s WHERE s.words % query_words AND s.in_use
             ORDER BY similarity(s.words, query_words) DESC LIMIT 40) p
      JOIN phrase_vectors v ON v.phrase_id = p.id;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.similar_phrases(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.similar_phrases(text, text) TO porchlight_app, porchlight_overseer;

-- file: functions/skill_listing.sql
-- Return a visible listing with its photos and the public fields of its owner.
--
-- Called by: listings, for the page of a listing.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.skill_listing(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'id', o.id, 'title', o.title, 'level', o.level, 'details', o.details, 'formats', o.formats,
           'terms', o.terms, 'price_cents', o.price_cents, 'currency', o.currency, 'radius_km', o.radius_km,
           'days', o.days, 'handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id,
           'photo_url', p.photo_url, 'bio', p.bio, 'languages', p.languages,
           'city', CASE WHEN p.shows_location THEN w.city ELSE '' END,
           'photos', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'alt', f.alt, 'width', f.width,
                                                                   'height', f.height) ORDER BY f.position, f.id), '[]')
                        FROM listing_photos f WHERE f.user_id = o.user_id AND f.offer_id = o.id))
    FROM skill_offers o JOIN profiles p ON p.user_id = o.user_id JOIN users u ON u.user_id = o.user_id
    LEFT JOIN user_locations w ON w.user_id = o.user_id
   WHERE o.id = wanted AND o.visible AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.skill_listing(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.skill_listing(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/skill_matches.sql
-- Return the best matches of the user `me`: people who teach what `me` wants, or want what `me` teaches.
--
-- The best skill is worth 90 of 100 points and all others together the rest; a skill they want counts 0.6. Distance
-- reduces the score by up to 15 percent (0 to 40 km). Candidates are read in blocks (one phrase in one ring of grid
-- cells), in the order of the best possible score, until 4,000 rows (150 per block); then the most likely people are
-- scored in full. Among 100,000 people, 9 of the 10 best are the same as with a complete search. From outside the near
-- tiles it takes 20 people per skill who teach online.
--
-- Called by: matches.
-- SECURITY DEFINER: it reads the listings and wishes of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.skill_matches(me uuid, max_results integer, min_score real)
RETURNS TABLE (user_id uuid, handle text, name text, photo_id uuid, photo_url text, city text, km real, score real,
               teaches jsonb, learns jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  here record;
  tiles integer[];
BEGIN
  SELECT h.tile, h.cell_lat::integer AS lat, h.cell_lon::integer AS lon INTO here FROM user_locations h
   WHERE h.user_id = me;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  tiles := ARRAY(SELECT here.tile + 1000 * a + b FROM generate_series(-1, 1) a, generate_series(-1, 1) b
                  WHERE here.tile >= 0 ORDER BY abs(a) + abs(b));
  RETURN QUERY
  WITH wanted_phrases AS MATERIALIZED (
    SELECT r.other_id AS phrase_id, max(r.probability) AS probability
      FROM skill_wants w JOIN phrase_relations r ON r.phrase_id = w.phrase_id WHERE w.user_id = me GROUP BY 1
  ), offered_phrases AS MATERIALIZED (
    SELECT r.phrase_id, max(r.probability) AS probability
      FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id WHERE o.user_id = me GROUP BY 1
  ), own_phrases AS (
    SELECT true AS taught, a.phrase_id, a.probability AS value FROM wanted_phrases a
     UNION ALL SELECT false, g.phrase_id, 0.6 * g.probability FROM offered_phrases g
  ), rings AS (
    SELECT x.inner_cells, x.nearness,
           CASE WHEN x.cells IS NULL THEN tiles ELSE ARRAY(
             SELECT DISTINCT a / 25 * 1000 + b / 20 FROM unnest(ARRAY[here.lat - x.cells, here.lat + x.cells]) a,
                    unnest(ARRAY[here.lon - x.cells, here.lon + x.cells]) b) END AS ring_tiles,
           coalesce(here.lat - x.cells, -1) AS south, coalesce(here.lat + x.cells, 32767) AS north,
           coalesce(here.lon - x.cells, -1) AS west, coalesce(here.lon + x.cells, 32767) AS east
      FROM (VALUES (-1, 0, 1.0), (0, 1, 0.94), (1, 3, 0.89), (3, NULL, 0.78)) x (inner_cells, cells, nearness)
     WHERE here.tile >= 0
  ), blocks AS MATERIALIZED (
    SELECT s.*, r.*, false AS far, s.value * (0.85 + 0.15 * r.nearness) AS bound FROM own_phrases s, rings r
     UNION ALL
    SELECT s.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, s.value * 0.85 FROM own_phrases s WHERE s.taught
     ORDER BY bound DESC, taught DESC, phrase_id
  ), candidates AS MATERIALIZED (
    SELECT f.user_id, f.cell_lat, f.cell_lon, b.value FROM blocks b CROSS JOIN LATERAL (
      (SELECT o.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
          WHERE o.visible AND o.phrase_id = b.phrase_id AND o.tile = t.tile
            AND o.cell_lat BETWEEN b.south AND b.north AND o.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(o.cell_lat - here.lat), abs(o.cell_lon - here.lon)) > b.inner_cells LIMIT 150) o
        WHERE b.taught AND NOT b.far LIMIT 150)
      UNION ALL
      (SELECT w.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT w.user_id, w.cell_lat, w.cell_lon FROM skill_wants w
          WHERE w.visible AND w.phrase_id = b.phrase_id AND w.tile = t.tile
            AND w.cell_lat BETWEEN b.south AND b.north AND w.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(w.cell_lat - here.lat), abs(w.cell_lon - here.lon)) > b.inner_cells LIMIT 150) w
        WHERE NOT b.taught LIMIT 150)
      UNION ALL
      (SELECT o.* FROM (VALUES (here.tile - 999, here.tile - 1), (here.tile + 1, here.tile + 999),
                               (here.tile + 1001, 2147483647), (-2, here.tile - 1001)) gap (above, below)
         CROSS JOIN LATERAL (
           SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.visible AND 'online' = ANY (o.formats) AND o.phrase_id = b.phrase_id
              AND o.tile > gap.above AND o.tile < gap.below LIMIT 20) o
        WHERE b.far LIMIT 20)) f
     LIMIT 4000
  ), likely AS MATERIALIZED (
    SELECT k.user_id, k.km, k.best, k.total FROM (
      SELECT h.user_id, max(h.value) AS best, sum(h.value) AS total,
             CASE WHEN min(h.cell_lat) >= 0 AND here.lat >= 0
                  THEN app.cell_km(min(h.cell_lat), min(h.cell_lon), here.lat::smallint, here.lon::smallint) END AS km
        FROM candidates h WHERE h.user_id <> me GROUP BY 1) k
     ORDER BY (0.9 * k.best + 0.1 * (1 - exp(-0.5 * (k.total - k.best))))
              * (0.85 + 0.15 * greatest(0, 1 - coalesce(k.km, 40) / 40.0)) DESC, k.user_id LIMIT max_results + 140
  ), ranked AS (
    SELECT k.user_id, k.km, 100 * (0.9 * k.best + 0.1 * (1 - exp(-0.5 * (k.total - k.best))))
                            * (0.85 + 0.15 * greatest(0, 1 - coalesce(k.km, 40) / 40.0)) AS score
      FROM (SELECT l.user_id, l.km, max(v.value) AS best, sum(v.value) AS total FROM likely l CROSS JOIN LATERAL (
              SELECT a.probability AS value FROM skill_offers o JOIN wanted_phrases a ON a.phrase_id = o.phrase_id
               WHERE o.user_id = l.user_id AND o.visible AND (o.tile = ANY (tiles) OR 'online' = ANY (o.formats))
               UNION ALL
              SELECT 0.6 * g.probability FROM skill_wants w JOIN offered_phrases g ON g.phrase_id = w.phrase_id
               WHERE w.user_id = l.user_id AND w.visible AND w.tile = ANY (tiles)) v GROUP BY 1, 2) k
     ORDER BY 3 DESC, 1 LIMIT max_results + 30
  )
  SELECT r.user_id, p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN v.city ELSE '' END, r.km::real, round(r.score::numeric, 1)::real,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', o.title, 'fit', a.probability)
                                    ORDER BY a.probability DESC, o.title), '[]')
            FROM skill_offers o JOIN wanted_phrases a ON a.phrase_id = o.phrase_id
           WHERE o.user_id = r.user_id AND o.visible),
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', w.title, 'fit', g.probability)
                                    ORDER BY g.probability DESC, w.title), '[]')
            FROM skill_wants w JOIN offered_phrases g ON g.phrase_id = w.phrase_id
           WHERE w.user_id = r.user_id AND w.visible)
    FROM ranked r JOIN profiles p ON p.user_id = r.user_id JOIN users u ON u.user_id = r.user_id
    LEFT JOIN user_locations v ON v.user_id = r.user_id
   WHERE u.status = 'active' AND round(r.score::numeric, 1) >= round(min_score::numeric, 1)
   ORDER BY r.score DESC, r.user_id LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.skill_matches(uuid, integer, real) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.skill_matches(uuid, integer, real) TO porchlight_app, porchlight_overseer;

-- file: functions/skill_to_offer.sql
-- Return the skills that `me` could add, by how many near people want them and are no match yet.
-- It only returns skills that some user names in a profile.
--
-- Called by: matches.
-- SECURITY DEFINER: it reads the wishes of all users and returns only numbers.
CREATE OR REPLACE FUNCTION app.skill_to_offer(me uuid, max_results integer) RETURNS TABLE (skill text, people bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT ARRAY(SELECT h.tile + 1000 * a + b FROM generate_series(-1, 1) a, generate_series(-1, 1) b) AS tiles
      FROM user_locations h WHERE h.user_id = me AND h.tile >= 0
  ), unserved_wants AS MATERIALIZED (
    SELECT w.phrase_id, count(*) AS people FROM skill_wants w, here h
     WHERE w.visible AND w.tile = ANY (h.tiles) AND w.user_id <> me
       AND NOT EXISTS (SELECT FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id
                        WHERE o.user_id = me AND r.phrase_id = w.phrase_id AND r.probability >= 0.5)
     GROUP BY 1
  ), likely AS (
    SELECT r.other_id, sum(d.people * r.probability) AS served
      FROM unserved_wants d JOIN phrase_relations r ON r.phrase_id = d.phrase_id
     WHERE r.probability >= 0.5
       AND (EXISTS (SELECT FROM skill_wants w WHERE w.phrase_id = r.other_id AND w.visible)
            OR EXISTS (SELECT FROM skill_offers o WHERE o.phrase_id = r.other_id AND o.visible))
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20
  ), counted AS (
    SELECT l.other_id, l.served, (SELECT count(DISTINCT w.user_id) FROM skill_wants w, here h, phrase_relations r
                         WHERE r.other_id = l.other_id AND r.probability >= 0.5 AND w.phrase_id = r.phrase_id
                           AND w.visible AND w.tile = ANY (h.tiles) AND w.user_id <> me
                           AND w.phrase_id IN (SELECT d.phrase_id FROM unserved_wants d)) AS people
      FROM likely l WHERE l.other_id NOT IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me)
  )
  SELECT coalesce((SELECT o.title FROM skill_offers o WHERE o.phrase_id = c.other_id AND o.visible LIMIT 1),
                  (SELECT w.title FROM skill_wants w WHERE w.phrase_id = c.other_id AND w.visible LIMIT 1), p.words),
         c.people
    FROM counted c JOIN phrases p ON p.id = c.other_id WHERE c.people > 0
   ORDER BY c.people DESC, c.served DESC, 1 LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.skill_to_offer(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.skill_to_offer(uuid, integer) TO porchlight_app, porchlight_overseer;

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
   WHERE state = 'proposed' AND created_at < now() - ttl_days * interval '1 day';
  RETURN QUERY SELECT l.user_id FROM user_locations l
                WHERE l.ring_check_due AND l.availability_bits <> 0 AND l.tile >= 0
                ORDER BY l.updated_at LIMIT max_users;
END $$;
REVOKE ALL ON FUNCTION app.start_swap_ring_check(integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.start_swap_ring_check(integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/suggest_skills.sql
-- Return the skills that a user may mean who has typed `typed` so far: exact beginnings first, then similar spelling.
-- Each of the three conditions is a query of its own, so that each uses its index. The threshold is set in the body,
-- because a plain role could not restore a function with that setting from a dump.
--
-- Called by: catalog, at each key stroke in a skill field.
CREATE OR REPLACE FUNCTION app.suggest_skills(typed text, max_results integer) RETURNS TABLE (name text, category text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  typed_length integer := length(typed);
  max_edits integer := CASE WHEN length(typed) < 4 THEN 1 WHEN length(typed) < 6 THEN 3 ELSE 4 END;
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', '0.3', true);
  RETURN QUERY
  WITH candidates AS (
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE n.term >= typed AND n.term < typed || chr(1114111)
    UNION
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE typed_length >= 3 AND typed <% n.term
    UNION
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE typed_length >= 3 AND n.term_length BETWEEN typed_length - 2 AND least(typed_length + 2, 8)
       AND least(levenshtein_less_equal(typed, n.term, max_edits),
                 levenshtein_less_equal(typed, left(n.term, typed_length), max_edits)) <= max_edits
  ), scored AS (
    SELECT n.name, n.category_slug, n.popular,
           CASE WHEN n.term = typed THEN 0.0
                WHEN n.term ^@ typed THEN 0.5
                ELSE least(1.0 + levenshtein_less_equal(typed, n.term, max_edits),
                           1.5 + levenshtein_less_equal(typed, left(n.term, typed_length), max_edits))
           END + CASE WHEN length(n.term) < length(n.name) THEN 0.25 ELSE 0.0 END
               - 2.0 * similarity(typed, n.term) AS cost
      FROM candidates n
  ), best AS (
    SELECT n.name, n.category_slug, bool_or(n.popular) AS popular, min(n.cost) AS cost
      FROM scored n GROUP BY n.name, n.category_slug
  )
  SELECT b.name, c.name FROM best b JOIN skill_categories c ON c.slug = b.category_slug
   WHERE b.cost <= 1.5 + max_edits AND b.cost <= (SELECT min(likeliest.cost) FROM best likeliest) + 2.25
   ORDER BY b.cost, b.popular DESC, length(b.name), b.name LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.suggest_skills(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.suggest_skills(text, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/swap_ring_circle.sql
-- Return the users who can be in a swap ring with a user of `due`: these, their possible learners and their possible
-- teachers, the best `max_partners` each. The third member of a ring is both. `open_rings` counts proposed rings.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: offers, wants and locations of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.swap_ring_circle(due uuid[], min_probability double precision, max_partners integer)
RETURNS TABLE (user_id uuid, availability_bits integer, open_rings bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  RETURN QUERY
  WITH due_users AS (SELECT l.user_id, l.tile FROM user_locations l WHERE l.user_id = ANY (due)),
  learners AS (
    SELECT DISTINCT x.user_id FROM due_users d CROSS JOIN LATERAL (
      SELECT w.user_id FROM skill_offers o
        JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.probability >= min_probability
        JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id <> o.user_id
         AND w.tile = ANY (ARRAY[d.tile, d.tile - 1, d.tile + 1, d.tile - 1000, d.tile + 1000])
       WHERE o.user_id = d.user_id AND o.visible ORDER BY r.probability DESC LIMIT max_partners) x),
  teachers AS (
    SELECT DISTINCT x.user_id FROM due_users d CROSS JOIN LATERAL (
      SELECT o.user_id FROM skill_wants w
        JOIN phrase_relations r ON r.phrase_id = w.phrase_id AND r.probability >= min_probability
        JOIN skill_offers o ON o.phrase_id = r.other_id AND o.visible AND w.user_id <> o.user_id
         AND o.tile = ANY (ARRAY[d.tile, d.tile - 1, d.tile + 1, d.tile - 1000, d.tile + 1000])
       WHERE w.user_id = d.user_id AND w.visible ORDER BY r.probability DESC LIMIT max_partners) x)
  SELECT l.user_id, l.availability_bits,
         (SELECT count(*) FROM swap_ring_members m JOIN swap_rings s ON s.id = m.ring_id
           WHERE m.user_id = l.user_id AND s.state = 'proposed')
    FROM user_locations l JOIN users u ON u.user_id = l.user_id AND u.status = 'active'
   WHERE l.availability_bits <> 0 AND l.user_id IN (
     SELECT d.user_id FROM due_users d UNION SELECT x.user_id FROM learners x UNION SELECT x.user_id FROM teachers x);
END $$;
REVOKE ALL ON FUNCTION app.swap_ring_circle(uuid[], double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_ring_circle(uuid[], double precision, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/swap_ring_lessons.sql
-- Return who of the users of `circle` can teach whom in a swap, the skill, and how likely it serves the learner.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: offers and wants of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.swap_ring_lessons(circle uuid[], min_probability double precision)
RETURNS TABLE (teacher_id uuid, learner_id uuid, skill text, probability real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  RETURN QUERY
  SELECT o.user_id, w.user_id, o.title, r.probability FROM skill_offers o
    JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.probability >= min_probability
    JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id = ANY (circle)
   WHERE o.user_id = ANY (circle) AND o.visible AND o.user_id <> w.user_id
     AND app.cell_km(o.cell_lat, o.cell_lon, w.cell_lat, w.cell_lon) <= o.radius_km
     AND o.cell_lat >= 0 AND w.cell_lat >= 0 AND 'swap' = ANY (o.terms);
END $$;
REVOKE ALL ON FUNCTION app.swap_ring_lessons(uuid[], double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_ring_lessons(uuid[], double precision) TO porchlight_app, porchlight_overseer;

-- file: functions/swap_ring_to_notify.sql
-- Return the members of the swap ring that the running job informs, in their order, without deleted and
-- suspended users.
--
-- Called by: matches, in the job matches:notify_members.
-- SECURITY DEFINER: a ring belongs to three users. The ring's id comes from the job.
CREATE OR REPLACE FUNCTION app.swap_ring_to_notify()
RETURNS TABLE (ring_id uuid, state text, user_id uuid, email text, name text, teaches text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('matches:notify_members');
BEGIN
  RETURN QUERY SELECT r.id, r.state, m.user_id, u.email, p.display_name, m.teaches FROM swap_rings r
                 JOIN swap_ring_members m ON m.ring_id = r.id JOIN users u ON u.user_id = m.user_id
                 JOIN profiles p ON p.user_id = m.user_id
                WHERE r.id = (args ->> 'ring_id')::uuid AND u.status = 'active' ORDER BY m.place;
END $$;
REVOKE ALL ON FUNCTION app.swap_ring_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_ring_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/swap_rings_of.sql
-- Return the open and agreed swap rings of the user `me`, with the other two members.
--
-- Called by: matches.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.swap_rings_of(me uuid)
RETURNS TABLE (id uuid, state text, availability_bits integer, created_at timestamptz,
                                                           members jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.id, r.state, r.availability_bits, r.created_at,
         (SELECT jsonb_agg(jsonb_build_object('handle', p.handle, 'name', p.display_name, 'teaches', o.teaches,
                                              'answer', o.answer, 'you', o.user_id = me) ORDER BY o.place)
            FROM swap_ring_members o JOIN profiles p ON p.user_id = o.user_id WHERE o.ring_id = r.id)
    FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id
   WHERE m.user_id = me AND r.state IN ('proposed', 'agreed') AND m.answer IS DISTINCT FROM 'declined'
     AND (SELECT count(*) FROM swap_ring_members o WHERE o.ring_id = r.id) = 3
   ORDER BY r.created_at DESC LIMIT 20
$$;
REVOKE ALL ON FUNCTION app.swap_rings_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_rings_of(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/tenant_id.sql
-- Return the current tenant, which unit_of_work sets for the transaction, or NULL.
--
-- Called by: every policy of a tenant's table.
CREATE OR REPLACE FUNCTION app.tenant_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.tenant_id', true), '')::uuid;

-- file: functions/unpublish_guru.sql
-- Take the current user's site offline; publishing brings it back. Returns false when the user has no guru.
--
-- Called by: onboarding.
-- SECURITY DEFINER: the app role cannot change whether a guru is published.
CREATE OR REPLACE FUNCTION app.unpublish_guru() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  SELECT m.tenant_id INTO own_guru_id FROM memberships m WHERE m.user_id = owner_id;
  PERFORM set_config('app.tenant_id', coalesce(own_guru_id::text, ''), true);
  UPDATE gurus SET published = false WHERE id = own_guru_id AND published;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN own_guru_id IS NOT NULL;
END $$;
REVOKE ALL ON FUNCTION app.unpublish_guru() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.unpublish_guru() TO porchlight_app;

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
  SELECT g.tenant_id INTO own_guru_id FROM app.guru_of(owner_id) g;
  IF own_guru_id IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_config('app.tenant_id', own_guru_id::text, true);
  UPDATE guru_categories c
     SET name = s.name, position = s.place, needs_documents = s.needed, listed = s.approved, good_until = s.good_until,
         updated_at = now()
    FROM app.category_status(owner_id, ARRAY(SELECT o.slug FROM guru_categories o WHERE o.tenant_id = own_guru_id)) s
   WHERE c.tenant_id = own_guru_id AND c.slug = s.slug
     AND (c.name, c.position, c.needs_documents, c.listed, c.good_until)
         IS DISTINCT FROM (s.name, s.place, s.needed, s.approved, s.good_until);
  UPDATE guru_categories c SET listed = false, updated_at = now()
   WHERE c.tenant_id = own_guru_id AND c.listed
     AND NOT EXISTS (SELECT FROM skill_categories k WHERE k.slug = c.slug AND NOT k.coming_soon);
  UPDATE gurus g SET category = n.word
    FROM (SELECT coalesce((SELECT lower(c.name) FROM guru_categories c WHERE c.tenant_id = own_guru_id AND c.listed
                            ORDER BY c.position LIMIT 1), 'general') AS word) n
   WHERE g.id = own_guru_id AND g.category <> n.word
     AND (g.category = 'general' OR g.category IN (SELECT lower(k.name) FROM skill_categories k));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN true;
END $$;

-- file: functions/user_id.sql
-- Return the current user, whom unit_of_work sets for the transaction, or NULL.
--
-- Called by: every policy of a user's table.
CREATE OR REPLACE FUNCTION app.user_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.user_id', true), '')::uuid;

-- file: functions/visible_need.sql
-- Return a need, if the current user may see it.
--
-- Called by: angels, for the page of a need.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.visible_need(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.need_card(n) FROM needs n WHERE n.id = wanted AND app.can_see_need(n)
$$;
REVOKE ALL ON FUNCTION app.visible_need(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.visible_need(uuid) TO porchlight_app, porchlight_overseer;

-- file: schema.sql
-- == tenancy ==========================================================================================================

-- A guru: the tenant. Its id is the tenant_id of everything it owns. `published` is the owner's choice; `status`
-- follows it by trigger, unless staff suspended the site. `content_version` grows whenever the site shows something
-- else.
CREATE TABLE gurus (
    id uuid NOT NULL,
    label text NOT NULL,
    status text NOT NULL DEFAULT 'active',
    character text NOT NULL,
    category text NOT NULL,
    primary_skills text[] NOT NULL DEFAULT '{}',
    tagline text NOT NULL DEFAULT '',
    city text NOT NULL DEFAULT '',
    about_markdown text NOT NULL DEFAULT '',
    about_html text NOT NULL DEFAULT '',
    primary_color text NOT NULL DEFAULT '#22c55e',
    secondary_color text NOT NULL DEFAULT '#0ea5e9',
    icon text NOT NULL DEFAULT 'star',
    emoji text NOT NULL DEFAULT '',
    seo_title text NOT NULL DEFAULT '',
    seo_description text NOT NULL DEFAULT '',
    contact_email text NOT NULL DEFAULT '',
    content_version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    published boolean NOT NULL DEFAULT true,
    photo_url text NOT NULL DEFAULT '',
    CONSTRAINT pk_gurus PRIMARY KEY (id),
    CONSTRAINT uq_gurus_label UNIQUE (label),
    CONSTRAINT ck_gurus_label CHECK (label = lower(label) AND length(label) BETWEEN 1 AND 63),
    CONSTRAINT ck_gurus_status CHECK (status IN ('active', 'suspended', 'unpublished'))
);
CREATE INDEX ix_gurus_status ON gurus (status, id);
CREATE INDEX ix_gurus_status_created_at ON gurus (status, created_at);
ALTER TABLE gurus ENABLE ROW LEVEL SECURITY;
ALTER TABLE gurus FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gurus TO porchlight_app USING (id = app.tenant_id()) WITH CHECK (id = app.tenant_id());
CREATE POLICY directory ON gurus FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON gurus TO porchlight_owner USING (id = app.tenant_id()) WITH CHECK (id = app.tenant_id());
CREATE POLICY overseer ON gurus TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON gurus TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON gurus TO porchlight_overseer;
-- Requests may change what a site says, but not its owner, its label or whether it is published.
GRANT UPDATE (character, category, primary_skills, tagline, city, about_markdown, about_html, primary_color,
    secondary_color, icon, emoji, seo_title, seo_description, contact_email, content_version, updated_at, photo_url) ON
    gurus TO porchlight_app;

-- Custom domains of gurus. A domain serves the site, and gets a certificate, once verified_at is set.
CREATE TABLE domains (
    tenant_id uuid NOT NULL,
    domain text NOT NULL,
    verified_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_domains PRIMARY KEY (tenant_id, domain),
    CONSTRAINT uq_domains_domain UNIQUE (domain),
    CONSTRAINT fk_domains_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_domains_domain CHECK (domain = lower(domain))
);
ALTER TABLE domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE domains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domains TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON domains FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON domains TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domains TO porchlight_app, porchlight_overseer;

-- Subdomains that a guru had before a rename. They redirect, and no other guru can take them.
CREATE TABLE retired_labels (
    tenant_id uuid NOT NULL,
    label text NOT NULL,
    retired_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_retired_labels PRIMARY KEY (tenant_id, label),
    CONSTRAINT uq_retired_labels_label UNIQUE (label),
    CONSTRAINT fk_retired_labels_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE retired_labels ENABLE ROW LEVEL SECURITY;
ALTER TABLE retired_labels FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON retired_labels TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON retired_labels FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON retired_labels TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON retired_labels TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON retired_labels TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON retired_labels TO porchlight_overseer;

-- == auth =============================================================================================================

-- Accounts. A deleted account keeps its row without personal data. `suspended_site` means that the site was taken
-- offline together with the account and comes back with it.
CREATE TABLE users (
    user_id uuid NOT NULL,
    firebase_uid text NOT NULL,
    email text NOT NULL DEFAULT '',
    email_verified boolean NOT NULL DEFAULT false,
    status text NOT NULL DEFAULT 'active',
    signed_out_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    email_change_asked_at timestamptz,
    ended_sign_ins timestamptz[] NOT NULL DEFAULT '{}',
    suspended_at timestamptz,
    suspended_reason text NOT NULL DEFAULT '',
    suspended_site boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_users PRIMARY KEY (user_id),
    CONSTRAINT uq_users_firebase_uid UNIQUE (firebase_uid),
    CONSTRAINT ck_users_erased CHECK (status <> 'erased' OR email = ''),
    CONSTRAINT ck_users_status CHECK (status IN ('active', 'suspended', 'erased'))
);
CREATE INDEX ix_users_email_change_asked_at ON users (email_change_asked_at) WHERE email_change_asked_at IS NOT NULL;
CREATE INDEX ix_users_email_trgm ON users USING gin (email gin_trgm_ops);
CREATE INDEX ix_users_suspended ON users (user_id) WHERE status = 'suspended';
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON users TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON users FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON users TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON users TO porchlight_app, porchlight_overseer;

-- Signed-in browsers. The cookie holds the secret; the table holds only its hash.
CREATE TABLE sessions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    authenticated_at timestamptz NOT NULL,
    token_issued_at timestamptz NOT NULL,
    user_agent text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_sessions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_sessions_secret_hash UNIQUE (secret_hash),
    CONSTRAINT fk_sessions_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sessions TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON sessions FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON sessions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO porchlight_app, porchlight_overseer;

-- Sessions on custom domains. A row starts as a one-time login handoff (pass_hash) and becomes a session (secret_hash)
-- by its single use. It ends with the session it came from.
CREATE TABLE domain_sessions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    domain text NOT NULL,
    pass_hash bytea,
    browser_hash bytea NOT NULL,
    secret_hash bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_domain_sessions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_domain_sessions_pass_hash UNIQUE (pass_hash),
    CONSTRAINT uq_domain_sessions_secret_hash UNIQUE (secret_hash),
    CONSTRAINT fk_domain_sessions_user_id_session_id FOREIGN KEY (user_id, session_id)
        REFERENCES sessions (user_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_domain_sessions_used CHECK ((pass_hash IS NULL) <> (secret_hash IS NULL))
);
CREATE INDEX ix_domain_sessions_user_id_session_id ON domain_sessions (user_id, session_id);
ALTER TABLE domain_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_sessions TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON domain_sessions FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON domain_sessions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_sessions TO porchlight_app, porchlight_overseer;

-- == embeddings =======================================================================================================

-- The distinct texts of skills and searches. `in_use` means that a listing or a wish has this name. `related_by` names
-- what computed its relations; NULL means that the embeddings job has not read it yet. Ids are integers, because these
-- rows are joined in the millions.
CREATE TABLE phrases (
    id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    words text NOT NULL,
    in_use boolean NOT NULL,
    related_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_phrases PRIMARY KEY (id),
    CONSTRAINT uq_phrases_words UNIQUE (words)
);
CREATE INDEX ix_phrases_unrelated ON phrases (id) WHERE related_by IS NULL;
CREATE INDEX ix_phrases_words_trgm ON phrases USING gin (words gin_trgm_ops);
GRANT SELECT, INSERT, UPDATE, DELETE ON phrases TO porchlight_overseer;

-- How likely a listing named `other_id` serves a user who asks for `phrase_id`; both directions are stored.
CREATE TABLE phrase_relations (
    phrase_id integer NOT NULL,
    other_id integer NOT NULL,
    probability real NOT NULL,
    CONSTRAINT pk_phrase_relations PRIMARY KEY (phrase_id, other_id),
    CONSTRAINT fk_phrase_relations_other_id FOREIGN KEY (other_id) REFERENCES phrases (id) ON DELETE CASCADE,
    CONSTRAINT fk_phrase_relations_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id) ON DELETE CASCADE,
    CONSTRAINT ck_phrase_relations_probability CHECK (probability > 0 AND probability < 1)
);
CREATE INDEX ix_phrase_relations_other_id ON phrase_relations (other_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON phrase_relations TO porchlight_overseer;

-- == angels ===========================================================================================================

-- The kinds of local help. `porchlight migrate` fills the table from services.toml.
CREATE TABLE angel_services (
    id text NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    avg_price_cents integer NOT NULL,
    providers integer NOT NULL,
    rating numeric(2,1) NOT NULL,
    city text NOT NULL,
    category text NOT NULL,
    position integer NOT NULL,
    keywords text[] NOT NULL DEFAULT '{}',
    CONSTRAINT pk_angel_services PRIMARY KEY (id),
    CONSTRAINT ck_angel_services_avg_price CHECK (avg_price_cents >= 0),
    CONSTRAINT ck_angel_services_providers CHECK (providers >= 0),
    CONSTRAINT ck_angel_services_rating CHECK (rating BETWEEN 0 AND 5)
);
CREATE INDEX ix_angel_services_position ON angel_services (position);
GRANT SELECT ON angel_services TO porchlight_app, porchlight_overseer;

-- Users who offer a service. Places are the centers of coarse grid cells; no exact place is stored.
CREATE TABLE angels (
    user_id uuid NOT NULL,
    service_id text NOT NULL,
    rate_cents integer NOT NULL,
    about text NOT NULL DEFAULT '',
    days smallint[] NOT NULL,
    radius_miles smallint NOT NULL,
    mails_a_day smallint NOT NULL DEFAULT 5,
    city text NOT NULL,
    region text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    active boolean NOT NULL DEFAULT true,
    jobs integer NOT NULL DEFAULT 0,
    ratings integer NOT NULL DEFAULT 0,
    rating_sum integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_angels PRIMARY KEY (user_id, service_id),
    CONSTRAINT fk_angels_service_id FOREIGN KEY (service_id) REFERENCES angel_services (id) ON DELETE CASCADE,
    CONSTRAINT fk_angels_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_angels_days CHECK (cardinality(days) BETWEEN 1 AND 7 AND days <@ '{1,2,3,4,5,6,7}'),
    CONSTRAINT ck_angels_mails CHECK (mails_a_day BETWEEN 0 AND 20),
    CONSTRAINT ck_angels_radius CHECK (radius_miles BETWEEN 1 AND 50),
    CONSTRAINT ck_angels_rate CHECK (rate_cents BETWEEN 100 AND 50000),
    CONSTRAINT ck_angels_ratings CHECK (ratings >= 0 AND rating_sum BETWEEN ratings AND (5 * ratings))
);
CREATE INDEX ix_angels_service_id_latitude ON angels (service_id, latitude) WHERE active;
ALTER TABLE angels ENABLE ROW LEVEL SECURITY;
ALTER TABLE angels FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON angels TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON angels FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON angels TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON angels TO porchlight_app, porchlight_overseer;

-- == catalog ==========================================================================================================

-- The categories of the skill catalog. `porchlight migrate` fills the table from the catalog file.
CREATE TABLE skill_categories (
    slug text NOT NULL,
    name text NOT NULL,
    position integer NOT NULL,
    risk_level text NOT NULL,
    popular boolean NOT NULL,
    coming_soon boolean NOT NULL,
    requires_license boolean NOT NULL,
    requires_gl boolean NOT NULL,
    requires_auto_insurance boolean NOT NULL,
    notes text NOT NULL,
    CONSTRAINT pk_skill_categories PRIMARY KEY (slug),
    CONSTRAINT uq_skill_categories_name UNIQUE (name),
    CONSTRAINT ck_skill_categories_risk_level CHECK (risk_level IN ('low', 'medium', 'high', 'extreme'))
);
GRANT SELECT ON skill_categories TO porchlight_app, porchlight_overseer;

-- What a user can type to find a skill: its name, and its name from each further word on.
CREATE TABLE skill_search_terms (
    category_slug text NOT NULL,
    name text NOT NULL,
    term text COLLATE "C" NOT NULL,
    term_length integer NOT NULL,
    popular boolean NOT NULL,
    CONSTRAINT pk_skill_search_terms PRIMARY KEY (category_slug, name, term),
    CONSTRAINT fk_skill_search_terms_category_slug FOREIGN KEY (category_slug)
        REFERENCES skill_categories (slug) ON DELETE CASCADE
);
CREATE INDEX ix_skill_search_terms_term ON skill_search_terms (term);
CREATE INDEX ix_skill_search_terms_term_length ON skill_search_terms (term_length);
-- Rarely written and read at each key stroke: without fastupdate, no search reads a list of pending entries.
CREATE INDEX ix_skill_search_terms_term_trgm ON skill_search_terms USING gin (term gin_trgm_ops) WITH (fastupdate=off);
GRANT SELECT ON skill_search_terms TO porchlight_app, porchlight_overseer;

-- == admin ============================================================================================================

-- Wrong admin keys, for the lockout.
CREATE TABLE admin_attempts (
    id uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_admin_attempts PRIMARY KEY (id)
);
CREATE INDEX ix_admin_attempts_at ON admin_attempts (at);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_attempts TO porchlight_overseer;

-- Sessions of staff.
CREATE TABLE admin_sessions (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    key_name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT pk_admin_sessions PRIMARY KEY (id),
    CONSTRAINT uq_admin_sessions_token_hash UNIQUE (token_hash)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_sessions TO porchlight_overseer;

-- Counters in 16 rows each, so that concurrent transactions seldom wait for each other.
CREATE TABLE counters (
    name text NOT NULL,
    slot smallint NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT pk_counters PRIMARY KEY (name, slot)
);
GRANT SELECT ON counters TO porchlight_overseer;

-- Staff who view the product as a guru, and since when they may also change something.
CREATE TABLE impersonations (
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    guru_id uuid NOT NULL,
    reason text NOT NULL,
    write_enabled_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT pk_impersonations PRIMARY KEY (id),
    CONSTRAINT fk_impersonations_guru_id FOREIGN KEY (guru_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_impersonations_session_id FOREIGN KEY (session_id) REFERENCES admin_sessions (id) ON DELETE CASCADE
);
CREATE INDEX ix_impersonations_guru_id ON impersonations (guru_id);
CREATE INDEX ix_impersonations_session_id ON impersonations (session_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON impersonations TO porchlight_overseer;

-- == documents ========================================================================================================

-- Uploaded files of documents. The file store has the content under `key`.
CREATE TABLE document_files (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    size bigint NOT NULL DEFAULT 0,
    sha256 bytea,
    stored_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_document_files PRIMARY KEY (user_id, id),
    CONSTRAINT fk_document_files_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_document_files_kind CHECK (kind IN ('application/pdf', 'image/jpeg', 'image/png'))
);
CREATE INDEX ix_document_files_created_at ON document_files (created_at);
ALTER TABLE document_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON document_files TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON document_files TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON document_files TO porchlight_app, porchlight_overseer;

-- Licenses, insurance and other documents of gurus, and their review.
CREATE TABLE documents (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    category text NOT NULL DEFAULT '',
    provider text NOT NULL DEFAULT '',
    number text NOT NULL DEFAULT '',
    issued_on date,
    expires_on date,
    file_url text NOT NULL DEFAULT '',
    file_id uuid,
    status text NOT NULL DEFAULT 'pending',
    reason text NOT NULL DEFAULT '',
    reviewed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_documents PRIMARY KEY (user_id, id),
    CONSTRAINT uq_documents_user_id_file_id UNIQUE (user_id, file_id),
    CONSTRAINT fk_documents_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_documents_user_id_file_id FOREIGN KEY (user_id, file_id) REFERENCES document_files (user_id, id),
    CONSTRAINT ck_documents_dates CHECK (issued_on <= expires_on),
    CONSTRAINT ck_documents_file CHECK (file_url = '' OR file_id IS NULL),
    CONSTRAINT ck_documents_file_url CHECK (file_url = '' OR file_url ~ '^https://'),
    CONSTRAINT ck_documents_status CHECK (status IN ('pending', 'approved', 'rejected', 'lapsed')),
    CONSTRAINT ck_documents_type CHECK (type IN ('license', 'insurance', 'auto', 'cert', 'id'))
);
-- The daily job finds documents that expire, and staff see those that wait, oldest first.
CREATE INDEX ix_documents_approved ON documents (expires_on) WHERE status = 'approved';
CREATE INDEX ix_documents_pending ON documents (id) WHERE status = 'pending';
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON documents TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON documents FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON documents TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON documents TO porchlight_app, porchlight_overseer;

-- The history of each document.
CREATE TABLE document_events (
    user_id uuid NOT NULL,
    document_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    actor text NOT NULL,
    note text NOT NULL DEFAULT '',
    at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_document_events PRIMARY KEY (user_id, document_id, id),
    CONSTRAINT fk_document_events_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_document_events_user_id_document_id FOREIGN KEY (user_id, document_id)
        REFERENCES documents (user_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_document_events_kind CHECK (kind IN ('submitted', 'opened', 'approved', 'rejected', 'reminded',
        'lapsed'))
);
ALTER TABLE document_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON document_events TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON document_events TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON document_events TO porchlight_app, porchlight_overseer;

-- Which reminders of an expiry were sent.
CREATE TABLE document_reminders (
    user_id uuid NOT NULL,
    document_id uuid NOT NULL,
    days integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_document_reminders PRIMARY KEY (user_id, document_id, days),
    CONSTRAINT fk_document_reminders_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_document_reminders_user_id_document_id FOREIGN KEY (user_id, document_id)
        REFERENCES documents (user_id, id) ON DELETE CASCADE
);
ALTER TABLE document_reminders ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_reminders FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON document_reminders TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON document_reminders FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON document_reminders TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON document_reminders TO porchlight_app, porchlight_overseer;

-- == listings =========================================================================================================

-- Listings that staff hid, by owner and phrase, so that removing the skill and adding it again does not show it.
CREATE TABLE hidden_listings (
    owner_id uuid NOT NULL,
    phrase_id integer NOT NULL,
    reason text NOT NULL,
    hidden_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_hidden_listings PRIMARY KEY (owner_id, phrase_id),
    CONSTRAINT fk_hidden_listings_owner_id FOREIGN KEY (owner_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_hidden_listings_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON hidden_listings TO porchlight_overseer;

-- Listings: the skills that users offer, one per phrase of the profile. `days` is a bit mask of weekdays.
CREATE TABLE skill_offers (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    phrase_id integer NOT NULL,
    title text NOT NULL,
    level text,
    details text NOT NULL DEFAULT '',
    formats text[] NOT NULL DEFAULT '{in_person,online}',
    terms text[] NOT NULL DEFAULT '{swap}',
    price_cents integer,
    currency text NOT NULL DEFAULT 'USD',
    radius_km smallint NOT NULL DEFAULT 25,
    days smallint NOT NULL DEFAULT 127,
    updated_at timestamptz NOT NULL DEFAULT now(),
    visible boolean NOT NULL DEFAULT false,
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_skill_offers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_skill_offers_id UNIQUE (id),
    CONSTRAINT uq_skill_offers_user_id_phrase_id UNIQUE (user_id, phrase_id),
    CONSTRAINT fk_skill_offers_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id),
    CONSTRAINT fk_skill_offers_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_skill_offers_days CHECK (days BETWEEN 1 AND 127),
    CONSTRAINT ck_skill_offers_formats CHECK (formats <@ '{in_person,online}' AND cardinality(formats) > 0),
    CONSTRAINT ck_skill_offers_level CHECK (level IN ('beginner', 'intermediate', 'advanced', 'expert')),
    CONSTRAINT ck_skill_offers_price CHECK (price_cents > 0 AND price_cents <= 100000000),
    CONSTRAINT ck_skill_offers_priced CHECK (('price' = ANY (terms)) = (price_cents IS NOT NULL)),
    CONSTRAINT ck_skill_offers_radius CHECK (radius_km BETWEEN 1 AND 200),
    CONSTRAINT ck_skill_offers_terms CHECK (terms <@ '{price,swap,hours,free}' AND cardinality(terms) > 0)
);
CREATE INDEX ix_skill_offers_created_at ON skill_offers (created_at, id);
-- By cell within a tile, so that near listings come first; online ones by tile alone.
CREATE INDEX ix_skill_offers_near ON skill_offers (phrase_id, tile, cell_lat, cell_lon, user_id) WHERE visible;
CREATE INDEX ix_skill_offers_online ON skill_offers (phrase_id, tile, user_id, cell_lat, cell_lon)
    WHERE visible AND ('online' = ANY (formats));
CREATE INDEX ix_skill_offers_title_trgm ON skill_offers USING gin (title gin_trgm_ops);
ALTER TABLE skill_offers ENABLE ROW LEVEL SECURITY;
ALTER TABLE skill_offers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON skill_offers TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON skill_offers FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON skill_offers TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON skill_offers TO porchlight_app, porchlight_overseer;

-- The skills that users want to learn, one per phrase of the profile.
CREATE TABLE skill_wants (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    phrase_id integer NOT NULL,
    title text NOT NULL,
    level text,
    visible boolean NOT NULL DEFAULT false,
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_skill_wants PRIMARY KEY (user_id, id),
    CONSTRAINT uq_skill_wants_user_id_phrase_id UNIQUE (user_id, phrase_id),
    CONSTRAINT fk_skill_wants_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id),
    CONSTRAINT fk_skill_wants_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_skill_wants_level CHECK (level IN ('beginner', 'intermediate', 'advanced', 'expert'))
);
CREATE INDEX ix_skill_wants_near ON skill_wants (phrase_id, tile, cell_lat, cell_lon, user_id) WHERE visible;
CREATE INDEX ix_skill_wants_tile ON skill_wants (tile, phrase_id) WHERE visible;
ALTER TABLE skill_wants ENABLE ROW LEVEL SECURITY;
ALTER TABLE skill_wants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON skill_wants TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON skill_wants FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON skill_wants TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON skill_wants TO porchlight_app, porchlight_overseer;

-- The grid cell of each user, from the location in the profile. -1 means unknown.
CREATE TABLE user_locations (
    user_id uuid NOT NULL,
    city text NOT NULL DEFAULT '',
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    is_area boolean NOT NULL DEFAULT false,
    availability_bits integer NOT NULL DEFAULT 0,
    ring_check_due boolean NOT NULL DEFAULT true,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_user_locations PRIMARY KEY (user_id),
    CONSTRAINT fk_user_locations_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE user_locations ENABLE ROW LEVEL SECURITY;
ALTER TABLE user_locations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_locations TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON user_locations FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON user_locations TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON user_locations TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_locations TO porchlight_app, porchlight_overseer;

-- Photos of listings, each with a thumbnail.
CREATE TABLE listing_photos (
    user_id uuid NOT NULL,
    offer_id uuid NOT NULL,
    id uuid NOT NULL,
    position smallint NOT NULL,
    alt text NOT NULL DEFAULT '',
    width smallint NOT NULL,
    height smallint NOT NULL,
    body bytea NOT NULL,
    thumbnail bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_listing_photos PRIMARY KEY (user_id, offer_id, id),
    CONSTRAINT uq_listing_photos_id UNIQUE (id),
    CONSTRAINT fk_listing_photos_offer FOREIGN KEY (user_id, offer_id)
        REFERENCES skill_offers (user_id, id) ON DELETE CASCADE
);
ALTER TABLE listing_photos ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE listing_photos ALTER COLUMN thumbnail SET STORAGE EXTERNAL;
ALTER TABLE listing_photos ENABLE ROW LEVEL SECURITY;
ALTER TABLE listing_photos FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON listing_photos TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON listing_photos FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON listing_photos TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON listing_photos TO porchlight_app, porchlight_overseer;

-- == matches ==========================================================================================================

-- Rings of three users of whom each can teach the next. `availability_bits` holds the availability bits they share.
CREATE TABLE swap_rings (
    id uuid NOT NULL,
    digest bytea NOT NULL,
    state text NOT NULL DEFAULT 'proposed',
    availability_bits integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_swap_rings PRIMARY KEY (id),
    CONSTRAINT uq_swap_rings_digest UNIQUE (digest),
    CONSTRAINT ck_swap_rings_state CHECK (state IN ('proposed', 'agreed', 'declined', 'expired'))
);
GRANT SELECT, INSERT, UPDATE, DELETE ON swap_rings TO porchlight_overseer;

-- The three members of a ring and their answers.
CREATE TABLE swap_ring_members (
    user_id uuid NOT NULL,
    ring_id uuid NOT NULL,
    place smallint NOT NULL,
    teaches text NOT NULL,
    answer text,
    answered_at timestamptz,
    CONSTRAINT pk_swap_ring_members PRIMARY KEY (user_id, ring_id),
    CONSTRAINT fk_swap_ring_members_ring_id FOREIGN KEY (ring_id) REFERENCES swap_rings (id) ON DELETE CASCADE,
    CONSTRAINT fk_swap_ring_members_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_swap_ring_members_answer CHECK (answer IN ('accepted', 'declined')),
    CONSTRAINT ck_swap_ring_members_place CHECK (place BETWEEN 0 AND 2)
);
CREATE INDEX ix_swap_ring_members_ring_id ON swap_ring_members (ring_id);
ALTER TABLE swap_ring_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE swap_ring_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON swap_ring_members TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON swap_ring_members FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON swap_ring_members TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON swap_ring_members TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON swap_ring_members TO porchlight_app, porchlight_overseer;

-- == needs ============================================================================================================

-- Which angel was informed of which need, for the daily limit of emails.
CREATE TABLE need_notices (
    user_id uuid NOT NULL,
    need_id uuid NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_need_notices PRIMARY KEY (user_id, need_id),
    CONSTRAINT fk_need_notices_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
CREATE INDEX ix_need_notices_user_id_sent_at ON need_notices (user_id, sent_at);
ALTER TABLE need_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE need_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON need_notices TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON need_notices FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON need_notices TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON need_notices TO porchlight_app, porchlight_overseer;

-- Offers of angels on needs.
CREATE TABLE need_offers (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    need_id uuid NOT NULL,
    price_cents integer NOT NULL,
    message text NOT NULL,
    status text NOT NULL DEFAULT 'open',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_need_offers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_need_offers_id UNIQUE (id),
    CONSTRAINT uq_need_offers_user_id_need_id UNIQUE (user_id, need_id),
    CONSTRAINT fk_need_offers_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_need_offers_price CHECK (price_cents BETWEEN 0 AND 1000000),
    CONSTRAINT ck_need_offers_status CHECK (status IN ('open', 'withdrawn'))
);
CREATE INDEX ix_need_offers_need_id ON need_offers (need_id);
ALTER TABLE need_offers ENABLE ROW LEVEL SECURITY;
ALTER TABLE need_offers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON need_offers TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON need_offers FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON need_offers TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON need_offers TO porchlight_app, porchlight_overseer;

-- What users ask angels for. `asked_user_id` is set when the need is addressed to one angel.
CREATE TABLE needs (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    service_id text NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    asked_user_id uuid,
    wanted_from date NOT NULL,
    wanted_until date NOT NULL,
    time_note text NOT NULL DEFAULT '',
    hours numeric(4,1) NOT NULL,
    budget_cents integer,
    low_cents integer,
    high_cents integer,
    city text NOT NULL,
    region text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    status text NOT NULL DEFAULT 'open',
    accepted_offer_id uuid,
    accepted_user_id uuid,
    rating smallint,
    review text NOT NULL DEFAULT '',
    idempotency_key text NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_needs PRIMARY KEY (user_id, id),
    CONSTRAINT uq_needs_id UNIQUE (id),
    CONSTRAINT uq_needs_user_id_idempotency_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT fk_needs_service_id FOREIGN KEY (service_id) REFERENCES angel_services (id),
    CONSTRAINT fk_needs_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_needs_accepted CHECK ((status IN ('accepted', 'done')) = (accepted_offer_id IS NOT NULL)),
    CONSTRAINT ck_needs_accepted_user CHECK ((accepted_user_id IS NULL) = (accepted_offer_id IS NULL)),
    CONSTRAINT ck_needs_budget CHECK (budget_cents BETWEEN 100 AND 1000000),
    CONSTRAINT ck_needs_days CHECK (wanted_from <= wanted_until),
    CONSTRAINT ck_needs_hours CHECK (hours BETWEEN 0.5 AND 80),
    CONSTRAINT ck_needs_rating CHECK (rating IS NULL OR rating BETWEEN 1 AND 5 AND status = 'done'),
    CONSTRAINT ck_needs_status CHECK (status IN ('open', 'accepted', 'done', 'withdrawn', 'expired'))
);
CREATE INDEX ix_needs_accepted_user_id ON needs (accepted_user_id) WHERE accepted_user_id IS NOT NULL;
CREATE INDEX ix_needs_expires_at ON needs (expires_at) WHERE status = 'open';
CREATE INDEX ix_needs_service_id_id ON needs (service_id, id) WHERE status = 'open';
CREATE INDEX ix_needs_service_id_taken ON needs (service_id, id) WHERE status IN ('accepted', 'done');
ALTER TABLE needs ENABLE ROW LEVEL SECURITY;
ALTER TABLE needs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON needs TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON needs FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON needs TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON needs TO porchlight_app, porchlight_overseer;

-- Photos of needs.
CREATE TABLE need_photos (
    user_id uuid NOT NULL,
    need_id uuid NOT NULL,
    id uuid NOT NULL,
    position smallint NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_need_photos PRIMARY KEY (user_id, need_id, id),
    CONSTRAINT uq_need_photos_id UNIQUE (id),
    CONSTRAINT fk_need_photos_need FOREIGN KEY (user_id, need_id) REFERENCES needs (user_id, id) ON DELETE CASCADE
);
ALTER TABLE need_photos ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE need_photos ENABLE ROW LEVEL SECURITY;
ALTER TABLE need_photos FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON need_photos TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON need_photos FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON need_photos TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON need_photos TO porchlight_app, porchlight_overseer;

-- == posts ============================================================================================================

-- Blog posts of gurus.
CREATE TABLE posts (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    title text NOT NULL,
    tags text[] NOT NULL DEFAULT '{}',
    excerpt text NOT NULL DEFAULT '',
    content_markdown text NOT NULL DEFAULT '',
    content_html text NOT NULL DEFAULT '',
    words integer NOT NULL DEFAULT 0,
    status text NOT NULL DEFAULT 'draft',
    published_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_posts PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_posts_tenant_id_slug UNIQUE (tenant_id, slug),
    CONSTRAINT fk_posts_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_posts_published CHECK (status = 'draft' OR published_at IS NOT NULL),
    CONSTRAINT ck_posts_status CHECK (status IN ('draft', 'published'))
);
CREATE INDEX ix_posts_tenant_id_published_at_id ON posts (tenant_id, published_at, id);
ALTER TABLE posts ENABLE ROW LEVEL SECURITY;
ALTER TABLE posts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON posts TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON posts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON posts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON posts TO porchlight_app, porchlight_overseer;

-- The editor's state of a post: the revision that the next save must name, and the autosaved working copy.
CREATE TABLE post_edits (
    tenant_id uuid NOT NULL,
    post_id uuid NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    working_copy jsonb,
    saved_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_post_edits PRIMARY KEY (tenant_id, post_id),
    CONSTRAINT fk_post_edits_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_post_edits_tenant_id_post_id FOREIGN KEY (tenant_id, post_id)
        REFERENCES posts (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE post_edits ENABLE ROW LEVEL SECURITY;
ALTER TABLE post_edits FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON post_edits TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON post_edits TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON post_edits TO porchlight_app, porchlight_overseer;

-- How often a post was read.
CREATE TABLE post_views (
    tenant_id uuid NOT NULL,
    post_id uuid NOT NULL,
    views bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_post_views PRIMARY KEY (tenant_id, post_id),
    CONSTRAINT fk_post_views_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_post_views_tenant_id_post_id FOREIGN KEY (tenant_id, post_id)
        REFERENCES posts (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE post_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE post_views FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON post_views TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON post_views TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON post_views TO porchlight_app, porchlight_overseer;

-- == search ===========================================================================================================

-- Public pages of gurus, posts and angel services, indexed by the worker. `version` is the guru's content version.
CREATE TABLE search_entries (
    kind text NOT NULL,
    item text NOT NULL,
    owner_id uuid,
    version bigint NOT NULL DEFAULT 0,
    title text NOT NULL,
    summary text NOT NULL,
    label text NOT NULL DEFAULT '',
    slug text NOT NULL DEFAULT '',
    price_cents bigint,
    city text NOT NULL DEFAULT '',
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    indexed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_search_entries PRIMARY KEY (kind, item),
    CONSTRAINT ck_search_entries_kind CHECK (kind IN ('guru', 'post', 'angel'))
);
CREATE INDEX ix_search_entries_owner_id ON search_entries (owner_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_entries TO porchlight_overseer;

-- Searches that a user saved. `seen_at` is when the user last saw the results.
CREATE TABLE saved_searches (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    words text NOT NULL,
    filters jsonb NOT NULL DEFAULT '{}',
    seen_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_saved_searches PRIMARY KEY (user_id, id),
    CONSTRAINT fk_saved_searches_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE saved_searches ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_searches FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON saved_searches TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON saved_searches FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON saved_searches TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_searches TO porchlight_app, porchlight_overseer;

-- The phrases by which search finds an entry.
CREATE TABLE search_entry_phrases (
    phrase_id integer NOT NULL,
    kind text NOT NULL,
    item text NOT NULL,
    weight real NOT NULL,
    CONSTRAINT pk_search_entry_phrases PRIMARY KEY (phrase_id, kind, item),
    CONSTRAINT fk_search_entry_phrases_kind_item FOREIGN KEY (kind, item)
        REFERENCES search_entries (kind, item) ON DELETE CASCADE,
    CONSTRAINT fk_search_entry_phrases_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id),
    CONSTRAINT ck_search_entry_phrases_weight CHECK (weight > 0 AND weight <= 1)
);
CREATE INDEX ix_search_entry_phrases_kind_item ON search_entry_phrases (kind, item);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_entry_phrases TO porchlight_overseer;

-- == services =========================================================================================================

-- What gurus sell.
CREATE TABLE services (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    price_cents bigint NOT NULL,
    currency text NOT NULL DEFAULT 'USD',
    duration_minutes integer,
    duration_label text NOT NULL DEFAULT '',
    popular boolean NOT NULL DEFAULT false,
    features text[] NOT NULL DEFAULT '{}',
    position integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_services PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_services_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_services_currency CHECK (currency = upper(currency) AND length(currency) = 3),
    CONSTRAINT ck_services_duration CHECK (duration_minutes IS NULL OR duration_minutes BETWEEN 5 AND 1440),
    CONSTRAINT ck_services_duration_known CHECK (duration_minutes IS NOT NULL OR duration_label <> ''),
    CONSTRAINT ck_services_price CHECK (price_cents >= 0)
);
CREATE INDEX ix_services_tenant_id_position ON services (tenant_id, position);
ALTER TABLE services ENABLE ROW LEVEL SECURITY;
ALTER TABLE services FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON services TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON services TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON services TO porchlight_app, porchlight_overseer;

-- == leads ============================================================================================================

-- Messages of visitors to gurus.
CREATE TABLE leads (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    phone text NOT NULL DEFAULT '',
    message text NOT NULL,
    service_id uuid,
    page text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT 'new',
    consented_at timestamptz,
    address_hash bytea NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_leads PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_leads_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_leads_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_leads_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE SET NULL (service_id),
    CONSTRAINT ck_leads_status CHECK (status IN ('new', 'read', 'answered', 'archived'))
);
CREATE INDEX ix_leads_tenant_id_created_at ON leads (tenant_id, created_at);
ALTER TABLE leads ENABLE ROW LEVEL SECURITY;
ALTER TABLE leads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON leads TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON leads TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON leads TO porchlight_app, porchlight_overseer;

-- Notes of a guru on a lead.
CREATE TABLE lead_notes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    lead_id uuid NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_lead_notes PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_lead_notes_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_lead_notes_tenant_id_lead_id FOREIGN KEY (tenant_id, lead_id)
        REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_lead_notes_tenant_id_lead_id ON lead_notes (tenant_id, lead_id);
ALTER TABLE lead_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_notes TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON lead_notes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON lead_notes TO porchlight_app, porchlight_overseer;

-- Replies of a guru to a lead, sent as email.
CREATE TABLE lead_replies (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    lead_id uuid NOT NULL,
    body text NOT NULL,
    idempotency_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    CONSTRAINT pk_lead_replies PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_lead_replies_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_lead_replies_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_lead_replies_tenant_id_lead_id FOREIGN KEY (tenant_id, lead_id)
        REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_lead_replies_tenant_id_created_at ON lead_replies (tenant_id, created_at);
CREATE INDEX ix_lead_replies_tenant_id_lead_id ON lead_replies (tenant_id, lead_id);
ALTER TABLE lead_replies ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_replies FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_replies TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON lead_replies TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON lead_replies TO porchlight_app, porchlight_overseer;

-- == audit ============================================================================================================

-- The number and the hash of the newest audit log entry. One row.
CREATE TABLE audit_head (
    one boolean NOT NULL DEFAULT true,
    id bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT pk_audit_head PRIMARY KEY (one)
);
GRANT SELECT ON audit_head TO porchlight_overseer;

-- What staff did, as a chain of hashes. Rows can only be added.
CREATE TABLE audit_log (
    id bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL DEFAULT '',
    subject_id text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}',
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT pk_audit_log PRIMARY KEY (id)
);
CREATE INDEX ix_audit_log_subject_kind_subject_id ON audit_log (subject_kind, subject_id);
GRANT SELECT, INSERT ON audit_log TO porchlight_overseer;

-- Signatures of audit log entries, by a key that is not in the database. No foreign key: a signature must survive the
-- removal of its entry to reveal it. An entry may have one per key, so that keys can be rotated.
CREATE TABLE audit_seals (
    id bigint NOT NULL,
    key_name text NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT pk_audit_seals PRIMARY KEY (id, key_name)
);
GRANT SELECT, INSERT ON audit_seals TO porchlight_overseer;

-- == categories =======================================================================================================

-- The skill categories that a guru's site lists. `listed` follows the documents of the owner.
CREATE TABLE guru_categories (
    tenant_id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    position integer NOT NULL DEFAULT 0,
    needs_documents boolean NOT NULL,
    listed boolean NOT NULL DEFAULT false,
    good_until date,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_guru_categories PRIMARY KEY (tenant_id, slug),
    CONSTRAINT fk_guru_categories_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE guru_categories ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_categories FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_categories TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON guru_categories TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON guru_categories TO porchlight_app, porchlight_overseer;

-- == contact ==========================================================================================================

-- Messages to the staff.
CREATE TABLE contact_messages (
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    subject text NOT NULL,
    message text NOT NULL,
    address_hash bytea NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_contact_messages PRIMARY KEY (id),
    CONSTRAINT uq_contact_messages_idempotency_key UNIQUE (idempotency_key)
);
CREATE INDEX ix_contact_messages_address_hash_created_at ON contact_messages (address_hash, created_at);
CREATE INDEX ix_contact_messages_created_at ON contact_messages (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_messages TO porchlight_overseer;

-- == emails ===========================================================================================================

-- Emails of the local demo, instead of a mail server.
CREATE TABLE dev_mailbox (
    id uuid NOT NULL,
    key text NOT NULL,
    tenant_id uuid,
    recipient text NOT NULL,
    reply_to text NOT NULL DEFAULT '',
    subject text NOT NULL,
    plain text NOT NULL,
    html text NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_dev_mailbox PRIMARY KEY (id),
    CONSTRAINT uq_dev_mailbox_key UNIQUE (key)
);
CREATE INDEX ix_dev_mailbox_sent_at ON dev_mailbox (sent_at);
CREATE INDEX ix_dev_mailbox_tenant_id ON dev_mailbox (tenant_id);
GRANT SELECT, INSERT, DELETE ON dev_mailbox TO porchlight_overseer;

-- == flags ============================================================================================================

-- Feature flags, when they differ from their default.
CREATE TABLE flag_settings (
    name text NOT NULL,
    enabled boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_flag_settings PRIMARY KEY (name)
);
GRANT SELECT ON flag_settings TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON flag_settings TO porchlight_overseer;

-- Feature flags of single gurus.
CREATE TABLE guru_flags (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    enabled boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_guru_flags PRIMARY KEY (tenant_id, name),
    CONSTRAINT fk_guru_flags_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE guru_flags ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_flags FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_flags TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON guru_flags TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON guru_flags TO porchlight_app, porchlight_overseer;

-- == images ===========================================================================================================

-- Images of guru sites.
CREATE TABLE site_images (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    size integer NOT NULL,
    data bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_site_images PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_site_images_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE site_images ENABLE ROW LEVEL SECURITY;
ALTER TABLE site_images FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON site_images TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON site_images TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON site_images TO porchlight_app, porchlight_overseer;

-- == onboarding =======================================================================================================

-- The categories that a user picked in onboarding.
CREATE TABLE category_picks (
    user_id uuid NOT NULL,
    category_slug text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_category_picks PRIMARY KEY (user_id, category_slug),
    CONSTRAINT fk_category_picks_category_slug FOREIGN KEY (category_slug)
        REFERENCES skill_categories (slug) ON DELETE CASCADE,
    CONSTRAINT fk_category_picks_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE category_picks ENABLE ROW LEVEL SECURITY;
ALTER TABLE category_picks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON category_picks TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON category_picks FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON category_picks TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON category_picks TO porchlight_app, porchlight_overseer;

-- Which user owns which guru.
CREATE TABLE memberships (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL DEFAULT 'owner',
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_memberships PRIMARY KEY (tenant_id, user_id),
    CONSTRAINT uq_memberships_user_id UNIQUE (user_id),
    CONSTRAINT fk_memberships_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_memberships_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_memberships_role CHECK (role = 'owner')
);
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
ALTER TABLE memberships FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON memberships TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON memberships FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON memberships TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON memberships TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON memberships TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON memberships TO porchlight_overseer;

-- The onboarding draft of a user, until and after the guru is published.
CREATE TABLE onboardings (
    user_id uuid NOT NULL,
    display_name text NOT NULL DEFAULT '',
    photo_url text NOT NULL DEFAULT '',
    city text NOT NULL DEFAULT '',
    zip text NOT NULL DEFAULT '',
    bio text NOT NULL DEFAULT '',
    complete boolean NOT NULL DEFAULT false,
    subdomain text NOT NULL DEFAULT '',
    published jsonb,
    published_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_onboardings PRIMARY KEY (user_id),
    CONSTRAINT fk_onboardings_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE onboardings ENABLE ROW LEVEL SECURITY;
ALTER TABLE onboardings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON onboardings TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON onboardings FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON onboardings TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON onboardings TO porchlight_app, porchlight_overseer;

-- == payouts ==========================================================================================================

-- Webhook events of the payment provider, by their ids, so that each is handled once.
CREATE TABLE payment_events (
    id text NOT NULL,
    kind text NOT NULL,
    account_id text NOT NULL DEFAULT '',
    received_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_payment_events PRIMARY KEY (id)
);
CREATE INDEX ix_payment_events_received_at ON payment_events (received_at);
GRANT SELECT, INSERT, DELETE ON payment_events TO porchlight_overseer;

-- Accounts at the payment provider.
CREATE TABLE payout_accounts (
    user_id uuid NOT NULL,
    account_id text NOT NULL,
    connected boolean NOT NULL DEFAULT true,
    charges_enabled boolean NOT NULL DEFAULT false,
    payouts_enabled boolean NOT NULL DEFAULT false,
    details_submitted boolean NOT NULL DEFAULT false,
    currently_due text[] NOT NULL DEFAULT '{}',
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_payout_accounts PRIMARY KEY (user_id),
    CONSTRAINT uq_payout_accounts_account_id UNIQUE (account_id),
    CONSTRAINT fk_payout_accounts_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE payout_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payout_accounts TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON payout_accounts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON payout_accounts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON payout_accounts TO porchlight_app, porchlight_overseer;

-- == previews =========================================================================================================

-- Unsaved changes of a site, to be shown in the editor's preview.
CREATE TABLE site_previews (
    tenant_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    page text NOT NULL,
    changes jsonb NOT NULL,
    framed_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_site_previews PRIMARY KEY (tenant_id, secret_hash),
    CONSTRAINT fk_site_previews_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE site_previews ENABLE ROW LEVEL SECURITY;
ALTER TABLE site_previews FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON site_previews TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON site_previews TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON site_previews TO porchlight_app, porchlight_overseer;

-- == profiles =========================================================================================================

-- Email addresses of deleted accounts, until the last email to them is sent.
CREATE TABLE pending_account_emails (
    id uuid NOT NULL,
    recipient text NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_pending_account_emails PRIMARY KEY (id)
);
GRANT SELECT, DELETE ON pending_account_emails TO porchlight_overseer;

-- Profile photos, public to everyone who has the id.
CREATE TABLE profile_photos (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_profile_photos PRIMARY KEY (user_id, id),
    CONSTRAINT uq_profile_photos_id UNIQUE (id),
    CONSTRAINT fk_profile_photos_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE profile_photos ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE profile_photos ENABLE ROW LEVEL SECURITY;
ALTER TABLE profile_photos FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON profile_photos TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON profile_photos FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON profile_photos TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON profile_photos TO porchlight_app, porchlight_overseer;

-- What a user tells others. `skills_offered` and `skills_wanted` are the source of skill_offers and skill_wants.
CREATE TABLE profiles (
    user_id uuid NOT NULL,
    handle text NOT NULL,
    first_name text NOT NULL DEFAULT '',
    last_name text NOT NULL DEFAULT '',
    display_name text NOT NULL DEFAULT '',
    bio text NOT NULL DEFAULT '',
    location text NOT NULL DEFAULT '',
    photo_id uuid,
    photo_url text NOT NULL DEFAULT '',
    skills_offered jsonb NOT NULL DEFAULT '[]',
    skills_wanted jsonb NOT NULL DEFAULT '[]',
    languages text[] NOT NULL DEFAULT '{}',
    availability text NOT NULL DEFAULT '',
    is_public boolean NOT NULL DEFAULT true,
    shows_location boolean NOT NULL DEFAULT true,
    shows_skills boolean NOT NULL DEFAULT true,
    shows_availability boolean NOT NULL DEFAULT true,
    registered_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_profiles PRIMARY KEY (user_id),
    CONSTRAINT uq_profiles_handle UNIQUE (handle),
    CONSTRAINT fk_profiles_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_profiles_handle CHECK (handle ~ '^[a-z0-9](-?[a-z0-9]){2,39}$')
);
CREATE INDEX ix_profiles_display_name_trgm ON profiles USING gin (display_name gin_trgm_ops);
CREATE INDEX ix_profiles_handle_trgm ON profiles USING gin (handle gin_trgm_ops);
ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE profiles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON profiles TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON profiles FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON profiles TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON profiles TO porchlight_app, porchlight_overseer;

-- == reports ==========================================================================================================

-- Reports about sites, posts, profiles and listings. `guru_id` is the owner of a site or post, `subject_id` what is
-- reported and `subject_name` how a URL names it.
CREATE TABLE reports (
    id uuid NOT NULL,
    subject_kind text NOT NULL,
    subject_id uuid NOT NULL,
    subject_name text NOT NULL,
    subject_title text NOT NULL,
    guru_id uuid,
    reason text NOT NULL,
    details text NOT NULL DEFAULT '',
    reporter_id uuid,
    address_hash bytea NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    status text NOT NULL DEFAULT 'open',
    outcome text NOT NULL DEFAULT '',
    note text NOT NULL DEFAULT '',
    resolved_by text NOT NULL DEFAULT '',
    resolved_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_reports PRIMARY KEY (id),
    CONSTRAINT uq_reports_idempotency_key UNIQUE (idempotency_key),
    CONSTRAINT fk_reports_guru_id FOREIGN KEY (guru_id) REFERENCES gurus (id) ON DELETE SET NULL,
    CONSTRAINT fk_reports_reporter_id FOREIGN KEY (reporter_id) REFERENCES users (user_id) ON DELETE SET NULL,
    CONSTRAINT ck_reports_outcome CHECK ((status = 'open') = (outcome = '')),
    CONSTRAINT ck_reports_resolved CHECK ((status = 'open') = (resolved_at IS NULL)),
    CONSTRAINT ck_reports_status CHECK (status IN ('open', 'resolved')),
    CONSTRAINT ck_reports_subject_kind CHECK (subject_kind IN ('site', 'post', 'profile', 'listing'))
);
CREATE INDEX ix_reports_address_hash_created_at ON reports (address_hash, created_at);
CREATE INDEX ix_reports_created_at ON reports (created_at);
CREATE INDEX ix_reports_guru_id ON reports (guru_id);
CREATE INDEX ix_reports_reporter_id ON reports (reporter_id);
CREATE INDEX ix_reports_status ON reports (status, id);
CREATE INDEX ix_reports_subject ON reports (subject_kind, subject_id);
CREATE INDEX ix_reports_subject_name_trgm ON reports USING gin (subject_name gin_trgm_ops);
GRANT SELECT, INSERT, UPDATE, DELETE ON reports TO porchlight_overseer;

-- == risk =============================================================================================================

-- Activities that the risk engine does not know, for staff to rate. `occurrences` counts how often one came up.
CREATE TABLE risk_reviews (
    id uuid NOT NULL,
    category text NOT NULL,
    activity text NOT NULL,
    digest bytea NOT NULL,
    occurrences integer NOT NULL DEFAULT 1,
    level text,
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    note text NOT NULL DEFAULT '',
    decided_by text NOT NULL DEFAULT '',
    decided_at timestamptz,
    CONSTRAINT pk_risk_reviews PRIMARY KEY (id),
    CONSTRAINT uq_risk_reviews_digest UNIQUE (digest),
    CONSTRAINT ck_risk_reviews_decided CHECK ((level IS NULL) = (decided_at IS NULL)),
    CONSTRAINT ck_risk_reviews_level CHECK (level IN ('low', 'medium', 'high', 'extreme'))
);
CREATE INDEX ix_risk_reviews_decided ON risk_reviews (decided_at, id) WHERE level IS NOT NULL;
CREATE INDEX ix_risk_reviews_last_seen_at ON risk_reviews (last_seen_at);
CREATE INDEX ix_risk_reviews_waiting ON risk_reviews (occurrences DESC, id) WHERE level IS NULL;
GRANT SELECT, UPDATE, DELETE ON risk_reviews TO porchlight_overseer;

-- == stats ============================================================================================================

-- One random salt per day, to count visitors without storing addresses.
CREATE TABLE daily_salts (
    day date NOT NULL,
    salt bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_daily_salts PRIMARY KEY (day)
);
GRANT SELECT, INSERT ON daily_salts TO porchlight_app;
GRANT SELECT, INSERT, DELETE ON daily_salts TO porchlight_overseer;

-- Visitors of a site per day.
CREATE TABLE daily_visits (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    visitors bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_daily_visits PRIMARY KEY (tenant_id, day),
    CONSTRAINT fk_daily_visits_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE daily_visits ENABLE ROW LEVEL SECURITY;
ALTER TABLE daily_visits FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON daily_visits TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON daily_visits TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON daily_visits TO porchlight_app, porchlight_overseer;

-- Who already counted as a visitor or reader today, as salted hashes.
CREATE TABLE view_fingerprints (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    subject_id uuid NOT NULL,
    visitor bytea NOT NULL,
    CONSTRAINT pk_view_fingerprints PRIMARY KEY (tenant_id, day, subject_id, visitor),
    CONSTRAINT fk_view_fingerprints_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE view_fingerprints ENABLE ROW LEVEL SECURITY;
ALTER TABLE view_fingerprints FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON view_fingerprints TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON view_fingerprints TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON view_fingerprints TO porchlight_app, porchlight_overseer;

-- file: functions/audit_hash.sql
-- Return the hash of an audit log entry. It covers the hash of the previous entry, so the log is a chain.
--
-- Called by: the trigger app.audit_append and `porchlight audit verify`.
CREATE OR REPLACE FUNCTION app.audit_hash(e audit_log) RETURNS bytea
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT sha256(e.previous || convert_to(concat_ws(E'\x1f', e.id,
    to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.actor, e.action, e.subject_kind, e.subject_id,
    e.details::text), 'UTF8'))
$$;

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
         OR (n.status = 'open' AND n.expires_at > now() AND n.asked_user_id IS NULL)
         OR EXISTS (SELECT FROM need_offers o WHERE o.user_id = app.user_id() AND o.need_id = n.id))
$$;
REVOKE ALL ON FUNCTION app.can_see_need(needs) FROM PUBLIC;

-- file: functions/need_card.sql
-- Return a need as the current user may see it. `miles` is measured from the user's own place as an angel.
--
-- Called by: app.visible_need and app.open_needs.
-- SECURITY DEFINER: it reads profiles, offers and photos behind row level security.
CREATE OR REPLACE FUNCTION app.need_card(n needs) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'id', n.id, 'service_id', n.service_id, 'title', n.title, 'description', n.description,
    'wanted_from', n.wanted_from, 'wanted_until', n.wanted_until, 'time_note', n.time_note, 'hours', n.hours,
    'budget_cents', n.budget_cents, 'low_cents', n.low_cents, 'high_cents', n.high_cents,
    'city', n.city, 'region', n.region, 'status', n.status, 'expires_at', n.expires_at, 'created_at', n.created_at,
    'rating', n.rating, 'review', n.review, 'accepted_offer_id', n.accepted_offer_id,
    'asked', CASE WHEN n.asked_user_id IS NOT NULL THEN app.public_user(n.asked_user_id) END,
    'asks_me', n.asked_user_id IS NOT DISTINCT FROM app.user_id() AND app.user_id() IS NOT NULL,
    'mine', n.user_id = app.user_id(), 'neighbor', app.public_user(n.user_id),
    'miles', (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
                FROM angels a WHERE a.user_id = app.user_id()),
    'offers', (SELECT count(*) FROM need_offers o WHERE o.need_id = n.id AND o.status = 'open'),
    'photos', (SELECT coalesce(jsonb_agg(p.id ORDER BY p.position), '[]') FROM need_photos p
                WHERE p.user_id = n.user_id AND p.need_id = n.id))
$$;
REVOKE ALL ON FUNCTION app.need_card(needs) FROM PUBLIC;

-- file: triggers/audit.sql
-- Keep the audit log a chain of hashes to which rows can only be added.
--
-- Each entry gets the next number without a gap, the time, and a hash that covers the previous entry: changing,
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
  NEW.at := clock_timestamp();
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

-- file: triggers/bump_content_version.sql
-- Give a guru's site a new content version when its own row changes.
--
-- Fires on: gurus.
CREATE OR REPLACE FUNCTION app.bump_content_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.content_version = OLD.content_version THEN
    NEW.content_version := OLD.content_version + 1;
    NEW.updated_at := now();
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER bump_content_version BEFORE UPDATE ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.bump_content_version();

-- file: triggers/counters.sql
-- Keep the counters of the admin overview: users, gurus, reports, listings. Deleted accounts do not count as users.
-- Counting 50,000 rows for each page view costs more. Statement triggers, so that a bulk load counts once.
-- SECURITY DEFINER: app.counter_add is revoked from every role.
--
-- Fires on: users, gurus, reports, skill_offers. The argument is the counter's name.
CREATE OR REPLACE FUNCTION app.counter_on_insert() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.counter_add(TG_ARGV[0], (SELECT count(*) FROM new_rows));
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_insert() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON gurus
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_insert('gurus');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON reports
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_insert('reports');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON skill_offers
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_insert('listings');

CREATE OR REPLACE FUNCTION app.counter_on_delete() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.counter_add(TG_ARGV[0], -(SELECT count(*) FROM old_rows));
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_delete() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON gurus
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_delete('gurus');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON reports
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_delete('reports');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON skill_offers
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_delete('listings');

CREATE OR REPLACE FUNCTION app.counter_on_user_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM app.counter_add('users', (SELECT count(*) FROM new_rows WHERE status <> 'erased'));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM app.counter_add('users', -(SELECT count(*) FROM old_rows WHERE status <> 'erased'));
  ELSE
    PERFORM app.counter_add('users', CASE WHEN NEW.status = 'erased' THEN -1 ELSE 1 END);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_user_change() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON users
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_user_change();
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON users
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_user_change();
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN ((OLD.status = 'erased') <> (NEW.status = 'erased'))
    EXECUTE FUNCTION app.counter_on_user_change();

-- file: triggers/guru_status.sql
-- Set a guru's status from `published`, the owner's choice, unless staff suspended the site.
-- When staff lift the suspension, the site is as the owner left it.
--
-- Fires on: gurus.
CREATE OR REPLACE FUNCTION app.guru_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'suspended' THEN
    NEW.status := CASE WHEN NEW.published THEN 'active' ELSE 'unpublished' END;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER guru_status BEFORE INSERT OR UPDATE OF status, published ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.guru_status();

-- file: triggers/keep_listing_hidden.sql
-- Keep a listing hidden that staff hid, also when the user removes the skill and adds it again.
-- SECURITY DEFINER: the app role cannot read hidden_listings.
--
-- Fires on: skill_offers.
CREATE OR REPLACE FUNCTION app.keep_listing_hidden() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.visible AND EXISTS (
    SELECT FROM hidden_listings h WHERE h.owner_id = NEW.user_id AND h.phrase_id = NEW.phrase_id) THEN
    NEW.visible := false;
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION app.keep_listing_hidden() FROM PUBLIC;

CREATE OR REPLACE TRIGGER keep_listing_hidden BEFORE INSERT OR UPDATE ON skill_offers
    FOR EACH ROW EXECUTE FUNCTION app.keep_listing_hidden();

-- file: triggers/notify_guru_changed.sql
-- Notify every process that a guru changed, so that cached hosts and responses are dropped.
-- Payload on the channel porchlight_tenants: the tenant's id and the subdomains concerned.
--
-- Fires on: gurus.
CREATE OR REPLACE FUNCTION app.notify_guru_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM pg_notify('porchlight_tenants', NEW.id || ' ' || NEW.label);
  ELSIF TG_OP = 'UPDATE' AND NEW.label = OLD.label THEN
    PERFORM pg_notify('porchlight_tenants', NEW.id || ' ' || NEW.label);
  ELSIF TG_OP = 'UPDATE' THEN
    PERFORM pg_notify('porchlight_tenants', NEW.id || ' ' || NEW.label || ' ' || OLD.label);
  ELSE
    PERFORM pg_notify('porchlight_tenants', OLD.id || ' ' || OLD.label);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_guru_changed AFTER INSERT OR UPDATE OR DELETE ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.notify_guru_changed();

-- file: triggers/notify_host_changed.sql
-- Notify every process that a host of a guru changed. The argument is the column that holds the host.
-- Payload on the channel porchlight_tenants: the tenant's id and the host.
--
-- Fires on: domains, retired_labels.
CREATE OR REPLACE FUNCTION app.notify_host_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM pg_notify('porchlight_tenants', r.tenant_id || ' ' || (to_jsonb(r) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_domain_changed AFTER INSERT OR UPDATE OR DELETE ON domains
    FOR EACH ROW EXECUTE FUNCTION app.notify_host_changed('domain');
CREATE OR REPLACE TRIGGER notify_retired_label_changed AFTER INSERT OR UPDATE OR DELETE ON retired_labels
    FOR EACH ROW EXECUTE FUNCTION app.notify_host_changed('label');

-- file: triggers/notify_risk_decided.sql
-- Notify every process that staff rated an activity or removed a rating, so that it loads the decisions again.
-- The id in the payload belongs to no tenant; risk listens for it.
--
-- Fires on: risk_reviews.
CREATE OR REPLACE FUNCTION app.notify_risk_decided() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('porchlight_tenants', '00000000-0000-7000-8000-000000000011');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_risk_decided AFTER UPDATE OF level ON risk_reviews
    FOR EACH ROW WHEN (OLD.level IS DISTINCT FROM NEW.level) EXECUTE FUNCTION app.notify_risk_decided();
CREATE OR REPLACE TRIGGER notify_risk_decision_deleted AFTER DELETE ON risk_reviews
    FOR EACH ROW WHEN (OLD.level IS NOT NULL) EXECUTE FUNCTION app.notify_risk_decided();

-- file: triggers/on_document_changed.sql
-- Start the job that updates a guru's listed categories after one of the owner's documents changed its status.
-- Jobs that wait for the same user are one job.
--
-- SECURITY DEFINER: the app role may not call app.enqueue.
-- Fires on: documents.
CREATE OR REPLACE FUNCTION app.on_document_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r documents := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM app.enqueue('onboarding:update_listed_categories', jsonb_build_object('user_id', r.user_id),
                      'onboarding:update_listed_categories:' || r.user_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_document_changed AFTER INSERT OR DELETE OR UPDATE OF status ON documents
    FOR EACH ROW EXECUTE FUNCTION app.on_document_changed();

-- file: triggers/on_document_file_deleted.sql
-- Start the job that deletes a document's file from the file store. Only the deleted row knew its key.
--
-- SECURITY DEFINER: the app role may not call app.enqueue.
-- Fires on: document_files.
CREATE OR REPLACE FUNCTION app.on_document_file_deleted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.enqueue('documents:delete_file', jsonb_build_object('key', OLD.key), NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_document_file_deleted AFTER DELETE ON document_files
    FOR EACH ROW EXECUTE FUNCTION app.on_document_file_deleted();

-- file: triggers/on_user_deleted.sql
-- Delete what belongs to an account when it is deleted: the onboarding draft, the guru, the documents and the payout
-- account. The guru's site goes offline at once; a job deletes everything of it.
--
-- Postgres fires these triggers in the order of their names. The first two take the user's publish lock before any row
-- lock, as publishing does, so the two cannot wait for each other.
-- SECURITY DEFINER on the guru's trigger: the app role cannot change whether a guru is published.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_onboarding() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));
  DELETE FROM category_picks WHERE user_id = NEW.user_id;
  DELETE FROM onboardings WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_onboarding AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_onboarding();

CREATE OR REPLACE FUNCTION app.on_user_deleted_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));
  SELECT m.tenant_id INTO own_guru_id FROM memberships m WHERE m.user_id = NEW.user_id;
  IF own_guru_id IS NOT NULL THEN
    PERFORM app.enqueue('onboarding:delete_guru', jsonb_build_object('tenant_id', own_guru_id), NULL);
    PERFORM set_config('app.tenant_id', own_guru_id::text, true);
    UPDATE gurus SET published = false WHERE id = own_guru_id;
    PERFORM set_config('app.tenant_id', previous_tenant, true);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_owner AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_owner();

CREATE OR REPLACE FUNCTION app.on_user_deleted_verification() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM documents WHERE user_id = NEW.user_id;
  DELETE FROM document_files WHERE user_id = NEW.user_id;
  DELETE FROM payout_accounts WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_verification AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_verification();

-- file: triggers/profile_skills.sql
-- Keep the listings and wishes of a user (skill_offers, skill_wants) in line with the skills named in the profile.
-- A listing keeps its details as long as the profile names its skill. Another trigger
-- starts the job that finds the user's place; SECURITY DEFINER, because the app role may not call app.enqueue.
--
-- Fires on: profiles.
CREATE OR REPLACE FUNCTION app.sync_profile_skills() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  is_visible boolean := NEW.is_public AND NEW.shows_skills AND NEW.registered_at IS NOT NULL;
  skill record;
  place user_locations;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.skills_offered, OLD.skills_wanted, OLD.location, OLD.availability, OLD.shows_location,
                           OLD.is_public AND OLD.shows_skills AND OLD.registered_at IS NOT NULL)
     IS NOT DISTINCT FROM (NEW.skills_offered, NEW.skills_wanted, NEW.location, NEW.availability, NEW.shows_location,
                           is_visible) AND EXISTS (SELECT FROM user_locations w WHERE w.user_id = NEW.user_id) THEN
    RETURN NULL;
  END IF;
  INSERT INTO user_locations (user_id) VALUES (NEW.user_id) ON CONFLICT DO NOTHING;
  SELECT * INTO place FROM user_locations WHERE user_id = NEW.user_id;
  DELETE FROM skill_offers o WHERE o.user_id = NEW.user_id AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(NEW.skills_offered) s WHERE s ->> 'name' = o.title);
  DELETE FROM skill_wants w WHERE w.user_id = NEW.user_id AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(NEW.skills_wanted) s WHERE s ->> 'name' = w.title);
  FOR skill IN SELECT s ->> 'name' AS name, s ->> 'level' AS level FROM jsonb_array_elements(NEW.skills_offered) s LOOP
    INSERT INTO skill_offers AS o (user_id, id, phrase_id, title, level, visible, tile, cell_lat, cell_lon)
    VALUES (NEW.user_id, gen_random_uuid(), app.get_or_create_phrase(skill.name, true), skill.name, skill.level,
            is_visible, place.tile, place.cell_lat, place.cell_lon)
    ON CONFLICT (user_id, phrase_id) DO UPDATE
       SET title = excluded.title, level = excluded.level, visible = excluded.visible
     WHERE (o.title, o.level, o.visible) IS DISTINCT FROM (excluded.title, excluded.level, excluded.visible);
  END LOOP;
  FOR skill IN SELECT s ->> 'name' AS name, s ->> 'level' AS level FROM jsonb_array_elements(NEW.skills_wanted) s LOOP
    INSERT INTO skill_wants AS w (user_id, id, phrase_id, title, level, visible, tile, cell_lat, cell_lon)
    VALUES (NEW.user_id, gen_random_uuid(), app.get_or_create_phrase(skill.name, true), skill.name, skill.level,
            is_visible, place.tile, place.cell_lat, place.cell_lon)
    ON CONFLICT (user_id, phrase_id) DO UPDATE
       SET title = excluded.title, level = excluded.level, visible = excluded.visible
     WHERE (w.title, w.level, w.visible) IS DISTINCT FROM (excluded.title, excluded.level, excluded.visible);
  END LOOP;
  UPDATE user_locations SET ring_check_due = true WHERE user_id = NEW.user_id AND NOT ring_check_due;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sync_profile_skills AFTER INSERT OR UPDATE OF skills_offered, skills_wanted, location,
        availability, is_public, shows_skills, shows_location, registered_at ON profiles
    FOR EACH ROW EXECUTE FUNCTION app.sync_profile_skills();

CREATE OR REPLACE FUNCTION app.geocode_profile() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tile integer := coalesce((SELECT w.tile FROM user_locations w WHERE w.user_id = NEW.user_id), -1);
BEGIN
  IF (NEW.location <> '' OR NEW.availability <> '' OR TG_OP = 'UPDATE') AND (TG_OP = 'INSERT' OR (
       OLD.location, OLD.availability, OLD.shows_location) IS DISTINCT FROM (
       NEW.location, NEW.availability, NEW.shows_location) OR tile < 0 AND NEW.location <> '') THEN
    PERFORM app.enqueue('listings:geocode_user', jsonb_build_object('user_id', NEW.user_id),
                        'listings:geocode_user:' || NEW.user_id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER geocode_profile AFTER INSERT OR UPDATE OF skills_offered, skills_wanted, location,
        availability, is_public, shows_skills, shows_location, registered_at ON profiles
    FOR EACH ROW EXECUTE FUNCTION app.geocode_profile();

CREATE OR REPLACE FUNCTION app.delete_profile_skills() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM skill_offers WHERE user_id = OLD.user_id;
  DELETE FROM skill_wants WHERE user_id = OLD.user_id;
  DELETE FROM swap_ring_members WHERE user_id = OLD.user_id;
  DELETE FROM user_locations WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER delete_profile_skills AFTER DELETE ON profiles
    FOR EACH ROW EXECUTE FUNCTION app.delete_profile_skills();

-- file: triggers/site_changed.sql
-- Give a guru's site a new content version when anything changes that its pages show.
--
-- Fires on: posts, post_views, services, guru_categories. Once per statement, in the same transaction.
CREATE OR REPLACE FUNCTION app.site_changed_insert() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1 WHERE id IN (SELECT tenant_id FROM new_rows);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON posts
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON post_views
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON services
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON guru_categories
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();

CREATE OR REPLACE FUNCTION app.site_changed_update() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1
   WHERE id IN (SELECT tenant_id FROM new_rows UNION SELECT tenant_id FROM old_rows);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON posts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON post_views
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON services
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON guru_categories
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();

CREATE OR REPLACE FUNCTION app.site_changed_delete() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1 WHERE id IN (SELECT tenant_id FROM old_rows);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON posts
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON post_views
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON services
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON guru_categories
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();

-- file: vectors.sql
-- The meaning of each phrase in use, as a vector. The table exists only where pgvector does; without it, search and
-- matches compare spelling alone.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') THEN
    CREATE TABLE phrase_vectors (
        phrase_id integer NOT NULL,
        embedding vector(384) NOT NULL,
        CONSTRAINT pk_phrase_vectors PRIMARY KEY (phrase_id),
        CONSTRAINT fk_phrase_vectors_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id) ON DELETE CASCADE
    );
    CREATE INDEX ix_phrase_vectors_embedding ON phrase_vectors USING hnsw (embedding vector_cosine_ops);
    GRANT SELECT, INSERT, UPDATE, DELETE ON phrase_vectors TO porchlight_overseer;
  END IF;
END $$;

-- file: jobs.sql
-- Changes to procrastinate's own tables in the schema jobs, and the grants for the worker.
--
-- porchlight.db.queue_schema() installs procrastinate's schema first. Names that procrastinate knows stay as they are.

-- Workers poll once per second instead: NOTIFY makes commits wait for each other.
DROP TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1 ON jobs.procrastinate_jobs;

-- The time is a column of the job. procrastinate writes a second row for it, an event with a foreign key. Changes of a
-- job's status remain events: the job that deletes old jobs reads them.
ALTER TABLE jobs.procrastinate_jobs ADD COLUMN deferred_at timestamptz NOT NULL DEFAULT now();
DROP TRIGGER procrastinate_trigger_status_events_insert_v1 ON jobs.procrastinate_jobs;

-- No query uses the first two indexes. The other two would hold every waiting job, and hardly any job has a lock.
DROP INDEX jobs.procrastinate_jobs_queue_name_idx_v1;
DROP INDEX jobs.procrastinate_jobs_id_lock_idx_v1;
CREATE INDEX procrastinate_jobs_lock_idx ON jobs.procrastinate_jobs (lock) WHERE lock IS NOT NULL;
DROP INDEX jobs.procrastinate_jobs_queueing_lock_idx_v1;
CREATE UNIQUE INDEX procrastinate_jobs_queueing_lock_idx_v1 ON jobs.procrastinate_jobs (queueing_lock)
    WHERE status = 'todo' AND queueing_lock IS NOT NULL;

GRANT USAGE ON SCHEMA jobs TO porchlight_overseer;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA jobs TO porchlight_overseer;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA jobs TO porchlight_overseer;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA jobs TO porchlight_overseer;
