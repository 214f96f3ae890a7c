-- Remove a message of the current user: its words and files go, and its number stays. Both people get it as a change.
-- Return their new change numbers; no row for an unknown message, someone else's, or one that was removed before.
--
-- Called by: messages, after app.delivery_facts, which locks both inboxes, in the same transaction.
-- SECURITY DEFINER: the app role may not change messages, and the other person's inbox is behind row level security.
CREATE OR REPLACE FUNCTION app.remove_message(thread uuid, message integer)
RETURNS TABLE (other_id uuid, change bigint, unread integer, other_change bigint, other_unread integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me uuid := app.user_id();
  other uuid := (SELECT m.other_id FROM thread_members m WHERE m.user_id = me AND m.thread_id = thread);
  mine inboxes;
  theirs inboxes;
BEGIN
  UPDATE messages g SET body = '', files = '[]', removed_at = app.now()
   WHERE g.person_a_id = least(me, other) AND g.thread_id = thread AND g.number = message AND g.sender_id = me
     AND g.removed_at IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  DELETE FROM message_files f WHERE f.user_id = me AND f.thread_id = thread AND f.number = message;
  UPDATE inboxes i SET change = i.change + 1 WHERE i.user_id = me RETURNING i.* INTO mine;
  PERFORM set_config('app.user_id', other::text, true);
  UPDATE inboxes i SET change = i.change + 1 WHERE i.user_id = other RETURNING i.* INTO theirs;
  PERFORM set_config('app.user_id', me::text, true);
  UPDATE messages g SET change_a = coalesce(CASE WHEN g.person_a_id = me THEN mine.change ELSE theirs.change END, g.change_a),
                        change_b = coalesce(CASE WHEN g.person_b_id = me THEN mine.change ELSE theirs.change END, g.change_b)
   WHERE g.person_a_id = least(me, other) AND g.thread_id = thread AND g.number = message;
  RETURN QUERY SELECT other, mine.change, mine.unread, theirs.change, theirs.unread;
END $$;
REVOKE ALL ON FUNCTION app.remove_message(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.remove_message(uuid, integer) TO porchlight_app, porchlight_overseer;
