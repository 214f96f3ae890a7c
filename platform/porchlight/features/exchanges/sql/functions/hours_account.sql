-- Return balance, reserved minutes and floor of a person's hours. Without an account yet: of an empty one. A floor that
-- was lowered once stays.
--
-- Called by: app.exchange_hours and app.own_hours.
CREATE OR REPLACE FUNCTION app.hours_account(person uuid) RETURNS TABLE (balance bigint, reserved bigint, floor bigint)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(b.credits - b.debits, 0), coalesce(b.reserved, 0), least(b.floor, app.hours_floor(person))
    FROM (SELECT person) p
    LEFT JOIN (SELECT y.* FROM ledger_accounts a JOIN ledger_balances y ON y.account_id = a.id
                WHERE a.user_id = person AND a.kind = 'hours') b ON true
$$;
REVOKE ALL ON FUNCTION app.hours_account(uuid) FROM PUBLIC;
