-- The reviews of the transaction's guru as anybody may see them: revealed and counted, without the private note and the
-- account. A review that staff removed keeps its place, with the reason. The author is a first name, or '' without one.
--
-- Read by: reviews, and the pages of guru sites.
-- As the owner: reviews are for the two parties of a booking, and profiles of other users are behind row level security.
CREATE OR REPLACE VIEW public_reviews WITH (security_barrier) AS
  SELECT r.tenant_id, r.id, r.service_id, r.service_name, r.published_at,
         CASE WHEN r.removed_at IS NULL THEN r.stars END AS stars,
         CASE WHEN r.removed_at IS NULL THEN r.body ELSE '' END AS body,
         CASE WHEN r.removed_at IS NULL THEN r.reply ELSE '' END AS reply,
         CASE WHEN r.removed_at IS NULL THEN r.replied_at END AS replied_at,
         r.removed_why,
         CASE WHEN r.removed_at IS NULL
              THEN coalesce(CASE WHEN a.first_name <> '' OR NOT a.is_public THEN a.first_name
                                 ELSE split_part(a.display_name, ' ', 1) END, '') ELSE '' END AS author
    FROM reviews r JOIN gurus g ON g.id = r.tenant_id LEFT JOIN profiles a ON a.user_id = r.person_id
   WHERE r.tenant_id = app.tenant_id() AND r.side = 'person' AND r.published_at IS NOT NULL AND g.status = 'active';
GRANT SELECT ON public_reviews TO porchlight_app, porchlight_overseer;
