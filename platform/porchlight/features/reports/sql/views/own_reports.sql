-- The reports that the current user made.
--
-- Read by: account, for the export.
-- As the owner: the app role cannot read reports.
CREATE OR REPLACE VIEW own_reports WITH (security_barrier) AS
  SELECT r.id, r.subject_kind, r.subject_name, r.subject_title, r.reason, r.details, r.status, r.created_at
    FROM reports r WHERE r.reporter_id = app.user_id();
GRANT SELECT ON own_reports TO porchlight_app, porchlight_overseer;
