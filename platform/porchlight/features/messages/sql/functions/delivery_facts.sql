-- Lock the inboxes of the current user and of `other`, or of the other person of `thread`, and return what a delivery
-- between the two depends on, as plain values of one moment; NULL if there is no such thread of the user. `messages_since`
-- and `threads_since`: the times from which messages and new threads count. Counts end at `most`.
--
-- The inboxes are locked in the order of their ids until the transaction ends; one that is missing is created. What is
-- read is of the time after the locks.
--
-- Called by: messages, first in the transaction of each delivery and removal.
-- SECURITY DEFINER: the other person's inbox, account, blocks and state of the thread are behind row level security. What
-- is returned of them is not shown to anyone.
CREATE OR REPLACE FUNCTION app.delivery_facts(
  thread uuid, other uuid, guru uuid, key text, files uuid[], messages_since timestamptz, threads_since timestamptz, most integer)
RETURNS jsonb
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
  RETURN (
    WITH pair AS MATERIALIZED (
      SELECT t.* FROM threads t
       WHERE t.person_a_id = least(me, person) AND t.person_b_id = greatest(me, person)
         AND CASE WHEN thread IS NOT NULL THEN t.id = thread ELSE t.guru_id IS NOT DISTINCT FROM guru END
    ), theirs AS MATERIALIZED (
      SELECT m.* FROM pair p JOIN thread_members m ON m.thread_id = p.id AND m.user_id = person
    )
    SELECT jsonb_build_object(
      'now', app.now(),
      'other_id', person,
      'thread', (SELECT jsonb_build_object('id', p.id, 'guru_id', p.guru_id, 'number', p.number) FROM pair p),
      'is_request', coalesce((SELECT m.request FROM theirs m), false),
      'is_muted', coalesce((SELECT m.muted FROM theirs m), false),
      'is_held', coalesce((SELECT m.held_until IS NOT NULL FROM theirs m), false),
      'unread', coalesce((SELECT m.unread FROM theirs m), 0),
      'mailed_at', (SELECT m.mailed_at FROM theirs m),
      'other_status', (SELECT u.status FROM users u WHERE u.user_id = person),
      'blocks', EXISTS (SELECT FROM blocks b WHERE b.user_id = me AND b.blocked_id = person),
      'is_blocked', EXISTS (SELECT FROM blocks b WHERE b.user_id = person AND b.blocked_id = me),
      'earlier', (SELECT jsonb_build_object('number', g.number, 'digest', encode(g.digest, 'hex'))
                    FROM pair p JOIN messages g ON g.person_a_id = p.person_a_id AND g.thread_id = p.id
                     AND g.sender_id = me AND g.idempotency_key = key),
      'messages', (SELECT count(*) FROM (SELECT FROM messages g WHERE g.sender_id = me AND g.created_at > messages_since
                                          LIMIT most) c),
      'threads', (SELECT count(*) FROM (SELECT FROM threads t WHERE t.opened_by = me AND t.created_at > threads_since
                                         LIMIT most) c),
      'files', (SELECT count(*) FROM message_files f WHERE f.user_id = me AND f.id = ANY (files)
                   AND f.thread_id IS NULL AND f.stored_at IS NOT NULL)));
END $$;
REVOKE ALL ON FUNCTION app.delivery_facts(uuid, uuid, uuid, text, uuid[], timestamptz, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delivery_facts(uuid, uuid, uuid, text, uuid[], timestamptz, timestamptz, integer)
  TO porchlight_app, porchlight_overseer;
