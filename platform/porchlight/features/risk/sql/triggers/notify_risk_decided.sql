-- Notify every process that staff rated an activity or removed a rating, so that it loads the decisions again.
-- The id in the payload belongs to no tenant; risk listens for it.
--
-- Fires on: risk_reviews.
CREATE OR REPLACE FUNCTION app.notify_risk_decided() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('porchlight_tenants', '00000000-0000-7000-8000-000000000011');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_risk_decided AFTER UPDATE OF level ON risk_reviews
    FOR EACH ROW WHEN (OLD.level IS DISTINCT FROM NEW.level) EXECUTE FUNCTION app.notify_risk_decided();
CREATE OR REPLACE TRIGGER notify_risk_decision_deleted AFTER DELETE ON risk_reviews
    FOR EACH ROW WHEN (OLD.level IS NOT NULL) EXECUTE FUNCTION app.notify_risk_decided();
