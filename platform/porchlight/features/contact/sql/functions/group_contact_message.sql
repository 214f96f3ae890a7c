-- Leave the running job's message to the next digest if its hour had `max_emails` messages before it. Return whether it
-- was. The digest job starts `delay` after the hour, and there is one for each hour: a message that is grouped at the end
-- of the hour is in it.
--
-- Called by: contact, in the job contact:notify_staff.
-- SECURITY DEFINER: the app role may add messages and read nothing. The message's id comes from the job.
CREATE OR REPLACE FUNCTION app.group_contact_message(max_emails integer, delay interval) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('contact:notify_staff');
  next_hour timestamptz := date_trunc('hour', app.now()) + interval '1 hour';
BEGIN
  UPDATE contact_messages m SET awaits_digest = true
   WHERE m.id = (args ->> 'message_id')::uuid
     AND (SELECT count(*) FROM (SELECT FROM contact_messages e
                                 WHERE e.created_at BETWEEN date_trunc('hour', m.created_at) AND m.created_at
                                   AND (e.created_at, e.id) < (m.created_at, m.id) LIMIT max_emails) earlier) = max_emails;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM app.enqueue('contact:send_digest', '{}', format('contact:send_digest:%s', extract(epoch FROM next_hour)::bigint),
                      NULL, next_hour + delay);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.group_contact_message(integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.group_contact_message(integer, interval) TO porchlight_app, porchlight_overseer;
