-- Delete the documents of a deleted account.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_verification() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM documents WHERE user_id = NEW.user_id;
  DELETE FROM document_files WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_verification AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_verification();
