"""Every table of the product, gathered for migrations and checks."""

from __future__ import annotations

import sites.categories.models
import sites.images.models
import sites.leads.models
import sites.posts.models
import sites.previews.models
import sites.services.models
import sites.stats.models
import tenants.models
from porchlight.accounts import models as accounts
from porchlight.admin import models as admin
from porchlight.angels import models as angels
from porchlight.angels import need_models as needs
from porchlight.contact import models as contact
from porchlight.documents import models as documents
from porchlight.flags import models as flags
from porchlight.listings import models as listings
from porchlight.matches import models as matches
from porchlight.meaning import models as meaning
from porchlight.notices import models as notices
from porchlight.onboarding import models as onboarding
from porchlight.payouts import models as payouts
from porchlight.reports import models as reports
from porchlight.search import models as search
from porchlight.skills import models as skills

metadata = tenants.models.Base.metadata

MODULES = (
    tenants.models,
    sites.posts.models,
    sites.services.models,
    sites.leads.models,
    sites.stats.models,
    sites.categories.models,
    sites.images.models,
    sites.previews.models,
    notices,
    accounts,
    flags,
    contact,
    skills,
    angels,
    meaning,
    listings,
    matches,
    search,
    needs,
    admin,
    onboarding,
    documents,
    payouts,
    reports,
)
