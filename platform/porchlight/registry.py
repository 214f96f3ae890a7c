"""The list of features, and what the product derives from it.

To add a feature, create its folder with a `feature.py` and add one line to `FEATURES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import sites.categories.feature
import sites.gallery.feature
import sites.home.feature
import sites.hours.feature
import sites.images.feature
import sites.leads.feature
import sites.posts.feature
import sites.previews.feature
import sites.reviews.feature
import sites.services.feature
import sites.stats.feature
import tenants.tenancy.models
from porchlight.audit import feature as audit
from porchlight.auth import feature as auth
from porchlight.catalog import feature as catalog
from porchlight.emails import feature as emails
from porchlight.embeddings import feature as embeddings
from porchlight.features.account import feature as account
from porchlight.features.admin import feature as admin
from porchlight.features.angels import feature as angels
from porchlight.features.angels.needs import feature as needs
from porchlight.features.billing import feature as billing
from porchlight.features.bookings import feature as bookings
from porchlight.features.busy_sources import feature as busy_sources
from porchlight.features.contact import feature as contact
from porchlight.features.documents import feature as documents
from porchlight.features.domains import feature as domains
from porchlight.features.email_settings import feature as email_settings
from porchlight.features.exchanges import feature as exchanges
from porchlight.features.front_page import feature as front_page
from porchlight.features.gallery import feature as gallery
from porchlight.features.hours import feature as hours
from porchlight.features.images import feature as images
from porchlight.features.leads import feature as leads
from porchlight.features.listings import feature as listings
from porchlight.features.matches import feature as matches
from porchlight.features.messages import feature as messages
from porchlight.features.money import feature as money
from porchlight.features.notifications import feature as notifications
from porchlight.features.onboarding import feature as onboarding
from porchlight.features.payouts import feature as payouts
from porchlight.features.porch_lights import feature as porch_lights
from porchlight.features.posts import feature as posts
from porchlight.features.profiles import feature as profiles
from porchlight.features.reports import feature as reports
from porchlight.features.reviews import feature as reviews
from porchlight.features.risk import feature as risk
from porchlight.features.search import feature as search
from porchlight.features.services import feature as services
from porchlight.features.sharing import feature as sharing
from porchlight.features.sites import feature as guru_sites
from porchlight.features.teachers import feature as teachers
from porchlight.features.users import feature as users
from porchlight.features.waivers import feature as waivers
from porchlight.flags import feature as flags
from porchlight.geo import feature as geo
from porchlight.money import feature as ledger
from porchlight.plans import feature as plans
from porchlight.settlement import feature as settlement
from tenants.http.feature import Feature, UploadLimit

# FastAPI tries routes in this order, so busy features come first.
FEATURES: tuple[Feature, ...] = (
    sites.home.feature.FEATURE,
    sites.leads.feature.FEATURE,
    sites.posts.feature.FEATURE,
    sites.services.feature.FEATURE,
    sites.hours.feature.FEATURE,
    sites.reviews.feature.FEATURE,
    bookings.FEATURE,
    sites.stats.feature.FEATURE,
    sites.categories.feature.FEATURE,
    sites.images.feature.FEATURE,
    sites.gallery.feature.FEATURE,
    sites.previews.feature.FEATURE,
    flags.FEATURE,
    front_page.FEATURE,
    billing.FEATURE,
    geo.FEATURE,
    contact.FEATURE,
    catalog.FEATURE,
    reviews.FEATURE,
    risk.FEATURE,
    waivers.FEATURE,
    embeddings.FEATURE,
    listings.FEATURE,
    matches.FEATURE,
    search.FEATURE,
    teachers.FEATURE,
    angels.FEATURE,
    needs.FEATURE,
    messages.FEATURE,
    exchanges.FEATURE,
    email_settings.FEATURE,
    notifications.FEATURE,
    porch_lights.FEATURE,
    auth.FEATURE,
    plans.FEATURE,
    profiles.FEATURE,
    account.FEATURE,
    onboarding.FEATURE,
    documents.FEATURE,
    payouts.FEATURE,
    settlement.FEATURE,
    ledger.FEATURE,
    guru_sites.FEATURE,
    sharing.FEATURE,
    posts.FEATURE,
    images.FEATURE,
    gallery.FEATURE,
    services.FEATURE,
    hours.FEATURE,
    busy_sources.FEATURE,
    leads.FEATURE,
    money.FEATURE,
    users.FEATURE,
    domains.FEATURE,
    admin.FEATURE,
    audit.FEATURE,
    reports.FEATURE,
    emails.FEATURE,
)

# Importing the manifests imports every model, so the metadata is complete.
metadata = tenants.tenancy.models.Base.metadata

MAX_BODY_BYTES = 128 * 1024  # of requests that are not uploads
_PARAMETER = re.compile(r"\{\w+\}")
_UUID = "[0-9a-fA-F-]{36}"


def upload_limits(features: tuple[Feature, ...] = FEATURES) -> tuple[UploadLimit, ...]:
    """The body limits of all upload routes."""
    return tuple(limit for feature in features for limit in feature.upload_limits)


def max_body_bytes_of(features: tuple[Feature, ...] = FEATURES) -> Callable[[str, str], int]:
    """Return the function from path and method to the maximum size of the request body, in bytes."""
    exact = {limit.path: limit.max_bytes for limit in upload_limits(features) if "{" not in limit.path}
    patterns = [
        (re.compile(_PARAMETER.sub(_UUID, limit.path), re.ASCII | re.IGNORECASE), limit.max_bytes)
        for limit in upload_limits(features)
        if "{" in limit.path
    ]

    def max_body_bytes(path: str, method: str) -> int:
        if method == "POST":
            for pattern, max_bytes in patterns:
                if pattern.fullmatch(path):
                    return max_bytes
        return exact.get(path, MAX_BODY_BYTES)

    return max_body_bytes


def guru_host_paths(features: tuple[Feature, ...] = FEATURES) -> tuple[str, ...]:
    """Prefixes of the API paths that guru hosts answer."""
    return tuple(path for feature in features for path in feature.guru_host_paths)


def private_pages(features: tuple[Feature, ...] = FEATURES) -> tuple[str, ...]:
    """Prefixes of main-web's pages that robots.txt excludes."""
    return tuple(page for feature in features for page in feature.private_pages)


def pictures(features: tuple[Feature, ...] = FEATURES) -> tuple[str, ...]:
    """Prefixes of the API's pictures that robots.txt allows."""
    return tuple(path for feature in features for path in feature.pictures)


def personal_data(features: tuple[Feature, ...] = FEATURES) -> Mapping[str, str]:
    """Descriptions of the tables in the account export, by table name."""
    return {table: text for feature in features for table, text in feature.personal_data.items()}


def caddy_upload_paths(features: tuple[Feature, ...] = FEATURES) -> str:
    """The upload paths as Caddy's path matcher writes them. infra/Caddyfile has this line; a test compares."""
    return " ".join(sorted(_PARAMETER.sub("*", limit.path) for limit in upload_limits(features)))
