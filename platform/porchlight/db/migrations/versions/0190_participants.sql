-- participants

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

-- file: functions/book_party.sql
-- Book a hold as app.book_hold does, and store who takes part and who signs for each, if it needs a waiver of `level`
-- (app.add_participants). Without a need, `people` is empty.
--
-- Called by: bookings.
CREATE OR REPLACE FUNCTION app.book_party(
  token_hash bytea, seen_policy text, expected_rules bigint, needs_waiver boolean, accepted_waiver uuid,
  level text, people jsonb, name text, other_names text[], message text, key text, request_digest bytea,
  OUT outcome text, OUT booking bookings)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  made record;
BEGIN
  SELECT * INTO made
    FROM app.book_hold(token_hash, seen_policy, expected_rules, needs_waiver, accepted_waiver, name, other_names,
                       message, key, request_digest);
  outcome := made.outcome;
  booking := made.booking;
  IF outcome = 'booked' AND people <> '[]' THEN
    PERFORM app.add_participants(ARRAY[booking.id], level, people);
    SELECT * INTO booking FROM bookings b WHERE b.tenant_id = booking.tenant_id AND b.id = booking.id;
  END IF;
END $$;

-- file: functions/cover_booking.sql
-- Give each participant of an open booking the waiver that covers the booking's level: one that they signed themselves,
-- for a minor one of a guardian for exactly that minor. One that is valid at the start is taken before others, a signed
-- one before others; only another signed one replaces a signed one. Once it ended, `waiver_until` is in the past. The
-- booking's `waiver_until` is the earliest of its participants, null while one of them has not signed.
--
-- The function restores the user that was set before. The calendar is locked.
--
-- Called by: bookings, app.add_participants and the trigger update_booking_waivers.
-- SECURITY DEFINER: neither party can read the waivers of the others. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.cover_booking(covered_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
GRANT EXECUTE ON FUNCTION app.cover_booking(uuid) TO porchlight_app, porchlight_overseer;

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

-- file: functions/erase_bookings.sql
-- End what the current user has open with the transaction's guru, and erase the user's personal data from their
-- bookings there, also the names of those who came along. A late cancellation is owed as by the terms, unless the guru
-- asked to move the session. Bookings stay, without names and texts, as the guru's records.
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
  UPDATE participants p SET name = '', email = '', signed_by = '', token = NULL, email_due = NULL
   WHERE p.tenant_id = tenant AND p.person_id = person;
  UPDATE booking_events e SET details = e.details - 'reason'
   WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
  DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
END $$;
REVOKE ALL ON FUNCTION app.erase_bookings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_bookings() TO porchlight_app, porchlight_overseer;

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
