-- The people whom the current user blocked, and those who blocked them. Neither sees the other anywhere.
--
-- Read by: other views, and functions that return other people.
-- As the owner: blocks of other users are behind row level security. No role may read it: who blocked whom stays unknown.
CREATE OR REPLACE VIEW hidden_people WITH (security_barrier) AS
  SELECT b.blocked_id AS user_id FROM blocks b WHERE b.user_id = app.user_id()
   UNION ALL
  SELECT b.user_id FROM blocks b WHERE b.blocked_id = app.user_id();
