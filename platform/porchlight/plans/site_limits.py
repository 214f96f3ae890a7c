"""The limits of a guru's site by the plan of its owner: visitors do not see what exceeds them until it fits again.

The owner of each table says what exceeds a limit; one statement applies all.
"""

from __future__ import annotations

from sites.categories.over_limit import LIMIT_CATEGORIES
from sites.services.over_limit import LIMIT_SERVICES
from tenants.tenancy.over_limit import LIMIT_DOMAINS

_PLAN = """
WITH plan AS MATERIALIZED (
  SELECT (own ->> 'priced_services')::integer AS services, (own ->> 'listed_categories')::integer AS categories,
         (own ->> 'own_domain')::boolean AS domain
    FROM (SELECT %(limits)s::jsonb -> app.tenant_plan(false) AS own) p
)"""
# In psycopg's form; `limits` has the limits of each plan.
LIMIT_SITE = f"""{_PLAN}, limited_services AS ({LIMIT_SERVICES}
), limited_categories AS ({LIMIT_CATEGORIES}
){LIMIT_DOMAINS}"""
