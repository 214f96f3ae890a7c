-- Return which of the gurus with these labels, and of the neighbors with these handles, are Premium Angels.
--
-- Called by: search and teachers, to label their results.
-- SECURITY DEFINER: the plans of other users are behind row level security. Their lists show this one to everyone.
CREATE OR REPLACE FUNCTION app.premium_among(labels text[], handles text[]) RETURNS TABLE (label text, handle text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.label, NULL::text FROM gurus g JOIN memberships m ON m.tenant_id = g.id JOIN users u ON u.user_id = m.user_id
   WHERE g.label = ANY (labels) AND u.listed_plan = 'premium-angel'
   UNION ALL
  SELECT NULL, p.handle FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = ANY (handles) AND u.listed_plan = 'premium-angel'
$$;
REVOKE ALL ON FUNCTION app.premium_among(text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.premium_among(text[], text[]) TO porchlight_app, porchlight_overseer;
