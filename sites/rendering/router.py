"""The router of a guru's host: the API, pages with their content in the HTML, their data, forms and assets."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from sites.context import SiteContext
from sites.hours.holds import SiteBookings
from sites.leads.actions import THANKS as LEAD_THANKS
from sites.leads.routes import client_address
from sites.previews.actions import PREVIEW_PATH, find_preview
from sites.rendering.assets import ADDRESSES, SiteAssets
from sites.rendering.forms import FormResult, confirmation, submit_lead, submit_report
from sites.rendering.pages import (
    PLATFORM_REDIRECT_PATHS,
    REPORT_PATH,
    SITE_HEADERS,
    TIMES_PATH,
    PageResult,
    RedirectTo,
    SitePages,
    look,
    page_response,
    platform_redirect,
    render_page,
    uncached_page,
)
from sites.rendering.preview import SCRIPT, SCRIPT_PATH
from sites.rendering.renderer import RenderError
from sites.rendering.templates import GuruWeb, NotBuiltError, PageBytes
from sites.rendering.times import submit_hold
from sites.reports.actions import THANKS as REPORT_THANKS
from tenants.http.asgi import ASGIApp, Receive, Scope, Send, redirect_to_origin
from tenants.http.static_files import StaticFiles
from tenants.kit.errors import ApiError, GuruNotFound, NotFound, ProductError
from tenants.kit.ids import parse_id_or_404
from tenants.tenancy.current import current_tenant, host_tenant, sends_on, site_origin

log = logging.getLogger(__name__)

PREVIEW_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": SITE_HEADERS["permissions-policy"],
    "x-robots-tag": "noindex",
    "cache-control": "no-store",
}

Handler = Callable[[Request], Awaitable[Response]]


class GuruSite:
    """Handles every request on a guru's host. `api` handles the paths below `api_prefixes`."""

    def __init__(
        self,
        api: ASGIApp,
        context: SiteContext,
        bookings: SiteBookings,
        folder: Path,
        api_prefixes: tuple[str, ...],
    ) -> None:
        self._api = api
        self._context = context
        self._bookings = bookings
        self._api_prefixes = api_prefixes
        self._pages = SitePages(context, bookings)
        self._assets = SiteAssets(context.db, self._pages.main_origin)
        self._web: GuruWeb | None = None
        self._files: StaticFiles | None = None
        try:
            self._web = GuruWeb(folder / "out", folder / "dist-ssr" / "server.js")
        except NotBuiltError:
            return
        self._files = StaticFiles(
            folder / "out", immutable=("/_next/static/",), headers=SITE_HEADERS, skip=(".html", ".json")
        )
        self._data_prefix = f"/_next/data/{self._web.build_id}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with the API, an asset or a page of the guru's site."""
        path = scope["path"]
        if path.startswith("/api/"):
            await self._handle_api(path, scope, receive, send)
            return
        scope["porchlight.route"] = "(site)"
        if self._web is None or self._files is None:
            response = Response("guru-web is not built yet: run `make setup`.\n", 503, media_type="text/plain")
        elif path in self._files:
            await self._files.serve(path, scope, send)
            return
        elif sends_on(scope) and scope["method"] in ("GET", "HEAD") and self._has_address(path):
            # Not stored: the main address may change back, and browsers would go back and forth.
            await redirect_to_origin(scope, send, site_origin(scope), 301, b"no-store")
            return
        else:
            response = await self._handle(self._web, Request(scope, receive))
        await response(scope, receive, send)

    async def _handle_api(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        if path.startswith(self._api_prefixes):
            await self._api(scope, receive, send)
        else:
            body = b"""{"success":false,"error":{"code":"not_found","message":"We couldn't find that."}}"""
            await Response(body, 404, media_type="application/json")(scope, receive, send)

    async def _handle(self, web: GuruWeb, request: Request) -> Response:
        path: str = request.scope["path"]  # request.url would end at a decoded "?" or "#"
        try:
            request.state.accepts_reports = await self._context.accepts_reports(None)
            request.state.accepts_bookings = await self._is_on(request, self._context.accepts_bookings)
            request.state.shows_badges = await self._is_on(request, self._context.shows_badges)
            request.state.shows_reviews = await self._is_on(request, self._context.shows_reviews)
            request.state.takes_messages = await self._is_on(request, self._context.takes_messages)
            return await self._respond(web, request, path)
        except RedirectTo as redirect:
            if path.startswith("/_next/"):
                return Response(status_code=404)
            headers = {"location": redirect.location, "cache-control": "no-store"}
            return Response(status_code=redirect.status, headers=headers)
        except RenderError:
            log.exception("page rendering failed")
            return await self._error_page(web, request, ApiError(500, "internal", "We couldn't render this page."))
        except ProductError as error:
            return await self._error_page(web, request, error)

    async def _respond(self, web: GuruWeb, request: Request, path: str) -> Response:
        if request.method == "POST" and path == "/contact":
            return await self._submit_lead(web, request)
        if request.method == "POST" and (report := REPORT_PATH.fullmatch(path)) is not None:
            return await self._submit_report(web, request, report["slug"])
        if request.method == "POST" and (times := TIMES_PATH.fullmatch(path)) is not None:
            return await self._submit_hold(web, request, times["service"])
        if request.method not in ("GET", "HEAD"):
            return Response(status_code=405, headers={"allow": "GET, HEAD"})
        if (handler := self._handler(web, path)) is not None:
            return await handler(request)
        if path.startswith(self._data_prefix):
            page = await self._pages.page_at(_page_path(path[len(self._data_prefix) :]), request)
            return await page_response(request, page, web.data(page.props), "application/json")
        page = await self._pages.page_at(path, request)
        rendered = await render_page(web, page)
        if path in PLATFORM_REDIRECT_PATHS:
            return platform_redirect(request, self._pages.main_origin(request), rendered)
        return await page_response(request, page, rendered.html, headers={"content-security-policy": rendered.csp})

    def _has_address(self, path: str) -> bool:
        """Whether a path is one that people and programs keep: a page, a feed or the sitemap.

        What an open page loads, and what is asked of each host by itself, such as robots.txt, stays at every host.
        """
        if path in ADDRESSES:
            return True
        return (
            not path.startswith("/_next/")
            and path not in (PREVIEW_PATH, SCRIPT_PATH)
            and (self._assets.handler(path) is None)
        )

    def _handler(self, web: GuruWeb, path: str) -> Handler | None:
        """Return the handler of a path that is not a page of the export."""

        async def lead_confirmation(request: Request) -> Response:
            page = await self._pages.contact_page(request, confirmation(LEAD_THANKS))
            return await _confirmation_page(web, request, page)

        async def report_confirmation(request: Request) -> Response:
            page = await self._pages.report_page(request, None, confirmation(REPORT_THANKS))
            return await _confirmation_page(web, request, page)

        async def preview(request: Request) -> Response:
            return await self._preview(web, request)

        handlers: dict[str, Handler] = {
            "/contact/sent": lead_confirmation,
            "/report/sent": report_confirmation,
            PREVIEW_PATH: preview,
            SCRIPT_PATH: _preview_script,
        }
        return handlers.get(path) or self._assets.handler(path)

    async def _error_page(self, web: GuruWeb, request: Request, error: ProductError) -> Response:
        headers = {"retry-after": str(error.retry_after)} if error.retry_after else {}
        if isinstance(error, GuruNotFound):
            rendered = await web.notice("not-found", main_origin=self._pages.main_origin(request))
        else:  # the page without content calls the API itself, and shows a fallback meanwhile (SPEC 4)
            rendered = PageBytes(web.shell("/"), web.shell_csp())
        return uncached_page(rendered, error.status, headers)

    # --- forms --------------------------------------------------------------------------------------------------

    async def _submit_lead(self, web: GuruWeb, request: Request) -> Response:
        tenant = await current_tenant(request)
        result = await submit_lead(self._context, request, tenant, client_address(request))
        if result.is_accepted:
            return _see_other("/contact/sent")
        return await _rejected_form(web, await self._pages.contact_page(request, result.form), result)

    async def _submit_report(self, web: GuruWeb, request: Request, slug: str | None) -> Response:
        tenant = await current_tenant(request)
        if not await self._context.accepts_reports(tenant.id):
            raise NotFound  # a redirect would look as if the report had been sent
        result = await submit_report(
            self._context,
            request,
            ("post", f"{tenant.label}/{slug}") if slug else ("site", tenant.label),
            client_address(request),
        )
        if result.is_accepted:
            return _see_other("/report/sent")
        return await _rejected_form(web, await self._pages.report_page(request, slug, result.form), result)

    async def _is_on(self, request: Request, flag: Callable[[UUID | None], Awaitable[bool]]) -> bool:
        tenant = host_tenant(request.scope)
        return tenant is not None and await flag(tenant.id)

    async def _submit_hold(self, web: GuruWeb, request: Request, service: str) -> Response:
        tenant = await current_tenant(request)
        if not request.state.accepts_bookings:
            raise RedirectTo("/services", 303)
        result = await submit_hold(self._bookings, request, tenant.id, parse_id_or_404(service))
        if isinstance(result, str):
            return _see_other(f"{self._pages.main_origin(request)}/book/{result}")
        page = await self._pages.times_page(request, service, result)
        headers = {"retry-after": str(result.retry_after)} if result.retry_after else {}
        return uncached_page(await render_page(web, page), result.status, headers)

    # --- previews -----------------------------------------------------------------------------------------------

    async def _preview(self, web: GuruWeb, request: Request) -> Response:
        """Render a page with unsaved changes, for the console that requested it."""
        tenant = await current_tenant(request)
        key = request.query_params.get("key", "")
        preview = await find_preview(self._context.db, tenant.id, key) if key else None
        if preview is None:
            return Response("This preview has expired.\n", 404, media_type="text/plain", headers=PREVIEW_HEADERS)
        page = await self._pages.preview_page(request, preview)
        rendered = await web.render_preview(page.page, page.props, **look(page), framed_by=preview.framed_by)
        headers = {**PREVIEW_HEADERS, "content-security-policy": rendered.csp}
        return Response(rendered.html, media_type="text/html; charset=utf-8", headers=headers)


async def _preview_script(request: Request) -> Response:
    headers = {"cache-control": "public, max-age=300", "x-content-type-options": "nosniff"}
    return Response(SCRIPT, media_type="text/javascript; charset=utf-8", headers=headers)


async def _confirmation_page(web: GuruWeb, request: Request, page: PageResult) -> Response:
    rendered = await render_page(web, page)
    headers = {"content-security-policy": rendered.csp, "x-robots-tag": "noindex"}
    return await page_response(request, page, rendered.html, headers=headers)


async def _rejected_form(web: GuruWeb, page: PageResult, result: FormResult) -> Response:
    headers = {"retry-after": str(result.retry_after)} if result.retry_after else {}
    return uncached_page(await render_page(web, page), result.status, headers)


def _see_other(location: str) -> Response:
    return Response(status_code=303, headers={"location": location, "cache-control": "no-store"})


def _page_path(data_path: str) -> str:
    """Return the path of a page from the path of its data: /index.json -> /, /blog/x.json -> /blog/x."""
    if not data_path.endswith(".json"):
        raise RedirectTo("/")
    path = data_path.removesuffix(".json")
    return "/" if path == "/index" else path
