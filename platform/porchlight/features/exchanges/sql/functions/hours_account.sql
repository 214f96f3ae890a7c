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
