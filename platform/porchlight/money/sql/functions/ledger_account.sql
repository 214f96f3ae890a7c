-- Return the account of a kind and its owner; create it with its balance if it is missing. Accounts of the platform and
-- of the outside have no owner, those of gurus and customers a user, those of pairs a pair.
--
-- The id is a hash of kind and owner, so that finding an account is one read by key. The accounts of the platform
-- begin with ffffffff: they come last in the order of locks, after the accounts of users that a transaction already
-- holds.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_account(kind text, unit text, tenant_id uuid, user_id uuid, pair_id uuid)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  is_shared boolean := num_nonnulls(ledger_account.tenant_id, ledger_account.user_id, ledger_account.pair_id) = 0;
  key text := md5(concat_ws('/', ledger_account.kind, ledger_account.unit, 't' || ledger_account.tenant_id,
                            'u' || ledger_account.user_id, 'p' || ledger_account.pair_id));
  account uuid := CASE WHEN is_shared THEN 'ffffffff' || substr(key, 9) ELSE key END;
  found_kind ledger_kinds;
BEGIN
  IF EXISTS (SELECT FROM ledger_balances b WHERE b.account_id = account) THEN
    RETURN account;
  END IF;
  SELECT k.* INTO found_kind FROM ledger_kinds k WHERE k.kind = ledger_account.kind AND k.unit = ledger_account.unit;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('there is no kind %s in %s', ledger_account.kind, ledger_account.unit);
  END IF;
  IF (found_kind.holder IN ('external', 'platform')) <> is_shared
     OR (found_kind.holder = 'pair') <> (ledger_account.pair_id IS NOT NULL)
     OR ledger_account.tenant_id IS NOT NULL THEN
    RAISE check_violation USING
      MESSAGE = format('%s is a kind of accounts with another owner: %s', found_kind.kind, found_kind.holder);
  END IF;
  INSERT INTO ledger_accounts (id, kind, unit, tenant_id, user_id, pair_id)
  VALUES (account, found_kind.kind, found_kind.unit, ledger_account.tenant_id, ledger_account.user_id,
          ledger_account.pair_id)
  ON CONFLICT DO NOTHING;  -- of all its unique keys: a concurrent insert of the same account conflicts with each
  INSERT INTO ledger_balances (account_id, kind, unit, floor)
  VALUES (account, found_kind.kind, found_kind.unit, found_kind.floor) ON CONFLICT (account_id) DO NOTHING;
  RETURN account;
END $$;
REVOKE ALL ON FUNCTION app.ledger_account(text, text, uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_account(text, text, uuid, uuid, uuid) TO porchlight_overseer;
