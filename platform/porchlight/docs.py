"""/api/docs: Swagger UI from an installed package, under a strict policy, with nothing fetched from elsewhere."""

from __future__ import annotations

from importlib.resources import files

from fastapi import FastAPI, Response

_RESOURCES = files("fastapi_swagger") / "resources"
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Porchlight API</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script></body></html>"""
_START = """SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#swagger-ui", deepLinking: true });"""
_KINDS = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript"}
_FRESH = {"cache-control": "public, max-age=3600", "x-content-type-options": "nosniff"}


def install(app: FastAPI) -> None:
    """Give an app its documentation page."""

    @app.get("/api/docs", include_in_schema=False)
    async def page() -> Response:
        return Response(_PAGE, media_type="text/html", headers={"content-security-policy": _CSP, **_FRESH})

    @app.get("/api/docs/start.js", include_in_schema=False)
    async def start() -> Response:
        return Response(_START, media_type="text/javascript", headers=_FRESH)

    for name, kind in _KINDS.items():
        _file(app, name, kind)


def _file(app: FastAPI, name: str, kind: str) -> None:
    body = (_RESOURCES / name).read_bytes()

    @app.get(f"/api/docs/{name}", include_in_schema=False)
    async def resource() -> Response:
        return Response(body, media_type=kind, headers=_FRESH)
