-- Write a message that was decided on: number it, give both inboxes their next change number, count it as unread for the
-- other person, and read what came before for its sender. A thread that is missing is created.
--
-- app.delivery_facts has locked both inboxes until the transaction ends. So the order of the change numbers of a person is
-- the order of the commits, and a reader who asks for what is after a number skips nothing.
--
-- Called by: messages, with what `decide_delivery` decided on these facts.
-- SECURITY DEFINER: the other person's inbox is behind row level security. That neither blocked the other, and that the
-- files are the sender's, is checked again: a wrong decision cannot reach someone who does not want it.
CREATE OR REPLACE FUNCTION app.deliver_message(
  new_thread uuid, other uuid, guru uuid, guru_person uuid, new_id uuid, body text, file_ids uuid[], key text,
  new_digest bytea, is_request boolean, hold_until timestamptz, mail_at timestamptz,
  mail_check text)
RETURNS TABLE (thread_id uuid, number integer, change bigint, unread integer, other_change bigint, other_unread integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me uuid := app.user_id();
  a uuid := least(me, other);
  b uuid := greatest(me, other);
  thread threads;
  own thread_members;
  theirs thread_members;
  my_inbox inboxes;
  their_inbox inboxes;
  attached jsonb := '[]';
BEGIN
  IF me IS NULL OR other = me OR NOT EXISTS (SELECT FROM users u WHERE u.user_id = other AND u.status <> 'erased')
     OR EXISTS (SELECT FROM blocks x WHERE (x.user_id, x.blocked_id) IN ((me, other), (other, me)))
     OR coalesce(guru_person, me) NOT IN (me, other) THEN
    RAISE insufficient_privilege USING MESSAGE = 'these two do not exchange messages';
  END IF;
  SELECT t.* INTO thread FROM threads t
   WHERE t.person_a_id = a AND t.person_b_id = b AND t.guru_id IS NOT DISTINCT FROM guru;
  IF NOT FOUND THEN
    INSERT INTO threads (person_a_id, person_b_id, id, guru_id, opened_by)
    VALUES (a, b, new_thread, guru, me) RETURNING * INTO thread;
  END IF;
  UPDATE threads t SET number = t.number + 1 WHERE t.person_a_id = a AND t.id = thread.id RETURNING t.number INTO thread.number;
  IF cardinality(file_ids) > 0 THEN
    UPDATE message_files f SET thread_id = thread.id, number = thread.number
     WHERE f.user_id = me AND f.id = ANY (file_ids) AND f.thread_id IS NULL AND f.stored_at IS NOT NULL;
    SELECT jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'bytes', f.size, 'type', f.kind,
                                        'width', f.width, 'height', f.height) ORDER BY array_position(file_ids, f.id))
      INTO attached FROM message_files f WHERE f.user_id = me AND f.thread_id = thread.id AND f.number = thread.number;
    IF coalesce(jsonb_array_length(attached), 0) <> cardinality(file_ids) THEN
      RAISE insufficient_privilege USING MESSAGE = 'a file is not the sender''s';
    END IF;
  END IF;
  -- The sender has read the thread, takes part in it, and finds it in the inbox.
  SELECT m.* INTO own FROM thread_members m WHERE m.user_id = me AND m.thread_id = thread.id;
  UPDATE inboxes i SET change = i.change + 1,
         unread = i.unread - CASE WHEN own.held_until IS NULL THEN coalesce(own.unread, 0) ELSE 0 END
   WHERE i.user_id = me RETURNING i.* INTO my_inbox;
  INSERT INTO thread_members AS m (user_id, thread_id, other_id, side, read_number, change, last_at)
  VALUES (me, thread.id, other, CASE WHEN guru_person = me THEN 'guru' ELSE 'person' END, thread.number, my_inbox.change,
          app.now())
  ON CONFLICT (user_id, thread_id) DO UPDATE
     SET read_number = thread.number, unread = 0, change = my_inbox.change, archived = false, request = false,
         held_until = NULL, mail_due_at = NULL, last_at = app.now();
  PERFORM set_config('app.user_id', other::text, true);
  SELECT m.* INTO theirs FROM thread_members m WHERE m.user_id = other AND m.thread_id = thread.id;
  UPDATE inboxes i SET change = i.change + 1,
         unread = i.unread + CASE WHEN theirs.held_until IS NULL AND hold_until IS NULL THEN 1 ELSE 0 END
   WHERE i.user_id = other RETURNING i.* INTO their_inbox;
  INSERT INTO thread_members AS m (user_id, thread_id, other_id, side, unread, change, request, held_until, mail_due_at, last_at)
  VALUES (other, thread.id, me, CASE WHEN guru_person = other THEN 'guru' ELSE 'person' END, 1, their_inbox.change,
          is_request, hold_until, mail_at, app.now())
  ON CONFLICT (user_id, thread_id) DO UPDATE
     SET unread = m.unread + 1, change = their_inbox.change, archived = false, last_at = app.now(),
         held_until = coalesce(m.held_until, hold_until),
         mail_due_at = CASE WHEN NOT m.muted THEN coalesce(m.mail_due_at, mail_at) END;
  PERFORM set_config('app.user_id', me::text, true);
  INSERT INTO messages (person_a_id, person_b_id, thread_id, number, id, sender_id, body, files, change_a, change_b,
                        idempotency_key, digest, mail_check)
  VALUES (a, b, thread.id, thread.number, new_id, me, body, attached,
          CASE WHEN a = me THEN my_inbox.change ELSE their_inbox.change END,
          CASE WHEN b = me THEN my_inbox.change ELSE their_inbox.change END, key, new_digest, mail_check);
  RETURN QUERY SELECT thread.id, thread.number, my_inbox.change, my_inbox.unread, their_inbox.change, their_inbox.unread;
END $$;
REVOKE ALL ON FUNCTION app.deliver_message(uuid, uuid, uuid, uuid, uuid, text, uuid[], text, bytea, boolean, timestamptz,
  timestamptz, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.deliver_message(uuid, uuid, uuid, uuid, uuid, text, uuid[], text, bytea, boolean, timestamptz,
  timestamptz, text) TO porchlight_app, porchlight_overseer;
