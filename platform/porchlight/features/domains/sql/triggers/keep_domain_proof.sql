-- Keep the proof of a domain, which the worker alone decides on.
--
-- A request of the previous release saves its own check of a domain. The proof is kept without an error, and the worker
-- repeats the check.
--
-- Fires on: domains.
CREATE OR REPLACE FUNCTION app.keep_domain_proof() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user = 'porchlight_app' THEN
    NEW.verified_at := OLD.verified_at;
    NEW.proof := OLD.proof;
    NEW.certificate_until := OLD.certificate_until;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_domain_proof BEFORE UPDATE OF verified_at, proof, certificate_until ON domains
    FOR EACH ROW EXECUTE FUNCTION app.keep_domain_proof();
