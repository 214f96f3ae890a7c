-- Return how each of the categories `slugs` meets its document requirements for the current user, who is `wanted`.
-- `documents` maps each required type to missing, pending, approved or void (sent, but no longer valid). `good_until`: the
-- last day of the first of them that ends, where the best one of a type counts. Days are UTC.
-- A license counts for the category it was sent for; insurance also counts when it was sent without a category.
--
-- Called by: onboarding and app.publish_guru.
-- SECURITY INVOKER: it reads the user's own documents.
CREATE OR REPLACE FUNCTION app.category_status(wanted uuid, slugs text[]) RETURNS TABLE (
  slug text, name text, place integer, risk_level text, requires_license boolean, requires_gl boolean,
  requires_auto_insurance boolean, notes text, documents jsonb, needed boolean, submitted boolean, approved boolean,
  good_until date)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH sent AS MATERIALIZED (
    SELECT d.category, d.type, d.expires_on, d.status,
           d.expires_on IS NULL OR d.expires_on >= (app.now() AT TIME ZONE 'UTC')::date AS valid
      FROM documents d WHERE d.user_id = wanted AND wanted = app.user_id()
  ), met AS (
    SELECT c.slug, n.type,
           CASE WHEN bool_or(s.valid AND s.status = 'approved') THEN 'approved'
                WHEN bool_or(s.valid AND s.status = 'pending') THEN 'pending'
                WHEN count(s.type) > 0 THEN 'void' ELSE 'missing' END AS state,
           nullif(max(coalesce(s.expires_on, 'infinity')) FILTER (WHERE s.valid AND s.status = 'approved'), 'infinity')
             AS good_until
      FROM skill_categories c
      JOIN LATERAL (VALUES ('license', c.requires_license, false), ('insurance', c.requires_gl, true),
                           ('auto', c.requires_auto_insurance, true)) AS n (type, required, anywhere) ON n.required
      LEFT JOIN sent s ON s.type = n.type AND (s.category = c.slug OR (n.anywhere AND s.category = ''))
     WHERE c.slug = ANY (slugs)
     GROUP BY c.slug, n.type
  )
  SELECT c.slug, c.name, c.position, c.risk_level, c.requires_license, c.requires_gl, c.requires_auto_insurance,
         c.notes, coalesce(jsonb_object_agg(m.type, m.state) FILTER (WHERE m.type IS NOT NULL), '{}'),
         count(m.type) > 0, coalesce(bool_and(m.state IN ('pending', 'approved')), true),
         coalesce(bool_and(m.state = 'approved'), true), min(m.good_until)
    FROM skill_categories c LEFT JOIN met m ON m.slug = c.slug
   WHERE c.slug = ANY (slugs) AND NOT c.coming_soon
   GROUP BY c.slug
   ORDER BY c.position
$$;
