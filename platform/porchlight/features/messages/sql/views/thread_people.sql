-- The other side of each thread of the current user: the person, and the guru whom the thread is with.
--
-- `takes_messages` is false for someone whose account is not active, and for someone who blocked the user: the same answer.
--
-- Read by: messages.
-- As the owner: profiles, gurus and blocks of other users are behind row level security.
CREATE OR REPLACE VIEW thread_people WITH (security_barrier) AS
  SELECT t.id AS thread_id, o.user_id AS other_id, s.handle, s.shown_name, s.photo_id, s.photo_url,
         u.user_id IS NULL OR u.status = 'erased' AS is_gone, g.label, g.character AS guru_name,
         u.status IS NOT DISTINCT FROM 'active'
           AND NOT EXISTS (SELECT FROM blocks b WHERE b.user_id = o.user_id AND b.blocked_id = app.user_id())
           AS takes_messages,
         EXISTS (SELECT FROM blocks b WHERE b.user_id = app.user_id() AND b.blocked_id = o.user_id) AS is_blocked
    FROM threads t
   CROSS JOIN LATERAL (
     SELECT CASE WHEN t.person_a_id = app.user_id() THEN t.person_b_id ELSE t.person_a_id END AS user_id) o
    LEFT JOIN users u ON u.user_id = o.user_id
    LEFT JOIN shown_people s ON s.user_id = o.user_id
    LEFT JOIN gurus g ON g.id = t.guru_id
   WHERE app.user_id() IN (t.person_a_id, t.person_b_id);
GRANT SELECT ON thread_people TO porchlight_app, porchlight_overseer;
