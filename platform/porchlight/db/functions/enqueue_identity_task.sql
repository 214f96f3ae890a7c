-- Add a job about the current user's account at the identity provider to the queue.
--
-- Called by: auth, when a user signs out everywhere or deletes the account.
-- SECURITY DEFINER: the app role may not call app.enqueue. The provider's id of the account comes from the user's row.
CREATE OR REPLACE FUNCTION app.enqueue_identity_task(task text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  uid text := (SELECT u.firebase_uid FROM users u WHERE u.user_id = app.user_id());
BEGIN
  IF uid IS NULL OR task NOT IN ('auth:delete_identity', 'auth:revoke_tokens') THEN
    RAISE insufficient_privilege USING MESSAGE = format('this transaction may not enqueue %s', task);
  END IF;
  PERFORM app.enqueue(task, jsonb_build_object('uid', uid), NULL);
END $$;
REVOKE ALL ON FUNCTION app.enqueue_identity_task(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_identity_task(text) TO porchlight_app, porchlight_overseer;
