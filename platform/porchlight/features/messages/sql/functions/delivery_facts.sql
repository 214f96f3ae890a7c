-- Return what the delivery of a message to `other` depends on, as plain values of one moment. `counted_since`: the times
-- from which messages and new threads count. Counts end at `most`.
--
-- Called by: messages, under the lock of both inboxes.
-- SECURITY DEFINER: the other person's account, blocks and state of the thread are behind row level security. What is
-- returned of them is not shown to anyone.
CREATE OR REPLACE FUNCTION app.delivery_facts(
  thread uuid, other uuid, guru uuid, key text, files uuid[], messages_since timestamptz, threads_since timestamptz, most integer)
RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH pair AS MATERIALIZED (
    SELECT t.* FROM threads t
     WHERE app.user_id() IN (t.person_a_id, t.person_b_id)
       AND CASE WHEN thread IS NOT NULL THEN t.id = thread
                ELSE t.person_a_id = least(app.user_id(), other) AND t.person_b_id = greatest(app.user_id(), other)
                     AND t.guru_id IS NOT DISTINCT FROM guru END
  ), people AS (
    SELECT app.user_id() AS me, coalesce(
      (SELECT CASE WHEN p.person_a_id = app.user_id() THEN p.person_b_id ELSE p.person_a_id END FROM pair p), other) AS other
  )
  SELECT jsonb_build_object(
    'now', app.now(),
    'other_id', q.other,
    'thread', (SELECT jsonb_build_object('id', p.id, 'guru_id', p.guru_id, 'number', p.number) FROM pair p),
    'is_request', coalesce((SELECT m.request FROM pair p JOIN thread_members m ON m.thread_id = p.id AND m.user_id = q.other), false),
    'is_muted', coalesce((SELECT m.muted FROM pair p JOIN thread_members m ON m.thread_id = p.id AND m.user_id = q.other), false),
    'is_held', coalesce((SELECT m.held_until IS NOT NULL FROM pair p
                           JOIN thread_members m ON m.thread_id = p.id AND m.user_id = q.other), false),
    'unread', coalesce((SELECT m.unread FROM pair p JOIN thread_members m ON m.thread_id = p.id AND m.user_id = q.other), 0),
    'mailed_at', (SELECT m.mailed_at FROM pair p JOIN thread_members m ON m.thread_id = p.id AND m.user_id = q.other),
    'other_status', (SELECT u.status FROM users u WHERE u.user_id = q.other),
    'blocks', EXISTS (SELECT FROM blocks b WHERE b.user_id = q.me AND b.blocked_id = q.other),
    'is_blocked', EXISTS (SELECT FROM blocks b WHERE b.user_id = q.other AND b.blocked_id = q.me),
    'earlier', (SELECT jsonb_build_object('number', g.number, 'digest', encode(g.digest, 'hex'))
                  FROM pair p JOIN messages g ON g.person_a_id = p.person_a_id AND g.thread_id = p.id
                   AND g.sender_id = q.me AND g.idempotency_key = key),
    'messages', (SELECT count(*) FROM (SELECT FROM messages g WHERE g.sender_id = q.me AND g.created_at > messages_since
                                        LIMIT most) c),
    'threads', (SELECT count(*) FROM (SELECT FROM threads t WHERE t.opened_by = q.me AND t.created_at > threads_since
                                       LIMIT most) c),
    'files', (SELECT count(*) FROM message_files f WHERE f.user_id = q.me AND f.id = ANY (files)
                 AND f.thread_id IS NULL AND f.stored_at IS NOT NULL))
    FROM people q WHERE q.me IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.delivery_facts(uuid, uuid, uuid, text, uuid[], timestamptz, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delivery_facts(uuid, uuid, uuid, text, uuid[], timestamptz, timestamptz, integer)
  TO porchlight_app, porchlight_overseer;
