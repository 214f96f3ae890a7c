-- Return what the bearer of a personal link signs: their next session that is not covered, else their next one.
-- NULL if the link is unknown, was replaced, or all its sessions have started or were canceled.
--
-- Called by: waivers, for the page on which a participant signs without an account.
-- SECURITY DEFINER: a participant is no party of the booking. The token is the permission; the tenant comes from it.
CREATE OR REPLACE FUNCTION app.find_signing(link_token uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'signer_id', p.signer_id, 'name', p.name, 'booker_name', b.person_name, 'guru_label', g.label,
           'guru_name', g.character, 'service_id', b.service_id, 'service_name', b.service_name,
           'starts_at', b.starts_at, 'ends_at', b.ends_at, 'zone', b.zone, 'level', b.waiver_level,
           'waiver_until', p.waiver_until, 'covered', coalesce(p.waiver_until > b.starts_at, false))
    FROM participants p
    JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
    JOIN gurus g ON g.id = p.tenant_id
   WHERE p.tenant_id = app.tenant_id() AND p.token = link_token AND p.signer = 'link'
     AND b.status IN ('requested', 'confirmed') AND b.starts_at > app.now() AND b.waiver_level <> ''
   ORDER BY coalesce(p.waiver_until > b.starts_at, false), b.starts_at LIMIT 1
$$;
REVOKE ALL ON FUNCTION app.find_signing(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_signing(uuid) TO porchlight_app;
