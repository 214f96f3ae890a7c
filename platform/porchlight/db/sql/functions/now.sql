-- Return the time by which the product's rules decide: the start of the transaction, or hours or days later where the
-- setting porchlight.clock_offset (an interval) says so. Tests set it for their database; production never has it.
--
-- The planner replaces a call by its expression, so that it costs what now() costs and indexes serve comparisons with
-- it. PostgreSQL's own clock remains for what others schedule (the queue's tables) and for measured durations.
--
-- Called by: functions, triggers, column defaults and statements, in place of now().
CREATE OR REPLACE FUNCTION app.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN now() + coalesce(nullif(current_setting('porchlight.clock_offset', true), '')::interval, '0');
