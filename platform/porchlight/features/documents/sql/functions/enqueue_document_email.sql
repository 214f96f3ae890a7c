-- Start the job that emails the current user about a document: `days` before it expires, or with 0 that it has expired.
--
-- Called by: documents, in the job documents:process_expiry.
-- SECURITY DEFINER: the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_document_email(document_id uuid, days integer) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('documents:process_expiry');
  IF days = 0 THEN
    PERFORM app.enqueue('documents:notify_expired', jsonb_build_object('document_id', document_id), NULL);
  ELSE
    PERFORM app.enqueue('documents:send_expiry_reminder',
                        jsonb_build_object('document_id', document_id, 'days', days), NULL);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.enqueue_document_email(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_document_email(uuid, integer) TO porchlight_app, porchlight_overseer;
