-- Start the job that updates a guru's listed categories after one of the owner's documents changed its status.
-- Jobs that wait for the same user are one job.
--
-- SECURITY DEFINER: the app role may not call app.enqueue.
-- Fires on: documents.
CREATE OR REPLACE FUNCTION app.on_document_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r documents := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM app.enqueue('onboarding:update_listed_categories', jsonb_build_object('user_id', r.user_id),
                      'onboarding:update_listed_categories:' || r.user_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_document_changed AFTER INSERT OR DELETE OR UPDATE OF status ON documents
    FOR EACH ROW EXECUTE FUNCTION app.on_document_changed();
