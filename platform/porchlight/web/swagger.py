"""/api/openapi.json and /api/docs, from prepared bytes: FastAPI would encode the document for every request.

Swagger UI comes from an installed package, with a strict Content-Security-Policy and no external files.
"""

from __future__ import annotations

import asyncio
from importlib.resources import files

import orjson
from fastapi import FastAPI, Response
from starlette.routing import Route

from tenants.http.asgi import Receive, Scope, Send
from tenants.http.static_files import StaticFiles
from tenants.kit.templates import create_environment

DOCUMENT_PATH = "/api/openapi.json"

_RESOURCES = files("fastapi_swagger") / "resources"
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_PAGE = create_environment("porchlight.web").get_template("swagger.html.j2").render()
_START_SCRIPT = """SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#swagger-ui", deepLinking: true });"""
_MEDIA_TYPES = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript"}
_HEADERS = {"cache-control": "public, max-age=3600", "x-content-type-options": "nosniff"}


class OpenApiDocument:
    """Serves the OpenAPI document, which the first request generates: it takes a second, in a thread."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._files = StaticFiles()
        self._generating = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with the document: compressed where the client accepts it, 304 if the client has it."""
        async with self._generating:
            if DOCUMENT_PATH not in self._files:
                await asyncio.to_thread(self._generate)
        await self._files.serve(DOCUMENT_PATH, scope, send)

    def _generate(self) -> None:
        self._files.add(DOCUMENT_PATH, orjson.dumps(self._app.openapi()))
        self._app.openapi_schema = None  # the bytes are enough: the document takes 10 MB as objects


def install(app: FastAPI) -> None:
    """Add the OpenAPI document and the documentation page to an app."""
    app.router.routes.append(Route(DOCUMENT_PATH, OpenApiDocument(app), methods=["GET"], include_in_schema=False))

    @app.get("/api/docs", include_in_schema=False)
    async def page() -> Response:
        return Response(_PAGE, media_type="text/html", headers={"content-security-policy": _CSP, **_HEADERS})

    @app.get("/api/docs/start.js", include_in_schema=False)
    async def start() -> Response:
        return Response(_START_SCRIPT, media_type="text/javascript", headers=_HEADERS)

    for name, kind in _MEDIA_TYPES.items():
        _file(app, name, kind)


def _file(app: FastAPI, name: str, kind: str) -> None:
    body = (_RESOURCES / name).read_bytes()

    @app.get(f"/api/docs/{name}", include_in_schema=False)
    async def resource() -> Response:
        return Response(body, media_type=kind, headers=_HEADERS)
