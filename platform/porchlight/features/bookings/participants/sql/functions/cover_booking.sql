-- Give each participant of an open booking the waiver that covers the booking's level: their own, or for a minor the one
-- that a guardian signed for exactly that minor. Waivers that are valid at the start come first, then signed ones, then
-- those that are valid longest; only a signed one replaces a signed one. Once the waiver has ended, `waiver_until` is in
-- the past. The booking's `waiver_until` is the earliest of its participants, null while one of them has no waiver.
--
-- The function restores the user that was set before. The calendar is locked.
--
-- Called by: app.add_participants and the trigger update_booking_waivers.
-- SECURITY INVOKER: these run as the owner; neither party can read the waivers of the others. The tenant is that of the
-- transaction.
CREATE OR REPLACE FUNCTION app.cover_booking(covered_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  levels text[] := ARRAY['low', 'medium', 'high', 'extreme'];
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  booked bookings;
  participant participants;
BEGIN
  SELECT * INTO booked FROM bookings b
   WHERE b.tenant_id = app.tenant_id() AND b.id = covered_id AND b.waiver_level <> ''
     AND b.status IN ('requested', 'confirmed') AND b.ends_at > app.now();
  FOR participant IN SELECT * FROM participants p WHERE p.tenant_id = booked.tenant_id AND p.booking_id = booked.id LOOP
    PERFORM set_config('app.user_id', participant.signer_id::text, true);
    UPDATE participants p SET (waiver_id, waiver_until, signed_by) = (
      SELECT coalesce(best.id, p.waiver_id),
             coalesce(best.expires_at, CASE WHEN p.waiver_until IS NOT NULL THEN least(p.waiver_until, app.now()) END),
             coalesce(best.signed_by, p.signed_by)
        FROM (SELECT) one LEFT JOIN LATERAL (
          SELECT w.id, w.expires_at, coalesce(w.record::jsonb #>> '{signature,typed}', '') AS signed_by FROM waivers w
           WHERE w.user_id = participant.signer_id AND w.guru_id = booked.tenant_id
             AND w.ended_at IS NULL AND w.expires_at > app.now()
             AND split_part(w.exchange_id, '/', 2) = booked.service_id::text
             AND array_position(levels, w.level) >= array_position(levels, booked.waiver_level)
             AND CASE participant.signer
                   WHEN 'self' THEN w.record::jsonb #>> '{participant,signedBy}' = 'self'
                   WHEN 'guardian' THEN w.record::jsonb #>> '{participant,signedBy}' = 'guardian'
                        AND app.normalize_text(w.record::jsonb #>> '{participant,name}')
                            = app.normalize_text(participant.name)
                   ELSE true END
             AND (w.signed OR NOT EXISTS (SELECT FROM waivers used
                                           WHERE used.user_id = w.user_id AND used.id = participant.waiver_id
                                             AND used.signed))
           ORDER BY w.expires_at > booked.starts_at DESC, w.signed DESC, w.expires_at DESC LIMIT 1) best ON true)
     WHERE p.tenant_id = participant.tenant_id AND p.booking_id = participant.booking_id
       AND p.number = participant.number;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
  UPDATE bookings b
     SET waiver_id = coalesce((SELECT p.waiver_id FROM participants p
                                WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id AND p.signer <> 'link'
                                  AND p.waiver_id IS NOT NULL
                                ORDER BY p.signer = 'self' DESC, p.number LIMIT 1), b.waiver_id),
         waiver_until = (SELECT CASE WHEN bool_and(p.waiver_until IS NOT NULL) THEN min(p.waiver_until) END
                           FROM participants p WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id)
   WHERE b.tenant_id = booked.tenant_id AND b.id = booked.id
     AND EXISTS (SELECT FROM participants p WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id);
END $$;
REVOKE ALL ON FUNCTION app.cover_booking(uuid) FROM PUBLIC;
