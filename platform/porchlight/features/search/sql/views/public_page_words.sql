-- The words by which public pages are found: skills, titles, tags and services, with their weights.
--
-- Read by: search, for results whose title and summary have no word of the search.
-- As the owner: the app role cannot read phrases, because some are texts of searches.
CREATE OR REPLACE VIEW public_page_words WITH (security_barrier) AS
  SELECT s.kind, s.item, s.weight, p.words FROM search_entry_phrases s JOIN phrases p ON p.id = s.phrase_id;
GRANT SELECT ON public_page_words TO porchlight_app, porchlight_overseer;
