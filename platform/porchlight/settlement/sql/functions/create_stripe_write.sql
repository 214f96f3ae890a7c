-- Store the intent of a change at Stripe and wake the sender; return its id. The worker sends it after the commit, with
-- a key made of the id, so that every attempt to send it is the same request. With `tagged`, the object carries the id
-- in its metadata, by which it is found when the outcome is unknown.
--
-- A subject gets a new attempt only after the former one was refused or is absent at Stripe; otherwise this is an error.
--
-- Called by: the service role and the functions that store a change, such as app.create_payout.
-- SECURITY INVOKER: the app role may not call it, and has no privileges on stripe_outbox.
CREATE OR REPLACE FUNCTION app.create_stripe_write(kind text, subject_id uuid, account text, method text, path text,
                                                   params jsonb, tagged boolean DEFAULT true) RETURNS uuid
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  former record;
  new_id uuid := gen_random_uuid();
BEGIN
  SELECT o.attempt, o.state INTO former FROM stripe_outbox o
   WHERE o.kind = create_stripe_write.kind AND o.subject_id = create_stripe_write.subject_id
   ORDER BY o.attempt DESC LIMIT 1;
  IF FOUND AND former.state NOT IN ('refused', 'absent') THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('the write %s of %s is %s', kind, subject_id, former.state);
  END IF;
  INSERT INTO stripe_outbox (id, kind, subject_id, attempt, account, lane, method, path, params)
  VALUES (new_id, kind, subject_id, coalesce(former.attempt, 0) + 1, account,
          CASE WHEN account = '' THEN subject_id::text ELSE account END, method, path,
          CASE WHEN tagged THEN params || jsonb_build_object(
            'metadata', coalesce(params -> 'metadata', '{}') || jsonb_build_object('outbox', new_id)) ELSE params END);
  PERFORM app.enqueue('settlement:send', '{}', 'settlement:send');
  RETURN new_id;
END $$;
REVOKE ALL ON FUNCTION app.create_stripe_write(text, uuid, text, text, text, jsonb, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_stripe_write(text, uuid, text, text, text, jsonb, boolean) TO porchlight_overseer;
