"""The main platform's host: the API, the files of main-web, and for every other path its one page."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import PlainTextResponse, Response

from porchlight.answers import main_origin
from porchlight.pages import HeadOf, with_head
from porchlight.settings import Settings
from tenants.edge import App, Receive, Scope, Send
from tenants.kit.errors import Unavailable
from tenants.static import StaticFiles


def content_security_policy(settings: Settings) -> str:
    """What main-web's pages may load: ourselves, and of vendors exactly those that are configured.

    infra/Caddyfile has the same, for all of them, on the shell that it serves while the API is away.
    """
    scripts, connections, frames = ["'self'"], ["'self'"], ["'self'"]
    # Gurus look at their own sites inside the console. Without a scheme, a source stands for the page's own or https.
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
        scripts += ["https://js.stripe.com", "https://*.js.stripe.com"]
        connections.append("https://api.stripe.com")
        frames += ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"]
    return (
        f"default-src 'self'; script-src {' '.join(scripts)}; style-src 'self'; "
        f"img-src 'self' data: blob: https: {gurus}; "
        f"connect-src {' '.join(connections)}; frame-src {' '.join(frames)}; "
        "font-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    )


def headers(settings: Settings) -> dict[str, str]:
    """The headers of main-web's pages and files."""
    return {
        "content-security-policy": content_security_policy(settings),
        "referrer-policy": "strict-origin-when-cross-origin",
        "x-frame-options": "DENY",
        "permissions-policy": "camera=(), microphone=(), payment=(self)",
        # Google's popup reports to the page that opened it.
        "cross-origin-opener-policy": "same-origin-allow-popups",
    }


_PRIVATE = ("/dashboard", "/profile", "/onboarding", "/guru", "/account", "/admin", "/api")
# The general permission comes last: simple robots obey the first line that fits.
ROBOTS = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in _PRIVATE) + "Allow: /\n"


class MainWeb:
    """Serves main-web from memory. Without a build it says how to get one."""

    def __init__(
        self, api: App, settings: Settings, mailbox: App | None = None, heads: Mapping[str, HeadOf] | None = None
    ) -> None:
        """`heads`: beginnings of paths whose pages have a head of their own."""
        self._api = api
        self._heads = heads or {}
        self._base_host = settings.base_host
        self._headers = headers(settings) | {"cache-control": "no-cache", "x-content-type-options": "nosniff"}
        self._mailbox = mailbox
        folder, given = settings.main_web_dir, headers(settings)
        self._files = StaticFiles(folder, immutable=("/assets/",), headers=given) if folder.is_dir() else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path.startswith("/api/") or path == "/api":
            await self._api(scope, receive, send)
            return
        if self._mailbox is not None and (path == "/_mail" or path.startswith("/_mail/")):
            scope["porchlight.route"] = "(mailbox)"
            await self._mailbox(scope, receive, send)
            return
        scope["porchlight.route"] = "(main-web)"
        files = self._files
        if files is None or "/index.html" not in files:
            answer = Response("main-web is not built yet: run `make setup`.\n", 503, media_type="text/plain")
            await answer(scope, receive, send)
        elif path in files:
            await files.serve(path, scope, send)
        elif path == "/robots.txt":
            await PlainTextResponse(ROBOTS, headers={"cache-control": "public, max-age=3600"})(scope, receive, send)
        elif "." in path.rsplit("/", 1)[-1]:
            await Response(status_code=404)(scope, receive, send)  # a file that is not there is no page
        elif (head_of := self._head_of(path)) is not None and scope["method"] in ("GET", "HEAD"):
            await (await self._told(head_of, files.body("/index.html"), scope))(scope, receive, send)
        else:
            entrance = f"/entrances{path if path != '/' else '/home'}.html"  # as main-web/first-files.ts writes them
            await files.serve(entrance if entrance in files else "/index.html", scope, send)

    def _head_of(self, path: str) -> HeadOf | None:
        return next((told for begins, told in self._heads.items() if path.startswith(begins)), None)

    async def _told(self, head_of: HeadOf, page: bytes, scope: Scope) -> Response:
        status = 200
        try:
            head = await head_of(scope["path"], main_origin(scope, self._base_host))
            page, status = with_head(page, head), 200 if head else 404
        except Unavailable:
            pass  # the page itself says so, and asks again
        return Response(page, status, headers=self._headers, media_type="text/html")
