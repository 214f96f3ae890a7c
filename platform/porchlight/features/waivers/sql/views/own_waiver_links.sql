-- The links of the current user's waivers in their chains.
--
-- Read by: waivers, for the receipt.
-- As the owner: the app role cannot read waiver_links.
CREATE OR REPLACE VIEW own_waiver_links WITH (security_barrier) AS
  SELECT w.id AS waiver_id, l.chain_id, l.number, l.previous, l.record_sha256, l.pdf_sha256, l.at, l.key_id, l.signature
    FROM waivers w JOIN waiver_links l ON l.chain_id = w.chain_id AND l.number = w.number
   WHERE w.user_id = app.user_id();
GRANT SELECT ON own_waiver_links TO porchlight_app;
