-- Return the local time after which a person has had `wait`, at most ten hours, between 8 AM and 10 PM.
--
-- Called by: app.offer_seats.
CREATE OR REPLACE FUNCTION app.add_waking_time(local timestamp, wait interval) RETURNS timestamp
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp
RETURN (
  SELECT CASE WHEN awake.at + wait > awake.at::date + interval '22 hours' THEN awake.at + wait + interval '10 hours'
              ELSE awake.at + wait END
    FROM (SELECT CASE WHEN local::time >= '22:00' THEN local::date + interval '32 hours'
                      ELSE greatest(local, local::date + interval '8 hours') END AS at) awake);
