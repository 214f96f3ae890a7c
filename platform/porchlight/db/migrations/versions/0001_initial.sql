-- file: schema.sql
-- The tables of the database by feature, with their indexes, policies and grants. `make schema` writes this file
-- from the migrations; the comments are written by hand and stay. A change of a table is a migration first.
-- Functions and triggers are in the folder sql/ of their feature, the tables of the job queue in jobs.sql.

-- The superuser installs the other extensions when it creates the database (tenants/db/roles.py).
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
CREATE SCHEMA app;
GRANT USAGE ON SCHEMA app TO porchlight_app, porchlight_overseer;


-- file: functions/acting_tenant_id.sql
-- Return the tenant on whose behalf the transaction acts, or NULL. Unlike app.tenant_id, which every visitor of a site
-- sets, it is set only by the console of the guru (after the owner check) and by jobs of the tenant.
--
-- Called by: the policies of tables with two parties.
CREATE OR REPLACE FUNCTION app.acting_tenant_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.acting_tenant_id', true), '')::uuid;

-- file: functions/add_contact_message.sql
-- Store a contact message and start its job, within the shares of the sender's address and network, and in a flood with a
-- proof of work. `period`: the time of the shares. Outcomes: created; same (sent before with this key); other (the key was used for another message);
-- unproven and limited (see app.flood_limit).
--
-- Called by: contact.
-- SECURITY DEFINER: the app role may add to contact_messages through this function and read nothing.
CREATE OR REPLACE FUNCTION app.add_contact_message(
  new_id uuid, name text, email text, subject text, message text, address_hash bytea, network_hash bytea, key text,
  new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer, flood_from integer,
  max_in_total integer, period interval
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  outcome text;
BEGIN
  SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  IF NOT FOUND THEN
    outcome := app.flood_limit('contact_messages', NULL, address_hash, network_hash, app.now() - period, is_proven,
                               max_per_address, max_per_network, flood_from, max_in_total);
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
    integer, integer, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_contact_message(uuid, text, text, text, text, bytea, bytea, text, bytea, boolean, integer,
    integer, integer, integer, interval) TO porchlight_app, porchlight_overseer;

-- file: functions/add_participants.sql
-- Store who takes part in bookings of the current user that need a waiver of a level, and who signs for each. `people`
-- is a list of {name, signer, signer_id, waiver_id, email, token}; without `signer_id`, the current user signs. People
-- who get a link are emailed about the first of the bookings. Bookings that have participants keep them.
--
-- Called by: bookings and app.book_party.
-- SECURITY DEFINER: the app role adds no participants itself, because they say which waiver covers whom.
CREATE OR REPLACE FUNCTION app.add_participants(ids uuid[], level text, people jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO participants (tenant_id, booking_id, number, person_id, name, signer, signer_id, waiver_id, email, token,
                            email_due)
  SELECT b.tenant_id, b.id, x.number, b.person_id, x.one ->> 'name', x.one ->> 'signer',
         coalesce((x.one ->> 'signer_id')::uuid, b.person_id), (x.one ->> 'waiver_id')::uuid,
         coalesce(x.one ->> 'email', ''), (x.one ->> 'token')::uuid,
         CASE WHEN x.one ->> 'email' <> '' AND b.id = ids[1] THEN app.now() END
    FROM bookings b CROSS JOIN jsonb_array_elements(people) WITH ORDINALITY x (one, number)
   WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.person_id = app.user_id()
     AND NOT EXISTS (SELECT FROM participants p WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id);
  UPDATE bookings b SET waiver_level = level
   WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.person_id = app.user_id();
  PERFORM app.cover_booking(b.id) FROM bookings b
    WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.person_id = app.user_id();
END $$;
REVOKE ALL ON FUNCTION app.add_participants(uuid[], text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_participants(uuid[], text, jsonb) TO porchlight_app, porchlight_overseer;

-- file: functions/angel_answer_minutes.sql
-- Return the minutes in which an angel usually makes an offer: the median over the last `days`, from the email about the
-- need to the first offer. NULL for fewer than `min_answers`, or if the angel left more needs without an answer, that were
-- addressed to them by name and are older than `open_after`, than they answered.
--
-- Called by: app.angels_for and app.angel_work_of.
-- SECURITY INVOKER: these run as the owner, who sees the needs, notices and offers of all users.
CREATE OR REPLACE FUNCTION app.angel_answer_minutes(
  angel_id uuid, days integer, min_answers integer, open_after interval) RETURNS integer
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
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

-- file: functions/angel_score.sql
-- Return the average rating of an angel, pulled toward 4.5 by three imaginary ratings.
--
-- Called by: app.angels_for and the emails about new needs.
CREATE OR REPLACE FUNCTION app.angel_score(ratings integer, rating_sum integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (rating_sum + 3 * 4.5) / (ratings + 3);

-- file: functions/angel_work_of.sql
-- Return the services that a user with a public profile helps with, with the price, the jobs done and the ratings, and the
-- minutes in which they usually answer (app.angel_answer_minutes). No row for an unknown or hidden profile.
--
-- Called by: angels, for the public profile.
-- SECURITY DEFINER: angels and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_work_of(wanted text, days integer, min_answers integer, open_after interval)
RETURNS TABLE (services jsonb, answer_minutes integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(w.services, '[]'),
         CASE WHEN w.services IS NOT NULL
              THEN app.angel_answer_minutes(p.user_id, days, min_answers, open_after) END
    FROM profiles p JOIN users u ON u.user_id = p.user_id CROSS JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object(
               'id', s.id, 'title', s.title, 'rate_cents', a.rate_cents, 'jobs', a.jobs, 'ratings', a.ratings,
               'rating_sum', a.rating_sum) ORDER BY a.jobs DESC, s.position, s.id) AS services
        FROM angels a JOIN angel_services s ON s.id = a.service_id WHERE a.user_id = p.user_id AND a.active) w
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.angel_work_of(text, integer, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_work_of(text, integer, integer, interval) TO porchlight_app, porchlight_overseer;

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
           'review', (SELECT jsonb_build_object('id', r.id, 'service', r.service, 'hours', r.hours, 'rating', r.rating,
                                                'words', r.words, 'author', r.author,
                                                'date', (r.reviewed_at AT TIME ZONE 'UTC')::date)
                        FROM angel_reviews r
                       WHERE r.angel_id = a.user_id AND r.service_id = a.service_id AND r.words <> ''
                       ORDER BY r.reviewed_at DESC, r.id DESC LIMIT 1),
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

-- file: functions/append_waiver.sql
-- Store a waiver of the current user together with its signed link, and move the end of its chain. `waiver` and `link`
-- have the columns of their tables by name; `link_hash` is the hash of the link. Fails unless the link follows the end
-- of the chain, which app.lock_waiver_head locked in this transaction.
--
-- Called by: waivers.
-- SECURITY DEFINER: the app role can change neither waiver_links nor waiver_heads, and cannot insert waivers. The user
-- is that of the transaction.
CREATE OR REPLACE FUNCTION app.append_waiver(waiver jsonb, link jsonb, link_hash text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  new_waiver waivers := jsonb_populate_record(NULL::waivers, waiver);
  new_link waiver_links := jsonb_populate_record(NULL::waiver_links, link);
BEGIN
  new_waiver.user_id := app.user_id();
  new_waiver.chain_id := new_link.chain_id;
  new_waiver.number := new_link.number;
  UPDATE waiver_heads h SET number = new_link.number, hash = link_hash
   WHERE h.chain_id = new_link.chain_id AND h.number = new_link.number - 1 AND h.hash = new_link.previous;
  IF NOT FOUND THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'the link does not follow the end of its chain';
  END IF;
  INSERT INTO waiver_links SELECT new_link.*;
  INSERT INTO waivers SELECT new_waiver.*;
END $$;
REVOKE ALL ON FUNCTION app.append_waiver(jsonb, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.append_waiver(jsonb, jsonb, text) TO porchlight_app, porchlight_overseer;

-- file: functions/billing_object.sql
-- Return the id at Stripe of an object of the catalog: `portal`, the portal's settings, or a price, such as
-- `skill-sharer-month`, for a user whose subscription can change to it. NULL before `porchlight billing sync`.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role cannot read the catalog.
CREATE OR REPLACE FUNCTION app.billing_object(wanted text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.object_id FROM billing_catalog c
   WHERE c.key = wanted AND (wanted = 'portal' OR EXISTS (
           SELECT FROM subscriptions s WHERE s.user_id = app.user_id() AND s.state IN ('active', 'past_due')))
$$;
REVOKE ALL ON FUNCTION app.billing_object(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.billing_object(text) TO porchlight_app, porchlight_overseer;

-- file: functions/booking_facts.sql
-- Return the facts on which a change of bookings is decided, of one moment (`porchlight.features.bookings.facts`). Times
-- are ISO 8601; ids and names of people are not decided on, so no name, note or address is among the facts.
--
-- The bookings: those of `ids`; the hold with the token digest `token`; the user's booking under the idempotency key
-- `key`, or that of the customer's link `customer`; with `series`, the others of the same person's series; the open ones
-- of the session `appointment` and, with `all_open`, all that the user has; and those whose time has passed, because
-- they end first. The sessions: those of the bookings and of `appointment`, those with seats to offer, and those that
-- decide whether the service is free at `starts`: within its time, or near a start if the guru limits their days. If
-- they are `counted`, also the holds of the user and of visitors: those of now, of the time `recent`, those of the
-- network address, and all of visitors near the first start. `near` is longer than any local day.
--
-- Nothing is locked. Either the transaction has locked the calendar before (app.lock_calendar), or app.apply_bookings
-- compares the version of the calendar with that of the facts.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed, nor of those who wait. The tenant and
-- the user are those of the transaction.
CREATE OR REPLACE FUNCTION app.booking_facts(
  ids uuid[] DEFAULT '{}', token bytea DEFAULT NULL, key text DEFAULT NULL, series boolean DEFAULT false,
  appointment uuid DEFAULT NULL, all_open boolean DEFAULT false, service uuid DEFAULT NULL,
  starts timestamptz[] DEFAULT '{}', near interval DEFAULT NULL, customer uuid DEFAULT NULL,
  counted boolean DEFAULT false, address bytea DEFAULT NULL, recent interval DEFAULT NULL, waiver uuid DEFAULT NULL)
RETURNS json LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  moment timestamptz := app.now();
  chosen uuid[] := ids;
  concerned uuid[] := '{}';
  offered uuid[] := '{}';
  has_day_max boolean;
  calendar json;
  found_bookings json;
  found_sessions json;
  found_services json;
  found_waiver json;
  visitors json;
  usage json;
BEGIN
  SELECT row_to_json(x), x.day_max IS NOT NULL INTO calendar, has_day_max FROM (
    SELECT c.version, c.rules_version, c.zone, c.notice_minutes, c.day_max, g.status = 'active' AS is_active,
           coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'),
                    (SELECT f.enabled FROM flag_settings f WHERE f.name = 'booking'), true) AS takes_bookings
      FROM calendars c JOIN gurus g ON g.id = c.tenant_id WHERE c.tenant_id = tenant) x;
  chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                             WHERE b.tenant_id = tenant AND (b.expires_at <= moment OR b.proposed_until <= moment));
  IF token IS NOT NULL THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b WHERE b.tenant_id = tenant AND b.hold_hash = token);
  END IF;
  IF key IS NOT NULL THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                               WHERE b.tenant_id = tenant AND b.person_id = person AND b.idempotency_key = key);
  END IF;
  IF customer IS NOT NULL THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b WHERE b.tenant_id = tenant AND b.customer_token = customer);
  END IF;
  IF appointment IS NOT NULL THEN
    concerned := ARRAY[appointment];
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                               WHERE b.tenant_id = tenant AND b.appointment_id = appointment
                                 AND b.status IN ('held', 'requested', 'confirmed'));
  END IF;
  IF all_open THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                               WHERE b.tenant_id = tenant AND b.person_id = person
                                 AND b.status IN ('held', 'requested', 'confirmed'));
  END IF;
  IF series THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings n
                                JOIN bookings b ON b.tenant_id = tenant AND b.person_id = n.person_id
                                 AND b.series_id = n.series_id AND b.status IN ('held', 'requested', 'confirmed')
                               WHERE n.tenant_id = tenant AND n.id = ANY (chosen));
  END IF;
  IF counted THEN
    IF cardinality(starts) > 0 THEN
      SELECT json_agg(x), chosen || array_agg(x.id) FILTER (WHERE x.is_address) INTO visitors, chosen FROM (
        SELECT b.id, b.starts_at, b.address_hash IS NOT DISTINCT FROM booking_facts.address AS is_address
          FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
         WHERE b.tenant_id = tenant AND b.status = 'held' AND u.email_verified IS NOT TRUE AND b.expires_at > moment
           AND b.starts_at BETWEEN starts[1] - near AND starts[1] + near
         ORDER BY b.id DESC) x;
    END IF;
    SELECT json_build_object('is_verified', EXISTS (SELECT FROM users u WHERE u.user_id = person AND u.email_verified),
                             'own', own, 'of_address', of_address, 'visitors', visitors) INTO usage
      FROM (SELECT count(*) FILTER (WHERE b.status = 'held' AND b.expires_at > moment AND b.address_hash IS NOT NULL)
                     AS held,
                   count(*) FILTER (WHERE b.status = 'requested' AND b.expires_at > moment) AS requested,
                   count(DISTINCT coalesce(b.series_id, b.id)) FILTER (
                     WHERE b.address_hash IS NOT NULL AND b.created_at > moment - recent) AS recent
              FROM bookings b
             WHERE b.person_id = person AND b.tenant_id = tenant
               AND (b.expires_at IS NOT NULL OR b.created_at > moment - recent)) own,
           (SELECT count(*) AS recent, count(*) FILTER (WHERE b.status = 'held' AND b.expires_at > moment) AS held
              FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
             WHERE b.tenant_id = tenant AND b.address_hash = booking_facts.address AND b.created_at > moment - recent
               AND u.email_verified IS NOT TRUE) of_address;
  END IF;
  IF cardinality(chosen) > 0 THEN
    SELECT json_agg(x), concerned || array_agg(x.appointment_id) INTO found_bookings, concerned FROM (
      SELECT b.id, b.appointment_id, b.service_id, b.person_id, b.status, b.party, b.starts_at, b.ends_at, b.zone,
             b.price_cents, b.approval, b.place, b.place_text, b.person_address, b.terms,
             encode(b.terms_digest, 'hex') AS terms_digest, b.waiver_level, b.sequence, b.moves, b.late_since,
             b.series_id, b.proposed_start, b.proposed_until, b.proposals, b.expires_at, b.ended_by,
             b.customer_token IS NOT NULL AS is_customer, b.address_hash IS NULL AS is_offer,
             b.hold_hash = token AS is_token,
             b.idempotency_key = key AND b.person_id = person OR b.customer_token = customer AS is_key,
             encode(b.digest, 'hex') AS digest
        FROM bookings b WHERE b.tenant_id = tenant AND b.id = ANY (chosen)
       ORDER BY b.starts_at, b.id) x;
  END IF;
  concerned := concerned || ARRAY(SELECT a.id FROM appointments a
                                   WHERE a.tenant_id = tenant AND a.live AND a.waiting > 0 AND a.taken < a.capacity);
  IF cardinality(starts) > 0 THEN
    concerned := concerned || ARRAY(
      SELECT a.id
        FROM booking_settings t
        JOIN services s ON s.tenant_id = tenant AND s.id = t.service_id
       CROSS JOIN unnest(booking_facts.starts) AS wanted (start)
        JOIN appointments a ON a.tenant_id = tenant AND a.live
         AND a.blocked && CASE WHEN has_day_max THEN tstzrange(start - near, start + near)
                               ELSE tstzrange(start - make_interval(mins => t.setup_minutes),
                                              start + make_interval(mins => s.duration_minutes + t.cleanup_minutes)) END
       WHERE t.tenant_id = tenant AND t.service_id = service);
  END IF;
  IF cardinality(concerned) > 0 THEN
    SELECT json_agg(x), array_agg(x.service_id) INTO found_sessions, offered FROM (
      SELECT a.id, a.kind, a.service_id, a.starts_at, a.ends_at, a.zone, lower(a.blocked) AS blocked_from,
             upper(a.blocked) AS blocked_until, a.capacity, a.taken, a.fixed, a.live, a.place, a.place_text,
             (SELECT json_agg(w) FROM (
                SELECT w.number, w.person_id, w.party, w.status FROM waitlist w
                 WHERE w.tenant_id = tenant AND w.appointment_id = a.id AND w.status IN ('waiting', 'offered')
                 ORDER BY w.number) w) AS waitlist,
             (SELECT max(w.number) FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = a.id)
               AS last_number,
             (SELECT json_agg(b.person_id) FROM bookings b
               WHERE b.tenant_id = tenant AND b.appointment_id = a.id
                 AND b.status IN ('held', 'requested', 'confirmed')
                 AND (b.person_id = person
                      OR b.person_id IN (SELECT w.person_id FROM waitlist w WHERE a.waiting > 0
                                            AND w.tenant_id = tenant AND w.appointment_id = a.id
                                            AND w.status = 'waiting'))) AS seated
        FROM appointments a WHERE a.tenant_id = tenant AND a.id = ANY (concerned)
       ORDER BY a.starts_at, a.id) x;
  END IF;
  SELECT json_agg(x) INTO found_services FROM (
    SELECT s.id, s.duration_minutes AS minutes, s.over_limit, t.open, t.approval, t.capacity, t.party_max, t.starts,
           t.place, t.place_text, t.setup_minutes, t.cleanup_minutes
      FROM booking_settings t JOIN services s ON s.tenant_id = tenant AND s.id = t.service_id
     WHERE t.tenant_id = tenant AND t.service_id = ANY (offered || service)) x;
  IF waiver IS NOT NULL THEN
    SELECT row_to_json(x) INTO found_waiver FROM (
      SELECT w.id, w.level, w.expires_at FROM waivers w
       WHERE w.user_id = person AND w.id = waiver AND w.ended_at IS NULL) x;
  END IF;
  RETURN json_build_object(
    'now', moment, 'user_id', person, 'is_acting', app.acting_tenant_id() = tenant, 'calendar', calendar,
    'bookings', found_bookings, 'sessions', found_sessions, 'services', found_services, 'waiver', found_waiver,
    'usage', usage);
END $$;
REVOKE ALL ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, timestamptz[], interval, uuid,
  boolean, bytea, interval, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, timestamptz[], interval, uuid,
  boolean, bytea, interval, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/category_status.sql
-- Return how each of the categories `slugs` meets its document requirements for the current user, who is `wanted`.
-- `documents` maps each required type to missing, pending, approved or void (sent, but no longer valid). `good_until`: the
-- last day of the first of them that ends, where the best one of a type counts. Days are UTC.
-- A license counts for the category it was sent for; insurance also counts when it was sent without a category.
--
-- Called by: onboarding and app.publish_guru.
-- SECURITY INVOKER: it reads the user's own documents.
CREATE OR REPLACE FUNCTION app.category_status(wanted uuid, slugs text[]) RETURNS TABLE (
  slug text, name text, place integer, risk_level text, requires_license boolean, requires_gl boolean,
  requires_auto_insurance boolean, notes text, documents jsonb, needed boolean, submitted boolean, approved boolean,
  good_until date)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH sent AS MATERIALIZED (
    SELECT d.category, d.type, d.expires_on, d.status,
           d.expires_on IS NULL OR d.expires_on >= (app.now() AT TIME ZONE 'UTC')::date AS valid
      FROM documents d WHERE d.user_id = wanted AND wanted = app.user_id()
  ), met AS (
    SELECT c.slug, n.type,
           CASE WHEN bool_or(s.valid AND s.status = 'approved') THEN 'approved'
                WHEN bool_or(s.valid AND s.status = 'pending') THEN 'pending'
                WHEN count(s.type) > 0 THEN 'void' ELSE 'missing' END AS state,
           nullif(max(coalesce(s.expires_on, 'infinity')) FILTER (WHERE s.valid AND s.status = 'approved'), 'infinity')
             AS good_until
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

-- file: functions/cover_booking.sql
-- Give each participant of an open booking the waiver that covers the booking's level: their own, or for a minor the one
-- that a guardian signed for exactly that minor. Waivers that are valid at the start come first, then signed ones, then
-- those that are valid longest; only a signed one replaces a signed one. Once the waiver has ended, `waiver_until` is in
-- the past. The booking's `waiver_until` is the earliest of its participants, null while one of them has no waiver.
--
-- The function restores the user that was set before. The calendar is locked.
--
-- Called by: app.add_participants and the trigger update_booking_waivers.
-- SECURITY INVOKER: these run as the owner; neither party can read the waivers of the others. The tenant is that of the
-- transaction.
CREATE OR REPLACE FUNCTION app.cover_booking(covered_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  levels text[] := ARRAY['low', 'medium', 'high', 'extreme'];
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  booked bookings;
  participant participants;
BEGIN
  SELECT * INTO booked FROM bookings b
   WHERE b.tenant_id = app.tenant_id() AND b.id = covered_id AND b.waiver_level <> ''
     AND b.status IN ('requested', 'confirmed') AND b.ends_at > app.now();
  FOR participant IN SELECT * FROM participants p WHERE p.tenant_id = booked.tenant_id AND p.booking_id = booked.id LOOP
    PERFORM set_config('app.user_id', participant.signer_id::text, true);
    UPDATE participants p SET (waiver_id, waiver_until, signed_by) = (
      SELECT coalesce(best.id, p.waiver_id),
             coalesce(best.expires_at, CASE WHEN p.waiver_until IS NOT NULL THEN least(p.waiver_until, app.now()) END),
             coalesce(best.signed_by, p.signed_by)
        FROM (SELECT) one LEFT JOIN LATERAL (
          SELECT w.id, w.expires_at, coalesce(w.record::jsonb #>> '{signature,typed}', '') AS signed_by FROM waivers w
           WHERE w.user_id = participant.signer_id AND w.guru_id = booked.tenant_id
             AND w.ended_at IS NULL AND w.expires_at > app.now()
             AND split_part(w.exchange_id, '/', 2) = booked.service_id::text
             AND array_position(levels, w.level) >= array_position(levels, booked.waiver_level)
             AND CASE participant.signer
                   WHEN 'self' THEN w.record::jsonb #>> '{participant,signedBy}' = 'self'
                   WHEN 'guardian' THEN w.record::jsonb #>> '{participant,signedBy}' = 'guardian'
                        AND app.normalize_text(w.record::jsonb #>> '{participant,name}')
                            = app.normalize_text(participant.name)
                   ELSE true END
             AND (w.signed OR NOT EXISTS (SELECT FROM waivers used
                                           WHERE used.user_id = w.user_id AND used.id = participant.waiver_id
                                             AND used.signed))
           ORDER BY w.expires_at > booked.starts_at DESC, w.signed DESC, w.expires_at DESC LIMIT 1) best ON true)
     WHERE p.tenant_id = participant.tenant_id AND p.booking_id = participant.booking_id
       AND p.number = participant.number;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
  UPDATE bookings b
     SET waiver_id = coalesce((SELECT p.waiver_id FROM participants p
                                WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id AND p.signer <> 'link'
                                  AND p.waiver_id IS NOT NULL
                                ORDER BY p.signer = 'self' DESC, p.number LIMIT 1), b.waiver_id),
         waiver_until = (SELECT CASE WHEN bool_and(p.waiver_until IS NOT NULL) THEN min(p.waiver_until) END
                           FROM participants p WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id)
   WHERE b.tenant_id = booked.tenant_id AND b.id = booked.id
     AND EXISTS (SELECT FROM participants p WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id);
END $$;
REVOKE ALL ON FUNCTION app.cover_booking(uuid) FROM PUBLIC;

-- file: functions/create_payout.sql
-- Store an instant payout of the current user, reserve its money with the fee, and store the write that sends it, all or
-- nothing. Return its id. `net` reaches `destination`; `net + fee` leaves the balance. More than the books have raises
-- ledger_hold_available, and a second payout that waits for Stripe raises uq_payouts_account_id_open.
--
-- `wanted` is what was asked for, NULL for everything. The payout at Stripe carries it, so that a restored backup that
-- does not have this payout can answer the same request.
--
-- Called by: payouts, after the decision on app.payout_facts, in the transaction that holds its lock.
-- SECURITY DEFINER: the ledger and the outbox. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.create_payout(net bigint, fee bigint, destination text, last4 text, request_key text,
                                             wanted bigint) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  owner uuid := app.user_id();
  payout uuid := gen_random_uuid();
  account text;
BEGIN
  SELECT a.account_id INTO account FROM payout_accounts a
   WHERE a.user_id = owner AND a.connected AND a.details_submitted AND a.payouts_enabled;
  IF account IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'a payout has an owner with a complete account';
  END IF;
  INSERT INTO payouts (user_id, id, account_id, amount, fee, method, destination, last4, request_key, requested_cents)
  VALUES (owner, payout, account, net, fee, 'instant', create_payout.destination, create_payout.last4,
          create_payout.request_key, wanted);
  PERFORM app.ledger_hold(gen_random_uuid(), app.ledger_account('guru_stripe', 'usd', NULL, owner, NULL), net + fee,
                          'payout', payout::text, NULL);
  PERFORM app.create_stripe_write('payout', payout, account, 'POST', '/v1/payouts', jsonb_build_object(
    'amount', net, 'currency', 'usd', 'method', 'instant', 'destination', create_payout.destination,
    'metadata', jsonb_strip_nulls(jsonb_build_object(
      'payout', payout, 'request_key', nullif(create_payout.request_key, ''), 'requested_cents', wanted))));
  RETURN payout;
END $$;
REVOKE ALL ON FUNCTION app.create_payout(bigint, bigint, text, text, text, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_payout(bigint, bigint, text, text, text, bigint) TO porchlight_app;

-- file: functions/create_report.sql
-- Store a report about a site, post, profile or listing, within the shares of the sender's address and network in a
-- `period`, and in a flood with a proof of work. Outcomes: created; same (sent before with this key); other (the key was used for another
-- report); unproven and limited (see app.flood_limit); unknown (the subject does not exist, is hidden or is not
-- published).
--
-- `reporter`: the current user, or NULL for a visitor. Without `flood_from` only the address has a limit; without
-- `max_per_address` there is none.
--
-- A subject is public: a site, a post (label/slug), a profile (handle) or a listing (id); or it is a question (id), which
-- only its two neighbors know.
--
-- Called by: reports.
-- SECURITY DEFINER: the app role may add to reports through this function and read nothing, and the subject is a row of any
-- tenant or user.
CREATE OR REPLACE FUNCTION app.create_report(
  new_id uuid, kind text, name text, reason text, details text, reporter uuid, address bytea,
  network bytea, key text, new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer,
  flood_from integer, max_in_total integer, period interval, max_title integer
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  subject record;
  allowed text;
BEGIN
  SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  IF NOT FOUND THEN
    SELECT s.* INTO subject FROM (
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
    ) s (subject_id, subject_name, subject_title, guru_id);
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'unknown';
      RETURN;
    END IF;
    IF flood_from IS NOT NULL THEN
      allowed := app.flood_limit('reports', NULL, address, network, app.now() - period, is_proven, max_per_address,
                                 max_per_network, flood_from, max_in_total);
    ELSIF max_per_address <= (
      SELECT count(*) FROM (SELECT FROM reports r WHERE r.address_hash = address AND r.created_at > app.now() - period
                             LIMIT max_per_address) earlier
    ) THEN
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
    integer, integer, integer, integer, interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean,
    integer, integer, integer, integer, interval, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/create_stripe_write.sql
-- Store the intent of a change at Stripe and wake the sender; return its id. The worker sends it after the commit, with
-- a key made of the id, so that every attempt to send it is the same request. With `tagged`, the object carries the id
-- in its metadata, by which it is found when the outcome is unknown.
--
-- A subject gets a new attempt only after the former one was refused or is absent at Stripe; otherwise this is an error.
--
-- Called by: the service role and the functions that store a change, such as app.create_payout.
-- SECURITY INVOKER: the app role may not call it, and has no privileges on stripe_outbox.
CREATE OR REPLACE FUNCTION app.create_stripe_write(kind text, subject_id uuid, account text, method text, path text,
                                                   params jsonb, tagged boolean DEFAULT true) RETURNS uuid
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  former record;
  new_id uuid := gen_random_uuid();
BEGIN
  SELECT o.attempt, o.state INTO former FROM stripe_outbox o
   WHERE o.kind = create_stripe_write.kind AND o.subject_id = create_stripe_write.subject_id
   ORDER BY o.attempt DESC LIMIT 1;
  IF FOUND AND former.state NOT IN ('refused', 'absent') THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('the write %s of %s is %s', kind, subject_id, former.state);
  END IF;
  INSERT INTO stripe_outbox (id, kind, subject_id, attempt, account, lane, method, path, params)
  VALUES (new_id, kind, subject_id, coalesce(former.attempt, 0) + 1, account,
          CASE WHEN account = '' THEN subject_id::text ELSE account END, method, path,
          CASE WHEN tagged THEN params || jsonb_build_object(
            'metadata', coalesce(params -> 'metadata', '{}') || jsonb_build_object('outbox', new_id)) ELSE params END);
  PERFORM app.enqueue('settlement:send', '{}', 'settlement:send');
  RETURN new_id;
END $$;
REVOKE ALL ON FUNCTION app.create_stripe_write(text, uuid, text, text, text, jsonb, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_stripe_write(text, uuid, text, text, text, jsonb, boolean) TO porchlight_overseer;

-- file: functions/decide_adjustment.sql
-- Post or reject an adjustment that waits, as porchlight.money.adjustment_rules decided. The caller holds the lock of
-- adjustments; one that was decided before stays as it is.
--
-- Called by: money.adjustments.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.decide_adjustment(adjustment uuid, holder text, approve boolean)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE adjustments a
     SET decided_by = holder, decided_at = app.now(), state = CASE WHEN approve THEN a.state ELSE 'rejected' END
   WHERE a.id = adjustment AND a.state = 'requested';
  IF FOUND AND approve THEN
    UPDATE adjustments a SET state = 'posted', transaction_id = app.post(
             gen_random_uuid(), a.event, 'adjustment', a.id::text, ARRAY[a.debit_account], ARRAY[a.credit_account],
             ARRAY[a.cents])
     WHERE a.id = adjustment;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.decide_adjustment(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.decide_adjustment(uuid, text, boolean) TO porchlight_overseer;

-- file: functions/delete_pending_account_email.sql
-- Delete the address of a deleted account after the running job sent the last email to it.
--
-- Called by: account, in the job profiles:send_account_deleted.
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

-- file: functions/email_opt_out.sql
-- Return whether a person wants a kind of email from the running job, with the tokens for its links: of this kind, and
-- of the page with all their settings. Without `person`, it is the owner of the job's guru; no row without one.
--
-- Called by: emails, in jobs.
-- SECURITY DEFINER: settings of other users are behind row level security. Requests run no job, so they get no token.
CREATE OR REPLACE FUNCTION app.email_opt_out(wanted text, person uuid)
RETURNS TABLE (is_on boolean, token uuid, page_token uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  args jsonb := (SELECT r.args FROM app.running_task() r);
  caller text := current_setting('app.user_id', true);
  subscriber uuid := coalesce(person, (SELECT m.user_id FROM memberships m
                                        WHERE m.tenant_id = (args ->> 'tenant_id')::uuid LIMIT 1));
BEGIN
  PERFORM set_config('app.user_id', subscriber::text, true);
  INSERT INTO email_settings (user_id, kind)
  SELECT u.user_id, k.kind FROM users u, (VALUES ('all'), (wanted)) k (kind)
   WHERE u.user_id = subscriber AND u.status <> 'erased' ON CONFLICT DO NOTHING;
  PERFORM set_config('app.user_id', caller, true);
  RETURN QUERY SELECT s.is_on, s.token, p.token FROM email_settings s JOIN email_settings p USING (user_id)
                WHERE s.user_id = subscriber AND s.kind = wanted AND p.kind = 'all';
END $$;
REVOKE ALL ON FUNCTION app.email_opt_out(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.email_opt_out(text, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/email_settings_of.sql
-- Return the email settings that a link's token is for: the kind, or 'all'; the kinds that are off; and whether the person
-- has a guru's site. No row for an unknown token.
--
-- Called by: email_settings.
-- SECURITY DEFINER: anyone with the link reads them without signing in.
CREATE OR REPLACE FUNCTION app.email_settings_of(link uuid, OUT kind text, OUT kinds_off text[], OUT is_guru boolean)
RETURNS SETOF record LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.kind, ARRAY(SELECT s.kind FROM email_settings s WHERE s.user_id = l.user_id AND NOT s.is_on),
         EXISTS (SELECT FROM memberships m WHERE m.user_id = l.user_id)
    FROM email_settings l WHERE l.token = link
$$;
REVOKE ALL ON FUNCTION app.email_settings_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.email_settings_of(uuid) TO porchlight_app, porchlight_overseer;

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

-- file: functions/enqueue.sql
-- Add a job to the queue and return its id. The tenant and the user of the transaction are added to the arguments that
-- do not name them. Returns NULL when a job with the same queueing lock already waits. Of the jobs with the same `lock`
-- one runs at a time, in their order. It starts at `start_at` at the earliest; the queue compares that with now(), the
-- machine's clock. Without a queueing lock the plain insert is cheaper.
--
-- Called by: the service role, app.enqueue_task, and the functions and triggers that start a job. The app role may not
-- call it: its arguments decide whose rows a job works on.
-- SECURITY INVOKER: these run as the owner or the service role, whose worker has the rights on the schema jobs.
CREATE OR REPLACE FUNCTION app.enqueue(task text, args jsonb, queueing_lock text, lock text DEFAULT NULL,
                                       start_at timestamptz DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = jobs, pg_temp AS $$
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

-- file: functions/enqueue_task.sql
-- Add a job of the transaction's tenant or user to the queue and return its id. The arguments cannot name another one.
-- With `once`, of the jobs that wait for the same tenant or user there is at most one of this task and `start_at`; then it
-- may return NULL. Any other task, and a transaction without the tenant or user that the task needs, is an error.
--
-- Called by: `enqueue()` in Python, in the transaction of a request or a job. Some tasks only start from the job that
-- decides on them.
-- SECURITY DEFINER: the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_task(task text, args jsonb, once boolean, start_at timestamptz DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = app, pg_temp AS $$
DECLARE
  subject_id uuid := CASE
    WHEN task IN ('leads:notify_guru', 'leads:send_receipt', 'leads:send_reply') THEN app.tenant_id()
    WHEN task IN ('angels:notify_angels', 'angels:notify_owner', 'angels:notify_result', 'angels:update_counters',
                  'auth:delete_identity', 'auth:revoke_tokens', 'listings:geocode_user', 'profiles:send_welcome',
                  'questions:notify_recipient', 'waivers:send_receipt')
      THEN app.user_id()
    WHEN task IN ('documents:notify_expired', 'documents:send_expiry_reminder')
      THEN (SELECT app.user_id() FROM app.running_task() r WHERE r.task = 'documents:process_expiry')
    WHEN task = 'leads:send_digest'
      THEN (SELECT app.tenant_id() FROM app.running_task() r
             WHERE r.task = 'leads:notify_guru' AND r.args ->> 'tenant_id' = app.tenant_id()::text)
  END;
BEGIN
  IF subject_id IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = format('this transaction may not enqueue %s', task);
  END IF;
  RETURN app.enqueue(task, args - ARRAY['tenant_id', 'user_id'],
                     CASE WHEN once THEN concat_ws(':', task, subject_id, extract(epoch FROM start_at)::bigint) END,
                     NULL, start_at);
END $$;
REVOKE ALL ON FUNCTION app.enqueue_task(text, jsonb, boolean, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_task(text, jsonb, boolean, timestamptz) TO porchlight_app, porchlight_overseer;

-- file: functions/erase_bookings.sql
-- Erase the current user's personal data from their bookings with the transaction's guru, with the names of the people
-- who came along. Bookings stay, without names and texts, as the guru's records. What was open has been canceled.
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
     SET person_name = '', participants = '{}', note = '', person_address = '', person_zone = '', customer_email = '',
         address_hash = NULL, reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
   WHERE b.tenant_id = tenant AND b.person_id = person;
  UPDATE participants p SET name = '', email = '', signed_by = '', token = NULL, email_due = NULL
   WHERE p.tenant_id = tenant AND p.person_id = person;
  UPDATE booking_events e SET details = e.details - 'reason'
   WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
  DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
END $$;
REVOKE ALL ON FUNCTION app.erase_bookings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_bookings() TO porchlight_app, porchlight_overseer;

-- file: functions/erase_words.sql
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
-- Return a fair price range per hour for a service: what angels ask and what was paid. What angels within `near_miles`
-- ask is the range from `low_quartile` to `high_quartile`, or that of all angels when fewer than `min_near` are near.
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
  ), offered AS (
    SELECT a.rate_cents, app.miles(near_latitude, near_longitude, a.latitude, a.longitude) <= near_miles AS near
      FROM angels a JOIN users u ON u.user_id = a.user_id
     WHERE a.service_id = service AND a.active AND u.status = 'active'
  ), asked AS (
    SELECT percentile_disc(low_quartile) WITHIN GROUP (ORDER BY o.rate_cents) AS low,
           percentile_disc(high_quartile) WITHIN GROUP (ORDER BY o.rate_cents) AS high,
           count(*)::integer AS angels, coalesce(bool_and(o.near), false) AS nearby
      FROM offered o WHERE o.near OR (SELECT count(*) FROM offered WHERE near) < min_near HAVING count(*) > 0
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

-- file: functions/find_customer.sql
-- Return the booking of a customer's link, and the id that takes the place of their account. No row for an unknown
-- link.
--
-- Called by: bookings, for the page on which a customer without an account sees their session.
-- SECURITY DEFINER: a customer is no user. The token is the permission; the tenant comes from it.
CREATE OR REPLACE FUNCTION app.find_customer(link_token uuid, OUT booking_id uuid, OUT person_id uuid)
RETURNS SETOF record LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.id, b.person_id FROM bookings b
   WHERE b.tenant_id = app.tenant_id() AND b.customer_token = link_token
$$;
REVOKE ALL ON FUNCTION app.find_customer(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_customer(uuid) TO porchlight_app;

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
-- Return the session behind a cookie, unless it expired, its account is inactive or all sessions were signed out. With
-- `at_domain`, the cookie is one of a custom domain; a session that was opened there under a previous guru of the domain
-- does not count.
-- `guru_id`, `guru_label` and `guru_status` are of the guru that the user owns, or NULL, so that a console call needs no
-- second round trip.
--
-- Called by: auth, for each request with a session cookie.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_session(wanted bytea, at_domain text DEFAULT NULL)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz, guru_id uuid, guru_label text,
               guru_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at,
         g.id, g.label, g.status
    FROM (SELECT f.* FROM sessions f WHERE at_domain IS NULL AND f.secret_hash = wanted
           UNION ALL
          SELECT f.* FROM domain_sessions v
            JOIN sessions f ON f.user_id = v.user_id AND f.id = v.session_id
            JOIN domains d ON d.domain = v.domain
           WHERE v.secret_hash = wanted AND v.domain = at_domain AND d.verified_at <= v.created_at) s
    JOIN users u ON u.user_id = s.user_id
    LEFT JOIN memberships m ON m.user_id = s.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
   WHERE s.expires_at > app.now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_session(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_session(bytea, text) TO porchlight_app, porchlight_overseer;

-- file: functions/find_signing.sql
-- Return what the bearer of a personal link signs: their next session that is not covered, else their next one.
-- NULL if the link is unknown, was replaced, or all its sessions have started or were canceled.
--
-- Called by: waivers, for the page on which a participant signs without an account.
-- SECURITY DEFINER: a participant is no party of the booking. The token is the permission; the tenant comes from it.
CREATE OR REPLACE FUNCTION app.find_signing(link_token uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'signer_id', p.signer_id, 'name', p.name, 'booker_name', b.person_name, 'guru_label', g.label,
           'guru_name', g.character, 'service_id', b.service_id, 'service_name', b.service_name,
           'starts_at', b.starts_at, 'ends_at', b.ends_at, 'zone', b.zone, 'level', b.waiver_level,
           'waiver_until', p.waiver_until, 'covered', coalesce(p.waiver_until > b.starts_at, false))
    FROM participants p
    JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
    JOIN gurus g ON g.id = p.tenant_id
   WHERE p.tenant_id = app.tenant_id() AND p.token = link_token AND p.signer = 'link'
     AND b.status IN ('requested', 'confirmed') AND b.starts_at > app.now() AND b.waiver_level <> ''
   ORDER BY coalesce(p.waiver_until > b.starts_at, false), b.starts_at LIMIT 1
$$;
REVOKE ALL ON FUNCTION app.find_signing(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_signing(uuid) TO porchlight_app;

-- file: functions/find_site.sql
-- Return the guru with this name, with what decides the site's main address. A name is a subdomain, one that the guru had
-- before a rename, or a verified custom domain that the plan of its owner includes. Only domains have dots.
-- `domains`: those that serve the site, the first connected one first, as a list of [domain, when its certificate ends as
-- seconds since 1970 or null, whether its DNS records lead here]. tenants/tenancy/main_address.py decides by them.
--
-- Called by: tenancy, for each new host name, the emails of a site, and onboarding, while a user types a subdomain.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_site(wanted text)
RETURNS TABLE (id uuid, label text, status text, main_domain text, domains jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status, g.main_domain,
         (SELECT jsonb_agg(jsonb_build_array(d.domain, extract(epoch FROM d.certificate_until),
                                             d.leads_here OR d.proof = 'operator')
                           ORDER BY d.verified_at, d.created_at, d.domain)
            FROM domains d WHERE d.tenant_id = g.id AND d.verified_at IS NOT NULL AND NOT d.over_limit)
    FROM gurus g
   WHERE g.id = coalesce(
           (SELECT n.id FROM gurus n WHERE n.label = wanted),
           (SELECT r.tenant_id FROM retired_labels r WHERE r.label = wanted),
           (SELECT d.tenant_id FROM domains d
             WHERE d.domain = wanted AND d.verified_at IS NOT NULL AND NOT d.over_limit))
$$;
REVOKE ALL ON FUNCTION app.find_site(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_site(text) TO porchlight_app, porchlight_overseer;

-- file: functions/find_user.sql
-- Return the account of an identity provider's user id.
-- The guru is the one that the user owns, as in app.find_session.
--
-- Called by: auth, for each request with an ID token.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_user(wanted text)
RETURNS TABLE (user_id uuid, status text, signed_out_at timestamptz, email text, email_verified boolean,
               ended_sign_ins timestamptz[], guru_id uuid, guru_label text, guru_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.user_id, u.status, u.signed_out_at, u.email, u.email_verified, u.ended_sign_ins,
         g.id, g.label, g.status
    FROM users u LEFT JOIN memberships m ON m.user_id = u.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
   WHERE u.firebase_uid = wanted
$$;
REVOKE ALL ON FUNCTION app.find_user(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_user(text) TO porchlight_app, porchlight_overseer;

-- file: functions/flood_limit.sql
-- Return whether another row may be added to a table that visitors can flood: `open`; `unproven`, when `flood_from` rows
-- or more since `since` exist and the sender has not solved a proof of work; or `limited`, when the sender's address
-- or network has used its share of that time. `max_in_total` only bounds the rows that can be added to the database then.
-- With `tenant`, only that tenant's rows count. A NULL limit allows every row. Without a proof no more than `flood_from`
-- rows are read, so a refused request is cheap.
--
-- Called by: app.add_contact_message, app.create_report and, by `flood_limit_sql()` in Python, the creation of leads.
-- SECURITY INVOKER: the caller needs the right to read the table, which has address_hash, network_hash and created_at.
CREATE OR REPLACE FUNCTION app.flood_limit(
  source text, tenant uuid, address bytea, network bytea, since timestamptz, is_proven boolean, max_per_address bigint,
  max_per_network bigint, flood_from bigint, max_in_total bigint
) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  in_total bigint;
  of_address bigint;
  of_network bigint;
BEGIN
  IF max_in_total IS NULL THEN
    RETURN 'open';
  END IF;
  EXECUTE format(
    'SELECT count(*), count(*) FILTER (WHERE r.address_hash = $2), count(*) FILTER (WHERE r.network_hash = $3)'
    ' FROM (SELECT l.address_hash, l.network_hash FROM public.%I l'
    '        WHERE %s l.created_at > $4 LIMIT $5) r',
    source, CASE WHEN tenant IS NULL THEN '' ELSE 'l.tenant_id = $1 AND' END)
  INTO in_total, of_address, of_network
  USING tenant, address, network, since, CASE WHEN is_proven THEN max_in_total ELSE flood_from END;
  RETURN CASE
    WHEN of_address >= max_per_address OR of_network >= max_per_network OR in_total >= max_in_total THEN 'limited'
    WHEN in_total >= flood_from AND NOT is_proven THEN 'unproven'
    ELSE 'open'
  END;
END $$;
REVOKE ALL ON FUNCTION app.flood_limit(text, uuid, bytea, bytea, timestamptz, boolean, bigint, bigint, bigint, bigint)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.flood_limit(text, uuid, bytea, bytea, timestamptz, boolean, bigint, bigint, bigint, bigint)
    TO porchlight_app, porchlight_overseer;

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

-- file: functions/get_or_create_phrase.sql
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

-- file: functions/helper_card.sql
-- Return what neighbors see of an angel or guru: the name and photo, the services on Angel's List, and the guru's site.
-- NULL for a user whom neighbors cannot find by either.
--
-- Called by: porch_lights, app.porch_lights.
-- SECURITY DEFINER: profiles, services and memberships of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.helper_card(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'handle', p.handle, 'name', coalesce(p.display_name, g.character), 'photo_id', p.photo_id,
           'photo_url', coalesce(p.photo_url, ''), 'services', coalesce(a.titles, '[]'), 'label', g.label,
           'character', g.character)
    FROM users u
    LEFT JOIN profiles p ON p.user_id = u.user_id AND p.is_public AND p.registered_at IS NOT NULL
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(s.title ORDER BY s.position) AS titles
        FROM angels a JOIN angel_services s ON s.id = a.service_id
       WHERE a.user_id = u.user_id AND a.active AND p.user_id IS NOT NULL) a ON true
    LEFT JOIN memberships m ON m.user_id = u.user_id
    LEFT JOIN gurus g ON g.id = m.tenant_id AND g.status = 'active'
   WHERE u.user_id = wanted AND u.status = 'active' AND (a.titles IS NOT NULL OR g.id IS NOT NULL)
$$;
REVOKE ALL ON FUNCTION app.helper_card(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.helper_card(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/job_contacts.sql
-- Return the people whom the running job emails or names, while their accounts are active: those of the row that its
-- arguments name, which must be of the job's tenant or user. `part` says what they are to the row, and `details` what the
-- job may know of the row. `name` is the name in an email to them, `shown_name` the one that others see. The address of a
-- swap ring's member is empty until it is verified.
--
-- Called by: leads, questions, angels, matches and bookings, in the jobs named here. Any other job gets an error.
-- SECURITY DEFINER: accounts and rows of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.job_contacts()
RETURNS TABLE (part text, user_id uuid, email text, email_verified boolean, name text, shown_name text, details jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  job record := app.running_task();
  tenant uuid := (job.args ->> 'tenant_id')::uuid;
  author uuid := (job.args ->> 'user_id')::uuid;
BEGIN
  IF job.task NOT IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply', 'questions:notify_recipient',
                      'angels:notify_owner', 'angels:notify_result', 'matches:notify_members', 'bookings:send_emails',
                      'bookings:send_changes', 'bookings:send_agenda', 'bookings:send_waitlist_canceled') THEN
    RAISE insufficient_privilege USING MESSAGE = format('the job %s has no contacts', job.task);
  END IF;
  RETURN QUERY
  SELECT c.part, u.user_id, CASE WHEN u.email_verified OR c.part <> 'member' THEN u.email ELSE '' END, u.email_verified, p.display_name,
         (SELECT s.shown_name FROM shown_people s WHERE s.user_id = u.user_id), c.details
    FROM (
      -- The owner of the job's guru.
      SELECT 'owner' AS part, m.user_id, '{}'::jsonb AS details, 0 AS place, NULL::uuid AS row_id
        FROM memberships m
       WHERE m.tenant_id = tenant AND job.task IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply',
                                                   'bookings:send_emails', 'bookings:send_changes',
                                                   'bookings:send_agenda')
       UNION ALL
      -- The person of the job's booking; or of several ones with the guru, if the job writes to that person.
      SELECT 'person', b.person_id, '{}', 1, b.id FROM bookings b
       WHERE b.tenant_id = tenant AND b.id = (job.args ->> 'booking_id')::uuid AND job.task = 'bookings:send_emails'
       UNION ALL
      (SELECT 'person', b.person_id, '{}', 1, b.person_id FROM bookings b
        WHERE b.tenant_id = tenant AND b.person_id = nullif(job.args ->> 'person_id', '')::uuid
          AND job.task = 'bookings:send_changes' AND job.args ->> 'side' = 'person' LIMIT 1)
       UNION ALL
      -- The person of the job's place on a waitlist.
      SELECT 'person', w.person_id, '{}', 1, w.person_id FROM waitlist w
       WHERE w.tenant_id = tenant AND w.appointment_id = (job.args ->> 'appointment_id')::uuid
         AND w.number = (job.args ->> 'number')::integer AND job.task = 'bookings:send_waitlist_canceled'
       UNION ALL
      -- Who asked the job's question, and who was asked.
      SELECT a.part, a.user_id, '{}', 0, q.id FROM questions q
       CROSS JOIN LATERAL (VALUES ('asker', q.user_id), ('recipient', q.recipient_id)) a (part, user_id)
       WHERE q.user_id = author AND q.id = (job.args ->> 'question_id')::uuid AND job.task = 'questions:notify_recipient'
       UNION ALL
      -- Who made the job's offer, and who needs help, while the offer can be accepted.
      SELECT a.part, a.user_id, jsonb_build_object('title', n.title), 0, o.id
        FROM need_offers o JOIN needs n ON n.id = o.need_id
       CROSS JOIN LATERAL (VALUES ('angel', o.user_id), ('owner', n.user_id)) a (part, user_id)
       WHERE o.user_id = author AND o.id = (job.args ->> 'offer_id')::uuid AND job.task = 'angels:notify_owner'
         AND o.status = 'open' AND n.status = 'open'
       UNION ALL
      -- Who made an open offer on the job's need.
      SELECT 'angel', o.user_id, jsonb_build_object('offer_id', o.id, 'price_cents', o.price_cents), 0, o.id
        FROM needs n JOIN need_offers o ON o.need_id = n.id
       WHERE n.user_id = author AND n.id = (job.args ->> 'need_id')::uuid AND job.task = 'angels:notify_result'
         AND o.status = 'open'
       UNION ALL
      -- The members of the job's swap ring, in their order.
      SELECT 'member', m.user_id, jsonb_build_object('state', r.state, 'teaches', m.teaches), m.place, r.id
        FROM swap_rings r JOIN swap_ring_members m ON m.ring_id = r.id
       WHERE r.id = (job.args ->> 'ring_id')::uuid AND job.task = 'matches:notify_members'
    ) c JOIN users u ON u.user_id = c.user_id LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.status = 'active'
   ORDER BY c.place, c.row_id;
END $$;
REVOKE ALL ON FUNCTION app.job_contacts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.job_contacts() TO porchlight_app, porchlight_overseer;

-- file: functions/job_rows.sql
-- Return the rows of other users, or of no user, that the running job works on, at most `max_rows`. The caller names the
-- columns, which are those of the job's branch. A job whose arguments name a row gets only that one. `due_on`: the day by
-- which a document expires.
--
-- Called by: the jobs named here, each as their first step; what they then change, they change in the isolation of the
-- user. Any other job gets an error.
-- SECURITY DEFINER: rows of other users are behind row level security, and the app role cannot read the addresses of
-- deleted accounts.
CREATE OR REPLACE FUNCTION app.job_rows(max_rows integer, due_on date DEFAULT NULL) RETURNS SETOF record
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  job record := app.running_task();
BEGIN
  CASE job.task
    WHEN 'angels:expire_needs' THEN  -- whose owners' needs have passed their last day
      RETURN QUERY SELECT DISTINCT n.user_id FROM needs n
                    WHERE n.status = 'open' AND n.expires_at <= app.now() LIMIT max_rows;
    WHEN 'auth:sync_emails' THEN  -- who asked to change their email address, and since when
      RETURN QUERY SELECT u.user_id, u.firebase_uid, u.email_change_asked_at FROM users u
                    WHERE u.email_change_asked_at IS NOT NULL AND u.status = 'active' LIMIT max_rows;
    WHEN 'billing:send_reminders' THEN  -- subscriptions with a failed payment, and the day of the last reminder of it
      RETURN QUERY SELECT s.user_id, s.id, s.past_due_since,
                          (SELECT max(n.day)::integer FROM plan_notices n WHERE n.user_id = s.user_id
                              AND n.subscription_id = s.id AND n.past_due_since = s.past_due_since)
                     FROM subscriptions s WHERE s.state = 'past_due' LIMIT max_rows;
    WHEN 'documents:process_expiry' THEN
      -- Approved documents that expire by `due_on`, with the last reminder of it, and whether the owner sent a later one of
      -- the same type and category.
      RETURN QUERY SELECT d.user_id, d.id, d.expires_on,
                          (SELECT min(r.days)::integer FROM document_reminders r
                            WHERE r.user_id = d.user_id AND r.document_id = d.id),
                          EXISTS (SELECT FROM documents o
                                   WHERE o.user_id = d.user_id AND o.id <> d.id AND o.type = d.type
                                     AND o.category = d.category AND o.status IN ('approved', 'pending')
                                     AND (o.expires_on IS NULL OR o.expires_on > d.expires_on))
                     FROM documents d WHERE d.status = 'approved' AND d.expires_on <= due_on
                    ORDER BY d.user_id LIMIT max_rows;
    WHEN 'listings:sync_profiles' THEN  -- users without a location
      RETURN QUERY SELECT p.user_id FROM profiles p LEFT JOIN user_locations l ON l.user_id = p.user_id
                    WHERE l.user_id IS NULL OR l.tile < 0 LIMIT max_rows;
    WHEN 'plans:apply_due_plans' THEN  -- users whose plan may have ended
      RETURN QUERY SELECT u.user_id FROM users u WHERE u.plan_check_at <= app.now()
                    ORDER BY u.plan_check_at LIMIT max_rows;
    WHEN 'profiles:send_account_deleted' THEN  -- the address and the name of the job's deleted account
      RETURN QUERY SELECT p.id, p.recipient, p.name FROM pending_account_emails p
                    WHERE p.id = (job.args ->> 'pending_email_id')::uuid;
    WHEN 'search:send_alerts' THEN
      -- Saved searches of active users with a verified address, those checked longest ago first, with what an email about
      -- new results needs. None while the flag "skillListing" is off: its results would lead to pages that are off.
      RETURN QUERY SELECT s.user_id, s.id, s.words, s.filters, s.seen_at, u.email, p.display_name, p.handle
                     FROM saved_searches s
                     JOIN users u ON u.user_id = s.user_id AND u.status = 'active' AND u.email_verified
                     JOIN profiles p ON p.user_id = s.user_id
                    WHERE coalesce((SELECT f.enabled FROM flag_settings f WHERE f.name = 'skillListing'), true)
                    ORDER BY s.seen_at LIMIT max_rows;
    ELSE
      RAISE insufficient_privilege USING MESSAGE = format('the job %s has no rows of others', job.task);
  END CASE;
END $$;
REVOKE ALL ON FUNCTION app.job_rows(integer, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.job_rows(integer, date) TO porchlight_app, porchlight_overseer;

-- file: functions/ledger_account.sql
-- Return the account of a kind and its owner; create it with its balance if it is missing. Accounts of the platform and
-- of the outside have no owner, those of gurus and customers a user, those of pairs a pair.
--
-- The id is a hash of kind and owner, so that finding an account is one read by key. The accounts of the platform
-- begin with ffffffff: they come last in the order of locks, after the accounts of users that a transaction already
-- holds.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_account(kind text, unit text, tenant_id uuid, user_id uuid, pair_id uuid)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  is_shared boolean := num_nonnulls(ledger_account.tenant_id, ledger_account.user_id, ledger_account.pair_id) = 0;
  key text := md5(concat_ws('/', ledger_account.kind, ledger_account.unit, 't' || ledger_account.tenant_id,
                            'u' || ledger_account.user_id, 'p' || ledger_account.pair_id));
  account uuid := CASE WHEN is_shared THEN 'ffffffff' || substr(key, 9) ELSE key END;
  found_kind ledger_kinds;
BEGIN
  IF EXISTS (SELECT FROM ledger_balances b WHERE b.account_id = account) THEN
    RETURN account;
  END IF;
  SELECT k.* INTO found_kind FROM ledger_kinds k WHERE k.kind = ledger_account.kind AND k.unit = ledger_account.unit;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('there is no kind %s in %s', ledger_account.kind, ledger_account.unit);
  END IF;
  IF (found_kind.holder IN ('external', 'platform')) <> is_shared
     OR (found_kind.holder = 'pair') <> (ledger_account.pair_id IS NOT NULL)
     OR ledger_account.tenant_id IS NOT NULL THEN
    RAISE check_violation USING
      MESSAGE = format('%s is a kind of accounts with another owner: %s', found_kind.kind, found_kind.holder);
  END IF;
  INSERT INTO ledger_accounts (id, kind, unit, tenant_id, user_id, pair_id)
  VALUES (account, found_kind.kind, found_kind.unit, ledger_account.tenant_id, ledger_account.user_id,
          ledger_account.pair_id)
  ON CONFLICT DO NOTHING;  -- of all its unique keys: a concurrent insert of the same account conflicts with each
  INSERT INTO ledger_balances (account_id, kind, unit, floor)
  VALUES (account, found_kind.kind, found_kind.unit, found_kind.floor) ON CONFLICT (account_id) DO NOTHING;
  RETURN account;
END $$;
REVOKE ALL ON FUNCTION app.ledger_account(text, text, uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_account(text, text, uuid, uuid, uuid) TO porchlight_overseer;

-- file: functions/ledger_hold.sql
-- Reserve an amount of an account for a subject. Return the id of the hold; the same hold again returns the first id.
-- Another hold for this subject, or one that has ended, raises ledger_conflict. More than what is available (down to
-- the floor, or zero where the kind has none) raises a check violation, ledger_hold_available.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_hold(id uuid, account_id uuid, amount bigint, subject_kind text, subject_id text,
                                           expires_at timestamptz)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  known ledger_holds;
BEGIN
  INSERT INTO ledger_holds (id, account_id, amount, subject_kind, subject_id, expires_at)
  VALUES (ledger_hold.id, ledger_hold.account_id, ledger_hold.amount, ledger_hold.subject_kind, ledger_hold.subject_id,
          ledger_hold.expires_at)
  ON CONFLICT (subject_kind, subject_id) DO NOTHING;
  IF NOT FOUND THEN
    SELECT h.* INTO known FROM ledger_holds h
     WHERE h.subject_kind = ledger_hold.subject_kind AND h.subject_id = ledger_hold.subject_id;
    IF (known.account_id, known.amount, known.state)
       IS DISTINCT FROM (ledger_hold.account_id, ledger_hold.amount, 'held') THEN
      RAISE unique_violation USING CONSTRAINT = 'ledger_conflict',
        MESSAGE = format('%s %s has another hold', ledger_hold.subject_kind, ledger_hold.subject_id);
    END IF;
    RETURN known.id;
  END IF;
  UPDATE ledger_balances b SET reserved = b.reserved + ledger_hold.amount
   WHERE b.account_id = ledger_hold.account_id
     AND b.credits - b.debits - b.reserved - ledger_hold.amount >= coalesce(b.floor, 0);
  IF NOT FOUND THEN
    RAISE check_violation USING CONSTRAINT = 'ledger_hold_available',
      MESSAGE = 'the account has less than this available';
  END IF;
  RETURN ledger_hold.id;
END $$;
REVOKE ALL ON FUNCTION app.ledger_hold(uuid, uuid, bigint, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_hold(uuid, uuid, bigint, text, text, timestamptz) TO porchlight_overseer;

-- file: functions/ledger_postings.sql
-- Return the postings of a batch in order, each with the digest that app.post gives it.
--
-- Called by: app.post_many.
CREATE OR REPLACE FUNCTION app.ledger_postings(postings jsonb)
RETURNS TABLE (number bigint, id uuid, event text, subject_kind text, subject_id text, debits uuid[], credits uuid[],
               amounts bigint[], stripe_object text, digest bytea)
LANGUAGE sql STABLE AS $$
  SELECT p.number, p.id, p.event, p.subject_kind, p.subject_id, p.debits, p.credits, p.amounts, p.stripe_object,
         sha256(convert_to(concat_ws('|', p.event, p.debits, p.credits, p.amounts, p.stripe_object), 'UTF8'))
    FROM ROWS FROM (jsonb_to_recordset(postings) AS (
      id uuid, event text, subject_kind text, subject_id text, debits uuid[], credits uuid[], amounts bigint[],
      stripe_object text)) WITH ORDINALITY
      p (id, event, subject_kind, subject_id, debits, credits, amounts, stripe_object, number);
$$;
REVOKE ALL ON FUNCTION app.ledger_postings(jsonb) FROM PUBLIC;

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

-- file: functions/limit_offers.sql
-- Mark the current user's offers and work photos that exceed the plan, the newest first: others do not see them until
-- they fit again. `limits` has the limits of each plan. The caller holds the lock of the plan.
--
-- Called by: porchlight.plans.
CREATE OR REPLACE FUNCTION app.limit_offers(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  own jsonb := limits -> app.plan_of(app.user_id());
BEGIN
  UPDATE skill_offers o SET over_limit = n.is_over, visible = n.is_public
    FROM (SELECT s.id, p.is_public AND p.shows_skills AND p.registered_at IS NOT NULL AS is_public,
                 row_number() OVER (PARTITION BY 'price' = ANY (s.terms) ORDER BY s.created_at, s.id)
                 > (own ->> CASE WHEN 'price' = ANY (s.terms) THEN 'priced_offers' ELSE 'exchange_offers' END)::integer
                 AS is_over
            FROM skill_offers s JOIN profiles p ON p.user_id = s.user_id WHERE s.user_id = app.user_id()) n
   WHERE o.user_id = app.user_id() AND o.id = n.id AND o.over_limit <> n.is_over;
  UPDATE listing_photos f SET over_limit = n.is_over
    FROM (SELECT l.offer_id, l.id,
                 row_number() OVER (ORDER BY l.created_at, l.id) > (own ->> 'work_photos')::integer AS is_over
            FROM listing_photos l WHERE l.user_id = app.user_id()) n
   WHERE f.user_id = app.user_id() AND f.offer_id = n.offer_id AND f.id = n.id AND f.over_limit <> n.is_over;
END $$;

-- file: functions/lock_billing.sql
-- Let other changes of the billing of a user wait until the transaction ends.
--
-- Called by: the functions and rules of billing, before they read what they decide on.
CREATE OR REPLACE FUNCTION app.lock_billing(wanted uuid) RETURNS void
LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('billing ' || wanted, 0))
$$;

-- file: functions/lock_plan.sql
-- Lock what the current user's plan limits until the end of the transaction, and return the plan.
--
-- Called by: porchlight.plans and onboarding.
CREATE OR REPLACE FUNCTION app.lock_plan() RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('plan ' || app.user_id(), 0));
  RETURN app.plan_of(app.user_id());
END $$;

-- file: functions/lock_swap_ring.sql
-- Lock a swap ring of the current user, who is `me`, until the transaction ends and return its state.
--
-- Called by: matches, before a member accepts or declines.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.lock_swap_ring(me uuid, wanted uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.state FROM swap_rings r
   WHERE r.id = wanted AND EXISTS (SELECT FROM swap_ring_members m WHERE m.ring_id = r.id AND m.user_id = me
                                           AND me = app.user_id())
     FOR UPDATE OF r
$$;
REVOKE ALL ON FUNCTION app.lock_swap_ring(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_swap_ring(uuid, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/lock_waiver_head.sql
-- Lock the end of a chain of waivers until the transaction ends, and return it. A new chain starts with number 0 and a
-- hash of zeros. The caller signs the next link and passes it to app.append_waiver.
--
-- Called by: waivers.
-- SECURITY DEFINER: the app role has no access to waiver_heads.
CREATE OR REPLACE FUNCTION app.lock_waiver_head(chain text, OUT number bigint, OUT hash text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF app.user_id() IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'only a signed-in user can accept a waiver';
  END IF;
  INSERT INTO waiver_heads (chain_id) VALUES (chain) ON CONFLICT DO NOTHING;
  SELECT h.number, h.hash INTO lock_waiver_head.number, lock_waiver_head.hash
    FROM waiver_heads h WHERE h.chain_id = chain FOR UPDATE;
END $$;
REVOKE ALL ON FUNCTION app.lock_waiver_head(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_waiver_head(text) TO porchlight_app, porchlight_overseer;

-- file: functions/lookup_phrase.sql
-- Return the phrase of a search text and what related it to other phrases.
-- Creates the phrase unless `max_waiting` phrases already wait for the embeddings job, or `max_searched` phrases of
-- searches are stored; then the search uses spelling alone. Maintenance deletes a phrase that was not searched for within a week.
--
-- Called by: search, for each search and each alert.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.lookup_phrase(search_text text, max_waiting integer, max_searched integer)
RETURNS TABLE (phrase_id integer, related_by text)
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
  ELSIF (SELECT count(*) FROM (SELECT FROM phrases p WHERE p.related_by IS NULL LIMIT max_waiting) waiting) < max_waiting
     AND (SELECT count(*) FROM (SELECT FROM phrases p WHERE NOT p.in_use LIMIT max_searched) searched) < max_searched THEN
    RETURN QUERY SELECT app.get_or_create_phrase(search_text, false), NULL::text;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.lookup_phrase(text, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lookup_phrase(text, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/miles.sql
-- Return the distance between two coordinates in whole miles, at least 1.
--
-- Called by: the functions about angels and needs, and their emails.
CREATE OR REPLACE FUNCTION app.miles(a double precision, b double precision, c double precision, d double precision)
RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN greatest(1, round(7917.5 * asin(least(1, sqrt(
  sin(radians(c - a) / 2) ^ 2 + cos(radians(a)) * cos(radians(c)) * sin(radians(d - b) / 2) ^ 2))))::integer);

-- file: functions/nearest_phrases.sql
-- Return the phrases in use that are nearest to a text: some by meaning and `most` by spelling, with the cosine of
-- the embeddings, the share of common trigrams (at least `min_spelling`), and the words. Without a vector, by spelling
-- only, and the cosine is NULL.
--
-- The vector is a literal of pgvector. A subquery casts it, so that this is done once and not per row.
--
-- By meaning, 40 are read: the index of vectors finds no more, and is only used with a limit that the planner knows.
--
-- Called by: embeddings, in the job embeddings:relate_phrases, and app.similar_to_search.
-- SECURITY INVOKER: the app role may not call it, and cannot read phrases.
CREATE OR REPLACE FUNCTION app.nearest_phrases(query_words text, query_vector text, most integer,
                                               min_spelling double precision)
RETURNS TABLE (other_id integer, cosine double precision, spelling real, words text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', min_spelling::text, true);
  IF query_vector IS NULL THEN
    RETURN QUERY
    SELECT p.id, NULL::double precision, similarity(p.words, query_words), p.words FROM phrases p
     WHERE p.words % query_words AND p.in_use ORDER BY 3 DESC LIMIT most;
  ELSE
    RETURN QUERY
    SELECT n.phrase_id, 1 - n.distance, similarity(p.words, query_words), p.words
      FROM (SELECT v.phrase_id, v.embedding <=> (SELECT query_vector::vector) AS distance FROM phrase_vectors v
             ORDER BY distance LIMIT 40) n
      JOIN phrases p ON p.id = n.phrase_id
     UNION
    SELECT p.id, 1 - (v.embedding <=> (SELECT query_vector::vector)), similarity(p.words, query_words), p.words
      FROM (SELECT s.id, s.words FROM phrases s WHERE s.words % query_words AND s.in_use
             ORDER BY similarity(s.words, query_words) DESC LIMIT most) p
      JOIN phrase_vectors v ON v.phrase_id = p.id;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.nearest_phrases(text, text, integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.nearest_phrases(text, text, integer, double precision) TO porchlight_overseer;

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

-- file: functions/next_calendar_version.sql
-- Lock the calendar of the transaction's tenant and give it a new version, because its bookings change. With `expected`,
-- only if that is its version; return whether it is.
--
-- Called by: app.apply_bookings.
CREATE OR REPLACE FUNCTION app.next_calendar_version(expected bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE calendars SET version = version + 1
   WHERE tenant_id = app.tenant_id() AND (expected IS NULL OR version = expected);
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION app.next_calendar_version(bigint) FROM PUBLIC;

-- file: functions/normalize_text.sql
-- Return a text in the form in which phrases are compared: lowercase, without accents, single spaces, 120 characters.
--
-- Called by: app.get_or_create_phrase, app.lookup_phrase, app.search, listings and admin.
CREATE OR REPLACE FUNCTION app.normalize_text(input text) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT left(btrim(regexp_replace(lower(unaccent(input)), '[[:space:]]+', ' ', 'g')), 120)
$$;

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

-- file: functions/occupies_seats.sql
-- Return whether a booking with this status occupies its seats.
--
-- Called by: the trigger that counts the occupied seats of an appointment.
CREATE OR REPLACE FUNCTION app.occupies_seats(status text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN status IN ('held', 'requested', 'confirmed', 'completed', 'missed');

-- file: functions/offers_of.sql
-- Return the first `most` open offers on the current user's own need, with the public fields of the angels who made them;
-- NULL for all.
--
-- Called by: angels, for the page of a need and when an offer is accepted.
-- SECURITY DEFINER: offers of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.offers_of(need uuid, most integer) RETURNS TABLE (id uuid, user_id uuid, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, o.user_id, jsonb_build_object(
           'id', o.id, 'price_cents', o.price_cents, 'message', o.message, 'created_at', o.created_at,
           'accepted', o.id IS NOT DISTINCT FROM n.accepted_offer_id, 'angel', (SELECT s.card FROM shown_people s WHERE s.user_id = o.user_id),
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

-- file: functions/open_money.sql
-- Return what of the current user's money is open, so that the account cannot be deleted yet, or NULL: `payment` (a charge
-- for a change of the plan, or a refund), `payout`, `dispute`, `debt`, `balance`. No payout or change of the plan starts
-- before the transaction ends.
--
-- Called by: account, before it is deleted.
-- SECURITY DEFINER: the app role cannot read stripe_outbox and the ledger.
CREATE OR REPLACE FUNCTION app.open_money() RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  lowest bigint;
  highest bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts', 0));  -- as app.payout_facts
  PERFORM app.lock_billing(app.user_id());
  SELECT min(b.credits - b.debits), max(b.credits - b.debits) INTO lowest, highest
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
   WHERE a.user_id = app.user_id() AND a.kind IN ('guru_held', 'guru_payable', 'guru_stripe');
  RETURN CASE
    WHEN EXISTS (SELECT FROM plan_changes c WHERE c.user_id = app.user_id() AND c.state = 'requested')
      OR EXISTS (SELECT FROM plan_invoices i
                  JOIN stripe_outbox o ON o.kind = 'plan_refund' AND o.subject_id = i.id
                 WHERE i.user_id = app.user_id() AND o.state IN ('ready', 'sent', 'unknown')) THEN 'payment'
    WHEN EXISTS (SELECT FROM payouts p WHERE p.user_id = app.user_id()
                    AND p.state IN ('requested', 'sent', 'in_transit')) THEN 'payout'
    WHEN EXISTS (SELECT FROM plan_disputes d WHERE d.user_id = app.user_id()
                    AND d.state IN ('inquiry', 'open', 'under_review')) THEN 'dispute'
    WHEN lowest < 0 THEN 'debt'
    WHEN highest > 0 THEN 'balance' END;
END $$;
REVOKE ALL ON FUNCTION app.open_money() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_money() TO porchlight_app, porchlight_overseer;

-- file: functions/open_needs.sql
-- Return one page of the open needs of others that the current user may see, newest first. `only_matching` keeps those
-- that match the user's own angel services.
--
-- Called by: angels, for the list of needs. A view reads all needs before it sorts them; this reads one page.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.open_needs(service text, only_matching boolean, before uuid, max_rows integer)
RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT n.id FROM needs n
    LEFT JOIN angels a ON a.user_id = app.user_id() AND a.service_id = n.service_id AND a.active
   WHERE n.status = 'open' AND n.expires_at > app.now() AND n.user_id <> app.user_id()
     AND (n.asked_user_id IS NULL OR n.asked_user_id = app.user_id())
     AND (service = '' OR n.service_id = service) AND (before IS NULL OR n.id < before)
     AND (NOT only_matching OR n.asked_user_id = app.user_id()
          OR app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles)
   ORDER BY n.id DESC LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.open_needs(text, boolean, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_needs(text, boolean, uuid, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/own_billing_customer.sql
-- Return the id of the current user as Stripe's customer, or NULL while it is being created there, which the first call
-- starts. A write that ended without a customer is repeated with a new subject.
--
-- Called by: billing, app.start_plan_checkout.
-- SECURITY DEFINER: the app role may not create writes.
CREATE OR REPLACE FUNCTION app.own_billing_customer() RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  c billing_customers;
  last_state text;
BEGIN
  PERFORM app.lock_billing(app.user_id());
  SELECT b.* INTO c FROM billing_customers b WHERE b.user_id = app.user_id();
  IF c.customer_id IS NOT NULL THEN
    RETURN c.customer_id;
  END IF;
  IF c.user_id IS NULL THEN
    INSERT INTO billing_customers (user_id) VALUES (app.user_id()) RETURNING * INTO c;
  END IF;
  SELECT o.state INTO last_state FROM stripe_outbox o
   WHERE o.kind = 'billing_customer' AND o.subject_id = c.request_id ORDER BY o.attempt DESC LIMIT 1;
  IF last_state IS NULL OR last_state IN ('refused', 'absent') THEN
    PERFORM app.create_stripe_write('billing_customer', c.request_id, '', 'POST', '/v1/customers',
      jsonb_build_object('email', u.email, 'metadata', jsonb_build_object('user_id', u.user_id)))
      FROM users u WHERE u.user_id = app.user_id();
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.own_billing_customer() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_billing_customer() TO porchlight_app, porchlight_overseer;

-- file: functions/own_guru.sql
-- Return the guru that the current user owns.
--
-- Called by: onboarding and porchlight.plans.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.own_guru() RETURNS TABLE (tenant_id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = app.user_id()
$$;
REVOKE ALL ON FUNCTION app.own_guru() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_guru() TO porchlight_app, porchlight_overseer;

-- file: functions/own_ledger_lines.sql
-- Return the newest lines of the current user's account of a kind: only those with a lower `seq` than `before`, if that is
-- given. `amount` is negative for debits; `counterpart` is the kind on the other side. The numbers of an account have no
-- gaps: its oldest line has seq 1.
--
-- Called by: console.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_ledger_lines(kind text, before bigint, max_lines integer)
RETURNS TABLE (seq bigint, at timestamptz, event text, subject_kind text, subject_id text, counterpart text,
               amount bigint, balance_after bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  account uuid;
  below bigint := coalesce(own_ledger_lines.before, 9223372036854775807);
BEGIN
  SELECT a.id INTO account FROM ledger_accounts a
   WHERE a.user_id = app.user_id() AND a.kind = own_ledger_lines.kind;
  RETURN QUERY
    SELECT l.seq, t.at, t.event, t.subject_kind, t.subject_id, l.counterpart, l.amount, l.balance_after
      FROM ((SELECT d.debit_seq, d.credit_kind, -d.amount, d.debit_balance_after, d.transaction_id
               FROM ledger_transfers d WHERE d.debit_account = account AND d.debit_seq < below
              ORDER BY d.debit_seq DESC LIMIT max_lines)
            UNION ALL
            (SELECT c.credit_seq, c.debit_kind, c.amount, c.credit_balance_after, c.transaction_id
               FROM ledger_transfers c WHERE c.credit_account = account AND c.credit_seq < below
              ORDER BY c.credit_seq DESC LIMIT max_lines)) l (seq, counterpart, amount, balance_after, transaction_id)
      JOIN ledger_transactions t ON t.id = l.transaction_id
     ORDER BY l.seq DESC LIMIT max_lines;
END $$;
REVOKE ALL ON FUNCTION app.own_ledger_lines(text, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_ledger_lines(text, bigint, integer) TO porchlight_app;

-- file: functions/own_skill_matches.sql
-- Return the best matches of the current user: people who teach what the user wants, or want what the user teaches.
--
-- The score is 0 to 100. The best skill is worth `best_weight` of it and all others together the rest, which they fill
-- by `others_rate`; a skill that they want counts `learner_weight` beside one that they teach. Distance reduces the
-- score by up to `distance_weight`, which is reached at `far_km`.
--
-- Candidates are read in blocks (one phrase in one ring of grid cells), in the order of the best possible score, until
-- `max_candidates` (`max_per_block` in each); then the most likely people are scored in full, `spare_likely` and then
-- `spare_ranked` more than are returned. A ring reaches `ring_cells` cells, and NULL the end of the near tiles; its
-- `ring_nearness` is the best of its cells. From outside the near tiles it takes `max_online` people per skill who teach
-- online.
--
-- `teaches` and `learns` are the reasons: for each skill of the user, their skill that fits it best, from `min_reason`
-- on. A similar skill beside it (crochet, for someone who wants to knit) is no reason.
--
-- Called by: matches, with the numbers of its rules.
-- SECURITY DEFINER: it reads the listings and wishes of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.own_skill_matches(
  max_results integer, min_score real, best_weight double precision, others_rate double precision,
  learner_weight double precision, distance_weight double precision, far_km double precision, ring_cells integer[],
  ring_nearness double precision[], max_per_block integer, max_online integer, max_candidates integer,
  spare_likely integer, spare_ranked integer, min_reason double precision)
RETURNS TABLE (user_id uuid, handle text, name text, photo_id uuid, photo_url text, city text, km real, score real,
               teaches jsonb, learns jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me uuid := app.user_id();
  here record;
  tiles integer[];
BEGIN
  SELECT h.tile, h.cell_lat::integer AS lat, h.cell_lon::integer AS lon INTO here FROM user_locations h
   WHERE h.user_id = me;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  tiles := ARRAY(SELECT t.near_tile FROM app.tiles_around(here.tile) t WHERE here.tile >= 0 ORDER BY t.steps);
  RETURN QUERY
  WITH wanted_phrases AS MATERIALIZED (
    SELECT r.other_id AS phrase_id, max(r.probability) AS probability
      FROM skill_wants w JOIN phrase_relations r ON r.phrase_id = w.phrase_id WHERE w.user_id = me GROUP BY 1
  ), offered_phrases AS MATERIALIZED (
    SELECT r.phrase_id, max(r.probability) AS probability
      FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id WHERE o.user_id = me GROUP BY 1
  ), own_phrases AS (
    SELECT true AS taught, a.phrase_id, a.probability AS value FROM wanted_phrases a
     UNION ALL SELECT false, g.phrase_id, learner_weight * g.probability FROM offered_phrases g
  ), rings AS (
    SELECT x.inner_cells, x.nearness,
           CASE WHEN x.cells IS NULL THEN tiles ELSE ARRAY(
             SELECT DISTINCT app.tile_of(a, b) FROM unnest(ARRAY[here.lat - x.cells, here.lat + x.cells]) a,
                    unnest(ARRAY[here.lon - x.cells, here.lon + x.cells]) b) END AS ring_tiles,
           coalesce(here.lat - x.cells, -1) AS south, coalesce(here.lat + x.cells, 32767) AS north,
           coalesce(here.lon - x.cells, -1) AS west, coalesce(here.lon + x.cells, 32767) AS east
      FROM (SELECT r.cells, r.nearness, lag(r.cells, 1, -1) OVER (ORDER BY r.place) AS inner_cells
              FROM unnest(ring_cells, ring_nearness) WITH ORDINALITY r (cells, nearness, place)) x
     WHERE here.tile >= 0
  ), blocks AS MATERIALIZED (
    SELECT s.*, r.*, false AS far, s.value * (1 - distance_weight * (1 - r.nearness)) AS bound FROM own_phrases s, rings r
     UNION ALL
    SELECT s.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, s.value * (1 - distance_weight)
      FROM own_phrases s WHERE s.taught
     ORDER BY bound DESC, taught DESC, phrase_id
  ), candidates AS MATERIALIZED (
    SELECT f.user_id, f.cell_lat, f.cell_lon, b.value FROM blocks b CROSS JOIN LATERAL (
      (SELECT o.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
          WHERE o.visible AND o.phrase_id = b.phrase_id AND o.tile = t.tile
            AND o.cell_lat BETWEEN b.south AND b.north AND o.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(o.cell_lat - here.lat), abs(o.cell_lon - here.lon)) > b.inner_cells
          LIMIT max_per_block) o
        WHERE b.taught AND NOT b.far LIMIT max_per_block)
      UNION ALL
      (SELECT w.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT w.user_id, w.cell_lat, w.cell_lon FROM skill_wants w
          WHERE w.visible AND w.phrase_id = b.phrase_id AND w.tile = t.tile
            AND w.cell_lat BETWEEN b.south AND b.north AND w.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(w.cell_lat - here.lat), abs(w.cell_lon - here.lon)) > b.inner_cells
          LIMIT max_per_block) w
        WHERE NOT b.taught LIMIT max_per_block)
      UNION ALL
      (SELECT o.* FROM app.tiles_beyond(here.tile, NULL) gap CROSS JOIN LATERAL (
           SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.visible AND 'online' = ANY (o.formats) AND o.phrase_id = b.phrase_id
              AND o.tile > gap.above AND o.tile < gap.below LIMIT max_online) o
        WHERE b.far LIMIT max_online)) f
     LIMIT max_candidates
  ), likely AS MATERIALIZED (
    SELECT k.user_id, k.km, k.best, k.total FROM (
      SELECT h.user_id, max(h.value) AS best, sum(h.value) AS total,
             CASE WHEN min(h.cell_lat) >= 0 AND here.lat >= 0
                  THEN app.cell_km(min(h.cell_lat), min(h.cell_lon), here.lat::smallint, here.lon::smallint) END AS km
        FROM candidates h WHERE h.user_id <> me GROUP BY 1) k
     ORDER BY (best_weight * k.best + (1 - best_weight) * (1 - exp(-others_rate * (k.total - k.best))))
              * (1 - distance_weight * least(1, coalesce(k.km / far_km, 1))) DESC, k.user_id
     LIMIT max_results + spare_likely
  ), ranked AS (
    SELECT k.user_id, k.km,
           100 * (best_weight * k.best + (1 - best_weight) * (1 - exp(-others_rate * (k.total - k.best))))
               * (1 - distance_weight * least(1, coalesce(k.km / far_km, 1))) AS score
      FROM (SELECT l.user_id, l.km, max(v.value) AS best, sum(v.value) AS total FROM likely l CROSS JOIN LATERAL (
              SELECT a.probability AS value FROM skill_offers o JOIN wanted_phrases a ON a.phrase_id = o.phrase_id
               WHERE o.user_id = l.user_id AND o.visible AND (o.tile = ANY (tiles) OR 'online' = ANY (o.formats))
               UNION ALL
              SELECT learner_weight * g.probability
                FROM skill_wants w JOIN offered_phrases g ON g.phrase_id = w.phrase_id
               WHERE w.user_id = l.user_id AND w.visible AND w.tile = ANY (tiles)) v GROUP BY 1, 2) k
     ORDER BY 3 DESC, 1 LIMIT max_results + spare_ranked
  )
  SELECT r.user_id, p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN v.city ELSE '' END, r.km::real, round(r.score::numeric, 1)::real,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', t.title, 'fit', t.fit) ORDER BY t.fit DESC, t.title), '[]')
            FROM (SELECT best.title, max(best.fit) AS fit FROM (
                    SELECT DISTINCT ON (w.id) o.title, n.probability AS fit
                      FROM skill_wants w
                      JOIN phrase_relations n ON n.phrase_id = w.phrase_id AND n.probability >= min_reason
                      JOIN skill_offers o ON o.phrase_id = n.other_id AND o.user_id = r.user_id AND o.visible
                     WHERE w.user_id = me ORDER BY w.id, n.probability DESC, o.title) best GROUP BY 1) t),
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', t.title, 'fit', t.fit) ORDER BY t.fit DESC, t.title), '[]')
            FROM (SELECT best.title, max(best.fit) AS fit FROM (
                    SELECT DISTINCT ON (o.id) w.title, n.probability AS fit
                      FROM skill_offers o
                      JOIN phrase_relations n ON n.other_id = o.phrase_id AND n.probability >= min_reason
                      JOIN skill_wants w ON w.phrase_id = n.phrase_id AND w.user_id = r.user_id AND w.visible
                     WHERE o.user_id = me ORDER BY o.id, n.probability DESC, w.title) best GROUP BY 1) t)
    FROM ranked r JOIN profiles p ON p.user_id = r.user_id JOIN users u ON u.user_id = r.user_id
    LEFT JOIN user_locations v ON v.user_id = r.user_id
   WHERE u.status = 'active' AND round(r.score::numeric, 1) >= round(min_score::numeric, 1)
   ORDER BY r.score DESC, r.user_id LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.own_skill_matches(integer, real, double precision, double precision, double precision,
  double precision, double precision, integer[], double precision[], integer, integer, integer, integer, integer,
  double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_skill_matches(integer, real, double precision, double precision, double precision,
  double precision, double precision, integer[], double precision[], integer, integer, integer, integer, integer,
  double precision) TO porchlight_app;

-- file: functions/own_skills_to_offer.sql
-- Return the skills that the current user could add, by how many near people want them and are no match yet. The newest
-- `max_wants` are counted, those of the nearest tiles first. A skill serves a want from `min_probability` on; the
-- `max_likely` that serve most wants are counted exactly. It only returns skills that some user names in a profile.
--
-- Called by: matches.
-- SECURITY DEFINER: it reads the wishes of all users and returns only numbers.
CREATE OR REPLACE FUNCTION app.own_skills_to_offer(
  max_results integer, max_wants integer, min_probability double precision, max_likely integer)
RETURNS TABLE (skill text, people bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me uuid := app.user_id();
BEGIN
  RETURN QUERY
  WITH near_tiles AS MATERIALIZED (
    SELECT t.near_tile, t.steps FROM user_locations h CROSS JOIN app.tiles_around(h.tile) t
     WHERE h.user_id = me AND h.tile >= 0
  ), near_wants AS MATERIALIZED (
    SELECT n.user_id, n.phrase_id FROM near_tiles t CROSS JOIN LATERAL (
      SELECT w.user_id, w.phrase_id FROM skill_wants w WHERE w.visible AND w.tile = t.near_tile
       ORDER BY w.id DESC LIMIT max_wants) n
     ORDER BY t.steps LIMIT max_wants
  ), unserved_wants AS MATERIALIZED (
    SELECT n.user_id, n.phrase_id FROM near_wants n
     WHERE n.user_id <> me
       AND n.phrase_id NOT IN (SELECT r.phrase_id FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id
                                WHERE o.user_id = me AND r.probability >= min_probability)
  ), served AS MATERIALIZED (
    SELECT r.other_id, sum(d.people * r.probability) AS served
      FROM (SELECT n.phrase_id, count(*) AS people FROM unserved_wants n GROUP BY 1) d
      JOIN phrase_relations r ON r.phrase_id = d.phrase_id
     WHERE r.probability >= min_probability GROUP BY 1
  ), likely AS MATERIALIZED (
    -- Scalar subqueries read one row each; EXISTS would become a list of the phrases of all users.
    SELECT s.other_id, s.served FROM served s
     WHERE coalesce((SELECT true FROM skill_wants w WHERE w.phrase_id = s.other_id AND w.visible LIMIT 1),
                    (SELECT true FROM skill_offers o WHERE o.phrase_id = s.other_id AND o.visible LIMIT 1), false)
     ORDER BY 2 DESC, 1 LIMIT max_likely
  ), counted AS (
    SELECT l.other_id, l.served, count(DISTINCT n.user_id) AS people
      FROM likely l JOIN phrase_relations r ON r.other_id = l.other_id AND r.probability >= min_probability
      JOIN unserved_wants n ON n.phrase_id = r.phrase_id
     WHERE l.other_id NOT IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me)
     GROUP BY 1, 2
  )
  SELECT coalesce((SELECT o.title FROM skill_offers o WHERE o.phrase_id = c.other_id AND o.visible LIMIT 1),
                  (SELECT w.title FROM skill_wants w WHERE w.phrase_id = c.other_id AND w.visible LIMIT 1), p.words),
         c.people
    FROM counted c JOIN phrases p ON p.id = c.other_id
   ORDER BY c.people DESC, c.served DESC, 1 LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.own_skills_to_offer(integer, integer, double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_skills_to_offer(integer, integer, double precision, integer) TO porchlight_app;

-- file: functions/own_swap_rings.sql
-- Return the newest open and agreed swap rings of the current user, at most `most`, with the other two members.
--
-- Called by: matches.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.own_swap_rings(most integer)
RETURNS TABLE (id uuid, state text, availability_bits integer, created_at timestamptz, members jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.id, r.state, r.availability_bits, r.created_at,
         (SELECT jsonb_agg(jsonb_build_object('handle', s.handle, 'name', coalesce(s.shown_name, 'A neighbor'),
                                              'teaches', o.teaches, 'answer', o.answer, 'you', o.user_id = m.user_id)
                           ORDER BY o.place)
            FROM swap_ring_members o LEFT JOIN shown_people s ON s.user_id = o.user_id WHERE o.ring_id = r.id)
    FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id
   WHERE m.user_id = app.user_id() AND r.state IN ('proposed', 'agreed') AND m.answer IS DISTINCT FROM 'declined'
     AND (SELECT count(*) FROM swap_ring_members o WHERE o.ring_id = r.id) = 3
   ORDER BY r.created_at DESC LIMIT most
$$;
REVOKE ALL ON FUNCTION app.own_swap_rings(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_swap_rings(integer) TO porchlight_app;

-- file: functions/payout_facts.sql
-- Return the facts on which an instant payout of the current user is decided, all at one moment. With `locked`, no other
-- payout can be requested until the transaction ends, and the facts are those after the lock. `day_start`: the first
-- instant of the day, since which instant payouts count: `own_` of the user, `all_cents` of all.
--
-- `ledger_cents`: what the books have for a payout, without what is reserved. `stripe_cents`: the balance of the account
-- at Stripe by the books, below zero after a dispute. `is_open`: whether a payout waits for Stripe.
--
-- Called by: payouts.
-- SECURITY DEFINER: the ledger, and the sum of the payouts of all users. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.payout_facts(day_start timestamptz, locked boolean,
  OUT account_id text, OUT is_complete boolean, OUT is_enabled boolean, OUT destinations text[],
  OUT destinations_changed_at timestamptz, OUT held bigint, OUT debt bigint, OUT stripe_cents bigint,
  OUT ledger_cents bigint, OUT is_open boolean, OUT own_count bigint, OUT own_cents bigint, OUT all_cents bigint,
  OUT first_sale_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  owner uuid := app.user_id();
BEGIN
  IF locked THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('payouts', 0));
  END IF;
  SELECT a.account_id, a.details_submitted, a.payouts_enabled, a.destinations, a.destinations_changed_at
    INTO account_id, is_complete, is_enabled, destinations, destinations_changed_at
    FROM payout_accounts a WHERE a.user_id = owner AND a.connected;
  SELECT coalesce(sum(b.credits - b.debits) FILTER (WHERE a.kind = 'guru_held'), 0),
         greatest(coalesce(sum(b.debits - b.credits) FILTER (WHERE a.kind = 'guru_payable'), 0), 0),
         coalesce(sum(b.credits - b.debits) FILTER (WHERE a.kind = 'guru_stripe'), 0),
         coalesce(sum(b.credits - b.debits - b.reserved) FILTER (WHERE a.kind = 'guru_stripe'), 0)
    INTO held, debt, stripe_cents, ledger_cents
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id WHERE a.user_id = owner;
  SELECT count(*) FILTER (WHERE p.user_id = owner), coalesce(sum(p.amount) FILTER (WHERE p.user_id = owner), 0),
         coalesce(sum(p.amount), 0)
    INTO own_count, own_cents, all_cents
    FROM payouts p
   WHERE p.method = 'instant' AND NOT p.automatic AND p.created_at >= day_start AND p.state NOT IN ('failed', 'canceled');
  is_open := EXISTS (SELECT FROM payouts p WHERE p.account_id = payout_facts.account_id AND NOT p.automatic
                        AND p.state IN ('requested', 'sent'));
  SELECT t.at INTO first_sale_at
    FROM ledger_accounts a JOIN ledger_transfers l ON l.credit_account = a.id
    JOIN ledger_transactions t ON t.id = l.transaction_id
   WHERE a.user_id = owner AND a.kind IN ('guru_held', 'guru_payable') AND t.event <> 'test_earnings'
   ORDER BY t.at LIMIT 1;
END $$;
REVOKE ALL ON FUNCTION app.payout_facts(timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.payout_facts(timestamptz, boolean) TO porchlight_app;

-- file: functions/photo.sql
-- Return a profile photo or a photo of the guru setup by its id: for others only while the account is active, the
-- profile is public, and no site of the guru is suspended.
--
-- Called by: profiles, for each photo.
-- SECURITY DEFINER: a photo is public to everyone who has its id, and its row is behind row level security.
CREATE OR REPLACE FUNCTION app.photo(wanted uuid) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.body FROM profile_photos f JOIN users u ON u.user_id = f.user_id JOIN profiles p ON p.user_id = f.user_id
   WHERE f.id = wanted AND u.status = 'active' AND (p.is_public OR f.user_id = app.user_id())
  UNION ALL
  SELECT f.body FROM onboarding_photos f JOIN users u ON u.user_id = f.user_id
   WHERE f.id = wanted AND u.status = 'active' AND (f.user_id = app.user_id() OR NOT EXISTS (
           SELECT FROM memberships m JOIN gurus g ON g.id = m.tenant_id
            WHERE m.user_id = f.user_id AND g.status = 'suspended'))
$$;
REVOKE ALL ON FUNCTION app.photo(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.photo(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/plan_of.sql
-- Return a user's plan: the best paid one, or community.
--
-- Called by: porchlight.plans and listings, app.lock_plan, app.limit_offers and app.tenant_plan.
-- SECURITY INVOKER: to a request, app.plan_rights shows the plans of the current user only.
CREATE OR REPLACE FUNCTION app.plan_of(wanted uuid) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT r.plan FROM app.plan_rights(wanted) r LIMIT 1), 'community')
$$;
REVOKE ALL ON FUNCTION app.plan_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_of(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/plan_rights.sql
-- Return the paid plans that a user has now, the best first, each until when and from where (grant or subscription).
-- `until` is NULL for a subscription that renews. Another one keeps its plan for the days of grace that
-- porchlight.plans.subscriptions gave it.
--
-- Called by: billing, porchlight.plans and app.plan_of.
-- SECURITY INVOKER: row level security shows a request the plans of the current user only.
CREATE OR REPLACE FUNCTION app.plan_rights(wanted uuid) RETURNS TABLE (plan text, until timestamptz, source text)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT r.plan, r.until, r.source FROM (
    SELECT g.plan, g.until, 'grant' AS source FROM plan_grants g WHERE g.user_id = wanted
     UNION ALL
    SELECT s.plan, s.right_until, 'subscription' FROM subscriptions s
     WHERE s.user_id = wanted AND (s.state = 'active' OR s.right_until IS NOT NULL)) r
   WHERE r.until IS NULL OR r.until > app.now()
   ORDER BY r.plan = 'premium-angel' DESC, r.until DESC NULLS FIRST
$$;
REVOKE ALL ON FUNCTION app.plan_rights(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_rights(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/porch_lights.sql
-- Return the porch lights that are on, the newest first: of neighbors by handle and gurus by label (both empty: of all),
-- and in a box of south, west, north and east in degrees (NULL: everywhere). A place that its owner hides is in no box.
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
      SELECT l.expires_at, CASE WHEN s.place THEN l.city ELSE '' END, CASE WHEN s.place THEN l.latitude END,
             CASE WHEN s.place THEN l.longitude END, c.card
        FROM porch_lights l CROSS JOIN LATERAL (SELECT app.shows_light_place(l) AS place OFFSET 0) s
       CROSS JOIN LATERAL (SELECT app.helper_card(l.user_id) AS card OFFSET 0) c
       WHERE l.expires_at > app.now() AND c.card IS NOT NULL
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4] AND s.place)
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  ELSE
    RETURN QUERY
      SELECT l.expires_at, CASE WHEN s.place THEN l.city ELSE '' END, CASE WHEN s.place THEN l.latitude END,
             CASE WHEN s.place THEN l.longitude END, c.card
        FROM (SELECT p.user_id FROM profiles p WHERE p.handle = ANY (handles) AND p.is_public
               UNION
              SELECT m.user_id FROM gurus g JOIN memberships m ON m.tenant_id = g.id WHERE g.label = ANY (labels)) w
        JOIN porch_lights l ON l.user_id = w.user_id
       CROSS JOIN LATERAL (SELECT app.shows_light_place(l) AS place OFFSET 0) s
       CROSS JOIN LATERAL (SELECT app.helper_card(l.user_id) AS card OFFSET 0) c
       WHERE l.expires_at > app.now() AND c.card IS NOT NULL
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4] AND s.place)
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) TO porchlight_app,
    porchlight_overseer;

-- file: functions/post.sql
-- Post an event of a subject: for each leg, move an amount from the debited to the credited account. Return the id of
-- the transaction. Posting the same again returns the first id; anything else for this subject and event raises
-- ledger_conflict. Balances below the floor, mixed units and pairs of kinds without a rule are refused by constraints.
--
-- Balance rows are locked in the order of their account ids, in which the platform's accounts come last. Legs are posted
-- in the given order, so that a leg can spend what an earlier one brought.
--
-- Called by: money.posting, app.request_adjustment, app.decide_adjustment and app.post_many.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.post(id uuid, event text, subject_kind text, subject_id text, debits uuid[],
                                    credits uuid[], amounts bigint[], stripe_object text DEFAULT '',
                                    reverses uuid DEFAULT NULL)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  content bytea := sha256(convert_to(concat_ws('|', post.event, post.debits, post.credits, post.amounts,
                                               post.stripe_object, post.reverses), 'UTF8'));
  known ledger_transactions;
  cents bigint;  -- or minutes
  debited ledger_balances;
  credited ledger_balances;
BEGIN
  IF (cardinality(post.debits) > 0 AND cardinality(post.debits) = cardinality(post.credits)
      AND cardinality(post.debits) = cardinality(post.amounts) AND 0 < ALL (post.amounts)) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING MESSAGE = 'a posting has one or more legs, each with an amount above 0';
  END IF;
  INSERT INTO ledger_transactions (id, event, subject_kind, subject_id, stripe_object, digest, reverses)
  VALUES (post.id, post.event, post.subject_kind, post.subject_id, post.stripe_object, content, post.reverses)
  ON CONFLICT DO NOTHING;  -- of all its unique keys: a concurrent reversal conflicts with its subject and its original
  IF NOT FOUND THEN
    SELECT t.* INTO known FROM ledger_transactions t
     WHERE t.subject_kind = post.subject_kind AND t.subject_id = post.subject_id AND t.event = post.event;
    IF known.digest IS DISTINCT FROM content THEN
      RAISE unique_violation USING CONSTRAINT = 'ledger_conflict',
        MESSAGE = format('%s of %s %s was posted otherwise', post.event, post.subject_kind, post.subject_id);
    END IF;
    RETURN known.id;
  END IF;

  PERFORM FROM ledger_balances b WHERE b.account_id = ANY (post.debits || post.credits)
    ORDER BY b.account_id FOR NO KEY UPDATE;
  FOR leg IN 1 .. cardinality(post.debits) LOOP
    cents := post.amounts[leg];
    UPDATE ledger_balances b SET debits = b.debits + cents, seq = b.seq + 1
     WHERE b.account_id = post.debits[leg] RETURNING b.* INTO debited;
    UPDATE ledger_balances b SET credits = b.credits + cents, seq = b.seq + 1
     WHERE b.account_id = post.credits[leg] RETURNING b.* INTO credited;
    INSERT INTO ledger_transfers (transaction_id, n, event, unit, amount, debit_account, debit_kind, debit_seq,
      debit_balance_after, credit_account, credit_kind, credit_seq, credit_balance_after)
    VALUES (post.id, leg, post.event, debited.unit, cents, post.debits[leg], debited.kind, debited.seq,
      debited.credits - debited.debits, post.credits[leg], credited.kind, credited.seq,
      credited.credits - credited.debits);
  END LOOP;
  RETURN post.id;
END $$;
REVOKE ALL ON FUNCTION app.post(uuid, text, text, text, uuid[], uuid[], bigint[], text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.post(uuid, text, text, text, uuid[], uuid[], bigint[], text, uuid) TO porchlight_overseer;

-- file: functions/post_many.sql
-- Post many events in order, with the outcome of one app.post after the other: the same entries, running balances, ids
-- and refusals. `postings` is an array of objects with the arguments of app.post (without `reverses`). Return the ids of
-- the transactions, in order.
--
-- Each step is one statement for the whole batch, so that a balance is updated once and not once for each leg: an update
-- reads all versions of its row that its own transaction has made. Transactions are inserted in the order of their
-- subjects, and then balance rows are locked in the order of app.post, so that batches do not meet in a deadlock.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.post_many(postings jsonb)
RETURNS uuid[] LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  transactions uuid[];
  added uuid[];
  accounts uuid[];
  is_refused boolean;
  one record;
BEGIN
  WITH given AS MATERIALIZED (SELECT * FROM app.ledger_postings(postings)),
  inserted AS (
    INSERT INTO ledger_transactions (id, event, subject_kind, subject_id, stripe_object, digest)
    SELECT g.id, g.event, g.subject_kind, g.subject_id, g.stripe_object, g.digest FROM given g
     ORDER BY g.subject_kind, g.subject_id, g.event, g.number
    ON CONFLICT (subject_kind, subject_id, event) DO NOTHING RETURNING id)
  SELECT array_agg(g.id ORDER BY g.number), (SELECT array_agg(i.id) FROM inserted i),
         (SELECT array_agg(DISTINCT account) FROM given, unnest(debits || credits) account),
         count(*) <> count(DISTINCT g.id)
         OR bool_or((cardinality(g.debits) > 0 AND cardinality(g.debits) = cardinality(g.credits)
                     AND cardinality(g.debits) = cardinality(g.amounts) AND 0 < ALL (g.amounts)) IS NOT TRUE)
    INTO transactions, added, accounts, is_refused FROM given g;

  IF cardinality(added) IS DISTINCT FROM cardinality(transactions) THEN
    -- Those that were posted before, be it earlier in this batch, must have the same content. LIMIT: each is looked up
    -- in the index, also by a plan that was made when the table was small.
    SELECT array_agg(t.id ORDER BY g.number), is_refused OR bool_or(t.digest <> g.digest)
      INTO transactions, is_refused
      FROM app.ledger_postings(postings) g CROSS JOIN LATERAL (
        SELECT t.id, t.digest FROM ledger_transactions t
         WHERE t.subject_kind = g.subject_kind AND t.subject_id = g.subject_id AND t.event = g.event LIMIT 1) t;
  END IF;
  IF is_refused THEN
    RAISE integrity_constraint_violation;
  END IF;

  PERFORM FROM ledger_balances b WHERE b.account_id = ANY (accounts) ORDER BY b.account_id FOR NO KEY UPDATE;
  WITH legs AS MATERIALIZED (
    SELECT g.id, g.event, l.n, l.debit, l.credit, l.amount, row_number() OVER (ORDER BY g.number, l.n) AS step
      FROM app.ledger_postings(postings) g
     CROSS JOIN unnest(g.debits, g.credits, g.amounts) WITH ORDINALITY l (debit, credit, amount, n)
     WHERE g.id = ANY (added)),
  sides AS MATERIALIZED (
    SELECT s.*, b.unit, b.kind, b.seq + row_number() OVER w AS seq, b.reserved + b.floor AS least,
           b.credits - b.debits + (sum(s.change) OVER w)::bigint AS balance_after
      FROM (SELECT l.*, true AS is_debit, l.debit AS account, -l.amount AS change FROM legs l
            UNION ALL SELECT l.*, false, l.credit, l.amount FROM legs l) s
      LEFT JOIN ledger_balances b ON b.account_id = s.account AND b.account_id = ANY (accounts)
    WINDOW w AS (PARTITION BY s.account ORDER BY s.step, s.is_debit DESC)),
  transfers AS (
    INSERT INTO ledger_transfers (transaction_id, n, event, unit, amount, debit_account, debit_kind, debit_seq,
      debit_balance_after, credit_account, credit_kind, credit_seq, credit_balance_after)
    SELECT id, n, event, max(unit) FILTER (WHERE is_debit), amount,
           debit, max(kind) FILTER (WHERE is_debit), max(seq) FILTER (WHERE is_debit),
           max(balance_after) FILTER (WHERE is_debit),
           credit, max(kind) FILTER (WHERE NOT is_debit), max(seq) FILTER (WHERE NOT is_debit),
           max(balance_after) FILTER (WHERE NOT is_debit)
      FROM sides GROUP BY id, n, event, amount, debit, credit),
  balances AS (
    UPDATE ledger_balances b SET debits = b.debits + s.debits, credits = b.credits + s.credits, seq = b.seq + s.n
      FROM (SELECT account, count(*) AS n, coalesce(sum(amount) FILTER (WHERE is_debit), 0) AS debits,
                   coalesce(sum(amount) FILTER (WHERE NOT is_debit), 0) AS credits FROM sides GROUP BY account) s
     WHERE b.account_id = s.account)
  SELECT bool_or(balance_after < least) INTO is_refused FROM sides;
  IF is_refused THEN
    RAISE integrity_constraint_violation;
  END IF;
  RETURN transactions;
EXCEPTION WHEN integrity_constraint_violation THEN
  -- Which posting is refused, and why, is a question of their order.
  transactions := '{}';
  FOR one IN SELECT * FROM app.ledger_postings(postings) g ORDER BY g.number LOOP
    transactions := transactions || app.post(one.id, one.event, one.subject_kind, one.subject_id, one.debits,
                                             one.credits, one.amounts, one.stripe_object);
  END LOOP;
  RETURN transactions;
END $$;
REVOKE ALL ON FUNCTION app.post_many(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.post_many(jsonb) TO porchlight_overseer;

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
    SELECT EXISTS (SELECT FROM onboardings o WHERE o.user_id = owner_id AND o.complete)
           AND coalesce(bool_and(s.submitted), false)
           AND EXISTS (SELECT FROM payout_accounts p WHERE p.user_id = owner_id AND p.connected
                          AND p.charges_enabled AND p.payouts_enabled AND p.details_submitted)
      FROM app.category_status(
             owner_id, ARRAY(SELECT p.category_slug FROM category_picks p WHERE p.user_id = owner_id)) s
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

-- file: functions/question_card.sql
-- Return a question for the user who asked it or was asked. Only the latter gets the asker's address.
--
-- Called by: questions.
-- SECURITY DEFINER: questions and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.question_card(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'id', q.id, 'body', q.body, 'mine', q.user_id = app.user_id(), 'asker', (SELECT s.card FROM shown_people s WHERE s.user_id = q.user_id),
           'created_at', to_char(q.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
           'reply_to', CASE WHEN q.recipient_id = app.user_id() THEN u.email ELSE '' END)
    FROM questions q JOIN users u ON u.user_id = q.user_id
   WHERE q.id = wanted AND u.status = 'active' AND app.user_id() IN (q.user_id, q.recipient_id)
$$;
REVOKE ALL ON FUNCTION app.question_card(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.question_card(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/queue_account_deleted_email.sql
-- Store the current user's email address for the last email after the account is deleted, and start that job. Only a
-- verified address gets it: with others, registering and deleting would send email to anyone.
--
-- Called by: account, when an account is deleted.
-- SECURITY DEFINER: the app role cannot touch the table of these addresses.
CREATE OR REPLACE FUNCTION app.queue_account_deleted_email(new_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO pending_account_emails (id, recipient, name)
  SELECT new_id, u.email, coalesce(p.display_name, '')
    FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.user_id = app.user_id() AND u.email <> '' AND u.email_verified;
  IF FOUND THEN
    PERFORM app.enqueue('profiles:send_account_deleted', jsonb_build_object('pending_email_id', new_id), NULL);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.queue_account_deleted_email(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_account_deleted_email(uuid) TO porchlight_app;

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

-- file: functions/request_adjustment.sql
-- Store an adjustment that porchlight.money.adjustment_rules decided, and post it at once if it may be posted `alone`. A
-- trigger and a constraint refuse that above $100. The caller holds the lock of adjustments.
--
-- Called by: money.adjustments.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.request_adjustment(id uuid, event text, debit_account uuid, credit_account uuid,
                                                  cents bigint, reason text, holder text, alone boolean)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO adjustments (id, event, debit_account, credit_account, cents, reason, requested_by)
  VALUES (request_adjustment.id, request_adjustment.event, request_adjustment.debit_account,
          request_adjustment.credit_account, request_adjustment.cents, request_adjustment.reason,
          request_adjustment.holder);
  IF alone THEN
    UPDATE adjustments a SET state = 'posted', transaction_id = app.post(
             gen_random_uuid(), a.event, 'adjustment', a.id::text, ARRAY[a.debit_account], ARRAY[a.credit_account],
             ARRAY[a.cents])
     WHERE a.id = request_adjustment.id;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.request_adjustment(uuid, text, uuid, uuid, bigint, text, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_adjustment(uuid, text, uuid, uuid, bigint, text, text, boolean)
  TO porchlight_overseer;

-- file: functions/request_plan_change.sql
-- Start a change of the current user's subscription, as porchlight.features.billing.plan_changes decided; return its id.
-- The caller holds the lock of the user's billing. A unique key keeps a user from having two changes at once.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role may not write changes or create writes.
CREATE OR REPLACE FUNCTION app.request_plan_change(change_kind text, wanted_plan text, wanted_interval text,
                                                   prorated_at timestamptz) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  new_id uuid := gen_random_uuid();
BEGIN
  INSERT INTO plan_changes (user_id, id, subscription_id, kind, plan, interval, prorated_at)
  SELECT s.user_id, new_id, s.id, change_kind, wanted_plan, wanted_interval, request_plan_change.prorated_at
    FROM subscriptions s WHERE s.user_id = app.user_id() AND s.state IN ('active', 'past_due');
  PERFORM app.send_plan_change(new_id, false);
  RETURN new_id;
END $$;
REVOKE ALL ON FUNCTION app.request_plan_change(text, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_plan_change(text, text, text, timestamptz) TO porchlight_app, porchlight_overseer;

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

-- file: functions/running_job.sql
-- Return the arguments of the transaction's running job, which must be of the given task; anything else is an error.
--
-- Called by: the functions that read rows of other users for a job. They take the ids from here and not from their
-- caller, so the app role can read through them only what a job that was enqueued for it may read.
-- SECURITY INVOKER: these run as the owner.
CREATE OR REPLACE FUNCTION app.running_job(task text) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = jobs, pg_temp AS $$
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

-- file: functions/running_task.sql
-- Return the transaction's running job: the name of its task and its arguments; without one, an error.
--
-- Called by: the functions that serve several tasks (app.job_contacts, app.job_rows, app.enqueue_task, app.email_opt_out)
-- and app.running_job.
-- SECURITY INVOKER: these run as the owner. Only it and procrastinate's worker may touch the schema jobs.
CREATE OR REPLACE FUNCTION app.running_task(OUT task text, OUT args jsonb)
LANGUAGE plpgsql STABLE SET search_path = jobs, pg_temp AS $$
BEGIN
  SELECT j.task_name, j.args INTO task, args FROM procrastinate_jobs j
   WHERE j.id = nullif(current_setting('app.job_id', true), '')::bigint AND j.status = 'doing';
  IF task IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'this transaction is not of a running job';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.running_task() FROM PUBLIC;

-- file: functions/save_risk_scores.sql
-- Store scores of the risk classifier by the digests of texts. Does not replace a score.
--
-- Called by: risk, for the listings of a page.
-- SECURITY DEFINER: scores belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.save_risk_scores(digests bytea[], scores real[]) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO risk_scores (digest, score) SELECT * FROM unnest(digests, scores) ORDER BY 1 ON CONFLICT DO NOTHING
$$;
REVOKE ALL ON FUNCTION app.save_risk_scores(bytea[], real[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.save_risk_scores(bytea[], real[]) TO porchlight_app, porchlight_overseer;

-- file: functions/save_search_relations.sql
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
-- 1. Phrases with a similar spelling, from `alike_spelling` on when the meaning of the text is known, otherwise from
--    `min_spelling` on; below that, down to `typo_spelling`, only phrases within a few typos (`edits_by_length`: how many
--    for a text of 1, 2, 3 … characters). A swap of two letters counts as two edits. A text of at most `short_length`
--    characters is compared with all of these at once. The text as a part of a longer phrase counts `part_weight`.
--    And phrases that have all words of the text that are written without spaces, such as Japanese ones, inside.
-- 2. Phrases with a related meaning (phrase_relations), as soon as the embeddings job has read the text.
--    Of all phrases, the `max_phrases` most likely count: those with at least `min_share` of the best one's probability,
--    and `min_phrases` anyway if the meaning is known.
-- 3. Listings with these phrases: a bounded number per phrase (`max_near`, `max_far`), near tiles first, filtered before
--    they are counted. `within` is in kilometers, and `far_tile_rows` is the number of rows of tiles beyond the near ones
--    that it reaches, NULL for all. With a language, they are found in skill_offer_languages.
-- 4. Pages of gurus, posts and angel services with these phrases, by the same rule: a bounded number per phrase and kind.
--
-- The score is the probability that the result fits, reduced by up to `distance_weight` with the distance (0 to
-- `far_km`). Of equal results, those of Premium Angels come first. `max_ranked` results are ranked before accounts are
-- read; a page below `last_share` of the last of them cannot come before it.
--
-- Called by: search, for each search and each alert, with the numbers of its rules.
-- SECURITY DEFINER: it reads the public listings of all users, and tables that the app role cannot touch.
CREATE OR REPLACE FUNCTION app.search(
  query_phrase_id integer, search_text text, kinds text[], here_lat smallint, here_lon smallint, within real,
  far_tile_rows integer, max_price_cents bigint, format text, language text, weekday integer, since timestamptz,
  max_results integer, max_ranked integer, max_near integer, max_far integer, max_phrases integer, min_phrases integer,
  min_share double precision, edits_by_length integer[], short_length integer, typo_spelling double precision,
  min_spelling double precision, alike_spelling double precision, part_weight double precision,
  inside_weight double precision, inside_bonus double precision, spelling_weight double precision,
  same_probability double precision, distance_weight double precision, far_km double precision,
  last_share double precision, max_summary integer)
RETURNS TABLE (kind text, item text, title text, summary text, label text, slug text, who text, handle text,
               photo_id uuid, photo_url text, price_cents bigint, terms text[], formats text[], city text,
               cell_lat smallint, cell_lon smallint, km real, probability real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  normalized text := app.normalize_text(search_text);
  normalized_language text := app.normalize_text(language);
  text_length integer := length(normalized);
  max_edits integer := coalesce(edits_by_length[least(text_length, cardinality(edits_by_length))], 0);
  has_meaning boolean := EXISTS (SELECT FROM phrases p WHERE p.id = query_phrase_id AND p.related_by LIKE '%+%');
  tile integer := CASE WHEN here_lat >= 0 THEN app.tile_of(here_lat, here_lon) END;
  takes_all_pages boolean := max_price_cents IS NULL AND since IS NULL AND within IS NULL;
  threshold real;
  unspaced text[] := app.unspaced_grams(normalized);
  spelled_ids integer[];
  spelling_score real[];
  plan_mode text := current_setting('plan_cache_mode');
BEGIN
  FOREACH threshold IN ARRAY
    CASE WHEN has_meaning THEN ARRAY[alike_spelling] WHEN text_length <= short_length THEN ARRAY[typo_spelling]
         ELSE ARRAY[min_spelling, typo_spelling] END::real[]
  LOOP
    PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
    PERFORM set_config('pg_trgm.word_similarity_threshold', (threshold / part_weight)::text, true);
    SELECT array_agg(s.id), array_agg(s.spelling_score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, p.words, CASE WHEN p.words = normalized THEN 1
               ELSE greatest(similarity(p.words, normalized), part_weight * word_similarity(normalized, p.words))
             END::real AS spelling_score
        FROM phrases p WHERE p.in_use AND (p.words % normalized OR normalized <% p.words)
       ORDER BY 3 DESC LIMIT max_phrases) s
     WHERE s.spelling_score >= min_spelling
        OR least(levenshtein_less_equal(normalized, s.words, max_edits),
                 levenshtein_less_equal(normalized, left(s.words, text_length), max_edits)) <= max_edits;
    EXIT WHEN spelled_ids IS NOT NULL;
  END LOOP;
  IF unspaced IS NOT NULL THEN
    -- The shorter the phrase, the more of it is the word.
    SELECT spelled_ids || array_agg(s.id), spelling_score || array_agg(s.score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, (inside_weight + inside_bonus * text_length / greatest(length(p.words), text_length))::real AS score
        FROM phrases p
       WHERE app.unspaced_grams(p.words) @> unspaced AND p.in_use AND p.words <> normalized
       ORDER BY 2 DESC, 1 LIMIT max_phrases) s;
  END IF;
  -- Planned for its parameters each time: a plan for any format does not use the index of listings online. Only this
  -- statement, because planning those above takes longer than running them.
  PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
  RETURN QUERY
  WITH related AS MATERIALIZED (
    SELECT n.other_id, max(n.probability)::real AS probability FROM (
      SELECT r.other_id, r.probability FROM phrase_relations r JOIN phrases p ON p.id = r.other_id AND p.in_use
       WHERE r.phrase_id = query_phrase_id AND has_meaning
      UNION ALL
      SELECT s.id, CASE WHEN s.spelling_score = 1 THEN same_probability
                        WHEN has_meaning
                          THEN spelling_weight * (s.spelling_score - alike_spelling) / (1 - alike_spelling)
                        ELSE spelling_weight * s.spelling_score END
        FROM unnest(spelled_ids, spelling_score) s (id, spelling_score)) n
     WHERE n.probability > 0 GROUP BY 1 ORDER BY 2 DESC LIMIT max_phrases
  ), likely AS (
    SELECT * FROM related m WHERE m.probability >= min_share * (SELECT max(best.probability) FROM related best)
     UNION (SELECT * FROM related m WHERE has_meaning ORDER BY m.probability DESC LIMIT min_phrases)
  ), near_tiles AS MATERIALIZED (
    SELECT t.near_tile FROM app.tiles_around(tile) t WHERE tile IS NOT NULL ORDER BY t.steps
  ), far_tiles AS MATERIALIZED (
    SELECT g.above, g.below FROM app.tiles_beyond(tile, far_tile_rows) g
  ), offers AS (
    SELECT o.*, m.probability AS phrase_probability FROM likely m CROSS JOIN LATERAL (
      (SELECT o.* FROM near_tiles t CROSS JOIN LATERAL (
         SELECT o.* FROM skill_offers o
          WHERE language IS NULL AND o.phrase_id = m.other_id AND o.visible AND o.tile = t.near_tile
         UNION ALL
         SELECT o.* FROM skill_offer_languages s JOIN skill_offers o ON o.id = s.offer_id
          WHERE s.phrase_id = m.other_id AND s.language = normalized_language AND s.tile = t.near_tile) o
        WHERE (format IS NULL OR format = ANY (o.formats))
          AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
          AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
          AND (since IS NULL OR o.created_at > since)
          AND (within IS NULL OR format = 'online'
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within)) LIMIT max_near)
      UNION ALL
      (SELECT o.* FROM far_tiles gap CROSS JOIN LATERAL (
         SELECT o.* FROM (
           SELECT o.* FROM skill_offers o
            WHERE language IS NULL AND o.phrase_id = m.other_id AND o.visible AND o.tile > gap.above
              AND o.tile < gap.below
           UNION ALL
           SELECT o.* FROM skill_offer_languages s JOIN skill_offers o ON o.id = s.offer_id
            WHERE s.phrase_id = m.other_id AND s.language = normalized_language AND s.tile > gap.above
              AND s.tile < gap.below) o
          WHERE (format IS NULL OR format = ANY (o.formats))
            AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
            AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
            AND (since IS NULL OR o.created_at > since)
            AND (within IS NULL OR format = 'online'
                 OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within))
          LIMIT max_far) o LIMIT max_far)) o
     WHERE 'offer' = ANY (kinds)
  ), entries AS (
    SELECT s.kind, s.item, m.probability * s.weight AS probability
      FROM likely m CROSS JOIN unnest(kinds) wanted (kind) CROSS JOIN LATERAL (
      -- Each tile is a probe of the index: a join would read all pages of the phrase.
      (SELECT s.* FROM near_tiles t CROSS JOIN LATERAL (
         SELECT s.* FROM search_entry_phrases s
          WHERE s.tile = t.near_tile AND s.phrase_id = m.other_id AND s.kind = wanted.kind
            AND (takes_all_pages OR EXISTS (
                   SELECT FROM search_entries e WHERE e.kind = s.kind AND e.item = s.item
                      AND (max_price_cents IS NULL OR e.price_cents <= max_price_cents)
                      AND (since IS NULL OR e.indexed_at > since)
                      AND (within IS NULL OR (e.cell_lat >= 0
                           AND app.cell_km(e.cell_lat, e.cell_lon, here_lat, here_lon) <= within))))
          LIMIT max_results) s LIMIT max_results)
      UNION ALL
      (SELECT s.* FROM far_tiles gap CROSS JOIN LATERAL (
         SELECT s.* FROM search_entry_phrases s
          WHERE s.tile > gap.above AND s.tile < gap.below AND s.phrase_id = m.other_id AND s.kind = wanted.kind
            AND (takes_all_pages OR EXISTS (
                   SELECT FROM search_entries e WHERE e.kind = s.kind AND e.item = s.item
                      AND (max_price_cents IS NULL OR e.price_cents <= max_price_cents)
                      AND (since IS NULL OR e.indexed_at > since)
                      AND (within IS NULL OR (e.cell_lat >= 0
                           AND app.cell_km(e.cell_lat, e.cell_lon, here_lat, here_lon) <= within))))
          LIMIT max_results) s
        LIMIT max_results)) s
     WHERE wanted.kind <> 'offer' AND format IS NULL AND weekday IS NULL AND language IS NULL
       AND (max_price_cents IS NULL OR wanted.kind <> 'post')  -- a post has no price
  ), pages AS MATERIALIZED (
    SELECT n.kind, n.item, max(n.probability)::real AS probability FROM entries n GROUP BY 1, 2
  ), best_pages AS (
    SELECT p.* FROM pages p
     WHERE p.probability >= (CASE WHEN here_lat >= 0 THEN last_share ELSE 1 END) * coalesce((
             SELECT q.probability FROM pages q ORDER BY 1 DESC OFFSET max_ranked - 1 LIMIT 1), 0)
  ), candidates AS (
    SELECT 'offer' AS kind, o.id::text AS item, o.title, o.details AS summary, '' AS label, '' AS slug,
           o.user_id, o.price_cents::bigint, o.terms, o.formats, NULL::text AS city, o.cell_lat, o.cell_lon,
           o.phrase_probability AS probability FROM offers o
    UNION ALL
    SELECT e.kind, e.item, e.title, e.summary, e.label, e.slug, NULL, e.price_cents, NULL, NULL, e.city,
           e.cell_lat, e.cell_lon, best.probability
      FROM best_pages best JOIN search_entries e ON e.kind = best.kind AND e.item = best.item
  ), with_distance AS (
    SELECT f.*, CASE WHEN f.cell_lat >= 0 AND here_lat >= 0
                     THEN app.cell_km(f.cell_lat, f.cell_lon, here_lat, here_lon) END AS km FROM candidates f
  ), in_reach AS (
    SELECT * FROM with_distance p
     WHERE within IS NULL OR p.km <= within OR (format = 'online' AND 'online' = ANY (p.formats))
     ORDER BY p.probability * (1 - distance_weight * least(1, coalesce(p.km / far_km, 1))) DESC, p.item
     LIMIT max_ranked
  )
  SELECT n.kind, n.item, n.title, left(n.summary, max_summary), n.label, n.slug, coalesce(p.display_name, ''),
         coalesce(p.handle, ''), p.photo_id, coalesce(p.photo_url, ''), n.price_cents, n.terms, n.formats,
         coalesce(n.city, CASE WHEN p.shows_location THEN w.city END, ''), n.cell_lat, n.cell_lon, n.km::real,
         n.probability::real
    FROM in_reach n LEFT JOIN profiles p ON p.user_id = n.user_id LEFT JOIN users u ON u.user_id = n.user_id
    LEFT JOIN user_locations w ON w.user_id = n.user_id
   WHERE n.user_id IS NULL OR u.status = 'active'
   ORDER BY n.probability * (1 - distance_weight * least(1, coalesce(n.km / far_km, 1))) DESC,
         (u.listed_plan = 'premium-angel') IS TRUE DESC, n.item LIMIT max_results;
  PERFORM set_config('plan_cache_mode', plan_mode, true);
END $$;
REVOKE ALL ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, integer, bigint, text, text, integer, timestamptz,
    integer, integer, integer, integer, integer, integer, double precision, integer[], integer, double precision,
    double precision, double precision, double precision, double precision, double precision, double precision,
    double precision, double precision, double precision, double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, integer, bigint, text, text, integer, timestamptz,
    integer, integer, integer, integer, integer, integer, double precision, integer[], integer, double precision,
    double precision, double precision, double precision, double precision, double precision, double precision,
    double precision, double precision, double precision, double precision, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/send_plan_change.sql
-- Create the next write of a requested change. A subscription that follows a schedule is released from it first.
-- An upgrade is charged now, and Stripe keeps the old plan until the charge succeeds.
--
-- Called by: app.request_plan_change, and billing when the release is done.
-- SECURITY INVOKER: only the service role and the owner's functions may create writes.
CREATE OR REPLACE FUNCTION app.send_plan_change(change_id uuid, is_released boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  c plan_changes;
  s subscriptions;
  path text;
  params jsonb;
BEGIN
  SELECT p.* INTO c FROM plan_changes p WHERE p.id = change_id;
  SELECT p.* INTO s FROM subscriptions p WHERE p.user_id = c.user_id AND p.id = c.subscription_id;
  path := '/v1/subscriptions/' || s.sub_id;
  IF s.schedule_id <> '' AND NOT is_released THEN
    PERFORM app.create_stripe_write('plan_release', c.id, '', 'POST',
      '/v1/subscription_schedules/' || s.schedule_id || '/release', '{}', false);
  ELSIF c.kind = 'upgrade' THEN
    -- Stripe takes no metadata together with pending_if_incomplete.
    params := jsonb_build_object(
      'items', jsonb_build_array(jsonb_build_object('id', s.item_id, 'price', p.object_id)),
      'proration_behavior', 'always_invoice', 'payment_behavior', 'pending_if_incomplete',
      'expand', jsonb_build_array('latest_invoice', 'default_payment_method', 'schedule'))
      FROM billing_catalog p WHERE p.key = c.plan || '-' || c.interval;
    IF c.prorated_at IS NOT NULL AND c.interval = s.interval THEN
      params := params || jsonb_build_object('proration_date', extract(epoch FROM c.prorated_at)::bigint);
    END IF;
    PERFORM app.create_stripe_write('plan_upgrade', c.id, '', 'POST', path, params, false);
  ELSIF c.kind = 'downgrade' THEN
    PERFORM app.create_stripe_write('plan_schedule', c.id, '', 'POST', '/v1/subscription_schedules',
      jsonb_build_object('from_subscription', s.sub_id), false);
  ELSE
    PERFORM app.create_stripe_write('plan_renewal', c.id, '', 'POST', path, jsonb_build_object(
      'cancel_at_period_end', c.kind = 'cancel', 'expand', jsonb_build_array('default_payment_method', 'schedule')));
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.send_plan_change(uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.send_plan_change(uuid, boolean) TO porchlight_overseer;

-- file: functions/send_plan_checkout.sql
-- Create the write that opens a waiting checkout at Stripe, now that the customer is known there.
--
-- Called by: app.start_plan_checkout, and billing when Stripe created the customer.
-- SECURITY INVOKER: only the service role and the owner's functions may create writes.
CREATE OR REPLACE FUNCTION app.send_plan_checkout(checkout_id uuid) RETURNS void
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT app.create_stripe_write('plan_checkout', c.id, '', 'POST', '/v1/checkout/sessions', jsonb_build_object(
           'mode', 'subscription',
           'customer', b.customer_id,
           'client_reference_id', c.user_id,
           'line_items', jsonb_build_array(jsonb_build_object('price', p.object_id, 'quantity', 1)),
           'success_url', c.return_url || 'checkout=success',
           'cancel_url', c.return_url || 'checkout=canceled',
           'subscription_data', jsonb_build_object('metadata', jsonb_build_object('user_id', c.user_id))))
    FROM plan_checkouts c JOIN billing_customers b ON b.user_id = c.user_id
    JOIN billing_catalog p ON p.key = c.plan || '-' || c.interval
   WHERE c.id = checkout_id AND c.state = 'waiting' AND b.customer_id IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.send_plan_checkout(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.send_plan_checkout(uuid) TO porchlight_overseer;

-- file: functions/set_ring_check_due.sql
-- Set whether the job that finds swap rings checks users: those named, and those who offer or want one of `phrase_ids`,
-- because new relations of a phrase can complete a ring.
--
-- Called by: embeddings, when phrases were related, and matches, when users were checked.
-- SECURITY INVOKER: only the service role may call it, which may write the mark of every user.
CREATE OR REPLACE FUNCTION app.set_ring_check_due(is_due boolean, user_ids uuid[], phrase_ids integer[]) RETURNS void
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  WITH changed AS (
    -- In the order of their ids, so that two jobs lock the rows in the same order.
    SELECT l.user_id FROM user_locations l
     WHERE l.ring_check_due <> is_due AND l.user_id IN (
             SELECT unnest(user_ids)
              UNION SELECT o.user_id FROM skill_offers o WHERE o.phrase_id = ANY (phrase_ids)
              UNION SELECT w.user_id FROM skill_wants w WHERE w.phrase_id = ANY (phrase_ids))
     ORDER BY l.user_id FOR NO KEY UPDATE
  )
  UPDATE user_locations l SET ring_check_due = is_due FROM changed c WHERE l.user_id = c.user_id
$$;
REVOKE ALL ON FUNCTION app.set_ring_check_due(boolean, uuid[], integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.set_ring_check_due(boolean, uuid[], integer[]) TO porchlight_overseer;

-- file: functions/settle_swap_ring.sql
-- Set the state of a swap ring of the current user from the answers of its members and start the job that informs them.
-- One refusal declines the ring; three acceptances agree on it.
--
-- Called by: matches, after an answer.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.settle_swap_ring(wanted uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_state text;
BEGIN
  IF NOT EXISTS (SELECT FROM swap_ring_members m WHERE m.ring_id = wanted AND m.user_id = app.user_id()) THEN
    RETURN NULL;
  END IF;
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

-- file: functions/shown_skills.sql
-- Return which of a guru's skills visitors see: not those that belong to a category whose documents are not approved,
-- and to none that is listed. A skill belongs to a category if the category's name or one of its search terms is in it,
-- as whole words: "Karate/judo" belongs to that of "karate".
--
-- Called by: sites (the guru's pages) and search (the index).
CREATE OR REPLACE FUNCTION app.shown_skills(guru_id uuid, skills text[]) RETURNS text[]
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN NOT EXISTS (SELECT FROM guru_categories c
                                WHERE c.tenant_id = guru_id AND c.needs_documents AND NOT c.listed) THEN skills
    ELSE ARRAY(
      SELECT s.skill FROM unnest(skills) WITH ORDINALITY s (skill, place)
        LEFT JOIN LATERAL (
          SELECT bool_or(c.listed) AS listed FROM guru_categories c
            JOIN LATERAL (SELECT c.name UNION ALL
                          SELECT t.name FROM skill_search_terms t WHERE t.category_slug = c.slug) n (name) ON true
           WHERE c.tenant_id = guru_id
             AND strpos(regexp_replace(' ' || app.normalize_text(s.skill) || ' ', '[^[:alnum:]]+', ' ', 'g'),
                        regexp_replace(' ' || app.normalize_text(n.name) || ' ', '[^[:alnum:]]+', ' ', 'g')) > 0
        ) found ON true
       WHERE coalesce(found.listed, true) ORDER BY s.place) END
$$;
REVOKE ALL ON FUNCTION app.shown_skills(uuid, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.shown_skills(uuid, text[]) TO porchlight_app, porchlight_overseer;

-- file: functions/similar_to_search.sql
-- Return the phrases in use that are nearest to the new phrase of a search (app.nearest_phrases); no row if the phrase is
-- not new, because the embeddings job or another request has related it.
--
-- Called by: embeddings, in the request of a search.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.similar_to_search(phrase integer, query_vector text, most integer,
                                                 min_spelling double precision)
RETURNS TABLE (other_id integer, cosine double precision, spelling real, words text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  query_words text := (SELECT p.words FROM phrases p WHERE p.id = phrase AND p.related_by IS NULL AND NOT p.in_use);
BEGIN
  IF query_words IS NOT NULL THEN
    RETURN QUERY SELECT * FROM app.nearest_phrases(query_words, query_vector, most, min_spelling);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.similar_to_search(integer, text, integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.similar_to_search(integer, text, integer, double precision) TO porchlight_app, porchlight_overseer;

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

-- file: functions/subject_phrases.sql
-- Return the phrases in use that fit a subject, shortest first, at most `most`. A subject is a skill, whose words must all
-- be in the phrase, or a skill category by name or slug, which means all its skills and the phrase that is its name.
--
-- Called by: app.teaching_gurus, app.teaching_neighbors.
CREATE OR REPLACE FUNCTION app.subject_phrases(subject text, most integer) RETURNS TABLE (phrase_id integer)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH category AS (
    SELECT c.slug, app.normalize_text(c.name) AS name FROM skill_categories c
     WHERE app.normalize_text(subject) IN (c.slug, app.normalize_text(c.name))
  ), terms AS (
    SELECT phraseto_tsquery('english', app.normalize_text(n.name)) AS term
      FROM category c JOIN skill_search_terms n ON n.category_slug = c.slug AND app.normalize_text(n.name) <> c.name
     UNION
    -- A category's name would fit other skills by its stem: "Electrical" is no electric guitar.
    SELECT plainto_tsquery('english', app.normalize_text(subject)) WHERE NOT EXISTS (SELECT FROM category)
  )
  SELECT p.id FROM phrases p
   WHERE p.in_use AND (
           to_tsvector('english', p.words)
           @@ (SELECT string_agg(t.term::text, ' | ')::tsquery FROM terms t WHERE numnode(t.term) > 0)
           OR p.words = (SELECT c.name FROM category c))
   ORDER BY length(p.words), p.id LIMIT most
$$;
REVOKE ALL ON FUNCTION app.subject_phrases(text, integer) FROM PUBLIC;

-- file: functions/teaching_gurus.sql
-- Return active gurus: those who teach a subject (see app.subject_phrases), best first, with the skills that fit; the
-- one with a label; and those who belong to angels with public profiles, by handle. A blank subject fits no guru. The
-- current user's own guru is left out. Premium Angels come first among those who fit equally. Of a phrase that very many
-- gurus have, `max_per_phrase` are read; of a subject, `max_phrases` phrases.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public texts of gurus across tenants, and which guru an angel owns.
CREATE OR REPLACE FUNCTION app.teaching_gurus(subject text, guru_label text, angel_handles text[], max_results integer,
                                              max_phrases integer, max_per_phrase integer)
RETURNS TABLE (id uuid, label text, name text, tagline text, city text, emoji text, handle text, skills text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH fitting AS MATERIALIZED (
    SELECT f.phrase_id FROM app.subject_phrases(subject, max_phrases) f
  ), wanted AS MATERIALIZED (
    -- The category and the skills have a weight of 0.8 and more, the other phrases have less. The index of gurus has
    -- the same number, so it is no parameter.
    (SELECT s.item::uuid AS guru_id, NULL::text AS handle, sum(s.weight) AS fit FROM fitting f CROSS JOIN LATERAL (
       SELECT s.item, s.weight FROM search_entry_phrases s
        WHERE s.phrase_id = f.phrase_id AND s.kind = 'guru' AND s.weight >= 0.8 ORDER BY s.item LIMIT max_per_phrase) s
      GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT max_results)
     UNION ALL
    SELECT g.id, NULL, 1 FROM gurus g WHERE g.label = guru_label
     UNION ALL
    SELECT m.tenant_id, p.handle, 1 FROM profiles p
      JOIN users u ON u.user_id = p.user_id JOIN memberships m ON m.user_id = p.user_id
     WHERE p.handle = ANY (angel_handles) AND p.is_public AND u.status = 'active'
       AND EXISTS (SELECT FROM angels a WHERE a.user_id = p.user_id AND a.active)
  )
  SELECT g.id, g.label, g.character, g.tagline, g.city, g.emoji, w.handle,
         ARRAY(SELECT k.skill FROM unnest(g.primary_skills) WITH ORDINALITY k (skill, place)
                 JOIN phrases p ON p.words = app.normalize_text(k.skill)
                 JOIN search_entry_phrases s ON s.phrase_id = p.id AND s.kind = 'guru' AND s.item = g.id::text
                WHERE p.id IN (SELECT f.phrase_id FROM fitting f) ORDER BY k.place)
    FROM wanted w JOIN gurus g ON g.id = w.guru_id
   WHERE g.status = 'active' AND g.published
     AND NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = g.id AND m.user_id = app.user_id())
   ORDER BY w.fit DESC, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                                 WHERE m.tenant_id = g.id AND u.listed_plan = 'premium-angel') DESC,
            g.id LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.teaching_gurus(text, text, text[], integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_gurus(text, text, text[], integer, integer, integer) TO porchlight_app,
    porchlight_overseer;

-- file: functions/teaching_neighbors.sql
-- Return neighbors who offer a subject (see app.subject_phrases) to the current user, each with one listing, the
-- nearest first, then Premium Angels. `max_per_phrase` listings are read for each of
-- `max_phrases` phrases, those around the user first.
-- `guru_id` is the guru that the neighbor owns.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public listings of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.teaching_neighbors(subject text, max_results integer, max_phrases integer,
                                                  max_per_phrase integer)
RETURNS TABLE (handle text, name text, photo_id uuid, photo_url text, city text, km real, listing_id uuid, title text,
               guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT h.tile, h.cell_lat, h.cell_lon FROM user_locations h WHERE h.user_id = app.user_id() AND h.tile >= 0
  ), tiles AS MATERIALIZED (
    SELECT t.near_tile, t.steps FROM here h CROSS JOIN app.tiles_around(h.tile) t
  ), offers AS (
    -- Each tile is a probe of the index: a join would read all offers of the phrase.
    SELECT o.* FROM app.subject_phrases(subject, max_phrases) f CROSS JOIN LATERAL (
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM tiles t CROSS JOIN LATERAL (
           SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.phrase_id = f.phrase_id AND o.tile = t.near_tile AND o.visible LIMIT max_per_phrase) o
        ORDER BY t.steps LIMIT max_per_phrase)
       UNION ALL
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM skill_offers o WHERE o.phrase_id = f.phrase_id AND o.visible LIMIT max_per_phrase) LIMIT max_per_phrase) o
  ), nearest AS (
    SELECT DISTINCT ON (o.user_id) o.user_id, o.id, o.title,
           CASE WHEN o.cell_lat >= 0 THEN app.cell_km(o.cell_lat, o.cell_lon, h.cell_lat, h.cell_lon) END AS km
      FROM offers o LEFT JOIN here h ON true
     WHERE o.user_id IS DISTINCT FROM app.user_id() ORDER BY o.user_id, o.title, o.id
  ), chosen AS MATERIALIZED (
    SELECT n.user_id, n.id, n.title, n.km, u.listed_plan = 'premium-angel' AS premium
      FROM nearest n JOIN users u ON u.user_id = n.user_id
     WHERE u.status = 'active' ORDER BY n.km NULLS LAST, 5 DESC, n.id LIMIT max_results
  )
  SELECT p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN coalesce(w.city, '') ELSE '' END, c.km::real, c.id, c.title, m.tenant_id
    FROM chosen c JOIN profiles p ON p.user_id = c.user_id
    LEFT JOIN user_locations w ON w.user_id = c.user_id LEFT JOIN memberships m ON m.user_id = c.user_id
   ORDER BY c.km NULLS LAST, c.premium DESC, c.id
$$;
REVOKE ALL ON FUNCTION app.teaching_neighbors(text, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_neighbors(text, integer, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_times.sql
-- Return the first of these gurus, in their order, who take bookings: each with one service that can be booked (the one
-- that is wanted, or the guru's main one), its rules, and the hours and live appointments from the day before `now_at` to
-- the day after the last of the days. A guru whose flag "booking" is off is left out. The columns from `version` on have
-- the form of those in sites.hours.queries.
--
-- Called by: sites.hours.first_starts, for teachers.
-- Each guru is read in its own tenant's isolation, with the rights of the caller. The setting is the caller's again at
-- the end; the outer statement must not read tables of tenants itself.
CREATE OR REPLACE FUNCTION app.teaching_times(guru_ids uuid[], wanted_service uuid, now_at timestamptz,
                                              max_days integer, max_results integer)
RETURNS TABLE (guru_id uuid, name text, price_cents bigint, currency text, version bigint, rules_version bigint,
               zone text, step_minutes smallint, notice_minutes integer, horizon_days smallint, day_max smallint,
               paused_until timestamptz, service_id uuid, duration_minutes integer, setup_minutes smallint,
               cleanup_minutes smallint, capacity smallint, starts text, party_max smallint, approval text, place text,
               free_until_minutes integer, late_percent smallint, weekly json, dates json, appointments json)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  before text := coalesce(current_setting('app.tenant_id', true), '');
  tenant uuid;
  found_gurus integer := 0;
BEGIN
  FOREACH tenant IN ARRAY guru_ids LOOP
    EXIT WHEN found_gurus >= max_results;
    PERFORM set_config('app.tenant_id', tenant::text, true);
    RETURN QUERY
      SELECT c.tenant_id, s.name, s.price_cents, s.currency, c.version, c.rules_version, c.zone, c.step_minutes,
             c.notice_minutes, c.horizon_days, c.day_max, c.paused_until, s.id, s.duration_minutes, b.setup_minutes,
             b.cleanup_minutes, b.capacity, b.starts, b.party_max, b.approval, b.place, b.free_until_minutes,
             b.late_percent,
             (SELECT coalesce(json_agg(json_build_array(h.weekday, lower(h.during), upper(h.during))), '[]')
                FROM weekly_hours h WHERE h.tenant_id = tenant),
             (SELECT coalesce(json_agg(json_build_array(d.day, lower(d.during), upper(d.during))), '[]')
                FROM date_hours d WHERE d.tenant_id = tenant AND d.day BETWEEN day.first AND day.last),
             (SELECT coalesce(json_agg(json_build_array(a.service_id, extract(epoch FROM a.starts_at),
                       extract(epoch FROM a.ends_at), extract(epoch FROM lower(a.blocked)),
                       extract(epoch FROM upper(a.blocked)), a.capacity,
                       CASE WHEN a.waiting > 0 THEN a.capacity ELSE a.taken END, a.fixed)), '[]')
                FROM appointments a WHERE a.tenant_id = tenant AND a.live
                 AND a.blocked && tstzrange(day.first::timestamp AT TIME ZONE 'UTC',
                                            (day.last + 1)::timestamp AT TIME ZONE 'UTC'))
        FROM calendars c JOIN booking_settings b ON b.tenant_id = c.tenant_id
        JOIN services s ON s.tenant_id = b.tenant_id AND s.id = b.service_id
       CROSS JOIN LATERAL (SELECT (now_at AT TIME ZONE 'UTC')::date AS today) utc
       -- The zone's own day may be the one before or after.
       CROSS JOIN LATERAL (SELECT utc.today - 1 AS earliest, utc.today + 1 AS latest) own
       CROSS JOIN LATERAL (SELECT own.earliest - 1 AS first,
                                  own.latest + least(c.horizon_days + 1, max_days) AS last) day
       WHERE c.tenant_id = tenant AND b.open AND NOT s.over_limit AND s.duration_minutes IS NOT NULL
         AND s.id = coalesce(wanted_service, s.id)
         AND coalesce((SELECT bool_or(k.listed) FROM guru_categories k WHERE k.tenant_id = tenant), true)
         AND coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'), true)
       ORDER BY s.popular DESC, s.position, s.id LIMIT 1;
    IF FOUND THEN
      found_gurus := found_gurus + 1;
    END IF;
  END LOOP;
  PERFORM set_config('app.tenant_id', before, true);
END $$;
REVOKE ALL ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer)
  TO porchlight_app, porchlight_overseer;

-- file: functions/tenant_id.sql
-- Return the current tenant, which unit_of_work sets for the transaction, or NULL.
--
-- Called by: every policy of a tenant's table.
CREATE OR REPLACE FUNCTION app.tenant_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.tenant_id', true), '')::uuid;

-- file: functions/tenant_plan.sql
-- Return the plan of the current guru site: that of its owner. With `locked`, what the plan limits is locked until the end
-- of the transaction, and the plan is the one after the lock. The lock is the owner's (app.lock_plan), or the site's while
-- it has no owner.
--
-- Called by: porchlight.plans, console and app.limit_site.
-- SECURITY DEFINER: only the owner's own transactions see the owner's plan and membership.
CREATE OR REPLACE FUNCTION app.tenant_plan(locked boolean) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := (SELECT m.user_id FROM memberships m WHERE m.tenant_id = app.tenant_id());
BEGIN
  IF locked THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('plan ' || coalesce(owner_id, app.tenant_id()), 0));
  END IF;
  RETURN app.plan_of(owner_id);
END $$;
REVOKE ALL ON FUNCTION app.tenant_plan(boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.tenant_plan(boolean) TO porchlight_app, porchlight_overseer;

-- file: functions/tile_of.sql
-- Return the tile of a cell of the grid, like porchlight.geo.grid.tile_of. The numbers of adjacent tiles differ by 1 or
-- 1000.
--
-- Called by: app.own_skill_matches and app.search.
CREATE OR REPLACE FUNCTION app.tile_of(cell_lat integer, cell_lon integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN cell_lat / 25 * 1000 + cell_lon / 20;

-- file: functions/tiles_around.sql
-- Return a tile and the eight around it, each with the number of steps to it: 2 for those at the corners.
--
-- Called by: app.search, the functions of matches, and app.teaching_neighbors.
CREATE OR REPLACE FUNCTION app.tiles_around(tile integer) RETURNS TABLE (near_tile integer, steps integer)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tile + 1000 * a + b, abs(a) + abs(b) FROM generate_series(-1, 1) a, generate_series(-1, 1) b
$$;

-- file: functions/tiles_beyond.sql
-- Return the tiles that app.tiles_around leaves out, as ranges: those between two numbers. `rows`: how many rows of tiles
-- to the north and to the south they reach; NULL for all, and none for 0. Without a tile, these are all tiles.
--
-- Called by: app.own_skill_matches and app.search.
CREATE OR REPLACE FUNCTION app.tiles_beyond(tile integer, rows integer) RETURNS TABLE (above integer, below integer)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT -2, 2147483647 WHERE tile IS NULL
   UNION ALL
  SELECT g.above, g.below FROM (VALUES
    (tile - 999, tile - 1), (tile + 1, tile + 999),
    (tile + 1001, coalesce(tile + 1000 * (rows + 1), 2147483647)),
    (coalesce(tile - 1000 * (rows + 1), -2), tile - 1001)
  ) g (above, below) WHERE tile IS NOT NULL AND rows IS DISTINCT FROM 0
$$;

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

-- file: functions/unspaced_grams.sql
-- Return the characters of a text in scripts that are written without spaces, such as Chinese, Japanese and Thai, alone
-- and in pairs; NULL for a text without any. They find a word inside of others. Hangul is among them, because Korean
-- endings follow a word without a space.
--
-- Called by: app.search and the index of phrases. Immutable: a change needs a new index.
CREATE OR REPLACE FUNCTION app.unspaced_grams(words text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT array_agg(DISTINCT substr(m.run[1], n, length))
    FROM regexp_matches(words, '[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3040-\u30ff\u3130-\u318f'
                               || '\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+', 'g')
         AS m (run),
         generate_series(1, length(m.run[1])) n, generate_series(1, 2) length
$$;
REVOKE ALL ON FUNCTION app.unspaced_grams(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.unspaced_grams(text) TO porchlight_app, porchlight_overseer;

-- file: functions/update_email_setting.sql
-- Turn a kind of email on or off for the person whose link has the token. A link of one kind changes that kind only.
-- Return whether it did.
--
-- Called by: email_settings.
-- SECURITY DEFINER: anyone with the link changes them without signing in.
CREATE OR REPLACE FUNCTION app.update_email_setting(link uuid, changed text, wanted boolean) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller text := current_setting('app.user_id', true);
  person uuid := (SELECT s.user_id FROM email_settings s
                   WHERE s.token = link AND s.kind IN ('all', changed) AND changed <> 'all');
BEGIN
  IF person IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_config('app.user_id', person::text, true);
  INSERT INTO email_settings (user_id, kind, is_on) VALUES (person, changed, wanted)
  ON CONFLICT (user_id, kind) DO UPDATE SET is_on = excluded.is_on, changed_at = excluded.changed_at;
  PERFORM set_config('app.user_id', caller, true);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.update_email_setting(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.update_email_setting(uuid, text, boolean) TO porchlight_app, porchlight_overseer;

-- file: functions/user_id.sql
-- Return the current user, whom unit_of_work sets for the transaction, or NULL.
--
-- Called by: every policy of a user's table.
CREATE OR REPLACE FUNCTION app.user_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.user_id', true), '')::uuid;

-- file: functions/waitlist_position.sql
-- Return the current user's position among those who wait for a session, 1 for the first; null if they do not wait.
--
-- Called by: bookings.
-- SECURITY DEFINER: those who wait are other users. Only their number is returned.
CREATE OR REPLACE FUNCTION app.waitlist_position(waited_tenant uuid, waited_appointment uuid) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT (SELECT count(*) FROM waitlist w
           WHERE w.tenant_id = own.tenant_id AND w.appointment_id = own.appointment_id AND w.status = 'waiting'
             AND w.number <= own.number)::integer
    FROM waitlist own
   WHERE own.tenant_id = waited_tenant AND own.appointment_id = waited_appointment AND own.person_id = app.user_id()
     AND own.status = 'waiting'
$$;
REVOKE ALL ON FUNCTION app.waitlist_position(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waitlist_position(uuid, uuid) TO porchlight_app;

-- file: functions/waiver_exchange.sql
-- Return what a waiver is for: a listing, by its id, or a guru's service, by the guru's label and the service's id.
-- NULL if it does not exist or is hidden. A service comes with the guru's own waiver text, unless the guru has none.
-- The function restores the tenant that was set before.
--
-- Called by: waivers.
-- SECURITY DEFINER: listings of other users and services and texts of a guru are behind row level security.
CREATE OR REPLACE FUNCTION app.waiver_exchange(guru_label text, wanted uuid) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru uuid := (SELECT g.id FROM gurus g WHERE g.label = guru_label AND g.status = 'active' AND g.published);
  found_exchange jsonb;
BEGIN
  IF guru_label IS NULL THEN
    RETURN (SELECT jsonb_build_object('teacher_id', o.user_id, 'title', o.title, 'details', o.details)
              FROM skill_offers o JOIN users u ON u.user_id = o.user_id
             WHERE o.id = wanted AND o.visible AND u.status = 'active');
  END IF;
  PERFORM set_config('app.tenant_id', guru::text, true);
  found_exchange := (SELECT jsonb_build_object('guru_id', guru, 'guru_name', g.character, 'title', s.name,
                                               'details', s.description, 'text', t.newest)
                       FROM services s JOIN gurus g ON g.id = s.tenant_id
                       LEFT JOIN LATERAL (
                         SELECT jsonb_build_object('version', w.version, 'body', w.body) AS newest
                           FROM guru_waiver_texts w
                          WHERE w.tenant_id = guru AND w.version = app.waiver_text_version(guru)) t ON true
                      WHERE s.tenant_id = guru AND s.id = wanted);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN found_exchange;
END $$;
REVOKE ALL ON FUNCTION app.waiver_exchange(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_exchange(text, uuid) TO porchlight_app;

-- file: functions/waiver_text_version.sql
-- Return the version of a guru's own waiver text that people accept now: the newest, or 0 if the guru has none or
-- removed it.
--
-- Called by: waivers and bookings, to find out whether a waiver covers the text; app.waiver_exchange.
-- SECURITY DEFINER: a person's transaction without the guru's tenant must not read the text as missing.
CREATE OR REPLACE FUNCTION app.waiver_text_version(guru uuid) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT CASE WHEN t.body = '' THEN 0 ELSE t.version END FROM guru_waiver_texts t
                    WHERE t.tenant_id = guru ORDER BY t.version DESC LIMIT 1), 0)
$$;
REVOKE ALL ON FUNCTION app.waiver_text_version(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_text_version(uuid) TO porchlight_app;

-- file: schema.sql
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    email_change_asked_at timestamptz,
    ended_sign_ins timestamptz[] NOT NULL DEFAULT '{}',
    suspended_at timestamptz,
    suspended_reason text NOT NULL DEFAULT '',
    suspended_site boolean NOT NULL DEFAULT false,
    listed_plan text NOT NULL DEFAULT 'community',
    plan_check_at timestamptz,
    CONSTRAINT pk_users PRIMARY KEY (user_id),
    CONSTRAINT uq_users_firebase_uid UNIQUE (firebase_uid),
    CONSTRAINT ck_users_erased CHECK (status <> 'erased' OR email = ''),
    CONSTRAINT ck_users_status CHECK (status IN ('active', 'suspended', 'erased'))
);
CREATE INDEX ix_users_email_change_asked_at ON users (email_change_asked_at) WHERE email_change_asked_at IS NOT NULL;
CREATE INDEX ix_users_email_start ON users (lower(left(email, 2)));
CREATE INDEX ix_users_email_trgm ON users USING gin (email gin_trgm_ops);
CREATE INDEX ix_users_plan_check_at ON users (plan_check_at) WHERE plan_check_at IS NOT NULL;
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    expires_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL DEFAULT app.now(),
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    published boolean NOT NULL DEFAULT true,
    photo_url text NOT NULL DEFAULT '',
    suspended_at timestamptz,
    suspension_reason text NOT NULL DEFAULT '',
    main_domain text,
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
    secondary_color, icon, emoji, seo_title, seo_description, contact_email, content_version, updated_at, photo_url,
    main_domain) ON gurus TO porchlight_app;

-- Custom domains of gurus. A domain serves the site, and gets a certificate, once verified_at is set: by its DNS records
-- or by the operator. Until then several gurus may claim it.
-- proof: who vouches for it, the domain's own DNS records or the operator. token is the value of the TXT record that
-- proves control. outcome and found describe the last check, failing_since the first of the failed ones. over_limit:
-- the owner's plan has no domain; it is not served until it has one again. leads_here: whether all visitors of the
-- domain reached us, when DNS last answered a check.
CREATE TABLE domains (
    tenant_id uuid NOT NULL,
    domain text NOT NULL,
    verified_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    token text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
    proof text NOT NULL DEFAULT 'dns',
    checked_at timestamptz,
    next_check_at timestamptz,
    outcome text NOT NULL DEFAULT '',
    found text NOT NULL DEFAULT '',
    failing_since timestamptz,
    certificate_until timestamptz,
    over_limit boolean NOT NULL DEFAULT false,
    leads_here boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_domains PRIMARY KEY (tenant_id, domain),
    CONSTRAINT fk_domains_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_domains_domain CHECK (domain = lower(domain)),
    CONSTRAINT ck_domains_proof CHECK (proof IN ('dns', 'operator'))
);
CREATE INDEX ix_domains_domain ON domains (domain);
CREATE INDEX ix_domains_next_check_at ON domains (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE UNIQUE INDEX uq_domains_verified ON domains (domain) WHERE verified_at IS NOT NULL;
ALTER TABLE domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE domains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domains TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON domains FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON domains TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, DELETE ON domains TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON domains TO porchlight_overseer;
GRANT INSERT (tenant_id, domain) ON domains TO porchlight_app;
GRANT INSERT (next_check_at), UPDATE (next_check_at) ON domains TO porchlight_app;
GRANT UPDATE (over_limit) ON domains TO porchlight_app;

-- Which user owns which guru.
CREATE TABLE memberships (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL DEFAULT 'owner',
    created_at timestamptz NOT NULL DEFAULT app.now(),
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

-- Subdomains that a guru had before a rename. They redirect, and no other guru can take them.
CREATE TABLE retired_labels (
    tenant_id uuid NOT NULL,
    label text NOT NULL,
    retired_at timestamptz NOT NULL DEFAULT app.now(),
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

-- == embeddings =======================================================================================================

-- The distinct texts of skills and searches. `in_use` means that a listing or a wish has this name. `related_by` names
-- what computed its relations; NULL means that the embeddings job has not read it yet. Ids are integers, because these
-- rows are joined in the millions.
-- related_by: a model's name or "words-1". searched_on: the last day of a search for it, where it is not in use.
CREATE TABLE phrases (
    id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    words text NOT NULL,
    in_use boolean NOT NULL,
    related_by text,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    searched_on date NOT NULL DEFAULT app.now()::date,
    CONSTRAINT pk_phrases PRIMARY KEY (id),
    CONSTRAINT uq_phrases_words UNIQUE (words)
);
CREATE INDEX ix_phrases_searched_on ON phrases (searched_on) WHERE NOT in_use;
CREATE INDEX ix_phrases_unrelated ON phrases (id) WHERE related_by IS NULL;
CREATE INDEX ix_phrases_unspaced ON phrases USING gin (app.unspaced_grams(words))
    WHERE app.unspaced_grams(words) IS NOT NULL;
CREATE INDEX ix_phrases_words_english ON phrases USING gin (to_tsvector('english'::regconfig, words));
CREATE INDEX ix_phrases_words_trgm ON phrases USING gin (words gin_trgm_ops);
GRANT SELECT, INSERT, UPDATE, DELETE ON phrases TO porchlight_overseer;
GRANT SELECT (id, related_by) ON phrases TO porchlight_app;

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

-- The sums of the listed angels of a service in one city and one cell. Written by triggers on angel_listings.
CREATE TABLE angel_cells (
    service_id text NOT NULL,
    city text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    angels integer NOT NULL,
    rate_sum bigint NOT NULL,
    ratings integer NOT NULL,
    rating_sum integer NOT NULL,
    CONSTRAINT pk_angel_cells PRIMARY KEY (service_id, city, latitude, longitude)
);
GRANT SELECT ON angel_cells TO porchlight_app, porchlight_overseer;

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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
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
CREATE POLICY founding ON angels TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON angels TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, DELETE ON angels TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON angels TO porchlight_overseer;
GRANT INSERT (user_id, service_id, created_at) ON angels TO porchlight_app;
GRANT INSERT (rate_cents, about, days, radius_miles, mails_a_day, city, region, latitude, longitude, active,
    updated_at), UPDATE (rate_cents, about, days, radius_miles, mails_a_day, city, region, latitude, longitude, active,
    updated_at) ON angels TO porchlight_app;

-- The public list of each service: active angels with public profiles. Written by triggers.
-- angel_id is the user. rank is the score below zero, so that the best comes first; then place decides: '0' for Premium
-- Angels, else '1', and the handle.
CREATE TABLE angel_listings (
    service_id text NOT NULL,
    angel_id uuid NOT NULL,
    city text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    rank double precision NOT NULL,
    place text NOT NULL,
    rate_cents integer NOT NULL,
    ratings integer NOT NULL,
    rating_sum integer NOT NULL,
    CONSTRAINT pk_angel_listings PRIMARY KEY (service_id, angel_id),
    CONSTRAINT fk_angel_listings_angel_id_service_id FOREIGN KEY (angel_id, service_id)
        REFERENCES angels (user_id, service_id) ON DELETE CASCADE
);
CREATE INDEX ix_angel_listings_angel_id ON angel_listings (angel_id, service_id);
CREATE INDEX ix_angel_listings_cell ON angel_listings (service_id, latitude, longitude, rank, place);
CREATE INDEX ix_angel_listings_city ON angel_listings (service_id, lower(city), rank, place);
CREATE INDEX ix_angel_listings_rank ON angel_listings (service_id, rank, place);
GRANT SELECT ON angel_listings TO porchlight_overseer;
GRANT SELECT (service_id, angel_id) ON angel_listings TO porchlight_app;

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
-- term is normalized (no accents, lower case) and compared byte by byte. term_length is in characters.
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    over_limit boolean NOT NULL DEFAULT false,
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
CREATE POLICY lookup ON services FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON services TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON services TO porchlight_app, porchlight_overseer;

-- == hours ============================================================================================================

-- The hours of a guru. `rules_version` changes with everything that decides which times are offered, `version` also
-- with every booking.
CREATE TABLE calendars (
    tenant_id uuid NOT NULL,
    zone text NOT NULL,
    step_minutes smallint NOT NULL DEFAULT 30,
    notice_minutes integer NOT NULL DEFAULT 720,
    horizon_days smallint NOT NULL DEFAULT 60,
    day_max smallint,
    paused_until timestamptz,
    confirmed_at timestamptz,
    rules_version bigint NOT NULL DEFAULT 1,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_calendars PRIMARY KEY (tenant_id),
    CONSTRAINT fk_calendars_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_calendars_day_max CHECK (day_max BETWEEN 1 AND 100),
    CONSTRAINT ck_calendars_horizon CHECK (horizon_days BETWEEN 1 AND 365),
    CONSTRAINT ck_calendars_notice CHECK (notice_minutes BETWEEN 0 AND 43200),
    CONSTRAINT ck_calendars_step CHECK (step_minutes IN (5, 10, 15, 20, 30, 60))
);
ALTER TABLE calendars ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendars FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON calendars TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY founding ON calendars TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON calendars TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON calendars TO porchlight_app, porchlight_overseer;

-- The hours of one date, instead of those of its weekday. An empty range means closed.
CREATE TABLE date_hours (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    during int4range NOT NULL,
    CONSTRAINT pk_date_hours PRIMARY KEY (tenant_id, day, during),
    CONSTRAINT fk_date_hours_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT ck_date_hours_during CHECK (during <@ int4range(0, 1440)),
    CONSTRAINT ex_date_hours_during EXCLUDE USING gist (tenant_id WITH =, day WITH =, during WITH &&)
);
ALTER TABLE date_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE date_hours FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON date_hours TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON date_hours TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON date_hours TO porchlight_app, porchlight_overseer;

-- The hours of a normal week: ranges of wall time in minutes after midnight. Monday is 0.
CREATE TABLE weekly_hours (
    tenant_id uuid NOT NULL,
    weekday smallint NOT NULL,
    during int4range NOT NULL,
    CONSTRAINT pk_weekly_hours PRIMARY KEY (tenant_id, weekday, during),
    CONSTRAINT fk_weekly_hours_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT ck_weekly_hours_during CHECK (during <@ int4range(0, 1440) AND NOT isempty(during)),
    CONSTRAINT ck_weekly_hours_weekday CHECK (weekday BETWEEN 0 AND 6),
    CONSTRAINT ex_weekly_hours_during EXCLUDE USING gist (tenant_id WITH =, weekday WITH =, during WITH &&)
);
ALTER TABLE weekly_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE weekly_hours FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON weekly_hours TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON weekly_hours TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON weekly_hours TO porchlight_app, porchlight_overseer;

-- Times that a guru is busy: sessions of a service, and blocks. They hold no personal data. `blocked` includes setup
-- and cleanup. A trigger keeps `taken`, the number of occupied seats, and ends a session without bookings.
CREATE TABLE appointments (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    service_id uuid,
    kind text NOT NULL DEFAULT 'session',
    fixed boolean NOT NULL DEFAULT false,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    zone text NOT NULL,
    blocked tstzrange NOT NULL,
    capacity smallint NOT NULL DEFAULT 0,
    taken smallint NOT NULL DEFAULT 0,
    live boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    waiting smallint NOT NULL DEFAULT 0,
    local_start timestamp without time zone,
    local_end timestamp without time zone,
    place text,
    place_text text,
    sequence integer NOT NULL DEFAULT 0,
    CONSTRAINT pk_appointments PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_appointments_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT fk_appointments_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE SET NULL (service_id),
    CONSTRAINT ck_appointments_kind CHECK (kind IN ('session', 'block')),
    CONSTRAINT ck_appointments_place CHECK ((place IN ('guru', 'person', 'online', 'agreed')) AND (place IS NULL) =
        (place_text IS NULL)),
    CONSTRAINT ck_appointments_taken CHECK (taken BETWEEN 0 AND capacity),
    CONSTRAINT ck_appointments_times CHECK (ends_at > starts_at AND blocked @> tstzrange(starts_at, ends_at)),
    CONSTRAINT ex_appointments_blocked EXCLUDE USING gist (tenant_id WITH =, blocked WITH &&) WHERE (live)
);
CREATE INDEX ix_appointments_tenant_id_starts_at ON appointments (tenant_id, starts_at) WHERE live;
CREATE INDEX ix_appointments_tenant_id_waiting ON appointments (tenant_id) WHERE live AND (waiting > 0);
ALTER TABLE appointments ENABLE ROW LEVEL SECURITY;
ALTER TABLE appointments FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON appointments TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY founding ON appointments TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON appointments TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON appointments TO porchlight_app, porchlight_overseer;

-- How a service is booked. A service without a row, or with `open` false, is not offered.
CREATE TABLE booking_settings (
    tenant_id uuid NOT NULL,
    service_id uuid NOT NULL,
    open boolean NOT NULL DEFAULT false,
    capacity smallint NOT NULL DEFAULT 1,
    party_max smallint NOT NULL DEFAULT 1,
    setup_minutes smallint NOT NULL DEFAULT 0,
    cleanup_minutes smallint NOT NULL DEFAULT 0,
    starts text NOT NULL DEFAULT 'hours',
    approval text NOT NULL DEFAULT 'instant',
    place text NOT NULL DEFAULT 'guru',
    place_text text NOT NULL DEFAULT '',
    waiver text NOT NULL DEFAULT 'risk',
    risk text NOT NULL DEFAULT '',
    policy text NOT NULL DEFAULT 'flexible',
    free_until_minutes integer NOT NULL DEFAULT 1440,
    late_percent smallint NOT NULL DEFAULT 0,
    missed_percent smallint NOT NULL DEFAULT 50,
    moves_max smallint NOT NULL DEFAULT 2,
    move_until_minutes integer NOT NULL DEFAULT 1440,
    bring text NOT NULL DEFAULT '',
    CONSTRAINT pk_booking_settings PRIMARY KEY (tenant_id, service_id),
    CONSTRAINT fk_booking_settings_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT fk_booking_settings_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_booking_settings_approval CHECK (approval IN ('instant', 'request')),
    CONSTRAINT ck_booking_settings_buffers CHECK (setup_minutes BETWEEN 0 AND 240 AND cleanup_minutes BETWEEN 0 AND
        240),
    CONSTRAINT ck_booking_settings_capacity CHECK (capacity BETWEEN 1 AND 100),
    CONSTRAINT ck_booking_settings_party CHECK (party_max BETWEEN 1 AND LEAST(10, capacity::integer)),
    CONSTRAINT ck_booking_settings_place CHECK (place IN ('guru', 'person', 'online', 'agreed')),
    CONSTRAINT ck_booking_settings_policy CHECK (policy IN ('flexible', 'moderate', 'strict', 'own')),
    CONSTRAINT ck_booking_settings_risk CHECK (risk IN ('', 'low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_booking_settings_starts CHECK (starts IN ('hours', 'fixed')),
    CONSTRAINT ck_booking_settings_terms CHECK (free_until_minutes BETWEEN 0 AND 43200 AND move_until_minutes BETWEEN 0
        AND 43200 AND late_percent BETWEEN 0 AND 100 AND missed_percent BETWEEN 0 AND 100 AND moves_max BETWEEN 0 AND
        10),
    CONSTRAINT ck_booking_settings_waiver CHECK (waiver IN ('risk', 'always', 'signed'))
);
ALTER TABLE booking_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON booking_settings TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON booking_settings FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_settings TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_settings TO porchlight_app, porchlight_overseer;

-- == bookings =========================================================================================================

-- Local days for which the list of sessions of a guru was queued.
CREATE TABLE booking_agendas (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_booking_agendas PRIMARY KEY (tenant_id, day),
    CONSTRAINT fk_booking_agendas_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE booking_agendas ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_agendas FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON booking_agendas TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_agendas TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON booking_agendas TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_agendas TO porchlight_overseer;

-- Bookings of people with gurus: rows of two parties. Price, length, place and terms are copies. `hold_hash` is the
-- digest of the token of a hold; a hold without a person was made by a visitor.
CREATE TABLE bookings (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    service_id uuid NOT NULL,
    person_id uuid,
    hold_hash bytea,
    address_hash bytea,
    status text NOT NULL,
    party smallint NOT NULL DEFAULT 1,
    participants text[] NOT NULL DEFAULT '{}',
    person_name text NOT NULL DEFAULT '',
    note text NOT NULL DEFAULT '',
    guru_label text NOT NULL,
    guru_name text NOT NULL,
    service_name text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    zone text NOT NULL,
    price_cents bigint NOT NULL,
    currency text NOT NULL,
    approval text NOT NULL,
    place text NOT NULL,
    place_text text NOT NULL DEFAULT '',
    terms jsonb NOT NULL,
    terms_digest bytea NOT NULL,
    waiver_level text NOT NULL DEFAULT '',
    waiver_id uuid,
    waiver_until timestamptz,
    sequence integer NOT NULL DEFAULT 0,
    moves smallint NOT NULL DEFAULT 0,
    series_id uuid,
    proposed_start timestamptz,
    expires_at timestamptz,
    confirmed_at timestamptz,
    ended_by text NOT NULL DEFAULT '',
    ended_at timestamptz,
    reason text NOT NULL DEFAULT '',
    owed_cents bigint NOT NULL DEFAULT 0,
    idempotency_key text,
    digest bytea,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    proposed_until timestamptz,
    proposed_reason text NOT NULL DEFAULT '',
    proposals smallint NOT NULL DEFAULT 0,
    person_address text NOT NULL DEFAULT '',
    late_since timestamptz,
    left_appointment_id uuid,
    person_zone text NOT NULL DEFAULT '',
    customer_email text NOT NULL DEFAULT '',
    customer_token uuid,
    bring text NOT NULL DEFAULT '',
    CONSTRAINT pk_bookings PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_bookings_tenant_id_hold_hash UNIQUE (tenant_id, hold_hash),
    CONSTRAINT uq_bookings_tenant_id_person_id_idempotency_key UNIQUE (tenant_id, person_id, idempotency_key),
    CONSTRAINT fk_bookings_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_bookings_tenant_id_appointment_id FOREIGN KEY (tenant_id, appointment_id)
        REFERENCES appointments (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_bookings_expires CHECK ((status IN ('held', 'requested')) = (expires_at IS NOT NULL)),
    CONSTRAINT ck_bookings_owed CHECK (owed_cents BETWEEN 0 AND price_cents),
    CONSTRAINT ck_bookings_party CHECK (party BETWEEN 1 AND 10),
    CONSTRAINT ck_bookings_person CHECK ((status IN ('held', 'expired')) OR person_id IS NOT NULL),
    CONSTRAINT ck_bookings_proposal CHECK ((proposed_start IS NULL) = (proposed_until IS NULL) AND (proposed_start IS
        NULL OR status = 'confirmed')),
    CONSTRAINT ck_bookings_status CHECK (status IN ('held', 'requested', 'confirmed', 'declined', 'canceled',
        'expired', 'missed', 'completed')),
    CONSTRAINT ck_bookings_times CHECK (ends_at > starts_at)
);
CREATE INDEX ix_bookings_expires_at ON bookings (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ix_bookings_id ON bookings (id);
CREATE INDEX ix_bookings_names_trgm ON bookings USING gin (service_name gin_trgm_ops, guru_name gin_trgm_ops)
    WHERE status <> ALL (ARRAY['held', 'expired']);
CREATE INDEX ix_bookings_open ON bookings (tenant_id, starts_at, id) WHERE status IN ('requested', 'confirmed');
CREATE INDEX ix_bookings_person_id_starts_at ON bookings (person_id, starts_at) WHERE person_id IS NOT NULL;
CREATE INDEX ix_bookings_proposed_until ON bookings (proposed_until) WHERE proposed_until IS NOT NULL;
CREATE INDEX ix_bookings_starts_at ON bookings (starts_at) WHERE status = 'confirmed';
CREATE INDEX ix_bookings_starts_at_id ON bookings (starts_at, id) WHERE status <> ALL (ARRAY['held', 'expired']);
CREATE INDEX ix_bookings_tenant_id_address_hash ON bookings (tenant_id, address_hash, created_at)
    WHERE address_hash IS NOT NULL;
CREATE INDEX ix_bookings_tenant_id_appointment_id ON bookings (tenant_id, appointment_id);
CREATE INDEX ix_bookings_tenant_id_customer_token ON bookings (tenant_id, customer_token)
    WHERE customer_token IS NOT NULL;
CREATE INDEX ix_bookings_tenant_id_starts_at ON bookings (tenant_id, starts_at);
CREATE UNIQUE INDEX uq_bookings_active_person ON bookings (tenant_id, appointment_id, person_id)
    WHERE status IN ('held', 'requested', 'confirmed');
ALTER TABLE bookings ENABLE ROW LEVEL SECURITY;
ALTER TABLE bookings FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON bookings TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON bookings TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON bookings TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON bookings TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON bookings TO porchlight_overseer;
GRANT UPDATE (person_zone) ON bookings TO porchlight_app;

-- People who wait for a seat in a full session, in the order of `number`.
CREATE TABLE waitlist (
    tenant_id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    number integer NOT NULL,
    person_id uuid NOT NULL,
    party smallint NOT NULL DEFAULT 1,
    status text NOT NULL DEFAULT 'waiting',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    guru_label text NOT NULL,
    guru_name text NOT NULL,
    service_id uuid NOT NULL,
    service_name text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    zone text NOT NULL,
    CONSTRAINT pk_waitlist PRIMARY KEY (tenant_id, appointment_id, number),
    CONSTRAINT fk_waitlist_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_waitlist_tenant_id_appointment_id FOREIGN KEY (tenant_id, appointment_id)
        REFERENCES appointments (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_waitlist_party CHECK (party BETWEEN 1 AND 10),
    CONSTRAINT ck_waitlist_status CHECK (status IN ('waiting', 'offered', 'taken', 'lapsed', 'left'))
);
CREATE INDEX ix_waitlist_person_id ON waitlist (person_id);
CREATE UNIQUE INDEX uq_waitlist_active_person ON waitlist (tenant_id, appointment_id, person_id)
    WHERE status IN ('waiting', 'offered');
ALTER TABLE waitlist ENABLE ROW LEVEL SECURITY;
ALTER TABLE waitlist FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON waitlist TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON waitlist FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON waitlist TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON waitlist TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON waitlist TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON waitlist TO porchlight_overseer;

-- Emails about bookings. The key makes each unique, so that it is sent once.
CREATE TABLE booking_emails (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    kind text NOT NULL,
    side text NOT NULL,
    sequence integer NOT NULL,
    person_id uuid NOT NULL,
    status text NOT NULL DEFAULT 'due',
    attempts smallint NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    collected boolean NOT NULL DEFAULT false,
    sent_at timestamptz,
    CONSTRAINT pk_booking_emails PRIMARY KEY (tenant_id, booking_id, kind, side, sequence),
    CONSTRAINT fk_booking_emails_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_booking_emails_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_booking_emails_kind CHECK (kind IN ('requested', 'booked', 'accepted', 'declined', 'expired',
        'withdrawn', 'canceled', 'moved', 'clocks_changed', 'place_changed', 'address_changed', 'proposed',
        'proposal_withdrawn', 'proposal_expired', 'proposal_lapsed', 'move_accepted', 'move_declined', 'spot_free',
        'day_before', 'soon', 'waiver_week', 'waiver_days')),
    CONSTRAINT ck_booking_emails_side CHECK (side IN ('person', 'guru')),
    CONSTRAINT ck_booking_emails_status CHECK (status IN ('due', 'sent', 'void', 'failed'))
);
CREATE INDEX ix_booking_emails_due_at ON booking_emails (due_at) WHERE status = 'due';
CREATE INDEX ix_booking_emails_failed ON booking_emails (due_at) WHERE status = 'failed';
CREATE INDEX ix_booking_emails_person_id ON booking_emails (person_id);
CREATE INDEX ix_booking_emails_tenant_id_side_created_at ON booking_emails (tenant_id, side, created_at);
ALTER TABLE booking_emails ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_emails FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON booking_emails TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_emails TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON booking_emails TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON booking_emails TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_emails TO porchlight_overseer;
GRANT UPDATE (status, attempts, due_at, collected, sent_at) ON booking_emails TO porchlight_app;

-- The history of a booking: append-only.
CREATE TABLE booking_events (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    number integer NOT NULL,
    person_id uuid,
    at timestamptz NOT NULL DEFAULT app.now(),
    actor text NOT NULL,
    event text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT pk_booking_events PRIMARY KEY (tenant_id, booking_id, number),
    CONSTRAINT fk_booking_events_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_booking_events_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_booking_events_actor CHECK (actor IN ('person', 'guru', 'staff', 'system'))
);
CREATE INDEX ix_booking_events_person_id ON booking_events (person_id) WHERE person_id IS NOT NULL;
ALTER TABLE booking_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_events FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON booking_events TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_events TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON booking_events TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON booking_events TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_events TO porchlight_overseer;

-- Who takes part in a booking that needs a waiver, who signs for each, and the waiver that covers them: rows of two
-- parties. `token` is in the personal link of someone who signs without an account.
CREATE TABLE participants (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    number smallint NOT NULL,
    person_id uuid NOT NULL,
    name text NOT NULL,
    signer text NOT NULL,
    signer_id uuid NOT NULL,
    waiver_id uuid,
    waiver_until timestamptz,
    signed_by text NOT NULL DEFAULT '',
    email text NOT NULL DEFAULT '',
    token uuid,
    email_due timestamptz,
    emailed_at timestamptz,
    emails smallint NOT NULL DEFAULT 0,
    CONSTRAINT pk_participants PRIMARY KEY (tenant_id, booking_id, number),
    CONSTRAINT fk_participants_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_participants_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_participants_number CHECK (number BETWEEN 1 AND 10),
    CONSTRAINT ck_participants_signer CHECK (signer IN ('self', 'guardian', 'link'))
);
CREATE INDEX ix_participants_email_due ON participants (email_due) WHERE email_due IS NOT NULL;
CREATE INDEX ix_participants_person_id ON participants (person_id);
CREATE INDEX ix_participants_tenant_id_signer_id ON participants (tenant_id, signer_id);
CREATE INDEX ix_participants_tenant_id_token ON participants (tenant_id, token);
ALTER TABLE participants ENABLE ROW LEVEL SECURITY;
ALTER TABLE participants FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON participants TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON participants TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON participants TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON participants TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON participants TO porchlight_overseer;
GRANT UPDATE (email, token, email_due, emailed_at, emails) ON participants TO porchlight_app;

-- == admin ============================================================================================================

-- Hashed network addresses from which staff signed in: wrong keys do not lock them.
CREATE TABLE admin_addresses (
    address_hash bytea NOT NULL,
    signed_in_at timestamptz NOT NULL,
    CONSTRAINT pk_admin_addresses PRIMARY KEY (address_hash)
);
CREATE INDEX ix_admin_addresses_signed_in_at ON admin_addresses (signed_in_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_addresses TO porchlight_overseer;

-- Wrong admin keys, which are limited by address.
CREATE TABLE admin_attempts (
    id uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT app.now(),
    address_hash bytea NOT NULL DEFAULT '\x'::bytea,
    CONSTRAINT pk_admin_attempts PRIMARY KEY (id)
);
CREATE INDEX ix_admin_attempts_address_hash_at ON admin_attempts (address_hash, at);
CREATE INDEX ix_admin_attempts_at ON admin_attempts (at);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_attempts TO porchlight_overseer;

-- Keys of named staff, as hashes.
CREATE TABLE admin_keys (
    id uuid NOT NULL,
    name text NOT NULL,
    key_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    last_used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT pk_admin_keys PRIMARY KEY (id),
    CONSTRAINT uq_admin_keys_key_hash UNIQUE (key_hash)
);
CREATE UNIQUE INDEX ix_admin_keys_name ON admin_keys (lower(name)) WHERE revoked_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_keys TO porchlight_overseer;

-- Counters in 16 rows each, so that concurrent transactions seldom wait for each other.
CREATE TABLE counters (
    name text NOT NULL,
    slot smallint NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT pk_counters PRIMARY KEY (name, slot)
);
GRANT SELECT ON counters TO porchlight_overseer;

-- Counters per day, such as leads, for the admin overview.
CREATE TABLE daily_counters (
    name text NOT NULL,
    day date NOT NULL,
    slot smallint NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT pk_daily_counters PRIMARY KEY (name, day, slot)
);
GRANT SELECT, DELETE ON daily_counters TO porchlight_overseer;

-- Sessions of staff.
-- key_name: the name of the key's holder, or of a shared key of the settings. key_id: NULL for a shared key.
CREATE TABLE admin_sessions (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    key_name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    last_seen_at timestamptz NOT NULL DEFAULT app.now(),
    expires_at timestamptz NOT NULL,
    key_id uuid,
    CONSTRAINT pk_admin_sessions PRIMARY KEY (id),
    CONSTRAINT uq_admin_sessions_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_admin_sessions_key_id FOREIGN KEY (key_id) REFERENCES admin_keys (id) ON DELETE CASCADE
);
CREATE INDEX ix_admin_sessions_key_id ON admin_sessions (key_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_sessions TO porchlight_overseer;

-- Staff who view the product as a guru, and since when they may also change something.
-- Read-only before write_enabled_at.
CREATE TABLE impersonations (
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    guru_id uuid NOT NULL,
    reason text NOT NULL,
    write_enabled_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT app.now(),
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_documents PRIMARY KEY (user_id, id),
    CONSTRAINT uq_documents_user_id_file_id UNIQUE (user_id, file_id),
    CONSTRAINT fk_documents_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_documents_user_id_file_id FOREIGN KEY (user_id, file_id) REFERENCES document_files (user_id, id),
    CONSTRAINT ck_documents_dates CHECK (issued_on <= expires_on),
    CONSTRAINT ck_documents_file CHECK (file_url = '' OR file_id IS NULL),
    CONSTRAINT ck_documents_file_url CHECK (file_url = '' OR file_url ~ '^https://'),
    CONSTRAINT ck_documents_status CHECK (status IN ('pending', 'approved', 'rejected', 'lapsed', 'incomplete')),
    CONSTRAINT ck_documents_type CHECK (type IN ('license', 'insurance', 'auto', 'cert', 'id')),
    CONSTRAINT ck_documents_viewable CHECK ((status IN ('rejected', 'lapsed', 'incomplete')) OR file_url <> '' OR
        file_id IS NOT NULL)
);
-- The daily job finds documents that expire, and staff see those that wait, oldest first.
CREATE INDEX ix_documents_approved ON documents (expires_on) WHERE status = 'approved';
CREATE INDEX ix_documents_pending ON documents (id) WHERE status = 'pending';
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON documents TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON documents FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY lapsed ON documents AS RESTRICTIVE FOR UPDATE TO porchlight_app USING (status = 'approved')
    WITH CHECK (status = 'lapsed');
CREATE POLICY overseer ON documents TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY submitted ON documents AS RESTRICTIVE FOR INSERT TO porchlight_app
    WITH CHECK ((status = 'pending') AND (reason = '') AND (reviewed_at IS NULL));
GRANT SELECT, INSERT, DELETE ON documents TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON documents TO porchlight_overseer;
GRANT UPDATE (status) ON documents TO porchlight_app;

-- The history of each document.
CREATE TABLE document_events (
    user_id uuid NOT NULL,
    document_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    actor text NOT NULL,
    note text NOT NULL DEFAULT '',
    at timestamptz NOT NULL DEFAULT app.now(),
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
CREATE POLICY undecided ON document_events AS RESTRICTIVE FOR INSERT TO porchlight_app
    WITH CHECK (kind IN ('submitted', 'opened', 'reminded', 'lapsed'));
GRANT SELECT, INSERT ON document_events TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON document_events TO porchlight_overseer;

-- Which reminders of an expiry were sent.
CREATE TABLE document_reminders (
    user_id uuid NOT NULL,
    document_id uuid NOT NULL,
    days integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
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

-- == images ===========================================================================================================

-- Images of guru sites.
CREATE TABLE site_images (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    size integer NOT NULL,
    data bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_site_images PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_site_images_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE site_images ENABLE ROW LEVEL SECURITY;
ALTER TABLE site_images FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON site_images TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON site_images TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON site_images TO porchlight_app, porchlight_overseer;

-- == leads ============================================================================================================

-- Email addresses to which a site sends receipts and replies, and what their owners said about it.
CREATE TABLE lead_addresses (
    tenant_id uuid NOT NULL,
    email text NOT NULL,
    state text NOT NULL DEFAULT 'unconfirmed',
    token uuid NOT NULL DEFAULT gen_random_uuid(),
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_lead_addresses PRIMARY KEY (tenant_id, email),
    CONSTRAINT uq_lead_addresses_tenant_id_token UNIQUE (tenant_id, token),
    CONSTRAINT fk_lead_addresses_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_lead_addresses_email CHECK (email = lower(email)),
    CONSTRAINT ck_lead_addresses_state CHECK (state IN ('unconfirmed', 'confirmed', 'blocked'))
);
ALTER TABLE lead_addresses ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_addresses FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_addresses TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON lead_addresses TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON lead_addresses TO porchlight_app, porchlight_overseer;

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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    preferred_time text NOT NULL DEFAULT '',
    network_hash bytea,
    awaits_digest boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_leads PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_leads_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_leads_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_leads_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE SET NULL (service_id),
    CONSTRAINT ck_leads_status CHECK (status IN ('new', 'read', 'answered', 'archived'))
);
CREATE INDEX ix_leads_tenant_id_awaits_digest ON leads (tenant_id) WHERE awaits_digest;
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
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

-- == listings =========================================================================================================

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
    updated_at timestamptz NOT NULL DEFAULT app.now(),
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

-- Listings that staff hid, by owner and phrase, so that removing the skill and adding it again does not show it.
CREATE TABLE hidden_listings (
    owner_id uuid NOT NULL,
    phrase_id integer NOT NULL,
    reason text NOT NULL,
    hidden_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_hidden_listings PRIMARY KEY (owner_id, phrase_id),
    CONSTRAINT fk_hidden_listings_owner_id FOREIGN KEY (owner_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_hidden_listings_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id)
);
CREATE INDEX ix_hidden_listings_hidden_at ON hidden_listings (hidden_at);
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
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    visible boolean NOT NULL DEFAULT false,
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    over_limit boolean NOT NULL DEFAULT false,
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
CREATE INDEX ix_skill_offers_title_start ON skill_offers (lower(left(title, 2)), created_at, id) INCLUDE (title);
CREATE INDEX ix_skill_offers_title_trgm ON skill_offers USING gin (title gin_trgm_ops);
ALTER TABLE skill_offers ENABLE ROW LEVEL SECURITY;
ALTER TABLE skill_offers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON skill_offers TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON skill_offers FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON skill_offers TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_skill_wants PRIMARY KEY (user_id, id),
    CONSTRAINT uq_skill_wants_user_id_phrase_id UNIQUE (user_id, phrase_id),
    CONSTRAINT fk_skill_wants_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id),
    CONSTRAINT fk_skill_wants_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_skill_wants_level CHECK (level IN ('beginner', 'intermediate', 'advanced', 'expert'))
);
CREATE INDEX ix_skill_wants_near ON skill_wants (phrase_id, tile, cell_lat, cell_lon, user_id) WHERE visible;
CREATE INDEX ix_skill_wants_newest ON skill_wants (tile, id) INCLUDE (phrase_id, user_id) WHERE visible;
ALTER TABLE skill_wants ENABLE ROW LEVEL SECURITY;
ALTER TABLE skill_wants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON skill_wants TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON skill_wants FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON skill_wants TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON skill_wants TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON skill_wants TO porchlight_app, porchlight_overseer;

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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    over_limit boolean NOT NULL DEFAULT false,
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

-- The languages of the owners of public listings, so that a search for one reads no others.
CREATE TABLE skill_offer_languages (
    offer_id uuid NOT NULL,
    language text NOT NULL,
    phrase_id integer NOT NULL,
    tile integer NOT NULL,
    CONSTRAINT pk_skill_offer_languages PRIMARY KEY (offer_id, language),
    CONSTRAINT fk_skill_offer_languages_offer_id FOREIGN KEY (offer_id) REFERENCES skill_offers (id) ON DELETE CASCADE
);
CREATE INDEX ix_skill_offer_languages_near ON skill_offer_languages (phrase_id, language, tile);
GRANT SELECT ON skill_offer_languages TO porchlight_overseer;

-- == matches ==========================================================================================================

-- Rings of three users of whom each can teach the next. `availability_bits` holds the availability bits they share.
-- digest is the hash of its members, so that a ring is proposed only once.
-- availability_bits: the times that all three members share, as in UserLocation.
CREATE TABLE swap_rings (
    id uuid NOT NULL,
    digest bytea NOT NULL,
    state text NOT NULL DEFAULT 'proposed',
    availability_bits integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
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

-- == money ============================================================================================================

-- Posted events, one per subject and event. Only app.post adds rows; triggers refuse every change.
-- digest covers everything that was posted. reverses: the transaction that it takes back.
CREATE TABLE ledger_transactions (
    id uuid NOT NULL,
    event text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    stripe_object text NOT NULL DEFAULT '',
    at timestamptz NOT NULL DEFAULT app.now(),
    digest bytea NOT NULL,
    reverses uuid,
    CONSTRAINT pk_ledger_transactions PRIMARY KEY (id),
    CONSTRAINT uq_ledger_transactions_id_event UNIQUE (id, event),
    CONSTRAINT uq_ledger_transactions_reverses UNIQUE (reverses),
    CONSTRAINT uq_ledger_transactions_subject_kind_subject_id_event UNIQUE (subject_kind, subject_id, event),
    CONSTRAINT fk_ledger_transactions_reverses FOREIGN KEY (reverses) REFERENCES ledger_transactions (id)
);
CREATE INDEX ix_ledger_transactions_stripe_object ON ledger_transactions (stripe_object) WHERE stripe_object <> '';
GRANT SELECT ON ledger_transactions TO porchlight_overseer;

-- The kinds of ledger accounts, from `money/rules.toml`. unit: usd (cents) or min (minutes).
-- A kind of account, from rules.toml. unit: usd (cents) or min (minutes). floor: the lowest balance.
CREATE TABLE ledger_kinds (
    kind text NOT NULL,
    holder text NOT NULL,
    unit text NOT NULL,
    floor bigint,
    CONSTRAINT pk_ledger_kinds PRIMARY KEY (kind),
    CONSTRAINT uq_ledger_kinds_kind_unit UNIQUE (kind, unit),
    CONSTRAINT ck_ledger_kinds_holder CHECK (holder IN ('external', 'platform', 'guru', 'customer', 'pair')),
    CONSTRAINT ck_ledger_kinds_unit CHECK (unit IN ('usd', 'min'))
);
GRANT SELECT ON ledger_kinds TO porchlight_overseer;

-- Accounts with at most one owner. They outlive users and gurus. pair_id: one side of a pair of neighbors.
-- Accounts of gurus are keyed by the user who owns the payout account. pair_id: one side of a pair of neighbors. Money
-- outlives accounts of people: no row is deleted with its user.
CREATE TABLE ledger_accounts (
    id uuid NOT NULL,
    kind text NOT NULL,
    unit text NOT NULL,
    tenant_id uuid,
    user_id uuid,
    pair_id uuid,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_ledger_accounts PRIMARY KEY (id),
    CONSTRAINT uq_ledger_accounts_id_unit_kind UNIQUE (id, unit, kind),
    CONSTRAINT uq_ledger_accounts_kind_unit_tenant_id_user_id_pair_id UNIQUE NULLS NOT DISTINCT (kind, unit, tenant_id,
        user_id, pair_id),
    CONSTRAINT fk_ledger_accounts_kind_unit FOREIGN KEY (kind, unit) REFERENCES ledger_kinds (kind, unit),
    CONSTRAINT ck_ledger_accounts_owner CHECK (num_nonnulls(tenant_id, user_id, pair_id) <= 1)
);
CREATE INDEX ix_ledger_accounts_user_id ON ledger_accounts (user_id) WHERE user_id IS NOT NULL;
GRANT SELECT ON ledger_accounts TO porchlight_overseer;

-- The permitted postings, from `money/rules.toml`.
-- A permitted posting, from rules.toml: every transfer has one.
CREATE TABLE ledger_rules (
    event text NOT NULL,
    debit_kind text NOT NULL,
    credit_kind text NOT NULL,
    unit text NOT NULL,
    CONSTRAINT pk_ledger_rules PRIMARY KEY (event, debit_kind, credit_kind, unit),
    CONSTRAINT fk_ledger_rules_credit_kind_unit FOREIGN KEY (credit_kind, unit) REFERENCES ledger_kinds (kind, unit),
    CONSTRAINT fk_ledger_rules_debit_kind_unit FOREIGN KEY (debit_kind, unit) REFERENCES ledger_kinds (kind, unit)
);
GRANT SELECT ON ledger_rules TO porchlight_overseer;

-- Corrections by staff. Above $100 a day a second person approves them.
-- requested_by and decided_by are names of admin keys of named persons.
CREATE TABLE adjustments (
    id uuid NOT NULL,
    event text NOT NULL,
    debit_account uuid NOT NULL,
    credit_account uuid NOT NULL,
    cents bigint NOT NULL,
    reason text NOT NULL,
    state text NOT NULL DEFAULT 'requested',
    requested_by text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT app.now(),
    decided_by text,
    decided_at timestamptz,
    transaction_id uuid,
    CONSTRAINT pk_adjustments PRIMARY KEY (id),
    CONSTRAINT uq_adjustments_transaction_id UNIQUE (transaction_id),
    CONSTRAINT fk_adjustments_credit_account FOREIGN KEY (credit_account) REFERENCES ledger_accounts (id),
    CONSTRAINT fk_adjustments_debit_account FOREIGN KEY (debit_account) REFERENCES ledger_accounts (id),
    CONSTRAINT fk_adjustments_transaction_id FOREIGN KEY (transaction_id) REFERENCES ledger_transactions (id),
    CONSTRAINT ck_adjustments_cents CHECK (cents > 0),
    CONSTRAINT ck_adjustments_posted CHECK ((state = 'posted') = (transaction_id IS NOT NULL)),
    CONSTRAINT ck_adjustments_reason CHECK (btrim(reason) <> ''),
    CONSTRAINT ck_adjustments_second_holder CHECK (transaction_id IS NULL OR cents <= 10000 OR decided_by IS NOT NULL
        AND lower(decided_by) <> lower(requested_by)),
    CONSTRAINT ck_adjustments_state CHECK (state IN ('requested', 'posted', 'rejected'))
);
CREATE INDEX ix_adjustments_requested ON adjustments (requested_at) WHERE state = 'requested';
GRANT SELECT ON adjustments TO porchlight_overseer;

-- The sums of each account's transfers; the balance is credits - debits. reserved: its open holds. seq: the number of
-- its transfers.
-- reserved: the sum of its open holds.
-- seq: the number of its transfers.
CREATE TABLE ledger_balances (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    unit text NOT NULL,
    debits bigint NOT NULL DEFAULT 0,
    credits bigint NOT NULL DEFAULT 0,
    reserved bigint NOT NULL DEFAULT 0,
    floor bigint,
    seq bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_ledger_balances PRIMARY KEY (account_id),
    CONSTRAINT fk_ledger_balances_account_id_unit_kind FOREIGN KEY (account_id, unit, kind)
        REFERENCES ledger_accounts (id, unit, kind),
    CONSTRAINT ck_ledger_balances_floor CHECK (floor IS NULL OR (credits - debits - reserved) >= floor),
    CONSTRAINT ck_ledger_balances_reserved CHECK (reserved >= 0),
    CONSTRAINT ck_ledger_balances_sums CHECK (debits >= 0 AND credits >= 0 AND seq >= 0)
);
GRANT SELECT ON ledger_balances TO porchlight_overseer;

-- The legs of transactions, with the running number and balance of both accounts. The foreign keys refuse mixed units
-- and pairs of kinds without a rule.
-- The foreign keys refuse a mix of units and a pair of kinds that no rule permits.
CREATE TABLE ledger_transfers (
    transaction_id uuid NOT NULL,
    n smallint NOT NULL,
    event text NOT NULL,
    unit text NOT NULL,
    amount bigint NOT NULL,
    debit_account uuid NOT NULL,
    debit_kind text NOT NULL,
    debit_seq bigint NOT NULL,
    debit_balance_after bigint NOT NULL,
    credit_account uuid NOT NULL,
    credit_kind text NOT NULL,
    credit_seq bigint NOT NULL,
    credit_balance_after bigint NOT NULL,
    CONSTRAINT pk_ledger_transfers PRIMARY KEY (transaction_id, n),
    CONSTRAINT uq_ledger_transfers_credit_account_credit_seq UNIQUE (credit_account, credit_seq),
    CONSTRAINT uq_ledger_transfers_debit_account_debit_seq UNIQUE (debit_account, debit_seq),
    CONSTRAINT fk_ledger_transfers_credit_account_unit_credit_kind FOREIGN KEY (credit_account, unit, credit_kind)
        REFERENCES ledger_accounts (id, unit, kind),
    CONSTRAINT fk_ledger_transfers_debit_account_unit_debit_kind FOREIGN KEY (debit_account, unit, debit_kind)
        REFERENCES ledger_accounts (id, unit, kind),
    CONSTRAINT fk_ledger_transfers_event_debit_kind_credit_kind_unit FOREIGN KEY (event, debit_kind, credit_kind, unit)
        REFERENCES ledger_rules (event, debit_kind, credit_kind, unit),
    CONSTRAINT fk_ledger_transfers_transaction_id_event FOREIGN KEY (transaction_id, event)
        REFERENCES ledger_transactions (id, event),
    CONSTRAINT ck_ledger_transfers_accounts CHECK (debit_account <> credit_account),
    CONSTRAINT ck_ledger_transfers_amount CHECK (amount > 0)
);
GRANT SELECT ON ledger_transfers TO porchlight_overseer;

-- Amounts reserved for a subject until they are posted, voided or expire. No expires_at: only the subject ends it.
-- expires_at: NULL for a hold that only its subject ends, such as a payout with an unclear outcome.
CREATE TABLE ledger_holds (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    amount bigint NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    expires_at timestamptz,
    state text NOT NULL DEFAULT 'held',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    ended_at timestamptz,
    CONSTRAINT pk_ledger_holds PRIMARY KEY (id),
    CONSTRAINT uq_ledger_holds_subject_kind_subject_id UNIQUE (subject_kind, subject_id),
    CONSTRAINT fk_ledger_holds_account_id FOREIGN KEY (account_id) REFERENCES ledger_balances (account_id),
    CONSTRAINT ck_ledger_holds_amount CHECK (amount > 0),
    CONSTRAINT ck_ledger_holds_state CHECK (state IN ('held', 'posted', 'voided', 'expired'))
);
CREATE INDEX ix_ledger_holds_account_id ON ledger_holds (account_id) WHERE state = 'held';
CREATE INDEX ix_ledger_holds_expires_at ON ledger_holds (expires_at) WHERE state = 'held';
GRANT SELECT ON ledger_holds TO porchlight_overseer;

-- == needs ============================================================================================================

-- Which angel was informed of which need, for the daily limit of emails.
CREATE TABLE need_notices (
    user_id uuid NOT NULL,
    need_id uuid NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT app.now(),
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    attempts smallint NOT NULL DEFAULT 1,
    CONSTRAINT pk_need_offers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_need_offers_id UNIQUE (id),
    CONSTRAINT uq_need_offers_user_id_need_id UNIQUE (user_id, need_id),
    CONSTRAINT fk_need_offers_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_need_offers_attempts CHECK (attempts BETWEEN 1 AND 3),
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
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
CREATE INDEX ix_needs_asked_user_id ON needs (asked_user_id) WHERE asked_user_id IS NOT NULL;
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    cover_id uuid,
    cover_alt text NOT NULL DEFAULT '',
    old_slugs text[] NOT NULL DEFAULT '{}',
    tag_names text[] NOT NULL DEFAULT '{}',
    CONSTRAINT pk_posts PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_posts_tenant_id_slug UNIQUE (tenant_id, slug),
    CONSTRAINT fk_posts_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_posts_tenant_id_cover_id FOREIGN KEY (tenant_id, cover_id)
        REFERENCES site_images (tenant_id, id) ON DELETE SET NULL (cover_id),
    CONSTRAINT ck_posts_published CHECK (status = 'draft' OR published_at IS NOT NULL),
    CONSTRAINT ck_posts_status CHECK (status IN ('draft', 'published'))
);
CREATE INDEX ix_posts_tenant_id_published_at_id ON posts (tenant_id, published_at, id);
CREATE INDEX ix_posts_tenant_id_renamed ON posts (tenant_id) WHERE old_slugs <> '{}';
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
    saved_at timestamptz NOT NULL DEFAULT app.now(),
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
    indexed_at timestamptz NOT NULL DEFAULT app.now(),
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
    seen_at timestamptz NOT NULL DEFAULT app.now(),
    created_at timestamptz NOT NULL DEFAULT app.now(),
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
-- weight (up to 1) is the phrase's share of the entry, tile is where the entry is.
CREATE TABLE search_entry_phrases (
    phrase_id integer NOT NULL,
    kind text NOT NULL,
    item text NOT NULL,
    weight real NOT NULL,
    tile integer NOT NULL DEFAULT -1,
    CONSTRAINT pk_search_entry_phrases PRIMARY KEY (phrase_id, kind, item),
    CONSTRAINT fk_search_entry_phrases_kind_item FOREIGN KEY (kind, item)
        REFERENCES search_entries (kind, item) ON DELETE CASCADE,
    CONSTRAINT fk_search_entry_phrases_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id),
    CONSTRAINT ck_search_entry_phrases_weight CHECK (weight > 0 AND weight <= 1)
);
CREATE INDEX ix_search_entry_phrases_gurus ON search_entry_phrases (phrase_id, item) INCLUDE (weight)
    WHERE (kind = 'guru') AND (weight >= (0.8)::double precision);
CREATE INDEX ix_search_entry_phrases_kind_item ON search_entry_phrases (kind, item);
CREATE INDEX ix_search_entry_phrases_near ON search_entry_phrases (phrase_id, kind, tile);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_entry_phrases TO porchlight_overseer;

-- == waivers ==========================================================================================================

-- The newest link of each chain of waivers. Locked while the next one is signed.
CREATE TABLE waiver_heads (
    chain_id text NOT NULL,
    number bigint NOT NULL DEFAULT 0,
    hash text NOT NULL DEFAULT repeat('0', 64),
    CONSTRAINT pk_waiver_heads PRIMARY KEY (chain_id)
);
GRANT SELECT ON waiver_heads TO porchlight_overseer;

-- Accepted waivers, kept for years: they stay when the account is deleted, without `erasable`.
CREATE TABLE waivers (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    exchange_id text NOT NULL,
    guru_id uuid,
    level text NOT NULL,
    text_version integer NOT NULL,
    record text NOT NULL,
    sha256 text NOT NULL,
    erasable jsonb NOT NULL,
    signed boolean NOT NULL,
    accepted_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    pdf bytea NOT NULL,
    chain_id text NOT NULL,
    number bigint NOT NULL,
    idempotency_key text,
    digest bytea NOT NULL,
    withdrawn_at timestamptz,
    guru_text_version integer,
    CONSTRAINT pk_waivers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_waivers_user_id_chain_id_number UNIQUE (user_id, chain_id, number),
    CONSTRAINT uq_waivers_user_id_idempotency_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT ck_waivers_level CHECK (level IN ('low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_waivers_sha256 CHECK (sha256 = encode(sha256(convert_to(record, 'UTF8'::name)), 'hex')),
    CONSTRAINT ck_waivers_times CHECK (expires_at > accepted_at),
    CONSTRAINT ck_waivers_withdrawal CHECK (withdrawn_at = ended_at)
);
ALTER TABLE waivers ENABLE ROW LEVEL SECURITY;
ALTER TABLE waivers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON waivers TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY founding ON waivers TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON waivers TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON waivers TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON waivers TO porchlight_overseer;
-- Requests may withdraw a waiver, and erase what it can lose when the account is deleted.
GRANT UPDATE (erasable, ended_at, pdf, withdrawn_at) ON waivers TO porchlight_app;

-- Versions of what a guru adds to the waiver: append-only. An empty body is a removed text.
CREATE TABLE guru_waiver_texts (
    tenant_id uuid NOT NULL,
    version integer NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_guru_waiver_texts PRIMARY KEY (tenant_id, version),
    CONSTRAINT fk_guru_waiver_texts_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_guru_waiver_texts_body CHECK (char_length(body) <= 1000),
    CONSTRAINT ck_guru_waiver_texts_version CHECK (version > 0)
);
ALTER TABLE guru_waiver_texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_waiver_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_waiver_texts TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON guru_waiver_texts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON guru_waiver_texts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON guru_waiver_texts TO porchlight_app;
GRANT SELECT, INSERT, DELETE ON guru_waiver_texts TO porchlight_overseer;

-- Signed hashes of waivers: append-only.
-- A link (chain.ChainLink) with its signature.
CREATE TABLE waiver_links (
    chain_id text NOT NULL,
    number bigint NOT NULL,
    previous text NOT NULL,
    record_sha256 text NOT NULL,
    pdf_sha256 text NOT NULL,
    at timestamptz NOT NULL,
    key_id text NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT pk_waiver_links PRIMARY KEY (chain_id, number),
    CONSTRAINT fk_waiver_links_chain_id FOREIGN KEY (chain_id) REFERENCES waiver_heads (chain_id),
    CONSTRAINT ck_waiver_links_number CHECK (number > 0)
);
GRANT SELECT ON waiver_links TO porchlight_overseer;

-- Views of emergency contacts by gurus: a log that both parties see.
CREATE TABLE contact_views (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    booking_id uuid NOT NULL,
    person_id uuid NOT NULL,
    viewed_by uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_contact_views PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_contact_views_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_contact_views_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_contact_views_person_id ON contact_views (person_id);
CREATE INDEX ix_contact_views_tenant_id_booking_id ON contact_views (tenant_id, booking_id);
ALTER TABLE contact_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE contact_views FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON contact_views TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON contact_views TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON contact_views TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON contact_views TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_views TO porchlight_overseer;

-- == account ==========================================================================================================

-- Email addresses of deleted accounts, until the last email to them is sent.
CREATE TABLE pending_account_emails (
    id uuid NOT NULL,
    recipient text NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_pending_account_emails PRIMARY KEY (id)
);
GRANT SELECT, DELETE ON pending_account_emails TO porchlight_overseer;

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
    at timestamptz NOT NULL DEFAULT app.now(),
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
-- key_name does not reveal the key.
CREATE TABLE audit_seals (
    id bigint NOT NULL,
    key_name text NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT pk_audit_seals PRIMARY KEY (id, key_name)
);
GRANT SELECT, INSERT ON audit_seals TO porchlight_overseer;

-- == billing ==========================================================================================================

-- Prices and settings at the payment provider, written by `porchlight billing sync`.
-- An object at Stripe of porchlight billing sync: a price by its lookup key, or the portal's settings.
CREATE TABLE billing_catalog (
    key text NOT NULL,
    object_id text NOT NULL,
    cents integer,
    synced_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_billing_catalog PRIMARY KEY (key)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON billing_catalog TO porchlight_overseer;

-- Users as customers of the payment provider, with the card that is charged by default.
CREATE TABLE billing_customers (
    user_id uuid NOT NULL,
    request_id uuid NOT NULL DEFAULT gen_random_uuid(),
    customer_id text,
    card_brand text NOT NULL DEFAULT '',
    card_last4 text NOT NULL DEFAULT '',
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_billing_customers PRIMARY KEY (user_id),
    CONSTRAINT uq_billing_customers_customer_id UNIQUE (customer_id),
    CONSTRAINT fk_billing_customers_user_id FOREIGN KEY (user_id) REFERENCES users (user_id)
);
ALTER TABLE billing_customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_customers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON billing_customers TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON billing_customers FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON billing_customers TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON billing_customers TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON billing_customers TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON billing_customers TO porchlight_overseer;

-- Changes of a subscription that users asked for, one at a time.
CREATE TABLE plan_changes (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    kind text NOT NULL,
    plan text NOT NULL,
    interval text NOT NULL,
    prorated_at timestamptz,
    state text NOT NULL DEFAULT 'requested',
    payment_url text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_plan_changes PRIMARY KEY (user_id, id),
    CONSTRAINT fk_plan_changes_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_changes_kind CHECK (kind IN ('upgrade', 'downgrade', 'cancel', 'keep')),
    CONSTRAINT ck_plan_changes_state CHECK (state IN ('requested', 'done', 'unpaid', 'refused'))
);
CREATE UNIQUE INDEX uq_plan_changes_requested ON plan_changes (user_id) WHERE state = 'requested';
ALTER TABLE plan_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_changes TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_changes FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON plan_changes TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON plan_changes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_changes TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_changes TO porchlight_overseer;

-- Purchases of a plan: one open checkout for each user.
CREATE TABLE plan_checkouts (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    plan text NOT NULL,
    interval text NOT NULL,
    return_url text NOT NULL,
    state text NOT NULL DEFAULT 'waiting',
    session_id text,
    url text NOT NULL DEFAULT '',
    expires_at timestamptz,
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_plan_checkouts PRIMARY KEY (user_id, id),
    CONSTRAINT uq_plan_checkouts_session_id UNIQUE (session_id),
    CONSTRAINT fk_plan_checkouts_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_checkouts_interval CHECK (interval IN ('month', 'year')),
    CONSTRAINT ck_plan_checkouts_plan CHECK (plan IN ('skill-sharer', 'premium-angel')),
    CONSTRAINT ck_plan_checkouts_state CHECK (state IN ('waiting', 'open', 'complete', 'expired', 'replaced',
        'refused'))
);
CREATE UNIQUE INDEX uq_plan_checkouts_open ON plan_checkouts (user_id) WHERE state IN ('waiting', 'open');
ALTER TABLE plan_checkouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_checkouts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_checkouts TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_checkouts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON plan_checkouts TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON plan_checkouts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_checkouts TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_checkouts TO porchlight_overseer;

-- Disputes of the charges of plans, as last fetched from the payment provider.
CREATE TABLE plan_disputes (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    dp_id text NOT NULL,
    charge_id text NOT NULL,
    amount integer NOT NULL,
    fee integer NOT NULL,
    reason text NOT NULL,
    state text NOT NULL,
    due_by timestamptz,
    opened_at timestamptz NOT NULL,
    checked_at timestamptz NOT NULL,
    CONSTRAINT pk_plan_disputes PRIMARY KEY (user_id, id),
    CONSTRAINT uq_plan_disputes_dp_id UNIQUE (dp_id),
    CONSTRAINT fk_plan_disputes_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_disputes_state CHECK (state IN ('inquiry', 'open', 'under_review', 'won', 'lost', 'closed'))
);
CREATE INDEX ix_plan_disputes_id ON plan_disputes (id);
CREATE INDEX ix_plan_disputes_open ON plan_disputes (opened_at) WHERE state IN ('inquiry', 'open', 'under_review');
ALTER TABLE plan_disputes ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_disputes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_disputes TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_disputes FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON plan_disputes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_disputes TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_disputes TO porchlight_overseer;

-- Invoices of subscriptions, as last fetched from the payment provider.
CREATE TABLE plan_invoices (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    in_id text NOT NULL,
    sub_id text NOT NULL,
    number text NOT NULL,
    state text NOT NULL,
    total_cents integer NOT NULL,
    paid_cents integer NOT NULL,
    failed boolean NOT NULL,
    payment_intent text NOT NULL,
    payment_url text NOT NULL,
    issued_at timestamptz NOT NULL,
    checked_at timestamptz NOT NULL,
    CONSTRAINT pk_plan_invoices PRIMARY KEY (user_id, id),
    CONSTRAINT uq_plan_invoices_in_id UNIQUE (in_id),
    CONSTRAINT fk_plan_invoices_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_invoices_state CHECK (state IN ('draft', 'open', 'paid', 'uncollectible', 'void'))
);
CREATE INDEX ix_plan_invoices_sub_id ON plan_invoices (sub_id);
ALTER TABLE plan_invoices ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_invoices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_invoices TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_invoices FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON plan_invoices TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_invoices TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_invoices TO porchlight_overseer;

-- Reminders of a failed payment that were sent.
CREATE TABLE plan_notices (
    user_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    past_due_since timestamptz NOT NULL,
    day integer NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_plan_notices PRIMARY KEY (user_id, subscription_id, past_due_since, day),
    CONSTRAINT fk_plan_notices_user_id FOREIGN KEY (user_id) REFERENCES users (user_id)
);
ALTER TABLE plan_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_notices TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_notices FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON plan_notices TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON plan_notices TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_notices TO porchlight_overseer;

-- == categories =======================================================================================================

-- The skill categories that a guru's site lists. `listed` follows the documents of the owner.
-- Visitors see it while it is listed and not over_limit (of the owner's plan).
-- A category that needs_documents is listed while all of them are approved, at most until the end of good_until.
CREATE TABLE guru_categories (
    tenant_id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    position integer NOT NULL DEFAULT 0,
    needs_documents boolean NOT NULL,
    listed boolean NOT NULL DEFAULT false,
    good_until date,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    over_limit boolean NOT NULL DEFAULT false,
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
-- address_hash and network_hash: keyed hashes, for limits only.
-- awaits_digest: the staff gets no email of its own about it, but one about all messages that wait.
CREATE TABLE contact_messages (
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    subject text NOT NULL,
    message text NOT NULL,
    address_hash bytea NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    network_hash bytea,
    awaits_digest boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_contact_messages PRIMARY KEY (id),
    CONSTRAINT uq_contact_messages_idempotency_key UNIQUE (idempotency_key)
);
CREATE INDEX ix_contact_messages_address_hash_created_at ON contact_messages (address_hash, created_at);
CREATE INDEX ix_contact_messages_awaits_digest ON contact_messages (created_at) WHERE awaits_digest;
CREATE INDEX ix_contact_messages_created_at ON contact_messages (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_messages TO porchlight_overseer;

-- == domains ==========================================================================================================

-- Checks of domains that gurus started, for the limit per hour.
CREATE TABLE domain_checks (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_domain_checks PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_domain_checks_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
CREATE INDEX ix_domain_checks_tenant_id_created_at ON domain_checks (tenant_id, created_at);
ALTER TABLE domain_checks ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_checks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_checks TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON domain_checks TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_checks TO porchlight_app, porchlight_overseer;

-- == email_settings ===================================================================================================

-- Which emails a user wants, by kind. `token` is in the links of emails; the kind `all` is the page with all settings.
CREATE TABLE email_settings (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    token uuid NOT NULL DEFAULT gen_random_uuid(),
    is_on boolean NOT NULL DEFAULT true,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_email_settings PRIMARY KEY (user_id, kind),
    CONSTRAINT uq_email_settings_token UNIQUE (token),
    CONSTRAINT fk_email_settings_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE email_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE email_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON email_settings TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON email_settings FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON email_settings TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON email_settings TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, DELETE ON email_settings TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON email_settings TO porchlight_overseer;
GRANT INSERT (user_id, kind) ON email_settings TO porchlight_app;
GRANT INSERT (is_on, changed_at), UPDATE (is_on, changed_at) ON email_settings TO porchlight_app;

-- == emails ===========================================================================================================

-- Emails of the local demo, instead of a mail server.
-- The unique key makes storing the same email twice harmless.
CREATE TABLE dev_mailbox (
    id uuid NOT NULL,
    key text NOT NULL,
    tenant_id uuid,
    recipient text NOT NULL,
    reply_to text NOT NULL DEFAULT '',
    subject text NOT NULL,
    plain text NOT NULL,
    html text NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT app.now(),
    invitation text NOT NULL DEFAULT '',
    original bytea NOT NULL DEFAULT '\x'::bytea,
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
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_flag_settings PRIMARY KEY (name)
);
GRANT SELECT ON flag_settings TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON flag_settings TO porchlight_overseer;

-- Feature flags of single gurus.
CREATE TABLE guru_flags (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    enabled boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_guru_flags PRIMARY KEY (tenant_id, name),
    CONSTRAINT fk_guru_flags_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE guru_flags ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_flags FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_flags TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON guru_flags FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON guru_flags TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON guru_flags TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON guru_flags TO porchlight_overseer;

-- == onboarding =======================================================================================================

-- Photos that were uploaded in the wizard, square and without metadata. Sites show them by their id.
CREATE TABLE onboarding_photos (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_onboarding_photos PRIMARY KEY (user_id, id),
    CONSTRAINT uq_onboarding_photos_id UNIQUE (id),
    CONSTRAINT fk_onboarding_photos_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE onboarding_photos ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE onboarding_photos ENABLE ROW LEVEL SECURITY;
ALTER TABLE onboarding_photos FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON onboarding_photos TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON onboarding_photos FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON onboarding_photos TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON onboarding_photos TO porchlight_app, porchlight_overseer;

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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    services jsonb,
    skills text[],
    place text NOT NULL DEFAULT '',
    place_text text NOT NULL DEFAULT '',
    CONSTRAINT pk_onboardings PRIMARY KEY (user_id),
    CONSTRAINT fk_onboardings_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_onboardings_place CHECK (place IN ('', 'guru', 'person', 'online', 'agreed'))
);
ALTER TABLE onboardings ENABLE ROW LEVEL SECURITY;
ALTER TABLE onboardings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON onboardings TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON onboardings FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON onboardings TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON onboardings TO porchlight_app, porchlight_overseer;

-- The categories that a user picked in onboarding.
CREATE TABLE category_picks (
    user_id uuid NOT NULL,
    category_slug text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
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

-- == payouts ==========================================================================================================

-- Payouts from gurus' accounts to their banks.
CREATE TABLE payouts (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    account_id text NOT NULL,
    amount bigint NOT NULL,
    fee bigint NOT NULL DEFAULT 0,
    method text NOT NULL,
    automatic boolean NOT NULL DEFAULT false,
    destination text NOT NULL DEFAULT '',
    last4 text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'requested',
    po_id text,
    failure_code text NOT NULL DEFAULT '',
    arrival_date date,
    request_key text NOT NULL DEFAULT '',
    requested_cents bigint,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    checked_at timestamptz,
    CONSTRAINT pk_payouts PRIMARY KEY (user_id, id),
    CONSTRAINT uq_payouts_po_id UNIQUE (po_id),
    CONSTRAINT ck_payouts_amounts CHECK (amount > 0 AND fee >= 0),
    CONSTRAINT ck_payouts_method CHECK (method IN ('standard', 'instant')),
    CONSTRAINT ck_payouts_state CHECK (state IN ('requested', 'sent', 'in_transit', 'paid', 'failed', 'canceled'))
);
CREATE INDEX ix_payouts_checked_at ON payouts (checked_at) WHERE state IN ('sent', 'in_transit');
CREATE INDEX ix_payouts_created_at ON payouts (created_at) WHERE method = 'instant';
CREATE INDEX ix_payouts_user_id_created_at ON payouts (user_id, created_at);
CREATE UNIQUE INDEX uq_payouts_account_id_open ON payouts (account_id)
    WHERE (state IN ('requested', 'sent')) AND (NOT automatic);
CREATE UNIQUE INDEX uq_payouts_user_id_request_key ON payouts (user_id, request_key) WHERE request_key <> '';
ALTER TABLE payouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payouts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payouts TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON payouts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON payouts TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON payouts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON payouts TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON payouts TO porchlight_overseer;

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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    destinations text[] NOT NULL DEFAULT '{}',
    destinations_changed_at timestamptz,
    CONSTRAINT pk_payout_accounts PRIMARY KEY (user_id),
    CONSTRAINT uq_payout_accounts_account_id UNIQUE (account_id),
    CONSTRAINT fk_payout_accounts_user_id FOREIGN KEY (user_id) REFERENCES users (user_id)
);
ALTER TABLE payout_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payout_accounts TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY created ON payout_accounts AS RESTRICTIVE FOR INSERT TO porchlight_app
    WITH CHECK ((NOT charges_enabled) AND (NOT payouts_enabled) AND (NOT details_submitted) AND (checked_at IS NULL) AND
    (destinations = '{}') AND (destinations_changed_at IS NULL));
CREATE POLICY directory ON payout_accounts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON payout_accounts TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON payout_accounts TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY replaced ON payout_accounts AS RESTRICTIVE FOR UPDATE TO porchlight_app USING (NOT connected)
    WITH CHECK ((NOT charges_enabled) AND (NOT payouts_enabled) AND (NOT details_submitted) AND (checked_at IS NULL));
GRANT SELECT, INSERT, UPDATE, DELETE ON payout_accounts TO porchlight_app, porchlight_overseer;

-- == plans ============================================================================================================

-- Plans that users have without paying, until a time. Requests read them; only the service role writes them.
CREATE TABLE plan_grants (
    user_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    plan text NOT NULL,
    until timestamptz NOT NULL,
    reason text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_plan_grants PRIMARY KEY (user_id, id),
    CONSTRAINT fk_plan_grants_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_plan_grants_plan CHECK (plan IN ('skill-sharer', 'premium-angel'))
);
ALTER TABLE plan_grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_grants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_grants TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_grants FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON plan_grants TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON plan_grants TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_grants TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_grants TO porchlight_overseer;

-- Paid plans, as last fetched from the payment provider. Requests read them; only the service role writes them.
CREATE TABLE subscriptions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    plan text NOT NULL,
    interval text NOT NULL,
    sub_id text,
    state text NOT NULL DEFAULT 'incomplete',
    period_end timestamptz,
    cancel_at_end boolean NOT NULL DEFAULT false,
    next_plan text,
    past_due_since timestamptz,
    right_until timestamptz,
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    next_interval text,
    period_start timestamptz,
    item_id text NOT NULL DEFAULT '',
    schedule_id text NOT NULL DEFAULT '',
    card_brand text NOT NULL DEFAULT '',
    card_last4 text NOT NULL DEFAULT '',
    is_stray boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_subscriptions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_subscriptions_sub_id UNIQUE (sub_id),
    CONSTRAINT fk_subscriptions_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_subscriptions_interval CHECK (interval IN ('month', 'year')),
    CONSTRAINT ck_subscriptions_next_interval CHECK (next_interval IN ('month', 'year')),
    CONSTRAINT ck_subscriptions_next_plan CHECK (next_plan IN ('skill-sharer', 'premium-angel')),
    CONSTRAINT ck_subscriptions_past_due CHECK (state <> 'past_due' OR past_due_since IS NOT NULL),
    CONSTRAINT ck_subscriptions_plan CHECK (plan IN ('skill-sharer', 'premium-angel')),
    CONSTRAINT ck_subscriptions_state CHECK (state IN ('incomplete', 'active', 'past_due', 'unpaid', 'canceled',
        'gone'))
);
CREATE UNIQUE INDEX uq_subscriptions_current ON subscriptions (user_id)
    WHERE state IN ('incomplete', 'active', 'past_due');
ALTER TABLE subscriptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE subscriptions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON subscriptions TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON subscriptions FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON subscriptions TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON subscriptions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON subscriptions TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON subscriptions TO porchlight_overseer;

-- == porch_lights =====================================================================================================

-- Angels and gurus who are free this evening. A light goes out by itself; its location is the center of a grid cell.
CREATE TABLE porch_lights (
    user_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    city text NOT NULL DEFAULT '',
    latitude double precision,
    longitude double precision,
    turned_on_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_porch_lights PRIMARY KEY (user_id),
    CONSTRAINT fk_porch_lights_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_porch_lights_location CHECK ((latitude IS NULL) = (longitude IS NULL))
);
CREATE INDEX ix_porch_lights_expires_at ON porch_lights (expires_at);
CREATE INDEX ix_porch_lights_turned_on_at ON porch_lights (turned_on_at DESC, user_id);
ALTER TABLE porch_lights ENABLE ROW LEVEL SECURITY;
ALTER TABLE porch_lights FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON porch_lights TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON porch_lights FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON porch_lights TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON porch_lights TO porchlight_app, porchlight_overseer;

-- == previews =========================================================================================================

-- Unsaved changes of a site, to be shown in the editor's preview.
CREATE TABLE site_previews (
    tenant_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    page text NOT NULL,
    changes jsonb NOT NULL,
    framed_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
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

-- Profile photos, public to everyone who has the id.
CREATE TABLE profile_photos (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_profiles PRIMARY KEY (user_id),
    CONSTRAINT uq_profiles_handle UNIQUE (handle),
    CONSTRAINT fk_profiles_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_profiles_handle CHECK (handle ~ '^[a-z0-9](-?[a-z0-9]){2,39}$')
);
CREATE INDEX ix_profiles_display_name_start ON profiles (lower(left(display_name, 2)));
CREATE INDEX ix_profiles_display_name_trgm ON profiles USING gin (display_name gin_trgm_ops);
CREATE INDEX ix_profiles_handle_start ON profiles (lower(left(handle, 2)));
CREATE INDEX ix_profiles_handle_trgm ON profiles USING gin (handle gin_trgm_ops);
ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE profiles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON profiles TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON profiles FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON profiles TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON profiles TO porchlight_app, porchlight_overseer;

-- == questions ========================================================================================================

-- Messages of users to neighbors with a public profile, sent by email.
CREATE TABLE questions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    recipient_id uuid NOT NULL,
    body text NOT NULL,
    idempotency_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_questions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_questions_id UNIQUE (id),
    CONSTRAINT uq_questions_user_id_idempotency_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT fk_questions_recipient_id FOREIGN KEY (recipient_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_questions_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
CREATE INDEX ix_questions_recipient_id ON questions (recipient_id);
CREATE INDEX ix_questions_user_id_created_at ON questions (user_id, created_at);
ALTER TABLE questions ENABLE ROW LEVEL SECURITY;
ALTER TABLE questions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON questions TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON questions FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON questions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON questions TO porchlight_app, porchlight_overseer;

-- == reports ==========================================================================================================

-- Reports about sites, posts, profiles and listings. `guru_id` is the owner of a site or post, `subject_id` what is
-- reported and `subject_name` how a URL names it.
-- Requests create it by app.create_report; only admins read it.
-- subject_name: the subject in URLs (label, label/slug, handle); subject_title: its title when it was reported;
-- guru_id: the guru of a site or post. address_hash and network_hash: keyed hashes of the reporter's network address,
-- or of a verified user, for limits only; digest distinguishes a resend from another report under the same key.
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    network_hash bytea,
    CONSTRAINT pk_reports PRIMARY KEY (id),
    CONSTRAINT uq_reports_idempotency_key UNIQUE (idempotency_key),
    CONSTRAINT fk_reports_guru_id FOREIGN KEY (guru_id) REFERENCES gurus (id) ON DELETE SET NULL,
    CONSTRAINT fk_reports_reporter_id FOREIGN KEY (reporter_id) REFERENCES users (user_id) ON DELETE SET NULL,
    CONSTRAINT ck_reports_outcome CHECK ((status = 'open') = (outcome = '')),
    CONSTRAINT ck_reports_resolved CHECK ((status = 'open') = (resolved_at IS NULL)),
    CONSTRAINT ck_reports_status CHECK (status IN ('open', 'resolved')),
    CONSTRAINT ck_reports_subject_kind CHECK (subject_kind IN ('site', 'post', 'profile', 'listing', 'question'))
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

-- Scores of the risk classifier for texts of listings, by the hash of the classifier's name and the text.
-- digest is the hash of the classifier's name and the normalized words. Deleted after a while, and computed again.
CREATE TABLE risk_scores (
    digest bytea NOT NULL,
    score real NOT NULL,
    created_on date NOT NULL DEFAULT app.now()::date,
    CONSTRAINT pk_risk_scores PRIMARY KEY (digest)
);
GRANT SELECT ON risk_scores TO porchlight_app;
GRANT SELECT, DELETE ON risk_scores TO porchlight_overseer;

-- Activities that the risk engine does not know, for staff to rate. `occurrences` counts how often one came up.
-- asked_by is the user who asked about it, unless others asked too; the review is deleted with the account. category is
-- blank for the titles of listings. digest is the hash of the normalized words, so each activity is in the queue once.
-- level is the decision. Only staff sees note.
CREATE TABLE risk_reviews (
    id uuid NOT NULL,
    category text NOT NULL,
    activity text NOT NULL,
    digest bytea NOT NULL,
    occurrences integer NOT NULL DEFAULT 1,
    level text,
    first_seen_at timestamptz NOT NULL DEFAULT app.now(),
    last_seen_at timestamptz NOT NULL DEFAULT app.now(),
    note text NOT NULL DEFAULT '',
    decided_by text NOT NULL DEFAULT '',
    decided_at timestamptz,
    asked_by uuid,
    CONSTRAINT pk_risk_reviews PRIMARY KEY (id),
    CONSTRAINT uq_risk_reviews_digest UNIQUE (digest),
    CONSTRAINT fk_risk_reviews_asked_by FOREIGN KEY (asked_by) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_risk_reviews_decided CHECK ((level IS NULL) = (decided_at IS NULL)),
    CONSTRAINT ck_risk_reviews_level CHECK (level IN ('low', 'medium', 'high', 'extreme'))
);
CREATE INDEX ix_risk_reviews_asked_by ON risk_reviews (asked_by);
CREATE INDEX ix_risk_reviews_decided ON risk_reviews (decided_at, id) WHERE level IS NOT NULL;
CREATE INDEX ix_risk_reviews_last_seen_at ON risk_reviews (last_seen_at);
CREATE INDEX ix_risk_reviews_waiting ON risk_reviews (occurrences DESC, id) WHERE level IS NULL;
GRANT SELECT, UPDATE, DELETE ON risk_reviews TO porchlight_overseer;
GRANT SELECT (digest, level) ON risk_reviews TO porchlight_app;

-- == settlement =======================================================================================================

-- Differences between Stripe and the ledger, in cents: Stripe's amount less ours.
CREATE TABLE findings (
    id uuid NOT NULL,
    kind text NOT NULL,
    account text NOT NULL DEFAULT '',
    stripe_id text NOT NULL,
    transaction_id uuid,
    cents bigint NOT NULL,
    state text NOT NULL DEFAULT 'open',
    note text NOT NULL DEFAULT '',
    by text NOT NULL DEFAULT '',
    found_at timestamptz NOT NULL DEFAULT app.now(),
    seen_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_findings PRIMARY KEY (id),
    CONSTRAINT uq_findings_kind_account_stripe_id UNIQUE (kind, account, stripe_id),
    CONSTRAINT ck_findings_kind CHECK (kind IN ('missing_at_stripe', 'missing_here', 'amount_differs', 'unknown_line',
        'balance_differs', 'stuck_outbox', 'failed_event')),
    CONSTRAINT ck_findings_state CHECK (state IN ('open', 'explained', 'gone'))
);
CREATE INDEX ix_findings_open ON findings (found_at) WHERE state = 'open';
GRANT SELECT, INSERT, UPDATE, DELETE ON findings TO porchlight_overseer;

-- Finished runs of the comparison with Stripe.
CREATE TABLE reconciliations (
    id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL DEFAULT app.now(),
    lines integer NOT NULL,
    open_findings integer NOT NULL,
    off_cents bigint NOT NULL,
    off_accounts integer NOT NULL,
    CONSTRAINT pk_reconciliations PRIMARY KEY (id)
);
CREATE INDEX ix_reconciliations_finished_at ON reconciliations (finished_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON reconciliations TO porchlight_overseer;

-- Lines of Stripe's balances: of the platform (no account) and connected accounts.
-- A line of a Stripe balance: of the platform (account is empty) or a connected account.
-- object_id: the object of Stripe that the ledger posts the movement for; for a payment that a transfer made, the
-- transfer.
CREATE TABLE stripe_balance_lines (
    account text NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    amount bigint NOT NULL,
    fee bigint NOT NULL,
    net bigint NOT NULL,
    source text NOT NULL DEFAULT '',
    object_id text NOT NULL,
    created timestamptz NOT NULL,
    available_on timestamptz NOT NULL,
    CONSTRAINT pk_stripe_balance_lines PRIMARY KEY (account, id),
    CONSTRAINT ck_stripe_balance_lines_net CHECK (net = (amount - fee))
);
CREATE INDEX ix_stripe_balance_lines_created ON stripe_balance_lines (created);
CREATE INDEX ix_stripe_balance_lines_object_id_account ON stripe_balance_lines (object_id, account);
GRANT SELECT, INSERT, UPDATE, DELETE ON stripe_balance_lines TO porchlight_overseer;

-- Events of Stripe, each stored once.
-- body is deleted after 90 days. Rows from before the inbox have neither a body nor a mode.
CREATE TABLE stripe_inbox (
    id text NOT NULL,
    endpoint text NOT NULL,
    account text NOT NULL DEFAULT '',
    kind text NOT NULL,
    object_id text NOT NULL DEFAULT '',
    livemode boolean,
    created timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT app.now(),
    body bytea,
    state text NOT NULL DEFAULT 'new',
    due_at timestamptz NOT NULL DEFAULT app.now(),
    tries integer NOT NULL DEFAULT 0,
    error text NOT NULL DEFAULT '',
    CONSTRAINT pk_stripe_inbox PRIMARY KEY (id),
    CONSTRAINT ck_stripe_inbox_endpoint CHECK (endpoint IN ('platform', 'connect')),
    CONSTRAINT ck_stripe_inbox_state CHECK (state IN ('new', 'done', 'ignored', 'failed'))
);
CREATE INDEX ix_stripe_inbox_due_at ON stripe_inbox (due_at) WHERE state = 'new';
CREATE INDEX ix_stripe_inbox_received_at ON stripe_inbox (received_at);
CREATE INDEX ix_stripe_inbox_state ON stripe_inbox (state, received_at, id);
GRANT SELECT, INSERT, UPDATE, DELETE ON stripe_inbox TO porchlight_overseer;

-- Changes at Stripe that were decided, with their outcomes. Only the worker sends them.
-- lane has one call in flight: it is the connected account, or for a write of the platform its subject. ready and
-- unknown rows are sent at due_at; a sent row is on its way until lease_until, and its outcome is unknown afterwards.
-- lookup: repeating the request cannot tell the outcome, only a search can.
CREATE TABLE stripe_outbox (
    id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    attempt integer NOT NULL,
    account text NOT NULL DEFAULT '',
    lane text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    params jsonb NOT NULL,
    api_version text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'ready',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    due_at timestamptz NOT NULL DEFAULT app.now(),
    first_sent_at timestamptz,
    lease_until timestamptz,
    lookup boolean NOT NULL DEFAULT false,
    tries integer NOT NULL DEFAULT 0,
    object_id text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    error_message text NOT NULL DEFAULT '',
    settled_at timestamptz,
    CONSTRAINT pk_stripe_outbox PRIMARY KEY (id),
    CONSTRAINT uq_stripe_outbox_kind_subject_id_attempt UNIQUE (kind, subject_id, attempt),
    CONSTRAINT ck_stripe_outbox_sent CHECK (state <> 'sent' OR first_sent_at IS NOT NULL AND lease_until IS NOT NULL),
    CONSTRAINT ck_stripe_outbox_state CHECK (state IN ('ready', 'sent', 'done', 'refused', 'unknown', 'absent'))
);
CREATE INDEX ix_stripe_outbox_due_at ON stripe_outbox (due_at) WHERE state IN ('ready', 'sent', 'unknown');
CREATE UNIQUE INDEX uq_stripe_outbox_in_flight ON stripe_outbox (lane) WHERE state = 'sent';
GRANT SELECT, INSERT, UPDATE, DELETE ON stripe_outbox TO porchlight_overseer;

-- == stats ============================================================================================================

-- One random salt per day, to count visitors without storing addresses.
CREATE TABLE daily_salts (
    day date NOT NULL,
    salt bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
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

-- What visitors weigh before they ask a guru, counted by the worker.
-- The worker counts them (porchlight/worker/guru_facts.py).
-- answer_minutes is the median time to the first answer; NULL with too few answers. review has the keys of OwnerReview.
CREATE TABLE guru_facts (
    tenant_id uuid NOT NULL,
    answer_minutes integer,
    sessions integer NOT NULL DEFAULT 0,
    counted_at timestamptz NOT NULL DEFAULT app.now(),
    review jsonb,
    CONSTRAINT pk_guru_facts PRIMARY KEY (tenant_id),
    CONSTRAINT fk_guru_facts_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_guru_facts_answer_minutes CHECK (answer_minutes > 0),
    CONSTRAINT ck_guru_facts_sessions CHECK (sessions >= 0)
);
ALTER TABLE guru_facts ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_facts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_facts TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON guru_facts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON guru_facts TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON guru_facts TO porchlight_overseer;

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

-- file: views/angel_reviews.sql
-- The reviews of angels with public profiles, as anybody may see them: service and length represent the job, because the
-- need's own texts are for angels only. The author is a first name, or '' without one.
--
-- Read by: angels, and app.angels_for.
-- As the owner: needs and profiles of other users are behind row level security.
CREATE OR REPLACE VIEW angel_reviews WITH (security_barrier) AS
  SELECT n.id, p.handle, n.accepted_user_id AS angel_id, n.service_id, s.title AS service, n.hours, n.rating,
         n.review AS words, n.updated_at AS reviewed_at,
         coalesce(CASE WHEN a.first_name <> '' OR NOT a.is_public THEN a.first_name
                       ELSE split_part(a.display_name, ' ', 1) END, '') AS author
    FROM profiles p JOIN users u ON u.user_id = p.user_id JOIN needs n ON n.accepted_user_id = p.user_id
    JOIN angel_services s ON s.id = n.service_id LEFT JOIN profiles a ON a.user_id = n.user_id
   WHERE p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND n.status = 'done' AND n.rating IS NOT NULL;
GRANT SELECT ON angel_reviews TO porchlight_app, porchlight_overseer;

-- file: views/own_reports.sql
-- The reports that the current user made.
--
-- Read by: account, for the export.
-- As the owner: the app role cannot read reports.
CREATE OR REPLACE VIEW own_reports WITH (security_barrier) AS
  SELECT r.id, r.subject_kind, r.subject_name, r.subject_title, r.reason, r.details, r.status, r.created_at
    FROM reports r WHERE r.reporter_id = app.user_id();
GRANT SELECT ON own_reports TO porchlight_app, porchlight_overseer;

-- file: views/own_waiver_gurus.sql
-- The gurus of the current user's waivers with their names. A deleted guru has none.
--
-- Read by: waivers, for the list and for the email with the receipt.
-- As the owner: a user cannot read gurus.
CREATE OR REPLACE VIEW own_waiver_gurus WITH (security_barrier) AS
  SELECT g.id AS guru_id, g.character AS guru_name FROM gurus g
   WHERE g.id IN (SELECT w.guru_id FROM waivers w WHERE w.user_id = app.user_id());
GRANT SELECT ON own_waiver_gurus TO porchlight_app;

-- file: views/own_waiver_links.sql
-- The links of the current user's waivers in their chains.
--
-- Read by: waivers, for the receipt.
-- As the owner: the app role cannot read waiver_links.
CREATE OR REPLACE VIEW own_waiver_links WITH (security_barrier) AS
  SELECT w.id AS waiver_id, l.chain_id, l.number, l.previous, l.record_sha256, l.pdf_sha256, l.at, l.key_id, l.signature
    FROM waivers w JOIN waiver_links l ON l.chain_id = w.chain_id AND l.number = w.number
   WHERE w.user_id = app.user_id();
GRANT SELECT ON own_waiver_links TO porchlight_app;

-- file: views/premium_names.sql
-- The Premium Angels: gurus by label, neighbors by handle. Lists show this plan to everyone.
--
-- Read by: porchlight.plans, to label the results of search and teachers.
-- As the owner: the plans of other users are behind row level security.
CREATE OR REPLACE VIEW premium_names WITH (security_barrier) AS
  SELECT g.label, NULL::text AS handle
    FROM gurus g JOIN memberships m ON m.tenant_id = g.id JOIN users u ON u.user_id = m.user_id
   WHERE u.listed_plan = 'premium-angel'
   UNION ALL
  SELECT NULL, p.handle FROM profiles p JOIN users u ON u.user_id = p.user_id WHERE u.listed_plan = 'premium-angel';
GRANT SELECT ON premium_names TO porchlight_app, porchlight_overseer;

-- file: views/public_listing_photos.sql
-- The photos of visible listings that the plan of the owner allows.
--
-- Read by: listings.
-- As the owner: listings of other users are behind row level security.
CREATE OR REPLACE VIEW public_listing_photos WITH (security_barrier) AS
  SELECT f.id, f.offer_id, f.alt, f.width, f.height, f.position, f.body, f.thumbnail
    FROM listing_photos f JOIN skill_offers o ON o.user_id = f.user_id AND o.id = f.offer_id
    JOIN users u ON u.user_id = f.user_id
   WHERE o.visible AND NOT f.over_limit AND u.status = 'active';
GRANT SELECT ON public_listing_photos TO porchlight_app, porchlight_overseer;

-- file: views/public_listings.sql
-- The visible listings of active accounts, with the public fields of their owners.
--
-- Read by: listings and the sitemap of the main platform.
-- As the owner: listings of other users are behind row level security.
CREATE OR REPLACE VIEW public_listings WITH (security_barrier) AS
  SELECT o.id, o.title, o.level, o.details, o.formats, o.terms, o.price_cents, o.currency, o.radius_km, o.days,
         o.created_at, o.updated_at, p.handle, p.display_name AS name, p.photo_id, p.photo_url, p.bio, p.languages,
         CASE WHEN p.shows_location THEN coalesce(w.city, '') ELSE '' END AS city
    FROM skill_offers o JOIN users u ON u.user_id = o.user_id
    -- Each listing has a profile. A statement without its columns does not read it, because it is no condition.
    LEFT JOIN profiles p ON p.user_id = o.user_id LEFT JOIN user_locations w ON w.user_id = o.user_id
   WHERE o.visible AND u.status = 'active';
GRANT SELECT ON public_listings TO porchlight_app, porchlight_overseer;

-- file: views/public_page_words.sql
-- The words by which public pages are found: skills, titles, tags and services, with their weights.
--
-- Read by: search, for results whose title and summary have no word of the search.
-- As the owner: the app role cannot read phrases, because some are texts of searches.
CREATE OR REPLACE VIEW public_page_words WITH (security_barrier) AS
  SELECT s.kind, s.item, s.weight, p.words FROM search_entry_phrases s JOIN phrases p ON p.id = s.phrase_id;
GRANT SELECT ON public_page_words TO porchlight_app, porchlight_overseer;

-- file: views/public_profiles.sql
-- The public profiles of active accounts, without what their owners hide.
--
-- Read by: profiles, questions and angels.
-- As the owner: profiles of other users are behind row level security.
CREATE OR REPLACE VIEW public_profiles WITH (security_barrier) AS
  SELECT p.user_id, p.handle, p.display_name, p.bio, p.photo_id, p.photo_url, p.languages, p.created_at,
         CASE WHEN p.shows_location THEN p.location ELSE '' END AS location,
         CASE WHEN p.shows_skills THEN p.skills_offered ELSE '[]' END AS skills_offered,
         CASE WHEN p.shows_skills THEN p.skills_wanted ELSE '[]' END AS skills_wanted,
         CASE WHEN p.shows_availability THEN p.availability ELSE '' END AS availability
    FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active';
GRANT SELECT ON public_profiles TO porchlight_app, porchlight_overseer;

-- file: views/shown_people.sql
-- What others may see of an active user in what both take part in: the public profile, or only the first name when the
-- profile is private. `shown_name` is never empty, for sentences.
--
-- Read by: other views, and functions that have decided whom their caller may know.
-- As the owner: profiles of other users are behind row level security. No role may read it.
CREATE OR REPLACE VIEW shown_people WITH (security_barrier) AS
  SELECT p.user_id, s.handle, s.name, s.photo_id, s.photo_url,
         coalesce(nullif(s.name, ''), 'A neighbor') AS shown_name,
         jsonb_build_object('handle', s.handle, 'name', s.name, 'photo_id', s.photo_id, 'photo_url', s.photo_url)
           AS card
    FROM profiles p JOIN users u ON u.user_id = p.user_id CROSS JOIN LATERAL (
      SELECT p.handle, p.display_name AS name, p.photo_id, p.photo_url
       WHERE p.is_public AND p.registered_at IS NOT NULL
       UNION ALL
      SELECT NULL, p.first_name, NULL, '' WHERE NOT (p.is_public AND p.registered_at IS NOT NULL)) s
   WHERE u.status = 'active';

-- file: views/visible_needs.sql
-- The needs that the current user may see: their own, those addressed to them, those on which they made an offer, and the
-- open ones that are addressed to no one in particular. `miles` is measured from the user's own place as an angel.
--
-- Read by: angels.
-- As the owner: needs, profiles, offers and photos of other users are behind row level security.
CREATE OR REPLACE VIEW visible_needs WITH (security_barrier) AS
  SELECT n.id, n.service_id, n.title, n.description, n.wanted_from, n.wanted_until, n.time_note, n.hours,
         n.budget_cents, n.low_cents, n.high_cents, n.city, n.region, n.status, n.expires_at, n.created_at, n.rating,
         n.review, n.accepted_offer_id,
         n.asked_user_id IS NOT DISTINCT FROM app.user_id() AS asks_me, n.user_id = app.user_id() AS mine,
         (SELECT s.card FROM shown_people s WHERE s.user_id = n.asked_user_id) AS asked,
         (SELECT s.card FROM shown_people s WHERE s.user_id = n.user_id) AS neighbor,
         (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
            FROM angels a WHERE a.user_id = app.user_id()) AS miles,
         (SELECT count(*) FROM need_offers o WHERE o.need_id = n.id AND o.status = 'open') AS offers,
         ARRAY(SELECT p.id FROM need_photos p WHERE p.user_id = n.user_id AND p.need_id = n.id ORDER BY p.position)
           AS photos
    FROM needs n
   WHERE app.user_id() IS NOT NULL AND (
         n.user_id = app.user_id() OR n.asked_user_id = app.user_id()
         OR (n.status = 'open' AND n.expires_at > app.now() AND n.asked_user_id IS NULL)
         OR EXISTS (SELECT FROM need_offers o WHERE o.user_id = app.user_id() AND o.need_id = n.id));
GRANT SELECT ON visible_needs TO porchlight_app, porchlight_overseer;

-- file: views/visible_need_photos.sql
-- The photos of the needs that the current user may see, unless the neighbor who needs help is suspended.
--
-- Read by: angels.
-- As the owner: photos of other users' needs are behind row level security.
CREATE OR REPLACE VIEW visible_need_photos WITH (security_barrier) AS
  SELECT p.id, p.body FROM need_photos p JOIN users u ON u.user_id = p.user_id
   WHERE u.status = 'active' AND EXISTS (SELECT FROM visible_needs n WHERE n.id = p.need_id);
GRANT SELECT ON visible_need_photos TO porchlight_app, porchlight_overseer;

-- file: functions/apply_bookings.sql
-- Write a change of bookings that was decided on app.booking_facts, all or nothing, in the same transaction: sessions,
-- bookings with their history and their emails, and the waitlist. Return the booking `changes.returned`, if it is named.
-- The form of `changes` is that of `porchlight.features.bookings.changes`.
--
-- With `changes.version`, the facts were read without the lock of the calendar. If the calendar has another version now,
-- nothing is written, and a row without an id is returned. Each change gives the calendar a new version.
--
-- The function decides nothing, and refuses what no decision may do: to change a booking of which the caller is no
-- party and that is not due to end, to act for the other side, to offer a seat to someone who does not wait for it, to
-- change the waitlist of a session in which nothing changes, and to send an email without a change. A new hold has the
-- name, price, place, `bring` and terms of its service, or of the hold `like` of the same person.
--
-- Called by: bookings. The transaction holds the lock of the calendar, or gets it here.
-- SECURITY DEFINER: the app role may not write bookings, their history, emails and the waitlist itself.
CREATE OR REPLACE FUNCTION app.apply_bookings(changes jsonb) RETURNS SETOF bookings
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  is_guru boolean := coalesce(app.acting_tenant_id() = tenant, false);
  is_service boolean := pg_has_role(session_user, 'porchlight_overseer', 'MEMBER');
  moment timestamptz := app.now();
  one jsonb;
  before bookings;
  wanted bookings;
  touched uuid[] := ARRAY(SELECT x::uuid FROM jsonb_array_elements_text(changes -> 'ended') x);
BEGIN
  IF NOT app.next_calendar_version((changes ->> 'version')::bigint) AND changes ? 'version' THEN
    RETURN NEXT NULL::bookings;
    RETURN;
  END IF;
  IF changes ? 'ended' THEN
    UPDATE appointments a SET live = false
     WHERE a.tenant_id = tenant AND a.id = ANY (touched);
  END IF;
  IF changes ? 'sessions' THEN
    INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, local_start, blocked, capacity)
    SELECT tenant, x.id, x.service_id, x.starts_at, x.ends_at, x.zone, x.local_start,
           tstzrange(x.blocked_from, x.blocked_until), x.capacity
      FROM jsonb_to_recordset(changes -> 'sessions') AS x (
             id uuid, service_id uuid, starts_at timestamptz, ends_at timestamptz, zone text, local_start timestamp,
             blocked_from timestamptz, blocked_until timestamptz, capacity smallint);
  END IF;
  IF changes ? 'capacities' THEN
    UPDATE appointments a SET capacity = x.capacity
      FROM jsonb_to_recordset(changes -> 'capacities') AS x (id uuid, capacity smallint)
     WHERE a.tenant_id = tenant AND a.id = x.id;
  END IF;
  IF changes ? 'joined' THEN
    INSERT INTO waitlist (tenant_id, appointment_id, number, person_id, party, guru_label, guru_name, service_id,
                          service_name, starts_at, ends_at, zone)
    SELECT tenant, a.id, x.number, person, x.party, g.label, g.character, s.id, s.name, a.starts_at, a.ends_at, c.zone
      FROM jsonb_to_recordset(changes -> 'joined') AS x (appointment_id uuid, number integer, party smallint)
      JOIN appointments a ON a.tenant_id = tenant AND a.id = x.appointment_id
      JOIN gurus g ON g.id = tenant
      JOIN services s ON s.tenant_id = tenant AND s.id = a.service_id
      JOIN calendars c ON c.tenant_id = tenant;
  END IF;
  FOR one IN SELECT x FROM jsonb_array_elements(changes -> 'bookings') x LOOP
    IF one ? 'hold' THEN
      SELECT * INTO wanted FROM jsonb_populate_record(NULL::bookings, one -> 'hold');
      IF (wanted.person_id IS NULL OR wanted.person_id = person OR is_service
              OR is_guru AND wanted.customer_token IS NOT NULL
              OR EXISTS (SELECT FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = wanted.appointment_id
                                                  AND w.person_id = wanted.person_id AND w.status = 'waiting'))
         IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'a seat is offered only to a person who waits for it';
      END IF;
      INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, hold_hash, address_hash, status, party,
                            guru_label, guru_name, service_name, starts_at, ends_at, zone, price_cents, currency,
                            approval, place, place_text, bring, terms, terms_digest, expires_at, customer_token)
      SELECT tenant, wanted.id, a.id, a.service_id, wanted.person_id, wanted.hold_hash, wanted.address_hash, 'held',
             wanted.party, g.label, g.character, coalesce(l.service_name, s.name), a.starts_at, a.ends_at, c.zone,
             coalesce(l.price_cents, s.price_cents * wanted.party), coalesce(l.currency, s.currency),
             coalesce(l.approval, CASE WHEN wanted.customer_token IS NOT NULL THEN 'instant' END, t.approval),
             coalesce(l.place, a.place, t.place),
             coalesce(l.place_text, a.place_text, t.place_text), coalesce(l.bring, t.bring),
             coalesce(l.terms, app.booking_terms(t)),
             coalesce(l.terms_digest, sha256(app.booking_terms(t)::text::bytea)), wanted.expires_at,
             wanted.customer_token
        FROM appointments a
        JOIN calendars c ON c.tenant_id = tenant
        JOIN gurus g ON g.id = tenant
        JOIN services s ON s.tenant_id = tenant AND s.id = a.service_id
        JOIN booking_settings t ON t.tenant_id = tenant AND t.service_id = a.service_id
        LEFT JOIN bookings l ON l.tenant_id = tenant AND l.id = (one ->> 'like')::uuid AND l.service_id = a.service_id
                            AND l.person_id = wanted.person_id AND l.party = wanted.party
       WHERE a.tenant_id = tenant AND a.id = wanted.appointment_id
      RETURNING * INTO STRICT wanted;
    ELSE
      SELECT * INTO STRICT before FROM bookings b WHERE b.tenant_id = tenant AND b.id = (one ->> 'id')::uuid;
      SELECT * INTO wanted FROM jsonb_populate_record(before, one -> 'values');
      IF before.status IS DISTINCT FROM one ->> 'was' THEN
        RAISE serialization_failure USING MESSAGE = 'the booking was changed since the decision';
      ELSIF (is_guru OR is_service OR before.person_id = person
                 OR before.person_id IS NULL AND before.hold_hash = decode(changes ->> 'token', 'hex')
                    AND (wanted.person_id IS NULL OR wanted.person_id = person)
                 OR before.status = 'held' AND before.address_hash = decode(changes ->> 'address', 'hex')
                    AND wanted.status = 'expired'
                 OR before.expires_at <= moment AND wanted.status = 'expired'
                 OR before.proposed_until <= moment AND wanted.proposed_start IS NULL
                    AND wanted.status = before.status AND wanted.starts_at = before.starts_at) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'a booking is changed by its parties only';
      END IF;
      UPDATE bookings b
         SET (appointment_id, person_id, hold_hash, status, party, participants, person_name, note, starts_at, ends_at,
              place, place_text, person_address, person_zone, waiver_level, waiver_id, waiver_until, sequence, moves,
              late_since, series_id, proposed_start, proposed_until, proposed_reason, proposals, expires_at,
              confirmed_at, ended_by, ended_at, reason, owed_cents, idempotency_key, digest, customer_email) =
             (wanted.appointment_id, coalesce(before.person_id, wanted.person_id), wanted.hold_hash, wanted.status,
              wanted.party, wanted.participants, wanted.person_name, wanted.note, wanted.starts_at, wanted.ends_at,
              wanted.place, wanted.place_text, wanted.person_address, wanted.person_zone, wanted.waiver_level,
              wanted.waiver_id, wanted.waiver_until, wanted.sequence, wanted.moves, wanted.late_since,
              wanted.series_id, wanted.proposed_start, wanted.proposed_until, wanted.proposed_reason,
              wanted.proposals, wanted.expires_at, wanted.confirmed_at, wanted.ended_by, wanted.ended_at,
              wanted.reason, wanted.owed_cents, wanted.idempotency_key, wanted.digest, wanted.customer_email)
       WHERE b.tenant_id = tenant AND b.id = before.id;
      IF before.person_id IS NULL AND wanted.person_id IS NOT NULL THEN
        UPDATE booking_events e SET person_id = wanted.person_id
         WHERE e.tenant_id = tenant AND e.booking_id = before.id;
      END IF;
    END IF;
    touched := touched || wanted.appointment_id || before.appointment_id;
    -- In parentheses, because PL/pgSQL reads a condition up to the first THEN.
    IF (one ? 'event' AND CASE one ->> 'actor'
                            WHEN 'guru' THEN is_guru OR is_service
                            WHEN 'staff' THEN is_service
                            WHEN 'person' THEN is_service OR wanted.person_id IS NULL OR wanted.person_id = person
                            ELSE true END IS NOT TRUE) THEN
      RAISE insufficient_privilege USING MESSAGE = 'the history names who acts';
    END IF;
    IF one ? 'event' THEN
      INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event, details)
      SELECT tenant, wanted.id, count(*) + 1, wanted.person_id, one ->> 'actor', one ->> 'event', one -> 'details'
        FROM booking_events e WHERE e.tenant_id = tenant AND e.booking_id = wanted.id;
    END IF;
    IF one ? 'email' AND wanted.person_id IS NOT NULL THEN
      -- The job below sends them at once. If it is lost, another one is queued at `due_at`.
      INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
      SELECT tenant, wanted.id, one #>> '{email,kind}', x, (one #>> '{email,sequence}')::integer, wanted.person_id,
             (changes ->> 'emails_due_at')::timestamptz
        FROM jsonb_array_elements_text(one #> '{email,sides}') x ON CONFLICT DO NOTHING;
      PERFORM app.enqueue('bookings:send_emails',
                          jsonb_build_object('tenant_id', tenant, 'booking_id', wanted.id), NULL);
    END IF;
  END LOOP;
  IF changes ? 'waitlist' THEN
    UPDATE waitlist w SET status = x.status
      FROM jsonb_to_recordset(changes -> 'waitlist') AS x (appointment_id uuid, number integer, status text)
     WHERE w.tenant_id = tenant AND w.appointment_id = x.appointment_id AND w.number = x.number
       AND (is_service OR w.person_id = person OR x.status <> 'left' AND w.appointment_id = ANY (touched));
    PERFORM app.enqueue('bookings:send_waitlist_canceled',
                        jsonb_build_object('tenant_id', tenant, 'appointment_id', x.appointment_id, 'number', x.number),
                        NULL)
       FROM jsonb_to_recordset(changes -> 'waitlist') AS x (appointment_id uuid, number integer, is_notified boolean)
      WHERE x.is_notified;
  END IF;
  IF changes ? 'returned' THEN
    RETURN QUERY SELECT b.* FROM bookings b WHERE b.tenant_id = tenant AND b.id = (changes ->> 'returned')::uuid;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.apply_bookings(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.apply_bookings(jsonb) TO porchlight_app, porchlight_overseer;

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

-- file: functions/booking_terms.sql
-- Return the terms of a service for moves and cancellations, as a booking copies them: times in minutes before the
-- start, shares of the price in percent.
--
-- Called by: bookings, app.hold_seat.
CREATE OR REPLACE FUNCTION app.booking_terms(s booking_settings) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'policy', s.policy, 'free_until_minutes', s.free_until_minutes, 'late_percent', s.late_percent,
    'missed_percent', s.missed_percent, 'moves_max', s.moves_max, 'move_until_minutes', s.move_until_minutes)
$$;

-- file: functions/find_hold.sql
-- Return the hold with this token's digest, of the transaction's tenant, unless another user has taken it over.
--
-- Called by: bookings, for the page on which a visitor signs in and books.
-- SECURITY DEFINER: a visitor is no party of a booking. The token is the permission.
CREATE OR REPLACE FUNCTION app.find_hold(token_hash bytea) RETURNS SETOF bookings
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.* FROM bookings b
   WHERE b.tenant_id = app.tenant_id() AND b.hold_hash = token_hash
     AND (b.person_id IS NULL OR b.person_id = app.user_id())
$$;
REVOKE ALL ON FUNCTION app.find_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_hold(bytea) TO porchlight_app;

-- file: functions/lock_calendar.sql
-- Lock the calendar of the transaction's tenant and return it. Every change of appointments and bookings takes this lock
-- first: without it, the exclusion constraint of appointments causes deadlocks.
--
-- Called by: hours and bookings.
CREATE OR REPLACE FUNCTION app.lock_calendar() RETURNS calendars
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT c FROM calendars c WHERE c.tenant_id = app.tenant_id() FOR NO KEY UPDATE
$$;

-- file: functions/shows_light_place.sql
-- Return whether others may see the place of a porch light: while its owner's profile is public, and shows its location
-- or the place is that of a service on Angel's List, where the owner publishes it.
--
-- Called by: app.porch_lights.
CREATE OR REPLACE FUNCTION app.shows_light_place(l porch_lights) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM profiles p
     WHERE p.user_id = l.user_id AND p.is_public AND p.registered_at IS NOT NULL
       AND (p.shows_location OR EXISTS (
              SELECT FROM angels a WHERE a.user_id = l.user_id AND a.active
                 AND (a.city, a.latitude, a.longitude) = (l.city, l.latitude, l.longitude))))
$$;
REVOKE ALL ON FUNCTION app.shows_light_place(porch_lights) FROM PUBLIC;

-- file: triggers/angel_listings.sql
-- Keep the public list of angels (angel_listings), and the numbers of angels per service and place (angel_cells), in
-- line with the angels, their profiles and their accounts. Both are read for each page of Angel's List, where sorting
-- and counting the angels of all users costs more than 50 ms from 100,000 on.
-- SECURITY DEFINER: requests may not touch the two tables.
--
-- Fires on: angels, profiles, users, angel_listings. Deleted angels take their listings along (foreign key).
CREATE OR REPLACE FUNCTION app.refresh_angel_listings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  angel uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
BEGIN
  -- One after the other: a profile that turns private and a service that is offered at the same time. 1,024 locks are
  -- enough, and a transaction that changes very many angels does not run out of them.
  PERFORM pg_advisory_xact_lock(hashtext('angel_listings'), hashtext(angel::text) & 1023);
  IF TG_TABLE_NAME <> 'angels' AND NOT EXISTS (SELECT FROM angels a WHERE a.user_id = angel) THEN
    RETURN NULL;
  END IF;
  DELETE FROM angel_listings l WHERE l.angel_id = angel AND NOT EXISTS (
    SELECT FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
     WHERE a.user_id = l.angel_id AND a.service_id = l.service_id AND a.active AND p.is_public AND u.status = 'active');
  INSERT INTO angel_listings AS l (service_id, angel_id, city, latitude, longitude, rank, place, rate_cents, ratings,
                                   rating_sum)
  SELECT a.service_id, a.user_id, a.city, a.latitude, a.longitude, -app.angel_score(a.ratings, a.rating_sum),
         CASE WHEN u.listed_plan = 'premium-angel' THEN '0' ELSE '1' END || p.handle, a.rate_cents, a.ratings,
         a.rating_sum
    FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
   WHERE a.user_id = angel AND a.active AND p.is_public AND u.status = 'active' ORDER BY a.service_id
  ON CONFLICT (service_id, angel_id) DO UPDATE
     SET city = excluded.city, latitude = excluded.latitude, longitude = excluded.longitude, rank = excluded.rank,
         place = excluded.place, rate_cents = excluded.rate_cents, ratings = excluded.ratings,
         rating_sum = excluded.rating_sum
   WHERE (l.*) IS DISTINCT FROM (excluded.*);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.refresh_angel_listings() FROM PUBLIC;

CREATE OR REPLACE TRIGGER refresh_angel_listings AFTER INSERT OR UPDATE ON angels
    FOR EACH ROW EXECUTE FUNCTION app.refresh_angel_listings();
CREATE OR REPLACE TRIGGER refresh_angel_listings AFTER INSERT OR DELETE OR UPDATE OF is_public, handle ON profiles
    FOR EACH ROW EXECUTE FUNCTION app.refresh_angel_listings();
CREATE OR REPLACE TRIGGER refresh_angel_listings AFTER UPDATE OF status, listed_plan ON users
    FOR EACH ROW EXECUTE FUNCTION app.refresh_angel_listings();

-- Statement triggers, so that a statement changes each cell once, and cells always in the same order.
CREATE OR REPLACE FUNCTION app.count_angel_cells() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  changes angel_cells[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN
    changes := ARRAY(SELECT (o.service_id, o.city, o.latitude, o.longitude, -1, -o.rate_cents, -o.ratings,
                             -o.rating_sum)::angel_cells FROM old_rows o);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    changes := changes || ARRAY(SELECT (n.service_id, n.city, n.latitude, n.longitude, 1, n.rate_cents, n.ratings,
                                        n.rating_sum)::angel_cells FROM new_rows n);
  END IF;
  INSERT INTO angel_cells AS c (service_id, city, latitude, longitude, angels, rate_sum, ratings, rating_sum)
  SELECT x.service_id, x.city, x.latitude, x.longitude, sum(x.angels), sum(x.rate_sum), sum(x.ratings),
         sum(x.rating_sum)
    FROM unnest(changes) x GROUP BY 1, 2, 3, 4
  HAVING (sum(x.angels), sum(x.rate_sum), sum(x.ratings), sum(x.rating_sum)) <> (0, 0, 0, 0) ORDER BY 1, 2, 3, 4
  ON CONFLICT (service_id, city, latitude, longitude) DO UPDATE
     SET angels = c.angels + excluded.angels, rate_sum = c.rate_sum + excluded.rate_sum,
         ratings = c.ratings + excluded.ratings, rating_sum = c.rating_sum + excluded.rating_sum;
  DELETE FROM angel_cells c USING unnest(changes) x
   WHERE (c.service_id, c.city, c.latitude, c.longitude) = (x.service_id, x.city, x.latitude, x.longitude)
     AND x.angels < 0 AND c.angels = 0;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.count_angel_cells() FROM PUBLIC;

CREATE OR REPLACE TRIGGER count_on_insert AFTER INSERT ON angel_listings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_angel_cells();
CREATE OR REPLACE TRIGGER count_on_update AFTER UPDATE ON angel_listings
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_angel_cells();
CREATE OR REPLACE TRIGGER count_on_delete AFTER DELETE ON angel_listings
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_angel_cells();

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

-- file: triggers/booking_history.sql
-- Write the first entry of each booking's history. The others are written with the change that they are about
-- (app.apply_bookings). The function restores the tenant that was set before.
--
-- Fires on: bookings.
-- SECURITY DEFINER: the app role may only read the table.
CREATE OR REPLACE FUNCTION app.add_booking_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event)
  VALUES (NEW.tenant_id, NEW.id, 1, NEW.person_id,
          CASE WHEN app.acting_tenant_id() = NEW.tenant_id THEN 'guru' ELSE 'person' END, NEW.status);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_event_insert AFTER INSERT ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.add_booking_event();

-- file: triggers/booking_seats.sql
-- Keep the number of occupied seats of each appointment equal to the parties of its bookings. The constraint on the
-- number rejects one seat too many. A session without bookings ends, and its time is free again, unless its start is
-- fixed.
--
-- Fires on: bookings. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_seats() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND app.occupies_seats(OLD.status) THEN
    UPDATE appointments a SET taken = a.taken - OLD.party,
                              live = a.live AND (a.fixed OR a.taken > OLD.party OR a.kind = 'block')
     WHERE a.tenant_id = OLD.tenant_id AND a.id = OLD.appointment_id;
  END IF;
  IF TG_OP <> 'DELETE' AND app.occupies_seats(NEW.status) THEN
    UPDATE appointments a SET taken = a.taken + NEW.party, live = true
     WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = 'the appointment of the booking is missing';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_seats AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_seats();
CREATE OR REPLACE TRIGGER count_seats_update AFTER UPDATE OF status, party, appointment_id ON bookings
    FOR EACH ROW WHEN ((app.occupies_seats(OLD.status), OLD.party, OLD.appointment_id)
                       IS DISTINCT FROM (app.occupies_seats(NEW.status), NEW.party, NEW.appointment_id))
    EXECUTE FUNCTION app.count_seats();

-- file: triggers/booking_transitions.sql
-- Reject a change of a booking's status that is not in the table of transitions.
--
-- Fires on: bookings.
CREATE OR REPLACE FUNCTION app.check_booking_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (OLD.status, NEW.status) IN (
       ('held', 'requested'), ('held', 'confirmed'), ('held', 'expired'),
       ('requested', 'confirmed'), ('requested', 'declined'), ('requested', 'canceled'), ('requested', 'expired'),
       ('confirmed', 'canceled'), ('confirmed', 'missed'), ('confirmed', 'completed'),
       ('missed', 'confirmed'), ('missed', 'completed'), ('completed', 'missed')) THEN
    RAISE check_violation USING MESSAGE = format('a booking cannot change from %s to %s', OLD.status, NEW.status);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER check_booking_transition BEFORE UPDATE OF status ON bookings
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION app.check_booking_transition();

-- file: triggers/booking_waivers.sql
-- Keep the waivers of open bookings up to date: when someone accepts a waiver or one ends, each participant for whom
-- that account or link signs gets the waiver that covers them (app.cover_booking). A booking from before participants
-- had their own waivers has none: it gets the waiver of its person that covers its level and is valid longest; only
-- another signed one replaces a signed one. Without one, `waiver_until` is in the past. A later text of the guru is for
-- new bookings, so it does not matter here. The function restores the tenant and the user that were set before.
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
  PERFORM app.cover_booking(b.id) FROM bookings b
    WHERE b.tenant_id = NEW.guru_id AND split_part(NEW.exchange_id, '/', 2) = b.service_id::text
      AND EXISTS (SELECT FROM participants p WHERE p.tenant_id = NEW.guru_id AND p.signer_id = NEW.user_id
                                               AND p.booking_id = b.id);
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
     AND split_part(NEW.exchange_id, '/', 2) = b.service_id::text
     AND NOT EXISTS (SELECT FROM participants p WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id);
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

-- file: triggers/calendar_changed.sql
-- Give a guru's calendar a new version when its free times may have changed. With the argument `rules`, also a new
-- version of the rules, which decide what is offered at all. One new version for a transaction is enough, because
-- others see all its changes at once.
--
-- Fires on: weekly_hours, date_hours, booking_settings, services (rules); appointments. Once per statement, in the same
-- transaction.
CREATE OR REPLACE FUNCTION app.calendar_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE calendars SET version = version + 1, rules_version = rules_version + (TG_ARGV[0] = 'rules')::integer
   WHERE tenant_id IN (SELECT tenant_id FROM changed)
     AND (TG_ARGV[0] = 'rules' OR xmin <> pg_current_xact_id()::xid);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON weekly_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON weekly_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON weekly_hours
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON date_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON date_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON date_hours
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON booking_settings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON booking_settings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON booking_settings
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON services
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON services
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON services
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON appointments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON appointments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON appointments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');

CREATE OR REPLACE FUNCTION app.calendar_rules_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := greatest(NEW.version, OLD.version + 1);
  NEW.rules_version := greatest(NEW.rules_version, OLD.rules_version + 1);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER calendar_rules_changed BEFORE UPDATE OF zone, step_minutes, notice_minutes, horizon_days,
        day_max, paused_until ON calendars
    FOR EACH ROW EXECUTE FUNCTION app.calendar_rules_changed();

-- file: triggers/counters.sql
-- Keep the counters of the admin overview: users, gurus, reports, listings, sessions. Deleted accounts do not count as
-- users, and bookings that were not confirmed or were canceled do not count as sessions.
-- Counting 50,000 rows for each page view costs more. A bulk load counts once, by triggers of the statement. Each counter
-- has 16 rows, so that concurrent transactions seldom wait for each other.
-- SECURITY DEFINER: no role may write the table.
--
-- Fires on: users, gurus, reports, skill_offers, bookings. The first argument is the counter's name, the second one the
-- statuses that count.
CREATE OR REPLACE FUNCTION app.count_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  added bigint;
BEGIN
  IF TG_LEVEL = 'ROW' THEN
    added := (TG_OP <> 'DELETE' AND NEW.status = ANY (TG_ARGV[1]::text[]))::integer
             - (TG_OP <> 'INSERT' AND OLD.status = ANY (TG_ARGV[1]::text[]))::integer;
  ELSIF TG_OP = 'DELETE' AND TG_NARGS > 1 THEN
    added := -(SELECT count(*) FROM old_rows r WHERE r.status = ANY (TG_ARGV[1]::text[]));
  ELSIF TG_OP = 'DELETE' THEN
    added := -(SELECT count(*) FROM old_rows);
  ELSIF TG_NARGS > 1 THEN
    added := (SELECT count(*) FROM new_rows r WHERE r.status = ANY (TG_ARGV[1]::text[]));
  ELSE
    added := (SELECT count(*) FROM new_rows);
  END IF;
  IF added <> 0 THEN
    INSERT INTO counters AS t (name, slot, value) VALUES (TG_ARGV[0], mod(pg_backend_pid(), 16), added)
    ON CONFLICT (name, slot) DO UPDATE SET value = t.value + excluded.value;
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.count_rows() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON gurus
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('gurus');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON gurus
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('gurus');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON reports
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('reports');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON reports
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('reports');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON skill_offers
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('listings');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON skill_offers
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('listings');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON users
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('users', '{active,suspended}');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON users
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('users', '{active,suspended}');
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN ((OLD.status = 'erased') <> (NEW.status = 'erased'))
    EXECUTE FUNCTION app.count_rows('users', '{active,suspended}');
-- A new booking is only held.
CREATE OR REPLACE TRIGGER counter_on_insert_or_delete AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,missed,completed}');
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON bookings
    FOR EACH ROW WHEN ((OLD.status IN ('confirmed', 'missed', 'completed'))
                       <> (NEW.status IN ('confirmed', 'missed', 'completed')))
    EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,missed,completed}');

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

-- file: triggers/keep_domain_proof.sql
-- Keep the proof of a domain, which the worker alone decides on.
--
-- A request of the previous release saves its own check of a domain. The proof is kept without an error, and the worker
-- repeats the check.
--
-- Fires on: domains.
CREATE OR REPLACE FUNCTION app.keep_domain_proof() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user = 'porchlight_app' THEN
    NEW.verified_at := OLD.verified_at;
    NEW.proof := OLD.proof;
    NEW.certificate_until := OLD.certificate_until;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_domain_proof BEFORE UPDATE OF verified_at, proof, certificate_until ON domains
    FOR EACH ROW EXECUTE FUNCTION app.keep_domain_proof();

-- file: triggers/keep_listing_hidden.sql
-- Keep a listing hidden that exceeds its owner's plan, or that staff hid, also when the user removes the skill and adds
-- it again.
-- SECURITY DEFINER: the app role cannot read hidden_listings.
--
-- Fires on: skill_offers.
CREATE OR REPLACE FUNCTION app.keep_listing_hidden() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.visible AND (NEW.over_limit OR EXISTS (
    SELECT FROM hidden_listings h WHERE h.owner_id = NEW.user_id AND h.phrase_id = NEW.phrase_id)) THEN
    NEW.visible := false;
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION app.keep_listing_hidden() FROM PUBLIC;

CREATE OR REPLACE TRIGGER keep_listing_hidden BEFORE INSERT OR UPDATE ON skill_offers
    FOR EACH ROW EXECUTE FUNCTION app.keep_listing_hidden();

-- file: triggers/keep_suspension.sql
-- Keep a suspension: no request lifts it.
--
-- Fires on: users, when a suspended account would become active.
CREATE OR REPLACE FUNCTION app.keep_suspension() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user = 'porchlight_app' THEN
    RAISE insufficient_privilege USING MESSAGE = 'only staff lift a suspension';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_suspension BEFORE UPDATE OF status ON users
    FOR EACH ROW WHEN (OLD.status <> 'active' AND NEW.status = 'active') EXECUTE FUNCTION app.keep_suspension();

-- file: triggers/ledger.sql
-- Keep the ledger a record that only grows: entries and accounts never change, sums never fall, a hold ends once and a
-- decided adjustment stays as it is. The subject `adjustment` belongs to adjustments that were decided.
--
-- Fires on: ledger_transactions, ledger_transfers, ledger_accounts, ledger_balances, ledger_holds, adjustments.
CREATE OR REPLACE FUNCTION app.forbid_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation USING MESSAGE = 'the ledger only grows', TABLE = TG_TABLE_NAME;
END $$;

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE OR DELETE ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE OR DELETE ON ledger_transfers
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE OR DELETE ON ledger_accounts
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON ledger_balances
    FOR EACH ROW WHEN (NEW.debits < OLD.debits OR NEW.credits < OLD.credits OR NEW.seq < OLD.seq
                       OR (NEW.account_id, NEW.kind, NEW.unit) <> (OLD.account_id, OLD.kind, OLD.unit))
    EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON ledger_balances
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON ledger_holds
    FOR EACH ROW WHEN (OLD.state <> 'held'
                       OR to_jsonb(NEW) - '{state,ended_at}'::text[] <> to_jsonb(OLD) - '{state,ended_at}'::text[])
    EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON ledger_holds
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON adjustments
    FOR EACH ROW WHEN (OLD.state <> 'requested'
                       OR to_jsonb(NEW) - '{state,decided_by,decided_at,transaction_id}'::text[]
                          <> to_jsonb(OLD) - '{state,decided_by,decided_at,transaction_id}'::text[])
    EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON adjustments
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_transfers
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_accounts
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_balances
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_holds
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON adjustments
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE FUNCTION app.check_adjustment_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM adjustments a WHERE a.id::text = NEW.subject_id AND a.event = NEW.event
                    AND a.state = 'requested'
                    AND (a.cents <= 10000 OR lower(a.decided_by) <> lower(a.requested_by))) THEN
    RAISE check_violation USING MESSAGE = 'the adjustment was not decided';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER check_adjustment_decided BEFORE INSERT ON ledger_transactions
    FOR EACH ROW WHEN (NEW.subject_kind = 'adjustment') EXECUTE FUNCTION app.check_adjustment_decided();

-- file: triggers/notify_flag_changed.sql
-- Notify every process that a flag changed, so that it reads the flags again.
-- The id in the payload belongs to no tenant; flags listen for it.
--
-- Fires on: flag_settings, guru_flags.
CREATE OR REPLACE FUNCTION app.notify_flag_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('porchlight_tenants', '00000000-0000-7000-8000-000000000012');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_flag_changed AFTER INSERT OR UPDATE OR DELETE ON flag_settings
    FOR EACH STATEMENT EXECUTE FUNCTION app.notify_flag_changed();
CREATE OR REPLACE TRIGGER notify_flag_changed AFTER INSERT OR UPDATE OR DELETE ON guru_flags
    FOR EACH STATEMENT EXECUTE FUNCTION app.notify_flag_changed();

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
-- Payload on the channel porchlight_tenants: the tenant's id and the host. A check of a domain that changes nothing for
-- visitors sends no notification.
--
-- Fires on: domains, retired_labels.
CREATE OR REPLACE FUNCTION app.notify_host_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP = 'UPDATE'
     AND to_jsonb(NEW) - '{checked_at,next_check_at,outcome,found,failing_since}'::text[]
       = to_jsonb(OLD) - '{checked_at,next_check_at,outcome,found,failing_since}'::text[] THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify('porchlight_tenants', r.tenant_id || ' ' || (to_jsonb(r) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_domain_changed
    AFTER INSERT OR UPDATE OF domain, verified_at, over_limit, proof, leads_here, certificate_until OR DELETE
    ON domains FOR EACH ROW EXECUTE FUNCTION app.notify_host_changed('domain');
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

-- file: triggers/offer_languages.sql
-- Keep the languages of public listings (skill_offer_languages) in line with the listings and the profiles of their
-- owners. A search for a language reads as few rows as without one, also if hardly anyone speaks it.
-- SECURITY DEFINER: requests may not touch the table.
--
-- Fires on: skill_offers, profiles. Deleted listings take their languages along (foreign key).
CREATE OR REPLACE FUNCTION app.list_offer_languages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  -- One after the other: a profile with a new language and a listing with a new place at the same time.
  PERFORM pg_advisory_xact_lock(hashtext('skill_offer_languages'), hashtext(NEW.user_id::text) & 1023);
  changed := CASE WHEN TG_TABLE_NAME = 'profiles'
                  THEN ARRAY(SELECT o.id FROM skill_offers o WHERE o.user_id = NEW.user_id)
                  ELSE ARRAY[(to_jsonb(NEW) ->> 'id')::uuid] END;
  DELETE FROM skill_offer_languages s WHERE s.offer_id = ANY (changed);
  INSERT INTO skill_offer_languages (offer_id, language, phrase_id, tile)
  SELECT DISTINCT o.id, app.normalize_text(l), o.phrase_id, o.tile
    FROM skill_offers o JOIN profiles p ON p.user_id = o.user_id CROSS JOIN unnest(p.languages) l
   WHERE o.id = ANY (changed) AND o.visible;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.list_offer_languages() FROM PUBLIC;

CREATE OR REPLACE TRIGGER list_offer_languages AFTER INSERT OR UPDATE OF phrase_id, visible, tile ON skill_offers
    FOR EACH ROW EXECUTE FUNCTION app.list_offer_languages();
CREATE OR REPLACE TRIGGER list_changed_languages AFTER UPDATE OF languages ON profiles
    FOR EACH ROW WHEN (OLD.languages IS DISTINCT FROM NEW.languages) EXECUTE FUNCTION app.list_offer_languages();

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

-- file: triggers/on_user_deleted_bookings.sql
-- Erase the person of a deleted account from all bookings.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_bookings() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru_id uuid;
BEGIN
  -- In the order of the ids, so that two deletions lock calendars in the same order.
  FOR guru_id IN
    SELECT b.tenant_id FROM bookings b WHERE b.person_id = NEW.user_id
     UNION SELECT w.tenant_id FROM waitlist w WHERE w.person_id = NEW.user_id ORDER BY 1
  LOOP
    PERFORM set_config('app.tenant_id', guru_id::text, true);
    PERFORM app.erase_bookings();
  END LOOP;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_bookings AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_bookings();

-- file: triggers/on_user_deleted_documents.sql
-- Delete the documents of a deleted account.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_verification() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM documents WHERE user_id = NEW.user_id;
  DELETE FROM document_files WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_verification AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_verification();

-- file: triggers/on_user_deleted_onboarding.sql
-- Delete the onboarding draft and the guru of a deleted account. The site goes offline at once; a job deletes everything
-- of it.
--
-- Postgres fires the triggers of `users` in the order of their names. These two come first of those that lock rows and
-- take the user's publish lock before any row lock, as publishing does, so the two cannot wait for each other.
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

-- file: triggers/on_user_deleted_payouts.sql
-- Delete the payout account of a deleted account, unless money moved there. Then account and payouts stay for the books,
-- without bank accounts and cards.
-- SECURITY DEFINER: the app role cannot change payouts.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_payouts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM payout_accounts p WHERE p.user_id = NEW.user_id
     AND NOT EXISTS (SELECT FROM payouts o WHERE o.user_id = NEW.user_id)
     AND NOT EXISTS (SELECT FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
                      WHERE a.user_id = NEW.user_id AND a.kind = 'guru_stripe' AND b.seq > 0);
  UPDATE payout_accounts SET charges_enabled = false, payouts_enabled = false, details_submitted = false,
         currently_due = '{}', destinations = '{}', destinations_changed_at = NULL
   WHERE user_id = NEW.user_id;
  UPDATE payouts SET destination = '', last4 = '' WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_payouts() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_payouts AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_payouts();

-- file: triggers/on_user_deleted_plans.sql
-- Delete the granted plans of a deleted account.
-- SECURITY DEFINER: the app role cannot write granted plans.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_plans() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM plan_grants WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_plans() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_plans AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_plans();

-- file: triggers/on_user_email_changed.sql
-- Send a new email address to Stripe, for receipts, if the user is a customer there. Each change has a write of its own:
-- what it brought is compared with the address of then when it is done.
-- SECURITY DEFINER: the app role may not create writes.
--
-- Fires on: users, when the email address changes. The empty one of a deleted account is not sent.
CREATE OR REPLACE FUNCTION app.on_user_email_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.create_stripe_write('billing_customer_email', gen_random_uuid(), '', 'POST',
                                  '/v1/customers/' || b.customer_id, jsonb_build_object('email', NEW.email))
     FROM billing_customers b WHERE b.user_id = NEW.user_id AND b.customer_id IS NOT NULL;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_email_changed() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_email_changed AFTER UPDATE OF email ON users
    FOR EACH ROW WHEN (NEW.email <> OLD.email AND NEW.email <> '') EXECUTE FUNCTION app.on_user_email_changed();

-- file: triggers/on_user_email_verified.sql
-- Start the job that welcomes a user once the email address is verified: an address that was only typed belongs to
-- anyone, who gets no email for it. Whether the user is new, the job decides.
-- SECURITY DEFINER: the app role may not call app.enqueue.
--
-- Fires on: users, when the address is verified.
CREATE OR REPLACE FUNCTION app.on_user_email_verified() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.enqueue('profiles:send_welcome', jsonb_build_object('user_id', NEW.user_id),
                      'profiles:send_welcome:' || NEW.user_id);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_email_verified() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_email_verified AFTER UPDATE OF email_verified ON users
    FOR EACH ROW WHEN (NEW.email_verified AND NOT OLD.email_verified) EXECUTE FUNCTION app.on_user_email_verified();

-- file: triggers/plan_changed.sql
-- Start the job that applies a user's plan after a grant or a subscription changed.
-- SECURITY DEFINER: only the service role may call app.enqueue.
--
-- Fires on: plan_grants, subscriptions.
CREATE OR REPLACE FUNCTION app.plan_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  r record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM app.enqueue('plans:apply_plan', jsonb_build_object('user_id', r.user_id),
                      'plans:apply_plan:' || r.user_id);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.plan_changed() FROM PUBLIC;

CREATE OR REPLACE TRIGGER plan_changed AFTER INSERT OR UPDATE OR DELETE ON plan_grants
    FOR EACH ROW EXECUTE FUNCTION app.plan_changed();
CREATE OR REPLACE TRIGGER plan_changed AFTER INSERT OR UPDATE OR DELETE ON subscriptions
    FOR EACH ROW EXECUTE FUNCTION app.plan_changed();

-- file: triggers/profile_skills.sql
-- Keep the offers and wants of a user (skill_offers, skill_wants) in line with the skills named in the profile.
-- A listing keeps its details as long as the profile names its skill, and has the user's cell only while the profile
-- shows the location (the tile, a region, is for searches near it and is shown to no one). Another trigger
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
  IF NOT NEW.shows_location THEN
    place.cell_lat := -1;
    place.cell_lon := -1;
    UPDATE skill_offers o SET cell_lat = -1, cell_lon = -1 WHERE o.user_id = NEW.user_id AND o.cell_lat <> -1;
    UPDATE skill_wants w SET cell_lat = -1, cell_lon = -1 WHERE w.user_id = NEW.user_id AND w.cell_lat <> -1;
  END IF;
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

-- file: triggers/session_changes.sql
-- Increase the number of a session with each change of its confirmed bookings: a class is one event in the guru's
-- calendar, and calendars apply an update only if its number is higher. A booking that moves stores the session that it
-- left, because that event changes too.
--
-- Fires on: bookings. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.number_session_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE appointments a SET sequence = a.sequence + 1
   WHERE a.tenant_id = NEW.tenant_id AND a.id IN (OLD.appointment_id, NEW.appointment_id);
  IF NEW.appointment_id <> OLD.appointment_id THEN
    NEW.left_appointment_id := OLD.appointment_id;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER number_session_change BEFORE UPDATE OF status, sequence, appointment_id, party ON bookings
    FOR EACH ROW WHEN ((OLD.status = 'confirmed' OR NEW.status = 'confirmed')
                       AND (OLD.status, OLD.sequence, OLD.appointment_id, OLD.party)
                       IS DISTINCT FROM (NEW.status, NEW.sequence, NEW.appointment_id, NEW.party))
    EXECUTE FUNCTION app.number_session_change();

-- file: triggers/site_changed.sql
-- Give a guru's site a new content version when anything changes that its pages show.
--
-- Fires on: posts, post_views, services, guru_categories, booking_settings, guru_facts, deletions of site_images.
-- Once per statement, in the same transaction.
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
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON booking_settings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON guru_facts
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
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON booking_settings
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON guru_facts
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
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON booking_settings
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON guru_facts
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON site_images
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();

-- file: triggers/waiting_people.sql
-- Keep the number of those who wait for each session. Other visitors see such a session as full.
--
-- Fires on: waitlist. The transaction holds the lock of the calendar.
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

-- file: triggers/waivers.sql
-- Keep each waiver and its link together, and both unchanged. Only these changes are possible: a waiver ends, with who
-- ended it, the data that it can lose is erased, and an old waiver is deleted. Its link stays, so the chain can always
-- be verified. A PDF that shows a drawn signature is erased with the drawing: it becomes empty.
--
-- Fires on: waivers, waiver_links, guru_waiver_texts; users, when the status becomes erased.
-- SECURITY DEFINER on the comparison: the app role cannot read waiver_links.
CREATE OR REPLACE FUNCTION app.check_waiver_link() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM waivers w JOIN waiver_links l ON l.chain_id = w.chain_id AND l.number = w.number
                  WHERE w.user_id = app.user_id() AND w.chain_id = NEW.chain_id AND w.number = NEW.number
                    AND l.record_sha256 = w.sha256 AND l.pdf_sha256 = encode(sha256(w.pdf), 'hex')) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'a waiver and its link need each other';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS check_waiver_link ON waivers;
CREATE CONSTRAINT TRIGGER check_waiver_link AFTER INSERT ON waivers DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION app.check_waiver_link();
DROP TRIGGER IF EXISTS check_waiver_link ON waiver_links;
CREATE CONSTRAINT TRIGGER check_waiver_link AFTER INSERT ON waiver_links DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION app.check_waiver_link();

CREATE OR REPLACE FUNCTION app.forbid_waiver_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation USING MESSAGE = 'waivers, their links and their texts do not change';
END $$;

CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE ON waivers
    FOR EACH ROW WHEN (NOT NEW.erasable <@ OLD.erasable
                       OR (NEW.ended_at, NEW.withdrawn_at) IS DISTINCT FROM (OLD.ended_at, OLD.withdrawn_at)
                       AND OLD.ended_at IS NOT NULL
                       OR NEW.pdf <> OLD.pdf AND (NEW.pdf <> '' OR NOT jsonb_exists(OLD.erasable, 'drawnSignature')
                                                  OR jsonb_exists(NEW.erasable, 'drawnSignature'))
                       OR to_jsonb(NEW) - '{erasable,ended_at,withdrawn_at,pdf}'::text[]
                          <> to_jsonb(OLD) - '{erasable,ended_at,withdrawn_at,pdf}'::text[])
    EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE OR DELETE ON waiver_links
    FOR EACH ROW EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE ON guru_waiver_texts
    FOR EACH ROW EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_truncate BEFORE TRUNCATE ON waiver_links
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_waiver_change();

CREATE OR REPLACE FUNCTION app.on_user_deleted_waivers() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE waivers SET erasable = '{}', pdf = CASE WHEN jsonb_exists(erasable, 'drawnSignature') THEN '' ELSE pdf END
   WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_waivers AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_waivers();

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

-- The admin overview counts failed jobs.
CREATE INDEX procrastinate_jobs_failed_idx ON jobs.procrastinate_jobs (deferred_at) WHERE status = 'failed';

GRANT USAGE ON SCHEMA jobs TO porchlight_overseer;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA jobs TO porchlight_overseer;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA jobs TO porchlight_overseer;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA jobs TO porchlight_overseer;
