-- Remove the words and files of a deleted account from its messages. The other people keep the threads, and their clients
-- learn of each by a change.
--
-- SECURITY DEFINER: the app role may not change messages, and inboxes of others are behind row level security.
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_messages() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  erased uuid := NEW.user_id;
  thread record;
BEGIN
  PERFORM set_config('app.user_id', erased::text, true);
  UPDATE messages g SET body = '', files = '[]', removed_at = coalesce(g.removed_at, app.now())
   WHERE (g.person_a_id = erased OR g.person_b_id = erased) AND g.sender_id = erased;
  DELETE FROM message_files f WHERE f.user_id = erased;
  -- In the order of the people, so that two deletions lock inboxes in the same order.
  FOR thread IN
    SELECT t.id, CASE WHEN t.person_a_id = erased THEN t.person_b_id ELSE t.person_a_id END AS other_id
      FROM threads t WHERE erased IN (t.person_a_id, t.person_b_id) ORDER BY 2, 1
  LOOP
    PERFORM set_config('app.user_id', thread.other_id::text, true);
    WITH changed AS (UPDATE inboxes i SET change = i.change + 1 WHERE i.user_id = thread.other_id RETURNING i.change)
    UPDATE thread_members m SET change = c.change FROM changed c
     WHERE m.user_id = thread.other_id AND m.thread_id = thread.id;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_messages AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_messages();
