-- The reviews of angels with public profiles, as anybody may see them: service and length represent the job, because the
-- need's own texts are for angels only. The author is a first name, or '' without one.
--
-- Read by: angels, and app.angels_for.
-- As the owner: needs and profiles of other users are behind row level security.
CREATE OR REPLACE VIEW angel_reviews WITH (security_barrier) AS
  SELECT n.id, p.handle, n.accepted_user_id AS angel_id, n.service_id, s.title AS service, n.hours, n.rating,
         n.review AS words, n.updated_at AS reviewed_at,
         coalesce(CASE WHEN a.first_name <> '' OR NOT a.is_public THEN a.first_name
                       ELSE split_part(a.display_name, ' ', 1) END, '') AS author
    FROM profiles p JOIN users u ON u.user_id = p.user_id JOIN needs n ON n.accepted_user_id = p.user_id
    JOIN angel_services s ON s.id = n.service_id LEFT JOIN profiles a ON a.user_id = n.user_id
   WHERE p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND n.status = 'done' AND n.rating IS NOT NULL;
GRANT SELECT ON angel_reviews TO porchlight_app, porchlight_overseer;
