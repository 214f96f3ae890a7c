-- Return whom the current user can write to about something, or no row if it is unknown, hidden or not theirs:
-- `person_id`, `guru_id` of a thread with a guru's site and `guru_person_id`, its owner; what it is about; and whether the
-- two know each other, so that a first message is no request. And what the user may see of them, as in a thread.
--
-- `part`: the handle of a profile or match, the label of a guru, else an id. Of a swap ring: its id, and the place of the
-- member behind a slash.
--
-- Called by: messages.
-- SECURITY DEFINER: accounts, listings, bookings, needs, rings and gurus of others are behind row level security.
CREATE OR REPLACE FUNCTION app.message_recipient(kind text, part text)
RETURNS TABLE (person_id uuid, guru_id uuid, guru_person_id uuid,
               about text, starts_at timestamptz, zone text, knows boolean,
               handle text, shown_name text, photo_id uuid, photo_url text, label text, guru_name text,
               takes_messages boolean, is_blocked boolean, thread_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH me AS (SELECT app.user_id() AS id),
  wanted AS (SELECT CASE WHEN split_part(part, '/', 1) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                         THEN split_part(part, '/', 1)::uuid END AS id)
  SELECT r.*, s.handle, s.shown_name, s.photo_id, s.photo_url, g.label, g.character,
         NOT EXISTS (SELECT FROM blocks b WHERE b.user_id = r.person_id AND b.blocked_id = me.id),
         EXISTS (SELECT FROM blocks b WHERE b.user_id = me.id AND b.blocked_id = r.person_id),
         (SELECT t.id FROM threads t
           WHERE t.person_a_id = least(me.id, r.person_id) AND t.person_b_id = greatest(me.id, r.person_id)
             AND t.guru_id IS NOT DISTINCT FROM r.guru_id)
    FROM (
    SELECT p.user_id, NULL::uuid, NULL::uuid, '', NULL::timestamptz, '', false
      FROM profiles p WHERE kind = 'profile' AND p.handle = part AND p.is_public AND p.registered_at IS NOT NULL
     UNION ALL
    SELECT p.user_id, NULL, NULL, '', NULL, '', false
      FROM profiles p WHERE kind = 'match' AND p.handle = part
       AND (EXISTS (SELECT FROM skill_offers o WHERE o.user_id = p.user_id AND o.visible)
            OR EXISTS (SELECT FROM skill_wants w WHERE w.user_id = p.user_id AND w.visible))
     UNION ALL
    SELECT o.user_id, NULL, NULL, o.title, NULL, '', false
      FROM skill_offers o, wanted WHERE kind = 'listing' AND o.id = wanted.id AND o.visible
     UNION ALL
    SELECT m.user_id, g.id, m.user_id, '', NULL, '', true
      FROM gurus g JOIN memberships m ON m.tenant_id = g.id
     WHERE kind = 'guru' AND g.label = part AND g.status = 'active'
     UNION ALL
    SELECT CASE WHEN b.person_id = me.id THEN m.user_id ELSE b.person_id END, b.tenant_id, m.user_id, b.service_name,
           b.starts_at, b.zone, true
      FROM bookings b JOIN memberships m ON m.tenant_id = b.tenant_id, me, wanted
     WHERE kind = 'booking' AND b.id = wanted.id AND b.status <> 'held' AND me.id IN (b.person_id, m.user_id)
     UNION ALL
    SELECT CASE WHEN o.user_id = me.id THEN n.user_id ELSE o.user_id END, NULL, NULL, n.title, NULL, '', true
      FROM need_offers o JOIN needs n ON n.id = o.need_id, me, wanted
     WHERE kind = 'need_offer' AND o.id = wanted.id AND me.id IN (o.user_id, n.user_id)
     UNION ALL
    SELECT o.user_id, NULL, NULL, o.teaches, NULL, '', true
      FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id JOIN swap_ring_members o ON o.ring_id = r.id, me, wanted
     WHERE kind = 'ring_member' AND r.id = wanted.id AND m.user_id = me.id AND r.state IN ('proposed', 'agreed')
       AND o.place::text = split_part(part, '/', 2)
     UNION ALL
    SELECT u.user_id, l.tenant_id, m.user_id, '', NULL, '', true
      FROM leads l JOIN memberships m ON m.tenant_id = l.tenant_id
      JOIN lead_addresses a ON a.tenant_id = l.tenant_id AND a.email = lower(l.email) AND a.state = 'confirmed'
      JOIN users u ON u.email = a.email AND u.email_verified, me, wanted
     WHERE kind = 'lead' AND l.id = wanted.id AND m.user_id = me.id
  ) r (person_id, guru_id, guru_person_id, about, starts_at, zone, knows)
    JOIN users u ON u.user_id = r.person_id AND u.status = 'active'
    LEFT JOIN shown_people s ON s.user_id = r.person_id LEFT JOIN gurus g ON g.id = r.guru_id CROSS JOIN me
   WHERE me.id IS NOT NULL
     AND (r.knows OR r.person_id NOT IN (SELECT b.user_id FROM blocks b WHERE b.blocked_id = me.id))
   LIMIT 1
$$;
REVOKE ALL ON FUNCTION app.message_recipient(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.message_recipient(text, text) TO porchlight_app, porchlight_overseer;
