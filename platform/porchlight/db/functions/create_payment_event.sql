-- Store an event of the payment provider once. If it changes an account, start the job that syncs it, as its owner.
-- Returns false when the event was stored before. An account that is not stored yet is synced by its owner's next look
-- at the connection.
--
-- Called by: payouts, for each webhook.
-- SECURITY DEFINER: the app role may add to payment_events through this function and read nothing.
CREATE OR REPLACE FUNCTION app.create_payment_event(event_id text, event_kind text, event_account text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid;
BEGIN
  INSERT INTO payment_events (id, kind, account_id) VALUES (event_id, event_kind, event_account) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF event_kind IN ('account.updated', 'account.application.deauthorized') THEN
    SELECT a.user_id INTO owner_id FROM payout_accounts a WHERE a.account_id = event_account;
    IF owner_id IS NOT NULL THEN
      PERFORM app.enqueue(
        'payouts:sync_account',
        jsonb_build_object('user_id', owner_id, 'account_id', event_account, 'event_id', event_id), NULL);
    END IF;
  END IF;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.create_payment_event(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_payment_event(text, text, text) TO porchlight_app, porchlight_overseer;
