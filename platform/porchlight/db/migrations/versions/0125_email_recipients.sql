-- email recipients

-- file: functions/agenda_recipient.sql
-- Return the verified address of the account that owns the running job's guru. NULL without one, or if the account was
-- deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_agenda.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.agenda_recipient() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_agenda');
BEGIN
  RETURN (SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
           WHERE m.tenant_id = (args ->> 'tenant_id')::uuid AND u.status = 'active' AND u.email_verified LIMIT 1);
END $$;
REVOKE ALL ON FUNCTION app.agenda_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.agenda_recipient() TO porchlight_app, porchlight_overseer;

-- file: functions/booking_recipients.sql
-- Return the addresses of both parties of the running job's booking: of the person, and of the account that owns the
-- guru, and whether they are verified. NULL for an account that was deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_emails.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.booking_recipients(
  OUT person_email text, OUT guru_email text, OUT person_verified boolean, OUT guru_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_emails');
BEGIN
  SELECT u.email, u.email_verified INTO person_email, person_verified
    FROM bookings b JOIN users u ON u.user_id = b.person_id
   WHERE b.tenant_id = (args ->> 'tenant_id')::uuid AND b.id = (args ->> 'booking_id')::uuid AND u.status = 'active';
  SELECT u.email, u.email_verified INTO guru_email, guru_verified
    FROM memberships m JOIN users u ON u.user_id = m.user_id
   WHERE m.tenant_id = (args ->> 'tenant_id')::uuid AND u.status = 'active' LIMIT 1;
END $$;
REVOKE ALL ON FUNCTION app.booking_recipients() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.booking_recipients() TO porchlight_app, porchlight_overseer;

-- file: functions/enqueue_task.sql
-- Add a job of the transaction's tenant or user to the queue and return its id. The arguments cannot name another one.
-- With `once`, of the jobs that wait for the same tenant or user there is at most one of this task; then it may return
-- NULL. Any other task, and a transaction without the tenant or user that the task needs, is an error.
--
-- Called by: `enqueue()` in Python, in the transaction of a request.
-- SECURITY DEFINER: the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_task(task text, args jsonb, once boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = app, pg_temp AS $$
DECLARE
  subject_id uuid := CASE
    WHEN task IN ('leads:notify_guru', 'leads:send_receipt', 'leads:send_reply') THEN app.tenant_id()
    WHEN task IN ('angels:notify_angels', 'angels:notify_owner', 'angels:notify_result', 'angels:update_counters',
                  'auth:delete_identity', 'auth:revoke_tokens', 'listings:geocode_user', 'profiles:send_welcome',
                  'waivers:send_receipt')
      THEN app.user_id()
  END;
BEGIN
  IF subject_id IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = format('this transaction may not enqueue %s', task);
  END IF;
  RETURN app.enqueue(task, args - ARRAY['tenant_id', 'user_id'], CASE WHEN once THEN task || ':' || subject_id END);
END $$;
REVOKE ALL ON FUNCTION app.enqueue_task(text, jsonb, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_task(text, jsonb, boolean) TO porchlight_app, porchlight_overseer;

-- file: functions/lead_recipient.sql
-- Return the contact address of the running job's guru, and whether it is the verified address of the account that owns
-- the guru. Any other contact address was only typed.
--
-- Called by: leads, in the job leads:notify_guru.
-- SECURITY DEFINER: accounts are behind row level security.
CREATE OR REPLACE FUNCTION app.lead_recipient(OUT email text, OUT email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('leads:notify_guru');
BEGIN
  SELECT g.contact_email, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                                   WHERE m.tenant_id = g.id AND u.status = 'active' AND u.email_verified
                                     AND lower(u.email) = lower(g.contact_email))
    INTO email, email_verified FROM gurus g WHERE g.id = (args ->> 'tenant_id')::uuid;
END $$;
REVOKE ALL ON FUNCTION app.lead_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lead_recipient() TO porchlight_app, porchlight_overseer;

-- file: functions/lead_reply_address.sql
-- Return the address for answers to the running job's reply: the guru's contact address, or else the address of the
-- account that owns the guru.
--
-- Called by: leads, in the job leads:send_reply.
-- SECURITY DEFINER: accounts are behind row level security.
CREATE OR REPLACE FUNCTION app.lead_reply_address() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('leads:send_reply');
BEGIN
  RETURN (SELECT coalesce(nullif(g.contact_email, ''),
                          (SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
                            WHERE m.tenant_id = g.id AND u.status = 'active' LIMIT 1), '')
            FROM gurus g WHERE g.id = (args ->> 'tenant_id')::uuid);
END $$;
REVOKE ALL ON FUNCTION app.lead_reply_address() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lead_reply_address() TO porchlight_app, porchlight_overseer;

-- file: functions/offer_to_notify.sql
-- Return the running job's offer, with the email address of the need's owner, while it can be accepted.
--
-- Called by: angels, in the job angels:notify_owner.
-- SECURITY DEFINER: the need and its owner are behind row level security. The offer comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.offer_to_notify()
RETURNS TABLE (email text, need_id uuid, title text, price_cents integer, message text, angel text,
               email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_owner');
BEGIN
  RETURN QUERY
  SELECT u.email, n.id, n.title, o.price_cents, o.message, p.display_name, u.email_verified
    FROM need_offers o JOIN needs n ON n.id = o.need_id JOIN users u ON u.user_id = n.user_id
    JOIN profiles p ON p.user_id = o.user_id
   WHERE o.user_id = (args ->> 'user_id')::uuid AND o.id = (args ->> 'offer_id')::uuid
     AND o.status = 'open' AND n.status = 'open' AND u.status = 'active' AND u.email <> '';
END $$;
REVOKE ALL ON FUNCTION app.offer_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offer_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/offers_to_notify.sql
-- Return the offers whose authors get an email about the result of the running job's need, in order of their creation.
--
-- Called by: angels, in the job angels:notify_result.
-- SECURITY DEFINER: offers and their authors are behind row level security. The need comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.offers_to_notify()
RETURNS TABLE (offer_id uuid, email text, angel text, price_cents integer, email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_result');
BEGIN
  RETURN QUERY
  SELECT o.id, u.email, p.display_name, o.price_cents, u.email_verified
    FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
    JOIN profiles p ON p.user_id = o.user_id
   WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid
     AND o.status = 'open' AND u.status = 'active' AND u.email <> '' ORDER BY o.id;
END $$;
REVOKE ALL ON FUNCTION app.offers_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offers_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/queue_account_deleted_email.sql
-- Store the current user's email address for the last email after the account is deleted, and start that job.
-- The name goes only to a verified address.
--
-- Called by: profiles, when an account is deleted.
-- SECURITY DEFINER: the app role cannot touch the table of these addresses.
CREATE OR REPLACE FUNCTION app.queue_account_deleted_email(new_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO pending_account_emails (id, recipient, name)
  SELECT new_id, u.email, CASE WHEN u.email_verified THEN coalesce(p.display_name, '') ELSE '' END
    FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.user_id = app.user_id() AND u.email <> '';
  IF FOUND THEN
    PERFORM app.enqueue('profiles:send_account_deleted', jsonb_build_object('pending_email_id', new_id), NULL);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.queue_account_deleted_email(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_account_deleted_email(uuid) TO porchlight_app;

-- file: functions/saved_searches_to_check.sql
-- Return saved searches of active users with a verified address, those checked longest ago first, with what an email
-- about new results needs.
--
-- Called by: search, in the job search:send_alerts.
-- SECURITY DEFINER: saved searches of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.saved_searches_to_check(max_searches integer)
RETURNS TABLE (user_id uuid, id uuid, words text, filters jsonb, seen_at timestamptz,
               email text, name text, handle text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('search:send_alerts');
  RETURN QUERY SELECT s.user_id, s.id, s.words, s.filters, s.seen_at, u.email, p.display_name, p.handle
                 FROM saved_searches s JOIN users u ON u.user_id = s.user_id AND u.status = 'active' AND u.email_verified
                 JOIN profiles p ON p.user_id = s.user_id
                ORDER BY s.seen_at LIMIT max_searches;
END $$;
REVOKE ALL ON FUNCTION app.saved_searches_to_check(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.saved_searches_to_check(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/swap_ring_to_notify.sql
-- Return the members of the swap ring that the running job informs, in their order, without deleted and
-- suspended users. The address is empty until it is verified.
--
-- Called by: matches, in the job matches:notify_members.
-- SECURITY DEFINER: a ring belongs to three users. The ring's id comes from the job.
CREATE OR REPLACE FUNCTION app.swap_ring_to_notify()
RETURNS TABLE (ring_id uuid, state text, user_id uuid, email text, name text, teaches text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('matches:notify_members');
BEGIN
  RETURN QUERY SELECT r.id, r.state, m.user_id,
                      CASE WHEN u.email_verified THEN u.email ELSE '' END, p.display_name, m.teaches
                 FROM swap_rings r
                 JOIN swap_ring_members m ON m.ring_id = r.id JOIN users u ON u.user_id = m.user_id
                 JOIN profiles p ON p.user_id = m.user_id
                WHERE r.id = (args ->> 'ring_id')::uuid AND u.status = 'active' ORDER BY m.place;
END $$;
REVOKE ALL ON FUNCTION app.swap_ring_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_ring_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/waitlist_recipient.sql
-- Return the verified address of the person on a waitlist whom the running job tells. NULL without one, or if the
-- account was deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_waitlist_canceled.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.waitlist_recipient() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_waitlist_canceled');
BEGIN
  RETURN (SELECT u.email FROM waitlist w JOIN users u ON u.user_id = w.person_id
           WHERE w.tenant_id = (args ->> 'tenant_id')::uuid AND w.appointment_id = (args ->> 'appointment_id')::uuid
             AND w.number = (args ->> 'number')::integer AND u.status = 'active'
             AND u.email_verified);
END $$;
REVOKE ALL ON FUNCTION app.waitlist_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waitlist_recipient() TO porchlight_app, porchlight_overseer;
