"""The one API behind both web apps: every feature's routes under /api."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

import porchlight.accounts.routes
import porchlight.admin.routes
import porchlight.angels.routes
import porchlight.billing.routes
import porchlight.console.routes
import porchlight.contact.routes
import porchlight.documents.review_routes
import porchlight.documents.routes
import porchlight.flags.routes
import porchlight.home.routes
import porchlight.listings.photo_routes
import porchlight.listings.routes
import porchlight.matches.routes
import porchlight.onboarding.routes
import porchlight.payouts.routes
import porchlight.places.routes
import porchlight.reports.routes
import porchlight.reports.staff_routes
import porchlight.search.routes
import porchlight.skills.routes
import sites.home.routes
import sites.leads.routes
import sites.posts.routes
import sites.services.routes
from porchlight import answers, docs
from porchlight.admin.impersonation_routes import looked_at
from porchlight.home.queries import FrontPage
from porchlight.listings.availability import shared_times
from porchlight.parts import PlatformParts
from porchlight.staff import StaffParts
from sites.parts import SiteParts
from tenants.kit.schemas import Answer


class ErrorBody(Answer):
    """What went wrong: `code` for programs, `message` for people, `fields` for forms."""

    code: str
    message: str
    fields: dict[str, str] | None = None


class Failure(Answer):
    """Every failure's shape."""

    success: bool
    error: ErrorBody
    message: str | None = None


_FAILURES: dict[int | str, dict[str, Any]] = {
    401: {"model": Failure, "description": "Nobody is signed in, or no longer."},
    403: {"model": Failure, "description": "Not for this person, or not from this page."},
    404: {"model": Failure, "description": "Unknown, hidden or another's."},
    410: {"model": Failure, "description": "The guru's site was taken down."},
    413: {"model": Failure, "description": "The body is over its limit."},
    422: {"model": Failure, "description": "Some fields are wrong; `fields` names them."},
    429: {"model": Failure, "description": "Too many; see Retry-After."},
    503: {"model": Failure, "description": "The database is out for the moment; see Retry-After."},
}
_COMMON: dict[int | str, dict[str, Any]] = {
    400: {"model": Failure, "description": "The request cannot be understood."},
    405: {"model": Failure, "description": "This method is not for this path."},
    409: {"model": Failure, "description": "Somebody or something else was there first."},
}

# Paths a guru's own host answers; the rest of the API lives on the main host alone.
ON_GURU_HOSTS = (
    "/api/gurus/",
    "/api/auth/session",
    "/api/auth/arrival",
    "/api/feature-flags",
    "/api/photos/",
    "/api/reports",
)


def build(parts: SiteParts, platform: PlatformParts, staff: StaffParts) -> FastAPI:
    """The FastAPI app with every route."""
    app = FastAPI(
        title="Porchlight",
        version="1",
        summary="A neighbourhood marketplace: gurus' sites, leads, posts and services.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=_FAILURES | _COMMON,
        redirect_slashes=False,
        # Ours are in ops.py and logs.py; whether any of these is wanted would be asked anew for every call.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.site_parts = parts
    app.state.platform_parts = platform
    app.state.staff_parts = staff
    app.state.seen_as = looked_at
    app.state.front_page = FrontPage(platform.db)
    app.state.free_times = shared_times
    answers.install(app)
    docs.install(app)
    for routes in (
        # Looked through in this order, so the busy ones come first.
        sites.home.routes,
        sites.leads.routes,
        sites.posts.routes,
        sites.services.routes,
        porchlight.flags.routes,
        porchlight.home.routes,
        porchlight.billing.routes,
        porchlight.places.routes,
        porchlight.contact.routes,
        porchlight.skills.routes,
        porchlight.listings.routes,
        porchlight.listings.photo_routes,
        porchlight.matches.routes,
        porchlight.search.routes,
        porchlight.angels.routes,
        porchlight.accounts.routes,
        porchlight.onboarding.routes,
        porchlight.documents.routes,
        porchlight.documents.review_routes,
        porchlight.payouts.routes,
        porchlight.console.routes,
        porchlight.admin.routes,
        porchlight.reports.routes,
        porchlight.reports.staff_routes,
    ):
        app.include_router(routes.router)
    app.include_router(porchlight.documents.routes.streaming)
    return app
