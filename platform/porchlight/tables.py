"""Every table of the product, gathered for migrations and checks."""

from __future__ import annotations

import sites.leads.models
import sites.posts.models
import sites.services.models
import sites.stats.models
import tenants.models
from porchlight.notices import models as notices

metadata = tenants.models.Base.metadata

MODULES = (
    tenants.models,
    sites.posts.models,
    sites.services.models,
    sites.leads.models,
    sites.stats.models,
    notices,
)
