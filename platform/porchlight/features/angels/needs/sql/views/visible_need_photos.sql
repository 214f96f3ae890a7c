-- The photos of the needs that the current user may see, unless the neighbor who needs help is suspended.
--
-- Read by: angels.
-- As the owner: photos of other users' needs are behind row level security.
CREATE OR REPLACE VIEW visible_need_photos WITH (security_barrier) AS
  SELECT p.id, p.body FROM need_photos p JOIN users u ON u.user_id = p.user_id
   WHERE u.status = 'active' AND EXISTS (SELECT FROM visible_needs n WHERE n.id = p.need_id);
GRANT SELECT ON visible_need_photos TO porchlight_app, porchlight_overseer;
