"""A guru's host: pages with their content in the HTML, the data behind visits within the site, and its small files."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from sites.home import queries as home
from sites.leads.routes import address_of
from sites.names import SLUG, TAG
from sites.pages.contact import ContactForm
from sites.pages.renderer import RenderError
from sites.pages.report import ReportForm
from sites.pages.shell import GuruWeb, NotBuiltError, PageBytes
from sites.pages.small_files import SmallFiles, origin_of, tenant_of
from sites.pages.still import SCRIPT, SCRIPT_PATH
from sites.parts import SiteParts, until_due
from sites.posts import queries as posts
from sites.previews.actions import PATH as PREVIEW_PATH
from sites.previews.actions import found_preview
from sites.stats.counting import VISIT
from sites.theme import palette
from tenants.edge import App, Receive, Scope, Send, keep
from tenants.kit.errors import GuruNotFound, NotFound, ProductError, Refused, ValidationFailed
from tenants.static import StaticFiles

log = logging.getLogger(__name__)

DOORS = ("/login", "/signup", "/dashboard", "/skills", "/angels-list")  # SPEC 2.4: they lead to the main platform
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "cross-origin-opener-policy": "same-origin",
}
STILL_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": HEADERS["permissions-policy"],
    "x-robots-tag": "noindex",
    "cache-control": "no-store",
}
FORM = 5.0  # seconds for which a form is remembered that a flag may close
_BLOG_PATH = re.compile(r"/blog(?:/tag/(?P<tag>[^/]+))?(?:/older/(?P<cursor>[^/]+))?")
_POST_PATH = re.compile(r"/blog/(?P<slug>[^/]+)")
_REPORT_PATH = re.compile(r"/report(?:/blog/(?P<slug>[^/]+))?")

Props = dict[str, Any]


class Found:
    """A page that exists: its name in the export, its props, its parameters, and what a view of it counts for."""

    def __init__(self, page: str, props: Props, query: Mapping[str, str] | None = None, subject: Any = VISIT) -> None:
        self.page = page
        self.props = props
        self.query = query or {}
        self.subject = subject
        self.due: datetime | None = props.pop("due", None)  # when it changes by itself


class Gone(Exception):
    """There is no such page; `to` is where its visitor is sent (SPEC 2.4: unknown paths redirect to /)."""

    def __init__(self, to: str, status: int = 302) -> None:
        self.to = to
        self.status = status


class GuruSite:
    """Answers everything on a guru's host. `api` answers the calls below `api_prefixes`."""

    def __init__(self, api: App, parts: SiteParts, folder: Path, api_prefixes: tuple[str, ...]) -> None:
        self._api = api
        self._parts = parts
        self._prefixes = api_prefixes
        self._contact = ContactForm(parts)
        self._report = ReportForm(parts)
        self._small = SmallFiles(parts.db)
        self._web: GuruWeb | None = None
        self._files: StaticFiles | None = None
        try:
            self._web = GuruWeb(folder / "out", folder / "dist-ssr" / "server.js")
        except NotBuiltError:
            return
        self._files = StaticFiles(
            folder / "out", immutable=("/_next/static/",), headers=HEADERS, skip=(".html", ".json")
        )
        self._data_prefix = f"/_next/data/{self._web.build_id}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path.startswith("/api/"):
            await self._call(path, scope, receive, send)
            return
        scope["porchlight.route"] = "(site)"
        if self._web is None or self._files is None:
            answer = Response("guru-web is not built yet: run `make setup`.\n", 503, media_type="text/plain")
        elif path in self._files:
            await self._files.serve(path, scope, send)
            return
        else:
            answer = await self._answer(self._web, Request(scope, receive))
        await answer(scope, receive, send)

    async def _call(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        if path.startswith(self._prefixes):
            await self._api(scope, receive, send)
        else:
            body = b'{"success":false,"error":{"code":"not_found","message":"We could not find that."}}'
            await Response(body, 404, media_type="application/json")(scope, receive, send)

    async def _answer(self, web: GuruWeb, request: Request) -> Response:
        scope = request.scope
        path: str = scope["path"]  # not the URL's: a decoded "?" or "#" would cut that one short
        try:
            request.state.takes_reports = await self._parts.takes_reports(None)
            if request.method == "POST" and path == "/contact":
                return await self._post_lead(web, request)
            if request.method == "POST" and (report := _REPORT_PATH.fullmatch(path)) is not None:
                return await self._post_report(web, request, report["slug"])
            if request.method not in ("GET", "HEAD"):
                return Response(status_code=405, headers={"allow": "GET, HEAD"})
            if (special := self._special(path)) is not None:
                return await special(request)
            if path.startswith(self._data_prefix):
                found = await self.page_at(_path_of_data(path[len(self._data_prefix) :]), request)
                return self._kept(scope, found, web.data(found.props), "application/json", {})
            found = await self.page_at(path, request)
            if path in DOORS:
                return await self._door(web, request, found)
            made = await self._draw(web, found)
            return self._kept(
                scope, found, made.html, "text/html; charset=utf-8", {"content-security-policy": made.csp}
            )
        except Gone as gone:
            if path.startswith("/_next/"):
                return Response(status_code=404)
            return Response(status_code=gone.status, headers={"location": gone.to, "cache-control": "no-store"})
        except RenderError:
            log.exception("a page could not be drawn")
            return await self._trouble(web, request, Refused(500, "internal", "This page could not be drawn."), {})
        except ProductError as refused:
            headers = {"retry-after": str(refused.retry_after)} if refused.retry_after else {}
            return await self._trouble(web, request, refused, headers)

    # --- pages --------------------------------------------------------------------------------------------------

    async def page_at(self, path: str, request: Request) -> Found:
        """The page at a path. Raises Gone when there is none."""
        db, tenant = self._parts.db, tenant_of(request)
        if path == "/":
            return Found("/", self._with_site(request, await home.home(db, tenant.id)))
        if len(path) > 1 and path.endswith("/"):
            raise Gone(quote("/" + path.strip("/")), 308)  # never "//host", which is another host
        if path == "/about":
            return Found("/about", self._with_site(request, await home.about(db, tenant.id)))
        if path == "/services":
            return Found("/services", self._with_site(request, await home.offers(db, tenant.id)))
        if path == "/contact":
            return Found("/contact", await self._contact_props(request, None))
        if path in DOORS:
            return Found(path, self._with_site(request, await home.face(db, tenant.id)))
        if (blog := _BLOG_PATH.fullmatch(path)) is not None:
            return await self._blog(request, blog["tag"], blog["cursor"])
        if (report := _REPORT_PATH.fullmatch(path)) is not None:
            return await self._report_page(request, report["slug"], None)
        if (post := _POST_PATH.fullmatch(path)) is not None:
            return await self._post(request, post["slug"])
        raise Gone("/")

    async def _blog(self, request: Request, tag: str | None, cursor: str | None) -> Found:
        db, tenant = self._parts.db, tenant_of(request)
        if tag is not None and not TAG.fullmatch(tag):
            raise Gone("/blog")
        face = await home.blog(db, tenant.id)  # first: what comes due meanwhile is then in the list
        try:
            page = await posts.posts(db, tenant.id, tag=tag, after=cursor)
        except ValidationFailed:
            raise Gone("/blog") from None
        if not page.posts and (tag or cursor):
            raise Gone("/blog")
        props = self._with_site(request, face)
        props |= {"posts": page.posts, "tag": tag, "olderCursor": page.next_cursor, "newer": cursor is not None}
        name = "/blog" + ("/tag/[tag]" if tag else "") + ("/older/[cursor]" if cursor else "")
        query = {key: value for key, value in (("tag", tag), ("cursor", cursor)) if value}
        return Found(name, props, query)

    async def _post(self, request: Request, slug: str) -> Found:
        db, tenant = self._parts.db, tenant_of(request)
        if not SLUG.fullmatch(slug):
            raise Gone("/blog")
        try:
            post, post_id = await posts.post(db, tenant.id, slug)
        except NotFound:
            raise Gone("/blog") from None
        props = self._with_site(request, await home.face(db, tenant.id))
        props |= {"post": post, "related": await posts.related(db, tenant.id, post_id, post["tags"])}
        return Found("/blog/[slug]", props, {"slug": slug}, post_id)

    async def _contact_props(self, request: Request, form: Props | None) -> Props:
        props = self._with_site(request, await home.offers(self._parts.db, tenant_of(request).id))
        props["services"] = [{"id": service["id"], "name": service["name"]} for service in props["services"]]
        props["form"] = form
        return props

    def _with_site(self, request: Request, found: Props) -> Props:
        guru = found.pop("guru")
        site = {
            "guru": guru,
            "origin": origin_of(request),
            "mainOrigin": self._main_origin(request),
            "takesReports": request.state.takes_reports,
        }
        return {"site": site, **found}

    def _main_origin(self, request: Request) -> str:
        port = request.scope["porchlight.host"].port
        return f"{request.scope['scheme']}://{self._parts.base_host}" + (f":{port}" if port else "")

    async def _draw(self, web: GuruWeb, found: Found) -> PageBytes:
        return await web.page(found.page, found.props, query=found.query, palette_css=_colours(found))

    def _kept(
        self, scope: Scope, found: Found, body: bytes, kind: str, headers: dict[str, str], *, seconds: float = 60.0
    ) -> Response:
        seconds = until_due(FORM if found.page.startswith("/report") else seconds, found.due)
        keep(scope, scope["porchlight.tenant"].id, seconds=seconds, subject=found.subject)
        return Response(body, media_type=kind, headers={**HEADERS, **headers})

    async def _door(self, web: GuruWeb, request: Request, found: Found) -> Response:
        """ "Redirecting to the main platform", then the same path there (without JavaScript too)."""
        made = await self._draw(web, found)
        raw = request.scope["query_string"]  # bytes that may be anything, made fit for a header
        query = "?" + quote(raw, safe="%&=+/?:@-._~") if raw else ""
        headers = {
            **HEADERS,
            "content-security-policy": made.csp,
            "refresh": f"1;url={self._main_origin(request)}{request.scope['path']}{query}",
            "x-robots-tag": "noindex",
            "cache-control": "no-store",
        }
        return Response(made.html, media_type="text/html; charset=utf-8", headers=headers)

    async def _trouble(
        self, web: GuruWeb, request: Request, refused: ProductError, headers: dict[str, str]
    ) -> Response:
        if isinstance(refused, GuruNotFound):
            made = await web.notice("not-found", main_origin=self._main_origin(request))
            body, csp = made.html, made.csp
        else:  # the page asks the API itself, and shows what it can meanwhile (SPEC 4)
            body, csp = web.shell("/"), web.shell_csp()
        headers = {**HEADERS, **headers, "content-security-policy": csp, "cache-control": "no-store"}
        return Response(body, refused.status, media_type="text/html; charset=utf-8", headers=headers)

    # --- the lead form without JavaScript -----------------------------------------------------------------------

    async def _post_lead(self, web: GuruWeb, request: Request) -> Response:
        outcome = await self._contact.post(request, tenant_of(request), address_of(request))
        if outcome.sent:
            return Response(status_code=303, headers={"location": "/contact/sent", "cache-control": "no-store"})
        made = await self._draw(web, Found("/contact", await self._contact_props(request, outcome.form)))
        headers = {**HEADERS, "content-security-policy": made.csp, "cache-control": "no-store"}
        if outcome.retry_after:
            headers["retry-after"] = str(outcome.retry_after)
        return Response(made.html, outcome.status, media_type="text/html; charset=utf-8", headers=headers)

    # --- reports ------------------------------------------------------------------------------------------------

    async def _report_page(self, request: Request, slug: str | None, form: Props | None) -> Found:
        """The form about the whole site, or about one of its posts.

        Raises Gone for a post that is not there, and where no reports are taken.
        """
        if not await self._parts.takes_reports(tenant_of(request).id):
            raise Gone("/")
        props = self._with_site(request, await home.face(self._parts.db, tenant_of(request).id))
        about = {"title": props["site"]["guru"]["character"], "slug": None}
        if slug is not None:
            try:
                post, _ = await posts.post(self._parts.db, tenant_of(request).id, slug if SLUG.fullmatch(slug) else "-")
            except NotFound:
                raise Gone("/blog") from None
            about = {"title": post["title"], "slug": slug}
        props |= {"about": about, "form": form}
        return Found("/report/blog/[slug]" if slug else "/report", props, {"slug": slug} if slug else None)

    async def _post_report(self, web: GuruWeb, request: Request, slug: str | None) -> Response:
        label = tenant_of(request).label
        if not await self._parts.takes_reports(tenant_of(request).id):
            raise NotFound  # not led home: that would look as if the report had been kept
        outcome = await self._report.post(
            request, ("post", f"{label}/{slug}") if slug else ("site", label), address_of(request)
        )
        if outcome.sent:
            return Response(status_code=303, headers={"location": "/report/sent", "cache-control": "no-store"})
        made = await self._draw(web, await self._report_page(request, slug, outcome.form))
        headers = {**HEADERS, "content-security-policy": made.csp, "cache-control": "no-store"}
        if outcome.retry_after:
            headers["retry-after"] = str(outcome.retry_after)
        return Response(made.html, outcome.status, media_type="text/html; charset=utf-8", headers=headers)

    async def _report_sent(self, request: Request) -> Response:
        web = self._web
        if web is None:  # pragma: no cover - _answer is only called with a build
            raise Gone("/")
        found = await self._report_page(request, None, self._report.thanks())
        made = await self._draw(web, found)
        headers = {"content-security-policy": made.csp, "x-robots-tag": "noindex"}
        return self._kept(request.scope, found, made.html, "text/html; charset=utf-8", headers)

    async def _sent(self, request: Request) -> Response:
        web = self._web
        if web is None:  # pragma: no cover - _answer is only called with a build
            raise Gone("/")
        form = self._contact.thanks()
        found = Found("/contact", await self._contact_props(request, form))
        made = await self._draw(web, found)
        headers = {"content-security-policy": made.csp, "x-robots-tag": "noindex"}
        return self._kept(request.scope, found, made.html, "text/html; charset=utf-8", headers)

    # --- what is no page of the export --------------------------------------------------------------------------

    def _special(self, path: str) -> Callable[[Request], Awaitable[Response]] | None:
        named = {
            "/contact/sent": self._sent,
            "/report/sent": self._report_sent,
            PREVIEW_PATH: self._preview,
            SCRIPT_PATH: self._preview_script,
        }.get(path)
        return named or self._small.at(path)

    # --- unsaved changes ----------------------------------------------------------------------------------------

    async def _preview(self, request: Request) -> Response:
        """A page as it would be: still, unlisted, and framed by the console that asked for it alone."""
        web, tenant = self._web, tenant_of(request)
        key = request.query_params.get("key", "")
        found = await found_preview(self._parts.db, tenant.id, key) if key else None
        if web is None or found is None:
            return Response("This preview is over.\n", 404, media_type="text/plain", headers=STILL_HEADERS)
        if found.page == "/blog/[slug]":
            post = found.changes["post"]
            props = self._with_site(request, await home.face(self._parts.db, tenant.id))
            read_next = await posts.related(self._parts.db, tenant.id, UUID(post["id"]), post["tags"])
            shown = Found(found.page, props | {"post": post, "related": read_next}, {"slug": post["slug"]})
        else:
            shown = await self.page_at(found.page, request)
            if "about" in shown.props and "about" in found.changes:
                shown.props["about"] = found.changes["about"]
        shown.props["site"]["guru"] |= found.changes.get("guru", {})
        made = await web.still(shown.page, shown.props, palette_css=_colours(shown), framed_by=found.framed_by)
        headers = {**STILL_HEADERS, "content-security-policy": made.csp}
        return Response(made.html, media_type="text/html; charset=utf-8", headers=headers)

    async def _preview_script(self, request: Request) -> Response:
        headers = {"cache-control": "public, max-age=300", "x-content-type-options": "nosniff"}
        return Response(SCRIPT, media_type="text/javascript; charset=utf-8", headers=headers)


def _colours(found: Found) -> str:
    theme = found.props["site"]["guru"]["theme"]
    return palette.css(palette.palette(theme["primaryColor"], theme["secondaryColor"]))


def _path_of_data(rest: str) -> str:
    """The page's path behind a data path: /index.json -> /, /blog/x.json -> /blog/x."""
    if not rest.endswith(".json"):
        raise Gone("/")
    path = rest.removesuffix(".json")
    return "/" if path == "/index" else path
