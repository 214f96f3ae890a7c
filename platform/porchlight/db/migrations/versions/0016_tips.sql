-- zz rest

-- file: functions/begin_purchase.sql
-- Begin what the current user buys by card from the current guru besides a session: store the payment with the write that
-- opens Stripe's page. `purchase` has the columns of the payment, `checkout` with the parameters of the page, and
-- `replaces`, an open payment of the same kind that the person gives up, whose page closes.
--
-- The function decides nothing, and refuses what no decision may do: a tip for another person's session or for one that
-- is not over, and a tip with a fee.
--
-- Called by: bookings.
-- SECURITY DEFINER: the app role may not write payments and the outbox.
CREATE OR REPLACE FUNCTION app.begin_purchase(purchase jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  former record;
  made uuid;
BEGIN
  IF purchase ->> 'replaces' IS NOT NULL THEN
    UPDATE payments p SET state = 'canceled', checkout_url = ''
     WHERE p.tenant_id = tenant AND p.id = (purchase ->> 'replaces')::uuid AND p.person_id = person
       AND p.purpose = purchase ->> 'purpose' AND p.purpose <> 'session' AND p.state IN ('opening', 'open')
    RETURNING p.id, p.checkout_id INTO former;
    IF former.checkout_id <> '' THEN
      PERFORM app.create_stripe_write('session_checkout_end', former.id, '', 'POST',
                                      '/v1/checkout/sessions/' || former.checkout_id || '/expire', '{}', false);
    END IF;
  END IF;
  INSERT INTO payments (tenant_id, id, booking_id, person_id, owner_id, group_id, purpose, number, amount_cents, currency,
                        fee_cents, fee_bps, fee_minimum_cents, expires_at, idempotency_key)
  SELECT tenant, x.id, b.id, person, m.user_id, x.id, x.purpose,
         (SELECT coalesce(max(p.number), 0) + 1 FROM payments p
           WHERE p.tenant_id = tenant AND p.booking_id = b.id AND p.purpose = x.purpose),
         x.amount_cents, 'USD', 0, 0, 0, x.expires_at, x.idempotency_key
    FROM jsonb_to_record(purchase) AS x (id uuid, purpose text, booking_id uuid, amount_cents bigint,
                                         expires_at timestamptz, idempotency_key text)
    JOIN memberships m ON m.tenant_id = tenant
    JOIN bookings b ON b.tenant_id = tenant AND b.id = x.booking_id AND b.person_id = person
     AND b.status IN ('confirmed', 'completed') AND b.ends_at <= app.now()
   WHERE x.purpose = 'tip'
  RETURNING id INTO STRICT made;
  PERFORM app.create_stripe_write('session_checkout', made, '', 'POST', '/v1/checkout/sessions', purchase -> 'checkout');
END $$;
REVOKE ALL ON FUNCTION app.begin_purchase(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.begin_purchase(jsonb) TO porchlight_app;

-- file: functions/booking_facts.sql
-- Return the facts on which a change of bookings is decided, of one moment (`porchlight.features.bookings.facts`). Times
-- are ISO 8601; ids and names of people are not decided on, so no name, note or address is among the facts.
--
-- The bookings: those of `ids`; the hold with the token digest `token`; the user's booking under the idempotency key
-- `key`, or that of the customer's link `customer`; with `series`, the others of the same person's series; the open
-- ones of the session `appointment` and, with `all_open`, all that the user has; and those whose time has passed,
-- because they end first. The sessions: those of the bookings and of `appointment`, those with seats to offer, and
-- those that decide whether the service is free at `starts`: within its time, or near a start if the guru limits their
-- days. `busy`: the times of busy sources within the service's time. If they are `counted`, also the holds of the user
-- and of visitors: those of now, of the time `recent`, those of the network address, and all of visitors near the first
-- start. `near` is longer than any local day.
--
-- The packages (`grants`): those of `ids`, those that the bookings use or used, and the user's own ones that have
-- sessions left. `uses` has the package of each booking that has one, `payments` the latest payment of each.
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
  found_busy json;
  found_services json;
  found_waiver json;
  found_grants json;
  found_uses json;
  found_payments json;
  visitors json;
  usage json;
BEGIN
  SELECT row_to_json(x), x.day_max IS NOT NULL INTO calendar, has_day_max FROM (
    SELECT c.version, c.rules_version, c.zone, c.notice_minutes, c.day_max, g.status = 'active' AS is_active,
           coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'),
                    (SELECT f.enabled FROM flag_settings f WHERE f.name = 'booking'), true) AS takes_bookings,
           EXISTS (SELECT FROM memberships m JOIN hidden_people h ON h.user_id = m.user_id WHERE m.tenant_id = tenant)
             AS is_blocked
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
             b.price_cents, b.currency, b.approval, b.place, b.place_text, b.person_address, b.terms,
             encode(b.terms_digest, 'hex') AS terms_digest, b.waiver_level, b.waiver_until, b.sequence, b.moves,
             b.late_since, b.series_id, b.proposed_start, b.proposed_until, b.proposals, b.expires_at, b.ended_by,
             b.checked_in_at, b.checked_in_by,
             b.customer_token IS NOT NULL AS is_customer, b.address_hash IS NULL AS is_offer,
             b.hold_hash = token AS is_token,
             b.idempotency_key = key AND b.person_id = person OR b.customer_token = customer AS is_key,
             b.idempotency_key IS NOT NULL AS is_sent, encode(b.digest, 'hex') AS digest
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
    SELECT json_agg(json_build_array(lower(u.during), upper(u.during))) INTO found_busy
      FROM booking_settings t
      JOIN services s ON s.tenant_id = tenant AND s.id = t.service_id
     CROSS JOIN unnest(booking_facts.starts) AS wanted (start)
      JOIN busy_times u ON u.tenant_id = tenant
       AND u.during && tstzrange(start - make_interval(mins => t.setup_minutes),
                                 start + make_interval(mins => s.duration_minutes + t.cleanup_minutes))
     WHERE t.tenant_id = tenant AND t.service_id = service;
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
  SELECT json_agg(x) INTO found_uses FROM (
    SELECT b.id, b.package_grant_id AS grant_id, b.package_sessions FROM bookings b
     WHERE b.tenant_id = tenant AND b.id = ANY (chosen) AND b.package_grant_id IS NOT NULL) x;
  IF cardinality(chosen) > 0 THEN
    SELECT json_agg(x) INTO found_payments FROM (
      SELECT DISTINCT ON (p.booking_id)
             p.id, p.booking_id, p.group_id, p.number, p.state, p.amount_cents, p.fee_cents, p.fee_bps,
             p.fee_minimum_cents, p.refunded_cents, p.fee_returned_cents, p.disputed_cents, p.disputed_fee_cents,
             p.disputed AS is_disputed,
             p.delivered_at IS NOT NULL AS is_delivered
        FROM payments p
       WHERE p.tenant_id = tenant AND p.booking_id = ANY (chosen) AND p.purpose = 'session'
       ORDER BY p.booking_id, p.number DESC) x;
  END IF;
  IF person IS NOT NULL OR cardinality(ids) > 0 OR found_uses IS NOT NULL THEN
    SELECT json_agg(x) INTO found_grants FROM (
      SELECT g.id, g.service_id, g.person_id, g.name, g.granted, g.left_over, g.taken_back, g.expires_at,
             g.is_customer
        FROM package_grants g
       WHERE g.tenant_id = tenant
         AND (g.id = ANY (ids) OR g.person_id = person AND g.left_over > 0
              OR g.id IN (SELECT b.package_grant_id FROM bookings b
                           WHERE b.tenant_id = tenant AND b.id = ANY (chosen)))
       ORDER BY g.expires_at, g.id) x;
  END IF;
  RETURN json_build_object(
    'now', moment, 'user_id', person, 'is_acting', app.acting_tenant_id() = tenant, 'calendar', calendar,
    'bookings', found_bookings, 'sessions', found_sessions, 'busy', found_busy, 'services', found_services,
    'waiver', found_waiver, 'usage', usage, 'grants', found_grants, 'uses', found_uses,
    'payments', found_payments);
END $$;
REVOKE ALL ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, timestamptz[], interval, uuid,
  boolean, bytea, interval, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, timestamptz[], interval, uuid,
  boolean, bytea, interval, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/guru_is_connected.sql
-- Return whether the account that owns the current guru can be paid: its payout account is connected and ready.
--
-- Called by: bookings, before a person pays by card besides a booking.
-- SECURITY DEFINER: payout accounts are those of other users.
CREATE OR REPLACE FUNCTION app.guru_is_connected() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM memberships m JOIN payout_accounts a ON a.user_id = m.user_id
                  WHERE m.tenant_id = app.tenant_id() AND a.connected AND a.details_submitted AND a.payouts_enabled);
$$;
REVOKE ALL ON FUNCTION app.guru_is_connected() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.guru_is_connected() TO porchlight_app, porchlight_overseer;

-- file: functions/job_contacts.sql
-- Return the people whom the running job emails or names, while their accounts are active: those of the row that its
-- arguments name, which must be of the job's tenant or user. `part` says what they are to the row, and `details` what the
-- job may know of the row. `name` is the name in an email to them, `shown_name` the one that others see. The address of a
-- swap ring's member is empty until it is verified.
--
-- Called by: leads, angels, matches, bookings and busy sources, in the jobs named here. Any other job gets an error.
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
  IF job.task NOT IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply', 'angels:notify_owner',
                      'angels:notify_result', 'matches:notify_members', 'bookings:send_emails',
                      'bookings:send_changes', 'bookings:send_agenda', 'bookings:send_waitlist_canceled',
                      'bookings:send_package_email', 'bookings:send_refund_emails', 'bookings:send_dispute_email',
                      'bookings:send_tip_email', 'busy_sources:read') THEN
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
                                                   'bookings:send_agenda', 'bookings:send_refund_emails',
                                                   'bookings:send_dispute_email', 'bookings:send_tip_email',
                                                   'busy_sources:read')
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
      -- The person who has the job's package.
      SELECT 'person', p.person_id, '{}', 1, p.id FROM package_grants p
       WHERE p.tenant_id = tenant AND p.id = (job.args ->> 'grant_id')::uuid AND job.task = 'bookings:send_package_email'
       UNION ALL
      -- The person to whom the job's refund goes.
      SELECT 'person', r.person_id, '{}', 1, r.id FROM refunds r
       WHERE r.tenant_id = tenant AND r.id = (job.args ->> 'refund_id')::uuid
         AND job.task = 'bookings:send_refund_emails'
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
