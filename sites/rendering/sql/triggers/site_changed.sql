-- Give a guru's site a new content version when anything changes that its pages show.
--
-- Fires on: posts, post_views, services, guru_categories, booking_settings, guru_facts, review_totals, gallery_pictures, published
-- reviews, deletions of site_images. Once per statement, in the same transaction.
CREATE OR REPLACE FUNCTION app.site_changed_insert() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1 WHERE id IN (SELECT tenant_id FROM new_rows);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON posts
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON post_views
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON services
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON guru_categories
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON booking_settings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON guru_facts
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON gallery_pictures
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();

CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON review_totals
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();

CREATE OR REPLACE FUNCTION app.site_changed_update() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1
   WHERE id IN (SELECT tenant_id FROM new_rows UNION SELECT tenant_id FROM old_rows);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON posts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON post_views
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON services
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON guru_categories
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON booking_settings
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON guru_facts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON gallery_pictures
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();

CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON review_totals
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();

-- A hidden review gives no new version: nothing outside may tell that there is one.
CREATE OR REPLACE FUNCTION app.site_changed_reviews() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1
   WHERE id IN (SELECT tenant_id FROM new_rows WHERE side = 'person' AND published_at IS NOT NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON reviews
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_reviews();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON reviews
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_reviews();

CREATE OR REPLACE FUNCTION app.site_changed_delete() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1 WHERE id IN (SELECT tenant_id FROM old_rows);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON posts
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON post_views
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON services
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON guru_categories
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON booking_settings
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON guru_facts
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON gallery_pictures
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON site_images
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
