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
