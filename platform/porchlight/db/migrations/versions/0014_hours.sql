-- hours

-- file: functions/apply_exchange.sql
-- Write a change of an exchange that was decided on: `changed` has columns of the table by name. A confirmed session also
-- takes its time in the calendar of the teacher's site, if there is one (`block`: the local times there), and gives it
-- back when it is canceled. `emails`: kind and side of each email about the change. The ledger follows: app.enter_exchange.
--
-- It decides nothing. Its caller is one of the two people, and only what an agreement may change is written: not the
-- people, the listing and who teaches. Two constraints refuse a time that the teacher has given away meanwhile:
-- ex_exchanges_teacher and ex_appointments_blocked. The function restores the tenant that was set before.
--
-- Called by: exchanges, after app.exchange_facts in the same transaction.
-- SECURITY DEFINER: requests may not write exchanges, and the calendar of the teacher is behind row level security.
CREATE OR REPLACE FUNCTION app.apply_exchange(changed jsonb, block jsonb, emails jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  me uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  before exchanges;
  after exchanges;
  guru uuid;
  email jsonb;
BEGIN
  SELECT * INTO before FROM exchanges e
   WHERE e.person_a_id = (changed ->> 'person_a_id')::uuid AND e.id = (changed ->> 'id')::uuid;
  after := jsonb_populate_record(before, changed);
  IF before.id IS NOT NULL THEN
    after.person_b_id := before.person_b_id;
    after.teacher_id := before.teacher_id;
  END IF;
  IF me IS NULL OR me NOT IN (after.person_a_id, after.person_b_id) THEN
    RAISE insufficient_privilege USING MESSAGE = 'only the two people change an exchange';
  END IF;
  IF before.id IS NULL THEN
    after.created_at := app.now();
    after.changed_at := app.now();
    after.sequence := 0;
    after.mode := coalesce(after.mode, 'direct');
    after.record_state := '';
    after.recorded_by := '';
    after.record_round := 0;
    after.reversal_by := '';
    INSERT INTO exchanges SELECT after.*;
  ELSE
    IF after.status = 'confirmed' AND before.status <> 'confirmed' THEN
      SELECT m.tenant_id INTO guru FROM memberships m WHERE m.user_id = before.teacher_id;
      PERFORM set_config('app.tenant_id', guru::text, true);
      IF app.reserve_time(before.id, after.starts_at, after.ends_at, block ->> 'zone',
                          (block ->> 'local_start')::timestamp, (block ->> 'local_end')::timestamp) THEN
        after.guru_id := guru;
      END IF;
    ELSIF before.status = 'confirmed' AND after.status = 'canceled' THEN
      PERFORM set_config('app.tenant_id', before.guru_id::text, true);
      PERFORM app.reserve_time(before.id, NULL, NULL, NULL, NULL, NULL);
    END IF;
    UPDATE exchanges e
       SET status = after.status, turn = after.turn, round = after.round, proposals = after.proposals,
           reply = after.reply, reply_by = after.reply_by, teacher_zone = after.teacher_zone,
           learner_zone = after.learner_zone, starts_at = after.starts_at, ends_at = after.ends_at,
           expires_at = after.expires_at, ended_by = after.ended_by, guru_id = after.guru_id,
           remind_at = after.remind_at, record_state = after.record_state, recorded_minutes = after.recorded_minutes,
           recorded_by = after.recorded_by, record_round = after.record_round, settle_by = after.settle_by,
           settled_at = after.settled_at, reversal_by = after.reversal_by, sequence = e.sequence + 1, changed_at = app.now()
     WHERE e.person_a_id = before.person_a_id AND e.id = before.id;
  END IF;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  PERFORM app.enter_exchange(after.id);
  FOR email IN SELECT jsonb_array_elements(emails) LOOP
    PERFORM app.enqueue('exchanges:send_email', jsonb_build_object(
      'user_id', CASE WHEN (email ->> 'side' = 'teacher') = (after.teacher_id = after.person_a_id)
                      THEN after.person_a_id ELSE after.person_b_id END,
      'exchange_id', after.id, 'kind', email ->> 'kind',
      'sequence', CASE WHEN before.id IS NULL THEN 0 ELSE before.sequence + 1 END), NULL);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION app.apply_exchange(jsonb, jsonb, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.apply_exchange(jsonb, jsonb, jsonb) TO porchlight_app, porchlight_overseer;

-- file: functions/enter_exchange.sql
-- Bring the ledger in line with an exchange. While an agreed session for hours is not settled, the learner's account holds
-- its minutes, or what was recorded if that is more. A settled one is posted in its mode with the recorded minutes, and a
-- reversed one is posted back. The account of a swap belongs to one side of the pair: its key is a hash of the side and of
-- the other one. A second run changes nothing. It decides nothing: the row says what was decided.
--
-- Accounts are created in the order of their people and locked in the order of their ids. What the learner doesn't have
-- raises ledger_hold_available, and what the teacher no longer has ck_ledger_balances_floor.
--
-- Called by: exchanges, after the change of the row in the same transaction: app.apply_exchange, the job that settles what
-- is due, and the deletion of an account.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.enter_exchange(wanted uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  e exchanges;
  learner uuid;
  account_a uuid;
  account_b uuid;
  giving uuid;
  taking uuid;
  needed bigint;
  held bigint;
  subject text;
  entered text;
BEGIN
  SELECT x.* INTO e FROM exchanges x WHERE x.id = wanted;
  IF e.starts_at IS NULL OR e.mode = 'direct' THEN
    RETURN;
  END IF;
  learner := CASE WHEN e.teacher_id = e.person_a_id THEN e.person_b_id ELSE e.person_a_id END;
  IF e.mode = 'hours' THEN
    account_a := app.ledger_account('hours', 'min', NULL, e.person_a_id, NULL);
    account_b := app.ledger_account('hours', 'min', NULL, e.person_b_id, NULL);
    PERFORM FROM ledger_balances b WHERE b.account_id IN (account_a, account_b) ORDER BY b.account_id FOR NO KEY UPDATE;
    taking := CASE WHEN learner = e.person_a_id THEN account_a ELSE account_b END;
    giving := CASE WHEN learner = e.person_a_id THEN account_b ELSE account_a END;
    PERFORM app.ledger_floor(p.account, f.floor)
       FROM (VALUES (account_a, e.person_a_id), (account_b, e.person_b_id)) p (account, person),
            LATERAL app.hours_account(p.person) f;
    SELECT coalesce(sum(h.amount), 0) INTO held FROM ledger_holds h
     WHERE h.account_id = taking AND h.state = 'held' AND h.subject_kind = 'exchange'
       AND starts_with(h.subject_id, e.id::text);
    needed := CASE WHEN e.settle_by IS NOT NULL THEN greatest(e.minutes, e.recorded_minutes) ELSE 0 END;
    IF needed > held THEN
      PERFORM app.ledger_hold(gen_random_uuid(), taking, needed - held, 'exchange',
                              concat_ws('/', e.id, nullif(e.record_round, 0)), NULL);
    ELSIF needed = 0 THEN
      FOR subject IN SELECT h.subject_id FROM ledger_holds h
                      WHERE h.account_id = taking AND h.state = 'held' AND h.subject_kind = 'exchange'
                        AND starts_with(h.subject_id, e.id::text) ORDER BY h.subject_id LOOP
        PERFORM app.ledger_release('exchange', subject, CASE WHEN e.record_state = 'settled' THEN 'posted' ELSE 'voided' END);
      END LOOP;
    END IF;
  ELSIF e.record_state IN ('settled', 'reversed') AND e.mode = 'swap' THEN
    account_a := app.ledger_account('swap_balance', 'min', NULL, NULL,
                                    md5(concat_ws('/', 'swap', e.person_a_id, e.person_b_id))::uuid);
    account_b := app.ledger_account('swap_balance', 'min', NULL, NULL,
                                    md5(concat_ws('/', 'swap', e.person_b_id, e.person_a_id))::uuid);
    taking := CASE WHEN learner = e.person_a_id THEN account_a ELSE account_b END;
    giving := CASE WHEN learner = e.person_a_id THEN account_b ELSE account_a END;
  ELSIF e.record_state IN ('settled', 'reversed') THEN
    taking := app.ledger_account('volunteer_out', 'min', NULL, NULL, NULL);
    giving := app.ledger_account('volunteer_in', 'min', NULL, NULL, NULL);
  END IF;
  entered := CASE e.mode WHEN 'hours' THEN 'hours_exchanged' WHEN 'swap' THEN 'swap_given' ELSE 'free_help' END;
  IF e.recorded_minutes > 0 AND e.record_state IN ('settled', 'reversed') THEN
    PERFORM app.post(gen_random_uuid(), entered, 'exchange', e.id::text, ARRAY[taking], ARRAY[giving],
                     ARRAY[e.recorded_minutes::bigint]);
  END IF;
  IF e.recorded_minutes > 0 AND e.record_state = 'reversed' THEN
    PERFORM app.post(gen_random_uuid(), CASE entered WHEN 'hours_exchanged' THEN 'hours_exchange_reversed'
                                                   ELSE entered || '_reversed' END,
                     'exchange', e.id::text, ARRAY[giving], ARRAY[taking], ARRAY[e.recorded_minutes::bigint], '',
                     (SELECT t.id FROM ledger_transactions t
                       WHERE t.subject_kind = 'exchange' AND t.subject_id = e.id::text AND t.event = entered));
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.enter_exchange(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enter_exchange(uuid) TO porchlight_overseer;

-- file: functions/exchange_facts.sql
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

-- file: functions/exchange_hours.sql
-- Return what decides on the hours of an exchange: both accounts, what the ledger holds for it, what the teacher's other
-- agreed sessions will bring, and what the two have agreed on or exchanged within a week and a day of the starts. `wanted`: the
-- exchange, NULL for a new one.
--
-- It locks the pair, then their accounts in the order of their ids, as postings do. Without an account yet, the hold that
-- follows decides.
--
-- Called by: app.exchange_facts.
CREATE OR REPLACE FUNCTION app.exchange_hours(learner uuid, teacher uuid, wanted uuid, starts timestamptz[]) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(
    concat_ws(' ', 'hours', least(learner, teacher), greatest(learner, teacher)), 0));
  PERFORM FROM ledger_balances b
    WHERE b.account_id IN (SELECT a.id FROM ledger_accounts a WHERE a.kind = 'hours' AND a.user_id IN (learner, teacher))
    ORDER BY b.account_id FOR NO KEY UPDATE;
  RETURN jsonb_build_object(
    'learner', (SELECT to_jsonb(a) FROM app.hours_account(learner) a),
    'teacher', (SELECT to_jsonb(a) FROM app.hours_account(teacher) a),
    'held', (SELECT coalesce(sum(h.amount), 0) FROM ledger_accounts a JOIN ledger_holds h ON h.account_id = a.id
              WHERE a.kind = 'hours' AND a.user_id = learner AND h.state = 'held' AND h.subject_kind = 'exchange'
                AND starts_with(h.subject_id, wanted::text)),
    'incoming', (SELECT coalesce(sum(greatest(e.minutes, e.recorded_minutes)), 0) FROM exchanges e
                  WHERE teacher IN (e.person_a_id, e.person_b_id) AND e.teacher_id = teacher AND e.mode = 'hours'
                    AND e.settle_by IS NOT NULL AND e.id IS DISTINCT FROM wanted),
    'pair', coalesce((SELECT jsonb_agg(jsonb_build_array(e.starts_at, coalesce(e.recorded_minutes, e.minutes)))
                        FROM exchanges e
                       WHERE e.person_a_id = least(learner, teacher) AND e.person_b_id = greatest(learner, teacher)
                         AND e.mode = 'hours' AND e.id IS DISTINCT FROM wanted
                         AND (e.settle_by IS NOT NULL OR e.record_state = 'settled')
                         AND EXISTS (SELECT FROM unnest(starts) s (at)
                                      WHERE e.starts_at BETWEEN s.at - make_interval(weeks => 1, days => 1)
                                                            AND s.at + make_interval(weeks => 1, days => 1))),
                     '[]'));
END $$;
REVOKE ALL ON FUNCTION app.exchange_hours(uuid, uuid, uuid, timestamptz[]) FROM PUBLIC;

-- file: functions/hours_account.sql
-- Return balance, reserved minutes and lowest balance of a person's hours. Without an account yet: of an empty one. The
-- lowest balance is that of the kind, and 10 hours below zero once the person has given a session that was settled, and has
-- a verified email address. A floor that the account has used stays.
--
-- Called by: app.exchange_hours, app.enter_exchange and app.own_hours.
CREATE OR REPLACE FUNCTION app.hours_account(person uuid) RETURNS TABLE (balance bigint, reserved bigint, floor bigint)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(b.credits - b.debits, 0), coalesce(b.reserved, 0),
         least(b.floor, CASE WHEN EXISTS (SELECT FROM users u WHERE u.user_id = person AND u.email_verified)
                              AND EXISTS (SELECT FROM exchanges e
                                           WHERE person IN (e.person_a_id, e.person_b_id) AND e.teacher_id = person
                                             AND e.record_state = 'settled' AND e.recorded_minutes > 0)
                             THEN -600 ELSE k.floor END)
    FROM ledger_kinds k
    LEFT JOIN (SELECT y.* FROM ledger_accounts a JOIN ledger_balances y ON y.account_id = a.id
                WHERE a.user_id = person AND a.kind = 'hours') b ON true
   WHERE k.kind = 'hours'
$$;
REVOKE ALL ON FUNCTION app.hours_account(uuid) FROM PUBLIC;

-- file: functions/ledger_floor.sql
-- Lower the lowest balance of an account. A floor never rises: the balance may be below it already.
--
-- Called by: app.enter_exchange.
CREATE OR REPLACE FUNCTION app.ledger_floor(account uuid, lowest bigint) RETURNS void
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  UPDATE ledger_balances b SET floor = lowest WHERE b.account_id = account AND b.floor > lowest
$$;
REVOKE ALL ON FUNCTION app.ledger_floor(uuid, bigint) FROM PUBLIC;

-- file: functions/own_hours.sql
-- Return the current user's hours, in minutes: the balance, what is reserved for agreed sessions, and the lowest balance.
--
-- Called by: exchanges.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_hours() RETURNS TABLE (balance bigint, reserved bigint, floor bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.balance, a.reserved, a.floor FROM app.hours_account(app.user_id()) a WHERE app.user_id() IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.own_hours() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_hours() TO porchlight_app;

-- file: functions/own_swaps.sql
-- Return how many minutes more the current user gave than got, for each neighbor with whom they swapped, at most
-- `max_rows`, the newest first. `exchange_id`: the last swap of the two, by which the caller reads who it is.
--
-- Called by: exchanges.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_swaps(max_rows integer) RETURNS TABLE (exchange_id uuid, minutes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.id, b.credits - b.debits
    FROM (SELECT DISTINCT ON (o.person) e.id, o.person
            FROM exchanges e
           CROSS JOIN LATERAL (
             SELECT CASE WHEN e.person_a_id = app.user_id() THEN e.person_b_id ELSE e.person_a_id END AS person) o
           WHERE app.user_id() IN (e.person_a_id, e.person_b_id) AND e.mode = 'swap'
             AND e.record_state IN ('settled', 'reversed')
           ORDER BY o.person, e.id DESC) p
    JOIN ledger_accounts a ON a.kind = 'swap_balance' AND a.unit = 'min' AND a.tenant_id IS NULL AND a.user_id IS NULL
                          AND a.pair_id = md5(concat_ws('/', 'swap', app.user_id(), p.person))::uuid
    JOIN ledger_balances b ON b.account_id = a.id
   ORDER BY p.id DESC LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.own_swaps(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_swaps(integer) TO porchlight_app;

-- file: triggers/on_user_deleted_exchanges.sql
-- Cancel the open exchanges of a deleted account, free the times in the calendar of a site, and blank what the person
-- wrote, the listing's title included. The other people get an email, and keep the exchanges without words. Times that are
-- not settled yet end unsettled. Hours that are left go to the community, and what is missing is written off.
--
-- SECURITY DEFINER: requests may not write exchanges, and the calendar of the other one is behind row level security.
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_exchanges() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  erased uuid := NEW.user_id;
  own exchanges;
  side text;
  account uuid;
  hours bigint;
  ended uuid[] := '{}';
BEGIN
  PERFORM set_config('app.user_id', erased::text, true);
  -- In the order of the calendars and teachers, so that two deletions lock them in the same order.
  FOR own IN
    SELECT e.* FROM exchanges e WHERE erased IN (e.person_a_id, e.person_b_id)
     ORDER BY e.guru_id NULLS LAST, e.teacher_id, e.id
  LOOP
    side := CASE WHEN own.teacher_id = erased THEN 'teacher' ELSE 'learner' END;
    IF own.status IN ('asked', 'countered', 'confirmed') THEN
      PERFORM set_config('app.tenant_id', own.guru_id::text, true);
      PERFORM app.lock_calendar();
      PERFORM pg_advisory_xact_lock(hashtextextended('exchanges ' || own.teacher_id, 0));
      SELECT e.* INTO own FROM exchanges e WHERE e.person_a_id = own.person_a_id AND e.id = own.id FOR UPDATE;
      IF own.status IN ('asked', 'countered', 'confirmed') THEN
        -- A time may have been taken since the loop began, by an answer that was under way: then it names the calendar.
        PERFORM set_config('app.tenant_id', own.guru_id::text, true);
        PERFORM app.reserve_time(own.id, NULL, NULL, NULL, NULL, NULL);
        UPDATE exchanges e
           SET status = 'canceled', turn = '', expires_at = NULL, ended_by = side, remind_at = NULL, settle_by = NULL,
               sequence = e.sequence + 1, changed_at = app.now()
         WHERE e.person_a_id = own.person_a_id AND e.id = own.id;
        ended := ended || own.id;
        PERFORM app.enqueue('exchanges:send_email', jsonb_build_object(
          'user_id', CASE WHEN own.person_a_id = erased THEN own.person_b_id ELSE own.person_a_id END,
          'exchange_id', own.id, 'kind', CASE WHEN own.status = 'confirmed' THEN 'canceled' ELSE 'withdrawn' END,
          'sequence', own.sequence + 1), NULL);
      END IF;
    END IF;
    UPDATE exchanges e
       SET record_state = 'unsettled', settle_by = NULL, sequence = e.sequence + 1, changed_at = app.now()
     WHERE e.person_a_id = own.person_a_id AND e.id = own.id AND e.settle_by IS NOT NULL;
    IF FOUND THEN
      ended := ended || own.id;
      PERFORM app.enqueue('exchanges:send_email', jsonb_build_object(
        'user_id', CASE WHEN own.person_a_id = erased THEN own.person_b_id ELSE own.person_a_id END,
        'exchange_id', own.id, 'kind', 'not_recorded', 'sequence', own.sequence + 1), NULL);
    END IF;
    UPDATE exchanges e
       SET note = CASE WHEN side = 'learner' THEN '' ELSE e.note END,
           skill = CASE WHEN side = 'teacher' THEN '' ELSE e.skill END,
           reply = CASE WHEN e.reply_by = side THEN '' ELSE e.reply END
     WHERE e.person_a_id = own.person_a_id AND e.id = own.id;
  END LOOP;
  -- All accounts in the order of their ids, after everything else that is locked.
  PERFORM FROM ledger_balances b
    WHERE b.account_id IN (
      SELECT a.id FROM ledger_accounts a
       WHERE a.kind = 'hours'
         AND (a.user_id = erased OR a.user_id IN (SELECT unnest(ARRAY[e.person_a_id, e.person_b_id]) FROM exchanges e
                                                   WHERE e.id = ANY (ended))))
    ORDER BY b.account_id FOR NO KEY UPDATE;
  PERFORM app.enter_exchange(e.id) FROM exchanges e WHERE e.id = ANY (ended);
  SELECT a.id, b.credits - b.debits INTO account, hours FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
   WHERE a.kind = 'hours' AND a.user_id = erased;
  IF hours > 0 THEN
    PERFORM app.post(gen_random_uuid(), 'hours_donated', 'user', erased::text, ARRAY[account],
                     ARRAY[app.ledger_account('volunteer_in', 'min', NULL, NULL, NULL)], ARRAY[hours]);
  ELSIF hours < 0 THEN
    PERFORM app.post(gen_random_uuid(), 'hours_written_off', 'user', erased::text,
                     ARRAY[app.ledger_account('volunteer_out', 'min', NULL, NULL, NULL)], ARRAY[account], ARRAY[-hours]);
  END IF;
  PERFORM set_config('app.user_id', previous_user, true), set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_exchanges AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_exchanges();
