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
