"""Which categories a guru's site lists: those whose required documents are approved (SPEC 5)."""

from __future__ import annotations

# In psycopg's form, to run in this order in the isolation of the user and of the user's guru, under the lock of
# publishing. A category that becomes listed waits for the plan's limits (plans.site_limits), so that it does not push
# out one that visitors see already.
_UPDATE_FROM_DOCUMENTS = """
UPDATE guru_categories c
   SET name = s.name, position = s.place, needs_documents = s.needed, listed = s.approved, good_until = s.good_until,
       over_limit = c.over_limit OR (s.approved AND NOT c.listed), updated_at = app.now()
  FROM app.category_status(
         app.user_id(), ARRAY(SELECT o.slug FROM guru_categories o WHERE o.tenant_id = app.tenant_id())) s
 WHERE c.tenant_id = app.tenant_id() AND c.slug = s.slug
   AND (c.name, c.position, c.needs_documents, c.listed, c.good_until)
       IS DISTINCT FROM (s.name, s.place, s.needed, s.approved, s.good_until)"""
_UNLIST_CLOSED = """
UPDATE guru_categories c SET listed = false, updated_at = app.now()
 WHERE c.tenant_id = app.tenant_id() AND c.listed
   AND NOT EXISTS (SELECT FROM skill_categories k WHERE k.slug = c.slug AND NOT k.coming_soon)"""
# The guru's own category follows: the first that visitors see. A word that is no category's name is the owner's choice.
_UPDATE_OWN_CATEGORY = """
UPDATE gurus g SET category = n.word
  FROM (SELECT coalesce((SELECT lower(c.name) FROM guru_categories c WHERE c.tenant_id = app.tenant_id() AND c.listed
                          ORDER BY c.over_limit, c.created_at, c.position LIMIT 1), 'general') AS word) n
 WHERE g.id = app.tenant_id() AND g.category <> n.word
   AND (g.category = 'general' OR g.category IN (SELECT lower(k.name) FROM skill_categories k))"""
LOCK_PUBLISHING = "SELECT pg_advisory_xact_lock(hashtextextended('publish ' || app.user_id(), 0))"
UPDATE_LISTED_CATEGORIES = (_UPDATE_FROM_DOCUMENTS, _UNLIST_CLOSED, _UPDATE_OWN_CATEGORY)
