-- Return the porch lights that are on, the newest first: of neighbors by handle and gurus by label (both empty: of all),
-- and in a box of south, west, north and east in degrees (NULL: everywhere).
--
-- Called by: porch_lights.
-- SECURITY DEFINER: it reads the lights of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.porch_lights(
  handles text[], labels text[], box double precision[], max_rows integer)
RETURNS TABLE (expires_at timestamptz, city text, latitude double precision, longitude double precision, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.expires_at, l.city, l.latitude, l.longitude, c.card
    FROM porch_lights l
    LEFT JOIN profiles p ON p.user_id = l.user_id
    LEFT JOIN memberships m ON m.user_id = l.user_id
    LEFT JOIN gurus g ON g.id = m.tenant_id
    CROSS JOIN LATERAL (SELECT app.helper_card(l.user_id) AS card OFFSET 0) c
   WHERE l.expires_at > now() AND c.card IS NOT NULL
     AND (handles || labels = '{}' OR p.handle = ANY (handles) AND p.is_public OR g.label = ANY (labels))
     AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4])
   ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) TO porchlight_app,
    porchlight_overseer;
