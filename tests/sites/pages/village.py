"""A small host of guru sites for the browser: whole pages, page data, static files and the lead call."""

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

from sites.pages.shell import GuruWeb
from sites.theme.favicon import favicon_svg
from sites.theme.palette import css, palette
from tests.sites.pages.gurus import Guru, Props, ordinary, straining

BASE = "porchlight.localhost"


class Village:
    """What the host answers, and what it was asked."""

    def __init__(self, web: GuruWeb, port: int) -> None:
        self.web = web
        self.main_origin = f"http://{BASE}:{port}"
        self.gurus = {
            guru["subdomain"]: Guru(guru, f"http://{guru['subdomain']}.{BASE}:{port}", self.main_origin)
            for guru in (ordinary(), straining())
        }
        self.asked: list[str] = []
        self.leads: list[tuple[str, Props]] = []
        self.lead_statuses: list[int] = []
        self.pages_down = False
        self.api_down = False
        self.signed_in = False

    def origin(self, label: str) -> str:
        """Where a label's site is, whether there is such a guru or not."""
        return self.main_origin.replace("//", f"//{label}.")

    def reset(self) -> None:
        """Everything works again and nothing has been asked."""
        self.asked.clear()
        self.leads.clear()
        self.lead_statuses.clear()
        self.pages_down = self.api_down = self.signed_in = False

    async def answer(self, request: Request) -> Response:
        """One request."""
        path = request.url.path
        self.asked.append(f"{request.method} {path}")
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
        if path == "/favicon.svg":
            return Response(favicon_svg(guru.guru["theme"]), media_type="image/svg+xml")
        data = f"/_next/data/{self.web.build_id}"
        if path.startswith(data):
            found = guru.page(unquote(path.removeprefix(data).removesuffix(".json")).replace("/index", "/"))
            return (
                Response(status_code=404)
                if found is None
                else Response(self.web.data(found[1]), media_type="application/json")
            )
        return await self._page(request, guru)

    async def _page(self, request: Request, guru: Guru) -> Response:
        found = guru.page(request.url.path)
        if found is None:
            return Response(status_code=302, headers={"location": "/"})
        name, props, query = found
        if self.pages_down:
            headers = {"content-security-policy": self.web.shell_csp()}
            return Response(self.web.shell(name), 503, headers, "text/html; charset=utf-8")
        if request.method == "POST":
            form = await request.form()
            values = {key: str(value) for key, value in form.items()}
            if values.get("name"):
                self.leads.append(("", values))
                state = {"sent": True, "values": {}, "errors": {}, "message": "Thank you, neighbour."}
            else:
                errors = {"name": "Name is required"}
                state = {"sent": False, "values": values, "errors": errors, "message": "Please check the form."}
            props["form"] = state
        theme = guru.guru["theme"]
        colours = css(palette(theme["primaryColor"], theme["secondaryColor"]))
        made = await self.web.page(name, props, query=query, palette_css=colours)
        return Response(made.html, 200, {"content-security-policy": made.csp}, "text/html; charset=utf-8")

    async def _no_guru(self) -> Response:
        if self.pages_down:
            headers = {"content-security-policy": self.web.shell_csp()}
            return Response(self.web.shell("/"), 503, headers, "text/html; charset=utf-8")
        made = await self.web.notice("not-found", main_origin=self.main_origin)
        return Response(made.html, 404, {"content-security-policy": made.csp}, "text/html; charset=utf-8")

    async def _api(self, request: Request, guru: Guru | None) -> Response:
        if request.url.path == "/api/auth/session":
            user = {"displayName": "Ana"} if self.signed_in else None
            return JSONResponse({"success": True, "data": {"user": user}})
        if self.api_down:
            return JSONResponse({"success": False}, 500)
        if guru is None:
            return JSONResponse({"success": False, "message": "Guru Not Found"}, 404)
        match request.url.path.split("/")[4:]:
            case ["home"]:
                found = guru.page("/")
                assert found is not None
                props = {key: value for key, value in found[1].items() if key != "site"}
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
                found = guru.page(f"/blog/{slug}")
                if found is None:
                    return JSONResponse({"success": False}, 404)
                return JSONResponse({"success": True, "post": found[1]["post"], "related": [], "message": ""})
            case ["services"]:
                return JSONResponse({"success": True, "services": guru.services, "message": ""})
            case ["leads"]:
                return await self._lead(request)
        return JSONResponse({"success": False}, 404)

    async def _lead(self, request: Request) -> Response:
        lead: Props = await request.json()
        key = request.headers["idempotency-key"]
        # Long enough for a second click to arrive, were it sent.
        await asyncio.sleep(0.05)
        status = self.lead_statuses.pop(0) if self.lead_statuses else 201
        self.leads.append((key, lead))
        if status == 422:
            fields = {"email": "This address does not exist"}
            error = {"code": "validation_failed", "message": "Please check the form.", "fields": fields}
            return JSONResponse({"success": False, "message": error["message"], "error": error}, 422)
        if status != 201:
            return JSONResponse({"success": False, "message": "no"}, status)
        return JSONResponse({"success": True, "message": "Thank you. Chef Marisol will write to you soon."}, 201)


@contextmanager
def open_village(web: GuruWeb, port: int) -> Iterator[Village]:
    """Serve the village on 127.0.0.1 until the block ends."""
    village = Village(web, port)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await village.answer(Request(scope, receive))
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
        yield village
    finally:
        server.should_exit = True
        thread.join()


ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "guru-web" / "out"
BUNDLE = ROOT / "guru-web" / "dist-ssr" / "server.js"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
