"""The API behind both web apps: the routes of every feature, under /api."""

from __future__ import annotations

from collections.abc import Iterator
from pkgutil import resolve_name
from typing import Any

from fastapi import APIRouter, FastAPI

from porchlight.auth.staff import AdminContext
from porchlight.dependencies import AppContext
from porchlight.features.admin.impersonation.routes import impersonated_guru
from porchlight.features.front_page.queries import FrontPage
from porchlight.features.listings.availability import format_times
from porchlight.registry import FEATURES
from porchlight.web import exception_handlers, swagger
from sites.context import SiteContext
from tenants.http.feature import Feature
from tenants.kit.schemas import ResponseModel


class ErrorBody(ResponseModel):
    """An error: `code` for programs, `message` for people, `fields` for forms, `challenge` to solve (proof of work)."""

    code: str
    message: str
    fields: dict[str, str] | None = None
    challenge: str | None = None


class ErrorEnvelope(ResponseModel):
    """The body of every error response."""

    success: bool
    error: ErrorBody
    message: str | None = None


_COMMON_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorEnvelope, "description": description}
    for status, description in {
        400: "The request is malformed.",
        401: "No user is signed in, or the session has ended.",
        403: "This user or origin may not do this.",
        404: "Unknown, hidden, or owned by someone else.",
        405: "The path does not support this method.",
        409: "The request conflicts with a change made in the meantime.",
        410: "The guru's site was taken down.",
        413: "The body is over its size limit.",
        422: "Some fields are invalid; `fields` names them.",
        429: "Too many requests; see Retry-After.",
        503: "The database is unavailable; see Retry-After.",
    }.items()
}


def build(
    site: SiteContext, context: AppContext, admin: AdminContext, features: tuple[Feature, ...] = FEATURES
) -> FastAPI:
    """Create the FastAPI app with the routes of all features."""
    app = FastAPI(
        title="Porchlight",
        version="1",
        summary="A neighborhood marketplace: guru sites, leads, posts and services.",
        openapi_url=None,  # web/swagger.py serves the document
        docs_url=None,
        redoc_url=None,
        responses=_COMMON_ERRORS,
        redirect_slashes=False,
        # web/health.py and the access log measure requests; FastAPI would check these settings on every call.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.site_context = site
    app.state.directory = site.directory
    app.state.app_context = context
    app.state.admin_context = admin
    app.state.impersonation = impersonated_guru
    app.state.front_page = FrontPage(context.db)
    app.state.free_times = format_times
    app.state.free_starts = context.free_starts
    exception_handlers.install(app)
    swagger.install(app)
    for router in routers(features):
        app.include_router(router)
    return app


def routers(features: tuple[Feature, ...] = FEATURES) -> Iterator[APIRouter]:
    """Import the routers of the features."""
    for feature in features:
        for name in feature.routers:
            router: APIRouter = resolve_name(name)
            yield router
