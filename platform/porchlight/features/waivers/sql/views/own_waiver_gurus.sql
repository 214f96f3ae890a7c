-- The gurus of the current user's waivers with their names. A deleted guru has none.
--
-- Read by: waivers, for the list and for the email with the receipt.
-- As the owner: a user cannot read gurus.
CREATE OR REPLACE VIEW own_waiver_gurus WITH (security_barrier) AS
  SELECT g.id AS guru_id, g.character AS guru_name FROM gurus g
   WHERE g.id IN (SELECT w.guru_id FROM waivers w WHERE w.user_id = app.user_id());
GRANT SELECT ON own_waiver_gurus TO porchlight_app;
