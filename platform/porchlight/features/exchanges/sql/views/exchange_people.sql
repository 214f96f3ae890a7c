-- The other side of each exchange of the current user, as both may see each other.
--
-- `is_hidden`: one of the two blocked the other, so that they arrange nothing new; `is_gone`: the account was deleted.
--
-- Read by: exchanges.
-- As the owner: profiles and blocks of other users are behind row level security.
CREATE OR REPLACE VIEW exchange_people WITH (security_barrier) AS
  SELECT e.id AS exchange_id, s.handle, s.shown_name, s.photo_id, s.photo_url,
         u.user_id IS NULL OR u.status = 'erased' AS is_gone,
         EXISTS (SELECT FROM hidden_people h WHERE h.user_id = o.user_id) AS is_hidden
    FROM exchanges e
   CROSS JOIN LATERAL (
     SELECT CASE WHEN e.person_a_id = app.user_id() THEN e.person_b_id ELSE e.person_a_id END AS user_id) o
    LEFT JOIN users u ON u.user_id = o.user_id
    LEFT JOIN shown_people s ON s.user_id = o.user_id
   WHERE app.user_id() IN (e.person_a_id, e.person_b_id);
GRANT SELECT ON exchange_people TO porchlight_app, porchlight_overseer;
