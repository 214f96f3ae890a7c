"""Which domains exceed the plan of the guru's owner: they do not serve the site until the plan includes them again."""

from __future__ import annotations

# Domains that the operator connected stay. A part of a statement in psycopg's form, in which `plan` has the limits of
# the tenant's plan (porchlight.plans.site_limits).
LIMIT_DOMAINS = """
UPDATE domains d SET over_limit = d.proof = 'dns' AND NOT p.domain FROM plan p
 WHERE d.tenant_id = app.tenant_id() AND d.over_limit <> (d.proof = 'dns' AND NOT p.domain)"""
