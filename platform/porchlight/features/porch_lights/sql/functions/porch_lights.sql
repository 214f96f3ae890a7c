-- Return the porch lights that are on, the newest first: of neighbors by handle and gurus by label (both empty: of all),
-- and in a box of south, west, north and east in degrees (NULL: everywhere). A place that its owner hides is in no box.
--
-- Called by: porch_lights.
-- SECURITY DEFINER: it reads the lights of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.porch_lights(
  handles text[], labels text[], box double precision[], max_rows integer)
RETURNS TABLE (expires_at timestamptz, city text, latitude double precision, longitude double precision, card jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF handles || labels = '{}' THEN
    -- In the order of ix_porch_lights_turned_on_at: no more cards are made than lights are returned.
    RETURN QUERY
      SELECT l.expires_at, CASE WHEN s.place THEN l.city ELSE '' END, CASE WHEN s.place THEN l.latitude END,
             CASE WHEN s.place THEN l.longitude END, c.card
        FROM porch_lights l CROSS JOIN LATERAL (SELECT app.shows_light_place(l) AS place OFFSET 0) s
       CROSS JOIN LATERAL (SELECT h.card FROM helper_cards h WHERE h.user_id = l.user_id OFFSET 0) c
       WHERE l.expires_at > app.now()
         AND l.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4] AND s.place)
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  ELSE
    RETURN QUERY
      SELECT l.expires_at, CASE WHEN s.place THEN l.city ELSE '' END, CASE WHEN s.place THEN l.latitude END,
             CASE WHEN s.place THEN l.longitude END, c.card
        FROM (SELECT p.user_id FROM profiles p WHERE p.handle = ANY (handles) AND p.is_public
               UNION
              SELECT m.user_id FROM gurus g JOIN memberships m ON m.tenant_id = g.id WHERE g.label = ANY (labels)) w
        JOIN porch_lights l ON l.user_id = w.user_id
       CROSS JOIN LATERAL (SELECT app.shows_light_place(l) AS place OFFSET 0) s
       CROSS JOIN LATERAL (SELECT h.card FROM helper_cards h WHERE h.user_id = l.user_id OFFSET 0) c
       WHERE l.expires_at > app.now()
         AND l.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4] AND s.place)
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) TO porchlight_app,
    porchlight_overseer;
