"""A small host of guru sites for browser tests: pages, page data, static files and the lead API."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import uvicorn
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.types import Receive, Scope, Send

from sites.rendering.templates import GuruWeb
from sites.theme.favicon import favicon_svg
from sites.theme.palette import css
from tests.sites.rendering.page_props import Guru, Props, extreme_guru, free_times, typical_guru

BASE = "porchlight.localhost"


class GuruSet:
    """The host's state, and the requests it received."""

    def __init__(self, web: GuruWeb, port: int) -> None:
        self.web = web
        self.main_origin = f"http://{BASE}:{port}"
        self.gurus = {
            guru["subdomain"]: Guru(guru, f"http://{guru['subdomain']}.{BASE}:{port}", self.main_origin)
            for guru in (typical_guru(), extreme_guru())
        }
        self.requests: list[str] = []
        self.leads: list[tuple[str, Props]] = []
        self.lead_statuses: list[int] = []
        self.pages_down = False
        self.api_down = False
        self.signed_in = False
        self.next_starts: dict[str, str | None] = {}

    def origin(self, label: str) -> str:
        """Return the origin of a label's site, known or unknown."""
        return self.main_origin.replace("//", f"//{label}.")

    def reset(self) -> None:
        """Restore the default state."""
        self.requests.clear()
        self.leads.clear()
        self.lead_statuses.clear()
        self.pages_down = self.api_down = self.signed_in = False
        self.next_starts.clear()

    async def respond(self, request: Request) -> Response:
        """Handle a request."""
        path = request.url.path
        self.requests.append(f"{request.method} {path}")
        label = (request.url.hostname or "").removesuffix(f".{BASE}")
        static = self.web.out_dir / path.lstrip("/")
        if path.startswith("/_next/static/") and static.is_file():
            return FileResponse(static)
        if label == BASE:
            return Response(
                "<!doctype html><html lang=en><title>Main</title><p>The main platform", media_type="text/html"
            )
        guru = self.gurus.get(label)
        if path.startswith("/api/"):
            return await self._api(request, guru)
        if guru is None:
            return await self._no_guru()
        if path == "/favicon.svg" or path.startswith("/images/"):
            return Response(favicon_svg(guru.guru["theme"]), media_type="image/svg+xml")
        data = f"/_next/data/{self.web.build_id}"
        if path.startswith(data):
            page = guru.page(unquote(path.removeprefix(data).removesuffix(".json")).replace("/index", "/"))
            return (
                Response(status_code=404)
                if page is None
                else Response(self.web.data(page[1]), media_type="application/json")
            )
        return await self._page(request, guru)

    async def _page(self, request: Request, guru: Guru) -> Response:
        page = guru.page(request.url.path)
        if page is None:
            return Response(status_code=302, headers={"location": "/"})
        name, props, query = page
        if self.pages_down:
            headers = {"content-security-policy": self.web.shell_csp()}
            return Response(self.web.shell(name), 503, headers, "text/html; charset=utf-8")
        if request.method == "POST":
            form = await request.form()
            values = {key: str(value) for key, value in form.items()}
            if values.get("name"):
                self.leads.append(("", values))
                state = {"sent": True, "values": {}, "errors": {}, "message": "Thank you, neighbor."}
            else:
                errors = {"name": "Name is required"}
                state = {"sent": False, "values": values, "errors": errors, "message": "Please check the form."}
            props["form"] = state
        theme = guru.guru["theme"]
        colors = css(theme["primaryColor"], theme["secondaryColor"], theme["appearance"])
        rendered = await self.web.page(name, props, query=query, palette_css=colors, typeface=theme["typeface"])
        return Response(rendered.html, 200, {"content-security-policy": rendered.csp}, "text/html; charset=utf-8")

    async def _no_guru(self) -> Response:
        if self.pages_down:
            headers = {"content-security-policy": self.web.shell_csp()}
            return Response(self.web.shell("/"), 503, headers, "text/html; charset=utf-8")
        rendered = await self.web.notice("not-found", main_origin=self.main_origin)
        return Response(rendered.html, 404, {"content-security-policy": rendered.csp}, "text/html; charset=utf-8")

    async def _api(self, request: Request, guru: Guru | None) -> Response:
        if request.url.path == "/api/auth/session":
            return self._session()
        if self.api_down:
            return JSONResponse({"success": False}, 500)
        if guru is None:
            return JSONResponse({"success": False, "message": "Guru Not Found"}, 404)
        if (response := self._times(request.url.path)) is not None:
            return response
        return await self._guru_data(request, guru)

    async def _guru_data(self, request: Request, guru: Guru) -> Response:
        match request.url.path.split("/")[4:]:
            case ["home"]:
                page = guru.page("/")
                assert page is not None
                props = {key: value for key, value in page[1].items() if key != "site"}
                return JSONResponse({"success": True, "guru": guru.guru, **props, "message": ""})
            case ["posts"]:
                listed = guru.blog(None, None)
                return JSONResponse(
                    {
                        "success": True,
                        "posts": listed["posts"],
                        "tags": listed["tags"],
                        "nextCursor": None,
                        "message": "",
                    }
                )
            case ["posts", slug]:
                page = guru.page(f"/blog/{slug}")
                if page is None:
                    return JSONResponse({"success": False}, 404)
                return JSONResponse({"success": True, "post": page[1]["post"], "related": [], "message": ""})
            case ["services"]:
                return JSONResponse({"success": True, "services": guru.services, "message": ""})
            case ["reviews"]:
                cursor = request.query_params.get("cursor")
                shown = {key: value for key, value in guru.reviews_page(cursor).items() if key not in ("site", "newer")}
                shown["nextCursor"] = shown.pop("olderCursor")
                return JSONResponse({"success": True, **shown, "message": ""})
            case ["leads"]:
                return await self._lead(request)
        return JSONResponse({"success": False}, 404)

    def _session(self) -> Response:
        user = {"displayName": "Ana"} if self.signed_in else None
        return JSONResponse({"success": True, "data": {"user": user}})

    def _times(self, path: str) -> Response | None:
        if path.endswith("/slots"):
            return JSONResponse(free_times() | {"starts": []})
        if path.endswith("/next-starts"):
            found = [{"serviceId": name, "startsAt": start} for name, start in self.next_starts.items()]
            return JSONResponse({"success": True, "zone": "America/Denver", "services": found, "message": ""})
        if path.endswith("/packages"):
            return JSONResponse({"success": True, "data": {"packages": []}})
        return None

    async def _lead(self, request: Request) -> Response:
        lead: Props = await request.json()
        key = request.headers["idempotency-key"]
        # Long enough for a second request of a double click.
        await asyncio.sleep(0.05)
        status = self.lead_statuses.pop(0) if self.lead_statuses else 201
        self.leads.append((key, lead))
        if status == 422:
            fields = {"email": "This address does not exist"}
            error = {"code": "validation_failed", "message": "Please check the form.", "fields": fields}
            return JSONResponse({"success": False, "message": error["message"], "error": error}, 422)
        if status != 201:
            return JSONResponse({"success": False, "message": "no"}, status)
        return JSONResponse({"success": True, "message": "Thanks! Chef Marisol will reply soon."}, 201)


@contextmanager
def serve_guru_set(web: GuruWeb, port: int) -> Iterator[GuruSet]:
    """Serve the sites on 127.0.0.1 until the block ends."""
    guru_set = GuruSet(web, port)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await guru_set.respond(Request(scope, receive))
        await response(scope, receive, send)

    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", lifespan="off", ws="none")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError(f"the test host did not start on port {port}")
        thread.join(0.02)
    try:
        yield guru_set
    finally:
        server.should_exit = True
        thread.join()


ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "guru-web" / "out"
BUNDLE = ROOT / "guru-web" / "dist-ssr" / "server.js"
