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
