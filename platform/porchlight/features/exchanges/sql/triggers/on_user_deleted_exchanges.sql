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
