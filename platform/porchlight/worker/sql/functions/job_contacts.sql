-- Return the people whom the running job emails or names, while their accounts are active: those of the row that its
-- arguments name, which must be of the job's tenant or user. `part` says what they are to the row, and `details` what the
-- job may know of the row. `name` is the name in an email to them, `shown_name` the one that others see. The address of a
-- swap ring's member is empty until it is verified.
--
-- Called by: leads, angels, matches, bookings and busy sources, in the jobs named here. Any other job gets an error.
-- SECURITY DEFINER: accounts and rows of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.job_contacts()
RETURNS TABLE (part text, user_id uuid, email text, email_verified boolean, name text, shown_name text, details jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  job record := app.running_task();
  tenant uuid := (job.args ->> 'tenant_id')::uuid;
  author uuid := (job.args ->> 'user_id')::uuid;
BEGIN
  IF job.task NOT IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply', 'angels:notify_owner',
                      'angels:notify_result', 'matches:notify_members', 'bookings:send_emails',
                      'bookings:send_changes', 'bookings:send_agenda', 'bookings:send_waitlist_canceled',
                      'bookings:send_package_email', 'bookings:send_refund_emails', 'bookings:send_dispute_email',
                      'bookings:send_tip_email', 'bookings:send_package_sold_email', 'busy_sources:read') THEN
    RAISE insufficient_privilege USING MESSAGE = format('the job %s has no contacts', job.task);
  END IF;
  RETURN QUERY
  SELECT c.part, u.user_id, CASE WHEN u.email_verified OR c.part <> 'member' THEN u.email ELSE '' END, u.email_verified, p.display_name,
         (SELECT s.shown_name FROM shown_people s WHERE s.user_id = u.user_id), c.details
    FROM (
      -- The owner of the job's guru.
      SELECT 'owner' AS part, m.user_id, '{}'::jsonb AS details, 0 AS place, NULL::uuid AS row_id
        FROM memberships m
       WHERE m.tenant_id = tenant AND job.task IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply',
                                                   'bookings:send_emails', 'bookings:send_changes',
                                                   'bookings:send_agenda', 'bookings:send_refund_emails',
                                                   'bookings:send_dispute_email', 'bookings:send_tip_email',
                                                   'bookings:send_package_sold_email', 'busy_sources:read')
       UNION ALL
      -- The person of the job's booking; or of several ones with the guru, if the job writes to that person.
      SELECT 'person', b.person_id, '{}', 1, b.id FROM bookings b
       WHERE b.tenant_id = tenant AND b.id = (job.args ->> 'booking_id')::uuid AND job.task = 'bookings:send_emails'
       UNION ALL
      (SELECT 'person', b.person_id, '{}', 1, b.person_id FROM bookings b
        WHERE b.tenant_id = tenant AND b.person_id = nullif(job.args ->> 'person_id', '')::uuid
          AND job.task = 'bookings:send_changes' AND job.args ->> 'side' = 'person' LIMIT 1)
       UNION ALL
      -- The person of the job's place on a waitlist.
      SELECT 'person', w.person_id, '{}', 1, w.person_id FROM waitlist w
       WHERE w.tenant_id = tenant AND w.appointment_id = (job.args ->> 'appointment_id')::uuid
         AND w.number = (job.args ->> 'number')::integer AND job.task = 'bookings:send_waitlist_canceled'
       UNION ALL
      -- The person who has the job's package.
      SELECT 'person', p.person_id, '{}', 1, p.id FROM package_grants p
       WHERE p.tenant_id = tenant AND p.id = (job.args ->> 'grant_id')::uuid AND job.task = 'bookings:send_package_email'
       UNION ALL
      -- The person to whom the job's refund goes.
      SELECT 'person', r.person_id, '{}', 1, r.id FROM refunds r
       WHERE r.tenant_id = tenant AND r.id = (job.args ->> 'refund_id')::uuid
         AND job.task = 'bookings:send_refund_emails'
       UNION ALL
      -- Who made the job's offer, and who needs help, while the offer can be accepted.
      SELECT a.part, a.user_id, jsonb_build_object('title', n.title), 0, o.id
        FROM need_offers o JOIN needs n ON n.id = o.need_id
       CROSS JOIN LATERAL (VALUES ('angel', o.user_id), ('owner', n.user_id)) a (part, user_id)
       WHERE o.user_id = author AND o.id = (job.args ->> 'offer_id')::uuid AND job.task = 'angels:notify_owner'
         AND o.status = 'open' AND n.status = 'open'
       UNION ALL
      -- Who made an open offer on the job's need.
      SELECT 'angel', o.user_id, jsonb_build_object('offer_id', o.id, 'price_cents', o.price_cents), 0, o.id
        FROM needs n JOIN need_offers o ON o.need_id = n.id
       WHERE n.user_id = author AND n.id = (job.args ->> 'need_id')::uuid AND job.task = 'angels:notify_result'
         AND o.status = 'open'
       UNION ALL
      -- The members of the job's swap ring, in their order.
      SELECT 'member', m.user_id, jsonb_build_object('state', r.state, 'teaches', m.teaches), m.place, r.id
        FROM swap_rings r JOIN swap_ring_members m ON m.ring_id = r.id
       WHERE r.id = (job.args ->> 'ring_id')::uuid AND job.task = 'matches:notify_members'
    ) c JOIN users u ON u.user_id = c.user_id LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.status = 'active'
   ORDER BY c.place, c.row_id;
END $$;
REVOKE ALL ON FUNCTION app.job_contacts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.job_contacts() TO porchlight_app, porchlight_overseer;
