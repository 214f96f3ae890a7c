-- The files that the current user uploaded, and those in their threads.
--
-- Read by: messages.
-- As the owner: files of other users are behind row level security.
CREATE OR REPLACE VIEW visible_message_files WITH (security_barrier) AS
  SELECT f.id, f.key, f.name, f.kind, f.size, f.thumbnail
    FROM message_files f
   WHERE f.stored_at IS NOT NULL
     AND (f.user_id = app.user_id()
          OR EXISTS (SELECT FROM threads t WHERE t.id = f.thread_id AND app.user_id() IN (t.person_a_id, t.person_b_id)));
GRANT SELECT ON visible_message_files TO porchlight_app, porchlight_overseer;
