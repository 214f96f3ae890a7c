-- Store an event of the payment provider once and start its job. Returns false when the event was stored before.
--
-- Called by: payouts, for each webhook.
-- SECURITY DEFINER: the app role may add to payment_events through this function and read nothing.
CREATE OR REPLACE FUNCTION app.create_payment_event(event_id text, event_kind text, event_account text, task text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO payment_events (id, kind, account_id) VALUES (event_id, event_kind, event_account) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF task <> '' THEN
    PERFORM app.enqueue(task, jsonb_build_object('account_id', event_account, 'event_id', event_id), NULL);
  END IF;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.create_payment_event(text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_payment_event(text, text, text, text) TO porchlight_app, porchlight_overseer;
