-- The open and agreed swap rings of the current user, with the three members.
--
-- Read by: matches.
-- As the owner: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE VIEW own_swap_rings WITH (security_barrier) AS
  SELECT r.id, r.state, r.availability_bits, r.created_at,
         (SELECT jsonb_agg(jsonb_build_object('handle', s.handle, 'name', coalesce(s.shown_name, 'A neighbor'),
                                              'teaches', o.teaches, 'answer', o.answer, 'you', o.user_id = m.user_id)
                           ORDER BY o.place)
            FROM swap_ring_members o LEFT JOIN shown_people s ON s.user_id = o.user_id WHERE o.ring_id = r.id) AS members
    FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id
   WHERE m.user_id = app.user_id() AND r.state IN ('proposed', 'agreed') AND m.answer IS DISTINCT FROM 'declined'
     AND (SELECT count(*) FROM swap_ring_members o WHERE o.ring_id = r.id
             AND o.user_id NOT IN (SELECT h.user_id FROM hidden_people h)) = 3;
GRANT SELECT ON own_swap_rings TO porchlight_app, porchlight_overseer;
