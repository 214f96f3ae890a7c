-- Start the job that deletes a message's file from the file store. Only the deleted row knew its key.
--
-- SECURITY DEFINER: the app role may not call app.enqueue.
-- Fires on: message_files.
CREATE OR REPLACE FUNCTION app.on_message_file_deleted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.enqueue('messages:delete_file', jsonb_build_object('key', OLD.key), NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_message_file_deleted AFTER DELETE ON message_files
    FOR EACH ROW EXECUTE FUNCTION app.on_message_file_deleted();
