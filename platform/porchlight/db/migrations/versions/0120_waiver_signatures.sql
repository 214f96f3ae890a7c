-- waiver signatures

-- file: functions/waiver_exchange.sql
-- Return what a waiver is for: a listing, by its id, or a guru's service, by the guru's label and the service's id. NULL
-- if it does not exist or is hidden. A service comes with the guru's own waiver text, unless the guru has none. The
-- function restores the tenant that was set before.
--
-- Called by: waivers.
-- SECURITY DEFINER: listings of other users and services and texts of a guru are behind row level security.
CREATE OR REPLACE FUNCTION app.waiver_exchange(guru_label text, wanted uuid) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru uuid := (SELECT g.id FROM gurus g WHERE g.label = guru_label AND g.status = 'active' AND g.published);
  found_exchange jsonb;
BEGIN
  IF guru_label IS NULL THEN
    RETURN (SELECT jsonb_build_object('teacher_id', o.user_id, 'title', o.title, 'details', o.details)
              FROM skill_offers o JOIN users u ON u.user_id = o.user_id
             WHERE o.id = wanted AND o.visible AND u.status = 'active');
  END IF;
  PERFORM set_config('app.tenant_id', guru::text, true);
  found_exchange := (SELECT jsonb_build_object('guru_id', guru, 'guru_name', g.character, 'title', s.name,
                                               'details', s.description, 'text', t.newest)
                       FROM services s JOIN gurus g ON g.id = s.tenant_id
                       LEFT JOIN LATERAL (
                         SELECT jsonb_build_object('version', w.version, 'body', w.body) AS newest
                           FROM guru_waiver_texts w
                          WHERE w.tenant_id = guru AND w.version = app.waiver_text_version(guru)) t ON true
                      WHERE s.tenant_id = guru AND s.id = wanted);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN found_exchange;
END $$;
REVOKE ALL ON FUNCTION app.waiver_exchange(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_exchange(text, uuid) TO porchlight_app;

-- file: functions/waiver_text_version.sql
-- Return the version of a guru's own waiver text that people accept now: the newest, or 0 if the guru has none or removed
-- it.
--
-- Called by: waivers and bookings, to find out whether a waiver covers the text; app.waiver_exchange.
-- SECURITY DEFINER: a person's transaction without the guru's tenant must not read the text as missing.
CREATE OR REPLACE FUNCTION app.waiver_text_version(guru uuid) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT CASE WHEN t.body = '' THEN 0 ELSE t.version END FROM guru_waiver_texts t
                    WHERE t.tenant_id = guru ORDER BY t.version DESC LIMIT 1), 0)
$$;
REVOKE ALL ON FUNCTION app.waiver_text_version(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_text_version(uuid) TO porchlight_app;

-- file: triggers/booking_waivers.sql
-- Keep the waiver of each open booking up to date: when its person accepts a waiver or one ends, the booking gets the
-- waiver that covers its level and is valid longest; only another signed one replaces a signed one. Without one,
-- `waiver_until` is in the past. A later text of the guru is for new bookings, so it does not matter here. The function
-- restores the tenant and the user that were set before.
--
-- Fires on: waivers. Locks the calendar, so that a booking that is made meanwhile sees the change or is changed.
-- SECURITY DEFINER: neither party may write these columns.
CREATE OR REPLACE FUNCTION app.update_booking_waivers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  levels text[] := ARRAY['low', 'medium', 'high', 'extreme'];
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  previous_user text := coalesce(current_setting('app.user_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.guru_id::text, true), set_config('app.user_id', NEW.user_id::text, true);
  PERFORM app.lock_calendar();
  UPDATE bookings b SET (waiver_id, waiver_until) = (
    SELECT coalesce(best.id, b.waiver_id), coalesce(best.expires_at, least(b.waiver_until, now()))
      FROM (SELECT) one LEFT JOIN LATERAL (
        SELECT w.id, w.expires_at FROM waivers w
         WHERE w.user_id = NEW.user_id AND w.guru_id = NEW.guru_id AND w.ended_at IS NULL AND w.expires_at > now()
           AND split_part(w.exchange_id, '/', 2) = b.service_id::text
           AND array_position(levels, w.level) >= array_position(levels, b.waiver_level)
           AND (w.signed OR NOT EXISTS (SELECT FROM waivers used WHERE used.user_id = NEW.user_id
                                         AND used.id = b.waiver_id AND used.signed))
         ORDER BY w.expires_at DESC LIMIT 1) best ON true)
   WHERE b.tenant_id = NEW.guru_id AND b.person_id = NEW.user_id AND b.waiver_level <> ''
     AND b.status IN ('requested', 'confirmed') AND b.ends_at > now()
     AND split_part(NEW.exchange_id, '/', 2) = b.service_id::text;
  PERFORM set_config('app.tenant_id', previous_tenant, true), set_config('app.user_id', previous_user, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER update_booking_waivers_insert AFTER INSERT ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL) EXECUTE FUNCTION app.update_booking_waivers();
CREATE OR REPLACE TRIGGER update_booking_waivers_update AFTER UPDATE OF ended_at ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
    EXECUTE FUNCTION app.update_booking_waivers();

-- file: triggers/waivers.sql
-- Keep each waiver and its link together, and both unchanged. Only these changes are possible: a waiver ends, with who
-- ended it, the data that it can lose is erased, and an old waiver is deleted. Its link stays, so the chain can always be
-- verified. A PDF that shows a drawn signature is erased with the drawing: it becomes empty.
--
-- Fires on: waivers, waiver_links, guru_waiver_texts; users, when the status becomes erased.
-- SECURITY DEFINER on the comparison: the app role cannot read waiver_links.
CREATE OR REPLACE FUNCTION app.check_waiver_link() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM waivers w JOIN waiver_links l ON l.chain_id = w.chain_id AND l.number = w.number
                  WHERE w.user_id = app.user_id() AND w.chain_id = NEW.chain_id AND w.number = NEW.number
                    AND l.record_sha256 = w.sha256 AND l.pdf_sha256 = encode(sha256(w.pdf), 'hex')) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'a waiver and its link need each other';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS check_waiver_link ON waivers;
CREATE CONSTRAINT TRIGGER check_waiver_link AFTER INSERT ON waivers DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION app.check_waiver_link();
DROP TRIGGER IF EXISTS check_waiver_link ON waiver_links;
CREATE CONSTRAINT TRIGGER check_waiver_link AFTER INSERT ON waiver_links DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION app.check_waiver_link();

CREATE OR REPLACE FUNCTION app.forbid_waiver_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation USING MESSAGE = 'waivers, their links and their texts do not change';
END $$;

CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE ON waivers
    FOR EACH ROW WHEN (NOT NEW.erasable <@ OLD.erasable
                       OR (NEW.ended_at, NEW.withdrawn_at) IS DISTINCT FROM (OLD.ended_at, OLD.withdrawn_at)
                       AND OLD.ended_at IS NOT NULL
                       OR NEW.pdf <> OLD.pdf AND (NEW.pdf <> '' OR NOT jsonb_exists(OLD.erasable, 'drawnSignature')
                                                  OR jsonb_exists(NEW.erasable, 'drawnSignature'))
                       OR to_jsonb(NEW) - '{erasable,ended_at,withdrawn_at,pdf}'::text[]
                          <> to_jsonb(OLD) - '{erasable,ended_at,withdrawn_at,pdf}'::text[])
    EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE OR DELETE ON waiver_links
    FOR EACH ROW EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE ON guru_waiver_texts
    FOR EACH ROW EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_truncate BEFORE TRUNCATE ON waiver_links
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_waiver_change();

CREATE OR REPLACE FUNCTION app.on_user_deleted_waivers() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE waivers SET erasable = '{}', pdf = CASE WHEN jsonb_exists(erasable, 'drawnSignature') THEN '' ELSE pdf END
   WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_waivers AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_waivers();
