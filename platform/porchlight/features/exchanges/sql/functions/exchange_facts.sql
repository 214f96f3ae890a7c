-- Return what a change of an exchange depends on, as plain values of one moment, or NULL if it does not exist for the
-- current user: their exchange by `wanted`, or a new one about the visible listing `offer`. `starts` and `length`, in
-- minutes: the times of which it returns what the teacher has agreed on then. Counts end at `most`.
--
-- The calendar of the teacher's site is locked first, then the teacher, then the exchange: two changes of the same teacher
-- wait for each other, and for bookings. A new exchange locks both people instead, in the order of their ids, so that its
-- limits hold. What is given for hours locks the pair and their accounts last. The locks last until the transaction ends.
-- The function restores the tenant that was set before.
--
-- Called by: exchanges.
-- SECURITY DEFINER: listings, accounts, blocks, other exchanges and the calendar of the teacher are behind row level
-- security. What is returned of them is not shown to anyone.
CREATE OR REPLACE FUNCTION app.exchange_facts(
  wanted uuid, offer uuid, key text, asked_since timestamptz, starts timestamptz[], length integer, most integer)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  me uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  agreed exchanges;
  teacher uuid;
  other uuid;
  guru uuid;
  calendar_zone text;
  result jsonb;
BEGIN
  SELECT * INTO agreed FROM exchanges e WHERE e.id = wanted AND me IN (e.person_a_id, e.person_b_id);
  teacher := CASE WHEN wanted IS NOT NULL THEN agreed.teacher_id
                  ELSE (SELECT o.user_id FROM skill_offers o WHERE o.id = offer AND o.visible) END;
  IF me IS NULL OR teacher IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT m.tenant_id INTO guru FROM memberships m WHERE m.user_id = teacher;
  PERFORM set_config('app.tenant_id', guru::text, true);
  IF wanted IS NULL THEN
    other := teacher;
    PERFORM pg_advisory_xact_lock(hashtextextended('exchanges ' || p.id, 0))
       FROM (SELECT unnest(ARRAY[least(me, other), greatest(me, other)]) AS id OFFSET 0) p;
  ELSE
    other := CASE WHEN agreed.person_a_id = me THEN agreed.person_b_id ELSE agreed.person_a_id END;
    PERFORM app.lock_calendar();
    PERFORM pg_advisory_xact_lock(hashtextextended('exchanges ' || teacher, 0));
    SELECT * INTO agreed FROM exchanges e WHERE e.person_a_id = agreed.person_a_id AND e.id = wanted FOR UPDATE;
  END IF;
  SELECT c.zone INTO calendar_zone FROM calendars c WHERE c.tenant_id = guru;
  result := jsonb_build_object(
    'now', app.now(),
    'exchange', to_jsonb(agreed),
    'teacher_id', teacher,
    'calendar_zone', calendar_zone,
    'teacher_cell', (SELECT jsonb_build_array(l.cell_lat, l.cell_lon) FROM user_locations l JOIN profiles p USING (user_id)
                      WHERE l.user_id = teacher AND l.tile >= 0 AND p.shows_location),
    'is_active', EXISTS (SELECT FROM users u WHERE u.user_id = other AND u.status = 'active'),
    'is_hidden', EXISTS (SELECT FROM hidden_people h WHERE h.user_id = other),
    'earlier', (SELECT jsonb_build_object('id', e.id, 'digest', encode(e.digest, 'hex')) FROM exchanges e
                 WHERE me IN (e.person_a_id, e.person_b_id) AND e.teacher_id <> me AND e.idempotency_key = key LIMIT 1),
    'asked', (SELECT count(*) FROM (SELECT FROM exchanges e WHERE me IN (e.person_a_id, e.person_b_id) AND e.teacher_id <> me
                                       AND e.created_at > asked_since LIMIT most) c),
    'open', (SELECT count(*) FROM (SELECT FROM exchanges e WHERE e.person_a_id = least(me, other)
                                      AND e.person_b_id = greatest(me, other)
                                      AND e.status IN ('asked', 'countered') AND e.expires_at > app.now() LIMIT most) c),
    'taken', coalesce((SELECT jsonb_agg(s.at) FROM unnest(starts) s (at)
                         WHERE EXISTS (SELECT FROM exchanges e
                                        WHERE e.teacher_id = teacher AND e.status = 'confirmed'
                                          AND e.id IS DISTINCT FROM wanted
                                          AND tstzrange(e.starts_at, e.ends_at)
                                              && tstzrange(s.at, s.at + make_interval(mins => length)))), '[]'),
    'blocked', coalesce((SELECT jsonb_agg(s.at) FROM unnest(starts) s (at)
                          WHERE EXISTS (SELECT FROM appointments a
                                         WHERE a.tenant_id = guru AND a.live
                                           AND a.blocked && tstzrange(s.at, s.at + make_interval(mins => length)))), '[]'),
    'hours', CASE WHEN wanted IS NULL OR agreed.mode = 'hours'
                  THEN app.exchange_hours(CASE WHEN teacher = me THEN other ELSE me END, teacher, wanted,
                                          starts || agreed.starts_at) END);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN result;
END $$;
REVOKE ALL ON FUNCTION app.exchange_facts(uuid, uuid, text, timestamptz, timestamptz[], integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.exchange_facts(uuid, uuid, text, timestamptz, timestamptz[], integer, integer)
  TO porchlight_app, porchlight_overseer;
