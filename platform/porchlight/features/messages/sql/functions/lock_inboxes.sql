-- Lock the inboxes of the current user and of `other`, or of the other person of `thread`, in the order of their ids.
-- An inbox that is missing is created. Return the id of the other person; NULL, and lock nothing, if there is no such
-- thread of the user, or no such account.
--
-- Called by: messages, before it reads what a delivery depends on, and by the functions that write to both inboxes.
-- SECURITY DEFINER: the other person's inbox is behind row level security. Nothing of it is returned.
CREATE OR REPLACE FUNCTION app.lock_inboxes(thread uuid, other uuid) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  me uuid := app.user_id();
  person uuid := other;
  one uuid;
BEGIN
  IF thread IS NOT NULL THEN
    SELECT CASE WHEN t.person_a_id = me THEN t.person_b_id ELSE t.person_a_id END INTO person
      FROM threads t WHERE t.id = thread AND me IN (t.person_a_id, t.person_b_id);
  END IF;
  IF me IS NULL OR person IS NULL OR person = me THEN
    RETURN NULL;
  END IF;
  FOR one IN
    SELECT u.user_id FROM users u WHERE u.user_id IN (me, person) AND u.status <> 'erased' ORDER BY 1
  LOOP
    PERFORM set_config('app.user_id', one::text, true);
    PERFORM FROM inboxes i WHERE i.user_id = one FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO inboxes (user_id) VALUES (one) ON CONFLICT DO NOTHING;
      PERFORM FROM inboxes i WHERE i.user_id = one FOR UPDATE;
    END IF;
  END LOOP;
  PERFORM set_config('app.user_id', me::text, true);
  RETURN person;
END $$;
REVOKE ALL ON FUNCTION app.lock_inboxes(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_inboxes(uuid, uuid) TO porchlight_app, porchlight_overseer;
