-- What gurus wrote about the neighbors who ask the acting guru for a session or have booked one, revealed and counted.
--
-- Read by: reviews, for the guru who has to answer.
-- As the owner: reviews of other gurus are behind row level security.
CREATE OR REPLACE VIEW neighbor_reviews WITH (security_barrier) AS
  SELECT b.tenant_id, b.id AS booking_id, r.id, r.stars, r.body, r.reply, r.service_name, r.published_at,
         g.character AS guru_name
    FROM bookings b JOIN reviews r ON r.person_id = b.person_id JOIN gurus g ON g.id = r.tenant_id
   WHERE b.tenant_id = app.acting_tenant_id() AND b.status IN ('requested', 'confirmed')
     AND r.side = 'guru' AND r.published_at IS NOT NULL AND r.removed_at IS NULL;
GRANT SELECT ON neighbor_reviews TO porchlight_app, porchlight_overseer;
