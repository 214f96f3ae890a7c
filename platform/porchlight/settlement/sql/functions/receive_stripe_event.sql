-- Store an event of Stripe once, and start its job in the same statement; return whether it is new. Jobs of the same
-- object run one at a time. An event to be ignored has no job, and its text is not stored.
--
-- Called by: settlement, for each webhook and each event that Stripe could not deliver.
-- SECURITY DEFINER: the app role may add to stripe_inbox through this function and read nothing.
CREATE OR REPLACE FUNCTION app.receive_stripe_event(id text, endpoint text, account text, kind text, object_id text,
                                                    livemode boolean, created timestamptz, body bytea, ignored boolean)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO stripe_inbox (id, endpoint, account, kind, object_id, livemode, created, body, state)
  VALUES (id, endpoint, account, kind, object_id, livemode, created,
          CASE WHEN NOT ignored THEN body END, CASE WHEN ignored THEN 'ignored' ELSE 'new' END)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF NOT ignored THEN
    PERFORM app.enqueue('settlement:process', jsonb_build_object('event_id', id), 'stripe-event:' || id,
                        'stripe:' || object_id);
  END IF;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.receive_stripe_event(text, text, text, text, text, boolean, timestamptz, bytea, boolean)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.receive_stripe_event(text, text, text, text, text, boolean, timestamptz, bytea, boolean)
  TO porchlight_app, porchlight_overseer;
