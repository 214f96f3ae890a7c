"""The main platform's host: the API, main-web's files, and for every other path its single page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse, Response

from porchlight.dependencies import SESSION_COOKIE
from porchlight.settings.environment import Settings
from porchlight.web.exception_handlers import main_origin
from porchlight.web.first_texts import can_be_filled_in, with_first_texts
from porchlight.web.page_meta import HeadOf, with_head
from porchlight.web.public_pages import PublicPages
from porchlight.web.sitemap import Sitemap
from porchlight.web.social_pictures import COMMON_PICTURE, SocialPictures, page_path
from tenants.http.asgi import ASGIApp, Receive, Scope, Send, redirect_to_origin
from tenants.http.response_cache import encode_body
from tenants.http.static_files import StaticFiles
from tenants.http.well_known import CHANGE_PASSWORD, WELL_KNOWN
from tenants.kit import clock
from tenants.kit.errors import NotFound, Unavailable
from tenants.tenancy.hosts import has_final_dot

SECURITY_TXT = "/.well-known/security.txt"
_PASSWORD_PAGE = "/forgot-password"  # noqa: S105 - a path
# The one page that may use the camera: a guru scans passes there. It is loaded as a document of its own.
CAMERA_PAGE = "/guru/check-in"
SECURITY_TXT_TTL = timedelta(days=180)  # the RFC recommends less than a year
_SESSION = re.compile(rb"(?:^|;) *" + SESSION_COOKIE.encode() + b"=")
_CACHED = {"cache-control": "public, max-age=3600"}


def content_security_policy(settings: Settings) -> str:
    """Return the Content-Security-Policy of main-web's pages: our own origin and the configured vendors.

    infra/Caddyfile has the same policy, with all vendors, for the fallback page it serves while the API is down.
    """
    scripts, connections, frames = ["'self'"], ["'self'"], ["'self'"]
    # The console shows a guru's site in a frame. A source without a scheme matches the page's scheme and https.
    gurus = f"*.{settings.base_host}:*"
    frames.append(gurus)
    if settings.emulator_url is not None:
        scripts.append(settings.emulator_url)
        connections.append(settings.emulator_url)
        frames.append(settings.emulator_url)
    elif settings.firebase_project_id:
        scripts.append("https://apis.google.com")
        connections += ["https://identitytoolkit.googleapis.com", "https://securetoken.googleapis.com"]
        frames.append(f"https://{settings.auth_domain}")
    if settings.stripe_publishable_key and settings.stripe_pricing_table_id:
        table = urlsplit(settings.stripe_pricing_table_url)
        if table.netloc:  # the local Stripe: its script and its frame have one origin
            origin = f"{table.scheme}://{table.netloc}"
            scripts.append(origin)
            connections.append(origin)
            frames.append(origin)
        else:
            scripts += ["https://js.stripe.com", "https://*.js.stripe.com"]
            connections.append("https://api.stripe.com")
            frames += ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"]
    return (
        f"default-src 'self'; script-src {' '.join(scripts)}; style-src 'self'; "
        f"img-src 'self' data: blob: https: {gurus}; "
        f"connect-src {' '.join(connections)}; frame-src {' '.join(frames)}; "
        "font-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    )


def permissions_policy(camera: str) -> str:
    """Return the Permissions-Policy of main-web's pages. main-web/src/service-worker has that of `CAMERA_PAGE`."""
    return f"camera={camera}, microphone=(), payment=(self)"


def headers(settings: Settings) -> dict[str, str]:
    """Return the headers of main-web's pages and files."""
    return {
        "content-security-policy": content_security_policy(settings),
        "referrer-policy": "strict-origin-when-cross-origin",
        "x-frame-options": "DENY",
        "permissions-policy": permissions_policy("()"),
        # Google's sign-in popup posts a message to its opener.
        "cross-origin-opener-policy": "same-origin-allow-popups",
    }


def robots_txt(private_pages: Sequence[str], pictures: Sequence[str], origin: str) -> str:
    """Return robots.txt. Simple crawlers obey the first line that matches.

    So the pictures that pages name come before the API, in which they are, and the general permission comes last.
    """
    allowed = "".join(f"Allow: {path}\n" for path in pictures)
    disallowed = "".join(f"Disallow: {path}\n" for path in private_pages)
    return f"User-agent: *\n{allowed}{disallowed}Allow: /\n\nSitemap: {origin}/sitemap.xml\n"


def security_txt(contact: str, origin: str, now: datetime) -> str:
    """Return security.txt (RFC 9116): where to report a vulnerability, and until when that holds."""
    expires = (now + SECURITY_TXT_TTL).astimezone(UTC).replace(microsecond=0)
    return (
        f"Contact: mailto:{contact}\n"
        f"Expires: {expires.isoformat().replace('+00:00', 'Z')}\n"
        "Preferred-Languages: en\n"
        f"Canonical: {origin}{SECURITY_TXT}\n"
    )


def _has_final_dot(scope: Scope) -> bool:
    return any(name == b"host" and has_final_dot(value) for name, value in scope["headers"])


def _shows_first_paint(scope: Scope) -> bool:
    """Whether the prerendered page is what the app shows first: not to signed-in users, nor with a search."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    return not scope["query_string"] and _SESSION.search(cookies) is None


class MainSite:
    """Serves the API and main-web's files. Without a build, the response says how to make one.

    A reserved subdomain, such as www, serves the API only; its pages redirect to the base URL (SPEC 2.4).
    """

    def __init__(
        self,
        api: ASGIApp,
        settings: Settings,
        *,
        mailbox: ASGIApp | None = None,
        demo_files: Mapping[str, ASGIApp] | None = None,
        page_meta: Mapping[str, HeadOf] | None = None,
        sitemap: Sitemap | None = None,
        private_pages: Sequence[str] = (),
        pictures: Sequence[str] = (),
    ) -> None:
        """`page_meta`: by path prefix, the function that returns the head of these pages.

        `demo_files`: by path, what the demo serves in development. `private_pages`: path prefixes that robots.txt
        excludes, besides /api. `pictures`: those in /api that it allows.
        """
        self._api = api
        self._page_meta = page_meta or {}
        self._sitemap = sitemap
        self._private_pages = [*private_pages, "/api"]
        self._public_pictures = pictures
        self._base_host = settings.base_host
        self._contact = settings.staff_address
        self._headers = headers(settings) | {"cache-control": "no-cache", "x-content-type-options": "nosniff"}
        self._mailbox = mailbox
        self._demo_files = demo_files or {}
        folder = settings.main_web_dir
        files_headers = headers(settings)
        self._files = StaticFiles(folder, immutable=("/assets/",), headers=files_headers) if folder.is_dir() else None
        self._pages = PublicPages(self._files, files_headers["content-security-policy"]) if self._files else None
        self._pictures: SocialPictures | None = None
        if self._files and COMMON_PICTURE in self._files:
            self._pictures = SocialPictures(self._files.body(COMMON_PICTURE))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with the API, a file or the single page."""
        path = scope["path"]
        if path.startswith(("/api/", "/.well-known/porchlight-", "/calendar/")) or path == "/api":
            await self._api(scope, receive, send)
            return
        if self._is_reserved_subdomain(scope) or _has_final_dot(scope):
            scope["porchlight.route"] = "(reserved subdomain)"
            await redirect_to_origin(scope, send, main_origin(scope, self._base_host))
            return
        if (demo_page := self._demo_page(scope)) is not None:
            await demo_page(scope, receive, send)
            return
        scope["porchlight.route"] = "(main-web)"
        files, pages = self._files, self._pages
        origin = main_origin(scope, self._base_host)
        if files is None or pages is None or "/index.html" not in files:
            response = Response("main-web is not built yet: run `make setup`.\n", 503, media_type="text/plain")
            await response(scope, receive, send)
        elif path in files:
            await files.serve(path, scope, send)
        elif (generated := await self._generated_file(path, origin, pages)) is not None:
            await generated(scope, receive, send)
        elif path.rstrip("/") == CAMERA_PAGE and scope["method"] in ("GET", "HEAD"):
            camera = self._headers | {"permissions-policy": permissions_policy("(self)")}
            await Response(files.body("/index.html"), headers=camera, media_type="text/html")(scope, receive, send)
        elif "." in path.rsplit("/", 1)[-1] or path.startswith(WELL_KNOWN):
            await Response(status_code=404)(scope, receive, send)  # a missing file is not a page
        elif (prefix := self._named_prefix(path)) is not None and scope["method"] in ("GET", "HEAD"):
            await (await self._named_page(prefix, pages, scope))(scope, receive, send)
        else:
            await files.serve(pages.file_of(path, origin, prerendered=_shows_first_paint(scope)), scope, send)

    def _demo_page(self, scope: Scope) -> ASGIApp | None:
        """Return what only a demo serves: the mailbox and its files."""
        path = scope["path"]
        if self._mailbox is not None and (path == "/_mail" or path.startswith("/_mail/")):
            scope["porchlight.route"] = "(mailbox)"
            return self._mailbox
        return self._demo_files.get(path)

    def _is_reserved_subdomain(self, scope: Scope) -> bool:
        host = scope.get("porchlight.host")
        return host is not None and host.name.endswith("." + self._base_host)

    async def _generated_file(self, path: str, origin: str, pages: PublicPages) -> Response | None:
        """Return robots.txt, a well-known file, the sitemap or the picture of a page, or None for another path."""
        try:
            if path == "/robots.txt":
                return PlainTextResponse(
                    robots_txt(self._private_pages, self._public_pictures, origin), headers=_CACHED
                )
            if path == CHANGE_PASSWORD:
                return Response(status_code=303, headers={"location": origin + _PASSWORD_PAGE})
            if path == SECURITY_TXT:
                return PlainTextResponse(security_txt(self._contact, origin, clock.now()), headers=_CACHED)
            if path == "/sitemap.xml" and self._sitemap is not None:
                xml = await self._sitemap.xml(origin, pages.canonical_paths)
                return Response(xml, media_type="application/xml", headers=_CACHED)
            page = page_path(path)
            if page is not None and self._pictures is not None:
                if path.endswith(".jpg"):
                    return await self._photo(self._pictures, page, origin)
                return await self._picture(self._pictures, page, origin, pages)
        except NotFound:
            return Response(status_code=404)  # the photo was deleted meanwhile
        except Unavailable as error:
            return Response(status_code=503, headers={"retry-after": str(error.retry_after or 5)})
        return None

    async def _picture(self, pictures: SocialPictures, page: str, origin: str, pages: PublicPages) -> Response:
        """Return the picture of a page's link previews. Raise Unavailable."""
        title = pages.title(page)
        if title is None and (head_of := self._page_meta_of(page)) is not None:
            head = await head_of(page, origin)
            title = head.title if head else None
        if title is None:
            return Response(status_code=404)
        headers = _CACHED | {"x-content-type-options": "nosniff"}
        return Response(await pictures.of_title(title), media_type="image/png", headers=headers)

    async def _photo(self, pictures: SocialPictures, page: str, origin: str) -> Response:
        """Return the photo of a page's link previews. A person may turn private at any time, so it is kept briefly."""
        head_of = self._page_meta_of(page)
        head = await head_of(page, origin) if head_of else None
        if head is None or head.photo is None:
            return Response(status_code=404)
        headers = {"cache-control": "public, max-age=60", "x-content-type-options": "nosniff"}
        return Response(await pictures.of_photo(await head.photo()), media_type="image/jpeg", headers=headers)

    def _named_prefix(self, path: str) -> str | None:
        """Return the prefix of a path whose pages have heads of their own, or None."""
        return next((prefix for prefix in self._page_meta if path.startswith(prefix)), None)

    def _page_meta_of(self, path: str) -> HeadOf | None:
        prefix = self._named_prefix(path)
        return None if prefix is None else self._page_meta[prefix]

    async def _named_page(self, prefix: str, pages: PublicPages, scope: Scope) -> Response:
        """Return the page at an address that names its subject, with what it shows first if it is prerendered."""
        path, page, headers = scope["path"], pages.named(prefix), self._headers
        try:
            head = await self._page_meta[prefix](path, main_origin(scope, self._base_host))
        except Unavailable:
            return Response(page, headers=headers, media_type="text/html")  # it shows the error and retries
        painted, name = None, path.removeprefix(prefix)
        if head is not None and head.first is not None and can_be_filled_in(name) and _shows_first_paint(scope):
            painted = pages.prerendered_named(prefix)
        if painted is not None:
            page, headers = painted[0], headers | painted[1]
        page = with_head(page, head)
        if painted is not None and head is not None and head.first is not None:
            page = with_first_texts(page, head.first, name)
        body, encoded = encode_body(scope, page)
        headers = {"vary": "Accept-Encoding, Cookie"} | headers | encoded
        return Response(body, 200 if head else 404, headers=headers, media_type="text/html")
