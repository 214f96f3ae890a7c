"""The pages of a guru's site: their props, their templates and their caching."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any, TypedDict
from urllib.parse import quote
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from sites.context import SiteContext, seconds_until
from sites.guru import Typeface, without_badges
from sites.home import queries as home
from sites.hours.holds import SiteBookings
from sites.leads.schemas import MAX_TIME_LENGTH
from sites.posts import queries as posts
from sites.previews.actions import SitePreviewLink
from sites.rendering.templates import GuruWeb, PageBytes
from sites.rendering.times import RejectedHold, times_props
from sites.reviews import queries as site_reviews
from sites.slugs import SLUG, is_tag_slug
from sites.stats.views import VISIT
from sites.theme import palette
from tenants.http.response_cache import TTL_SECONDS, cacheable, encode_body
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.tenancy.current import current_tenant, request_host, site_origin
from tenants.tenancy.hosts import HostKind
from tenants.tenancy.main_address import origin_at

# SPEC 2.4: these pages redirect to the main platform.
PLATFORM_REDIRECT_PATHS = ("/login", "/signup", "/dashboard", "/skills", "/angels-list")
SITE_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "cross-origin-opener-policy": "same-origin",
}
REPORT_PATH = re.compile(r"/report(?:/blog/(?P<slug>[^/]+))?")
TIMES_PATH = re.compile(r"/services/(?P<service>[0-9a-f-]{36})/times")
FORM_CACHE_SECONDS = 5.0  # of the report form, which a feature flag can disable
_BLOG_PATH = re.compile(r"/blog(?:/tag/(?P<tag>[^/]+))?(?:/older/(?P<cursor>[^/]+))?")
_REVIEWS_PATH = re.compile(r"/reviews/older/(?P<cursor>[^/]+)")
_POST_PATH = re.compile(r"/blog/(?P<slug>[^/]+)")
_QUERY_SAFE = "%&=+/?:@-._~"  # characters that stay unescaped in the query of a redirect
_HTML = "text/html; charset=utf-8"

Props = dict[str, Any]


class PageResult:
    """A page: its name in the export, its props, its parameters, and the subject that its views count for."""

    def __init__(
        self,
        page: str,
        props: Props,
        query: Mapping[str, str] | None = None,
        subject: Any = VISIT,
        *,
        is_cached: bool = True,
        forms_to: str = "",
    ) -> None:
        """`forms_to`: another origin to which the answer of a form may redirect."""
        self.page = page
        self.props = props
        self.query = query or {}
        self.subject = subject
        self.is_cached = is_cached
        self.forms_to = forms_to
        self.due: datetime | None = props.pop("due", None)  # the time of the next scheduled change


class RedirectTo(Exception):
    """The page does not exist, and the visitor is redirected (SPEC 2.4: unknown paths redirect to /)."""

    def __init__(self, location: str, status: int = 302) -> None:
        self.location = location
        self.status = status


class SitePages:
    """Builds the pages of a guru's site from the database."""

    def __init__(self, context: SiteContext, bookings: SiteBookings) -> None:
        self._context = context
        self._bookings = bookings

    async def page_at(self, path: str, request: Request) -> PageResult:
        """Return the page at a path. Raise RedirectTo when there is none."""
        db, tenant = self._context.db, await current_tenant(request)
        if path == "/":
            return PageResult("/", self.with_site(request, await home.home(db, tenant.id)))
        if len(path) > 1 and path.endswith("/"):
            raise RedirectTo(quote("/" + path.strip("/")), 308)  # one slash: "//host" would be another host
        if path == "/about":
            return PageResult("/about", self.with_site(request, await home.about(db, tenant.id)))
        if path == "/services":
            return PageResult("/services", self.with_site(request, await home.services_page(db, tenant.id)))
        if path == "/reviews":
            return await self._reviews_page(request, None)
        if path == "/contact":
            return await self.contact_page(request, None)
        if path in PLATFORM_REDIRECT_PATHS:
            return PageResult(path, self.with_site(request, await home.site_header(db, tenant.id)))
        return await self._page_with_parameters(path, request)

    async def _page_with_parameters(self, path: str, request: Request) -> PageResult:
        if (blog := _BLOG_PATH.fullmatch(path)) is not None:
            return await self._blog_page(request, blog["tag"], blog["cursor"])
        if (older := _REVIEWS_PATH.fullmatch(path)) is not None:
            return await self._reviews_page(request, older["cursor"])
        if (report := REPORT_PATH.fullmatch(path)) is not None:
            return await self.report_page(request, report["slug"], None)
        if (service := TIMES_PATH.fullmatch(path)) is not None:
            return await self.times_page(request, service["service"], None)
        if (post := _POST_PATH.fullmatch(path)) is not None:
            return await self._post_page(request, post["slug"])
        raise RedirectTo("/")

    async def _blog_page(self, request: Request, tag: str | None, cursor: str | None) -> PageResult:
        db, tenant = self._context.db, await current_tenant(request)
        if tag is not None and not is_tag_slug(tag):
            raise RedirectTo("/")
        # Read before the posts: a post that becomes due meanwhile is then in the list.
        header = await home.blog(db, tenant.id)
        try:
            page = await posts.posts(db, tenant.id, tag=tag, cursor=cursor)
        except ValidationFailed:
            raise RedirectTo("/") from None
        if not page.posts and (tag or cursor):
            raise RedirectTo("/")
        props = self.with_site(request, header)
        props |= {"posts": page.posts, "tag": tag, "olderCursor": page.next_cursor, "newer": cursor is not None}
        name = "/blog" + ("/tag/[tag]" if tag else "") + ("/older/[cursor]" if cursor else "")
        query = {key: value for key, value in (("tag", tag), ("cursor", cursor)) if value}
        return PageResult(name, props, query)

    async def _reviews_page(self, request: Request, cursor: str | None) -> PageResult:
        """Return a page of reviews. Raise RedirectTo while they are disabled, and for a cursor of another list."""
        db, tenant = self._context.db, await current_tenant(request)
        if not request.state.shows_reviews:
            raise RedirectTo("/")
        props = self.with_site(request, await home.site_header(db, tenant.id))
        try:
            page = await site_reviews.reviews(db, tenant.id, cursor)
        except ValidationFailed:
            raise RedirectTo("/reviews") from None
        if cursor and not page["reviews"]:
            raise RedirectTo("/reviews")
        older = page.pop("nextCursor")
        props |= page | {"olderCursor": older, "newer": cursor is not None}
        name, query = ("/reviews/older/[cursor]", {"cursor": cursor}) if cursor else ("/reviews", None)
        return PageResult(name, props, query)

    async def _post_page(self, request: Request, slug: str) -> PageResult:
        db, tenant = self._context.db, await current_tenant(request)
        if not SLUG.fullmatch(slug):
            raise RedirectTo("/")
        try:
            post, post_id = await posts.post(db, tenant.id, slug)
        except NotFound:
            raise await self._renamed_post(request, tenant.id, slug, "/blog/") from None
        props = self.with_site(request, await home.site_header(db, tenant.id))
        props |= {"post": post, "related": await posts.related(db, tenant.id, post_id, post["tags"])}
        return PageResult("/blog/[slug]", props, {"slug": slug}, post_id)

    async def _renamed_post(self, request: Request, tenant_id: UUID, slug: str, prefix: str) -> RedirectTo:
        """Return the redirect from a post's old address to its new one, or to the home page if there is none."""
        renamed = await posts.renamed_slug(self._context.db, tenant_id, slug)
        return RedirectTo(f"{prefix}{renamed}{query_of(request)}", 301) if renamed else RedirectTo("/")

    async def contact_page(self, request: Request, form: Props | None) -> PageResult:
        """Return the contact page. `form` has the values and errors of a rejected form, or the confirmation.

        Without it, `?service=` chooses a service, and `?time=` asks for it at a time.
        """
        tenant = await current_tenant(request)
        props = self.with_site(request, await home.services_page(self._context.db, tenant.id))
        props.pop("reviews")
        props["services"] = [{"id": service["id"], "name": service["name"]} for service in props["services"]]
        chosen = request.query_params.get("service")
        service = next((one for one in props["services"] if one["id"] == chosen), None)
        time = request.query_params.get("time", "")
        if form is None and service is not None:
            form = {"sent": False, "values": _wanted(service, time), "errors": {}, "message": None}
        props["form"] = form
        return PageResult("/contact", props, is_cached=time == "")

    async def report_page(self, request: Request, slug: str | None, form: Props | None) -> PageResult:
        """Return the report page about the site, or about one of its posts. `form` is as in `contact_page`.

        Raise RedirectTo for a post that does not exist, and when reports are disabled.
        """
        db, tenant = self._context.db, await current_tenant(request)
        if not await self._context.accepts_reports(tenant.id):
            raise RedirectTo("/")
        props = self.with_site(request, await home.site_header(db, tenant.id))
        about = {"title": props["site"]["guru"]["character"], "slug": None}
        if slug is not None:
            if not SLUG.fullmatch(slug):
                raise RedirectTo("/")
            try:
                post, _ = await posts.post(db, tenant.id, slug)
            except NotFound:
                raise await self._renamed_post(request, tenant.id, slug, "/report/blog/") from None
            about = {"title": post["title"], "slug": slug}
        props |= {"about": about, "form": form}
        return PageResult("/report/blog/[slug]" if slug else "/report", props, {"slug": slug} if slug else None)

    async def times_page(self, request: Request, service: str, rejected: RejectedHold | None) -> PageResult:
        """Return the free times of a service, of the day in the query. `rejected` is a time that was not kept.

        Raise RedirectTo for a service without times, and when bookings are disabled.
        """
        db, tenant = self._context.db, await current_tenant(request)
        if not request.state.accepts_bookings:
            raise RedirectTo("/services")
        props = self.with_site(request, await home.services_page(db, tenant.id))
        props.pop("reviews")
        found = next((one for one in props.pop("services") if one["id"] == service and one["bookable"]), None)
        if found is None:
            raise RedirectTo("/services")
        day = None
        with suppress(ValueError):
            day = date.fromisoformat(request.query_params.get("day", ""))
        try:
            times = await times_props(self._context, self._bookings, tenant.id, UUID(service), day, rejected)
        except NotFound:
            raise RedirectTo("/services") from None
        return PageResult(
            "/services/[service]/times",
            props | {"service": found} | times,
            {"service": service},
            is_cached=False,
            forms_to=self.main_origin(request),
        )

    async def preview_page(self, request: Request, preview: SitePreviewLink) -> PageResult:
        """Return a page with the unsaved changes of a preview."""
        db, tenant = self._context.db, await current_tenant(request)
        if preview.page == "/blog/[slug]":
            post = preview.changes["post"]
            props = self.with_site(request, await home.site_header(db, tenant.id))
            related = await posts.related(db, tenant.id, UUID(post["id"]), post["tags"])
            page = PageResult(preview.page, props | {"post": post, "related": related}, {"slug": post["slug"]})
        else:
            page = await self.page_at(preview.page, request)
            if "about" in page.props and "about" in preview.changes:
                page.props["about"] = preview.changes["about"]
        page.props["site"]["guru"] |= preview.changes.get("guru", {})
        return page

    def with_site(self, request: Request, props: Props) -> Props:
        """Return props with the `site` prop that every page has, in place of `guru`."""
        guru = props.pop("guru")
        if not request.state.shows_badges:
            guru = without_badges(guru)
        if "reviews" in props and not request.state.shows_reviews:
            props["reviews"] = site_reviews.NO_REVIEWS
        if "facts" in props:
            props["facts"] |= {"review": None}  # of an angel: no page shows it
        has_posts = props["stats"]["totalPosts"] > 0 if "stats" in props else props.pop("hasPosts")
        site = {
            "guru": guru,
            "origin": site_origin(request.scope),
            "mainOrigin": self.main_origin(request),
            "returnOrigin": self._return_origin(request),
            "takesReports": request.state.accepts_reports,
            "takesBookings": request.state.accepts_bookings,
            "takesMessages": request.state.takes_messages,
            "showsReviews": request.state.shows_reviews,
            "hasPosts": has_posts,
        }
        return {"site": site, **props}

    def _return_origin(self, request: Request) -> str:
        """Return where a sign-in leads back to: the way through a custom domain signs the visitor in there, too."""
        host = request_host(request.scope)
        if host is None or host.kind is not HostKind.CUSTOM:
            return self.main_origin(request)
        return origin_at(request.scope["scheme"], host.name, host.port)

    def main_origin(self, request: Request) -> str:
        """Return the origin of the main platform, at the port of this request."""
        host = request_host(request.scope)
        port = f":{host.port}" if host is not None and host.port else ""
        return f"{request.scope['scheme']}://{self._context.base_host}{port}"


def _wanted(service: Props, time: str) -> dict[str, str]:
    """Return what the contact form begins with: a service, and a time to ask for, unless it fits no field."""
    values = {"serviceId": service["id"]}
    if not time or len(time) > MAX_TIME_LENGTH or not time.isprintable():
        return values
    return values | {"preferredTime": time, "message": f"I'd like to book {service['name']} at this time: {time}."}


class Look(TypedDict):
    """How the pages of a guru look, as GuruWeb takes it."""

    palette_css: str
    typeface: Typeface


def look(page: PageResult) -> Look:
    """Return the look of the page's guru."""
    theme = page.props["site"]["guru"]["theme"]
    colors = palette.css(theme["primaryColor"], theme["secondaryColor"], theme["appearance"])
    return Look(palette_css=colors, typeface=theme["typeface"])


async def render_page(web: GuruWeb, page: PageResult) -> PageBytes:
    """Render a page to a whole document."""
    return await web.page(page.page, page.props, query=page.query, **look(page), forms_to=page.forms_to)


async def page_response(
    request: Request, page: PageResult, body: bytes, content_type: str = _HTML, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response that is cached until the guru changes something, or until a scheduled change.

    A page whose content depends on more than the guru is not cached.
    """
    if not page.is_cached:
        # The response cache compresses only what it keeps.
        encoded, encoding = encode_body(request.scope, body)
        uncached = {"cache-control": "no-store", "vary": "Accept-Encoding"}
        all_headers = SITE_HEADERS | uncached | dict(headers or {}) | encoding
        return Response(encoded, media_type=content_type, headers=all_headers)
    limit = FORM_CACHE_SECONDS if page.page.startswith("/report") else TTL_SECONDS
    tenant = await current_tenant(request)
    cacheable(request.scope, tenant.id, seconds=seconds_until(page.due, limit), subject=page.subject)
    return Response(body, media_type=content_type, headers={**SITE_HEADERS, **(headers or {})})


def uncached_page(rendered: PageBytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response that is never cached."""
    all_headers = {
        **SITE_HEADERS,
        "content-security-policy": rendered.csp,
        "cache-control": "no-store",
        **(headers or {}),
    }
    return Response(rendered.html, status, media_type=_HTML, headers=all_headers)


def query_of(request: Request) -> str:
    """Return the query with its question mark, to use in a header; "" without one."""
    raw = request.scope["query_string"]  # may contain any bytes, which a header may not
    return "?" + quote(raw, safe=_QUERY_SAFE) if raw else ""


def platform_redirect(request: Request, main_origin: str, rendered: PageBytes) -> Response:
    """Return a page that redirects to the same path of the main platform, without JavaScript too (SPEC 2.4)."""
    refresh = f"1;url={main_origin}{request.scope['path']}{query_of(request)}"
    return uncached_page(rendered, headers={"refresh": refresh, "x-robots-tag": "noindex"})
