-- The Premium Angels: gurus by label, neighbors by handle. Lists show this plan to everyone.
--
-- Read by: porchlight.plans, to label the results of search and teachers.
-- As the owner: the plans of other users are behind row level security.
CREATE OR REPLACE VIEW premium_names WITH (security_barrier) AS
  SELECT g.label, NULL::text AS handle
    FROM gurus g JOIN memberships m ON m.tenant_id = g.id JOIN users u ON u.user_id = m.user_id
   WHERE u.listed_plan = 'premium-angel'
   UNION ALL
  SELECT NULL, p.handle FROM profiles p JOIN users u ON u.user_id = p.user_id WHERE u.listed_plan = 'premium-angel';
GRANT SELECT ON premium_names TO porchlight_app, porchlight_overseer;
