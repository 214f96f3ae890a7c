-- Give a guru's calendar a new version when its free times may have changed. With the argument `rules`, also a new
-- version of the rules, which decide what is offered at all. One new version for a transaction is enough, because
-- others see all its changes at once.
--
-- Fires on: weekly_hours, date_hours, booking_settings, services (rules); appointments, busy_times. Once per statement, in the same
-- transaction.
CREATE OR REPLACE FUNCTION app.calendar_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE calendars SET version = version + 1, rules_version = rules_version + (TG_ARGV[0] = 'rules')::integer
   WHERE tenant_id IN (SELECT tenant_id FROM changed)
     AND (TG_ARGV[0] = 'rules' OR xmin <> pg_current_xact_id()::xid);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON weekly_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON weekly_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON weekly_hours
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON date_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON date_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON date_hours
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON booking_settings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON booking_settings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON booking_settings
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON services
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON services
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON services
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON appointments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON appointments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON appointments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON busy_times
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON busy_times
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');

CREATE OR REPLACE FUNCTION app.calendar_rules_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := greatest(NEW.version, OLD.version + 1);
  NEW.rules_version := greatest(NEW.rules_version, OLD.rules_version + 1);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER calendar_rules_changed BEFORE UPDATE OF zone, step_minutes, notice_minutes, horizon_days,
        day_max, paused_until ON calendars
    FOR EACH ROW EXECUTE FUNCTION app.calendar_rules_changed();
