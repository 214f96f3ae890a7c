"""The main platform's host: the API, the files of main-web, and for every other path its one page."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response

from tenants.edge import App, Receive, Scope, Send
from tenants.static import StaticFiles

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https:; connect-src 'self'; "
    "font-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), microphone=(), payment=(self)",
}


class MainWeb:
    """Serves main-web from memory. Without a build it says how to get one."""

    def __init__(self, api: App, folder: Path) -> None:
        self._api = api
        self._files = StaticFiles(folder, immutable=("/assets/",), headers=HEADERS) if folder.is_dir() else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path.startswith("/api/") or path == "/api":
            await self._api(scope, receive, send)
            return
        scope["porchlight.route"] = "(main-web)"
        files = self._files
        if files is None or "/index.html" not in files:
            answer = Response("main-web is not built yet: run `make setup`.\n", 503, media_type="text/plain")
            await answer(scope, receive, send)
        elif path in files:
            await files.serve(path, scope, send)
        elif "." in path.rsplit("/", 1)[-1]:
            await Response(status_code=404)(scope, receive, send)  # a file that is not there is no page
        else:
            await files.serve("/index.html", scope, send)
