-- Return the hash of an audit log entry. It covers the hash of the previous entry, so the log is a chain.
--
-- Called by: the trigger app.audit_append and `porchlight audit verify`.
CREATE OR REPLACE FUNCTION app.audit_hash(e audit_log) RETURNS bytea
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT sha256(e.previous || convert_to(concat_ws(E'\x1f', e.id,
    to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.actor, e.action, e.subject_kind, e.subject_id,
    e.details::text), 'UTF8'))
$$;
