-- The people whom the current user blocked, as their own list of blocks shows them.
--
-- Read by: messages.
-- As the owner: profiles of other users are behind row level security.
CREATE OR REPLACE VIEW blocked_people WITH (security_barrier) AS
  SELECT b.id, b.created_at, s.shown_name, s.photo_id, s.photo_url,
         u.user_id IS NULL OR u.status = 'erased' AS is_gone
    FROM blocks b LEFT JOIN users u ON u.user_id = b.blocked_id LEFT JOIN shown_people s ON s.user_id = b.blocked_id
   WHERE b.user_id = app.user_id();
GRANT SELECT ON blocked_people TO porchlight_app, porchlight_overseer;
